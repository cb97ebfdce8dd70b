// tone_map/pass.comp - from light of a scene to what a display shows
//
//! pass     tone_map "from light of a scene to a display's: ACES, AgX or Khronos PBR neutral"
//! slot     src read colour "linear light, Rec. 709 primaries"
//! slot     dst write colour "the display's, 0 to 1: linear, or with `encode` codes of sRGB"
//! slot     exposure read optional rgba32f size 1x1 "the state of the effect exposure"
//! setting  curve choice aces agx neutral constant "which look"
//! setting  ev float 0 -16..16 in EV "exposure, added to that of the slot"
//! setting  encode bool off constant "for formats without a curve of their own that are displayed"
//! step     map src exposure -> dst
//
//   aces     Hill's fit of ACES's reference and display transforms, 2016
//   agx      Sobotka's AgX, 2022, with Wrensch's polynomial for its sigmoid, 2023: within 4e-6 of
//            squared error. Its result is for a display of gamma 2.2, which is decoded here
//   neutral  Khronos PBR Neutral Tone Mapper, 2024: keeps colours below 0.8 as they are
//   alpha    is copied
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

vec3 aces(vec3 c)
{
    const mat3 to = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566,
                         0.83777);
    const mat3 from = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367,
                           -0.00605, 1.07602);
    c = min(to * c, 65504.0); // of its square no infinity comes
    return from * ((c * (c + 0.0245786) - 0.000090537) /
                   (c * (0.983729 * c + 0.4329510) + 0.238081));
}

vec3 agx(vec3 c)
{
    const mat3 to = mat3(0.842479062253094, 0.0423282422610123, 0.0423756549057051,
                         0.0784335999999992, 0.878468636469772, 0.0784336, 0.0792237451477643,
                         0.0791661274605434, 0.879142973793104);
    const mat3 from = mat3(1.19687900512017, -0.0528968517574562, -0.0529716355144438,
                           -0.0980208811401368, 1.15190312990417, -0.0980434501171241,
                           -0.0990297440797205, -0.0989611768448433, 1.15107367264116);
    const float least = -12.47393, most = 4.026069; // EV
    vec3 x = clamp((log2(max(to * c, 1e-10)) - least) / (most - least), 0.0, 1.0);
    vec3 curve = ((((((15.5 * x - 40.14) * x + 31.96) * x - 6.868) * x + 0.4298) * x + 0.1191) * x -
                  0.00232);
    return pow(max(from * curve, 0.0), vec3(2.2));
}

vec3 neutral(vec3 c)
{
    const float start = 0.8 - 0.04, desaturation = 0.15;
    float low = min(c.r, min(c.g, c.b));
    c -= low < 0.08 ? low - 6.25 * low * low : 0.04;
    float peak = max(c.r, max(c.g, c.b));
    if (peak < start)
        return c;
    float range = 1.0 - start, shown = 1.0 - range * range / (peak + range - start);
    float white = 1.0 - 1.0 / (desaturation * (peak - shown) + 1.0);
    return mix(c * (shown / peak), vec3(shown), white);
}

void main()
{
    vec4 c = load(src, this_texel);
    float ev = setting_ev;
#if has_exposure
    ev += load(exposure, ivec2(0)).r;
#endif
    c.rgb = max(c.rgb, 0.0) * exp2(ev);
#if setting_curve == curve_aces
    c.rgb = aces(c.rgb);
#elif setting_curve == curve_agx
    c.rgb = agx(c.rgb);
#else
    c.rgb = neutral(c.rgb);
#endif
    c.rgb = clamp(c.rgb, 0.0, 1.0);
#if setting_encode
    c.rgb = srgb_encode(c.rgb);
#endif
    store(dst, this_texel, c);
}
