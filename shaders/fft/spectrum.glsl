// fft/spectrum.glsl - the half spectra between the passes: what all layouts share
//   what      rows of N points have frequencies 0 .. N / 2, the columns; KEPT of them are stored
//   layout    an entry includes fft/full.glsl or fft/compact.glsl, which define COMPACT as 0 or 1,
//             ROLLED, cell_index and cell_after
//   host sets TILE     columns side by side
//             u_spectrum
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(TILE) || !defined(COMPACT)
#error "TILE must be set by the host, COMPACT by fft/full.glsl or fft/compact.glsl"
#endif
#include "fft/interface.h"

layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum;
#define ROW_PAIRS u_spectrum.x    // of the image; an odd last row counts as a pair
#define KEPT u_spectrum.y             // columns that are stored: 0 .. KEPT - 1
#define CELLS_OF_CHANNEL u_spectrum.w // from one channel to the next, in cells of 16 bytes

// 0, which no compiler knows: a loop up to n + NEVER is not unrolled, and compiles faster.
#define NEVER min(ROW_PAIRS, 0)
