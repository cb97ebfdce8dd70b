// bench_wavelet.c - the effect "wavelet", three levels: from the document's kernel to a fused tile
// SPDX-License-Identifier: MIT
//
// The ladder: periodic_strided, two passes a level, a fused tile a level, one dispatch (Haar alone,
// whose blocks do not overlap), beside a copy. Then the time against the size, on GPU and CPU: a
// table of the terminal.
#include "baselines/copy_pair.h"
#include "baselines/wave_ways.h"
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const bench_size sizes[] = {{1920, 1080}, {2048, 2048}, {3840, 2160}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 2 };

static const copy_pair frame = {"wavelet", "rgba16f to rgba16f", GL_RGBA16F, GL_RGBA16F, 8, 8};

static bool is_power(int n)
{
    return !(n & (n - 1));
}

static int measure_one(bench *owner, const picture *source, const char *variant,
                       const char *wavelet, const char *direction, const char *method,
                       report_row *row)
{
    const pass_case timed = {.effect = "wavelet",
                             .settings = {wavelet, direction, method, "levels=3"},
                             .source = source,
                             .source_format = GL_RGBA16F,
                             .target_format = GL_RGBA16F,
                             .target_width = source->width,
                             .target_height = source->height};
    const pass_expected unchecked = {0}; // tests/wavelet checks results
    *row = (report_row){.effect = "wavelet",
                        .subject = "afterglow",
                        .width = source->width,
                        .height = source->height};
    snprintf(row->variant, sizeof row->variant, "%s", variant);
    return pass_bench(owner, &timed, &unchecked, row);
}

static int measure_size(bench *owner, bench_size size)
{
    static const struct {
        const char *variant, *wavelet, *direction, *method;
    } cases[] = {
        {"tile, haar", "wavelet=haar", NULL, "method=tile"},
        {"tile, haar, inverse", "wavelet=haar", "direction=inverse", "method=tile"},
        {"tile, db4", "wavelet=db4", NULL, "method=tile"},
        {"tile, cdf97", "wavelet=cdf97", NULL, "method=tile"},
        {"tile, cdf97, inverse", "wavelet=cdf97", "direction=inverse", "method=tile"},
        {"periodic_strided, haar", "wavelet=haar", NULL, "method=periodic_strided"},
        {"periodic_strided, cdf97", "wavelet=cdf97", NULL, "method=periodic_strided"},
    };
    report_row row;
    // Three levels of both sizes: a reduced size need not be a multiple of 8.
    picture scene = picture_scene(size.width / 8 * 8, size.height / 8 * 8);
    int status = scene.texels ? copy_pair_bench(owner, &scene, &frame) : fail_memory();
    for (size_t i = 0; i < sizeof cases / sizeof *cases && status == STATUS_OK; i++)
        if (cases[i].method[7] == 't' || (is_power(scene.width) && is_power(scene.height)))
            status = measure_one(owner, &scene, cases[i].variant, cases[i].wavelet,
                                 cases[i].direction, cases[i].method, &row);
    for (wave_way way = WAVE_SEPARABLE_HAAR; way <= WAVE_ONE_DISPATCH && status == STATUS_OK; way++)
        status = wave_way_bench(owner, &scene, way);
    picture_free(&scene);
    return status;
}

// ---- time against size -------------------------------------------------------------------------

// The document's sequential code: db4 of a row of n, log2 n times, by n / 2 steps each.
static void step_on_cpu(const float *a, int n, int stride, float *scratch)
{
    static const float h[8] = {0.2303778f,  0.7148466f, 0.6308808f, -0.0279838f,
                               -0.1870348f, 0.0308414f, 0.0328830f, -0.0105974f};
    for (int i = 0; i < n / 2; i++) {
        float low = 0, high = 0;
        for (int k = 0; k < 8; k++) {
            float x = a[stride * ((2 * i + k) & (n - 1))];
            low += h[k] * x;
            high += (k % 2 ? -h[7 - k] : h[7 - k]) * x;
        }
        scratch[i] = low;
        scratch[i + n / 2] = high;
    }
}

// Seconds of three levels of an image of four channels, the best of two.
static double time_on_cpu(int side)
{
    size_t texels = (size_t)side * (size_t)side;
    float *a = calloc(texels, sizeof *a), *scratch = calloc((size_t)side, sizeof *scratch);
    double best = INFINITY;
    for (int again = 0; again < 2 && a && scratch; again++) {
        for (size_t i = 0; i < texels; i++)
            a[i] = (float)(i % 251) / 251;
        struct timespec from, to;
        timespec_get(&from, TIME_UTC);
        for (int n = side; n > side / 8; n /= 2)
            for (int axis = 0; axis < 2; axis++)
                for (int line = 0; line < n; line++) {
                    int stride = axis ? side : 1;
                    float *at = a + (size_t)line * (size_t)(axis ? 1 : side);
                    step_on_cpu(at, n, stride, scratch);
                    for (int i = 0; i < n; i++)
                        at[(size_t)i * (size_t)stride] = scratch[i];
                }
        timespec_get(&to, TIME_UTC);
        double seconds =
            (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        best = seconds < best ? seconds : best;
    }
    free(a);
    free(scratch);
    return 4 * best;
}

static int measure_growth(bench *owner)
{
    enum { FIRST = 256, LAST = 4096 }; // periodic_strided of 8192 x 8192 needs a block of 2 GiB
    int last = owner->software || owner->smallest ? 512 : owner->quick ? 2048 : LAST;
    double texels[8], tile[8], strided[8], cpu[8];
    int count = 0, status = STATUS_OK;
    for (int side = FIRST; side <= last && status == STATUS_OK; side *= 2, count++) {
        report_row row;
        picture scene = picture_scene(side, side);
        status = scene.texels ? measure_one(owner, &scene, "time against size, tile, db4",
                                            "wavelet=db4", NULL, "method=tile", &row)
                              : fail_memory();
        texels[count] = (double)side * side;
        tile[count] = row.times.hot.median;
        if (status == STATUS_OK)
            status = measure_one(owner, &scene, "time against size, periodic_strided, db4",
                                 "wavelet=db4", NULL, "method=periodic_strided", &row);
        strided[count] = row.times.hot.median;
        cpu[count] = 1e6 * time_on_cpu(side);
        picture_free(&scene);
    }
    if (status != STATUS_OK)
        return status;
    puts("\ntime against size, db4, 3 levels, RGBA: microseconds\n"
         "      texels        tile   periodic_strided   one CPU thread");
    for (int i = 0; i < count; i++)
        printf("%12.0f %11.1f %18.1f %16.1f\n", texels[i], tile[i], strided[i], cpu[i]);
    double doublings = log2(texels[count - 1] / texels[count - 2]);
    printf("from the last but one size to the last the time grows with the texels to the power of "
           "%.2f, %.2f, %.2f\n",
           log2(tile[count - 1] / tile[count - 2]) / doublings,
           log2(strided[count - 1] / strided[count - 2]) / doublings,
           log2(cpu[count - 1] / cpu[count - 2]) / doublings);
    return STATUS_OK;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = measure_size(self, chosen[i]);
    return status == STATUS_OK && !self->only.width ? measure_growth(self) : status;
}

const bench_effect bench_wavelet = {"wavelet", run, false};
