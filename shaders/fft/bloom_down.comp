// fft/bloom_down.comp - T, what blooms of the frame, to a smaller image by cubic B-splines
//
//        frame      . . . . . . . . . . . .     a texel of the smaller image is the mean of four
//        smaller      |   o   |   o   |   o     of its own steps, weighted by a cubic B-spline:
//                   \___weights of o___/        4 RATIO texels of the frame along each axis
//
//   in        i_src    the frame, any format; 0 around it
//             u_step   texels of the frame for one of the smaller image, at most RATIO
//             u_small  size of the smaller image; texels of it that lie before the frame
//             u_filter while its w is on, fft/bloom_filter.glsl filters texels
//   out       i_small  RGBA16F as RG32UI; with WIDE RGBA32F
//             b_info   while u_src_mode.z, scrub, is on: adds the number of non-finite texels
//   host sets RATIO    2 or 4
//             WIDE     1 = 32-bit floats
//             and the defines of fft/source.glsl; FILTERABLE 1
//   dispatch  ceil(size of the smaller image / (60, 8)); with RATIO 4 / (28, 8); one layer
//   shared    14.2 KB; with RATIO 4 15.0 KB
//   cost      reads each texel of the frame 1.6 times; some 60 instructions a texel
//   how       a thread has a column of the frame, and every second row of the tile's. It adds each
//             texel to eight rows of the smaller image in registers, as the weights of a table say:
//             no texel goes through shared memory, and all loads of a thread are under way at once.
//             The sums of two threads meet in shared memory; then columns become the smaller
//             image's
//   source    docs/bloom.md; M. Unser 1999, "Splines: a perfect fit for signal and image
//             processing"
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(RATIO) || !defined(WIDE)
#error "RATIO (2 or 4) and WIDE (0 or 1) must be set by the host"
#endif
#include "fft/source.glsl"
#include "fft/bloom_filter.glsl"
#include "fft/spline.glsl"
#include "fft/halves.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;
#if WIDE
layout(rgba32f, binding = AG_IMAGE_SMALL) writeonly uniform image2D i_small;
#else
layout(rg32ui, binding = AG_IMAGE_SMALL) writeonly uniform uimage2D i_small;
#endif

const int TILE_X = RATIO == 2 ? 60 : 28, TILE_Y = 8; // of the smaller image
// Columns of the frame are 128, two threads each: at least (TILE_X + 3) RATIO + 1.
const int LOADS = 12;                    // of a thread at a time
const int BATCHES = RATIO / 2;           // 2 LOADS BATCHES rows: at least (TILE_Y + 3) RATIO + 1
const int TAPS = 4 * RATIO;              // texels of the frame that a B-spline covers
const int ACROSS = RATIO == 2 ? 64 : 32; // threads along x of the rows' sums

shared vec4 s_weights[2 * 2 * LOADS * BATCHES]; // of a row of the frame in the tile's eight rows

// The smaller image's rows at the frame's columns. Those that are RATIO apart lie side by side, and
// the lengths keep a subgroup's 16 columns of two rows, four apart, in banks of their own.
const int PLANE = RATIO == 2 ? 72 : 36, PITCH = 140;
shared vec3 s_sums[TILE_Y * PITCH];

int place_of(int column)
{
    return column % RATIO * PLANE + column / RATIO;
}

// Where the centre of a texel of the smaller image lies in the frame.
float centre_of(int m, float texels)
{
    return (float(m) + 0.5) * texels - 0.5;
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 origin = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_X, TILE_Y) - MARGIN;
    // Even, so that a subgroup's 16 x 2 texels are whole sectors of a texture.
    ivec2 first = ivec2(ceil(centre_of(origin.x, STEP.x) - 2.0 * STEP.x),
                        ceil(centre_of(origin.y, STEP.y) - 2.0 * STEP.y)) & ~1;
    ivec4 own = ivec4(floor(vec4(origin, origin + ivec2(TILE_X, TILE_Y)) * u_step.xyxy));
    ivec2 place = ivec2(thread / 32 * 16 + thread % 16, thread / 16 % 2);

    for (int i = thread; i < 2 * 2 * LOADS * BATCHES; i += 256) {
        int m = origin.y + i % 2 * 4;
        vec4 at = (vec4(first.y + i / 2) - (vec4(m, m + 1, m + 2, m + 3) + 0.5) * STEP.y + 0.5) /
                  STEP.y;
        s_weights[i] =
            vec4(b_spline(at.x), b_spline(at.y), b_spline(at.z), b_spline(at.w)) / STEP.y;
    }

    vec3 sums[TILE_Y];
    for (int o = 0; o < TILE_Y; ++o)
        sums[o] = vec3(0.0);
    uint bad = 0u;
    for (int batch = 0; batch < BATCHES; ++batch) {
        TEXEL texels[LOADS];
        for (int k = 0; k < LOADS; ++k) {
            ivec2 p = first + place + ivec2(0, 2 * (batch * LOADS + k));
            ivec2 inside = clamp(p, ivec2(0), u_src_rect.zw - 1);
            uint is_bad;
            texels[k] = masked(load_texel(inside, is_bad), inside == p);
            bool is_own = all(greaterThanEqual(p, own.xy)) && all(lessThan(p, own.zw));
            bad += is_bad * uint(is_own && inside == p);
        }
        if (batch == 0)
            sync_shared();
        for (int k = 0; k < LOADS; ++k) {
            vec3 light = colour(texels[k]).rgb;
            if (FILTERS)
                light = bloom_filter(light);
            int row = 2 * (batch * LOADS + k) + place.y;
            vec4 upper = s_weights[2 * row], lower = s_weights[2 * row + 1];
            sums[0] += upper.x * light;
            sums[1] += upper.y * light;
            sums[2] += upper.z * light;
            sums[3] += upper.w * light;
            sums[4] += lower.x * light;
            sums[5] += lower.y * light;
            sums[6] += lower.z * light;
            sums[7] += lower.w * light;
        }
    }
    if (SCRUBS != 0)
        count_bad(bad);
    // Each of the two threads of a column gives four rows to the other, and adds the other four.
    bvec3 odd = bvec3(place.y == 1);
    int column = place_of(place.x);
    for (int o = 0; o < 4; ++o)
        s_sums[(o + 4 - 4 * place.y) * PITCH + column] = mix(sums[o + 4], sums[o], odd);
    sync_shared();
    for (int o = 0; o < 4; ++o)
        s_sums[(o + 4 * place.y) * PITCH + column] += mix(sums[o], sums[o + 4], odd);
    sync_shared();

    int x = thread % ACROSS;
    float centre = centre_of(origin.x + x, STEP.x);
    int begin = int(ceil(centre - 2.0 * STEP.x));
    int taps[RATIO]; // where those of each plane begin
    for (int t = 0; t < RATIO; ++t)
        taps[t] = place_of(begin - first.x + t);
    float weights[TAPS];
    for (int t = 0; t < TAPS; ++t)
        weights[t] = b_spline((float(begin + t) - centre) / STEP.x) / STEP.x;
    for (int y = thread / ACROSS; y < TILE_Y; y += 256 / ACROSS) {
        ivec2 p = origin + ivec2(x, y) + MARGIN;
        if (x >= TILE_X || any(greaterThanEqual(p, SMALL_SIZE)))
            continue;
        vec3 sum = vec3(0.0);
        for (int t = 0; t < TAPS; ++t)
            sum += weights[t] * s_sums[y * PITCH + taps[t % RATIO] + t / RATIO];
#if WIDE
        imageStore(i_small, p, vec4(sum, 0.0));
#else
        imageStore(i_small, p, uvec4(pack_halves(sum.rg), pack_halves(vec2(sum.b, 0.0)), 0u, 0u));
#endif
    }
}
