// fft/composite.glsl - combines the convolution with the source, and stores the result
//   out       i_dst  keep * src + self * T + direct * centre * T + gain * convolution
//                    T is src, filtered by bloom/filter.glsl while FILTERS is on; centre is the
//                    kernel's centre weight where it bypasses the FFT, else 0
//   host sets STORE         AG_STORE_*, the rounding of dst's format (common/texel.glsl)
//             DST_CHANNELS  1 .. 4, of that format
//             COMPRESSES    1 = highlights were expanded and are compressed again (docs/bloom.md)
//             the defines of fft/source.glsl and bloom/filter.glsl
//   how       16-bit floats are stored packed: images of AG_STORE_16F are bound as R16UI, R32UI or
//             RG32UI (docs/decisions.md, D31)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(STORE) || !defined(DST_CHANNELS) || !defined(COMPRESSES)
#error "STORE (AG_STORE_*), DST_CHANNELS (1..4) and COMPRESSES (0, 1) must be set by the host"
#endif
#include "common/info.glsl"
#include "common/texel.glsl"
#include "fft/interface.h"
#include "fft/source.glsl"
#define READS_EACH_TIME 0
#include "bloom/filter.glsl"

layout(location = AG_LOC_GAIN) uniform vec4 u_gain;
layout(location = AG_LOC_DIRECT) uniform vec4 u_direct;
layout(location = AG_LOC_SELF) uniform vec4 u_self;
layout(location = AG_LOC_KEEP) uniform vec4 u_keep;

#if STORE == AG_STORE_16F
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y
layout(binding = AG_IMAGE_DST) writeonly uniform uimage2D i_dst;

void store_texel(ivec2 p, vec4 c)
{
    uint low = pack_halves(c.rg), high = DST_CHANNELS == 4 ? pack_halves(c.ba) : 0u;
    imageStore(i_dst, u_dst_rect.xy + p,
               uvec4(DST_CHANNELS == 1 ? low & 0xffffu : low, high, 0u, 0u));
}
#else
#include "common/store.glsl"
#endif

// The inverse of what load_source does to highlights, where dst holds what src does.
vec4 compress(vec4 c)
{
    float m = clamp(max(c.r, max(c.g, c.b)), 0.0, 1.0 / (1.0 - HIGHLIGHTS));
    return COMPRESSES != 0 ? vec4(c.rgb / (1.0 + HIGHLIGHTS * m), c.a) : c;
}

struct factors {
    vec4 of_src, of_filtered;
};

// While FILTERS is off T is src, and one common factor is applied, so that a kernel that is only
// its centre cancels exactly. Called once, before the first store (docs/decisions.md, D26).
factors composite_factors()
{
    vec4 self = u_self + u_direct * b_info.centre, off = vec4(!FILTERS);
    return factors(u_keep + self * off, self);
}

// `filtered`: T while FILTERS is on, else 0.
vec4 composite(factors f, vec4 c, vec3 filtered, vec4 convolution)
{
    return compress(f.of_src * c + f.of_filtered * vec4(filtered, 0.0) + u_gain * convolution);
}
