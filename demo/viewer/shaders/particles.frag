// particles.frag - adds a streak's light to the picture where nothing stands before it
//   SPDX-License-Identifier: MIT
#version 430 core

layout(binding = 0) uniform sampler2D t_depth;   // metres along the camera's axis
in vec3 v_light;
in vec2 v_across;
in float v_depth;
layout(location = 0) out vec4 o_light;

void main() {
    float behind = texelFetch(t_depth, ivec2(gl_FragCoord.xy), 0).r;
    float edge = 1.0 - v_across.x * v_across.x;
    o_light = vec4(v_light * edge * step(v_depth, behind), 0.0);
}
