// bench_exposure.c - the effect "exposure" on frames of different contents
// SPDX-License-Identifier: MIT
//
// The time depends on the content, because threads with texels of the same bin wait for each other.
#include "baselines/copy_pair.h"
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

// The copy moves twice as many bytes as the pass, which only reads.
static const copy_pair frame = {"exposure", "rgba16f to rgba16f", GL_RGBA16F, GL_RGBA16F, 8, 8};

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

static int measure_one(bench *owner, const picture *source, const char *variant, GLenum format,
                       const char *setting)
{
    const pass_case timed = {.effect = "exposure",
                             .settings = {setting},
                             .source = source,
                             .source_format = format,
                             .target_format = GL_RGBA32F, // the state
                             .target_width = 1,
                             .target_height = 1};
    const pass_expected unchecked = {0}; // tests/exposure checks results
    report_row row = {.effect = "exposure",
                      .subject = "afterglow",
                      .width = source->width,
                      .height = source->height};
    snprintf(row.variant, sizeof row.variant, "%s", variant);
    return pass_bench(owner, &timed, &unchecked, &row);
}

static int measure_size(bench *owner, bench_size size)
{
    picture scene = picture_scene(size.width, size.height);
    picture flat = pattern(size.width, size.height, false);
    picture noise = pattern(size.width, size.height, true);
    const struct {
        const picture *source;
        const char *variant;
        GLenum format;
        const char *setting;
    } cases[] = {{&scene, "rgba16f", GL_RGBA16F, NULL},
                 {&scene, "rgba16f, center 1", GL_RGBA16F, "center=1"},
                 {&flat, "rgba16f, one colour", GL_RGBA16F, NULL},
                 {&noise, "rgba16f, noise", GL_RGBA16F, NULL},
                 {&scene, "r11g11b10f", GL_R11F_G11F_B10F, NULL},
                 {&scene, "srgb8", GL_SRGB8_ALPHA8, NULL}};
    int status = scene.texels && flat.texels && noise.texels ? STATUS_OK : fail_memory();
    if (status == STATUS_OK)
        status = copy_pair_bench(owner, &scene, &frame);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && status == STATUS_OK; i++)
        status = measure_one(owner, cases[i].source, cases[i].variant, cases[i].format,
                             cases[i].setting);
    picture_free(&scene);
    picture_free(&flat);
    picture_free(&noise);
    return status;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = measure_size(self, chosen[i]);
    return status;
}

const bench_effect bench_exposure = {"exposure", run, false};
