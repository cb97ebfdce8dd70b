// cli/stb.c - the implementations of stb, in a target of their own: our warnings are not theirs
// SPDX-License-Identifier: MIT
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb.h"
