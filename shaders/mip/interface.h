// mip/interface.h - bindings, locations and choices that the C and GLSL of chains of levels share
// SPDX-License-Identifier: MIT
//
// Image units, b_info and the rectangle of the source are those of common/interface.h.
#pragma once
#include "common/interface.h"

// ---- shader storage
// transient, fp32 texels that one stage leaves for the next; of coverage.comp persistent histograms
#define AG_SSBO_HANDOVER 0
#define AG_SSBO_COUNTERS 1 // persistent, groups that have arrived; 0 between executes
// ---- uniform locations, beside the rectangle of the first level. AG_LOC_DST_RECT has the corner
// of the rectangle written, and the size of the texture written, scaled to the first level
#define AG_LOC_TEXTURE 19 // ivec4: samples, mipmap level read; first layer written; unused
// ivec4: level: the source of the first stage, of direct.comp and coverage.comp the one made; a
// layer's texels in the buffer, of coverage.comp the number of levels; 0; 1 = scrub
#define AG_LOC_STAGE 20
// ivec4: places in the buffer, or -1: of the first stage's source; of its last level, the second
// stage's source; of the second stage's last level; 0. direct.comp: where the level begins
#define AG_LOC_HANDOVER 21
#define AG_LOC_SECOND 22 // ivec4: tiles of the second stage, x and y, and its halo
// vec4: reference; the format's first alpha that is not below it, and the one before
#define AG_LOC_COVERAGE 23
// ivec4: levels that the two stages of a dispatch make, 0 = there is no such stage; texels of a
// tile of the first stage, each way; 0
#define AG_LOC_LEVELS 24
// ---- mip/coverage.comp: integers of a level; values of PASS
#define AG_COVERAGE_WORDS 15364
#define AG_COVERAGE_COUNT 0
#define AG_COVERAGE_SEARCH 1
#define AG_COVERAGE_SCALE 2
// ---- SECOND: what the groups that arrive last make of a dispatch
#define AG_SECOND_NONE 0
#define AG_SECOND_TILES 1 // tiles of a second stage (mip/stages.glsl)
#define AG_SECOND_REST 2  // the rest of the chain, by one group without tiles (mip/rest.glsl)
// ---- RUNS: how the threads of an odd tile read the source (mip/odd.comp)
#define AG_RUNS_NONE 0   // every output loads all of its texels
#define AG_RUNS_TEXELS 1 // runs of outputs gather texels once, and load third columns
#define AG_RUNS_SUMS 2   // and exchange sums of these
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
