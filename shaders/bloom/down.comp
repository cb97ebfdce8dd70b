// bloom/down.comp - T, what blooms of the frame, to images of a half and a quarter of its size
//
//        frame      . . . . . . . . . . . .     a texel of the half is the mean of 8 x 8 texels of
//        half         |   o   |   o   |   o     the frame, weighted by a cubic B-spline; one of the
//        quarter          q       |       q     quarter of 5 x 5 of the half, by 1 4 6 4 1
//
//   in        i_src    the frame, any format; 0 around it
//             u_step   texels of the frame for one of the half: 2, or with VARIES from 1 on
//             u_half   size of the half; rows of it that a group makes, a multiple of 4
//             u_small  size of the quarter
//   out       i_half   with KEEPS_HALF: RGBA16F as RG32UI; with WIDE RGBA32F
//             i_small  with QUARTER: the same
//             b_info   while u_src_mode.z, scrub, is on: adds the number of non-finite texels
//   host sets QUARTER  0 = the half alone; 1 = the quarter, too; 2 = with all rows of the half
//             KEEPS_HALF  0 or 1
//             VARIES   0; 1 = steps may be other than 2
//             the defines of bloom/small.glsl; FILTERABLE 1
//   dispatch  ceil(width of the half / 60) or of the quarter / 28; ceil(rows of the half, or twice
//             those of the quarter, / rows of a group); one layer
//   shared    3.5 KB
//   cost      reads each texel of the frame 1.15 times along x, and 16 rows more along y
//   limits    registers: docs/gpus.md
//   how       a group goes down 128 columns of the frame, eight rows at a time; a thread has a
//             column. It adds each texel to the rows of the half that it reaches, and these to the
//             rows of the quarter, in registers: no texel goes through shared memory, and the loads
//             of the next rows are under way meanwhile. Rows that are complete are filtered along
//             x, those of the quarter at once by the B-spline of four texels, which is that of two
//             and 1 4 6 4 1 (docs/bloom.md)
//   source    docs/bloom.md; M. Unser 1999, "Splines: a perfect fit for signal and image
//             processing"
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(QUARTER) || !defined(KEEPS_HALF) || !defined(VARIES)
#error "QUARTER (0 to 2), KEEPS_HALF and VARIES (0 or 1) must be set by the host"
#endif
#include "common/info.glsl"
#include "bloom/small.glsl"
#include "common/sync.glsl"

const int THREADS = 128;
layout(local_size_x = 128) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_DST) writeonly uniform SMALL_IMAGE i_half;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;
#define ROWS u_half.z

const int BATCH = 4, LOADS = 2 * BATCH; // rows of the half, and of the frame, at a time
const int STRIP = QUARTER != 0 ? 56 : 60; // columns of the half, of 128 of the frame
const int BEFORE = QUARTER == 1 ? 4 : 0;  // rows of the half that the quarter needs before them

// Two rows at the frame's columns: even ones, then odd ones, so that neighbours of the half read
// neighbours. No more at a time: groups beside each other share what a multiprocessor has.
const int PLANE = 72, PITCH = 140;
shared vec3 s_rows[2 * PITCH + 8]; // threads beyond a strip read 8 more, and store nothing
#if VARIES
shared vec4 s_weights[2 * LOADS]; // of a row of the frame in eight rows of the half
#endif

// B(7/4), B(5/4), B(3/4), B(1/4), by 2: a texel at 2 m + 1/2 has those of the frame around it.
const float NEAR[4] = float[4](1.0 / 768.0, 27.0 / 768.0, 121.0 / 768.0, 235.0 / 768.0);

int place_of(int column)
{
    return column % 2 * PLANE + column / 2;
}

// Of a thread: sums of the rows that texels still reach, the upper one first, and those completed;
// the same of the quarter.
vec3 g_a = vec3(0.0), g_b = vec3(0.0), g_c = vec3(0.0), g_d = vec3(0.0), g_sums[BATCH];
vec3 g_upper = vec3(0.0), g_lower = vec3(0.0);
uint g_bad = 0u; // number of non-finite texels

// The frame's row where a batch begins; `row`: the first one of the half that it completes.
int first_row(int row)
{
#if VARIES
    return int(ceil((float(row) + 1.5) * u_step.y - 0.5));
#else
    return 2 * row + 4;
#endif
}

void load_batch(ivec2 start, out TEXEL texels[LOADS], inout uint suspects)
{
    ivec2 last = u_src_rect.zw - 1;
    for (int k = 0; k < LOADS; ++k)
        texels[k] = load_unseen(clamp(start + ivec2(0, k), ivec2(0), last), suspects);
}

// Makes T of them. Few tiles have texels that are not finite or not of the frame.
void clean_batch(ivec2 start, ivec4 own, bool at_edge, inout TEXEL texels[LOADS], uint suspects)
{
    ivec2 last = u_src_rect.zw - 1;
    for (int k = 0; k < LOADS; ++k)
        look_at(texels[k], suspects);
    if ((suspects & SUSPECT) != 0u || at_edge)
        for (int k = 0; k < LOADS; ++k) {
            ivec2 p = start + ivec2(0, k);
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
}

// Adds them, and completes four rows of the half.
void add_batch(TEXEL texels[LOADS])
{
#if VARIES
    vec3 e = vec3(0.0), f = e, g = e;
    for (int k = 0; k < LOADS; ++k) {
        vec3 light = colour(texels[k]).rgb;
        vec4 upper = s_weights[2 * k], lower = s_weights[2 * k + 1];
        g_a += upper.x * light;
        g_b += upper.y * light;
        g_c += upper.z * light;
        g_d += upper.w * light;
        e += lower.x * light;
        f += lower.y * light;
        g += lower.z * light;
    }
    g_sums[0] = g_a;
    g_sums[1] = g_b;
    g_sums[2] = g_c;
    g_sums[3] = g_d;
    g_a = e;
    g_b = f;
    g_c = g;
    g_d = vec3(0.0);
#else
    for (int k = 0; k < BATCH; ++k) {
        vec3 even = colour(texels[2 * k]).rgb, odd = colour(texels[2 * k + 1]).rgb;
        g_sums[k] = g_a + NEAR[0] * even;
        g_a = g_b + NEAR[2] * even + NEAR[1] * odd;
        g_b = g_c + NEAR[3] * even + NEAR[3] * odd;
        g_c = g_d + NEAR[1] * even + NEAR[2] * odd;
        g_d = NEAR[0] * odd;
    }
#endif
}

void keep_rows(int thread, vec3 upper, vec3 lower)
{
    sync_shared();
    s_rows[place_of(thread)] = upper;
    s_rows[PITCH + place_of(thread)] = lower;
    sync_shared();
}

#if KEEPS_HALF
// Two rows of the half, a texel a thread. `first`: that of the group. `left`: the frame's first
// column.
void make_half(int thread, int left, ivec2 first, int row)
{
    int x = thread % 64, y = thread / 64;
    float centre = (float(first.x + x - MARGIN) + 0.5) * u_step.x - 0.5;
    int begin = int(ceil(centre - 2.0 * u_step.x)) - left;
    ivec2 taps = y * PITCH + ivec2(place_of(begin), place_of(begin + 1));
    ivec2 p = first + ivec2(x, row + y);
    vec3 sum = vec3(0.0);
    for (int t = 0; t < 8; ++t) {
#if VARIES
        float weight = b_spline((float(left + begin + t) - centre) / u_step.x) / u_step.x;
#else
        float weight = NEAR[min(t, 7 - t)];
#endif
        sum += weight * s_rows[taps[t % 2] + t / 2];
    }
    if (x < STRIP && all(lessThan(p, u_half.xy)))
        imageStore(i_half, p, texel_of(pack_light(sum)));
}
#endif

#if QUARTER
// Two rows of the quarter by half of the threads.
void make_quarter(int thread, int left, ivec2 first, int row)
{
    // B((2 t - 15) / 8), by 4
    const float FAR[8] = float[8](1.0 / 12288.0, 27.0 / 12288.0, 125.0 / 12288.0,
                                  343.0 / 12288.0, 725.0 / 12288.0, 1223.0 / 12288.0,
                                  1697.0 / 12288.0, 2003.0 / 12288.0);
    int x = min(thread % 32, STRIP / 2 - 1), y = thread / 32;
    float centre = (2.0 * float(first.x + x - MARGIN) + 0.5) * u_step.x - 0.5;
    int begin = int(ceil(centre - 4.0 * u_step.x)) - left;
    ivec2 taps = y * PITCH + ivec2(place_of(begin), place_of(begin + 1));
    ivec2 p = first + ivec2(x, row + y);
    vec3 sum = vec3(0.0);
    if (y >= 2)
        return;
    for (int t = 0; t < 16; ++t) {
#if VARIES
        float weight = b_spline((float(left + begin + t) - centre) / (2.0 * u_step.x)) /
                       (2.0 * u_step.x);
#else
        float weight = FAR[min(t, 15 - t)];
#endif
        sum += weight * s_rows[taps[t % 2] + t / 2];
    }
    if (thread % 32 < STRIP / 2 && all(lessThan(p, u_small.xy)))
        imageStore(i_small, p, texel_of(pack_light(sum)));
}
#endif

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 group = ivec2(gl_WorkGroupID.xy), size = ivec2(STRIP, ROWS);
    ivec2 half_first = group * size, origin = half_first - MARGIN; // of the half; its place
    // The frame's first column.
    ivec2 quarter_first = half_first / ivec2(2, QUARTER == 1 ? 2 : 1);
    float quarter_x = (2.0 * float(quarter_first.x - MARGIN) + 0.5) * u_step.x - 0.5;
    float half_x = (float(origin.x) + 0.5) * u_step.x - 0.5;
    float reach = (QUARTER != 0 ? 4.0 : 2.0) * u_step.x;
    int left = int(ceil((QUARTER != 0 ? quarter_x : half_x) - reach)) & ~1;
    ivec4 own = ivec4(floor(vec4(origin, origin + size) * u_step.xyxy));
    bool at_side = left < 0 || left + THREADS > u_src_rect.z;

    TEXEL texels[LOADS];
    uint suspects = 0u;
    int half_row = origin.y - BEFORE - BATCH;
    ivec2 start = ivec2(left + thread, first_row(half_row));
    load_batch(start, texels, suspects);
    int batches = (BEFORE + ROWS) / BATCH;
    for (int batch = -1; batch < batches; ++batch) {
        bool at_edge = at_side || start.y < 0 || start.y + LOADS > u_src_rect.w;
        clean_batch(start, own, at_edge, texels, suspects);
#if VARIES
        if (thread < 2 * LOADS) {
            int row = start.y + thread / 2;
            float at = (float(row) + 0.5) / u_step.y - 0.5 - float(half_row + thread % 2 * 4);
            vec4 four = vec4(b_spline(at), b_spline(at - 1.0), b_spline(at - 2.0),
                             b_spline(at - 3.0)) / u_step.y;
            s_weights[thread] = row < first_row(half_row + BATCH) ? four : vec4(0.0);
        }
        sync_shared();
#endif
        add_batch(texels);
        half_row += BATCH;
        start.y = first_row(half_row);
        suspects = 0u;
        load_batch(start, texels, suspects);
        // Two rows of the quarter end with the first and the third of these.
        vec3 upper = (g_upper + g_sums[0]) / 16.0,
             lower = (g_lower + 6.0 * g_sums[0] + 4.0 * g_sums[1] + g_sums[2]) / 16.0;
        g_upper = g_sums[0] + 4.0 * g_sums[1] + 6.0 * g_sums[2] + 4.0 * g_sums[3];
        g_lower = g_sums[2] + 4.0 * g_sums[3];
        int row = batch * BATCH - BEFORE; // of those that the group makes
#if VARIES
        sync_shared();
#endif
        if (row < 0)
            continue;
#if KEEPS_HALF || QUARTER == 2
        keep_rows(thread, g_sums[0], g_sums[1]);
#if KEEPS_HALF
        make_half(thread, left, half_first, row);
#endif
#if QUARTER == 2
        make_quarter(thread, left, quarter_first, row);
#endif
        keep_rows(thread, g_sums[2], g_sums[3]);
#if KEEPS_HALF
        make_half(thread, left, half_first, row + 2);
#endif
#if QUARTER == 2
        make_quarter(thread, left, quarter_first, row + 2);
#endif
#endif
#if QUARTER == 1
        keep_rows(thread, upper, lower);
        make_quarter(thread, left, quarter_first, row / 2);
#endif
    }
    if (SCRUBS != 0)
        count_bad(g_bad);
}
