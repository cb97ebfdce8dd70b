// denoise/interface_counts.h - what programs that count have, and C and GLSL share
// SPDX-License-Identifier: MIT
#pragma once

// ---- STATISTICS, as bits
#define AG_DENOISE_HISTOGRAM 1
#define AG_DENOISE_ENERGIES 2

// ---- uniforms
// vec4: share of new counts in statistics, 0..1; groups that arrive (below 2^24); unused; the step
// from a tile that is counted to the next one: 1 or 2
#define AG_LOC_DENOISE_STATISTICS 5
