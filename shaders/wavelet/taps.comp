// wavelet/taps.comp - the filters of a custom wavelet, from the host's texture
//
//   in        i_src            TAPS x 1 or 2 texels: the low filter of analysis, then that of
//                              synthesis; of one row synthesis has the same one reversed
//   out       b_taps           as wavelet/filters.glsl reads it: TAPS pairs (low, high) of
//                              analysis, in the order of samples, then TAPS pairs of synthesis
//   host sets TAPS             of each filter, even, 2 .. AG_WAVELET_MAX_TAPS
//   dispatch  one group
//   why       a readback would wait for the GPU, and the texture may change in each frame
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TAPS
#error "TAPS must be set by the host"
#endif
#include "common/source.glsl"
#include "wavelet/interface.h"

layout(local_size_x = AG_WAVELET_MAX_TAPS) in;
layout(r32f, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
layout(std430, binding = AG_SSBO_WAVELET_TAPS) writeonly buffer Taps { vec2 b_taps[]; };

// Tap k of the low filter of analysis, or with row = 1 of synthesis.
float tap(int k, int row)
{
    bool reversed = row >= u_src_rect.w;
    ivec2 at = reversed ? ivec2(TAPS - 1 - k, 0) : ivec2(k, row);
    return imageLoad(i_src, u_src_rect.xy + at).r;
}

void main()
{
    int k = int(gl_LocalInvocationIndex);
    if (k >= TAPS)
        return;
    float sign = 1.0 - 2.0 * float(k & 1), h = tap(k, 0), r = tap(k, 1);
    b_taps[TAPS - 1 - k] = vec2(h, -sign * r);
    b_taps[TAPS + k] = vec2(r, sign * h);
}
