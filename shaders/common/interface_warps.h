// common/interface_warps.h - WARPS of a tile's shaders (common/warps.glsl), for C and GLSL
// SPDX-License-Identifier: MIT
#ifndef AG_COMMON_INTERFACE_WARPS_H
#define AG_COMMON_INTERFACE_WARPS_H

#define AG_WARPS_NONE 0
#define AG_WARPS_OF_DRIVER 1
#define AG_WARPS_EMULATED 2

#endif
