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
//   dispatch  ceil(size of the smaller image / (32, 16)); with RATIO 4 / (16, 16); one layer
//   shared    9.9 KB; with RATIO 4 9.0 KB
//   cost      reads each texel of the frame once, and 0.4 to 0.6 times again for the tiles' edges;
//             some 40 instructions a texel
//   how       a group goes down its part of the frame, eight rows at a time: rows of the frame to
//             shared memory, those to rows of the smaller image, and these are added to the texels
//             that each thread has in its registers. The next rows are loaded meanwhile
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

const int TILE_X = RATIO == 2 ? 32 : 16, TILE_Y = 16; // of the smaller image
const int TAPS = 4 * RATIO;                           // texels of the frame that a B-spline covers
const int ROWS = 8;                                   // of the frame, at a time
const int COLUMNS = (TILE_X - 1) * RATIO + TAPS + 1;
const int CHUNKS = ((TILE_Y - 1) * RATIO + TAPS + ROWS) / ROWS;
const int LOADS = (COLUMNS + 31) / 32;   // of a thread
const int OUTPUTS = TILE_X * TILE_Y / 256; // of a thread
const int OUT_STEP = 256 / TILE_X;       // rows between them

shared vec3 s_frame[ROWS * COLUMNS], s_rows[ROWS * TILE_X];

// Where the centre of a texel of the smaller image lies in the frame.
vec2 centre_of(ivec2 m)
{
    return (vec2(m) + 0.5) * STEP - 0.5;
}

// A warp loads 16 x 2 texels at a time: whole sectors of a texture.
ivec2 load_place(int thread, int k)
{
    return ivec2(thread / 32 % 2 * 16 + thread % 16 + 32 * k, thread / 64 * 2 + thread / 16 % 2);
}

// Eight rows from `first` on. The group counts those texels of `own` (begin, end) that are not
// finite.
void load_rows(int thread, ivec2 first, ivec4 own, out TEXEL texels[LOADS], inout uint bad)
{
    for (int k = 0; k < LOADS; ++k) {
        ivec2 p = first + load_place(thread, k);
        ivec2 inside = clamp(p, ivec2(0), u_src_rect.zw - 1);
        uint is_bad;
        texels[k] = masked(load_texel(inside, is_bad), inside == p);
        bool is_own = all(greaterThanEqual(p, own.xy)) && all(lessThan(p, own.zw));
        bad += is_bad * uint(is_own && inside == p && load_place(thread, k).x < COLUMNS);
    }
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 origin = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_X, TILE_Y) - MARGIN;
    ivec2 first = ivec2(ceil(centre_of(origin) - 2.0 * STEP));
    ivec4 own = ivec4(floor(vec4(origin, origin + ivec2(TILE_X, TILE_Y)) * u_step.xyxy));

    // Along x the thread always has the same texel, and the same weights.
    ivec2 m = origin + ivec2(thread % TILE_X, thread / TILE_X);
    vec2 centre = centre_of(m);
    int begin = int(ceil(centre.x - 2.0 * STEP.x));
    float weights[TAPS];
    for (int t = 0; t < TAPS; ++t)
        weights[t] = b_spline((float(begin + t) - centre.x) / STEP.x) / STEP.x;

    vec3 sums[OUTPUTS];
    for (int o = 0; o < OUTPUTS; ++o)
        sums[o] = vec3(0.0);
    uint bad = 0u;
    TEXEL texels[LOADS];
    load_rows(thread, first, own, texels, bad);
    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
        for (int k = 0; k < LOADS; ++k) {
            ivec2 p = load_place(thread, k);
            vec3 light = colour(texels[k]).rgb;
            if (FILTERS)
                light = bloom_filter(light);
            if (p.x < COLUMNS)
                s_frame[p.y * COLUMNS + p.x] = light;
        }
        if (chunk + 1 < CHUNKS)
            load_rows(thread, first + ivec2(0, (chunk + 1) * ROWS), own, texels, bad);
        sync_shared(); // also: the former rows have been added
        if (thread < ROWS * TILE_X) {
            vec3 row = vec3(0.0);
            int place = thread / TILE_X * COLUMNS + begin - first.x;
            for (int t = 0; t < TAPS; ++t)
                row += weights[t] * s_frame[place + t];
            s_rows[thread] = row;
        }
        sync_shared();
        for (int o = 0; o < OUTPUTS; ++o) {
            float from = float(first.y + chunk * ROWS) -
                         ((float(m.y + o * OUT_STEP) + 0.5) * STEP.y - 0.5);
            if (from < 2.0 * STEP.y && from + float(ROWS - 1) > -2.0 * STEP.y)
                for (int r = 0; r < ROWS; ++r)
                    sums[o] += b_spline((from + float(r)) / STEP.y) / STEP.y *
                               s_rows[r * TILE_X + thread % TILE_X];
        }
    }
    if (SCRUBS != 0)
        count_bad(bad);
    for (int o = 0; o < OUTPUTS; ++o) {
        ivec2 p = m + ivec2(0, o * OUT_STEP) + MARGIN;
        if (any(greaterThanEqual(p, SMALL_SIZE)))
            continue;
#if WIDE
        imageStore(i_small, p, vec4(sums[o], 0.0));
#else
        imageStore(i_small, p,
                   uvec4(pack_halves(sums[o].rg), pack_halves(vec2(sums[o].b, 0.0)), 0u, 0u));
#endif
    }
}
