// fft/interface_lens.h - what C and GLSL of bloom's lens share: dirt, ghosts, exposure
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

#define AG_IMAGE_GLOW 2 // the convolution alone

#define AG_SSBO_DIRT 1 // persistent: the dirt mask's texels, packed halves

#define AG_LOC_LENS 32   // ivec4: width, height of the frame; ghosts; 1 = dirt
#define AG_LOC_DIRT 33   // ivec4: width, height of the mask
#define AG_LOC_GHOSTS 34 // vec4: a ghost's share of the light
