// inspect.frag - any texture of the frame, as the inspector shows it
//
//   in        t_src, one level of it; any range
//   out       codes of 8 bits: channels chosen, multiplied, sRGB curve on request
//   SPDX-License-Identifier: MIT
#version 430 core

layout(binding = 0) uniform sampler2D t_src;
layout(location = 0) uniform vec4 u_window;   // of the texture, in texels: x, y, width, height
layout(location = 1) uniform ivec4 u_level;   // width, height, level, channel: 0 colour, 1..4 one alone
layout(location = 2) uniform vec4 u_tone;     // multiply, add, 1: sRGB curve, 1: signed, 0 is grey
layout(location = 3) uniform vec2 u_target;   // size of what is drawn to
layout(location = 0) out vec4 o_code;

void main() {
    vec2 p = u_window.xy + gl_FragCoord.xy / u_target * u_window.zw;
    ivec2 at = ivec2(floor(p));
    o_code = vec4(0.055, 0.06, 0.07, 1.0);
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, u_level.xy))) return;
    vec4 v = texelFetch(t_src, at, u_level.z);
    vec3 c = u_level.w == 0 ? v.rgb : vec3(v[u_level.w - 1]);
    c *= u_tone.x;
    if (u_tone.w > 0.0) c = 0.5 + 0.5 * c;
    c = clamp(c + u_tone.y, 0.0, 1.0);
    if (u_tone.z > 0.0) c = mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    o_code = vec4(any(isnan(v)) ? vec3(1.0, 0.0, 1.0) : c, 1.0);
}
