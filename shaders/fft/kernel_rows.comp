// fft/kernel_rows.comp - rows of a kernel to half spectra, its centre at place 0 (R2C)
//
//   in        i_src       the kernel, see fft/source.glsl
//             b_info      its factor and its centre weights, from kernel_sum.comp
//             u_kernel.y  the row of its centre; u_line tells which column falls on which place
//   out       b_spectrum  see fft/rows_store.glsl, in full storage whatever the scene's is
//   host sets the defines of fft/line.glsl, fft/spectrum.glsl, fft/rows_store.glsl and fft/source.glsl
//             CHANNELS   1 .. 4 are transformed, one after the other
//   dispatch  ceil(pairs / LINES), pairs of the kernel's rows; a group transforms LINES of them
//   cost      reads each texel once a channel; runs in prepare only
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef CHANNELS
#error "CHANNELS (1..4) must be set by the host"
#endif
#include "fft/interface_kernel.h"
#include "fft/rows_store_full.glsl"
#include "fft/source.glsl"
#include "common/border.glsl"

layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define CENTRE_ROW u_kernel.y

const int PLACES = ROUNDS(R0, MIRROR_FIRST) * R0; // that a thread fills

// Channel c of the tap in a column, inside, of a row: times the kernel's factor, 0 where there is none.
float tap(int x, bool inside, int row, int c, bool first_place)
{
    uint counted_before; // by kernel_sum.comp
    vec4 k = colour(load_texel(ivec2(x, min(row, u_src_rect.w - 1)), counted_before)) * b_info.scale;
    // A sharp kernel's centre weight never passes through the FFT: rows_c2r adds it to the sharp texel.
    bool apart = first_place && row == CENTRE_ROW && b_info.centre != vec4(0.0);
    // By bits: an index that varies, and ?:, are branches on NVIDIA.
    uvec4 bits = floatBitsToUint(k) & -uvec4(equal(ivec4(c), ivec4(0, 1, 2, 3)));
    return uintBitsToFloat((bits.x | bits.y | bits.z | bits.w) & -uint(inside && row < u_src_rect.w && !apart));
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < PAIRS_OF_ROWS;
    pair = min(pair, PAIRS_OF_ROWS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: a small program
        for (int turn = 0; turn < PLACES + NEVER; ++turn) { // nor is this: see rows_r2c.glsl
            int place = int(BUTTERFLY(turn / R0, N / R0, MIRROR_FIRST)) + turn % R0 * (N / R0);
            for (int e = 0; e < PLACES - 1; ++e)
                v[e] = v[e + 1];
            int x = source_index(min(place, N - 1), u_line, u_line_more);
            v[PLACES - 1] = vec2(tap(max(x, 0), x >= 0, 2 * pair, c, place == 0),
                                 tap(max(x, 0), x >= 0, 2 * pair + 1, c, place == 0));
        }
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
        store_spectra(c, line, thread, pair, alive);
    }
}
