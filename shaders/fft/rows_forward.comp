// fft/rows_forward.comp - rows of the scene (or of the kernel) to half spectra, two rows at a time
//
//   in        i_src       the source; texels are filtered by bloom_filter when bloom asks for it
//   out       b_spectrum  per channel two planes, see spectrum_index in fft/line.glsl
//   host sets the defines of fft/line.glsl and common/load.glsl
//             BORDERED   1 = places map to texels by common/border.glsl, 0 = in order, then zeros
//             KERNEL     1 = src is a kernel: scaled by its factor, its centre left out
//   dispatch  ceil(pairs / LINES); a group transforms LINES pairs of rows, channel after channel
//   cost      reads each texel once, writes 8 bytes for every second frequency of every row and channel
//   source    two real rows in one complex transform: the row y as real part and the row
//             y + pair distance as imaginary part; columns.comp takes them apart, where both
//             frequencies that it needs are at hand. docs/convolve.md 3
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "fft/line.glsl"
#include "common/load.glsl"
#include "common/border.glsl"
#include "bloom/filter.glsl"

#if !defined(BORDERED) || !defined(KERNEL)
#error "BORDERED and KERNEL (0 or 1) must be set by the host"
#endif

layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;
layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // pairs, pair distance, tiles of columns
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = channel count
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum {
    vec2 at[];
} b_spectrum[4]; // one a channel
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // centre x, y

// The texel that fills a place of a row, 0 outside. Always loads, from inside: see load_texel.
HELD fetch(int place, int row, inout uint bad)
{
#if BORDERED
    int x = source_index(place, u_line, u_line_more);
#else
    int x = place < u_line.x ? place : -1;
#endif
    uint found = 0u;
    bool inside = x >= 0 && row >= 0;
    vec4 c = load_texel(max(ivec2(x, row), 0), found);
    // Borders repeat texels: only the texel itself is counted. A kernel's were by kernel_sum.comp.
    bad += KERNEL == 0 && inside && place < u_line.x ? found : 0u;
    return hold(mix(vec4(0.0), c, bvec4(inside)));
}

vec4 value(HELD texel, int place, int row)
{
    vec4 c = held(texel);
#if KERNEL
    // The centre's weight never passes through the FFT: rows_back adds it to the sharp texel.
    return place == 0 && row == u_kernel.y ? vec4(0.0) : c * b_info.scale;
#else
    return vec4(bloom_filter(c.rgb), c.a);
#endif
}

float component(vec4 c, int channel)
{
    return channel == 0 ? c.r : channel == 1 ? c.g : channel == 2 ? c.b : c.a;
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = pair < u_spectrum.x;
    int row0 = alive ? pair : -1, row1 = pair + u_spectrum.y;
    row1 = alive && row1 < u_src_rect.w ? row1 : -1;

    HELD texel0[ELEMENTS], texel1[ELEMENTS];
    uint bad = 0u;
    for (int i = 0; i < ROUNDS(R0); ++i)
        for (int k = 0; k < R0; ++k) {
            int b = int(thread) + i * THREADS, place = b + k * (N / R0);
            bool mine = (N / R0) % THREADS == 0 || b < N / R0;
            texel0[i * R0 + k] = fetch(place, mine ? row0 : -1, bad);
            texel1[i * R0 + k] = fetch(place, mine ? row1 : -1, bad);
        }
    count_bad(bad);

    for (int c = 0; c < u_channels.y; ++c) {
        for (int i = 0; i < ROUNDS(R0); ++i)
            for (int k = 0; k < R0; ++k) {
                int place = int(thread) + i * THREADS + k * (N / R0);
                v[i * R0 + k] = vec2(component(value(texel0[i * R0 + k], place, row0), c),
                                     component(value(texel1[i * R0 + k], place, row1), c));
            }

#define S0 R0
#define S1 R1
#define S2 R2
#define S3 R3
#define S4 R4
#define TABLE 0
#include "fft/transform.glsl"

        for (int i = 0; i < ROUNDS(LAST); ++i)
            for (int k = 0; k < LAST; ++k) {
                int b = int(thread) + i * THREADS, f = b + k * (N / LAST);
                if (alive && ((N / LAST) % THREADS == 0 || b < N / LAST)) {
                    int column = f < N / 2 ? f : (N - f) % (N / 2);
                    b_spectrum[c].at[spectrum_index(f < N / 2 ? 0 : 1, column, pair, u_spectrum.x, u_spectrum.z)] =
                        v[i * LAST + k];
                }
            }
    }
}
