// bench_exposure.c - the effect "exposure" on frames of different contents
// SPDX-License-Identifier: MIT
//
// The time depends on the content, because threads with texels of the same bin wait for each other.
// The copy moves twice as many bytes as the pass, which only reads.
#include "effects.h"

#include <stdint.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};

// Either all texels fall into one bin, or each into another bin than its neighbours.
static picture pattern(int width, int height, bool noise)
{
    picture out = {width, height, malloc((size_t)width * (size_t)height * 4 * sizeof(float))};
    uint32_t random = 1;
    for (int i = 0; out.texels && i < 4 * width * height; i++) {
        random = random * 1664525u + 1013904223u;
        out.texels[i] = noise ? (float)(1 << (random >> 28)) / 256 : 0.18f;
    }
    return out;
}

static picture flat(int width, int height)
{
    return pattern(width, height, false);
}

static picture noise(int width, int height)
{
    return pattern(width, height, true);
}

#define STATE .to = GL_RGBA32F
static const effect_case cases[] = {
    {"rgba16f", NULL, STATE},
    {"rgba16f, center 1", "center=1", STATE},
    {"rgba16f, one colour", NULL, .source = flat, STATE},
    {"rgba16f, noise", NULL, .source = noise, STATE},
    {"r11g11b10f", NULL, .from = GL_R11F_G11F_B10F, STATE},
    {"srgb8", NULL, .from = GL_SRGB8_ALPHA8, STATE},
};

const bench_effect bench_exposure = {"exposure",
                                     .cases = cases,
                                     .case_count = COUNT(cases),
                                     .sizes = sizes,
                                     .size_count = COUNT(sizes),
                                     .quick_count = 1,
                                     .dst = "state",
                                     .dst_size = 1,
                                     .frame = true};
