// fft/kernel_band.comp - how far a kernel's spectrum reaches: a smooth kernel ends at a low frequency
//
//   in, out   b_kernel   a channel of the kernel's spectrum, without its centre weight, from columns.comp:
//                        columns in blocks of LINES, in a block frequency after frequency
//             b_info     centre, kept
//   scratch   b_most     [channel] the centre's part of every frequency; then, block after block, bits of the
//                        greatest component found in it
//   dispatch  step AG_BAND_MEASURE: blocks, for each channel; AG_BAND_DECIDE: 1; AG_BAND_CENTRE: blocks,
//             for each channel
//   cost      reads the spectrum once, and once more what is kept; runs in prepare only
//
// The centre's weight k0 adds a constant to the whole spectrum. Without it the sharp part of a kernel is
// exact (docs/convolve.md 5), with it the spectrum of a smooth one ends:
//
//      |K|  .                             beyond `kept` columns every |K| is below 2^-26 of the greatest:
//           ..                            no pass reads, transforms or writes them, and what is left out
//           ....  kept                    is 156 dB below the light that comes in (Parseval). Then the
//           .......|____________ f        centre goes through the FFT with the rest.
//
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "common/info.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;
layout(location = AG_LOC_BAND) uniform ivec4 u_band; // step; channel; blocks; columns a block
layout(location = AG_LOC_LINE_Y) uniform ivec4 u_line; // x = points a column, y = columns
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = channels of the kernel
layout(location = AG_LOC_SCALE) uniform vec4 u_scale; // x = a centre of weight 1 in the stored spectrum
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};
layout(std430, binding = AG_SSBO_SPECTRUM) buffer Most {
    uint b_most[];
};
shared uint s_most[256];

const float NOTHING = 1.0 / 67108864.0; // 2^-26
const int HEAD = 4;                     // of b_most, before the blocks

uint greatest(uint mine)
{
    uint thread = gl_LocalInvocationIndex;
    s_most[thread] = mine;
    for (uint half_size = 128u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_most[thread] = max(s_most[thread], s_most[thread + half_size]);
    }
    sync_shared();
    uint most = s_most[0];
    sync_shared(); // before the next use
    return most;
}

int block_start(int block)
{
    return block * u_band.w * u_line.x;
}

// The centre's part at element i of a block. Column 0 holds two real signals, frequencies 0 and n / 2, as
// real and imaginary part: the centre is in both.
vec2 centre_at(int block, int i, float centre)
{
    return vec2(centre, centre * float(block == 0 && i % u_band.w == 0));
}

void measure(int block)
{
    float centre = u_scale.x * b_info.centre[u_band.y];
    uint most = 0u;
    for (int i = int(gl_LocalInvocationIndex); i < u_band.w * u_line.x; i += 256) {
        vec2 k = b_kernel[block_start(block) + i] + centre_at(block, i, centre);
        uvec2 size = floatBitsToUint(k) & 0x7fffffffu; // ordered as the values are, NaN above all
        if (block * u_band.w + i % u_band.w < u_line.y)
            most = max(most, max(size.x, size.y));
    }
    most = greatest(most);
    if (gl_LocalInvocationIndex == 0u)
        b_most[HEAD + u_band.y * u_band.z + block] = most;
}

void decide()
{
    int thread = int(gl_LocalInvocationIndex), blocks = 0;
    for (int c = 0; c < u_channels.y; ++c) {
        int first = HEAD + c * u_band.z;
        uint most = 0u;
        for (int i = thread; i < u_band.z; i += 256)
            most = max(most, b_most[first + i]);
        uint nothing = floatBitsToUint(uintBitsToFloat(greatest(most)) * NOTHING);
        int last = 0;
        for (int i = thread; i < u_band.z; i += 256)
            last = max(last, (i + 1) * int(b_most[first + i] > nothing));
        blocks = max(blocks, int(greatest(uint(last))));
        if (most >= 0x7f800000u)
            blocks = u_band.z;
    }
    blocks = int(greatest(uint(blocks)));
    // To be worth it: otherwise the centre stays apart.
    bool ends = blocks * 8 <= u_band.z * 7;
    if (thread != 0)
        return;
    b_info.kept = ends ? max(blocks, 1) * u_band.w : AG_ALL_COLUMNS;
    for (int c = 0; c < u_channels.y; ++c)
        b_most[c] = floatBitsToUint(ends ? u_scale.x * b_info.centre[c] : 0.0);
    if (ends)
        b_info.centre = vec4(0.0);
}

void add_centre(int block)
{
    float centre = uintBitsToFloat(b_most[u_band.y]);
    if (block * u_band.w >= b_info.kept || centre == 0.0)
        return;
    for (int i = int(gl_LocalInvocationIndex); i < u_band.w * u_line.x; i += 256)
        b_kernel[block_start(block) + i] += centre_at(block, i, centre);
}

void main()
{
    if (u_band.x == AG_BAND_MEASURE)
        measure(int(gl_WorkGroupID.x));
    else if (u_band.x == AG_BAND_DECIDE)
        decide();
    else
        add_centre(int(gl_WorkGroupID.x));
}
