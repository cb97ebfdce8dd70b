// downsample/columns.comp - medium ratios: threads sum down columns, shared memory sums across
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0           the target
//   host sets TARGETS (1), and the defines of downsample/sum.glsl
//   how       a group owns a few outputs of one to four rows. Its 8 x 32 threads take 64 columns of
//             the source, so that 32 threads load blocks of 8 x 4 texels, which are whole sectors:
//
//              subgroup 0  subgroup 1  ...  subgroup 7
//                |8 columns |8 columns | .. |8 columns |    row 0 of the threads' four
//                | ...                                 |    rows 1, 2, 3
//
//             u_tile.y (1, 2 or 4) says how many of the four rows of threads share a row of
//             outputs: of 4, each takes every fourth row of texels. Then u_tile.z lanes share an
//             output: each adds up some of its columns, and one adds up the lanes. Cells of more
//             than 64 columns are taken 64 at a time, in u_tile.w turns
//   dispatch  a group of 256 threads for u_tile.x outputs, 4 / u_tile.y rows of them
//   cost      each texel read from memory once; those on an edge of two cells loaded once for each
//   exact     downsample/sum.glsl; four texels of a column are added first. Sums of lanes have a
//             fixed order
//   source    the column sums of the document that docs/downsample.md, section 5, compares with
//             (ladder/downsample/register_columns.comp has them to the letter)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "downsample/lanes.glsl"
#include "downsample/sum.glsl"
#include "downsample/targets.glsl"

layout(local_size_x = 256) in;

// s_hi has 64 sums of columns for each of the four rows, then the sums of lanes.

// The sum of texels of a column, `step` rows apart, weighed by those rows.
Parts sum_column(Axis ay, Cell cell, int x, int y, int end, int step)
{
    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (; y < end; y += 4 * step) {
        Parts four = Parts(0.0);
        for (int k = 0; k < 4; ++k) { // those beyond the cell weigh 0
            vec4 c = load_number(ivec2(x, min(y + k * step, end - 1)));
            four += weight_of(ay, cell, y + k * step) * parts_of(c);
        }
        add_to(hi, lo, four);
    }
    return hi + lo;
}

// The same where a texel is not finite, which is rare: such texels are 0, and the cell that they
// begin in counts them.
Parts sum_clean_column(Axis ay, Cell cell, int x, int y, int end, int step, bool counts,
    inout uint bad_texels)
{
    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (; y < end; y += step) {
        vec4 c = load_clean(ivec2(x, y), counts && begins_in(cell, y), bad_texels);
        add_product(hi, lo, parts_of(c), weight_of(ay, cell, y));
    }
    return hi + lo;
}

void main()
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    int thread = int(gl_LocalInvocationIndex), lane = thread & 31;
    // outputs of a group, rows that share one, lanes of one, runs of 64 columns
    int outputs = u_tile.x, sharing = u_tile.y, lanes = u_tile.z, last_run = u_tile.w - 1;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(outputs, 4 / sharing), last = u_dst0.zw - 1;

    // 1. As a summer of columns: which one of 64, and which of four rows.
    int column = 8 * (thread >> 5) + (lane & 7), row = lane >> 3;
    Cell first_x = cell_of(ax, corner.x), cell_y = cell_of(ay, min(corner.y + row / sharing,
        last.y));
    int end_x = cell_end(ax, cell_of(ax, min(corner.x + outputs - 1, last.x))), end_y =
        cell_end(ay, cell_y);
    int first_y = cell_y.first + (row & (sharing - 1));
    bool counts = corner.y + row / sharing <= last.y;

    // 2. As a lane of an output: which, of how many.
    int place = thread / lanes, which = thread & (lanes - 1), row_of_four = place / outputs *
        sharing;
    ivec2 to = corner + ivec2(place % outputs, place / outputs);
    bool is_output = row_of_four < 4 && all(lessThanEqual(to, last));
    Cell cell_x = cell_of(ax, min(to.x, last.x));
    int to_x = cell_end(ax, cell_x);

    Parts hi = Parts(0.0), lo = Parts(0.0), few = Parts(0.0);
    int n = 0; // in few
    uint bad_texels = 0u;
    for (int run = 0; run <= last_run; ++run) {
        // 3. Down the columns. Threads beyond the last one take it again.
        int begin = first_x.first + AG_DOWN_RUN * run, x = begin + column;
        Parts sum = sum_column(ay, cell_y, min(x, end_x - 1), first_y, end_y, sharing);
        if (is_bad(plain_of(sum)))
            sum = sum_clean_column(ay, cell_y, min(x, end_x - 1), first_y, end_y, sharing,
                                   counts && x < end_x && begins_in(first_x, x), bad_texels);
        if (run > 0)
            sync_shared();
        STORE_PARTS(s_hi, row * AG_DOWN_RUN + column, AG_DOWN_LANES, sum)
        sync_shared();
        // 4. Across them, four sums at a time.
        int begin_x = max(cell_x.first, begin) + which;
        int stop_x = is_output ? min(to_x, begin + AG_DOWN_RUN) : 0;
        for (int i = begin_x; i < stop_x; i += lanes) {
            float kx = weight_of(ax, cell_x, i);
            for (int r = row_of_four; r < row_of_four + sharing; ++r) {
                Parts v = LOAD_PARTS(s_hi, r * AG_DOWN_RUN + i - begin, AG_DOWN_LANES);
                ADD_BY_FOURS(hi, lo, few, n, v, kx)
            }
        }
    }
    if (!EXACT_PRODUCTS)
        add_to(hi, lo, few);
    count_bad(bad_texels);

    // 5. Across the lanes of an output.
    sum_lanes(lanes, hi, lo);
    if (is_output && which == 0)
        imageStore(i_dst0, u_dst0.xy + to, stored(mean_of(hi, lo, u_scale0.xy)));
}
