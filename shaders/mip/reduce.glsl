// mip/reduce.glsl - the reduction of the 2 or 3 texels of each axis: begin, add each, finish
//
//   host sets REDUCE   AG_REDUCE_*
//             WEIGHT   AG_WEIGHT_NONE; others are in reduce_karis.glsl and reduce_alpha.glsl
//   rules     mean     sum of w c; w are the area weights, whose sum is 1
//             min...   each channel by itself. NaN is skipped, and remains only if all texels
//                      are NaN
//   SPDX-License-Identifier: MIT

bvec4 is_nan(vec4 c)
{
    return greaterThan(floatBitsToUint(c) & 0x7fffffffu, uvec4(0x7f800000u));
}

// Reduces two texels: min, max, minmax, first.
vec4 extreme(vec4 s, vec4 c)
{
    vec4 both = s;
    if (REDUCE == AG_REDUCE_MIN)
        both = min(s, c);
    else if (REDUCE == AG_REDUCE_MAX)
        both = max(s, c);
    else if (REDUCE == AG_REDUCE_MINMAX)
        both = vec4(min(s.r, c.r), max(s.g, c.g), 0.0, 1.0);
    return mix(mix(both, s, is_nan(c)), c, is_nan(s));
}

#if WEIGHT == AG_WEIGHT_NONE && REDUCE != AG_REDUCE_MEAN
#define SUM vec4
SUM sum_begin() { return uintBitsToFloat(uvec4(0x7fc00000u)); }
void sum_add(inout SUM s, vec4 c, float w, bool first) { s = extreme(s, c); }
vec4 sum_finish(SUM s) { return s; }
#elif WEIGHT == AG_WEIGHT_NONE
#define SUM vec4
SUM sum_begin() { return vec4(0.0); }
void sum_add(inout SUM s, vec4 c, float w, bool first) { s += w * c; }
vec4 sum_finish(SUM s) { return s; }
#endif
