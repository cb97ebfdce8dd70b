// fft/wiener.comp - turns a kernel's spectrum into that of Wiener's filter, in place
//
//   in, out   b_kernel or b_real  a kernel's spectrum (fft/kernel_store.glsl), complex or real by
//                                 u_kernel.z: K times u_wiener.x becomes
//                                 conj(K) / (|K|^2 + noise) times u_wiener.x
//   dispatch  as many groups as values / 256, in x and y; a thread takes one value, wherever it
//             lies, so that places between columns are changed, too, and nobody reads them
//   cost      reads and writes each value once; runs in prepare only
//   source    docs/convolve.md. N. Wiener 1949, "Extrapolation, Interpolation, and Smoothing of
//             Stationary Time Series"
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_filter.h"

layout(local_size_x = 256) in;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // z = AG_KERNEL_*
layout(location = AG_LOC_WIENER) uniform vec4 u_wiener;
#define SCALE u_wiener.x
#define NOISE u_wiener.y
layout(location = AG_LOC_VALUES) uniform ivec4 u_values; // x = their number
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};
layout(std430, binding = AG_SSBO_KERNEL_REAL) buffer KernelReal { // the same bytes
    float b_real[];
};

void main()
{
    int i = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u +
                gl_LocalInvocationID.x);
    if (i >= u_values.x)
        return;
    if (u_kernel.z == AG_KERNEL_COMPLEX) {
        vec2 k = b_kernel[i] / SCALE;
        b_kernel[i] = vec2(k.x, -k.y) * (SCALE / (dot(k, k) + NOISE));
    } else {
        float k = b_real[i] / SCALE;
        b_real[i] = k * (SCALE / (k * k + NOISE));
    }
}
