// wavelet/stationary.comp - half a level of the stationary wavelet transform, or of its inverse
//
//   The stationary transform keeps every sample of a level: the filters of level l skip
//   2^(l - 1) - 1 samples between taps, and a line repeats. A level is two dispatches, with two
//   planes between them, of coefficients that are low and that are high in y:
//
//      forward   image or LL    -> columns -> planes -> rows    -> LL, and HL, LH, HH into dst
//      inverse   LL, HL, LH, HH -> rows    -> planes -> columns -> LL or image
//
//   in        b_from           SECOND: the planes; else with FROM_BUFFER: LL of the level before
//             t_src or i_src   without both, forward: the image
//             t_src or i_ll .. i_hh   without SECOND, inverse: the bands of src
//                              (wavelet/bands.glsl)
//   out       b_to             the planes; SECOND: LL, unless this is the last level
//             i_ll .. i_hh     SECOND, forward: the details, and LL of the last level
//             i_dst            SECOND, inverse: the image of level 1
//             b_info.scrubbed
//   host sets INVERSE          0; 1 = the inverse
//             SECOND           0; 1 = the second half of a level: FROM_BUFFER is 1
//             FROM_BUFFER      of the first half: 0 = its first level, 1 = a later one
//             FILTER, TAPS, CHANNELS   wavelet/filters.glsl, wavelet/samples.glsl
//             STORE            with SECOND: AG_STORE_*; else without FROM_BUFFER or with INVERSE
//                              the defines of common/source.glsl
//   dispatch  a thread a texel
//   cost      TAPS loads a texel of each plane or band, all but one from a cache
//   source    Nason, Silverman 1995, The Stationary Wavelet Transform; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(SECOND) || !defined(INVERSE) || !defined(FROM_BUFFER)
#error "SECOND, INVERSE and FROM_BUFFER must be set by the host"
#endif
#if SECOND && INVERSE
#include "common/store.glsl"
#elif SECOND
#include "wavelet/bands.glsl"
#elif INVERSE
#include "common/info.glsl"
#include "wavelet/bands.glsl"
#elif !FROM_BUFFER
#include "common/info.glsl"
#include "common/source.glsl"
#endif
#include "wavelet/filters.glsl"
#include "wavelet/samples.glsl"

layout(location = AG_LOC_WAVELET_GAP) uniform ivec4 u_gap; // from tap to tap
layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_GROUP_Y) in;
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };
#if FROM_BUFFER
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
#endif

// The place in a line of n samples that tap m of analysis, or tap k of synthesis, reads. Tap CENTRE
// reads the place itself.
const int CENTRE = TAPS / 2 - 1;
int analysed(int o, int m, int n) { return modulo(o + u_gap.x * (m - CENTRE), n); }

int synthesised(int t, int k, int n) { return modulo(t + u_gap.x * (CENTRE - k), n); }

// The place of a texel in a plane of a buffer.
int in_plane(ivec2 p, int plane) { return (plane * u_size.y + p.y) * u_size.x + p.x; }

#if SECOND && INVERSE
void make_texel(ivec2 p)
{
    VALUE c = VALUE(0.0);
    for (int k = 0; k < TAPS; ++k) {
        ivec2 from = ivec2(p.x, synthesised(p.y, k, u_size.y));
        vec2 tap = 0.5 * synthesis_tap(k); // each sample is there twice
        c += tap.x * b_from[in_plane(from, 0)] + tap.y * b_from[in_plane(from, 1)];
    }
    if (u_mode.y != 0)
        store_texel(p, widen(c, 1.0));
    else
        b_to[in_plane(p, 0)] = c;
}
#elif SECOND
void make_texel(ivec2 p)
{
    VALUE ll = VALUE(0.0), hl = ll, lh = ll, hh = ll;
    for (int m = 0; m < TAPS; ++m) {
        ivec2 from = ivec2(analysed(p.x, m, u_size.x), p.y);
        VALUE low = b_from[in_plane(from, 0)], high = b_from[in_plane(from, 1)];
        vec2 tap = analysis_tap(m);
        ll += tap.x * low;
        hl += tap.y * low;
        lh += tap.x * high;
        hh += tap.y * high;
    }
    ivec2 at = u_dst_rect.xy + p;
    if (u_mode.y != 0)
        imageStore(i_ll, at, stored(ll));
    else
        b_to[in_plane(p, 0)] = ll;
    imageStore(i_hl, at, stored(hl));
    imageStore(i_lh, at, stored(lh));
    imageStore(i_hh, at, stored(hh));
}
#elif INVERSE
void make_texel(ivec2 p)
{
    VALUE low = VALUE(0.0), high = low;
    for (int k = 0; k < TAPS; ++k) {
        ivec2 from = ivec2(synthesised(p.x, k, u_size.x), p.y);
        bool own = k == CENTRE;
#if FROM_BUFFER
        VALUE ll = b_from[in_plane(from, 0)];
#else
        VALUE ll = load_band(from, ivec2(0), own);
#endif
        VALUE hl = load_band(from, ivec2(1, 0), own);
        VALUE lh = load_band(from, ivec2(0, 1), own);
        VALUE hh = load_band(from, ivec2(1), own);
        vec2 tap = 0.5 * synthesis_tap(k); // each sample is there twice
        low += tap.x * ll + tap.y * hl;
        high += tap.x * lh + tap.y * hh;
    }
    b_to[in_plane(p, 0)] = low;
    b_to[in_plane(p, 1)] = high;
    count_bad(g_bad);
}
#else
void make_texel(ivec2 p)
{
    VALUE low = VALUE(0.0), high = low;
    uint bad = 0u;
    for (int m = 0; m < TAPS; ++m) {
        ivec2 from = ivec2(p.x, analysed(p.y, m, u_size.y));
#if FROM_BUFFER
        VALUE c = b_from[in_plane(from, 0)];
#else
        uint largest = 0u;
        VALUE c = narrow(load_texel_unseen(from, largest));
        bad += uint(m == CENTRE && largest >= TOO_LARGE && u_src_mode.z != 0);
#endif
        vec2 tap = analysis_tap(m);
        low += tap.x * c;
        high += tap.y * c;
    }
    b_to[in_plane(p, 0)] = low;
    b_to[in_plane(p, 1)] = high;
#if !FROM_BUFFER
    count_bad(bad);
#endif
}
#endif

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_size.xy)))
        make_texel(p);
}
