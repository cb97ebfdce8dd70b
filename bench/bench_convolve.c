// bench_convolve.c - the effect "convolve": RGBA16F images, kernels of the same size, border wrap
// SPDX-License-Identifier: MIT
//
// The kernel has three different channels, and its spectrum is ready. It has the image's size, made
// odd in each direction, so that it can be even about its centre: its spectrum is then real.
#include "bench.h"
#include "cli/report.h"
#include "cli/words.h"
#include "pass_bench.h"

#include <stdlib.h>

static const bench_size sizes[] = {{512, 512},   {1920, 1080}, {1024, 1024},
                                   {2048, 2048}, {3840, 2160}, {4096, 4096}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 2 };

typedef struct subject { // what the rows of all storages share, for one size and kernel
    bench *owner;
    bool even;
    picture source, kernel;
    GLuint kernel_texture;
    double *expected;
} subject;

static int measure_storage(const subject *s, const char *storage)
{
    const picture *source = &s->source;
    const pass_case timed = {.effect = "convolve",
                             .settings = {"border=wrap", "method=fft", storage},
                             .source = source,
                             .source_format = GL_RGBA16F,
                             .target_format = GL_RGBA16F,
                             .target_width = source->width,
                             .target_height = source->height,
                             .kernel_slot = "kernel",
                             .kernel = s->kernel_texture,
                             .kernel_format = GL_RGBA32F,
                             .kernel_width = s->kernel.width,
                             .kernel_height = s->kernel.height};
    const pass_expected right = {s->expected, PICTURE_BRIGHTEST}; // because the kernel sums to 1
    report_row row = {.effect = "convolve",
                      .subject = "afterglow",
                      .width = source->width,
                      .height = source->height};
    words variant = words_begin(row.variant, sizeof row.variant, " ");
    words_add(&variant, s->even ? "kernel=even" : "kernel=generic");
    if (*storage)
        words_add(&variant, storage);
    return pass_bench(s->owner, &timed, &right, &row);
}

static double *expect(const subject *s)
{
    size_t texels = (size_t)s->kernel.width * (size_t)s->kernel.height;
    double *weights = malloc(3 * texels * sizeof *weights);
    for (size_t i = 0; i < 3 * texels && weights; i++)
        weights[i] = s->kernel.texels[i / 3 * 4 + i % 3];
    const reference_kernel kernel = {s->kernel.width, s->kernel.height, 3, weights};
    double *expected = weights ? reference_convolve(&s->source, &kernel, true) : NULL;
    free(weights);
    return expected;
}

static int measure_kernel(bench *owner, bench_size size, bool even)
{
    subject s = {.owner = owner, .even = even};
    char storages[PASS_MAX_VALUES][64] = {""};
    int count = pass_values(owner, "convolve", "storage", storages), status = STATUS_OK;
    s.source = picture_scene(size.width, size.height);
    s.kernel = picture_kernel((size.width - 1) | 1, (size.height - 1) | 1, even);
    if (!s.source.texels || !s.kernel.texels)
        status = fail_memory();
    if (status == STATUS_OK) {
        s.kernel_texture =
            picture_texture(&owner->gpu.gl, GL_RGBA32F, s.kernel.width, s.kernel.height, &s.kernel);
        s.expected = expect(&s);
    }
    for (int i = 0; i < (count ? count : 1) && status == STATUS_OK; i++)
        status = measure_storage(&s, storages[i]);
    owner->api->forget(owner->device, s.kernel_texture);
    owner->gpu.gl.DeleteTextures(1, &s.kernel_texture);
    picture_free(&s.source);
    picture_free(&s.kernel);
    free(s.expected);
    return status;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < 2 * count && status == STATUS_OK; i++)
        status = measure_kernel(self, chosen[i / 2], i % 2);
    return status;
}

const bench_effect bench_convolve = {"convolve", run, false};
