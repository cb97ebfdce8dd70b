// wavelet/stationary.glsl - places of the stationary transform, which keeps every sample of a level
//
//   what      the filters of level l skip 2^(l - 1) - 1 samples between taps; a line repeats
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/extend.glsl"
#include "wavelet/filters.glsl"
#include "wavelet/size.glsl"
#include "wavelet/texel.glsl"

layout(location = AG_LOC_WAVELET_GAP) uniform ivec4 u_gap; // from tap to tap
layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;

// Of tap m of analysis, and of tap k of synthesis. CENTRE and its mirror are the place itself.
const int CENTRE = TAPS / 2 - 1;
int analysed(int o, int m, int n) { return modulo(o + u_gap.x * (m - CENTRE), n); }

int synthesised(int t, int k, int n) { return modulo(t + u_gap.x * (CENTRE - k), n); }

// Of a texel in a plane of a buffer.
int in_plane(ivec2 p, int plane) { return (plane * u_size.y + p.y) * u_size.x + p.x; }
