// fft/bloom_kernel.comp - draws bloom's kernel into a texture, not yet normalised
//
//   in        i_src    the host's kernel image (shape texture only)
//   out       i_dst    RGBA32F, odd width and height, the centre at (width / 2, height / 2)
//   host sets the defines of common/load.glsl
//   dispatch  ceil(width / 8), ceil(height / 8)
//   cost      a few hundred instructions a texel; runs in prepare, when the kernel changes
//   source    docs/bloom.md. Diffraction of a polygon, its Fourier transform as a sum over edges:
//             S.-W. Lee and R. Mittra 1983; far-field glare as |F|^2: Ritschel et al. 2009
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_kernel.h"
#include "common/load.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;     // z, w = width, height
layout(location = AG_LOC_SHAPE) uniform vec4 u_shape;            // sigma, rotation, half extent
layout(location = AG_LOC_SHAPE_MODE) uniform ivec4 u_shape_mode; // AG_BLOOM_* shape, blades

const float PI = 3.14159265358979;
// spatial frequency at the kernel's edge: the core's radius is about 1/50 of it
const float EDGE = 190.0;

// exp(i angle); the angle is reduced first, because drivers' sin and cos are inexact for large ones
vec2 exp_i(float angle)
{
    float a = angle - 2.0 * PI * round(angle / (2.0 * PI));
    return vec2(cos(a), sin(a));
}

// exp(x) for x <= 0, rounded once. GLSL's exp is off by 1e-6 near -18. Such noise has a flat
// spectrum, and the frequencies that a band-limited kernel leaves out would not be zero.
float accurate_exp(double x)
{
    const double LN2 = 0.693147180559945309417lf;
    double n = floor(x / LN2 + 0.5lf), r = x - n * LN2, sum = 1.0lf;
    for (int k = 13; k > 0; --k) // |r| <= ln(2) / 2: the rest is below 2^-56
        sum = 1.0lf + sum * r / double(k);
    return float(ldexp(sum, int(n)));
}

// |F(q)|^2 of a regular polygon with corners on the unit circle, relative to its value at q = 0.
float diffraction(vec2 q)
{
    int n = u_shape_mode.y;
    float area = 0.5 * float(n) * sin(2.0 * PI / float(n));
    float q2 = dot(q, q);
    if (q2 < 1e-3)
        return 1.0;
    vec2 sum = vec2(0.0);
    vec2 from = exp_i(u_shape.y);
    for (int i = 1; i <= n; ++i) {
        vec2 to = exp_i(u_shape.y + 2.0 * PI * float(i) / float(n));
        vec2 edge = to - from;
        float half_phase = 0.5 * dot(q, edge);
        float sinc = abs(half_phase) < 1e-3 ? 1.0 : exp_i(half_phase).y / half_phase;
        sum += (q.x * edge.y - q.y * edge.x) * sinc * exp_i(-0.5 * dot(q, from + to));
        from = to;
    }
    return dot(sum, sum) / (q2 * q2 * area * area);
}

// Each primary gathers a band of wavelengths, and a texel its own area: both smooth the rings.
vec3 aperture(vec2 offset)
{
    const vec3 WAVELENGTH = vec3(0.615, 0.545, 0.465); // micrometres
    float radius = length(offset) / u_shape.z;
    float window = max(1.0 - radius * radius, 0.0); // 0 at the edge
    vec3 sum = vec3(0.0);
    for (int s = 0; s < 16; ++s) {
        vec2 jitter = (vec2(s % 4, s / 4) + 0.5) / 4.0 - 0.5;
        vec2 q = (offset + jitter) / u_shape.z * EDGE;
        // samples that mirror each other share a wavelength, so that the star is point symmetric
        float band = 0.545 * (0.93 + 0.14 * (float(min(s, 15 - s) * 5 % 8) + 0.5) / 8.0);
        for (int c = 0; c < 3; ++c) {
            float scale = band / WAVELENGTH[c]; // longer waves spread wider
            sum[c] += diffraction(q * scale) * scale * scale;
        }
    }
    return sum * window * window;
}

// The host's image, scaled to the kernel's size by a tent filter, which widens when it shrinks.
vec3 image(vec2 offset)
{
    vec2 size = vec2(u_src_rect.zw), ratio = size / vec2(u_dst_rect.zw);
    vec2 at = vec2(u_src_rect.zw / 2) + offset * ratio, reach = max(ratio, 1.0);
    ivec2 low = ivec2(ceil(at - reach)), high = ivec2(floor(at + reach));
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    uint not_counted = 0u; // a texel is read for several of the kernel's
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            vec2 w = max(1.0 - abs(vec2(x, y) - at) / reach, 0.0);
            weights += w.x * w.y;
            if (x >= 0 && y >= 0 && x < u_src_rect.z && y < u_src_rect.w) {
                vec4 texel = load_texel(ivec2(x, y), not_counted);
                sum += w.x * w.y * (u_src_mode.x == 1 ? texel.rrr : texel.rgb);
            }
        }
    return sum / max(weights, 1e-20);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_dst_rect.zw)))
        return;
    vec2 offset = vec2(p - u_dst_rect.zw / 2);
    vec3 k = vec3(0.0);
    switch (u_shape_mode.x) {
    case AG_SHAPE_GAUSSIAN:
        k = vec3(accurate_exp(-double(dot(offset, offset)) /
                              (2.0lf * double(u_shape.x) * double(u_shape.x))));
        break;
    case AG_SHAPE_APERTURE:
        k = aperture(offset);
        break;
    case AG_SHAPE_TEXTURE:
        k = image(offset);
        break;
    }
    imageStore(i_dst, p, vec4(k, 1.0));
}
