// fft/wiener.glsl - Wiener's filter at a frequency
//
//   host sets nothing; u_points has the points of a row and of a column
//   source    docs/convolve.md 8. N. Wiener 1949, "Extrapolation, Interpolation, and Smoothing of
//             Stationary Time Series"; D. J. Field 1987 (the spectrum of photographs)
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

layout(location = AG_LOC_WIENER) uniform vec4 u_wiener;
#define SCALE u_wiener.x
#define NOISE u_wiener.y
layout(location = AG_LOC_POINTS) uniform ivec4 u_points;
#define POINTS u_points.xy

// (2 sin(pi f / points))^2 for f of 0 .. points / 2, by Taylor's series: drivers' sin is off by
// more than the 2e-7 of this.
vec2 roughness(vec2 f)
{
    vec2 x = f * 3.14159265 / vec2(POINTS), x2 = x * x;
    vec2 series = 1.0 - x2 / 110.0;
    series = 1.0 - x2 / 72.0 * series;
    series = 1.0 - x2 / 42.0 * series;
    series = 1.0 - x2 / 20.0 * series;
    vec2 s = 2.0 * x * (1.0 - x2 / 6.0 * series);
    return s * s;
}

// The power of noise over that of a photograph, at a frequency of 0 .. POINTS - 1.
float noise_at(ivec2 frequency)
{
    vec2 r = roughness(vec2(min(frequency, POINTS - frequency)));
    return NOISE * (AG_WIENER_FLOOR + r.x + r.y);
}
