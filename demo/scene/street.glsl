// street.glsl - a street on a wet night: what a ray meets, and the light that comes back along it
//
//   needs     u_seed (which street), STREET_TIME (seconds: cars drive, worn lamps blink),
//             STREET_RAIN (0..1: rings on puddles), STREET_ROUGH (0: sharp mirrors); once a group
//             build_street(gl_LocalInvocationIndex), then barrier(), in groups of 64
//   gives     radiance(eye, direction, width of a texel at 1 m, two random numbers), and
//             first, what the path met first
//   SPDX-License-Identifier: MIT
// Metres; x to the right, y up, z down the street from the viewer in the road.
const float PI = 3.14159265, FAR = 400.0;
const float FOG = 0.0085, ZOOM = 0.92;              // extinction per metre; view height at 1 m
const float ROAD = 4.6, KERB = 0.13, WALL = 7.6;    // half width, height of the path, facades
const vec3 WALKER = vec3(3.35, 0.0, 10.2);
const int BUILDINGS = 15;                           // on either side
const int SIGNS = 6, LAMPS = 16, BULBS = LAMPS + 4, LIGHTS = BULBS + SIGNS;
const int LAMP = 0, HEAD = 1, TAIL = 2, NEON = 3;   // kinds of lights
// What a ray meets; those after SIGN are sphere traced.
const int SKY = 0, GROUND = 1, FACADE = 2, TRIM = 3, AWNING = 4, SIGN = 5;
const int IRON = 6, CAR = 7, COAT = 8, UMBRELLA = 9, BOLLARD = 10;
struct Hit { float t; int kind, index; vec3 n; };   // index: of the building or sign

// f0: reflectance head-on, alpha: GGX roughness, mirror: trace it, trans: light from behind.
struct Surface { vec3 n, albedo, emit; float f0, alpha; bool mirror; float trans; };
// The same for every texel, so filled once per work group:
shared vec4 s_building[2 * BUILDINGS];   // z0, z1, height, distance of the front from x = 0
shared vec4 s_light_pos[LIGHTS];         // xyz, kind
shared vec4 s_light_col[LIGHTS];         // intensity, radius of the bulb
shared vec4 s_sign[SIGNS];               // x of the middle, y of the top, z, letters

// ---- hashes and noise ----
// PCG (O'Neill 2014; Jarzynski and Olano 2020): integers, so every driver draws the same street.
uint pcg(uint v) {
    uint s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
    return (w >> 22u) ^ w;
}
float unit(uint h) { return float(h >> 8) * (1.0 / 16777216.0); }
float pick(uint h, uint k) { return unit(pcg(h + k)); }
float sat(float x) { return clamp(x, 0.0, 1.0); }
uint key(int a, int b, int c) {
    return pcg(uint(a) * 0x9e3779b9u + pcg(uint(b) * 0x85ebca6bu + pcg(uint(c) + u_seed * 977u)));
}
float rnd(int a, int b, int c) { return unit(key(a, b, c)); }
float noise(vec2 p) {
    vec2 i = floor(p), f = (p - i) * (p - i) * (3.0 - 2.0 * (p - i));
    const uint dx = 0x9e3779b9u, dy = 0x85ebca6bu;
    uint n = uint(int(i.x)) * dx + uint(int(i.y)) * dy + u_seed * 0xc2b2ae35u;
    return mix(mix(pick(n, 0u), pick(n, dx), f.x), mix(pick(n, dy), pick(n, dx + dy), f.x), f.y);
}
float fbm(vec2 p) {
    float s = 0.0;
    for (float a = 0.5; a > 0.05; a *= 0.5, p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.3)
        s += a * noise(p);
    return s;
}

// Staggered bricks or slabs with joints: 0 in the joints, else a tone around 1 that varies.
float bricks(vec2 p, float joint) {
    p.x += 0.5 * mod(floor(p.y), 2.0); vec2 f = abs(fract(p) - 0.5);
    float tone = 0.75 + 0.5 * unit(pcg(uint(int(floor(p.x)) * 5741 + int(floor(p.y)) * 33)));
    return max(f.x, f.y) > joint ? 0.0 : tone;
}

// ---- the layout of the street ----
// Letters as sets of strokes between the points of a 3 x 3 grid (x0, y0, x1, y1, two bits each).
const uint STROKE[16] = uint[16](0x98u, 0xa9u, 0x6au, 0x26u, 0x12u, 0x01u, 0x40u, 0x84u,
                                 0x54u, 0x65u, 0x58u, 0x59u, 0x5au, 0x50u, 0x51u, 0x52u);
const uint WORD[40] = uint[40](   // HOTEL RAMEN CAFE JAZZ ROXY MUSIC PIZZA LUNA
    0x03ccu, 0x00ffu, 0x4803u, 0x01f3u, 0x00f0u,  0x83c7u, 0x03cfu, 0x14ccu, 0x01f3u, 0x84ccu,
    0x00f3u, 0x03cfu, 0x01c3u, 0x01f3u, 0x0000u,  0x007cu, 0x03cfu, 0x3033u, 0x3033u, 0x0000u,
    0x83c7u, 0x00ffu, 0xb400u, 0x5400u, 0x0000u,  0x14ccu, 0x00fcu, 0x03bbu, 0x4833u, 0x00f3u,
    0x03c7u, 0x4833u, 0x3033u, 0x3033u, 0x03cfu,  0x00f0u, 0x00fcu, 0x84ccu, 0x03cfu, 0x0000u);
const int LETTERS[8] = int[8](5, 5, 4, 4, 4, 5, 5, 4);
vec3 neon_colour(int i) {
    const vec3 c[5] = vec3[5](vec3(1.0, 0.09, 0.16), vec3(0.10, 0.55, 1.0), vec3(1.0, 0.42, 0.06),
                              vec3(0.10, 0.95, 0.55), vec3(0.95, 0.12, 0.85));
    return c[(i + int(u_seed % 5u)) % 5];
}
vec3 warm(float k) { return mix(vec3(1.0, 0.50, 0.19), vec3(1.0, 0.83, 0.60), k); }
int sign_word(int i) { return int((uint(i) + u_seed) % 8u); }
bool lit_shop(int b) { return rnd(b, 13, 4) < (b % BUILDINGS < 3 ? 0.95 : 0.75); }
float side_of(int i) { return (i & 1) == 0 ? -1.0 : 1.0; }
vec4 building(int side, int i) {
    vec2 z = vec2(rnd(side, i, 1), rnd(side, i + 1, 1)) * 5.0 + 12.0 * vec2(i, i + 1) - 14.0;
    return vec4(z, 10.0 + 8.5 * rnd(side, i, 2), WALL + 0.4 * rnd(side, i, 3));
}
// The signs hang out from every other building, left and right in turn.
vec4 sign_place(int i) {
    vec4 b = building(i & 1, 3 + i - (i & 1)); float n = float(LETTERS[sign_word(i)]);
    return vec4(side_of(i) * (b.w - 0.95), 4.7 + 0.85 * n + rnd(i, 5, 5), b.x + 0.5, n);
}
// The cars drive from end to end and begin again, out of sight; metres a second.
float ahead_at() { return mod(35.5 + 7.0 * STREET_TIME, 140.0) - 10.0; }
float meeting_at() { return mod(63.8 - 9.0 * STREET_TIME, 140.0) - 10.0; }
const float AHEAD_SPEED = 7.0, MEETING_SPEED = -9.0;
// Worn lamps blink: in some twelfths of a second they are nearly out. At time 0 all is lit.
float flicker(int i) {
    bool worn = i == 3 || i == 6 || i == BULBS + 1;
    int tick = int(floor(STREET_TIME * 12.0)), spell = tick / 9;
    return worn && tick != 0 && rnd(i, spell, 91) < 0.5 && rnd(i, tick, 92) < 0.45 ? 0.06 : 1.0;
}
void build_street(int i) {
    if (i < 2 * BUILDINGS) s_building[i] = building(i / BUILDINGS, i % BUILDINGS);
    if (i < SIGNS) s_sign[i] = sign_place(i);
    if (i >= LIGHTS) return;
    float side = side_of(i); vec4 s = sign_place(max(i - BULBS, 0));
    float z = float(i / 2 * 17) + (side < 0.0 ? 18.5 : 10.0);
    s_light_pos[i] = i < LAMPS ? vec4(side * 3.9, 4.62, z, LAMP)
                   : i < LAMPS + 2 ? vec4(-1.5 + 0.6 * side, 0.66, meeting_at() - 2.2, HEAD)
                   : i < BULBS ? vec4(1.75 + 0.6 * side, 0.72, ahead_at() - 2.15, TAIL)
                   : vec4(s.x, s.y - 0.42 * s.w, s.z, NEON);
    s_light_col[i] = i < LAMPS ? vec4(105.0 * vec3(1.0, 0.60, 0.27), 0.09)
                   : i < LAMPS + 2 ? vec4(260.0 * vec3(1.0, 0.93, 0.80), 0.16)
                   : i < BULBS ? vec4(14.0 * vec3(1.0, 0.035, 0.02), 0.09)
                   : vec4(22.0 * neon_colour(i - BULBS), 0.0);
    s_light_col[i].rgb *= flicker(i);
}

// ---- distance functions of what stands in the street ----
// Built from the usual primitives and blends (see Quilez, "distance functions", for the family).
float sd_box(vec3 p, vec3 b) {
    vec3 q = abs(p) - b;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}
float sd_capsule(vec3 p, vec3 a, vec3 b, float r) {
    return length(p - a - (b - a) * sat(dot(p - a, b - a) / dot(b - a, b - a))) - r;
}
float line(vec2 p, vec2 a, vec2 b) { return sd_capsule(vec3(p, 0), vec3(a, 0), vec3(b, 0), 0.0); }
float smin(float a, float b, float k) {
    float h = max(k - abs(a - b), 0.0) / k;
    return min(a, b) - 0.25 * k * h * h;
}
float smax(float a, float b, float k) { return -smin(-a, -b, k); }
vec2 nearer(vec2 a, vec2 b) { return a.x < b.x ? a : b; }

// A lamp post: the pole at x = 0, the road towards negative x, the bulb at (-1.2, 4.62, 0).
float sd_lamp(vec3 p) {
    float r = length(p.xz), d = max(r - mix(0.085, 0.05, sat(p.y * 0.25)), p.y - 4.92);
    d = min(d, max(r - 0.12 - 0.03 * step(p.y, 0.35), p.y - 0.95));
    vec2 q = vec2(p.x + 0.6, p.y - 4.9);
    if (q.y > 0.0) d = min(d, length(vec2(length(q) - 0.6, p.z)) - 0.035);
    q = vec2(length(vec2(p.x + 1.2, p.z)), p.y);   // the shade: a line, turned
    return min(d, line(q, vec2(0.06, 4.92), vec2(0.31, 4.66)) - 0.014);
}

// p in the frame of the nearest car (z forward): 0 drives ahead, 1 meets us, the others are parked.
vec3 car_space(vec3 p, out int id) {
    vec3 a = p - vec3(1.75, 0.0, ahead_at()), b = p - vec3(-1.5, 0.0, meeting_at());
    id = abs(b.z) < abs(a.z) ? 1 : 0;
    if (id == 1) a = b * vec3(-1.0, 1.0, -1.0);
    float side = p.x < 0.2 ? -1.0 : 1.0, z = p.z - (side < 0.0 ? 15.0 : 37.0);
    float k = clamp(floor(z / 6.4 + 0.5), 0.0, 7.0);
    int parked = 2 + int(k) + (side < 0.0 ? 0 : 8);
    b = vec3(p.x - side * 3.58, p.y, z - 6.4 * k - 1.2 * rnd(parked, 1, 20));
    if (max(abs(b.x) - 0.9, abs(b.z) - 2.2) > max(abs(a.x) - 0.9, abs(a.z) - 2.2)) return a;
    id = parked;
    return b * vec3(side, 1.0, side);
}
float sd_car(vec3 p, int id) {
    float bound = sd_box(p - vec3(0.0, 0.74, 0.0), vec3(0.92, 0.84, 2.25));
    if (bound > 0.35) return bound;
    float x = abs(p.x), y = p.y - 0.88, z2 = p.z * p.z;
    float body = sd_box(p - vec3(0.0, 0.57, 0.0), vec3(0.70, 0.17, 1.97)) - 0.16;
    // The cabin: the planes of roof, sides, rear window and windscreen, rounded together.
    float top = smax(y - 0.53 + 0.04 * z2 + 0.06 * x * x, 0.359 * y + 0.933 * (x - 0.80), 0.12);
    top = smax(top, 0.78 * y - 0.625 * (p.z + 1.78), 0.12);
    top = smax(top, 0.838 * y + 0.545 * (p.z - 1.15), 0.12);
    float d = smin(smax(body, y - 0.02 + 0.035 * z2, 0.05), max(top, -0.2 - y), 0.05);
    float wheel = length(vec2(p.y - 0.32, abs(p.z + 0.02) - 1.30));
    d = min(max(d, 0.375 - max(wheel, 0.60 - x)), max(wheel - 0.32, abs(x - 0.72) - 0.11));
    return id == 0 ? min(d, sd_box(p - vec3(0.0, 1.47, -0.3), vec3(0.17, 0.07, 0.06))) : d;
}

// Walkers under umbrellas, seen from behind: the subject, and two on the paths farther down.
int walker_at(inout vec3 p) {
    int id = p.z < 17.0 ? 0 : p.x < 0.0 ? 1 : 2;
    p -= id == 0 ? WALKER : id == 1 ? vec3(-6.1, KERB, 24.5) : vec3(6.2, KERB, 31.0);
    return id;
}
vec2 sd_walker(vec3 p) {
    walker_at(p); float bound = max(length(p.xz) - 0.75, abs(p.y - 1.05) - 1.10);
    if (bound > 0.4) return vec2(bound, COAT);
    vec3 q = vec3(abs(p.x), p.y, p.z * sign(p.x));   // the legs stride
    float legs = sd_capsule(q, vec3(0.10, 0.07, 0.22), vec3(0.09, 0.85, 0.0), 0.075);
    legs = min(legs, sd_capsule(q, vec3(0.10, 0.05, 0.18), vec3(0.11, 0.05, 0.32), 0.055));
    float d = length(vec2(p.x, p.z * 1.35)) - 0.19 - 0.07 * smoothstep(1.3, 0.58, p.y);
    d = max(d, max(0.58 - p.y, p.y - 1.36)) * 0.75;   // the coat; its shoulders and sleeves
    d = smin(d, sd_capsule(p, vec3(-0.13, 1.36, 0.0), vec3(0.13, 1.36, 0.0), 0.085), 0.08);
    d = smin(d, sd_capsule(q, vec3(0.21, 1.34, 0.0), vec3(0.28, 0.95, 0.08), 0.06), 0.05);
    d = smin(d, sd_capsule(p, vec3(0.28, 1.02, 0.10), vec3(0.16, 1.30, 0.26), 0.05), 0.04);
    float head = length((p - vec3(0.0, 1.60, 0.02)) * vec3(1.15, 0.95, 1.0)) - 0.115;
    d = min(min(d, legs), smin(head, length(p - vec3(0.0, 1.44, 0.0)) - 0.06, 0.08));
    float stick = sd_capsule(p, vec3(0.16, 1.15, 0.26), vec3(0.12, 2.16, 0.12), 0.013);
    p -= vec3(0.12, 1.42, 0.12);   // the canopy: a slice of a sphere, scalloped between eight ribs
    float rib = abs(fract(atan(p.z, p.x) * (4.0 / PI)) - 0.5);
    float canopy = max(abs(length(p) - 0.72) - 0.008, 0.40 - 0.07 * rib - p.y) * 0.9;
    return nearer(nearer(vec2(d, COAT), vec2(stick, IRON)), vec2(canopy, UMBRELLA));
}
vec2 map(vec3 p) {   // distance, kind
    int id; float z = p.z - (p.x < 0.0 ? 18.5 : 10.0), above = KERB - 0.01 - p.y;
    vec3 q = vec3(abs(p.x) - 5.1, p.y, z - 17.0 * clamp(floor(z / 17.0 + 0.5), 0.0, 7.0));
    vec2 d = vec2(max(sd_lamp(q), above), IRON);
    q = vec3(abs(p.x) - 4.95, p.y, p.z - 3.4 * floor(p.z / 3.4) - 1.7);
    float bollard = sd_capsule(q, vec3(0.0), vec3(0.0, 0.92, 0.0), 0.055);
    d = nearer(d, vec2(max(bollard, above), BOLLARD)); q = car_space(p, id);
    return nearer(nearer(d, vec2(sd_car(q, id), CAR)), sd_walker(p));
}
vec3 map_normal(vec3 p, float e) {
    vec3 n = vec3(0.0);
    for (int i = 0; i < 4; ++i) {   // a loop, so that map() is compiled once
        vec3 k = vec3((i + 3 >> 1) & 1, (i >> 1) & 1, i & 1) * 2.0 - 1.0;
        n += k * map(p + k * e).x;
    }
    return normalize(n);
}

// ---- intersection ----
// Slab test: the normal of the face that the ray enters, w = distance or FAR.
vec4 hit_box(vec3 ro, vec3 inv, vec3 lo, vec3 hi) {
    vec3 a = (lo - ro) * inv, b = (hi - ro) * inv, m = min(a, b), x = max(a, b);
    float t0 = max(m.x, max(m.y, m.z)), t1 = min(x.x, min(x.y, x.z));
    return vec4(vec3(equal(m, vec3(t0))) * -sign(inv), t0 < t1 && t0 > 1e-3 ? t0 : FAR);
}
// Only the side that the ray heads for can be met: mirrored to positive x.
void hit_buildings(vec3 ro, vec3 rd, inout Hit hit) {
    int side = rd.x < 0.0 ? 0 : 1;
    vec3 flip = vec3(side_of(side), 1.0, 1.0), n = normalize(vec3(-0.55, 1.0, 0.0));
    ro *= flip; rd = vec3(max(abs(rd.x), 1e-5), rd.yz);
    for (int k = 0; k < BUILDINGS; ++k) {   // in the order in which the ray meets them
        int i = side * BUILDINGS + (rd.z >= 0.0 ? k : BUILDINGS - 1 - k); vec4 b = s_building[i];
        float leave = ((rd.z >= 0.0 ? b.y : b.x) - ro.z) / rd.z;   // still in the street there?
        if (leave < 0.0 || ro.x + rd.x * leave < b.w - 1.3) continue;
        float t = hit.t, top = mix(b.x, b.y, 0.6 * fract(b.z * 7.0));
        for (int m = 0; m < 4; ++m) {   // walls, cornice, ledge, chimney
            vec3 lo = m == 0 ? vec3(b.w, 0.0, b.x) : m == 1 ? vec3(b.w - 0.38, b.z - 0.45, b.x)
                    : m == 2 ? vec3(b.w - 0.16, 3.86, b.x) : vec3(b.w + 1.5, 4.0, top);
            vec3 hi = m == 0 ? vec3(b.w + 14.0, b.z, b.y) : m == 1 ? vec3(b.w, b.z + 0.12, b.y)
                    : m == 2 ? vec3(b.w, 4.08, b.y) : vec3(b.w + 2.5, b.z + 2.0, top + 1.5);
            vec4 h = hit_box(ro, 1.0 / rd, lo, hi);
            if (h.w < hit.t) hit = Hit(h.w, m == 0 ? FACADE : TRIM, i, h.xyz * flip);
        }
        float u = dot(n, vec3(b.w, 3.25, 0.0) - ro) / dot(n, rd); vec2 p = ro.xz + rd.xz * u;
        bool on = p.x < b.w && p.x > b.w - 1.25 && p.y > b.x + 0.5 && p.y < b.y - 0.5 && u > 1e-3;
        if (on && u < hit.t && fract(b.z * 17.0) < 0.4)
            hit = Hit(u, AWNING, i, n * flip * -sign(dot(n, rd)));
        if (hit.t < t) break;
    }
}
Hit trace(vec3 ro, vec3 rd) {
    Hit hit = Hit(FAR, SKY, 0, vec3(0.0, 1.0, 0.0)); hit_buildings(ro, rd, hit);
    float t = (KERB - ro.y) / rd.y;   // the path, and the road below it
    if (abs(ro.x + rd.x * t) < ROAD) t = -ro.y / rd.y;
    if (t > 1e-3 && t < hit.t) hit = Hit(t, GROUND, 0, vec3(0.0, 1.0, 0.0));
    for (int i = 0; i < SIGNS; ++i) {
        vec4 s = s_sign[i]; t = (s.z - ro.z) / rd.z;
        vec2 p = ro.xy + rd.xy * t - s.xy;
        bool on = abs(p.x) < 0.5 && p.y < 0.0 && p.y > -0.85 * s.w - 0.25;
        if (on && t > 1e-3 && t < hit.t) hit = Hit(t, SIGN, i, vec3(0.0, 0.0, -sign(rd.z)));
    }
    // Whatever is sphere traced ends below 5.6 m.
    float top = (5.6 - ro.y) / rd.y, end = min(hit.t, rd.y > 0.0 ? min(top, 125.0) : 125.0);
    vec2 d = vec2(FAR); t = (rd.y < 0.0 ? max(top, 0.0) : 0.0) + 0.02;
    for (int i = 0; i < 80 && t < end; ++i) {
        d = map(ro + rd * t);
        if (d.x < 0.0006 * t + 0.0004) break;
        t += d.x;
    }
    if (t >= end || d.x > 0.004 * t + 0.01) return hit;
    return Hit(t, int(d.y), 0, map_normal(ro + rd * t, 0.0006 * t + 0.001));
}

// ---- sky and the far end ----
vec3 fog_colour(vec3 rd) {
    vec2 e = exp(-max(rd.y, 0.0) * vec2(4.5, 11.0));   // blue, and the glow of the town
    return vec3(0.0045, 0.0085, 0.026) + e.x * vec3(0.0215) + e.y * vec3(0.060, 0.034, 0.026);
}
vec3 sky(vec3 rd, float cone) {
    vec3 c = fog_colour(rd);
    float cloud = smoothstep(0.42, 0.75, fbm(rd.xz / (abs(rd.y) + 0.25) * vec2(1.3, 2.2) + 3.0));
    // Stars: at most one to a cell of the projected sky, never across its edge.
    vec2 g = rd.xy / max(rd.z, 0.1) * 46.0, i = floor(g); uint h = key(int(i.x), int(i.y), 77);
    vec2 o = 0.3 + 0.4 * vec2(unit(h), pick(h, 0u)) - (g - i);
    float w = max(cone * 46.0, 0.014), star = pow(pick(h, 1u), 8.0) * step(pick(h, 2u), 0.5);
    star *= 0.0022 * (1.0 - cloud) / (w * w) * exp(-dot(o, o) / (w * w));
    const float size = 0.0102;   // of the moon, which lights the cloud
    vec3 m = rd - normalize(vec3(0.155, 0.42, 1.0));
    float d = length(m), maria = smoothstep(0.35, 0.65, fbm(m.xy * (1.6 / size) + 20.0));
    c += cloud * (vec3(0.010, 0.010, 0.014) + vec3(0.05, 0.055, 0.07) * exp(-d * 7.0));
    vec3 moon = vec3(1.0, 0.95, 0.84) * mix(4.5, 1.3, maria) * (1.0 - 0.5 * cloud);
    return mix(c + vec3(0.8, 0.9, 1.0) * star, moon, smoothstep(0.5, -0.5, (d - size) / cone));
}

// The clock tower and the houses that close the street: so far away that a flat drawing will do.
vec4 far_end(vec3 p) {
    vec2 q = vec2(abs(p.x + 1.5), p.y), k = p.xy - vec2(-1.5, 26.5), cell = p.xy / vec2(1.3, 2.4);
    float wide = q.y < 31.0 ? 3.3 : q.y < 32.0 ? 3.8 : q.y < 35.0 ? 2.5 : 2.9 - (q.y - 35.0) * 0.22;
    if (q.x > wide && q.y > 12.0 + 5.0 * rnd(int(floor(p.x / 6.0)), 2, 31)) return vec4(0.0);
    vec3 c = vec3(0.012) + vec3(0.20, 0.12, 0.06) * exp(-q.y * 0.12); ivec2 i = ivec2(floor(cell));
    if (q.x < wide) {
        c += vec3(0.16, 0.095, 0.045) * smoothstep(34.0, 18.0, q.y) * (1.2 - 0.2 * q.x);
        float louvre = max(abs(q.y - 33.4) - 1.1, max(q.x - 1.5, abs(fract(q.x) - 0.5) - 0.32));
        float hands = min(line(k, vec2(0.0), vec2(0.45, 0.8)), line(k, vec2(0.0), vec2(-1.5, 0.9)));
        c = louvre < 0.0 ? vec3(2.6, 1.5, 0.6) : length(k) > 2.2 ? c
          : hands < 0.16 || length(k) > 2.0 ? vec3(0.05) : vec3(5.5, 4.6, 3.0);
    } else if (max(fract(cell.x), fract(cell.y)) < 0.56 && rnd(i.x, i.y, 32) < 0.35)
        c += vec3(2.0, 1.3, 0.6) * rnd(i.x, i.y, 33);   // a lit window
    return vec4(c, 1.0);
}

// ---- surfaces ----
// A ray that enters a lit room through a pane at o; h varies the room, soft hides its detail.
vec3 room(vec3 o, vec3 d, vec3 size, bool shop, uint h, vec3 light, float soft) {
    vec3 t = (size * sign(d) - o) / d; t.z = (2.0 * size.z - o.z) / max(d.z, 1e-4);
    float m = min(t.x, min(t.y, t.z));
    vec3 p = o + d * m, e = vec3((unit(h) - 0.5) * size.x, size.y - 0.35, size.z), l = e - p;
    vec3 c = mix(vec3(0.75, 0.64, 0.50), vec3(0.52, 0.57, 0.58), pick(h, 0u));
    float b = dot(e - o, d), glow = 9.0 * smoothstep(0.030, 0.022, dot(e - o, e - o) - b * b);
    if (m == t.y) c = d.y > 0.0 ? vec3(0.80) : vec3(0.26, 0.17, 0.10);
    else if (shop) {   // shelves with goods
        vec2 g = vec2(m == t.z ? p.x : p.z, p.y) / vec2(0.22, 0.42);
        uint k = pcg(h + uint(int(floor(g.y)) * 131)); g.x *= 0.5 + unit(k);
        k = pcg(k + uint(int(floor(g.x)))); g = fract(g);
        vec3 hue = mix(vec3(unit(k)), vec3(pick(k, 2u), pick(k, 3u), pick(k, 4u)), 0.45);
        bool gap = g.x > 0.90 || g.y < 0.08 || g.y > 0.35 + 0.55 * pick(k, 1u);
        c *= mix(gap ? vec3(g.y < 0.08 ? 0.6 : 0.14) : 0.10 + 0.7 * hue, vec3(0.3), soft);
    }
    c *= light * (shop ? 0.22 + 1.6 / (0.8 + dot(l, l)) : 0.14 + 1.3 / (0.5 + dot(l, l)));
    vec2 q = (o + d * (0.9 / max(d.z, 1e-3))).xy - vec2((pick(h, 21u) - 0.5) * size.x, -size.y);
    float body = min(line(q, vec2(0, 0.2), vec2(0, 1.24)) - 0.21, length(q - vec2(0, 1.6)) - 0.115);
    if (body < 0.0 && 0.9 < m * d.z && pick(h, 22u) < 0.3) return c * 0.06;   // somebody
    return c + light * glow * (1.0 - soft);
}

// Distance to the strokes of a letter; g runs over the unit square, drawn as wide and high as size.
float letter(int word, int k, vec2 g, vec2 size) {
    float d = 1.0;
    for (int i = 0; i < 16; ++i) {
        vec4 ends = 0.5 * size.xyxy * vec4(uvec4(STROKE[i]) >> uvec4(0u, 2u, 4u, 6u) & 3u);
        if ((WORD[word * 5 + k] >> i & 1u) != 0u) d = min(d, line(g * size, ends.xy, ends.zw));
    }
    return d;
}
void facade(Hit hit, vec3 p, vec3 rd, float blur, inout Surface s) {
    vec4 b = s_building[hit.index]; bool street = abs(hit.n.x) > 0.5, shop = p.y < 3.86;
    float u = street ? p.z - b.x : abs(p.x), width = b.y - b.x; uint h = key(hit.index, 5, 1);
    int style = int(pick(h, 0u) * 3.0);   // brick, render, stone
    vec3 base = style == 0 ? mix(vec3(0.30, 0.13, 0.085), vec3(0.20, 0.10, 0.075), unit(h))
              : style == 1 ? mix(vec3(0.42, 0.36, 0.28), vec3(0.28, 0.32, 0.33), unit(h))
              : mix(vec3(0.34, 0.31, 0.28), vec3(0.24, 0.24, 0.25), unit(h));
    s.albedo = base * (0.55 + 0.9 * fbm(vec2(u * 0.9, p.y * 0.35) + unit(h) * 50.0));
    if (style == 0) s.albedo *= max(bricks(vec2(u, p.y) / vec2(0.24, 0.078), 0.44), 0.55);
    if (style == 2) s.albedo *= max(bricks(vec2(u, p.y) / vec2(0.90, 0.420), 0.485), 0.55);
    if (!street || p.y > b.z - 0.9) return;
    // The grid of windows: o is the place in a cell, from its middle.
    float tall = 3.1 + 0.5 * pick(h, 3u), cell = shop ? 3.3 : 1.9 + 1.2 * pick(h, 4u);
    cell = width / max(floor(width / cell), 1.0);
    float col = floor(u / cell), row = shop ? -1.0 : floor((p.y - 4.08) / tall);
    uint w = pcg(h + uint(int(col) * 61 + int(row) * 1733));
    bool door = shop && pick(w, 9u) < 0.28; float mid = shop ? 1.72 : 4.08 + (row + 0.52) * tall;
    vec2 o = vec2(u - (col + 0.5) * cell, p.y - (door ? 1.5 : mid));
    vec2 win = door ? vec2(0.75, 1.45) : shop ? vec2(cell * 0.5 - 0.28, 1.22)
             : vec2(min(cell * 0.30, 0.75), tall * 0.30), a = abs(o) - win;
    if (shop && p.y > 3.02 && p.y < 3.74) {   // fascia with lit letters
        float hue = pick(h, 7u), x = (u - 0.5 * width) * (p.x > 0.0 ? -2.0 : 2.0);
        s.albedo = hue < 0.3 || hue > 0.7 ? vec3(0.016, 0.03, 0.04) : vec3(0.09, 0.015, 0.012);
        int word = 1 + int(pick(h, 14u) * 7.0), n = LETTERS[word]; x += 0.5 * float(n);
        if (!lit_shop(hit.index) || x < 0.0 || x >= float(n)) return;
        vec2 g = vec2((fract(x) - 0.5) / 0.6 + 0.5, (p.y - 3.20) / 0.36);
        float e = letter(word, int(x), g, vec2(0.30, 0.36)), r = 0.034 + 0.5 * blur;
        vec3 c = hue < 0.5 ? vec3(1.0, 0.78, 0.50) : neon_colour(hit.index) + 0.05;
        s.emit = c * (6.0 * 0.034 / r * smoothstep(r, r * 0.6, e));
        return;
    }
    float out_of = max(a.x, a.y);   // surround and sill
    if (out_of > 0.0 && out_of < 0.15) s.albedo = (base * 0.4 + 0.26) * (o.y < -win.y ? 1.3 : 1.0);
    if (out_of > 0.0) return;
    // The pane lies 0.2 m behind the wall, so that the reveal hides part of it.
    vec3 d = vec3(rd.z, rd.y, abs(rd.x)), q = vec3(o, 0.0) + d * (0.2 / max(d.z, 1e-3));
    a = abs(q.xy) - win; out_of = max(a.x, a.y);
    bool level = a.x * abs(d.y) < a.y * abs(d.x);
    if (out_of > 0.0) s.n = -sign(rd) * (level ? vec3(0, 1, 0) : vec3(0, 0, 1));
    s.albedo = out_of > 0.0 ? base * 0.5 + 0.15 : vec3(pick(h, 8u) < 0.5 ? 0.35 : 0.05);
    float bar = shop ? abs(q.y - 0.62) - 0.01 : min(abs(q.x), abs(q.y - win.y * 0.25));
    if (out_of > -0.06 || (!door && bar < 0.03)) return;
    s = Surface(s.n, vec3(0.004), vec3(0.0), 0.045, 0.02, true, 0.0);
    if (shop ? !lit_shop(hit.index) : pick(w, 1u) > 0.40) return;
    float hue = pick(w, 2u), power = pick(w, 3u), drape = pick(w, 4u), cut = pick(w, 5u);
    vec3 light = shop ? warm(pick(h, 12u)) * (1.7 + 1.5 * pick(h, 13u))
               : (hue > 0.88 ? vec3(0.30, 0.52, 1.0) : warm(hue)) * (0.3 + 2.4 * power * power);
    vec3 size = vec3(cell * 0.5, shop ? 1.75 : tall * 0.45, shop ? 2.6 : 1.7);
    s.emit = room(q - vec3(0.0, 0.1, 0.0), d, size, shop, w, light, sat(blur * 3.0));
    bool blind = drape < 0.25, cloth = blind ? q.y > win.y * (1.4 * cut - 0.9)
                                             : abs(q.x) > win.x * (0.35 + 0.9 * cut);
    float fold = 0.7 + 0.3 * (blind ? step(0.3, fract(q.y * 12.0)) : sin(q.x * 42.0));
    if (!shop && drape < 0.75 && cloth) s.emit = light * vec3(0.34, 0.29, 0.24) * fold;
}
// Slopes of the rings that drops leave on water: in each cell of 0.35 m one drop after the other.
vec2 ripples(vec2 p) {
    vec2 tilt = vec2(0.0);
    for (int k = 0; k < 2; ++k) {
        vec2 g = p / 0.35 + 0.87 * float(k), cell = floor(g);
        int drop = int(cell.x) * 57 + int(cell.y) + 7919 * k;
        float beat = STREET_TIME * 1.7 + 9.0 * rnd(drop, 1, 95); int turn = int(floor(beat));
        vec2 o = g - cell - 0.5 - 0.3 * (vec2(rnd(drop, turn, 96), rnd(drop, turn, 97)) - 0.5);
        float age = fract(beat), r = length(o), ring = (r - 0.38 * age) / 0.035;
        if (rnd(drop, turn, 98) < STREET_RAIN)
            tilt += o / max(r, 1e-3) * (-ring * exp(-ring * ring) * 0.10 * (1.0 - age));
    }
    return tilt;
}
void ground(vec3 p, float foot, inout Surface s) {
    float grain = noise(p.xz * 45.0), edge = abs(p.x) - ROAD;
    float fade = 1.0 / (1.0 + 6e4 * foot * foot);   // of what is finer than a texel
    float stones = mix(0.5, noise(p.xz * 110.0), fade);
    float wet = smoothstep(0.30, 0.62, fbm(p.xz * 0.8 + 40.0)); bool path = edge > -0.01;
    // Water stands in hollows, gutters and wheel tracks, and where it mirrors the walker.
    float track = abs(abs(abs(p.x) - 1.7) - 0.75), level = fbm(p.xz * vec2(0.55, 0.30) + 11.0);
    level += 0.07 * exp(-8.0 * track * track) + (path ? 0.0 : 0.14 * exp(2.5 * edge));
    vec2 e = mat2(0.95, 0.30, -0.30, 0.95) * (p.xz - vec2(2.0, 6.0)) / vec2(0.95, 2.6);
    level += 0.30 * exp(-dot(e, e)) + 0.012 * fade * (grain - 0.5);
    float puddle = smoothstep(0.545, 0.570, level) * (path ? 0.35 : 1.0);
    vec3 c = vec3(0.036, 0.036, 0.040) * (0.6 + 0.8 * stones);
    float slab = edge < 0.28 ? 1.1 : max(bricks(vec2(p.z / 0.6, edge / 0.75), 0.485), 0.35);
    if (path) c = vec3(0.085, 0.080, 0.076) * slab * (0.8 + 0.4 * stones);
    else {   // centre line and crossing
        float paint = step(abs(p.x), 0.07) * step(fract(p.z / 6.0 + 0.15), 0.5) * step(20.0, p.z);
        paint += step(abs(p.z - 14.2), 1.7) * step(fract(p.x + 0.25), 0.5) * step(edge, -0.35);
        float wear = smoothstep(0.25, 0.5, noise(p.xz * 9.0) * 0.6 + stones * 0.4);
        c = mix(c, vec3(0.36), paint * wear * 0.85);
    }
    float bump = (path ? 0.05 : 0.11) * mix(1.0, 0.55, wet) * (1.0 - puddle) * fade;
    vec2 tilt = bump * (vec2(grain, noise(p.xz * 45.0 + 31.7)) - 0.5);
    tilt += 0.0045 * puddle * (vec2(noise(p.xz * 7.0), noise(p.xz * 7.0 + 17.0)) - 0.5);
    if (STREET_RAIN > 0.0) tilt += fade * max(puddle, 0.15 * wet) * ripples(p.xz);
    s = Surface(normalize(vec3(tilt.x, 1.0, tilt.y)), c * (1.0 - 0.4 * wet) * (1.0 - 0.6 * puddle),
                vec3(0.0), 0.025, mix(mix(0.24, 0.11, wet), 0.009, puddle), true, 0.0);
    int id;   // next to nothing reaches the ground under a car
    vec2 q = max(abs(car_space(p, id).xz) - vec2(0.75, 2.0), 0.0);
    s.albedo *= path ? 1.0 : 0.12 + 0.88 * smoothstep(0.0, 0.55, length(q));
    for (int i = 0; i < BUILDINGS; ++i) {   // what falls out of the shop windows
        int k = (p.x < 0.0 ? 0 : BUILDINGS) + i; vec4 b = s_building[k];
        if (p.z < b.x || p.z > b.y || !lit_shop(k)) continue;
        float x = max(b.w - abs(p.x), 0.0), e = smoothstep(0.0, 1.6, min(p.z - b.x, b.y - p.z));
        e *= 3.0 * (0.15 + 0.85 * sat(x)) / (1.0 + 0.45 * x * x);
        s.emit += s.albedo * warm(pick(key(k, 5, 1), 12u)) * e;
    }
}
void car(vec3 p, inout Surface s) {
    int id; vec3 q = car_space(p, id);
    float x = abs(q.x), y = q.y - 0.88, hue = rnd(id, 3, 21);
    float wheel = length(vec2(q.y - 0.32, abs(q.z + 0.02) - 1.30));
    bool side = abs(s.n.x) > 0.6, rear = q.z < 0.0, end = abs(q.z) > 1.85;
    bool pane = side ? q.z > 1.25 * y - 1.58 && q.z < 0.99 - 1.54 * y && abs(q.z + 0.3) > 0.04
                     : x < 0.74 - 0.385 * y;
    vec3 c = hue < 0.25 ? vec3(0.012, 0.013, 0.016) : hue < 0.40 ? vec3(0.16, 0.010, 0.010)
           : hue < 0.60 ? vec3(0.010, 0.030, 0.085) : hue < 0.70 ? vec3(0.012, 0.06, 0.045)
           : hue < 0.85 ? vec3(0.16, 0.165, 0.175) : vec3(0.42, 0.41, 0.39);
    bool grille = end && !rear && x < 0.40 && abs(q.y - 0.66) < 0.07;
    bool lamp = end && x > 0.42 && abs(q.y - (rear ? 0.72 : 0.66)) < 0.075;
    bool glass = y > 0.06 && y < 0.43 && pane && abs(s.n.y) < 0.93;
    bool plate = end && x < 0.26 && abs(q.y - 0.52) < 0.06, tyre = wheel < 0.345 && q.y < 0.65;
    c = tyre ? vec3(wheel < 0.21 && wheel > 0.05 ? 0.22 : 0.010) : glass ? vec3(0.003)
      : lamp ? vec3(0.3, rear ? vec2(0.01) : vec2(0.3)) : plate ? vec3(0.5, 0.48, 0.40)
      : grille || q.y < 0.40 ? vec3(0.012) : c;
    s = Surface(s.n, c, vec3(0.0), 0.04, 0.05, !tyre, 0.0);
    if (id == 0 && q.y > 1.42) s.emit = vec3(5.0, 3.6, 1.2);   // the sign of a taxi
    if (lamp && id < 2 && rear == (id == 0)) s.emit = rear ? vec3(4.5, 0.10, 0.05) : vec3(13.0);
}

// A neon sign: tube letters one above the other on a dark panel, with a tube around them.
vec3 neon(Hit hit, vec3 p, float blur) {
    vec4 s = s_sign[hit.index]; vec2 q = vec2(p.x - s.x, s.y - p.y);
    float k = clamp(floor((q.y - 0.125) / 0.85), 0.0, s.w - 1.0), w = 0.024 + blur;
    vec2 g = vec2(q.x * -hit.n.z / 0.50 + 0.5, (0.825 + 0.85 * k - q.y) / 0.55);
    float d = letter(sign_word(hit.index), int(k), g, vec2(0.50, 0.55));
    vec2 f = abs(q - vec2(0.0, 0.425 * s.w + 0.125)) - vec2(0.35, 0.425 * s.w - 0.025);
    float rim = abs(length(max(f, 0.0)) + min(max(f.x, f.y), 0.0) - 0.08);
    vec3 e = neon_colour(hit.index) + 0.08, e2 = neon_colour(hit.index + 2) + 0.06;
    e *= 24.0 * smoothstep(w, w * 0.35, d) + 0.35 * exp(-d * 14.0);   // with the glow on the panel
    e2 *= 7.0 * smoothstep(w * 0.7, w * 0.2, rim) + 0.15 * exp(-rim * 16.0);
    return (e + e2) * (0.024 / w) * flicker(BULBS + hit.index);
}
void surface(Hit hit, vec3 p, vec3 rd, float foot, float blur, inout Surface s) {
    if (hit.kind == GROUND) ground(p, foot, s);
    else if (hit.kind == FACADE) facade(hit, p, rd, blur, s);
    else if (hit.kind == TRIM) s.albedo = vec3(0.18, 0.16, 0.14) * (0.5 + noise(3.0 * p.zy));
    else if (hit.kind == SIGN) s.emit = neon(hit, p, blur);
    else if (hit.kind == CAR) car(p, s);
    else if (hit.kind == COAT) s.albedo = vec3(p.y < 0.58 || p.y > 1.5 ? 0.016 : 0.046);
    else if (hit.kind == BOLLARD) s.albedo = vec3(abs(p.y - 0.86) < 0.05 ? 0.5 : 0.02);
    else if (hit.kind == AWNING && fract(p.z / 0.7) < 0.5) s.albedo = vec3(0.55, 0.50, 0.42);
    else if (hit.kind == AWNING) s.albedo = neon_colour(hit.index) * 0.45 + 0.01;
    else if (hit.kind == UMBRELLA) s.albedo = neon_colour(2 * walker_at(p)) * 0.5;
    s.trans = hit.kind == AWNING ? 0.35 : hit.kind == UMBRELLA ? 0.55 : 0.0;   // cloth
}

// ---- light ----
float fresnel(float f0, float c) { return f0 + (1.0 - f0) * pow(1.0 - c, 5.0); }   // Schlick 1994

// How much of a lamp in direction l the first walker leaves: a post under a disc.
float walker_shadow(vec3 p, vec3 l) {
    vec2 o = WALKER.xz - p.xz;
    float s = dot(o, l.xz) / (dot(l.xz, l.xz) + 1e-4), y = p.y + l.y * s, soft = 0.03 + 0.05 * s;
    if (dot(o, o) < 0.6 && p.y > 0.1) return p.y > 1.7 ? 1.0 : 0.6;   // on the walker
    float r = y < 1.55 ? 0.24 : y < 2.1 ? 0.62 : -1.0;
    return s < 0.05 ? 1.0 : smoothstep(r - soft, r + soft, length(l.xz * s - o));
}

// Diffuse and, if glossy, GGX reflection of every light at a point; v points to the viewer.
vec3 shine(vec3 p, vec3 v, Surface s, bool glossy) {
    vec3 sum = vec3(0.0); float nv = max(dot(s.n, v), 0.02);
    for (int i = 0; i < LIGHTS; ++i) {
        vec4 pos = s_light_pos[i], col = s_light_col[i]; vec3 l = pos.xyz - p;
        float d2 = dot(l, l), near = inversesqrt(d2), nl = dot(s.n, l) * near, lobe;
        if (nl <= 0.0 && s.trans == 0.0) continue;
        int kind = int(pos.w); l *= near;
        if (kind == LAMP) lobe = (0.02 + 0.98 * smoothstep(-0.02, 0.42, l.y)) * walker_shadow(p, l);
        else if (kind == HEAD) lobe = 0.03 + smoothstep(0.80, 0.995, l.z);
        else lobe = kind == TAIL ? sat(l.z * 1.2) : 0.3 + 0.7 * abs(l.z);
        vec3 e = col.rgb * (lobe / (d2 + 0.02));
        sum += e * s.albedo * ((max(nl, 0.0) + s.trans * max(-nl, 0.0)) / PI);
        if (!glossy || nl <= 0.0 || kind == NEON) continue;
        // A sphere light widens the lobe and thins it (Karis 2013).
        vec3 h = normalize(l + v); float a2 = pow(min(s.alpha + 0.5 * col.w * near, 1.0), 2.0);
        float nh = sat(dot(s.n, h)), k = nh * nh * (a2 - 1.0) + 1.0;
        float g = nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2);
        sum += e * (fresnel(s.f0, sat(dot(h, v))) * nl * 0.22 * a2 / (g * PI * k * k));
    }
    return sum;
}

// A bulb beside a ray that is foot wide there: a Gaussian that samples resolve, of constant power.
float glint(float d2, float r, float foot) {
    float w2 = max(r * r, 0.36 * foot * foot);
    return d2 < 14.0 * w2 ? r * r / w2 * exp(-d2 / w2) : 0.0;
}

// The bulbs of the street in front of t.
vec3 bulbs(vec3 ro, vec3 rd, float t, float cone) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < BULBS; ++i) {
        vec4 col = s_light_col[i]; vec3 l = s_light_pos[i].xyz - ro;
        float along = dot(l, rd), peak = i < LAMPS ? 3600.0 : i < LAMPS + 2 ? 2600.0 : 90.0;
        if (along < 0.0 || along > t + 0.3 || (i >= LAMPS && rd.z < 0.0)) continue;
        float g = glint(max(dot(l, l) - along * along, 0.0), col.w * 0.36, cone * along);
        sum += col.rgb / col.r * (peak * g * (i < LAMPS ? flicker(i) : 1.0));
    }
    return sum;
}

// Strings of small bulbs across the street, each in a plane of constant z; w: what the wires leave.
vec4 garlands(vec3 ro, vec3 rd, float t_max, float cone) {
    vec4 sum = vec4(0.0, 0.0, 0.0, 1.0);
    for (int i = 0; i < 5; ++i) {
        float t = (19.0 + 13.0 * float(i) - ro.z) / rd.z, foot = cone * t;
        vec2 p = ro.xy + rd.xy * t;
        if (t < 0.0 || t > t_max || abs(p.x) > WALL + 0.3) continue;
        p.y -= 5.4 + 0.6 * rnd(i, 2, 61) + (0.022 - 0.007 * rnd(i, 1, 61)) * p.x * p.x;
        sum.w *= 1.0 - 0.9 * min(0.012 / foot, 1.0) * smoothstep(foot + 0.012, 0.0, abs(p.y));
        p = vec2((fract(p.x / 0.62) - 0.5) * 0.62, p.y + 0.07);
        sum.rgb += vec3(1.0, 0.66, 0.32) * (420.0 * glint(dot(p, p), 0.020, foot));
    }
    return sum;
}

Hit first; Surface first_surface; float mirrored;   // met first; metres on to what it mirrors, or 0
// Light along one path; xi varies the reflection off rough ground.
vec3 radiance(vec3 ro, vec3 rd, float pixel, vec2 xi) {
    vec3 sum = vec3(0.0), light; float through = 1.0, cone = pixel, limit = 6e4; bool wet = false;
    for (int bounce = 0; bounce < 2; ++bounce) {
        Hit hit = trace(ro, rd); vec3 p = ro + rd * hit.t;
        Surface s = Surface(hit.n, vec3(0.02), vec3(0.0), 0.04, 0.36, false, 0.0);
        if (hit.kind == SKY) {
            float t = (150.0 - ro.z) / rd.z; vec4 c = t > 0.0 ? far_end(ro + rd * t) : vec4(0.0);
            light = c.w > 0.0 ? mix(fog_colour(rd), c.rgb, exp(-FOG * t)) : sky(rd, cone);
        } else {
            surface(hit, p, rd, cone * hit.t, (cone - pixel) * hit.t * 0.5, s);
            light = s.emit + shine(p, -rd, s, bounce == 0 && (!s.mirror || hit.kind == GROUND));
            // What the sky and the lit street add everywhere.
            light += s.albedo * vec3(0.014, 0.022, 0.044) * (0.7 + 0.3 * s.n.y);
            light += s.albedo * vec3(0.045, 0.028, 0.016) * exp(-0.16 * p.y);
            light = mix(fog_colour(rd), light, exp(-FOG * hit.t));
        }
        mirrored = float(bounce) * hit.t; if (bounce == 0) { first = hit; first_surface = s; }
        vec4 wires = garlands(ro, rd, hit.t, cone); light = light * wires.w + wires.rgb;
        if (!wet) light += bulbs(ro, rd, hit.t, cone);   // wet ground had them in shine()
        sum += through * min(light, vec3(limit));
        if (!s.mirror) break;
        // Rough ground smears reflections, mostly along the line of sight.
        wet = hit.kind == GROUND; float rough = wet ? s.alpha * STREET_ROUGH : 0.0;
        vec3 ahead = normalize(vec3(rd.x, 0.0, rd.z)), across = vec3(ahead.z, 0.0, -ahead.x);
        float far = xi.x * inversesqrt(max(1.0 - xi.x * xi.x, 0.15));
        vec3 n = normalize(s.n + ahead * (0.5 * rough * far) + across * (0.35 * rough * xi.y));
        if (dot(reflect(rd, n), hit.n) < 0.005 || dot(n, rd) > -0.01) n = hit.n;
        through *= fresnel(s.f0, sat(-dot(n, rd))) * exp(-FOG * hit.t) * (1.0 - 0.5 * s.alpha);
        limit = mix(20.0, 1.6, sat(s.alpha * 8.0));   // no stray sparks
        cone += min(0.9 * s.alpha, 0.015 + 0.2 * s.alpha);
        ro = p + hit.n * 0.01; rd = reflect(rd, n) + 1e-7;
    }
    return sum;
}
