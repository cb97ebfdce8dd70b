// fft/rows_columns.glsl - which column of the image fills a place of a row, without a border
//
//   host sets PADDED  1 = rows are longer than the image
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef PADDED
#error "PADDED must be set by the host"
#endif
#include "fft/interface.h"

layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
#define WIDTH u_line.x

// `inside`: whether there is one; else a column of the image.
int column_in_order(int place, out bool inside)
{
    inside = PADDED == 0 || place < WIDTH;
    return PADDED == 0 ? place : min(place, WIDTH - 1);
}
