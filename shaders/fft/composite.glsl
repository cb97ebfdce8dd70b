// fft/composite.glsl - what becomes of the convolution and the scene, and how it is stored
//
//   out       i_dst  keep * src + self * T + direct * centre * T + gain * convolution, where T is src, filtered by
//                    bloom_filter while FILTERS is on, and centre the kernel's centre weight
//   host sets STORE          AG_STORE_*, the rounding of dst's format (common/round.glsl)
//             DST_CHANNELS   of that format
//   how       texels of 16-bit floats are stored as words: AG_STORE_16F's images come as R16UI, R32UI or RG32UI
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_COMPOSITE_GLSL
#define AG_FFT_COMPOSITE_GLSL
#if !defined(STORE) || !defined(DST_CHANNELS)
#error "STORE (AG_STORE_*) and DST_CHANNELS (1..4) must be set by the host"
#endif
#include "fft/source.glsl"
#include "fft/bloom_filter.glsl"
#include "common/round.glsl"
#include "fft/halves.glsl"

layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y
layout(location = AG_LOC_GAIN) uniform vec4 u_gain;
layout(location = AG_LOC_DIRECT) uniform vec4 u_direct;
layout(location = AG_LOC_SELF) uniform vec4 u_self;
layout(location = AG_LOC_KEEP) uniform vec4 u_keep;

#if STORE == AG_STORE_16F
layout(binding = AG_IMAGE_DST) writeonly uniform uimage2D i_dst;

void store_texel(ivec2 p, vec4 c)
{
    uint low = pack_halves(c.rg);
    uint high = DST_CHANNELS == 4 ? pack_halves(c.ba) : 0u;
    imageStore(i_dst, u_dst_rect.xy + p, uvec4(DST_CHANNELS == 1 ? low & 0xffffu : low, high, 0u, 0u));
}
#else
layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;

void store_texel(ivec2 p, vec4 c)
{
    imageStore(i_dst, u_dst_rect.xy + p, round_for_store(c));
}
#endif

struct factors {
    vec4 of_src, of_filtered;
};

// While FILTERS is off T is src, and there is one factor for it, so that a kernel that is only its centre cancels
// exactly. Asked for once, before the first store: a load cannot move before one.
factors composite_factors()
{
    vec4 self = u_self + u_direct * b_info.centre, off = vec4(!FILTERS);
    return factors(u_keep + self * off, self);
}

// `filtered`: T while FILTERS is on, else 0.
vec4 composite(factors f, vec4 c, vec3 filtered, vec4 convolution)
{
    return f.of_src * c + f.of_filtered * vec4(filtered, 0.0) + u_gain * convolution;
}

#endif
