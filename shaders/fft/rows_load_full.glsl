// fft/rows_load_full.glsl - how a C2R row pass loads spectra in full storage
//   does      defines what fft/rows_load.glsl needs
//   layout    fft/full.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/full.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
    vec4 at[];
} b_spectrum[CHANNEL_BUFFERS];
#if PER_CHANNEL // all channels are in the first buffer
#define CELL(c, place) b_spectrum[0].at[c * CELLS_OF_CHANNEL + place]
#else
#define CELL(c, place) b_spectrum[c].at[place]
#endif

// Frequency f of channel c: its cell, or 0 where none was stored. It always loads from inside the
// buffer, so that no load needs a branch.
vec4 frequency(int c, int f, int pair, int cell)
{
#if BAND_LIMITED
    bool inside = f < KEPT;
    return mix(vec4(0.0), CELL(c, int(inside) * cell), bvec4(inside));
#else
    return CELL(c, cell);
#endif
}

#define EXACT_COLUMNS 0 // full storage keeps no columns elsewhere
#define exact(c, f, pair) vec4(0.0)

#include "fft/rows_load.glsl"
