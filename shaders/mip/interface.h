// mip/interface.h - bindings, locations and choices that the C and GLSL of chains of levels share
// SPDX-License-Identifier: MIT
//
// Image units, b_info and the rectangle of the source are those of common/interface.h.
#pragma once
#include "common/interface.h"

// ---- shader storage
#define AG_SSBO_HANDOVER 0 // transient, fp32 texels that one stage leaves for the next
#define AG_SSBO_COUNTERS 1 // persistent, groups that have arrived; 0 between executes
// ---- uniform locations. In a chain's shaders only the functions of mip/level.glsl read them
// ivec4: samples, mipmap level read; first layer read, first layer written. In direct.comp and
// coverage.glsl: width, height of level 0; first layer
#define AG_LOC_TEXTURE 19
// ivec4: source level of the first stage, a layer's texels in the buffer, 0, 1 = scrub
#define AG_LOC_STAGE 20
// ivec4: where in the buffer the sources of the two stages are, and the last level of the last
// stage; -1: nowhere; 0
#define AG_LOC_HANDOVER 21
#define AG_LOC_SECOND 22   // ivec4: tiles of the second stage, x and y, and its halo
#define AG_LOC_COVERAGE 23 // vec4: reference; the format's alphas at and before it
// ivec4: levels that the two stages of a dispatch make, 0 = there is no such stage; 0, 0
#define AG_LOC_LEVELS 24
#define AG_COVERAGE_WORDS 15364 // mip/coverage.glsl
// ---- REDUCE and WEIGHT, as AG_MIP_* in mipchain.h
#define AG_REDUCE_MEAN 0
#define AG_REDUCE_MIN 1
#define AG_REDUCE_MAX 2
#define AG_REDUCE_MINMAX 3
#define AG_REDUCE_FIRST 4
#define AG_WEIGHT_NONE 0
#define AG_WEIGHT_KARIS 1
#define AG_WEIGHT_ALPHA 2
#define AG_WEIGHT_COVERAGE 3
