// ocean/interface.h - what C and GLSL of ocean share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

// ---- image units
#define AG_IMAGE_DISPLACEMENT 0
#define AG_IMAGE_DERIVATIVES 1
#define AG_IMAGE_JACOBIAN 2

// ---- shader storage, beside AG_SSBO_SPECTRUM (the rows of four fields a cascade) and the twiddles
#define AG_SSBO_MODES 1 // persistent: h0(k) and conj(h0(-k)) of each mode
#define AG_SSBO_LOOPS 2 // persistent: how often each mode turns in a period
#define AG_SSBO_WAVES 3 // in prepare: what depends on |k| alone

// ---- uniform locations
// ivec4: texels a side; the first cascade of the dispatch; the clock, of 2^32 a period; seed
#define AG_LOC_OCEAN 40
#define AG_LOC_STEPS 41   // vec4: 2 pi / L of each cascade, radians a metre; w = choppiness
#define AG_LOC_WIND 42    // vec4: its direction, x and z; D = directionality; (1 - D) / (2 pi)
#define AG_LOC_PLACES 43  // ivec4: x, y, first layer of displacement; 1 = there is a jacobian
#define AG_LOC_PLACES2 44 // ivec4: x, y, first layer of derivatives; unused
#define AG_LOC_PLACES3 45 // ivec4: x, y, first layer of jacobian; unused

#define AG_OCEAN_FIELDS 4 // complex transforms a cascade, of two real fields each
