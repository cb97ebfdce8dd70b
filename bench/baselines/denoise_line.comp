// denoise_line.comp - a plain wavelet library's kernels: one axis of a level, or its threshold
//
//   in, out   t_src, b_in -> b_out, i_dst; see STEP
//   host sets STEP   0: rows of samples to L | H      1: columns of those to LL, HL, LH, HH
//                    2: soft threshold of HL, LH, HH in b_out
//                    3: columns of the bands to L | H 4: rows of those to samples
//             TEXTURE 1 = level 1: samples are those of t_src, or go to i_dst
//   dispatch  a thread a coefficient pair (0, 1), coefficient (2), or sample (3, 4); 32 x 8 threads
//   why      the schedule of plain libraries: two kernels a level each way, and one for the
//            threshold; all between them goes through memory
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(std430, binding = 0) readonly buffer In { vec4 b_in[]; };
layout(std430, binding = 1) buffer Out { vec4 b_out[]; };
layout(location = 0) uniform ivec4 u_size; // samples of the level in x, y
layout(location = 1) uniform float u_threshold;

// cdf97, in the order of samples; sample 2 o + m - 4 belongs to coefficient o, tap m.
const int TAPS = 10;
const float LOW[] = float[](0.037828455, -0.023849465, -0.110624404, 0.377402856, 0.852698679,
    0.377402856, -0.110624404, -0.023849465, 0.037828455, 0.0);
const float HIGH[] = float[](0.0, 0.0, -0.064538883, 0.040689418, 0.418092273, -0.788485616,
    0.418092273, 0.040689418, -0.064538883, 0.0);
const float LOW_BACK[] = float[](0.0, -0.064538883, -0.040689418, 0.418092273, 0.788485616,
    0.418092273, -0.040689418, -0.064538883, 0.0, 0.0);
const float HIGH_BACK[] = float[](0.0, -0.037828455, -0.023849465, 0.110624404, 0.377402856,
    -0.852698679, 0.377402856, 0.110624404, -0.023849465, -0.037828455);

vec4 sample_at(ivec2 p)
{
#if TEXTURE
    return texelFetch(t_src, p, 0);
#else
    return b_in[p.y * u_size.x + p.x];
#endif
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), n = u_size.xy, half_ = n / 2;
    vec4 low = vec4(0.0), high = vec4(0.0);
#if STEP == 0
    if (p.x >= half_.x || p.y >= n.y)
        return;
    for (int m = 0; m < TAPS; ++m) {
        vec4 x = sample_at(ivec2((2 * p.x + m - 4 + n.x) % n.x, p.y));
        low += LOW[m] * x;
        high += HIGH[m] * x;
    }
    b_out[p.y * n.x + p.x] = low;
    b_out[p.y * n.x + half_.x + p.x] = high;
#elif STEP == 1 // of L in the left half, of H in the right one
    if (p.x >= n.x || p.y >= half_.y)
        return;
    for (int m = 0; m < TAPS; ++m) {
        vec4 x = b_in[(2 * p.y + m - 4 + n.y) % n.y * n.x + p.x];
        low += LOW[m] * x;
        high += HIGH[m] * x;
    }
    int band = half_.x * half_.y, at = p.y * half_.x + p.x % half_.x + (p.x < half_.x ? 0 : band);
    b_out[at] = low;
    b_out[at + 2 * band] = high;
#elif STEP == 2
    int band = half_.x * half_.y, at = p.y * half_.x + p.x;
    if (p.x >= half_.x || p.y >= half_.y)
        return;
    for (int i = 1; i < 4; ++i) {
        vec4 d = b_out[i * band + at];
        b_out[i * band + at] = d - clamp(d, -u_threshold, u_threshold);
    }
#elif STEP == 3
    if (p.x >= n.x || p.y >= n.y)
        return;
    int band = half_.x * half_.y, column = p.x % half_.x;
    bool right = p.x >= half_.x;
    for (int m = (p.y + 4) & 1; m < TAPS; m += 2) {
        int o = ((p.y + 4 - m) / 2 + half_.y) % half_.y, at = o * half_.x + column;
        vec4 l = b_in[right ? at + band : at];
        low += LOW_BACK[m] * l + HIGH_BACK[m] * b_in[at + (right ? 3 : 2) * band];
    }
    b_out[p.y * n.x + p.x] = low;
#else
    if (p.x >= n.x || p.y >= n.y)
        return;
    for (int m = (p.x + 4) & 1; m < TAPS; m += 2) {
        int o = p.y * n.x + ((p.x + 4 - m) / 2 + half_.x) % half_.x;
        low += LOW_BACK[m] * b_in[o] + HIGH_BACK[m] * b_in[o + half_.x];
    }
#if TEXTURE
    imageStore(i_dst, p, low);
#else
    b_out[p.y * n.x + p.x] = low;
#endif
#endif
}
