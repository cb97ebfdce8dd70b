// present.frag - a picture for the eye: exposure, tone curve, sRGB
//
//   in        t_src: linear, any range; t_exposure: one texel, r is EV
//   out       codes of 8 bits; the last row is the top
//   source    Narkowicz 2016, "ACES Filmic Tone Mapping Curve"; IEC 61966-2-1
//   SPDX-License-Identifier: MIT
#version 430 core

layout(binding = 0) uniform sampler2D t_src;
layout(binding = 1) uniform sampler2D t_exposure;
layout(location = 0) uniform vec4 u_rect;   // of the picture on the canvas: x, y of its lowest row, width, height
layout(location = 1) uniform ivec2 u_size;  // of the picture, in texels
layout(location = 2) uniform vec3 u_view;   // EV; 1: aces; 1: t_exposure counts
layout(location = 0) out vec4 o_code;

vec3 texel(ivec2 p) { return texelFetch(t_src, clamp(p, ivec2(0), u_size - 1), 0).rgb; }

vec3 sample_at(vec2 p) {
    if (vec2(u_size) == u_rect.zw) return texel(ivec2(p));
    // Smaller on the canvas than it is: the mean of 3 x 3 places; else bilinear.
    float step_ = max(float(u_size.x) / u_rect.z, 1.0); vec3 sum = vec3(0.0);
    int n = step_ > 1.0 ? 3 : 1;
    for (int i = 0; i < n * n; ++i) {
        vec2 q = p + (vec2(i % n, i / n) - 0.5 * float(n - 1)) * (step_ / float(n)) - 0.5;
        ivec2 c = ivec2(floor(q)); vec2 f = q - vec2(c);
        sum += mix(mix(texel(c), texel(c + ivec2(1, 0)), f.x), mix(texel(c + ivec2(0, 1)), texel(c + 1), f.x), f.y);
    }
    return sum / float(n * n);
}

void main() {
    vec2 at = gl_FragCoord.xy - u_rect.xy;
    vec3 c = sample_at(vec2(at.x, u_rect.w - at.y) / u_rect.zw * vec2(u_size));
    c *= exp2(u_view.x + (u_view.z > 0.0 ? texelFetch(t_exposure, ivec2(0), 0).r : 0.0));
    c = clamp(c, 0.0, 1e6);
    if (u_view.y > 0.0) c = (c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14);
    c = clamp(c, 0.0, 1.0);
    c = mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    o_code = vec4(c, 1.0);
}
