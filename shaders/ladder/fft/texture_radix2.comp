// ladder/fft/texture_radix2.comp - the article's UAV technique, Fig 1: a dispatch a butterfly pass
//
//   textures 0 -> pass 1 -> textures 1 -> pass 2 -> textures 0 -> .. log2 N dispatches an axis
//
//   in        i_src, i_src_imag  what the pass before wrote
//   out       i_dst, i_dst_imag
//   host sets the defines of ladder/fft/weights.glsl and texels.glsl; AXIS
//   dispatch  ceil(width / 16), ceil(height / 16)
//   cost      Fig 5: four texels read and two written, for each texel and pass
//   technique A01, A05, A06 of docs/ladder.md
//   source    J. S. (Intel) 2014, "Fast Fourier Transform for Image Processing in DirectX 11"
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef AXIS
#error "AXIS must be set by the host"
#endif
// Two outputs are made of the same two texels in the first pass.
#define COUNTS ((AXIS == 0 ? gl_GlobalInvocationID.x : gl_GlobalInvocationID.y) % 2u == 0u)
#include "ladder/fft/texels.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(location = AG_LOC_EXTENT) uniform ivec4 u_extent;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_extent.xy)))
        return;
    uvec2 indices;
    vec2 w;
    butterfly_values(PASS, uint(AXIS == 0 ? p.x : p.y), indices, w);
    ivec2 a = AXIS == 0 ? ivec2(indices.x, p.y) : ivec2(p.x, indices.x);
    ivec2 b = AXIS == 0 ? ivec2(indices.y, p.y) : ivec2(p.x, indices.y);
    vec4 r1 = load_real(a), i1 = load_imaginary(a), r2 = load_real(b), i2 = load_imaginary(b);
    store_texel(p, r1 + w.x * r2 - w.y * i2, i1 + w.y * r2 + w.x * i2);
}
