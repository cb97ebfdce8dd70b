// denoise/component.glsl - from a texel to the components that are denoised, and back
//
//   host sets SPACE        AG_DENOISE_IN_*: the scale in which noise is about the same everywhere
//             CURVE        1 = with IN_LINEAR: the scale of the curve that was found in the image
//             COLOUR       1 = luma and chroma of red, green and blue; 0 = channels as they are
//             COMPONENTS   1..3
//             ALBEDO_FORMAT   GLSL image format of the colour of surfaces; not set: there is none
//             the defines of common/source.glsl; SRC_UNIT not set: no texels are read
//   why       the transform of colour is orthonormal, so equal noise of the channels stays equal
//             noise of the components
//   curve     noise of variance a + b x, x > 0, has the same sigma at every y = 2 x / (1 + sqrt(1 +
//             slope x)), slope = b / a: near black y is x, and so it is throughout if slope is 0.
//             x = y + slope / 4 max(y, 0)^2
//   source    Anscombe 1948; Starck, Murtagh, Bijaoui 1995 (gain and offset); the inverses are
//             algebraic
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SPACE) || !defined(CURVE) || !defined(COLOUR) || !defined(COMPONENTS)
#error "SPACE (AG_DENOISE_IN_*), CURVE, COLOUR and COMPONENTS must be set by the host"
#endif
#include "common/source.glsl"
#include "denoise/interface.h"

layout(location = AG_LOC_DENOISE_SPACE) uniform vec4 u_space;

#if CURVE
float g_slope = 0.0; // denoise/memory.glsl, begin_space()
#endif

// Sums of 4096 texels of this size are still finite.
const float LARGEST = 1e30;

vec3 to_space(vec3 c)
{
    c = clamp(c, -LARGEST, LARGEST);
#if SPACE == AG_DENOISE_IN_LOG
    c = sign(c) * log2(1.0 + abs(c) * u_space.w);
#elif SPACE == AG_DENOISE_IN_ANSCOMBE
    c = 2.0 * u_space.w * sqrt(max(u_space.y * c + u_space.z, 0.0));
#elif CURVE
    if (g_slope > 0.0)
        c = c * 2.0 / (1.0 + sqrt(1.0 + g_slope * max(c, 0.0)));
#endif
    return c;
}

vec3 from_space(vec3 y)
{
#if SPACE == AG_DENOISE_IN_LOG
    y = sign(y) * (exp2(abs(y)) - 1.0) * u_space.y;
#elif SPACE == AG_DENOISE_IN_ANSCOMBE
    y = max(y, 0.0) * 0.5 * u_space.y; // sqrt(gain x + 3/8 gain^2 + offset)
    y = (y * y - u_space.z) * u_space.w;
#endif
    return y;
}

vec3 components_of(vec4 texel)
{
    vec3 c = to_space(texel.rgb);
#if COLOUR
    c = vec3((c.r + c.g + c.b) * 0.57735027, (c.r - c.b) * 0.70710678,
             (c.r - 2.0 * c.g + c.b) * 0.40824829);
#endif
    // Exclusive or with 0, which no compiler knows. NVIDIA's would fuse these products with the
    // differences of neighbours, and those of equal texels would not be 0.
    return uintBitsToFloat(floatBitsToUint(c) ^ uint(u_src_mode.y));
}

// The texel without what was removed of its components, blended by `amount`. A texel of which
// nothing was removed keeps its bits. Alpha always does.
vec4 without(vec4 texel, vec3 removed)
{
#if COLOUR
    vec3 luma = vec3(removed.x * 0.57735027);
    removed = luma + vec3(removed.y, 0.0, -removed.y) * 0.70710678 +
        vec3(removed.z, -2.0 * removed.z, removed.z) * 0.40824829;
#endif
#if SPACE == AG_DENOISE_IN_LINEAR
#if CURVE
    if (g_slope > 0.0) {
        vec3 y = to_space(texel.rgb), high = max(y, 0.0), low = max(y - removed, 0.0);
        removed += 0.25 * g_slope * (high - low) * (high + low);
    }
#endif
    vec3 changed = texel.rgb - u_space.x * removed;
#else
    vec3 changed = mix(texel.rgb, from_space(to_space(texel.rgb) - removed), u_space.x);
#endif
    texel.rgb = mix(changed, texel.rgb, equal(removed, vec3(0.0)));
    return texel;
}

// ---- texels of the source, which continues beyond its edges as in a mirror ----------------------

// ... 1 0 | 0 1 2 ... n-1 | n-1 n-2 ...: half-sample symmetric, so edges make no coefficients
int reflected(int p, int n)
{
    p ^= p >> 31; // -1 becomes 0, -2 becomes 1
    if (n < 80) // the same for all threads: tiles reach so far that one reflection may be too few
        p %= 2 * n;
    return min(p, 2 * n - 1 - p);
}

#ifdef SRC_UNIT
vec4 load_extended(ivec2 p, inout uint largest)
{
    return load_texel_unseen(
        ivec2(reflected(p.x, u_src_rect.z), reflected(p.y, u_src_rect.w)), largest);
}
#endif

// ---- light without albedo -----------------------------------------------------------------------

#ifdef ALBEDO_FORMAT
layout(ALBEDO_FORMAT, binding = AG_IMAGE_ALBEDO) readonly uniform image2D i_albedo;
layout(location = AG_LOC_DENOISE_ALBEDO) uniform ivec4 u_albedo; // x, y
#endif

// 1 where there is none, also by channel: nothing is divided by less than 0.001.
vec3 albedo_at(ivec2 p)
{
#ifdef ALBEDO_FORMAT
    vec3 a = imageLoad(i_albedo, u_albedo.xy + p).rgb;
    return mix(vec3(1.0), a, bvec3(a.r > 1e-3 && a.r < 1e6, a.g > 1e-3 && a.g < 1e6,
                                   a.b > 1e-3 && a.b < 1e6));
#else
    return vec3(1.0);
#endif
}
