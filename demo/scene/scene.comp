// demo/scene/scene.comp - the demo picture: a street on a wet night in linear HDR, ray traced
//
//   in        u_tile (x0, y0 of this dispatch; full picture width, height), u_seed
//   out       i_scene, one texel per invocation: linear scene-referred RGB, alpha 1, row 0 on top
//             i_depth: metres along the camera's axis, of the middle path; 400 for the sky
//   dispatch  ceil(w / 8) x ceil(h / 8) groups for a tile of w x h texels at (x0, y0)
//   cost      7 paths of up to 2 rays a texel; walls and lights analytic, the rest sphere traced
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = 0) writeonly uniform image2D i_scene;
layout(r32f, binding = 1) writeonly uniform image2D i_depth;
layout(location = 0) uniform ivec4 u_tile;
layout(location = 1) uniform uint u_seed;

#define STREET_TIME 0.0
#define STREET_RAIN 0.0
#define STREET_ROUGH 1.0
#include "street.glsl"

const vec3 EYE = vec3(0.2, 1.5, 0.0);
const int SAMPLES = 7; // per texel

void main() {
    build_street(int(gl_LocalInvocationIndex)); barrier();
    ivec2 at = u_tile.xy + ivec2(gl_GlobalInvocationID.xy), size = u_tile.zw;
    if (any(greaterThanEqual(at, size))) return;
    // Lens shift instead of tilt keeps the walls upright: the vanishing point sits left and low.
    float aspect = float(size.x) / float(size.y), pixel = ZOOM / float(size.y);
    vec2 centre = vec2(0.5 * aspect - 0.12 * min(aspect, 1.8), 0.575);
    // Neighbours start at different points of the sequence (Jimenez 2014).
    float dither = fract(52.9829189 * fract(dot(vec2(at & 1023), vec2(0.06711056, 0.00583715))));
    uint h = pcg(uint(at.x) + pcg(uint(at.y))); vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; ++i) {   // a lattice: each row and column of the texel once
        vec2 o = (vec2(i, (i * 3 + 1) % SAMPLES) + 0.5) / float(SAMPLES);
        vec2 q = (vec2(at) + o) / float(size.y) - centre;
        vec2 xi = vec2((float((i * 5 + 2) % SAMPLES) + dither) / float(SAMPLES), pick(h, uint(i)));
        vec3 ahead = normalize(vec3(q.x, -q.y, 1.0 / ZOOM));
        vec3 c = radiance(EYE, ahead, pixel, 2.0 * xi - 1.0);
        if (i == SAMPLES / 2) imageStore(i_depth, at, vec4(first.t * ahead.z));
        // Samples far above the rest count less, so that bright edges stay smooth on a display.
        float w = 1.0 / (1.0 + 0.12 * max(c.r, max(c.g, c.b))); sum += vec4(c, 1.0) * w;
    }
    imageStore(i_scene, at, vec4(clamp(sum.rgb / sum.w, 0.0, 60000.0), 1.0));
}
