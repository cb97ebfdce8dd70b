// bloom/down.comp - T, what blooms of the frame, to a smaller image by cubic B-splines
//
//        frame      . . . . . . . . . . . .     a texel of the smaller image is the mean of four
//        smaller      |   o   |   o   |   o     of its own steps, weighted by a cubic B-spline:
//                   \___weights of o___/        4 RATIO_X by 4 RATIO_Y texels of the frame
//
//   in        i_src    the frame, any format; 0 around it
//             u_step   texels of the frame for one of the smaller image: RATIO_X, RATIO_Y,
//                      or with VARIES from half of that on
//             u_small  size of the smaller image; texels of it that lie before the frame
//   out       i_small  RGBA16F as RG32UI; with WIDE RGBA32F
//             b_info   while u_src_mode.z, scrub, is on: adds the number of non-finite texels
//   host sets RATIO_X, RATIO_Y  2 or 4
//             VARIES   0; 1 = steps may be other than the ratios
//             the defines of bloom/small.glsl; FILTERABLE 1
//   dispatch  ceil(size of the smaller image / (60, 8)); with RATIO_X 4 / (28, 8); one layer
//   shared    13.5 KB; with VARIES 16.3 KB, or 17.1 KB where RATIO_Y is 4
//   cost      reads each texel of the frame 1.6 to 1.7 times; some 60 instructions a texel
//   limits    registers: 80 VGPRs, 6 waves a SIMD on RDNA 2; 84, 3 on GCN 5, where 18 KiB of shared
//             memory allow no more either (docs/gpus.md). RATIO_X 4: 128 VGPRs, 4 and 2 waves
//   how       a thread has a column of the frame, and every second row of the tile's. It adds each
//             texel to rows of the smaller image in registers: no texel goes through shared memory,
//             and the loads of a batch are under way at once. Without VARIES the rows that a texel
//             reaches move down with it, and the weights repeat; else a table has eight weights for
//             each row of the frame. The sums of a column's two threads are added in shared memory;
//             then each row is filtered along x
//   source    docs/bloom.md; M. Unser 1999, "Splines: a perfect fit for signal and image
//             processing"
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(RATIO_X) || !defined(RATIO_Y) || !defined(VARIES)
#error "RATIO_X, RATIO_Y (2 or 4) and VARIES (0 or 1) must be set by the host"
#endif
#include "common/info.glsl"
#include "bloom/small.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;

const int TILE_X = RATIO_X == 2 ? 60 : 28, TILE_Y = 8; // of the smaller image
// A group reads 128 columns of the frame, two threads each: at least (TILE_X + 3) RATIO_X + 1.
const int BATCHES = RATIO_Y / 2;
const int LOADS = RATIO_Y == 4 && VARIES == 0 ? 11 : 12; // of a thread at a time
// Of the frame: at least (TILE_Y + 3) RATIO_Y + 1, or (TILE_Y + 3) 4 where steps are 4
const int ROWS = 2 * LOADS * BATCHES;
const int TAPS = 4 * RATIO_X;              // texels of the frame that a B-spline covers
const int ACROSS = RATIO_X == 2 ? 64 : 32; // threads along x of the rows' sums

#if VARIES
shared vec4 s_weights[2 * ROWS];         // of a row of the frame in the tile's eight rows
shared vec4 s_across[TAPS / 4 * ACROSS]; // of a column's taps
#endif

// The smaller image's rows at the frame's columns. Those that are RATIO_X apart lie side by side,
// and the lengths keep a subgroup's 16 columns of two rows, four apart, in banks of their own.
const int PLANE = RATIO_X == 2 ? 72 : 36, PITCH = 140;
shared vec3 s_sums[TILE_Y * PITCH + 3]; // threads beyond TILE_X read 3 more, and store nothing

int place_of(int column)
{
    return column % RATIO_X * PLANE + column / RATIO_X;
}

// Where the centre of a texel of the smaller image lies in the frame.
float centre_of(int m, float texels)
{
    return (float(m) + 0.5) * texels - 0.5;
}

// Of a thread. g_sums: rows of the smaller image. Without VARIES g_a .. g_d are the four rows that
// texels still reach, the upper one first, and g_weights are those of a texel in its rows. g_bad:
// the number of non-finite texels.
vec3 g_sums[TILE_Y], g_a = vec3(0.0), g_b = vec3(0.0), g_c = vec3(0.0), g_d = vec3(0.0);
float g_weights[8];
uint g_bad = 0u;

// Adds the texels of a batch.
void add_batch(int batch, ivec2 corner, ivec2 place, ivec4 own, bool at_edge)
{
    ivec2 last = u_src_rect.zw - 1, start = corner + place + ivec2(0, 2 * batch * LOADS);
    int x = clamp(start.x, 0, last.x);
    TEXEL texels[LOADS];
    uint suspects = 0u;
    for (int k = 0; k < LOADS; ++k)
        texels[k] = load_unseen(ivec2(x, clamp(start.y + 2 * k, 0, last.y)), suspects);
    // Few tiles have texels that are not finite or not of the frame.
    if ((suspects & SUSPECT) != 0u || at_edge)
        for (int k = 0; k < LOADS; ++k) {
            ivec2 p = start + ivec2(0, 2 * k);
            bool inside = all(equal(p, clamp(p, ivec2(0), last)));
            uint is_bad = suspects >> LOADS - 1 - k & 1u;
#if SRC_IS_RGBA16F
            texels[k] = firewall(texels[k], SCRUBS, is_bad);
#endif
            texels[k] = masked(texels[k], inside);
            bool is_own = all(greaterThanEqual(p, own.xy)) && all(lessThan(p, own.zw));
            g_bad += is_bad * uint(is_own && inside);
        }
    if (FILTERS) // one branch for all
        for (int k = 0; k < LOADS; ++k)
            texels[k] = what_blooms(texels[k]);
#if VARIES
    if (batch == 0)
        sync_shared();
    for (int k = 0; k < LOADS; ++k) {
        vec3 light = colour(texels[k]).rgb;
        int row = 2 * (batch * LOADS + k) + place.y;
        vec4 upper = s_weights[2 * row], lower = s_weights[2 * row + 1];
        g_sums[0] += upper.x * light;
        g_sums[1] += upper.y * light;
        g_sums[2] += upper.z * light;
        g_sums[3] += upper.w * light;
        g_sums[4] += lower.x * light;
        g_sums[5] += lower.y * light;
        g_sums[6] += lower.z * light;
        g_sums[7] += lower.w * light;
    }
#elif RATIO_Y == 2
    // Texel k of a thread reaches the rows k - 4 to k, one of them with a weight of 0.
    for (int k = 0; k < LOADS; ++k) {
        vec3 light = colour(texels[k]).rgb;
        g_a += g_weights[0] * light;
        if (k >= 4)
            g_sums[k - 4] = g_a;
        g_a = g_b + g_weights[1] * light;
        g_b = g_c + g_weights[2] * light;
        g_c = g_d + g_weights[3] * light;
        g_d = g_weights[4] * light;
    }
#else
    // Texels 2 j and 2 j + 1 reach the rows j - 3 to j.
    for (int k = 0; k < LOADS; ++k) {
        int visit = batch * LOADS + k;
        vec3 light = colour(texels[k]).rgb;
        g_a += g_weights[visit % 2 * 4] * light;
        g_b += g_weights[visit % 2 * 4 + 1] * light;
        g_c += g_weights[visit % 2 * 4 + 2] * light;
        g_d += g_weights[visit % 2 * 4 + 3] * light;
        if (visit % 2 == 1) {
            if (visit >= 6)
                g_sums[visit / 2 - 3] = g_a;
            g_a = g_b;
            g_b = g_c;
            g_c = g_d;
            g_d = vec3(0.0);
        }
    }
#endif
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
    bool at_edge = any(lessThan(first, ivec2(0))) ||
                   any(greaterThan(first + ivec2(128, ROWS), u_src_rect.zw));

#if !VARIES
    // Along an axis `first` is 2 origin - 4, or 4 origin - 6
    for (int i = 0; i < 8; ++i) {
        float at = RATIO_Y == 2 ? 1.75 - float(i) : 1.125 + 0.5 * float(i / 4) - float(i % 4);
        g_weights[i] = b_spline(at + float(place.y) / float(RATIO_Y)) / float(RATIO_Y);
    }
#else
    for (int i = thread; i < 2 * ROWS; i += 256) {
        int m = origin.y + i % 2 * 4;
        vec4 at = (vec4(first.y + i / 2) - (vec4(m, m + 1, m + 2, m + 3) + 0.5) * STEP.y + 0.5) /
                  STEP.y;
        s_weights[i] =
            vec4(b_spline(at.x), b_spline(at.y), b_spline(at.z), b_spline(at.w)) / STEP.y;
    }
    for (int i = thread; i < TAPS / 4 * ACROSS; i += 256) {
        float centre = centre_of(origin.x + i % ACROSS, STEP.x);
        vec4 at = (ceil(centre - 2.0 * STEP.x) + float(i / ACROSS * 4) + vec4(0, 1, 2, 3) - centre)
                  / STEP.x;
        s_across[i] =
            vec4(b_spline(at.x), b_spline(at.y), b_spline(at.z), b_spline(at.w)) / STEP.x;
    }
#endif
    for (int o = 0; o < TILE_Y; ++o)
        g_sums[o] = vec3(0.0);
    add_batch(0, first, place, own, at_edge);
    if (BATCHES == 2)
        add_batch(1, first, place, own, at_edge);
    if (SCRUBS != 0)
        count_bad(g_bad);
    // Each of the two threads of a column gives four rows to the other, and adds the other four.
    bvec3 odd = bvec3(place.y == 1);
    int column = place_of(place.x);
    for (int o = 0; o < 4; ++o)
        s_sums[(o + 4 - 4 * place.y) * PITCH + column] = mix(g_sums[o + 4], g_sums[o], odd);
    sync_shared();
    for (int o = 0; o < 4; ++o)
        s_sums[(o + 4 * place.y) * PITCH + column] += mix(g_sums[o], g_sums[o + 4], odd);
    sync_shared();

    int x = thread % ACROSS, y = thread / ACROSS;
    int taps[RATIO_X]; // where those of each plane begin
    float weights[TAPS];
#if !VARIES
    for (int t = 0; t < RATIO_X; ++t)
        taps[t] = RATIO_X == 2 ? place_of(t + 1) + x : place_of(t) + x;
    for (int t = 0; t < TAPS; ++t)
        weights[t] = b_spline((float(t) + 0.5) / float(RATIO_X) - 2.0) / float(RATIO_X);
#else
    int begin = int(ceil(centre_of(origin.x + x, STEP.x) - 2.0 * STEP.x));
    for (int t = 0; t < RATIO_X; ++t)
        taps[t] = place_of(begin - first.x + t);
    for (int t = 0; t < TAPS / 4; ++t) {
        vec4 four = s_across[t * ACROSS + x];
        weights[4 * t] = four.x;
        weights[4 * t + 1] = four.y;
        weights[4 * t + 2] = four.z;
        weights[4 * t + 3] = four.w;
    }
#endif
    for (int turn = 0; turn < TILE_Y * ACROSS / 256; ++turn) {
        int row = y + turn * (256 / ACROSS);
        ivec2 p = origin + ivec2(x, row) + MARGIN;
        vec3 sum = vec3(0.0);
        for (int t = 0; t < TAPS; ++t)
            sum += weights[t] * s_sums[row * PITCH + taps[t % RATIO_X] + t / RATIO_X];
        if (x < TILE_X && all(lessThan(p, SMALL_SIZE)))
            imageStore(i_small, p, texel_of(pack_light(sum)));
    }
}
