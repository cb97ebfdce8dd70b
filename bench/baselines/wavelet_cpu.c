// wavelet_cpu.c - wavelets of images on one core of the CPU, to check the bench's own with
// SPDX-License-Identifier: MIT
#include "wavelet_cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define HALF 0.70710678f
const wavelet_filters wavelet_haar = {.taps = 2,
                                      .low = {HALF, HALF},
                                      .high = {HALF, -HALF},
                                      .low_back = {HALF, HALF},
                                      .high_back = {HALF, -HALF}};
// clang-format off
const wavelet_filters wavelet_cdf97 = {
    .taps = 10,
    .low = {0.037828455f, -0.023849465f, -0.110624404f, 0.377402856f, 0.852698679f,
            0.377402856f, -0.110624404f, -0.023849465f, 0.037828455f, 0},
    .high = {0, 0, -0.064538883f, 0.040689418f, 0.418092273f,
             -0.788485616f, 0.418092273f, 0.040689418f, -0.064538883f, 0},
    .low_back = {0, -0.064538883f, -0.040689418f, 0.418092273f, 0.788485616f,
                 0.418092273f, -0.040689418f, -0.064538883f, 0, 0},
    .high_back = {0, -0.037828455f, -0.023849465f, 0.110624404f, 0.377402856f,
                  -0.852698679f, 0.377402856f, 0.110624404f, -0.023849465f, -0.037828455f}};
// clang-format on

// One axis of a level, in place: forward to low, then high coefficients, or back.
static void line_on_cpu(const wavelet_filters *f, float *at, int n, size_t stride, int back,
                        float *line)
{
    memset(line, 0, (size_t)n * sizeof *line);
    for (int o = 0; o < n / 2; o++)
        for (int m = 0; m < f->taps; m++) {
            int i = (2 * o + m - f->taps / 2 + 1 + n) % n;
            if (back) {
                line[i] += f->low_back[m] * at[(size_t)o * stride] +
                           f->high_back[m] * at[(size_t)(n / 2 + o) * stride];
            } else {
                line[o] += f->low[m] * at[(size_t)i * stride];
                line[n / 2 + o] += f->high[m] * at[(size_t)i * stride];
            }
        }
    for (int i = 0; i < n; i++)
        at[(size_t)i * stride] = line[i];
}

void wavelet_on_cpu(const wavelet_filters *filters, float *texels, int width, int height, int back,
                    float *line)
{
    for (int l = 0; l < WAVELET_LEVELS; l++) {
        int level = back ? WAVELET_LEVELS - 1 - l : l, w = width >> level, h = height >> level;
        for (int axis = 0; axis < 2; axis++) {
            bool columns = axis != back; // forward: rows first
            for (int i = 0; i < (columns ? w : h); i++)
                for (int c = 0; c < 4; c++)
                    line_on_cpu(filters, texels + 4 * (size_t)i * (columns ? 1 : (size_t)width) + c,
                                columns ? h : w, columns ? 4 * (size_t)width : 4, back, line);
        }
    }
}
