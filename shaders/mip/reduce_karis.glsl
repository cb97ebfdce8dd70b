// mip/reduce_karis.glsl - means in which bright texels have a smaller weight
//
//   host sets WEIGHT   AG_WEIGHT_KARIS, or this file has no reduction
//   rules     a texel's area weight w becomes w / (1 + luminance), normalised (Karis 2013, "Real
//             Shading in Unreal Engine 4", which calls it a partial average); in level 1 of
//             the chain
//   SPDX-License-Identifier: MIT
const float WHITE = STORE == AG_STORE_UNORM8 ? 255.0 : STORE == AG_STORE_10_10_10_2 ? 1023.0 : 1.0;

#if WEIGHT == AG_WEIGHT_KARIS

struct SUM { vec4 weighted; float weights, alpha; };
SUM sum_begin() { return SUM(vec4(0.0), 0.0, 0.0); }
void sum_add(inout SUM s, vec4 c, float w, bool first)
{
    const vec3 light = CHANNELS == 1 ? vec3(1.0, 0.0, 0.0) : vec3(0.2126, 0.7152, 0.0722);
    float v = first_source() == 0 && first ? w / (1.0 + max(dot(c.rgb, light) / WHITE, 0.0)) : w;
    s.weighted += v * c;
    s.weights += v;
    s.alpha += w * c.a;
}
vec4 sum_finish(SUM s) { return vec4(s.weighted.rgb / s.weights, s.alpha); }
#endif
