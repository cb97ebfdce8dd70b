// mip/reduce.glsl - what becomes of the 2 or 3 texels of each axis: begin, add each, finish
//
//   host sets REDUCE   AG_REDUCE_*
//             WEIGHT   AG_WEIGHT_*, with AG_REDUCE_MEAN alone
//   gives     JOINS 1 where the four texels of a level of even size may also come two by two: join, join,
//             joined; below the chain's first level
//   rules     mean     sum of w c; w are the area weights, whose sum is 1
//             karis    w becomes w / (1 + luminance), normalised (Karis 2013, "Real Shading in Unreal
//                      Engine 4", which calls it a partial average); in the chain's first level only
//             alpha    colour: sum of w a c / sum of w a, the plain mean where nothing covers;
//                      alpha: sum of w a
//             min...   each channel by itself. NaN is skipped: it stays only where there is nothing else
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_REDUCE_GLSL
#define AG_MIPCHAIN_REDUCE_GLSL
#if !defined(REDUCE) || !defined(WEIGHT)
#error "REDUCE (AG_REDUCE_*) and WEIGHT (AG_WEIGHT_*) must be set by the host"
#endif
#include "mip/interface.h"

#if REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE

#define SUM vec4
SUM sum_begin() { return vec4(0.0); }
void sum_add(inout SUM s, vec4 c, float w, bool first) { s += w * c; }
vec4 sum_finish(SUM s) { return s; }

#elif REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_KARIS

struct SUM { vec4 weighted; float weights, alpha; };
SUM sum_begin() { return SUM(vec4(0.0), 0.0, 0.0); }
void sum_add(inout SUM s, vec4 c, float w, bool first)
{
    vec3 light = CHANNELS == 1 ? vec3(1.0, 0.0, 0.0) : vec3(0.2126, 0.7152, 0.0722);
    float v = u_stage.x == 0 && first ? w / (1.0 + max(dot(c.rgb, light) / WHITE, 0.0)) : w;
    s.weighted += v * c;
    s.weights += v;
    s.alpha += w * c.a;
}
vec4 sum_finish(SUM s) { return vec4(s.weighted.rgb / s.weights, s.alpha); }

#elif REDUCE == AG_REDUCE_MEAN

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

#else

bvec4 is_nan(vec4 c)
{
    return greaterThan(floatBitsToUint(c) & 0x7fffffffu, uvec4(0x7f800000u));
}

#define SUM vec4
SUM sum_begin() { return uintBitsToFloat(uvec4(0x7fc00000u)); }
void sum_add(inout SUM s, vec4 c, float w, bool first)
{
#if REDUCE == AG_REDUCE_MIN
    vec4 both = min(s, c);
#elif REDUCE == AG_REDUCE_MAX
    vec4 both = max(s, c);
#elif REDUCE == AG_REDUCE_MINMAX
    vec4 both = vec4(min(s.r, c.r), max(s.g, c.g), 0.0, 1.0);
#elif REDUCE == AG_REDUCE_FIRST
    vec4 both = s;
#else
#error "REDUCE must be an AG_REDUCE_* of common/interface.h"
#endif
    s = mix(mix(both, s, is_nan(c)), c, is_nan(s));
}
vec4 sum_finish(SUM s) { return s; }

#endif

#if REDUCE == AG_REDUCE_FIRST || WEIGHT == AG_WEIGHT_ALPHA || WEIGHT == AG_WEIGHT_COVERAGE
#define JOINS 0
#else
#define JOINS 1
vec4 join(vec4 a, vec4 b)
{
#if REDUCE == AG_REDUCE_MEAN
    return a + b;
#else
    SUM s = a;
    sum_add(s, b, 1.0, false);
    return s;
#endif
}
vec4 joined(vec4 c) { return REDUCE == AG_REDUCE_MEAN ? 0.25 * c : c; }
#endif

#endif
