// denoise/dct.glsl - the orthonormal cosine transform of eight values of g_v, and its inverse
//
//   includer  defines VALUES, of a thread, and has g_v[VALUES]
//   method    sums and differences of values and their mirror images: the sums again, and four
//             products of four differences
//   source    Ahmed, Natarajan, Rao 1974
//   SPDX-License-Identifier: MIT
#pragma once

// cos(k pi / 16) / 2; of 4 also sqrt(1 / 8)
const float C1 = 0.49039264, C2 = 0.46193977, C3 = 0.41573481, C4 = 0.35355339;
const float C5 = 0.27778512, C6 = 0.19134172, C7 = 0.09754516;

// Of g_v[at] ... g_v[at + 7], in place.
void cosine_transform(const int at)
{
    float s0 = g_v[at] + g_v[at + 7], d0 = g_v[at] - g_v[at + 7];
    float s1 = g_v[at + 1] + g_v[at + 6], d1 = g_v[at + 1] - g_v[at + 6];
    float s2 = g_v[at + 2] + g_v[at + 5], d2 = g_v[at + 2] - g_v[at + 5];
    float s3 = g_v[at + 3] + g_v[at + 4], d3 = g_v[at + 3] - g_v[at + 4];
    float a = s0 + s3, b = s1 + s2, c = s0 - s3, d = s1 - s2;
    g_v[at] = (a + b) * C4;
    g_v[at + 1] = d0 * C1 + d1 * C3 + d2 * C5 + d3 * C7;
    g_v[at + 2] = c * C2 + d * C6;
    g_v[at + 3] = d0 * C3 - d1 * C7 - d2 * C1 - d3 * C5;
    g_v[at + 4] = (a - b) * C4;
    g_v[at + 5] = d0 * C5 - d1 * C1 + d2 * C7 + d3 * C3;
    g_v[at + 6] = c * C6 - d * C2;
    g_v[at + 7] = d0 * C7 - d1 * C5 + d2 * C3 - d3 * C1;
}

void inverse_cosine_transform(const int at)
{
    float x1 = g_v[at + 1], x3 = g_v[at + 3], x5 = g_v[at + 5], x7 = g_v[at + 7];
    float a = (g_v[at] + g_v[at + 4]) * C4, b = (g_v[at] - g_v[at + 4]) * C4;
    float c = g_v[at + 2] * C2 + g_v[at + 6] * C6, d = g_v[at + 2] * C6 - g_v[at + 6] * C2;
    float s0 = a + c, s1 = b + d, s2 = b - d, s3 = a - c;
    float d0 = x1 * C1 + x3 * C3 + x5 * C5 + x7 * C7;
    float d1 = x1 * C3 - x3 * C7 - x5 * C1 - x7 * C5;
    float d2 = x1 * C5 - x3 * C1 + x5 * C7 + x7 * C3;
    float d3 = x1 * C7 - x3 * C5 + x5 * C3 - x7 * C1;
    g_v[at] = s0 + d0;
    g_v[at + 1] = s1 + d1;
    g_v[at + 2] = s2 + d2;
    g_v[at + 3] = s3 + d3;
    g_v[at + 4] = s3 - d3;
    g_v[at + 5] = s2 - d2;
    g_v[at + 6] = s1 - d1;
    g_v[at + 7] = s0 - d0;
}
