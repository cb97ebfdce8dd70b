// demo/scene/ocean.comp - the demo picture of the effect "ocean": its surface at dusk, ray marched
//
//   in        t_displacement, t_derivatives  of the effect, with all levels; u_tile (x0, y0 of this
//             dispatch; full picture width, height); lengths and slope variances of the cascades
//   out       i_picture, one texel per invocation: linear scene-referred RGB, alpha 1, row 0 on top
//   dispatch  ceil(w / 8) x ceil(h / 8) groups for a tile of w x h texels at (x0, y0)
//   cost      SAMPLES paths a texel, of up to STEPS steps with two texture reads each
//   how       the surface is a height over displaced points: the march carries the point at rest
//             that lies there, improved by one step of x = p - D(x) at a time. Slopes that the
//             levels leave out become roughness (Bruneton et al. 2010, "Real-time Realistic Ocean
//             Lighting"); the sun's glitter is Cox and Munk's distribution of them
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = 0) writeonly uniform image2D i_picture;
layout(binding = 0) uniform sampler2DArray t_displacement;
layout(binding = 1) uniform sampler2DArray t_derivatives;
layout(location = 0) uniform ivec4 u_tile;
layout(location = 1) uniform ivec4 u_sea;      // cascades, texels a side, unused
layout(location = 2) uniform vec4 u_lengths;   // metres, of the cascades; w = crest height
layout(location = 3) uniform vec4 u_variances; // of the slopes of each cascade

const int SAMPLES = 13, FACETS = 4, STEPS = 110;
const float PI = 3.14159265, NEVER = 1e9;
const vec3 EYE = vec3(0.0, 3.3, 0.0);
const float ZOOM = 0.70;             // height of the picture at distance 1
const vec3 SUN = normalize(vec3(1.0, 0.068, -0.235));
const vec3 SUNLIGHT = vec3(2.9, 0.98, 0.22); // irradiance across the beam
const float RIPPLES = 0.0014;        // variance of slopes too short for any cascade

// ---- noise --------------------------------------------------------------------------------------

uint pcg(uint v)
{
    uint s = v * 747796405u + 2891336453u;
    s = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
    return (s >> 22u) ^ s;
}

float random(inout uint state)
{
    state = pcg(state);
    return (float(state >> 8u) + 0.5) / 16777216.0;
}

float lattice(ivec2 p)
{
    return float(pcg(uint(p.x) + pcg(uint(p.y))) >> 8u) / 16777216.0;
}

float value_noise(vec2 p)
{
    ivec2 i = ivec2(floor(p));
    vec2 f = p - floor(p), s = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    return mix(mix(lattice(i), lattice(i + ivec2(1, 0)), s.x),
               mix(lattice(i + ivec2(0, 1)), lattice(i + ivec2(1, 1)), s.x), s.y);
}

float fractal(vec2 p, int octaves)
{
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < octaves; ++i) {
        sum += weight * value_noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 17.0;
        weight *= 0.5;
    }
    return sum;
}

// ---- sky ----------------------------------------------------------------------------------------

// Light of the clear sky, without clouds and sun.
vec3 air(vec3 d)
{
    float up = max(d.y, 0.0), towards = 0.5 + 0.5 * dot(normalize(d.xz), normalize(SUN.xz));
    float warm = pow(towards, 3.0);
    vec3 zenith = vec3(0.018, 0.036, 0.096);
    vec3 middle = mix(vec3(0.050, 0.066, 0.125), vec3(0.165, 0.098, 0.120), warm);
    vec3 low = mix(vec3(0.120, 0.092, 0.125), vec3(0.66, 0.215, 0.062), warm);
    vec3 c = mix(middle, zenith, smoothstep(0.04, 0.62, up));
    c = mix(low, c, smoothstep(0.0, 1.0, 1.0 - exp(-up * 9.0)));
    float near = max(dot(d, SUN), 0.0);
    c += vec3(1.0, 0.31, 0.062) * (0.22 * pow(near, 30.0) + 0.55 * pow(near, 420.0));
    return c;
}

// Two layers: a broken one far off, which the sun lights from below, and thin streaks above.
vec3 with_clouds(vec3 d, vec3 c, bool detailed)
{
    float up = max(d.y, 0.0);
    if (up <= 0.004)
        return c;
    int octaves = detailed ? 7 : 3;
    float towards = max(dot(d, SUN), 0.0);
    vec2 p = d.xz / (up + 0.035);
    float bank = fractal(p * vec2(0.62, 0.30) + vec2(3.1, 9.4), octaves);
    float thick = smoothstep(0.47, 0.72, bank) * smoothstep(0.012, 0.07, up) *
                  (1.0 - 0.75 * smoothstep(0.28, 0.55, up));
    // Towards the sun the cloud is thinner at this point: its rim shines.
    float beyond = fractal((p - normalize(SUN.xz) * 0.22) * vec2(0.62, 0.30) + vec2(3.1, 9.4),
                           octaves);
    float rim = clamp((bank - beyond) * 5.0 + 0.35, 0.0, 1.0);
    vec3 lit = vec3(0.90, 0.285, 0.115) * (0.22 + 1.3 * pow(towards, 6.0));
    vec3 shade = mix(vec3(0.036, 0.036, 0.064), vec3(0.125, 0.052, 0.052), pow(towards, 4.0));
    c = mix(c, mix(shade, lit, rim), 0.88 * thick);
    float streaks = fractal(p * vec2(0.30, 1.35) + vec2(31.0, 2.0), octaves);
    float veil = smoothstep(0.50, 0.86, streaks) * smoothstep(0.10, 0.32, up);
    return mix(c, vec3(0.34, 0.145, 0.135) * (0.45 + 0.9 * pow(towards, 3.0)), 0.42 * veil);
}

vec3 sky(vec3 d, bool detailed)
{
    d.y = max(d.y, 0.0);
    d = normalize(d);
    return with_clouds(d, air(d), detailed);
}

vec3 sun_disc(vec3 d)
{
    float edge = 1.0 - dot(d, SUN);
    return SUNLIGHT * 55.0 * (1.0 - smoothstep(2.6e-5, 3.6e-5, edge));
}

// ---- the surface --------------------------------------------------------------------------------

// Levels of a cascade whose texels are as large as `footprint` metres.
float level_of(int cascade, float footprint)
{
    return max(log2(footprint * float(u_sea.y) / u_lengths[cascade]), 0.0);
}

vec4 displacement(vec2 rest, float footprint, int cascades)
{
    vec4 sum = vec4(0.0);
    for (int c = 0; c < cascades; ++c)
        sum += textureLod(t_displacement, vec3(rest / u_lengths[c], c), level_of(c, footprint));
    return sum;
}

struct surface {
    vec3 normal;
    vec2 slope;
    float height, jacobian, variance; // variance: of the slopes that the levels left out
    vec2 rest;
};

surface surface_at(vec2 rest, float footprint)
{
    surface s;
    vec4 d = vec4(0.0), e = vec4(0.0);
    s.variance = RIPPLES;
    for (int c = 0; c < u_sea.x; ++c) {
        float level = level_of(c, footprint);
        d += textureLod(t_displacement, vec3(rest / u_lengths[c], c), level);
        e += textureLod(t_derivatives, vec3(rest / u_lengths[c], c), level);
        // Slopes have about equal variance in each octave of waves.
        s.variance += u_variances[c] * min(level / log2(float(u_sea.y) / 13.0), 1.0);
    }
    s.jacobian = (1.0 + e.z) * (1.0 + e.w) - d.w * d.w;
    vec3 n = vec3(e.y * d.w - e.x * (1.0 + e.w), max(s.jacobian, 0.1),
                  e.x * d.w - e.y * (1.0 + e.z));
    s.slope = -n.xz / n.y;
    s.slope *= min(0.75 / max(length(s.slope), 1e-6), 1.0); // where crests fold it is foam
    s.normal = normalize(vec3(-s.slope.x, 1.0, -s.slope.y));
    s.height = d.y;
    s.rest = rest;
    return s;
}

// The distance at which a ray meets the surface, and the point at rest there.
float march(vec3 d, float pixel, float dither, out vec2 rest)
{
    float top = u_lengths.w;
    rest = vec2(0.0);
    if (d.y > -1e-4)
        return NEVER;
    float t = max((top - EYE.y) / d.y, 0.5), last = t, above = 0.0;
    float end = (-top - EYE.y) / d.y;
    rest = EYE.xz + d.xz * t;
    for (int i = 0; i < STEPS; ++i) {
        vec3 p = EYE + d * t;
        vec4 moved = displacement(rest, t * pixel, min(u_sea.x, 2));
        rest = p.xz - moved.xz;
        float gap = p.y - moved.y;
        if (gap < 0.002 + 2e-4 * t || t > end) {
            t = mix(last, t, clamp(above / max(above - gap, 1e-4), 0.0, 1.0));
            break;
        }
        last = t;
        above = gap;
        t += gap / (0.55 - d.y) * (i == 0 ? dither : 1.0);
    }
    vec3 p = EYE + d * t;
    for (int i = 0; i < 4; ++i)
        rest = p.xz - displacement(rest, t * pixel, u_sea.x).xz;
    return t;
}

float fresnel(float cosine)
{
    float r = 1.0 - clamp(cosine, 0.0, 1.0), r2 = r * r;
    return 0.02 + 0.98 * r2 * r2 * r;
}

// Light from the water: what the surface reflects of sky and sun, and what comes from below it.
vec3 water(vec3 d, float t, surface s, vec2 xi)
{
    vec3 v = -d, c = vec3(0.0);
    float f = 0.0;
    // Some of the slopes that the levels left out, at random, as far as they face the eye.
    for (int i = 0; i < FACETS; ++i) {
        float u = max(fract(xi.x + float(i) * 0.61803399), 1e-6);
        float radius = sqrt(-2.0 * log(u) * s.variance);
        float turn = 2.0 * PI * (xi.y + float(i) / float(FACETS));
        vec2 slope = s.slope - radius * vec2(cos(turn), sin(turn));
        vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));
        float facing = dot(n, v);
        if (facing < 0.02)
            n = normalize(n + v * (0.04 - facing));
        vec3 r = reflect(d, n);
        r.y = abs(r.y) + 0.012;
        float share = fresnel(dot(n, v)) / float(FACETS);
        f += share;
        c += share * sky(normalize(r), false);
    }

    // The sun, by Cox and Munk: how many slopes mirror it to the eye.
    vec3 h = normalize(v + SUN);
    vec2 off = -h.xz / h.y - s.slope;
    float wide = s.variance + 0.0004; // and the sun's own size
    float density = exp(-0.5 * dot(off, off) / wide) / (2.0 * PI * wide);
    float seen = max(dot(s.normal, v), 0.12), h4 = h.y * h.y * h.y * h.y;
    // Waves hide each other where both light and eye graze them.
    float shadow = 1.0 / (1.0 + 1.2 * sqrt(s.variance) / (SUN.y + 0.05));
    vec3 glitter = SUNLIGHT * fresnel(dot(h, v)) * density / (4.0 * seen * h4) * shadow;
    c += glitter / (1.0 + glitter.r / 25.0);

    // From below: blue-green, more through crests that stand against the sun.
    float crest = clamp(0.5 + s.height / u_lengths.w, 0.0, 1.5);
    float through = pow(max(dot(d, normalize(SUN + vec3(0.0, 0.05, 0.0))), 0.0), 3.0);
    vec3 below = vec3(0.0045, 0.0150, 0.0185) +
                 vec3(0.030, 0.072, 0.052) * through * crest * crest *
                     clamp(1.2 - abs(s.normal.y), 0.0, 1.0) * 2.6;
    c += (1.0 - f) * below;

    // Foam where crests fold, torn by noise that moves with the water.
    float cover = smoothstep(0.70, 0.22, s.jacobian);
    float torn = fractal(s.rest * 2.1, 4) + 0.35 * fractal(s.rest * 11.0, 3);
    cover *= smoothstep(0.40, 0.80, torn + 0.30 * cover);
    vec3 above = air(vec3(0.01, 0.99995, 0.0)), aside = air(normalize(vec3(1.0, 0.5, 0.6)));
    vec3 foam = 0.75 * (0.55 * above + 0.35 * aside +
                        SUNLIGHT * (0.06 + max(dot(s.normal, SUN), 0.0)) / PI);
    return mix(c, foam, 0.85 * cover);
}

vec3 radiance(vec3 d, float pixel, vec3 xi)
{
    vec2 rest;
    float t = march(d, pixel, 0.5 + xi.z, rest);
    if (t > 30000.0)
        return sky(d, true) + sun_disc(d);
    // Across the view a texel sees little of the water, along it much: a mean of both.
    float footprint = t * pixel * clamp(inversesqrt(-d.y), 1.0, 5.0);
    vec3 c = water(d, t, surface_at(rest, footprint), xi.xy);
    vec3 haze = air(normalize(vec3(d.x, 0.012, d.z)));
    return mix(c, haze, 1.0 - exp(-pow(t / 5200.0, 1.15)));
}

void main()
{
    ivec2 at = u_tile.xy + ivec2(gl_GlobalInvocationID.xy), size = u_tile.zw;
    if (any(greaterThanEqual(at, size)))
        return;
    float aspect = float(size.x) / float(size.y), pixel = ZOOM / float(size.y);
    uint state = pcg(uint(at.x) + pcg(uint(at.y)));
    vec3 start = vec3(random(state), random(state), random(state));
    vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; ++i) { // a lattice: each row and column of the texel once
        vec2 o = (vec2(i, (i * 5 + 1) % SAMPLES) + 0.5) / float(SAMPLES);
        vec2 q = (vec2(at) + o) / float(size.y) - vec2(0.5 * aspect, 0.44); // lens shift: no tilt
        // So are the slopes that a sample takes, from another start in each texel.
        vec3 xi = vec3((float((i * 5 + 2) % SAMPLES) + start.x) / float(SAMPLES),
                       fract(float(i) * 0.61803399 + start.y),
                       fract(float(i) * 0.7548777 + start.z));
        vec3 c = radiance(normalize(vec3(1.0, -q.y * ZOOM, q.x * ZOOM)), pixel, xi);
        // Samples far above the rest count less, so that bright edges stay smooth on a display.
        float w = 1.0 / (1.0 + 0.10 * max(c.r, max(c.g, c.b)));
        sum += vec4(c, 1.0) * w;
    }
    imageStore(i_picture, at, vec4(clamp(sum.rgb / sum.w, 0.0, 60000.0), 1.0));
}
