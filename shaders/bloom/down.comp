// bloom/down.comp - T, what blooms of the frame, to images of a half and a quarter of its size
//
//        frame      . . . . . . . . . . . .     a texel of the half is the mean of 8 x 8 texels of the
//        half         |   o   |   o   |   o     frame, weighted by a cubic B-spline; one of the
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
//   shared    12.4 KB
//   cost      reads each texel of the frame 1.15 times along x, and 12 rows more along y
//   limits    registers: docs/gpus.md
//   how       a group goes down 128 columns of the frame, eight rows at a time. A thread has a
//             column and every second row. It adds each texel to the rows of the half that it
//             reaches, in registers: no texel goes through shared memory, and the loads of the next
//             rows are under way meanwhile. The sums of a column's two threads are added in shared
//             memory; then each row is filtered along x. A quarter's row needs five of the half, of
//             which shared memory keeps eight
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

layout(local_size_x = 256) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_HALF) writeonly uniform SMALL_IMAGE i_half;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;
#define ROWS u_half.z

const int LOADS = 4;                   // of a thread at a time: eight rows of the frame
const int BATCH = 4;                   // rows of the half that they complete
const int ACROSS = 60;                 // columns of the half, of 128 of the frame
const int EDGE_X = QUARTER != 0 ? 2 : 0; // of the half, on either side, that other groups write
const int EDGE_Y = QUARTER == 1 ? 2 : 0;
const int STRIP = ACROSS - 2 * EDGE_X, QUARTERS = STRIP / 2;

// The half's rows at the frame's columns: even ones, then odd ones, so that neighbours of the half
// read neighbours. The lengths keep a subgroup's 16 columns of two rows, two apart, in banks of
// their own.
const int PLANE = 72, PITCH = 140;
shared vec3 s_sums[BATCH * PITCH + 8]; // threads beyond ACROSS read 8 more, and store nothing
shared vec3 s_half[BATCH * 64];
shared vec3 s_quarter[2 * BATCH * QUARTERS + 1];
#if VARIES
shared vec4 s_weights[2 * 2 * LOADS]; // of a row of the frame in eight rows of the half
#endif

int place_of(int column)
{
    return column % 2 * PLANE + column / 2;
}

// Of a thread: sums of the rows that texels still reach, the upper one first, and those completed.
vec3 g_a = vec3(0.0), g_b = vec3(0.0), g_c = vec3(0.0), g_d = vec3(0.0), g_sums[BATCH];
float g_weights[5]; // of a texel in these rows, without VARIES
uint g_bad = 0u;    // number of non-finite texels

// The frame's row where a batch begins; `row`: the first one of the half that it completes.
int first_row(int row)
{
#if VARIES
    return int(ceil((float(row) + 1.5) * STEP.y - 0.5));
#else
    return 2 * row + 4;
#endif
}

void load_batch(ivec2 start, out TEXEL texels[LOADS], out uint suspects)
{
    ivec2 last = u_src_rect.zw - 1;
    suspects = 0u;
    for (int k = 0; k < LOADS; ++k)
        texels[k] = load_unseen(clamp(start + ivec2(0, 2 * k), ivec2(0), last), suspects);
}

// Makes T of them. Few tiles have texels that are not finite or not of the frame.
void clean_batch(ivec2 start, ivec4 own, bool at_edge, inout TEXEL texels[LOADS], uint suspects)
{
    ivec2 last = u_src_rect.zw - 1;
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
}

// Adds them, and completes four rows of the half.
void add_batch(TEXEL texels[LOADS], int odd)
{
#if VARIES
    vec3 e = vec3(0.0), f = e, g = e;
    for (int k = 0; k < LOADS; ++k) {
        vec3 light = colour(texels[k]).rgb;
        vec4 upper = s_weights[2 * (2 * k + odd)], lower = s_weights[2 * (2 * k + odd) + 1];
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
    for (int k = 0; k < LOADS; ++k) { // each reaches five rows, one of them with a weight of 0
        vec3 light = colour(texels[k]).rgb;
        g_sums[k] = g_a + g_weights[0] * light;
        g_a = g_b + g_weights[1] * light;
        g_b = g_c + g_weights[2] * light;
        g_c = g_d + g_weights[3] * light;
        g_d = g_weights[4] * light;
    }
#endif
}

// Each of the two threads of a column gives two rows to the other, and adds the other two.
void exchange(ivec2 place)
{
    bvec3 odd = bvec3(place.y == 1);
    int column = place_of(place.x);
    for (int o = 0; o < 2; ++o)
        s_sums[(o + 2 - 2 * place.y) * PITCH + column] = mix(g_sums[o + 2], g_sums[o], odd);
    sync_shared();
    for (int o = 0; o < 2; ++o)
        s_sums[(o + 2 * place.y) * PITCH + column] += mix(g_sums[o], g_sums[o + 2], odd);
    sync_shared();
}

// A texel of the quarter along x, of a row of the half in shared memory.
vec3 quarter_of(int at)
{
    return (s_half[at] + s_half[at + 4] + 4.0 * (s_half[at + 1] + s_half[at + 3]) +
            6.0 * s_half[at + 2]) / 16.0;
}

// The quarter's rows that a batch completes. `corner`: its first texel of the group.
void make_quarter(int thread, int batch, ivec2 corner)
{
    int x = thread % QUARTERS, y = thread / QUARTERS;
    sync_shared();
#if QUARTER == 1
    if (y < BATCH)
        s_quarter[(batch & 1) * BATCH * QUARTERS + y * QUARTERS + x] = quarter_of(y * 64 + 2 * x);
    sync_shared();
    ivec2 p = corner + ivec2(x, 2 * batch - 2 + y);
    if (batch == 0 || y >= 2 || any(greaterThanEqual(p, u_small.xy)))
        return;
    vec3 rows[5];
    for (int i = 0; i < 5; ++i) {
        int row = (batch + 1) * BATCH + 2 * y + i & 2 * BATCH - 1;
        rows[i] = s_quarter[row * QUARTERS + x];
    }
    vec3 sum = (rows[0] + rows[4] + 4.0 * (rows[1] + rows[3]) + 6.0 * rows[2]) / 16.0;
    imageStore(i_small, p, texel_of(pack_light(sum)));
#elif QUARTER == 2
    ivec2 p = corner + ivec2(x, batch * BATCH + y);
    if (y < BATCH && all(lessThan(p, u_small.xy)))
        imageStore(i_small, p, texel_of(pack_light(quarter_of(y * 64 + 2 * x))));
#endif
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 group = ivec2(gl_WorkGroupID.xy), place = ivec2(thread / 32 * 16 + thread % 16,
                                                          thread / 16 % 2);
    // The half's first texel, of which `edge` others are the first that the group writes.
    ivec2 edge = ivec2(EDGE_X, EDGE_Y), size = ivec2(STRIP, ROWS);
    ivec2 half_first = group * size - 2 * edge, origin = half_first - MARGIN;
    // The frame's first column is even, so that a subgroup's texels are whole sectors of a texture.
    int left = int(ceil((float(origin.x) + 0.5) * STEP.x - 0.5 - 2.0 * STEP.x)) & ~1;
    ivec4 own = ivec4(floor(vec4(origin + edge, origin + edge + size) * u_step.xyxy));
    int batches = ROWS / BATCH + EDGE_Y / 2;

    // Columns of the half: what a thread reads of the frame's, and its weights.
    int x = thread % 64, y = thread / 64;
    float centre = (float(origin.x + x) + 0.5) * STEP.x - 0.5, weights[8];
    int begin = int(ceil(centre - 2.0 * STEP.x)) - left;
    ivec2 taps = ivec2(place_of(begin), place_of(begin + 1));
    for (int t = 0; t < 8; ++t) {
#if VARIES
        weights[t] = b_spline((float(left + begin + t) - centre) / STEP.x) / STEP.x;
#else
        weights[t] = b_spline((float(t) + 0.5) / 2.0 - 2.0) / 2.0;
#endif
    }
    for (int i = 0; i < 5; ++i)
        g_weights[i] = b_spline(1.75 - float(i) + 0.5 * float(place.y)) / 2.0;

    TEXEL texels[LOADS];
    uint suspects;
    ivec2 start = ivec2(left + place.x, first_row(origin.y - BATCH) + place.y);
    load_batch(start, texels, suspects);
    for (int batch = -1; batch < batches; ++batch) {
        bool at_edge = left < 0 || left + 128 > u_src_rect.z || start.y < 1 ||
                       start.y + 2 * LOADS > u_src_rect.w;
        clean_batch(start, own, at_edge, texels, suspects);
#if VARIES
        int row = origin.y + batch * BATCH, top = first_row(row), bottom = first_row(row + BATCH);
        if (thread < 4 * LOADS) {
            float at = (float(top + thread / 2) + 0.5) / STEP.y - 0.5 - float(row + thread % 2 * 4);
            vec4 four = vec4(b_spline(at), b_spline(at - 1.0), b_spline(at - 2.0),
                             b_spline(at - 3.0)) / STEP.y;
            s_weights[thread] = top + thread / 2 < bottom ? four : vec4(0.0);
        }
        sync_shared();
#endif
        add_batch(texels, place.y);
        start.y = first_row(origin.y + (batch + 1) * BATCH) + place.y;
        load_batch(start, texels, suspects);
        if (batch < 0)
            continue;
        exchange(place);
        vec3 sum = vec3(0.0);
        for (int t = 0; t < 8; ++t)
            sum += weights[t] * s_sums[y * PITCH + taps[t % 2] + t / 2];
        if (QUARTER != 0)
            s_half[thread] = sum;
        ivec2 here = ivec2(x, batch * BATCH + y) - edge, p = half_first + edge + here;
        if (KEEPS_HALF != 0 && all(greaterThanEqual(here, ivec2(0))) &&
            all(lessThan(here, size)) && all(greaterThanEqual(p, ivec2(0))) &&
            all(lessThan(p, u_half.xy)))
            imageStore(i_half, p, texel_of(pack_light(sum)));
        if (QUARTER != 0)
            make_quarter(thread, batch, (half_first + 2 * edge) / ivec2(2, QUARTER == 1 ? 2 : 1));
        else
            sync_shared();
    }
    if (SCRUBS != 0)
        count_bad(g_bad);
}
