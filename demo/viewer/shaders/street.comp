// street.comp - a frame of the moving night street: colour, and what later passes want to know
// about it
//
//   in        the camera, the time; street.glsl is the street
//   out       i_colour   linear scene-referred RGB, alpha 1. Row 0 is the top of the picture
//             i_normal   unit normal in the world's axes; 0 for the sky
//             i_albedo   reflectance of diffuse light
//             i_motion   texels from where this point was in the frame before to where it is now (x
//                        to the right, y down)
//             i_depth    metres along the camera's axis; 400 for the sky
//             i_radius   with u_mirror: texels over which rough wet ground smears what it mirrors,
//                        0 elsewhere; without: 1
//   dispatch  ceil(w / 8) x ceil(h / 8) groups
//   cost      u_samples paths of up to 2 rays a texel
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D i_colour;
layout(rgba16f, binding = 1) writeonly uniform image2D i_normal;
layout(rgba8, binding = 2) writeonly uniform image2D i_albedo;
layout(rg16f, binding = 3) writeonly uniform image2D i_motion;
layout(r32f, binding = 4) writeonly uniform image2D i_depth;
layout(r16f, binding = 5) writeonly uniform image2D i_radius;
layout(location = 0) uniform ivec2 u_size;
layout(location = 1) uniform uint u_seed;
layout(location = 2) uniform int u_samples;
layout(location = 3) uniform vec2 u_time;      // seconds; and those since the frame before
layout(location = 4) uniform float u_rain;     // 0..1
layout(location = 5) uniform vec3 u_eye;
layout(location = 6) uniform mat3 u_axes;      // right, up, ahead
layout(location = 7) uniform vec2 u_centre;    // the vanishing point, in heights
layout(location = 8) uniform mat4 u_clip_before; // world to clip space, of the frame before
// 1: wet ground mirrors sharply, and i_radius says how rough it is
layout(location = 9) uniform float u_mirror;

#define STREET_TIME u_time.x
#define STREET_RAIN u_rain
#define STREET_ROUGH (1.0 - u_mirror)
#include "street.glsl"

// Half of the angle that roughness opens at the ground, as seen from the eye: what is mirrored lies
// as far behind the ground as it is above.
float smear(float pixel) {
    bool wet = first.kind == GROUND && first_surface.mirror;
    float angle = 0.5 * first_surface.alpha * mirrored / (mirrored + first.t);
    return wet ? angle / pixel : 0.0;
}

// Where the point was in the frame before, in the world.
vec3 before(vec3 p, int kind) {
    if (kind != CAR) return p;
    int id; car_space(p, id);
    float speed = id == 0 ? AHEAD_SPEED : id == 1 ? MEETING_SPEED : 0.0;
    return p - vec3(0.0, 0.0, speed * u_time.y);
}

void main() {
    build_street(int(gl_LocalInvocationIndex)); barrier();
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, u_size))) return;
    float height = float(u_size.y), pixel = ZOOM / height;
    float dither = fract(52.9829189 * fract(dot(vec2(at & 1023), vec2(0.06711056, 0.00583715))));
    uint h = pcg(uint(at.x) + pcg(uint(at.y))); vec4 sum = vec4(0.0);
    // a lattice, as in scene.comp; one sample lies in the middle
    for (int i = 0; i < u_samples; ++i) {
        vec2 o = (vec2(i, (i * 3 + 1) % u_samples) + 0.5) / float(u_samples);
        vec2 q = (vec2(at) + o) / height - u_centre;
        vec2 xi = vec2((float((i * 5 + 2) % u_samples) + dither) / float(u_samples), pick(h,
            uint(i)));
        vec3 ahead = normalize(vec3(q.x, -q.y, 1.0 / ZOOM)), rd = u_axes * ahead;
        vec3 c = radiance(u_eye, rd, pixel, 2.0 * xi - 1.0);
        float w = 1.0 / (1.0 + 0.12 * max(c.r, max(c.g, c.b))); sum += vec4(c, 1.0) * w;
        if (i != u_samples / 2) continue;
        bool sky = first.kind == SKY;
        vec4 clip = u_clip_before * vec4(before(u_eye + rd * first.t, first.kind), 1.0);
        vec2 was = (clip.xy / clip.w * 0.5 + 0.5) * vec2(u_size), now = vec2(at) + o;
        imageStore(i_normal, at, vec4(sky ? vec3(0.0) : first_surface.n, 0.0));
        imageStore(i_albedo, at, vec4(sky ? vec3(0.0) : first_surface.albedo, 1.0));
        imageStore(i_motion, at, vec4(clip.w > 0.0 ? now - was : vec2(0.0), 0.0, 0.0));
        imageStore(i_depth, at, vec4(first.t * ahead.z));
        imageStore(i_radius, at, vec4(mix(1.0, smear(pixel), u_mirror)));
    }
    imageStore(i_colour, at, vec4(clamp(sum.rgb / sum.w, 0.0, 60000.0), 1.0));
}
