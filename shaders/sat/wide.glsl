// sat/wide.glsl - arithmetic with sums of all that is above or left: pairs of floats, doubles, uint
//
//   host sets the defines of sat/types.glsl
//   number       as in sat/types.glsl, of pairs
//   added(a, b)  a + b. (+ would add the halves of a pair each.) Second halves of pairs are only
//                added up, so that an addition waits for one operation of the addition before it,
//                not for seven. After n additions a second half is n last bits of the first at
//                most, and has lost n^2 2^-48 of the sum
//   tidy(a)      the same number, as a pair whose first half is the nearest float
//   without_offset  a sum of `texels` texels less the offset m, and the same of squares; integers
//                have no offset:
//
//        sum (x - m) = sum x - m n        sum (x - m)^2 = sum x^2 + m (m n - 2 sum x)
//   size_of      bits that order the sizes of sums in memory; 0 unless they are finite
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/pair.glsl"
#include "sat/types.glsl"

uint wide(float x, uint type) { return uint(x); }
uint tidy(uint a) { return a; }
float nearest(uint a) { return float(a); }
uint product(int a, int b, uint type) { return uint(a) * uint(b); }
uint divide(uint a, uint b) { return a / b; }
uint without_offset(uint sum, uint m, uint texels) { return sum; }
uint squares_without_offset(uint squares, uint sum, uint m, uint texels) { return squares; }
uint pack_wide(uint a) { return a; }
uint unpack_wide(uint bits) { return bits; }
uint load_wide(uint bits) { return bits; }

#if DOUBLES
double wide(float x, double type) { return double(x); }
double added(double a, double b) { return a + b; }
double tidy(double a) { return a; }
float nearest(double a) { return float(a); }
// Mesa 25 takes double(float(a)) for a, and would return 0.
float nearest_less(double a, float b) { return float(a - double(opaque(b))); }
double product(int a, int b, double type) { return double(a) * double(b); }
double divide(double a, double b) { return a / b; }
double without_offset(double sum, double m, double texels) { return sum - m * texels; }
double squares_without_offset(double squares, double sum, double m, double texels)
{
    return squares + m * (m * texels - (sum + sum));
}
uvec2 pack_wide(double a) { return unpackDouble2x32(a); }
double unpack_wide(uvec2 bits) { return packDouble2x32(bits); }
double load_wide(uvec2 bits) { return opaque(bits); } // as loaded
uint size_of(uvec2 sum) // of its high half
{
    uint size = sum.y & 0x7fffffffu;
    return size * uint(size < 0x7ff00000u);
}
int exponent_of(uint size) { return int(size >> 20) - 1023; }
#else
vec2 number(float x, const bool less, float offset, const bool squared, vec2 type)
{
    vec2 v = less ? exact_sum(x, -offset) : vec2(x, 0.0);
    if (squared)
        v = less ? multiply(v, v) : exact_product(x, x);
    return v;
}
vec2 wide(float x, vec2 type) { return vec2(x, 0.0); }
vec2 added(vec2 a, float b)
{
    vec2 sum = exact_sum(a.x, b);
    precise float rest = a.y + sum.y;
    return vec2(sum.x, rest);
}
vec2 added(vec2 a, vec2 b)
{
    vec2 sum = exact_sum(a.x, b.x);
    precise float rest = (a.y + b.y) + sum.y;
    return vec2(sum.x, rest);
}
vec2 tidy(vec2 a) { return ordered_sum(a.x, a.y); }
float nearest(vec2 tidy_sum) { return tidy_sum.x; }
float nearest_less(vec2 a, float b) // where b is near a
{
    precise float rest = (a.x - b) + a.y;
    return rest;
}
vec2 product(int a, int b, vec2 type) { return exact_product(float(a), float(b)); }
vec2 without_offset(vec2 sum, vec2 m, vec2 texels) { return added(sum, -multiply(m, texels)); }
vec2 squares_without_offset(vec2 squares, vec2 sum, vec2 m, vec2 texels)
{
    vec2 rest = added(multiply(m, texels), -2.0 * sum);
    return added(squares, multiply(m, tidy(rest)));
}
uvec2 pack_wide(vec2 a) { return floatBitsToUint(a); }
vec2 unpack_wide(uvec2 bits) { return uintBitsToFloat(bits); }
vec2 load_wide(uvec2 bits) { return unpack_wide(bits); }
uint size_of(uvec2 sum)
{
    uint size = sum.x & 0x7fffffffu;
    return size * uint(size < 0x7f800000u);
}
int exponent_of(uint size) { return int(size >> 23) - 127; }
#endif
