// fft/kernel_rows.comp - R2C row pass of a kernel, its centre at place 0
//
//   in        i_src       the kernel, see fft/source.glsl
//             b_info      its factor and its centre weights, from kernel_sum.comp
//             u_kernel.y  the row of its centre; u_line says which column falls on which place
//   out       b_spectrum  see fft/spectrum.glsl; always in full storage
//   host sets the defines of fft/rows_store.glsl and fft/source.glsl; COMPACT is 0
//             CHANNELS    1 .. 4 are transformed, one after the other
//   dispatch  ceil(row pairs / LINES), of the kernel's rows; a group transforms LINES row pairs
//   cost      reads each texel once a channel; runs in prepare only
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef CHANNELS
#error "CHANNELS (1..4) must be set by the host"
#endif
#include "fft/interface.h"
#define COMPACT 0
#define CHANNEL_BUFFERS 4
#include "fft/rows_store.glsl"
#include "fft/source.glsl"
#include "common/border.glsl"
#include "common/info.glsl"

layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define CENTRE_ROW u_kernel.y

const int PLACES = ROUNDS(R0, MIRROR_FIRST) * R0; // points that a thread loads

// Channel c of the tap at (x, row), times the kernel's factor; 0 where there is none.
float tap(int x, bool inside, int row, int c, bool first_place)
{
    uint counted_before; // by kernel_sum.comp
    vec4 k = colour(load_source(ivec2(x, min(row, u_src_rect.w - 1)), counted_before)) *
             b_info.scale;
    // A large centre weight bypasses the FFT: the C2R row pass adds it times the source's texel.
    bool bypasses_fft = first_place && row == CENTRE_ROW && b_info.centre != vec4(0.0);
    // Selected by bits: an index that varies, and ?:, are branches on NVIDIA.
    uvec4 bits = floatBitsToUint(k) & -uvec4(equal(ivec4(c), ivec4(0, 1, 2, 3)));
    return uintBitsToFloat((bits.x | bits.y | bits.z | bits.w) &
                           -uint(inside && row < u_src_rect.w && !bypasses_fft));
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: a small program
        for (int batch = 0; batch < PLACES + NEVER; ++batch) { // nor is this: see rows_r2c.comp
            int place = int(BUTTERFLY(batch / R0, N / R0, MIRROR_FIRST)) + batch % R0 * (N / R0);
            for (int e = 0; e < PLACES - 1; ++e)
                v[e] = v[e + 1];
            int x = source_index(min(place, N - 1), u_line, u_line_more);
            v[PLACES - 1] = vec2(tap(max(x, 0), x >= 0, 2 * pair, c, place == 0),
                                 tap(max(x, 0), x >= 0, 2 * pair + 1, c, place == 0));
        }
        transform(line, thread);
        store_spectra(c, line, thread, pair, alive);
    }
}
