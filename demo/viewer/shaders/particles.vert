// particles.vert - one particle as a streak: what it passes over while the shutter is open
//
//   in        a particle an instance, straight from the buffer that particles.comp wrote; 4 vertices of a strip
//   out       light, so that a streak carries the light of its particle however thin or long it is
//   SPDX-License-Identifier: MIT
#version 430 core

layout(location = 0) in vec4 a_place;   // xyz, seconds left
layout(location = 1) in vec4 a_way;     // velocity, light (negative: a spark)
layout(location = 0) uniform mat4 u_clip;
layout(location = 1) uniform vec2 u_size;    // of the picture, in texels
layout(location = 2) uniform vec2 u_streak;  // seconds that the shutter is open; metres that a drop is wide
out vec3 v_light;
out vec2 v_across;
out float v_depth;

// Glowing iron that cools: white, yellow, red.
vec3 glow(float left) {
    float heat = clamp(left * 1.4, 0.0, 1.0);
    return vec3(1.0, 0.75 * heat, 0.42 * heat * heat) * mix(0.2, 1.0, heat);
}

void main() {
    vec4 a = u_clip * vec4(a_place.xyz - a_way.xyz * u_streak.x, 1.0), b = u_clip * vec4(a_place.xyz, 1.0);
    bool spark = a_way.w < 0.0;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);   // outside: nothing is drawn
    v_light = vec3(0.0); v_across = vec2(0.0); v_depth = b.w;
    if (a.w < 0.15 || b.w < 0.15 || a_place.w <= 0.0) return;
    vec2 pa = a.xy / a.w * 0.5 * u_size, pb = b.xy / b.w * 0.5 * u_size, along = pb - pa;
    float length_ = length(along);
    along = length_ > 1e-3 ? along / length_ : vec2(0.0, 1.0);
    // Never thinner than 0.6 of a texel: then less light instead.
    float half_m = (spark ? 0.004 : u_streak.y) * 0.5, scale = 1.08696 * u_size.y / b.w;
    float half_px = half_m * scale, wide = max(half_px, 0.6);
    float area = max(length_ + 2.0 * half_px, 0.01) * half_px;
    float share = area / ((length_ + 2.0 * wide) * wide);
    vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec2 at = (side.y < 0.0 ? pa - along * wide : pb + along * wide) + vec2(-along.y, along.x) * side.x * wide;
    gl_Position = vec4(at / (0.5 * u_size) * b.w, 0.0, b.w);
    v_across = side;
    v_light = (spark ? 90.0 * glow(a_place.w) : vec3(1.0, 0.72, 0.45) * a_way.w) * share;
}
