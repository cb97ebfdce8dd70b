// ui.frag - a texel of the panel: glyphs, shapes and pictures alike
//   SPDX-License-Identifier: MIT
#version 430 core

layout(binding = 0) uniform sampler2D t_atlas;
in vec2 v_texel;
in vec4 v_colour;
layout(location = 0) out vec4 o_colour;

void main() { o_colour = v_colour * texture(t_atlas, v_texel); }
