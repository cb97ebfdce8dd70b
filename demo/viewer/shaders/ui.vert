// ui.vert - a vertex of the panel: places in points from the upper left
//   SPDX-License-Identifier: MIT
#version 430 core

layout(location = 0) in vec2 a_place;
layout(location = 1) in vec2 a_texel;
layout(location = 2) in vec4 a_colour;
layout(location = 0) uniform vec2 u_size;
out vec2 v_texel;
out vec4 v_colour;

void main() {
    v_texel = a_texel;
    v_colour = a_colour;
    gl_Position = vec4(a_place / u_size * 2.0 - 1.0, 0.0, 1.0);   // row 0 of the canvas is its top
}
