// ladder/fft/weights.glsl - weights of radix-2 butterflies, each way that the documents name
//   host sets WEIGHTS   AG_WEIGHTS_*; N, LOG: points of a line and their binary logarithm
//   out       weight    exp(-2 pi i part / (2 << pass)), conjugate for the inverse
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(LOG) || !defined(N) || !defined(WEIGHTS)
#error "LOG, N and WEIGHTS must be set by the host or defined by the includer"
#endif
#include "ladder/fft/interface.h"

layout(location = AG_LOC_LADDER) uniform ivec4 u_ladder;
#define PASS u_ladder.x
#define DIRECTION (u_ladder.y != 0 ? -1.0 : 1.0)
#define LINES_OF_DISPATCH u_ladder.z
#define SCRUBS (u_ladder.w != 0)
#if WEIGHTS == AG_WEIGHTS_LOOKUP
layout(std430, binding = AG_SSBO_WEIGHTS) readonly buffer Weights {
    vec4 b_lookup[]; // two indices, a weight
};
#elif WEIGHTS >= AG_WEIGHTS_TABLE
layout(std430, binding = AG_SSBO_WEIGHTS) readonly buffer Weights {
    vec2 b_weights[];
};
#endif

// The angle is reduced exactly, to an eighth of a turn at most; Taylor series to x^9.
vec2 polynomial(uint part, uint whole)
{
    float turns = float(part) / float(whole), quarter = floor(turns * 4.0 + 0.5);
    float x = 6.28318530717959 * (turns - 0.25 * quarter), y = x * x;
    float s = x * (1.0 + y * (-1.0 / 6.0 + y * (1.0 / 120.0 + y * (-1.0 / 5040.0 +
              y / 362880.0))));
    float c = 1.0 + y * (-0.5 + y * (1.0 / 24.0 + y * (-1.0 / 720.0 + y / 40320.0)));
    uint q = uint(quarter) & 3u;
    vec2 turned = (q & 1u) == 0u ? vec2(c, s) : vec2(-s, c);
    return q >= 2u ? -turned : turned;
}

vec2 weight(int pass, uint part)
{
    uint whole = 2u << pass;
#if WEIGHTS == AG_WEIGHTS_TABLE
    vec2 w = b_weights[part << (LOG - 1 - pass)];
#elif WEIGHTS == AG_WEIGHTS_TABLE_2D
    vec2 w = b_weights[uint(pass * N) + part];
#elif WEIGHTS == AG_WEIGHTS_DRIVER
    float angle = 6.28318530717959 * float(part) / float(whole);
    vec2 w = vec2(cos(angle), -sin(angle));
#else
    vec2 w = polynomial(part, whole) * vec2(1.0, -1.0);
#endif
    return vec2(w.x, w.y * DIRECTION);
}

uint reversed(uint i, int bits)
{
    return bitfieldReverse(i) >> (32 - bits);
}

// Fig 12 of the article: what output x of a pass is made of.
void butterfly_values(int pass, uint x, out uvec2 indices, out vec2 w)
{
#if WEIGHTS == AG_WEIGHTS_LOOKUP
    vec4 both = b_lookup[uint(pass * N) + x];
    indices = uvec2(both.xy);
    w = vec2(both.z, both.w * DIRECTION);
#else
    uint section = 2u << pass, half_section = 1u << pass;
    uint start = x & ~(section - 1u), offset = x & (half_section - 1u);
    indices = uvec2(start + offset, start + offset + half_section);
    w = weight(pass, x & (section - 1u));
    if (pass == 0)
        indices = uvec2(reversed(indices.x, LOG), reversed(indices.y, LOG));
#endif
}
