// particles.comp - moves every particle by one frame, and brings back those whose time is over
//
//   in, out   b_particles: 32 bytes each, which the vertex stage then draws from
//   dispatch  ceil(count / 256) groups
//   cost      64 bytes a particle
//   Equal seeds, frames and time steps give equal particles.
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 256) in;
struct Particle { vec4 place, way; };   // xyz, seconds left; velocity, light (negative: a spark)
layout(std430, binding = 0) buffer Particles { Particle b_particles[]; };
layout(location = 0) uniform uvec4 u_count;   // particles, of these sparks, seed, frame
layout(location = 1) uniform vec4 u_eye;      // xyz, seconds since the frame before
layout(location = 2) uniform vec4 u_fall;     // velocity of rain or snow, sway
layout(location = 3) uniform float u_light;   // that a drop returns of what falls on it
layout(location = 4) uniform uint u_first;    // particle of the buffer's bound range

uint pcg(uint v) {
    uint s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
    return (w >> 22u) ^ w;
}
uint g_state = 0u;
float rnd() { g_state = pcg(g_state); return float(g_state >> 8) * (1.0 / 16777216.0); }

// Of the lamps on both sides of the street, the nearest of each side light a drop.
float lamp_light(vec3 p) {
    float sum = 0.02;
    for (int side = -1; side <= 1; side += 2) {
        float first = side < 0 ? 18.5 : 10.0, k = clamp(round((p.z - first) / 17.0), 0.0, 7.0);
        vec3 l = p - vec3(3.9 * float(side), 4.62, first + 17.0 * k);
        sum += (l.y < 0.1 ? 1.0 : 0.08) / (dot(l, l) + 0.25);
    }
    return sum;
}

// A box of rain that travels with the camera: drops leave it below and on its sides, and come in
// again opposite.
const vec3 BOX = vec3(18.0, 13.0, 44.0);
void fall(inout Particle p, bool fresh) {
    vec3 low = vec3(-9.0, 0.0, u_eye.z - 3.0);
    if (fresh) p.place.xyz = low + BOX * vec3(rnd(), rnd(), rnd());
    vec3 way = u_fall.xyz * (0.85 + 0.3 * rnd());
    if (!fresh) way = p.way.xyz;
    float phase = p.place.y * 1.3 + float((u_first + gl_GlobalInvocationID.x) % 997u);
    vec3 sway = u_fall.w * vec3(sin(phase), 0.0, cos(phase * 0.83));
    p.place.xyz += (way + sway) * u_eye.w;
    p.place.xyz = low + mod(p.place.xyz - low, BOX);
    p.place.w = 1.0;
    p.way = vec4(way, u_light * lamp_light(p.place.xyz));
}

// A grinder on the path to the left throws sparks, in turns of about a second.
const vec3 GRINDER = vec3(-5.2, 0.95, 11.5);
void spark(inout Particle p, bool fresh) {
    p.place.w -= u_eye.w;
    if (p.place.w <= 0.0) {
        float angle = 6.2831853 * rnd(), open = 0.32 * sqrt(rnd()), speed = 2.0 + 4.0 * rnd();
        vec3 axis = normalize(vec3(0.45, 0.62, 0.45)), side = normalize(cross(axis, vec3(0.0, 0.0,
            1.0)));
        vec3 way = axis + open * (cos(angle) * side + sin(angle) * cross(axis, side));
        p.way = vec4(normalize(way) * speed, -1.0);
        p.place = vec4(GRINDER, 0.25 + 1.5 * rnd() * rnd());
        // At the first frame all are somewhere on their way already, most of them out.
        float early = fresh ? rnd() * 1.5 : u_eye.w * rnd();
        p.place.xyz += p.way.xyz * early; p.way.y -= 9.81 * early; p.place.w -= early;
        return;
    }
    p.way.xyz += vec3(0.0, -9.81, 0.0) * u_eye.w; p.way.xyz *= exp(-0.6 * u_eye.w);
    p.place.xyz += p.way.xyz * u_eye.w;
    float floor_y = abs(p.place.x) < 4.6 ? 0.0 : 0.13;
    if (p.place.y < floor_y && p.way.y < 0.0) {   // it bounces, in some direction of its own
        p.place.y = 2.0 * floor_y - p.place.y; p.way.y *= -0.35 - 0.2 * rnd();
        p.way.xz = p.way.xz * 0.6 + 0.9 * vec2(rnd() - 0.5, rnd() - 0.5);
    }
}

void main() {
    uint at = gl_GlobalInvocationID.x, i = u_first + at;
    if (i >= u_count.x) return;
    g_state = pcg(i + pcg(u_count.w + pcg(u_count.z)));
    Particle p = b_particles[at]; bool fresh = u_count.w == 0u;
    if (fresh) p = Particle(vec4(0.0), vec4(0.0));
    if (i < u_count.y) spark(p, fresh); else fall(p, fresh || p.place.w <= 0.0);
    b_particles[at] = p;
}
