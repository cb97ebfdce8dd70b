// ladder/downsample/interface.h - what C and GLSL of register_columns share
// SPDX-License-Identifier: MIT
#pragma once
#include "downsample/interface.h"

#define AG_REGISTER_BLOCK 32 // texels each way of a subgroup
