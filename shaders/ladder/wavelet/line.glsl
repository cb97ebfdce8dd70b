// ladder/wavelet/line.glsl - the arguments of the document's steps, of many lines at once
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/filters.glsl"
#include "wavelet/samples.glsl"

// n; lines; stride within a line; from line to line
layout(location = AG_LOC_WAVELET_GAP) uniform ivec4 u_line;
layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_GROUP_Y) in;
// a, then scratch
layout(std430, binding = AG_SSBO_WAVELET_TO) buffer To { VALUE b_to[]; };

int a(int line, int j) { return line * u_line.w + j * u_line.z; }

int scratch(int line, int j) { return u_size.x * u_size.y + a(line, j); }
