// fft/spectrum.glsl - the half spectra of the rows, as they lie between the passes: what every layout shares
//
//   what      rows of N points have N / 2 + 1 columns, frequencies 0 .. N / 2; of these KEPT are stored
//   layout    an entry includes one: fft/full.glsl or fft/compact.glsl, which define COMPACT as 0 or 1 and have
//             cell_index and cell_after
//   host sets TILE     columns side by side
//             u_spectrum
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_SPECTRUM_GLSL
#define AG_FFT_SPECTRUM_GLSL
#if !defined(TILE) || !defined(COMPACT)
#error "TILE must be set by the host, COMPACT by fft/full.glsl or fft/compact.glsl"
#endif
#include "fft/interface.h"

layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum;
#define PAIRS_OF_ROWS u_spectrum.x    // of the image, an odd last row included
#define KEPT u_spectrum.y             // columns that are stored: 0 .. KEPT - 1
#define CELLS_OF_CHANNEL u_spectrum.w // from one channel to the next, in cells of 16 bytes

// 0, which no compiler knows: a loop up to n + NEVER is not unrolled, because a smaller program is compiled sooner.
#define NEVER min(PAIRS_OF_ROWS, 0)
#if COMPACT // few groups run at a time: all turns' loads should be under way together (docs/decisions.md, D48)
#define ROLLED(turns) (turns)
#else
#define ROLLED(turns) ((turns) + NEVER)
#endif

#endif
