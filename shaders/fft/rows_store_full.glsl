// fft/rows_store_full.glsl - how a forward row pass stores spectra in four bytes a component
//
//   does      what fft/rows_store.glsl asks for: a cell is stored as it is, in one turn
//   layout    fft/full.glsl
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_ROWS_STORE_FULL_GLSL
#define AG_FFT_ROWS_STORE_FULL_GLSL
#include "fft/full.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum { vec4 at[]; } b_spectrum[CHANNEL_BUFFERS];

#define PUT_TURNS 1
#define begin_turn(turn, c)
#define put(turn, c, line, pair, f, least, cell, value) b_spectrum[c].at[cell] = value
#define put_last(turn, c, line, pair, cell, value) b_spectrum[c].at[cell] = value

#include "fft/rows_store.glsl"

#endif
