// copy.frag - a picture as it is, texel by texel, into a render target of any format
//   SPDX-License-Identifier: MIT
#version 430 core

layout(binding = 0) uniform sampler2D t_src;
layout(location = 0) out vec4 o_colour;

void main() { o_colour = texelFetch(t_src, ivec2(gl_FragCoord.xy), 0); }
