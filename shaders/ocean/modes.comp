// ocean/modes.comp - the amplitudes h0(k) and conj(h0(-k)) of all modes of an ocean
//
//   in        b_waves   by cascade, |m|, |n|: what depends on |k| alone, from ocean.c
//   out       b_modes   by cascade, row m, column n: h0(k), conj(h0(-k))
//             b_loops   how often the mode turns in a period
//   dispatch  N / 32, N, cascades; a thread makes one mode
//   cost      some 200 instructions a mode; runs in prepare only
//   how       noise is a function of the signed wave numbers, so a larger N adds modes and keeps
//             the others bit for bit, and each thread also makes the noise of its opposite mode
//   source    docs/ocean.md. Noise: Philox2x32-10, Salmon et al. 2011, "Parallel Random Numbers: As
//             Easy as 1, 2, 3"; Box and Muller 1958
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ocean/interface.h"
#include "ocean/turns.glsl"

layout(local_size_x = 32) in;
layout(location = AG_LOC_OCEAN) uniform ivec4 u_ocean;
#define SIZE u_ocean.x
#define SEED uint(u_ocean.w)
layout(location = AG_LOC_WIND) uniform vec4 u_wind;
#define DIRECTION u_wind.xy
#define DIRECTIONALITY u_wind.z
#define UNDIRECTED u_wind.w // the part that goes everywhere alike, a radian
struct wave {
    float amplitude; // sqrt(P / D), D = spreading()
    float exponent;  // s of the spreading cos^2s
    float factor;    // that makes its integral 1
    uint loops;
};
layout(std430, binding = AG_SSBO_WAVES) readonly buffer Waves { wave b_waves[]; };
layout(std430, binding = AG_SSBO_MODES) writeonly buffer Modes { vec4 b_modes[]; };
layout(std430, binding = AG_SSBO_LOOPS) writeonly buffer Loops { uint b_loops[]; };

uvec2 philox(uvec2 counter, uint key)
{
    for (int i = 0; i < 10; ++i) {
        uint high, low;
        umulExtended(0xd256d193u, counter.x, high, low);
        counter = uvec2(high ^ key ^ counter.y, low);
        key += 0x9e3779b9u;
    }
    return counter;
}

// ln(u) of u = (2 n + 1) / 2^25, 0 <= n < 2^24. GLSL's log is inexact near 1.
float log_of(uint n)
{
    uint number = floatBitsToUint(float(2u * n + 1u)); // rounded once
    int bits = int(number >> 23u) - 127;
    float mantissa = uintBitsToFloat((number & 0x7fffffu) | 0x3f800000u); // 1..2
    bool upper = mantissa > 1.41421356;
    mantissa *= upper ? 0.5 : 1.0;
    float s = (mantissa - 1.0) / (mantissa + 1.0), y = s * s;
    float series = s * (2.0 + y * (0.66666667 + y * (0.4 + y * (0.28571429 + y * 0.22222222))));
    return float(bits - 25 + int(upper)) * 0.69314718056 + series;
}

// Two independent normal numbers of a mode.
vec2 normal_pair(ivec2 mode, uint cascade)
{
    uvec2 random = philox(uvec2(mode), SEED + cascade * 0xbb67ae85u);
    // max(): where the logarithm is 0, its product is -0, and sqrt(-0.0) of some drivers is NaN.
    return sqrt(max(-2.0 * log_of(random.x >> 8u), 0.0)) * unit_of_turn(random.y);
}

// The part of the waves of this length that goes in this direction, per radian: cos^2s of half the
// angle to the wind. Where s is small, as of short waves, the power is steep near pi, so cos^2 is
// computed from the sine there.
float spreading(wave w, vec2 direction)
{
    float cosine = dot(direction, DIRECTION);
    float sine = direction.x * DIRECTION.y - direction.y * DIRECTION.x;
    float half_squared = cosine < 0.0 ? 0.5 * sine * sine / (1.0 - cosine) : 0.5 + 0.5 * cosine;
    float directed = half_squared > 0.0 ? w.factor * exp2(w.exponent * log2(half_squared)) : 0.0;
    // The host computes (1 - D) x, because NVIDIA's compiler turns (1 - D) x + D y and mix() into
    // x + D (y - x). Its rounding error, 1e-8 of x, is more than what goes against the wind.
    return DIRECTIONALITY * directed + UNDIRECTED;
}

vec2 amplitude(wave w, ivec2 mode, uint cascade)
{
    vec2 direction = vec2(mode) / length(vec2(mode));
    return 0.5 * w.amplitude * sqrt(max(spreading(w, direction), 0.0)) * normal_pair(mode, cascade);
}

void main()
{
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    uint cascade = gl_WorkGroupID.z;
    ivec2 mode = place - SIZE * ivec2(greaterThanEqual(place, ivec2(SIZE / 2)));
    int across = SIZE / 2 + 1;
    wave w = b_waves[(int(cascade) * across + abs(mode.y)) * across + abs(mode.x)];
    int at = (int(cascade) * SIZE + place.y) * SIZE + place.x;
    vec4 both = vec4(0.0);
    if (w.amplitude > 0.0)
        both = vec4(amplitude(w, mode, cascade), amplitude(w, -mode, cascade) * vec2(1.0, -1.0));
    b_modes[at] = both;
    b_loops[at] = w.loops;
}
