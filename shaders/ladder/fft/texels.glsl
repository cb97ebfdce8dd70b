// ladder/fft/texels.glsl - RGBA32F textures of real and imaginary parts, in and out
//   host sets READS_IMAG  0 = the input is real: its imaginary texture is not read (article, p. 7)
//   includer  COUNTS      whether this thread counts what it scrubs
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(READS_IMAG) || !defined(COUNTS)
#error "READS_IMAG must be set by the host, COUNTS defined by the includer"
#endif
#include "common/info.glsl"
#include "common/texel.glsl"
#include "ladder/fft/weights.glsl"

layout(rgba32f, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
#if READS_IMAG
layout(rgba32f, binding = AG_IMAGE_SRC_IMAG) readonly uniform image2D i_src_imag;
#endif
layout(binding = AG_IMAGE_DST_IMAG) writeonly uniform image2D i_dst_imag;
layout(location = AG_LOC_LADDER_IN) uniform ivec4 u_in;
layout(location = AG_LOC_LADDER_OUT) uniform ivec4 u_out;
layout(location = AG_LOC_TRANSFORM_SCALE) uniform vec4 u_scale;

vec4 scrubbed(vec4 value)
{
    if (!SCRUBS || size_bits(value) < TOO_LARGE)
        return value;
    if (COUNTS)
        atomicAdd(b_info.scrubbed, 1u);
    return vec4(0.0);
}

vec4 load_real(ivec2 p) { return scrubbed(imageLoad(i_src, u_in.xy + p)); }

vec4 load_imaginary(ivec2 p)
{
#if READS_IMAG
    return scrubbed(imageLoad(i_src_imag, u_in.zw + p));
#else
    return vec4(0.0);
#endif
}

void store_texel(ivec2 p, vec4 real, vec4 imaginary)
{
    imageStore(i_dst, u_out.xy + p, real * u_scale.x);
    imageStore(i_dst_imag, u_out.zw + p, imaginary * u_scale.x);
}
