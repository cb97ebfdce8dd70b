// bloom/kernel.comp - draws bloom's kernel into a texture, not yet normalised
//
//   PART AG_DRAW_TEXELS draws. PART AG_DRAW_FIT runs before it where kernel_fit is on: it finds the
//   background, the centre and the light of the host's kernel image.
//
//   in        i_src    the host's kernel image (shape texture only)
//             i_power  the pupil's power, from bloom/pupil.comp (shapes with a pupil only)
//   in, out   b_black   while FITS: the mean of the image's outermost texels, at least 0, a channel
//             b_centre  x, y: the centroid of what is above b_black, all channels together
//             b_light   the sum of what is above b_black, a channel; for the log
//   out       b_info   while scrub is on: adds the number of the image's non-finite texels, in the
//                      fit, or without one where the image is drawn
//             i_dst    RGBA32F, odd width and height, the centre at (width / 2, height / 2)
//   host sets PART and the defines of common/source.glsl
//   dispatch  AG_DRAW_FIT: 1, one group reads all texels. AG_DRAW_TEXELS: ceil(width / 8),
//             ceil(rows / 8), of the rows from FIRST_ROW on
//   cost      shapes with a pupil: 32 SAMPLES loads a texel. The fit reads each texel of the image
//             once, and the outermost twice. Both run in prepare, when the kernel changes
//   source    docs/bloom.md. Far-field glare as |F|^2, scaled by the wavelength: Kakimoto et al.
//             2004, Glare Generation Based on Wave Optics; Ritschel et al. 2009, Temporal Glare
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PART
#error "PART (AG_DRAW_FIT, AG_DRAW_TEXELS) must be set by the host"
#endif
#include "bloom/interface.h"
#include "common/info.glsl"
#include "common/pair.glsl"
#include "common/source.glsl"

// A texel of the image; w is 1, so that a sum also has the number of texels. One channel is grey.
// `bad`: 1 more if it is not finite.
vec4 texel(ivec2 p, inout uint bad)
{
    vec4 c = load_texel(p, bad);
    return vec4(u_src_mode.x == 1 ? c.rrr : c.rgb, 1.0);
}

#if PART == AG_DRAW_TEXELS

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;     // z, w = width, height
layout(r32f, binding = AG_IMAGE_KERNEL) readonly uniform image2D i_power;
layout(location = AG_LOC_SHAPE) uniform vec4 u_shape;
layout(location = AG_LOC_SHAPE_MODE) uniform ivec4 u_shape_mode;
layout(location = AG_LOC_STREAK) uniform vec4 u_streak;
#define SIGMA u_shape.x
#define HALF_EXTENT u_shape.z
#define DISPERSION u_shape.w
#define SAMPLES u_shape_mode.y
#define FIRST_ROW u_shape_mode.z
#define FITS (u_shape_mode.w != 0)
#define STRETCH u_streak.x
#define STREAK u_streak.y
#define POWER_SCALE u_streak.z
layout(std430, binding = AG_SSBO_FIT) readonly buffer Fit {
    vec4 b_black;
    vec4 b_centre;
};

// exp(x) of a pair of floats x <= 0, rounded once. GLSL's exp is off by 1e-6 near -18. Such noise
// has a flat spectrum, and the frequencies that a band-limited kernel leaves out would not be zero.
float accurate_exp(vec2 x)
{
    const vec2 LN2 = vec2(0.693147182464599609375, -1.904654299957767878e-9);
    float n = floor(x.x / LN2.x + 0.5), rest = 1.0;
    if (n < -126.0)
        return 0.0; // below the smallest normal float
    vec2 r = add(x, multiply(LN2, vec2(-n, 0.0))), sum;
    for (int k = 13; k > 6; --k) // |r| <= ln(2) / 2: what follows is below 2^-56
        rest = 1.0 + rest * r.x / float(k);
    sum = vec2(rest, 0.0); // its last bit counts for 2^-42
    for (int k = 6; k > 0; --k)
        sum = add(divide(multiply(sum, r), vec2(k, 0.0)), 1.0);
    return ldexp(sum.x, int(n));
}

// The pupil's power at frequency k, 1 at 0: cubic interpolation (Catmull-Rom), even in every bit.
float power(vec2 k)
{
    if (k.y < 0.0 || (k.y == 0.0 && k.x < 0.0))
        k = -k;
    if (max(abs(k.x), k.y) > float(AG_POWER_REACH - 3))
        return 0.0;
    vec2 low = floor(k), t = k - low;
    vec2 w[4] = vec2[4](t * (-0.5 + t * (1.0 - 0.5 * t)), 1.0 + t * t * (-2.5 + 1.5 * t),
                        t * (0.5 + t * (2.0 - 1.5 * t)), t * t * (-0.5 + 0.5 * t));
    ivec2 first = ivec2(low) + AG_POWER_REACH - 1;
    float sum = 0.0;
    for (int y = 0; y < 4; ++y) {
        float row = 0.0;
        for (int x = 0; x < 4; ++x)
            row += w[x].x * imageLoad(i_power, first + ivec2(x, y)).r;
        sum += w[y].y * row;
    }
    return max(sum, 0.0);
}

// What each primary gathers of a wavelength, in nanometres.
vec3 primaries(float wavelength)
{
    vec3 d = (wavelength - vec3(605.0, 545.0, 460.0)) / vec3(30.0, 30.0, 24.0);
    return exp(-0.5 * d * d);
}

// The diffraction of the pupil. Samples lie within the texel and over all wavelengths, which
// smooths the rings. Those that mirror each other share a wavelength, so that the star is even. Two
// neighbouring wavelengths take the same place, turned by 90 degrees: else a star that turns with
// its frame would not be the same.
vec3 diffraction(vec2 offset)
{
    const vec2 STEP = vec2(0.754877666, 0.569840291); // Roberts 2018, the R2 sequence
    vec3 sum = vec3(0.0), weights = vec3(0.0);
    vec2 to_k = vec2(AG_POWER_EDGE / HALF_EXTENT) / vec2(STRETCH, 1.0);
    for (int s = 0; s < SAMPLES; ++s) {
        vec2 place = fract(STEP * float(s / 2)) - 0.5;
        vec2 jitter = s % 2 == 0 ? place : vec2(-place.y, place.x);
        float wavelength = 400.0 + 280.0 * (float(s) + 0.5) / float(SAMPLES);
        float scale = pow(545.0 / wavelength, DISPERSION); // longer waves spread wider
        vec3 w = primaries(wavelength);
        vec2 step_k = to_k * scale;
        sum += w * (scale * scale) *
               (power((offset + jitter) * step_k) + power((offset - jitter) * step_k));
        weights += 2.0 * w;
    }
    return sum / weights;
}

// The streak of a cylindrical surface: a line that fades to both sides. Coatings scatter more blue.
// The sum is near 1.
vec3 streak(vec2 offset)
{
    vec3 reach = HALF_EXTENT * vec3(0.18);
    float thin = max(1.0, 0.004 * HALF_EXTENT), y = offset.y / thin;
    return exp(-abs(offset.x) / reach) / (2.0 * reach) * exp(-0.5 * y * y) / (2.5066283 * thin);
}

// The kernel of a pupil: fades to 0 at the circle that its square holds.
vec3 glare(vec2 offset)
{
    float radius = length(offset) / HALF_EXTENT;
    float window = max(1.0 - radius * radius, 0.0);
    vec3 k = diffraction(offset) * POWER_SCALE;
    if (u_shape_mode.x == AG_GLARE_ANAMORPHIC) {
        vec3 share = STREAK * vec3(0.4, 0.7, 1.0);
        k = mix(k, streak(offset), share);
    }
    return k * window * window;
}

// The host's image, scaled to the kernel's size by a tent filter, which widens when it shrinks.
vec3 image(vec2 offset)
{
    vec2 size = vec2(u_src_rect.zw), ratio = size / vec2(u_dst_rect.zw);
    vec2 centre = FITS ? b_centre.xy : vec2(u_src_rect.zw / 2);
    vec3 black = FITS ? b_black.rgb : vec3(0.0);
    vec2 at = centre + offset * ratio, reach = max(ratio, 1.0);
    ivec2 low = ivec2(ceil(at - reach)), high = ivec2(floor(at + reach));
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    uint bad = 0u;
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            vec2 w = max(1.0 - abs(vec2(x, y) - at) / reach, 0.0);
            weights += w.x * w.y;
            if (x >= 0 && y >= 0 && x < u_src_rect.z && y < u_src_rect.w) {
                uint is_bad = 0u;
                vec3 light = texel(ivec2(x, y), is_bad).rgb - black;
                sum += w.x * w.y * (FITS ? max(light, 0.0) : light);
                // Of the texels of K that it reaches, the nearest one counts it.
                vec2 nearest = floor((vec2(x, y) - centre) / ratio + 0.5);
                bad += all(equal(nearest, offset)) ? is_bad : 0u;
            }
        }
    if (!FITS)
        count_bad(bad);
    return sum / max(weights, 1e-20);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, FIRST_ROW);
    if (any(greaterThanEqual(p, u_dst_rect.zw)))
        return;
    vec2 offset = vec2(p - u_dst_rect.zw / 2);
    vec3 k = vec3(0.0);
    switch (u_shape_mode.x) {
    case AG_GLARE_GAUSSIAN:
        k = vec3(accurate_exp(divide(vec2(-dot(offset, offset), 0.0),
                                     exact_product(2.0 * SIGMA, SIGMA))));
        break;
    case AG_GLARE_TEXTURE:
        k = image(offset);
        break;
    default:
        k = glare(offset);
        break;
    }
    imageStore(i_dst, p, vec4(k, 1.0));
}

#elif PART == AG_DRAW_FIT
#define THREADS 256
#include "common/pair_sum.glsl"

layout(local_size_x = THREADS) in;
layout(std430, binding = AG_SSBO_FIT) writeonly buffer Fit {
    vec4 b_black;
    vec4 b_centre;
    vec4 b_light;
};
const pairs NOTHING = pairs(vec4(0.0), vec4(0.0));

void main()
{
    ivec2 size = u_src_rect.zw;
    int thread = int(gl_LocalInvocationIndex);

    // The outermost texels; a corner counts on both of its sides.
    pairs sum = NOTHING;
    uint counted_later = 0u, bad = 0u;
    for (int x = thread; x < size.x; x += THREADS)
        sum = add(add(sum, texel(ivec2(x, 0), counted_later)),
                  texel(ivec2(x, size.y - 1), counted_later));
    for (int y = thread; y < size.y; y += THREADS)
        sum = add(add(sum, texel(ivec2(0, y), counted_later)),
                  texel(ivec2(size.x - 1, y), counted_later));
    sum = sum_of(sum);
    vec4 black = max(divide(sum, pairs(sum.high.wwww, vec4(0.0))).high, 0.0);

    // What is drawn: texels less the same black, in floats.
    pairs light = NOTHING, moments = NOTHING;
    for (int y = 0; y < size.y; ++y)
        for (int x = thread; x < size.x; x += THREADS) {
            vec4 above = max(texel(ivec2(x, y), bad) - black, 0.0);
            float all = above.x + above.y + above.z;
            light = add(light, vec4(above.xyz, 0.0));
            moments = add(moments, vec4(all * float(x), all * float(y), all, 0.0));
        }
    count_bad(bad);
    light = sum_of(light);
    moments = sum_of(moments);
    if (thread != 0)
        return;
    // An image without light keeps its middle; its kernel is refused later.
    vec4 centre = vec4(size / 2, 0.0, 0.0);
    if (moments.high.z > 0.0)
        centre = divide(moments, pairs(moments.high.zzzz, moments.low.zzzz)).high;
    b_black = vec4(black.xyz, 0.0);
    b_centre = vec4(centre.xy, 0.0, 0.0);
    b_light = light.high;
}
#endif
