// mip/source.glsl - reads a texel of the first level, in the numbers of the reduction
//
//   in        t_src or i_src   the first level: as common/source.glsl, or a depth texture
//   out       b_info.scrubbed  with COUNTS the number of non-finite texels: count_bad()
//   host sets DEPTH      0 = colours; 1 = depths in one channel, which is copied to all: minmax
//                        takes the minimum in r and the maximum in g; 2 = the same from a depth
//                        texture, which a sampler reads
//             COUNTS     1 = the format has NaN and Inf, and they are counted
//             SRC_KIND   DEPTH 2: the sampler's GLSL type
//             SAMPLES    DEPTH 2: 1 = multisampled; the samples of a texel are reduced
//             WEIGHT     AG_WEIGHT_*, as for mip/reduce.glsl; not set: none
//             and the defines of mip/level.glsl; DEPTH 0, 1: those of common/source.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(DEPTH) || !defined(COUNTS)
#error "DEPTH and COUNTS must be set by the host"
#endif
#if DEPTH == 2 && (!defined(SRC_KIND) || !defined(SAMPLES))
#error "SRC_KIND and SAMPLES must be set by the host"
#endif
#include "mip/level.glsl"
#if COUNTS
#include "common/info.glsl"
#else
void count_bad(uint bad) {}
#endif

// ---- as read. load_raw() has the texel at p of the rectangle, RAW_CODES says whether as codes.
// ---- SRC_GATHERS: four texels can be read at once (common/gather.glsl)

#if DEPTH == 2
#include "mip/reduce.glsl"
#define SRC_GATHERS 0
const bool RAW_CODES = false;
layout(binding = 0) uniform SRC_KIND t_src;

vec4 load_raw(ivec2 p)
{
    p += u_src_rect.xy;
    vec4 c;
    if (SAMPLES != 0) {
        SUM samples = sum_begin();
        for (int i = 0; i < u_texture.x; ++i)
            sum_add(samples, texelFetch(t_src, PLACE(p), i).rrrr, 1.0, true);
        c = sum_finish(samples);
    } else {
        c = texelFetch(t_src, PLACE(p), u_texture.y).rrrr;
    }
    return c;
}
#else
#define SRC_GATHERS BY_TEXTURE
const bool RAW_CODES = SRC_PACKING == AG_PACKING_8888 || SRC_PACKING == AG_PACKING_10_10_10_2;

vec4 as_channels(vec4 c) { return DEPTH != 0 ? c.rrrr : c; }

vec4 load_raw(ivec2 p) { return as_channels(fetch(u_src_rect.xy + p)); }
#endif

#if SRC_GATHERS
#include "common/gather.glsl"
#if SRC_PACKING == AG_PACKING_8888
// The sum of the four texels' codes, two channels in each integer.
vec4 code_sum(gathered q)
{
    uvec4 even = q.at[0] & 0xff00ffu, odd = q.at[0] >> 8 & 0xff00ffu;
    uint rb = even.x + even.y + even.z + even.w, ga = odd.x + odd.y + odd.z + odd.w;
    return vec4(rb & 0xffffu, ga & 0xffffu, rb >> 16, ga >> 16);
}
#endif
#endif

// ---- in the numbers of the reduction

// A sum has a bad texel if its size_bits are this or more: infinity, because means never exceed the
// largest texel. Without scrub none has.
uint bad_size() { return bad_from(NOT_FINITE, u_stage.w); }

// Where texels are weighed by texels, those that are too large are bad, too.
#if defined(WEIGHT) && WEIGHT != AG_WEIGHT_NONE
#define BAD_TEXEL TOO_LARGE
#else
#define BAD_TEXEL NOT_FINITE
#endif

// A texel of load_raw in the numbers of the reduction. With scrub `bad` says that it was bad, and
// became 0; with EXACT, that it has a NaN, which the reduction skips.
vec4 clean(vec4 c, out bool bad)
{
    bad = false;
    if (OF_CODES) {
        if (EXACT && RAW_CODES)
            c /= CODES;
        else if (!EXACT && !RAW_CODES)
            c = roundEven(c * CODES);
    } else if (STORE == AG_STORE_SRGB8) {
        if (RAW_CODES)
            c /= 255.0;
        if (!EXACT)
            c.rgb = srgb_decode(c.rgb);
    } else if (EXACT) {
        bad = scrubs() && any(is_nan(c));
    } else {
        bad = scrubs() && size_bits(c) >= BAD_TEXEL;
        c = mix(c, vec4(0.0), bvec4(bad));
    }
    return c;
}

// The texel at p, which lies inside the rectangle.
vec4 load_first(ivec2 p, out bool bad) { return clean(load_raw(p), bad); }
