// fft/rows_store_full.glsl - how an R2C row pass stores spectra in full storage
//   does      defines what fft/rows_store.glsl needs: a cell is stored as it is, in one phase
//   layout    fft/full.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/full.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum {
    vec4 at[];
} b_spectrum[CHANNEL_BUFFERS];

// Threads that keep no frequency skip the last stage.
#if NARROW
#define LAST_STAGE_NEEDED (int(thread) < KEPT)
#else
#define LAST_STAGE_NEEDED true
#endif
#define STORE_PHASES 1
#define begin_phase(phase, c)
#define store_frequency(phase, c, line, pair, f, least, cell, value) b_spectrum[c].at[cell] = value
#define store_nyquist(phase, c, line, pair, cell, value) b_spectrum[c].at[cell] = value

#include "fft/rows_store.glsl"
