// fft/factors.glsl - complex factors of lines that are no 2^a 3^b 5^c 7^d, or in two parts
//   layout    vec2 each, from the places in u_factors on:
//             CHIRP    w(n) = exp(-pi i n n / length)              n < length
//             PRODUCT  the spectrum of its conjugate, over points  k < points
//             TWIDDLE  exp(-2 pi i m / points)                     m < points
//   why       any length is a convolution: F(k) = w(k) * sum of (f(n) w(n)) * conj(w(k - n))
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

layout(std430, binding = AG_SSBO_FACTORS) readonly buffer Factors {
    vec2 b_factors[];
};
layout(location = AG_LOC_FACTORS) uniform ivec4 u_factors;
#define CHIRP u_factors.x
#define PRODUCT u_factors.y
#define TWIDDLE u_factors.z
#define DOES(what) ((PART_DOES & (what)) != 0)
