// wavelet/size.glsl - the uniforms of a level
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/interface.h"

layout(location = AG_LOC_WAVELET_SIZE) uniform ivec4 u_size; // samples; coefficients of a band
// AG_EXTEND_*; 1 = this is the last level; where the details of the pyramid begin
layout(location = AG_LOC_WAVELET_MODE) uniform ivec4 u_mode;
