// cases_frame.c - the cases of exposure, denoise and wavelet: whole frames beside a copy of them
// SPDX-License-Identifier: MIT
#include "baselines/baselines.h"
#include "effects.h"

#include <stdint.h>

static const bench_size frames[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};

// ---- exposure ----------------------------------------------------------------------------------
//
// The time depends on the content, because threads with texels of the same bin wait for each other.
// The copy moves twice as many bytes as the pass, which only reads.

// Either all texels fall into one bin, or each into another bin than its neighbours.
static picture pattern(int width, int height, bool noise)
{
    picture out = {width, height, need_memory((size_t)width * (size_t)height * 16)};
    uint32_t random = 1;
    for (int i = 0; i < 4 * width * height; i++) {
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
static const effect_case exposures[] = {
    {"rgba16f", NULL, STATE},
    {"rgba16f, center 1", "center=1", STATE},
    {"rgba16f, one colour", NULL, .source = flat, STATE},
    {"rgba16f, noise", NULL, .source = noise, STATE},
    {"r11g11b10f", NULL, .from = GL_R11F_G11F_B10F, STATE},
    {"srgb8", NULL, .from = GL_SRGB8_ALPHA8, STATE},
};
const bench_effect bench_exposure = {"exposure", CASES(exposures, frames, 1), .dst = "state",
                                     .dst_size = 1, .frame = GL_RGBA16F};

// ---- denoise -----------------------------------------------------------------------------------
//
// "given" leaves the statistics out, so the difference is their price; that of a history is the
// difference to "ti_haar, 3 levels, given". tests/denoise checks results.

static picture half_steps(int width, int height) // motion, so history is read between texels
{
    picture out = {width, height, need_memory((size_t)width * (size_t)height * 16)};
    for (int i = 0; i < 4 * width * height; i++)
        out.texels[i] = 0.5f;
    return out;
}

#define HISTORY               \
    {                         \
        "history", GL_RGBA16F \
    }
static const effect_case filters[] = {
    {"haar", .settings = "filter=haar levels=3"},
    {"haar, 5 levels", .settings = "filter=haar levels=5"},
    {"haar, 6 levels", .settings = "filter=haar levels=6"},
    {"haar, bayes", .settings = "filter=haar levels=3 rule=bayes threshold=soft"},
    {"haar, given", .settings = "filter=haar levels=3 sigma=0.05"},
    {"haar, exact", .settings = "filter=haar levels=3 exact=on"},
    {"ti_haar", .settings = NULL},
    {"ti_haar, 2 levels", .settings = "levels=2"},
    {"ti_haar, 3 levels", .settings = "levels=3"},
    {"ti_haar, given", .settings = "sigma=0.05"},
    {"ti_haar, 3 levels, given", .settings = "sigma=0.05 levels=3"},
    {"ti_haar, 6 levels", .settings = "levels=6"},
    {"ti_haar, 3 levels, bayes", .settings = "levels=3 rule=bayes threshold=soft"},
    {"ti_haar, log", .settings = "space=log"},
    {"dwt, cdf97", .settings = "filter=dwt levels=3"},
    {"dwt, cdf97, given", .settings = "filter=dwt levels=3 sigma=0.05"},
    {"dwt, db2", .settings = "filter=dwt levels=3 wavelet=db2"},
    {"atrous, 5 levels", .settings = "filter=atrous levels=5 sigma=0.05"},
    {"atrous, 1 level", .settings = "filter=atrous levels=1 sigma=0.05"},
    {"atrous, 5 levels, estimated", .settings = "filter=atrous levels=5"},
    {"history", .settings = "sigma=0.05 levels=3", .extra = {HISTORY}},
    {"history, moving", .settings = "sigma=0.05 levels=3",
     .extra = {HISTORY, {"motion", GL_RG16F, .make = half_steps, .shared = true}}},
    {"blocks", .settings = "filter=blocks sigma=0.05"},
    {"blocks, 1 level", .settings = "filter=blocks sigma=0.05 levels=1"},
};

// A plain library takes even sizes; blocks of five levels are halved four times.
static void beside_denoise(bench *self, int width, int height)
{
    plain_library_bench(self, width / 8 * 8, height / 8 * 8);
    atrous_permuted_bench(self, width / 32 * 32, height / 32 * 32);
}

const bench_effect bench_denoise = {"denoise", CASES(filters, frames, 1), .source = picture_noisy,
                                    .frame = GL_RGBA16F, .after = beside_denoise};

// ---- wavelet -----------------------------------------------------------------------------------
//
// Three levels, by the document's kernel and by a fused tile a level; then the time against the
// size. periodic_strided of 8192 x 8192 needs a block of 2 GiB. tests/wavelet checks results.

static const bench_size wavelets[] = {{1920, 1080}, {2048, 2048}, {3840, 2160}};

static bool powers_of_two(int width, int height)
{
    return !(width & (width - 1)) && !(height & (height - 1));
}

#define STRIDED "wavelet_ladder", .ladder = true
static const effect_case transforms[] = {
    {"tile, haar", .settings = "wavelet=haar levels=3"},
    {"tile, haar, inverse", .settings = "wavelet=haar direction=inverse levels=3"},
    {"tile, db4", .settings = "wavelet=db4 levels=3"},
    {"tile, cdf97", .settings = "wavelet=cdf97 levels=3"},
    {"tile, cdf97, inverse", .settings = "wavelet=cdf97 direction=inverse levels=3"},
    {"periodic_strided, haar", "wavelet=haar levels=3", STRIDED, .takes = powers_of_two},
    {"periodic_strided, cdf97", "wavelet=cdf97 levels=3", STRIDED, .takes = powers_of_two},
};

static const effect_case growing[] = {
    {"time against size, tile, db4", .settings = "wavelet=db4 levels=3"},
    {"time against size, periodic_strided, db4", "wavelet=db4 levels=3", STRIDED},
};

static void measure_growth(bench *self)
{
    int last = self->report.names.software || self->smallest ? 512 : self->quick ? 2048 : 4096;
    for (int side = 256; side <= last && !self->only.width; side *= 2)
        for (int i = 0; i < COUNT(growing); i++)
            effect_measure(self, &bench_wavelet, &growing[i], side, side);
}

// Three levels of both sizes: a reduced size need not be a multiple of 8.
const bench_effect bench_wavelet = {
    "wavelet",           CASES(transforms, wavelets, 2), .multiple = 8,
    .frame = GL_RGBA16F, .after = wave_ways_bench,       .run = measure_growth};
