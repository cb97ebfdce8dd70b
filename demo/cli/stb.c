// cli/stb.c - the implementations of stb, in a target that is compiled without our warnings
// SPDX-License-Identifier: MIT
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb.h"
