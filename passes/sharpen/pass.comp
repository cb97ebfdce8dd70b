// sharpen/pass.comp - sharpens less where the contrast is high already
//
//! pass     sharpen "sharpens, and less where the contrast is high already: no halos"
//! slot     src read colour "the image as a display shows it, 0 to 1"
//! slot     dst write colour "the sharpened image"
//! setting  amount float 0.5 0..1 "0: little, 1: the most"
//! setting  values choice linear codes constant "what src and dst hold: light, or codes of sRGB"
//! step     sharpen src -> dst
//
//   weight  w of the four neighbours is -1/8 (amount 0) to -1/5, times the root of the room that
//           their least and largest value leave to 0 and 1, relative to the largest
//   result  (c + w (sum of four)) / (1 + 4 w), channel by channel; alpha is copied
//   source  the published description of contrast-adaptive sharpening, AMD 2019
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

// Clamped to 0 to 1, as codes.
vec4 code_at(ivec2 p)
{
    vec4 c = load(src, p);
    c.rgb = clamp(c.rgb, 0.0, 1.0);
#if setting_values == values_linear
    c.rgb = srgb_encode(c.rgb);
#endif
    return c;
}

void main()
{
    ivec2 p = this_texel;
    vec4 c = code_at(p);
    vec3 a = code_at(p - ivec2(1, 0)).rgb, b = code_at(p + ivec2(1, 0)).rgb;
    vec3 d = code_at(p - ivec2(0, 1)).rgb, e = code_at(p + ivec2(0, 1)).rgb;
    vec3 low = min(c.rgb, min(min(a, b), min(d, e)));
    vec3 high = max(c.rgb, max(max(a, b), max(d, e)));
    vec3 room = clamp(min(low, 1.0 - high) / max(high, 1e-6), 0.0, 1.0);
    vec3 w = -sqrt(room) / mix(8.0, 5.0, setting_amount);
    c.rgb = clamp((c.rgb + w * (a + b + d + e)) / (1.0 + 4.0 * w), 0.0, 1.0);
#if setting_values == values_linear
    c.rgb = srgb_decode(c.rgb);
#endif
    store(dst, p, c);
}
