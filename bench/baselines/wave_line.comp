// wave_line.comp - a level of a wavelet transform in two passes, PDWT's schedule
//
//   in, out   AXIS 0   t_src or b_low (FROM_BUFFER) -> b_planes: low, then high rows
//             AXIS 1   b_planes -> i_dst: details; approximation to i_dst (u_place.z = 1) or b_low
//   defines   AXIS, FROM_BUFFER, TAPS, LOW and HIGH: filters, in the order of samples
//   dispatch  a thread a coefficient of either kind
//   why       no shared memory: the result of the rows goes through memory
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(location = 0) uniform ivec4 u_size;  // samples in x, y
layout(location = 1) uniform ivec4 u_place; // x, y of the details; 1 = the last level
layout(std430, binding = 0) buffer Planes { vec4 b_planes[]; };
layout(std430, binding = 1) buffer Low { vec4 b_low[]; };

const float low_taps[TAPS] = LOW, high_taps[TAPS] = HIGH;

int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

void rows(ivec2 p, ivec2 n)
{
    if (p.x >= n.x / 2 || p.y >= n.y)
        return;
    vec4 low = vec4(0.0), high = low;
    for (int m = 0; m < TAPS; ++m) {
        int x = wrapped(2 * p.x + m - TAPS / 2 + 1, n.x);
        vec4 c = FROM_BUFFER != 0 ? b_low[p.y * n.x + x] : texelFetch(t_src, ivec2(x, p.y), 0);
        low += low_taps[m] * c;
        high += high_taps[m] * c;
    }
    b_planes[p.y * (n.x / 2) + p.x] = low;
    b_planes[(n.y + p.y) * (n.x / 2) + p.x] = high;
}

void columns(ivec2 p, ivec2 n)
{
    ivec2 band = n / 2;
    if (p.x >= band.x || p.y >= band.y)
        return;
    vec4 ll = vec4(0.0), hl = ll, lh = ll, hh = ll;
    for (int m = 0; m < TAPS; ++m) {
        int y = wrapped(2 * p.y + m - TAPS / 2 + 1, n.y);
        vec4 low = b_planes[y * band.x + p.x], high = b_planes[(n.y + y) * band.x + p.x];
        ll += low_taps[m] * low;
        lh += high_taps[m] * low;
        hl += low_taps[m] * high;
        hh += high_taps[m] * high;
    }
    if (u_place.z != 0)
        imageStore(i_dst, p, ll);
    else
        b_low[p.y * band.x + p.x] = ll;
    imageStore(i_dst, p + ivec2(u_place.x, 0), hl);
    imageStore(i_dst, p + ivec2(0, u_place.y), lh);
    imageStore(i_dst, p + u_place.xy, hh);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (AXIS == 0)
        rows(p, u_size.xy);
    else
        columns(p, u_size.xy);
}
