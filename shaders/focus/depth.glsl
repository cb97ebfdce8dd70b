// focus/depth.glsl - reads a depth of the host's, of any format
//
//   in        i_depth or t_depth
//   host sets DEPTH_UNIT   0 = R32F, by an image unit; 1 = a depth format, which image units cannot
//                          read, by a texture unit; 2 = an array texture of such a format
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef DEPTH_UNIT
#error "DEPTH_UNIT must be set by the host"
#endif
#include "focus/interface.h"

layout(location = AG_LOC_FOCUS_DEPTH) uniform ivec4 u_depth;

#if DEPTH_UNIT == 2
layout(binding = 1) uniform sampler2DArray t_depth;
float depth_at(ivec2 p) { return texelFetch(t_depth, ivec3(u_depth.xy + p, u_depth.z), 0).r; }
#elif DEPTH_UNIT
layout(binding = 1) uniform sampler2D t_depth;
float depth_at(ivec2 p) { return texelFetch(t_depth, u_depth.xy + p, 0).r; }
#else
layout(r32f, binding = AG_IMAGE_FOCUS_DEPTH) readonly uniform image2D i_depth;
float depth_at(ivec2 p) { return imageLoad(i_depth, u_depth.xy + p).r; }
#endif
