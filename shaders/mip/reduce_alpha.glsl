// mip/reduce_alpha.glsl - means in which a texel's colour is weighted by its alpha
//
//   host sets WEIGHT   AG_WEIGHT_ALPHA or AG_WEIGHT_COVERAGE, or this file has no reduction
//   rules     colour: sum of w a c / sum of w a, or the plain mean where alpha is 0; alpha:
//             sum of w a
//   SPDX-License-Identifier: MIT
#if WEIGHT == AG_WEIGHT_ALPHA || WEIGHT == AG_WEIGHT_COVERAGE
struct SUM { vec4 covered, plain; };
SUM sum_begin() { return SUM(vec4(0.0), vec4(0.0)); }
void sum_add(inout SUM s, vec4 c, float w, bool first)
{
    float a = w * max(c.a, 0.0);
    s.covered += vec4(a * c.rgb, a);
    s.plain += w * c;
}
vec4 sum_finish(SUM s)
{
    bool any = s.covered.a > 0.0;
    vec3 colour = s.covered.rgb / (any ? s.covered.a : 1.0);
    return vec4(mix(s.plain.rgb, colour, bvec3(any)), s.plain.a);
}

#endif
