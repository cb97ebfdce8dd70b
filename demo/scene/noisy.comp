// demo/scene/noisy.comp - the street as a ray tracer for games sees it: few samples a texel
//
//   in        u_tile, u_seed: as scene.comp; u_frame (samples, first random number), u_time
//   out       i_scene, i_albedo, i_normal, i_depth, i_motion: light with noise, and without it
//             what the surface at the texel's centre is: its colour, or its light where it shines,
//             normal, distance in metres, and texels that it has moved in 1/60 s
//   dispatch  as scene.comp
//   cost      a sample: a path of a ray, a ray to a point of one light, one to where diffuse light
//             comes from, and one of a reflection
//   method    the light is chosen in proportion to what it would add without shadows (Talbot 2005),
//             so the noise is that of soft shadows, of light from walls, and of wet ground
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = 0) writeonly uniform image2D i_scene;
layout(rgba32f, binding = 1) writeonly uniform image2D i_albedo;
layout(rgba32f, binding = 2) writeonly uniform image2D i_normal;
layout(rgba32f, binding = 3) writeonly uniform image2D i_depth;
layout(rgba32f, binding = 4) writeonly uniform image2D i_motion;
layout(location = 0) uniform ivec4 u_tile;
layout(location = 1) uniform uint u_seed;
layout(location = 2) uniform ivec4 u_frame;
layout(location = 3) uniform vec4 u_time;

#define STREET_TIME u_time.x
#define STREET_RAIN 0.0
#define STREET_ROUGH 1.0
#include "street.glsl"

const vec3 EYE = vec3(0.2, 1.5, 0.0);
const float SOFT = 0.45; // metres: radius of the lights, wide enough for soft shadows
uint g_random;

float next_random() { g_random = pcg(g_random); return unit(g_random); }
vec2 next_two() { float a = next_random(); return vec2(a, next_random()); }

vec3 next_on_sphere() {
    vec2 xi = next_two(); float z = 2.0 * xi.x - 1.0, r = sqrt(max(1.0 - z * z, 0.0));
    return vec3(r * cos(2.0 * PI * xi.y), r * sin(2.0 * PI * xi.y), z);
}

// What light i adds at p without shadows; l: towards its middle.
vec3 unshadowed(int i, vec3 p, Surface s) {
    vec4 pos = s_light_pos[i]; vec3 l = pos.xyz - p;
    float d2 = dot(l, l), nl = dot(s.n, l) * inversesqrt(d2), lobe = 0.3; int kind = int(pos.w);
    l *= inversesqrt(d2);
    if (kind == LAMP) lobe = 0.02 + 0.98 * smoothstep(-0.02, 0.42, l.y);
    else if (kind == HEAD) lobe = 0.03 + smoothstep(0.80, 0.995, l.z);
    else lobe = kind == TAIL ? sat(l.z * 1.2) : 0.3 + 0.7 * abs(l.z);
    return s_light_col[i].rgb * s.albedo * (lobe / (d2 + 0.02) / PI) *
        (max(nl, 0.0) + s.trans * max(-nl, 0.0));
}

bool reaches(vec3 p, vec3 to) {
    vec3 l = to - p; float d = length(l);
    return trace(p, l / d).t > d - SOFT - 0.25;
}

// One light, one shadow ray.
vec3 direct(vec3 p, Surface s) {
    float sum = 0.0, chosen_weight = 0.0; int chosen = -1; vec3 light = vec3(0.0);
    for (int i = 0; i < LIGHTS; ++i) { // keeps light i with the share of its weight in the sum
        vec3 c = unshadowed(i, p, s); float w = c.r + c.g + c.b;
        sum += w;
        if (w > 0.0 && next_random() * sum < w) { chosen = i; light = c; chosen_weight = w; }
    }
    if (chosen < 0) return vec3(0.0);
    vec3 to = s_light_pos[chosen].xyz + SOFT * next_on_sphere();
    return reaches(p + s.n * 0.01, to) ? light * (sum / chosen_weight) : vec3(0.0);
}

Surface plain(Hit hit) { return Surface(hit.n, vec3(0.02), vec3(0.0), 0.04, 0.36, false, 0.0); }

vec3 sky_or_end(vec3 ro, vec3 rd, float cone) {
    float t = (150.0 - ro.z) / rd.z; vec4 c = t > 0.0 ? far_end(ro + rd * t) : vec4(0.0);
    return c.w > 0.0 ? mix(fog_colour(rd), c.rgb, exp(-FOG * t)) : sky(rd, cone);
}

// What comes back along a ray that starts on a surface: lights there have no shadows.
vec3 seen_from(vec3 ro, vec3 rd, float cone) {
    Hit hit = trace(ro, rd);
    if (hit.kind == SKY) return min(sky_or_end(ro, rd, cone), vec3(2.0));
    Surface s = plain(hit); vec3 p = ro + rd * hit.t;
    surface(hit, p, rd, cone * hit.t, cone * hit.t, s);
    vec3 light = s.emit + shine(p, -rd, s, false);
    return min(mix(fog_colour(rd), light, exp(-FOG * hit.t)), vec3(20.0));
}

// The street's rays start in the road, and some of its functions divide by zero elsewhere.
vec3 finite(vec3 c) {
    return mix(vec3(0.0), c, bvec3(c.r < 1e6, c.g < 1e6, c.b < 1e6)); // not NaN either
}

vec3 path(vec3 rd, float pixel) {
    Hit hit = trace(EYE, rd); vec3 p = EYE + rd * hit.t;
    Surface s = plain(hit); vec3 light;
    if (hit.kind == SKY) light = sky_or_end(EYE, rd, pixel);
    else {
        surface(hit, p, rd, pixel * hit.t, 0.0, s);
        vec3 off = p + hit.n * 0.01;
        vec3 around = finite(seen_from(off, normalize(s.n + 0.999 * next_on_sphere()), 0.5));
        light = s.emit + finite(direct(p, s)) + s.albedo * around;
        if (s.mirror) {
            float rough = hit.kind == GROUND ? s.alpha : 0.0;
            vec3 n = normalize(s.n + 0.4 * rough * next_on_sphere()), r = reflect(rd, n);
            if (dot(r, hit.n) < 0.005) r = reflect(rd, hit.n);
            vec3 seen = finite(seen_from(off, r, pixel + 0.2 * rough));
            seen = min(seen, vec3(mix(20.0, 2.5, sat(8.0 * rough)))); // no stray sparks
            light += fresnel(s.f0, sat(-dot(n, rd))) * seen;
        }
        light = mix(fog_colour(rd), light, exp(-FOG * hit.t));
    }
    vec4 wires = garlands(EYE, rd, hit.t, pixel);
    return light * wires.w + wires.rgb + bulbs(EYE, rd, hit.t, pixel);
}

vec2 place_of(vec3 p, vec2 centre, float height) { // in texels
    vec2 q = (p.xy - EYE.xy) / max(p.z - EYE.z, 0.1) / ZOOM;
    return (vec2(q.x, -q.y) + centre) * height;
}

void main() {
    build_street(int(gl_LocalInvocationIndex)); barrier();
    ivec2 at = u_tile.xy + ivec2(gl_GlobalInvocationID.xy), size = u_tile.zw;
    if (any(greaterThanEqual(at, size))) return;
    float aspect = float(size.x) / float(size.y), height = float(size.y), pixel = ZOOM / height;
    vec2 centre = vec2(0.5 * aspect - 0.12 * min(aspect, 1.8), 0.575);
    g_random = pcg(uint(at.x) + pcg(uint(at.y) + pcg(uint(u_frame.y) + 7919u * u_seed)));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < u_frame.x; ++i) {
        vec2 o = u_frame.x == 1 ? vec2(0.5) : next_two();
        vec2 q = (vec2(at) + o) / height - centre;
        sum += min(path(normalize(vec3(q.x, -q.y, 1.0 / ZOOM)), pixel), vec3(6e4));
    }
    imageStore(i_scene, at, vec4(sum / float(u_frame.x), 1.0));

    vec2 q = (vec2(at) + 0.5) / height - centre;
    vec3 rd = normalize(vec3(q.x, -q.y, 1.0 / ZOOM));
    Hit hit = trace(EYE, rd); vec3 p = EYE + rd * hit.t, albedo = vec3(1.0), was = p;
    Surface s = plain(hit);
    if (hit.kind != SKY) surface(hit, p, rd, pixel * hit.t, 0.0, s);
    if (hit.kind == CAR) {
        int id; car_space(p, id);
        was.z -= (id == 0 ? AHEAD_SPEED : id == 1 ? MEETING_SPEED : 0.0) / 60.0;
    }
    // What shines has no noise: divided by itself it is 1 everywhere, so a filter keeps it. Of wet
    // ground the reflection is most of what is seen, and it has no albedo.
    if (hit.kind == SKY) {
        vec4 wires = garlands(EYE, rd, hit.t, pixel);
        albedo = sky_or_end(EYE, rd, pixel) * wires.w + wires.rgb + bulbs(EYE, rd, hit.t, pixel);
    } else if (s.emit != vec3(0.0)) albedo = max(s.emit + s.albedo, vec3(0.01));
    else if (!s.mirror) albedo = max(s.albedo, vec3(0.01));
    imageStore(i_albedo, at, vec4(albedo, 1.0));
    imageStore(i_normal, at, vec4(hit.kind == SKY ? vec3(0.0) : hit.n, 0.0));
    imageStore(i_depth, at, vec4(hit.t));
    imageStore(i_motion, at, vec4(place_of(p, centre, height) - place_of(was, centre, height),
                                  0.0, 0.0));
}
