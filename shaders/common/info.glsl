// common/info.glsl - what a pass keeps on the GPU: its kernel's sums, the count of bad texels
//   why       A file of its own, because GL counts each block that a program declares, used or not,
//             as one of the few outputs that the program may have
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"

// Offsets for C are AG_INFO_* in engine_plugin/src/gl/bindings.h.
layout(std430, binding = AG_SSBO_INFO) buffer Info {
    vec4 scale;     // factor of each kernel channel: 1, or 1 / sum
    vec4 centre;    // the kernel's centre weights, scaled; they bypass the FFT
    vec2 sums[4];   // each channel's sum, a pair of floats (common/pair.glsl)
    uint scrubbed;  // bad texels so far: those that the NaN firewall made 0 (common/texel.glsl)
    uint shape;     // AG_TAPS_NOT_*: properties that the kernel lacks (fft/kernel_shape.comp)
    float unexposed; // 2^-EV (bloom/lens.comp)
} b_info;

// Adds a thread's count of bad texels, once, after its last load.
void count_bad(uint bad)
{
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}
