// sat/reduce.glsl - sums of a thread's texels, for reduce_subgroups.comp and reduce_shared.comp
//
//   out       b_column_sums, b_row_sums   see sat/tile.glsl
//
//   A thread's texels are ACROSS columns and DOWN rows. Only these sums are exchanged:
//
//             t t t t     g_row[0]
//             t t t t     g_row[1]
//        g_column 0 1 2 3
//   host sets WIDE_SUMS   1 = SUM is a pair of floats or double
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef WIDE_SUMS
#error "WIDE_SUMS must be set by the host"
#endif
#include "common/info.glsl"
#include "sat/tile_texels.glsl"
#include "sat/values_uint.glsl"
#if WIDE_SUMS
#include "sat/wide.glsl"
#endif

layout(std430, binding = AG_SSBO_COLUMN_SUMS) writeonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) writeonly buffer RowSums { SUM b_row_sums[]; };

SUM g_column[PLANES * ACROSS], g_row[PLANES * DOWN];

#if CHANNELS == 1
vec4 unpack_clean(CLEAN k) { return vec4(k, 0.0, 0.0, 1.0); }
#elif PACKED_CODES
vec4 unpack_clean(CLEAN k) { return whole_of(k); }
#else
vec4 unpack_clean(CLEAN k) { return k; }
#endif

// The value in the sums of tiles. The offset is taken off these sums later.
SUM raw_value(vec4 c, const int plane)
{
    return number(c[plane % CHANNELS], false, 0.0, plane >= CHANNELS, SUM(0));
}

// Adds up the thread's own texels.
void add_texels(part_frame frame, ivec2 first)
{
    uint bad = scrub_tile(frame, first);
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
    for (int k = 0; k < PLANES * ACROSS; ++k)
        g_column[k] = SUM(0);
    for (int k = 0; k < PLANES * DOWN; ++k)
        g_row[k] = SUM(0);
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            bool inside = all(lessThan(first + READ_STEP(i, j), frame.size));
            // The same value as in the last step: unpacked codes may differ from read ones in the
            // last bit.
            vec4 c = unpack_clean(clean_texel(j * ACROSS + i));
            for (int p = 0; p < PLANES; ++p) {
                SUM v = raw_value(c, p);
                if (OFFSET == AG_TABLE_MEAN) // only the mean includes whole tiles at the edge
                    v = only(inside, v);
                g_column[p * ACROSS + i] = added(g_column[p * ACROSS + i], v);
                g_row[p * DOWN + j] = added(g_row[p * DOWN + j], v);
            }
        }
}
