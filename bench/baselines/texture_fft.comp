// texture_fft.comp - a butterfly pass of radix 2: indices and weights from a lookup texture
//
//   in        t_real, t_imag  what the pass before wrote
//             t_lookup        texel (x, pass): two indices, a weight (ag_ladder_lookup)
//   out       i_real, i_imag
//   dispatch  ceil(size / (16, 16))
//   source    J. S. (Intel) 2014, "Fast Fourier Transform for Image Processing in DirectX 11"
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 16) in;
layout(location = 0) uniform ivec4 u_pass; // pass, axis, log2 n, n
layout(binding = 0) uniform sampler2D t_real;
layout(binding = 1) uniform sampler2D t_imag;
layout(binding = 2) uniform sampler2D t_lookup;
layout(binding = 0) writeonly uniform image2D i_real;
layout(binding = 1) writeonly uniform image2D i_imag;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (max(p.x, p.y) >= u_pass.w)
        return;
    int axis = u_pass.y;
    vec4 both = texelFetch(t_lookup, ivec2(axis == 0 ? p.x : p.y, u_pass.x), 0);
    ivec2 a = axis == 0 ? ivec2(both.x, p.y) : ivec2(p.x, both.x);
    ivec2 b = axis == 0 ? ivec2(both.y, p.y) : ivec2(p.x, both.y);
    vec4 r1 = texelFetch(t_real, a, 0), i1 = texelFetch(t_imag, a, 0);
    vec4 r2 = texelFetch(t_real, b, 0), i2 = texelFetch(t_imag, b, 0);
    imageStore(i_real, p, r1 + both.z * r2 - both.w * i2);
    imageStore(i_imag, p, i1 + both.w * r2 + both.z * i2);
}
