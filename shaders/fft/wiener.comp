// fft/wiener.comp - turns a kernel's spectrum into that of Wiener's filter, in place
//
//   in, out   b_kernel or b_real  a kernel's spectrum (fft/kernel_spectrum.glsl), complex or real
//                                 by u_kernel.z: K times SCALE becomes
//                                 conj(K) / (|K|^2 + noise_at) times SCALE
//   dispatch  as many groups as values / 256, in x and y; a thread takes one value, wherever it
//             lies, so that places between columns are changed, too, and nobody reads them
//   cost      reads and writes each value once; runs in prepare only
//   source    fft/wiener.glsl
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/wiener.glsl"

layout(local_size_x = 256) in;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // z = AG_KERNEL_*
layout(location = AG_LOC_VALUES) uniform ivec4 u_values; // x = their number
#define LINES u_values.y
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};
layout(std430, binding = AG_SSBO_KERNEL_REAL) buffer KernelReal { // the same bytes
    float b_real[];
};

// The frequency of a value; between columns any.
ivec2 frequency_of(int value)
{
    int length = u_kernel.z == AG_KERNEL_MIRRORED ? POINTS.y / 2 + 1 : POINTS.y;
    int columns = length * LINES, at = value % columns;
    return ivec2(min(value / columns * LINES + at % LINES, POINTS.x / 2), at / LINES);
}

void main()
{
    int i = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u +
                gl_LocalInvocationID.x);
    if (i >= u_values.x)
        return;
    float noise = noise_at(frequency_of(i));
    if (u_kernel.z == AG_KERNEL_COMPLEX) {
        vec2 k = b_kernel[i] / SCALE;
        b_kernel[i] = vec2(k.x, -k.y) * (SCALE / (dot(k, k) + noise));
    } else {
        float k = b_real[i] / SCALE;
        b_real[i] = k * (SCALE / (k * k + noise));
    }
}
