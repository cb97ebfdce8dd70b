// film_grain/pass.comp - grain of film, another one in each frame
//
//! pass     film_grain "grain of film, another one in each frame"
//! slot     src read colour "the image as a display shows it, 0 to 1"
//! slot     dst write colour "the image with grain"
//! setting  strength float 0.04 0..1 "twice the deviation of a code of one half"
//! setting  size float 1.5 1..16 in texels "of a grain"
//! setting  colour float 0.25 0..1 "of the grain: 0, all channels have the same; 1, each its own"
//! setting  seed int 0 0..65535 "of the noise"
//! setting  values choice linear codes constant "what src and dst hold: light, or codes of sRGB"
//! step     grain src -> dst
//
//   model   grains are developed or not, so a code v deviates as a binomial: by sqrt(v (1 - v))
//   noise   uniform numbers on a lattice of grains, interpolated, and divided by the deviation of
//           that: 1 everywhere
//   alpha   is copied
//   source  Jarzynski, Olano 2020, "Hash functions for GPU rendering": pcg4d
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

uvec4 hash(uvec4 v)
{
    v = v * 1664525u + 1013904223u;
    for (int i = 0; i < 2; ++i) {
        v.x += v.y * v.w;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v.w += v.y * v.z;
        if (i == 0)
            v ^= v >> 16u;
    }
    return v;
}

// Mean 0 and deviation 1: 12^(1/2) times what lies between -1/2 and 1/2.
vec4 grain_at(ivec2 p)
{
    uvec4 h = hash(uvec4(uvec2(p), frame_number, uint(setting_seed)));
    return (vec4(h >> 8u) * exp2(-24.0) - 0.5) * sqrt(12.0);
}

void main()
{
    vec4 c = load(src, this_texel);
    vec2 at = (vec2(this_texel) + 0.5) / setting_size - 0.5;
    ivec2 p = ivec2(floor(at));
    vec2 b = at - vec2(p), a = 1.0 - b;
    vec4 n = a.y * (a.x * grain_at(p) + b.x * grain_at(p + ivec2(1, 0))) +
        b.y * (a.x * grain_at(p + ivec2(0, 1)) + b.x * grain_at(p + 1));
    n /= sqrt((a.x * a.x + b.x * b.x) * (a.y * a.y + b.y * b.y));
    float own = setting_colour, same = 1.0 - own;
    vec3 noise = (own * n.rgb + same * n.a) / sqrt(own * own + same * same);
    vec3 v = clamp(c.rgb, 0.0, 1.0);
#if setting_values == values_linear
    v = srgb_encode(v);
#endif
    v = clamp(v + setting_strength * sqrt(v * (1.0 - v)) * noise, 0.0, 1.0);
#if setting_values == values_linear
    v = srgb_decode(v);
#endif
    c.rgb = v;
    store(dst, this_texel, c);
}
