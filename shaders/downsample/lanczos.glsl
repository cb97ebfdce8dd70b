// downsample/lanczos.glsl - where the taps of a stretched filter lie, and their weights
//
//   in        b_taps     weights: u_taps.z for each phase. An axis has as many phases as outputs
//                        before its pattern repeats
//   what      output i falls on ((2 i + 1) W - w) / 2 w. Its taps are the texels nearer than radius
//             times W / w (at least radius), from the first one on. Beyond the image lies its
//             edge's texel. The CPU computes the weights in double and normalises them: GPUs' sines
//             are off by up to 1e-3
//   SPDX-License-Identifier: MIT
#pragma once
#include "downsample/cells.glsl"
#include "downsample/sum.glsl"

layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { float b_taps[]; };
// width and height of the source, taps of an output, radius
layout(location = AG_LOC_DOWN_TAPS) uniform ivec4 u_taps;

int first_tap(Axis a, int i)
{
    int reach = 2 * u_taps.w * max(a.from, a.to); // of 2 a.to, as what follows
    int at = (2 * i + 1) * a.from - a.to - reach;
    int shift = u_taps.w * (max(a.from, a.to) / a.to + 1) + 1; // so that nothing divided is below 0
    return (at + 2 * a.to * shift) / (2 * a.to) - shift + 1;
}

// The sum of an output's taps; LINE(j) is texel j of the line.
#define SUM_TAPS(a, i, most, sum)                                            \
    {                                                                        \
        int first_ = first_tap(a, i), place_ = (i) % (a).to * u_taps.z;      \
        vec4 hi_ = vec4(0.0), lo_ = vec4(0.0);                               \
        for (int k_ = 0; k_ < u_taps.z; k_ += 4) {                           \
            vec4 four_ = vec4(0.0);                                          \
            for (int n_ = k_; n_ < k_ + 4; ++n_)                             \
                four_ += b_taps[place_ + n_] * LINE(clamp(first_ + n_, 0, most)); \
            add_to(hi_, lo_, four_);                                         \
        }                                                                    \
        sum = hi_ + lo_;                                                     \
    }
