// bench_wavelet.c - the effect "wavelet", three levels: from the document's kernel to a fused tile
// SPDX-License-Identifier: MIT
//
// The ladder: periodic_strided, two passes a level, a fused tile a level, one dispatch (Haar alone,
// whose blocks do not overlap), beside a copy. Then the time against the size, on GPU and CPU: a
// table of the terminal. tests/wavelet checks results.
#include "baselines/wave_ways.h"
#include "cli/report.h"
#include "effects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {2048, 2048}, {3840, 2160}};

static bool powers_of_two(int width, int height)
{
    return !(width & (width - 1)) && !(height & (height - 1));
}

static const effect_case cases[] = {
    {"tile, haar", .settings = "wavelet=haar levels=3"},
    {"tile, haar, inverse", .settings = "wavelet=haar direction=inverse levels=3"},
    {"tile, db4", .settings = "wavelet=db4 levels=3"},
    {"tile, cdf97", .settings = "wavelet=cdf97 levels=3"},
    {"tile, cdf97, inverse", .settings = "wavelet=cdf97 direction=inverse levels=3"},
    {"periodic_strided, haar", "wavelet=haar levels=3", "wavelet_ladder", .ladder = true,
     .takes = powers_of_two},
    {"periodic_strided, cdf97", "wavelet=cdf97 levels=3", "wavelet_ladder", .ladder = true,
     .takes = powers_of_two},
};

// ---- time against size -------------------------------------------------------------------------

static const effect_case growing[] = {
    {"time against size, tile, db4", .settings = "wavelet=db4 levels=3"},
    {"time against size, periodic_strided, db4", "wavelet=db4 levels=3", "wavelet_ladder",
     .ladder = true},
};

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

// Microseconds of three levels of an image of four channels, the best of two.
static double time_on_cpu(int side)
{
    size_t texels = (size_t)side * (size_t)side;
    float *a = calloc(texels, sizeof *a), *scratch = calloc((size_t)side, sizeof *scratch);
    double best = INFINITY;
    for (int again = 0; again < 2 && a && scratch; again++) {
        for (size_t i = 0; i < texels; i++)
            a[i] = (float)(i % 251) / 251;
        double begin = bench_now_us();
        for (int n = side; n > side / 8; n /= 2)
            for (int axis = 0; axis < 2; axis++)
                for (int line = 0; line < n; line++) {
                    int stride = axis ? side : 1;
                    float *at = a + (size_t)line * (size_t)(axis ? 1 : side);
                    step_on_cpu(at, n, stride, scratch);
                    for (int i = 0; i < n; i++)
                        at[(size_t)i * (size_t)stride] = scratch[i];
                }
        best = fmin(best, bench_now_us() - begin);
    }
    free(a);
    free(scratch);
    return 4 * best;
}

static int measure_growth(bench *self)
{
    enum { FIRST = 256, LAST = 4096 }; // periodic_strided of 8192 x 8192 needs a block of 2 GiB
    int last = self->report.names.software || self->smallest ? 512 : self->quick ? 2048 : LAST;
    double us[3][8];
    int count = 0, status = STATUS_OK;
    if (self->only.width)
        return STATUS_OK;
    for (int side = FIRST; side <= last && status == STATUS_OK; side *= 2, count++) {
        for (int i = 0; i < 2 && status == STATUS_OK; i++)
            status = effect_measure(self, &bench_wavelet, &growing[i], side, side, &us[i][count]);
        us[2][count] = time_on_cpu(side);
    }
    if (status != STATUS_OK)
        return status;
    puts("\ntime against size, db4, 3 levels, RGBA: microseconds\n"
         "      texels        tile   periodic_strided   one CPU thread");
    for (int i = 0; i < count; i++)
        printf("%12.0f %11.1f %18.1f %16.1f\n", pow(4, i) * FIRST * FIRST, us[0][i], us[1][i],
               us[2][i]);
    printf("from the last but one size to the last the time grows with the texels to the power of");
    for (int i = 0; i < 3; i++)
        printf("%s %.2f", i ? "," : "", log2(us[i][count - 1] / us[i][count - 2]) / 2);
    puts("");
    return STATUS_OK;
}

// Three levels of both sizes: a reduced size need not be a multiple of 8.
const bench_effect bench_wavelet = {"wavelet",        measure_growth,
                                    .cases = cases,   .case_count = COUNT(cases),
                                    .sizes = sizes,   .size_count = COUNT(sizes),
                                    .quick_count = 2, .multiple = 8,
                                    .frame = true,    .after = wave_ways_bench};
