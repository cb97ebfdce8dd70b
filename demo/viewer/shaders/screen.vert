// screen.vert - one triangle over the whole viewport, without any buffer
//   SPDX-License-Identifier: MIT
#version 430 core

void main() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
