// fft/pupil_power.comp - |F|^2 of a pupil, around frequency 0 in the middle
//
//   in        b_kernel  F, from kernel_columns.comp: a complex half spectrum, AG_PUPIL_LINE points
//   out       i_dst     R32F, AG_POWER_SIDE squared: |F(k) / F(0)|^2 of k = texel - AG_POWER_REACH
//   host sets u_kernel.x = columns side by side in b_kernel (fft/kernel_spectrum.glsl)
//   dispatch  ceil(AG_POWER_SIDE / 8) in both directions
//   cost      reads and writes each value once; runs in prepare only
//   source    far-field (Fraunhofer) diffraction: Goodman, Introduction to Fourier Optics, 4.3
//
// The pupil is real, so F(-k) is the complex conjugate of F(k): the half with negative columns is
// the other half, reversed, and the power is even in every bit.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_bloom.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(r32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define LINES u_kernel.x
layout(std430, binding = AG_SSBO_KERNEL) readonly buffer Kernel {
    vec2 b_kernel[];
};

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, ivec2(AG_POWER_SIDE))))
        return;
    ivec2 k = p - AG_POWER_REACH;
    if (k.x < 0 || (k.x == 0 && k.y < 0))
        k = -k;
    int row = k.y < 0 ? k.y + AG_PUPIL_LINE : k.y;
    vec2 f = b_kernel[k.x / LINES * (AG_PUPIL_LINE * LINES) + k.x % LINES + row * LINES];
    float whole = b_kernel[0].x; // all the light that passes
    f /= max(whole, 1e-30);
    imageStore(i_dst, p, vec4(dot(f, f)));
}
