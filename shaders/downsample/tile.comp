// downsample/tile.comp - small ratios: a thread takes all texels of its outputs
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0           the target
//   host sets TAPS             most texels of a cell each way, 2 .. 5; 0 = any number, by loops
//             TARGETS (1), and the defines of downsample/sum.glsl
//   how       Neighbouring outputs share texels at the edges of their cells only, and those come
//             from the texture unit's cache: at a ratio of 3/2 an output's texels are 2.25 of
//             memory. TAPS is a constant, so that loads do not wait for each other. Of 2 and 4
//             texture units return 2 x 2 at once (common/gather.glsl)
//   dispatch  a group of 128 threads for 16 x 16 outputs, two a thread, 8 rows apart
//   cost      each texel read from memory once; TAPS^2 loads an output, or a gather for 2 x 2
//   exact     10-bit codes lose nothing (downsample/sum.glsl); of other formats a cell's few texels
//             take few roundings
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TAPS
#error "TAPS must be set by the host"
#endif
#include "downsample/sum.glsl"
#include "downsample/targets.glsl"

layout(local_size_x = AG_DOWN_TILE_WIDTH, local_size_y = AG_DOWN_TILE_ROWS) in;

// Gathers of an odd number, and of four floats, are slower (docs/decisions.md, D71).
#if BY_TEXTURE && (TAPS == 2 || TAPS == 4) && (SRC_PACKING != AG_PACKING_FLOATS || SRC_CHANNELS < 4)
#include "common/gather.glsl"

vec4 mean_of_cell(ivec2 to)
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    Cell cx = cell_of(ax, to.x), cy = cell_of(ay, to.y);
    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (int block = 0; block < TAPS / 2; ++block) { // of two rows
        gathered q[TAPS / 2];
        for (int i = 0; i < TAPS / 2; ++i)
            q[i] = gather(u_src_rect.xy + ivec2(cx.first, cy.first) + 2 * ivec2(i, block));
        for (int j = 0; j < 2; ++j) {
            float ky = weight_of(ay, cy, cy.first + 2 * block + j);
            Parts row = Parts(0.0);
            for (int i = 0; i < TAPS; ++i) {
                float kx = weight_of(ax, cx, cx.first + i);
                vec4 c = number_of(texel_of(q[i / 2], 2 * j + i % 2));
                if (COUNTS != 0) // infinity beyond the cell, which weighs 0, would make a NaN
                    c = mix(vec4(0.0), c, bvec4(kx * ky > 0.0));
                row += kx * parts_of(c);
            }
            add_few(hi, lo, row, ky);
        }
    }
    return mean_of(hi, lo, u_scale0.xy);
}

#else
#if TAPS
#define RUN TAPS
#define ROWS TAPS
#define COLUMNS TAPS
#else
#define RUN 4
#define ROWS (cell_end(ay, cy) - cy.first)
#define COLUMNS (cell_end(ax, cx) - cx.first)
#endif

vec4 mean_of_cell(ivec2 to)
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    Cell cx = cell_of(ax, to.x), cy = cell_of(ay, to.y);
    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (int j = 0; j < ROWS; ++j) {
        float ky = weight_of(ay, cy, cy.first + j);
        // Texels beyond the cell weigh 0, and are its first again.
        int y = cy.first + (ky > 0.0 ? j : 0);
        for (int i = 0; i < COLUMNS; i += RUN) {
            Parts row = Parts(0.0);
            for (int k = i; k < i + RUN; ++k) {
                float kx = weight_of(ax, cx, cx.first + k);
                vec4 c = load_number(ivec2(cx.first + (kx > 0.0 ? k : 0), y));
                row += kx * parts_of(c);
            }
            if (TAPS != 0)
                add_few(hi, lo, row, ky);
            else
                add_product(hi, lo, row, ky);
        }
    }
    return mean_of(hi, lo, u_scale0.xy);
}
#endif

// The same where a texel is not finite: such texels are 0, and the cell that they begin in counts
// them. It is rare, so loops are not unrolled.
vec4 clean_mean(ivec2 to, bool counts, inout uint bad_texels)
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    Cell cx = cell_of(ax, to.x), cy = cell_of(ay, to.y);
    int end_x = cell_end(ax, cx), end_y = cell_end(ay, cy);
    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (int y = cy.first; y < end_y; ++y)
        for (int x = cx.first; x < end_x; ++x) {
            bool mine = begins_in(cx, x) && begins_in(cy, y);
            vec4 c = load_clean(ivec2(x, y), counts && mine, bad_texels);
            float kx = weight_of(ax, cx, x), ky = weight_of(ay, cy, y);
            add_product(hi, lo, kx * parts_of(c), ky);
        }
    return mean_of(hi, lo, u_scale0.xy);
}

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(AG_DOWN_TILE_WIDTH, AG_DOWN_TILE_HEIGHT);
    ivec2 to = tile + ivec2(gl_LocalInvocationID.xy), below = to + ivec2(0, AG_DOWN_TILE_ROWS);
    ivec2 last = u_dst0.zw - 1;
    bool first_is = all(lessThanEqual(to, last)), second_is = all(lessThanEqual(below, last));
    vec4 first = mean_of_cell(min(to, last)), second = mean_of_cell(min(below, last));
    uint bad_texels = 0u;
    for (int n = 0; n < 2; ++n)
        if (is_bad(n == 0 ? first : second)) {
            vec4 c = clean_mean(min(n == 0 ? to : below, last), n == 0 ? first_is : second_is,
                bad_texels);
            first = n == 0 ? c : first;
            second = n == 0 ? second : c;
        }
    count_bad(bad_texels);
    if (first_is)
        imageStore(i_dst0, u_dst0.xy + to, stored(first));
    if (second_is)
        imageStore(i_dst0, u_dst0.xy + below, stored(second));
}
