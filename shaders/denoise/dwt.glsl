// denoise/dwt.glsl - what both directions of the filter dwt share: sizes, gains, sigma
// SPDX-License-Identifier: MIT
#pragma once
#include "denoise/interface_scratch.h"
#include "denoise/memory.glsl"

layout(location = AG_LOC_DENOISE_DWT_SIZE) uniform ivec4 u_size; // samples; coefficients of a band
// noise gain of HL and LH, of HH; the level; 1 = the last one
layout(location = AG_LOC_DENOISE_DWT_BAND) uniform vec4 u_band;
