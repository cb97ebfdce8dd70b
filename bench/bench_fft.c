// bench_fft.c - "fft" and the documents' methods side by side, and the documents' tables remade
// SPDX-License-Identifier: MIT
//
//   squares of 128 to 4096 texels, RGBA32F: every method, forward and inverse. After
//               each size the article's Fig 13 (both directions, both axes), with the bytes of its
//               formulas and 5 N^2 log2 N^2 operations a channel; then the paper's Table 5: upload,
//               transforms and readback apart, beside FFTW and plain C on one core of this machine
#include "baselines/texture_fft.h"
#include "cli/report.h"
#include "effects.h"
#include "fft_cpu.h"
#include "fft_run.h"
#include "ladder/fft_documents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{512, 512}, {2048, 2048}, {128, 128},
                                   {256, 256}, {1024, 1024}, {4096, 4096}};
enum { CHANNELS = 4 };

// ---- Fig 13 ------------------------------------------------------------------------------------

typedef struct figure {
    const char *method;
    int longest; // points of a line; 0: no limit here
    bool inverse;
    double both; // us, forward and inverse
} figure;

// Bytes of both directions along both axes, by the article's formulas.
static double formula_bytes(const char *method, int n)
{
    ag_ladder_bytes b = method[0] == 't' && method[1] == 'e' ? ag_ladder_texture_bytes(n, n, n)
                                                             : ag_ladder_shared_bytes(n, n, false);
    int passes = method[0] == 'm' ? 2 : 1; // multipass: two dispatches an axis
    return 4 * passes * (double)(b.read + b.written);
}

static void print_figure(const bench *owner, const figure *figures, int count, int n)
{
    double flops = 2 * 5 * (double)n * n * log2((double)n * n) * CHANNELS;
    printf("\nforward + inverse, both axes, %dx%d (the article's Fig 13; it claims that shared "
           "memory is faster than textures on every GPU)\n%-16s %10s %12s %10s %12s %s\n",
           n, n, "method", "us", "MB (formula)", "GB/s", "GFLOP/s", "beside texture_radix2");
    const figure *best = NULL;
    for (int i = 0; i < count; i++) {
        const figure *f = &figures[i];
        if (!(f->both > 0))
            continue;
        double bytes = formula_bytes(f->method, n);
        printf("%-16s %10.1f %12.1f %10.0f %12.0f %.2fx\n", f->method, f->both, bytes * 1e-6,
               bytes * 1e-3 / f->both, flops * 1e-3 / f->both, figures[0].both / f->both);
        if (!best || f->both < best->both)
            best = f;
    }
    if (best && !owner->report.names.software)
        printf("fastest here: %s\n", best->method);
}

// ---- Table 5 -----------------------------------------------------------------------------------

typedef struct transfers {
    double upload, readback; // us, of the real plane; of two planes
} transfers;

static int measure_transfers(bench *owner, const picture *source, transfers *out)
{
    const GladGLContext *gl = &owner->gpu.gl;
    int n = source->width;
    GLuint texture = picture_texture(gl, GL_RGBA32F, n, n, NULL);
    float *values = malloc((size_t)n * (size_t)n * CHANNELS * sizeof *values);
    *out = (transfers){INFINITY, INFINITY};
    if (!texture || !values)
        return fail_memory();
    gl->BindTexture(GL_TEXTURE_2D, texture);
    for (int i = 0; i < 5; i++) {
        gl->Finish();
        double start = bench_now_us();
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, n, n, GL_RGBA, GL_FLOAT, source->texels);
        gl->Finish();
        double middle = bench_now_us();
        gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, values);
        out->upload = fmin(out->upload, middle - start);
        out->readback = fmin(out->readback, 2 * (bench_now_us() - middle));
    }
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->DeleteTextures(1, &texture);
    free(values);
    return STATUS_OK;
}

static int print_table(bench *owner, const picture *source, double kernel)
{
    int n = source->width;
    transfers t;
    int status = measure_transfers(owner, source, &t);
    if (status != STATUS_OK)
        return status;
    double plain = n <= 2048 ? fft_cpu_plain(n, CHANNELS) : 0;
    double fftw = fft_cpu_fftw(n, CHANNELS);
    const report_aside asides[] = {{"fft", "upload of a plane", n, n, t.upload},
                                   {"fft", "readback of two planes", n, n, t.readback},
                                   {"fft", "plain C, radix 2, double, one core", n, n, plain},
                                   {"fft", "FFTW, double, one core", n, n, fftw}};
    for (int i = 0; i < 4 && status == STATUS_OK; i++)
        if (asides[i].us > 0)
            status = report_add_aside(&owner->report, &asides[i]);
    double whole = t.upload + kernel + t.readback;
    printf("\none forward transform of a real image, %dx%d with %d channels, us (the paper's Table "
           "5; it claims 4 to 7 times a CPU, less for small images)\n"
           "  upload %.0f + transform %.0f + readback %.0f = %.0f\n",
           n, n, CHANNELS, t.upload, kernel, t.readback, whole);
    if (plain > 0)
        printf(
            "  plain C, complex, radix 2, one core, double: %.0f: %.1fx the transform, %.1fx with "
            "transfers\n",
            plain, plain / kernel, plain / whole);
    if (fftw > 0)
        printf(
            "  FFTW, complex, one core, double: %.0f: %.1fx the transform, %.1fx with transfers\n",
            fftw, fftw / kernel, fftw / whole);
    puts("");
    return status;
}

// ---- sizes -------------------------------------------------------------------------------------

static int measure_size(bench *self, int width, int height)
{
    figure figures[] = {{"texture_radix2", 0, true, 0},
                        {"shared_radix2", 512, true, 0},
                        {"half_threads", 1024, true, 0},
                        {"tiled", 0, true, 0},
                        {"multipass", 0, true, 0}};
    const picture *source = bench_picture(self, picture_scene, width, height);
    if (!source)
        return STATUS_FAILED;
    bool square = width == height && !(width & (width - 1));
    double real = 0, unused = 0;
    const pass_expected complex_right = fft_expected(source, true);
    int status = STATUS_OK;
    for (int i = 0; i < COUNT(figures) && status == STATUS_OK; i++) {
        figure *f = &figures[i];
        double forward = 0, inverse = 0;
        bool ladder = i < 3;
        if ((ladder && !square) || (f->longest && width > f->longest))
            continue;
        const fft_run there = {.effect = "fft",
                               .ladder = ladder,
                               .method = f->method,
                               .direction = "forward",
                               .complex_in = true,
                               .right = &complex_right};
        const fft_run back = {.effect = "fft",
                              .ladder = ladder,
                              .method = f->method,
                              .direction = "inverse",
                              .complex_in = true};
        status = fft_measure(self, width, height, &there, &forward);
        if (status == STATUS_OK)
            status = fft_measure(self, width, height, &back, &inverse);
        f->both = forward + inverse;
    }
    // The article's predecessor; where drawing is slow, half a minute at 4096 x 4096.
    if (status == STATUS_OK && square && width <= 2048)
        status = texture_fft_bench(self, "fft", width, TEXTURE_FFT_FRAGMENTS, &complex_right);
    free(complex_right.values);
    const pass_expected right = fft_expected(source, false);
    const fft_run whole = {
        .effect = "fft", .method = "tiled", .direction = "forward", .right = &right};
    fft_run reals[] = {whole, whole, whole};
    reals[1].variant = "from rgba16f";
    reals[1].source_format = GL_RGBA16F;
    reals[2].method = "half_length";
    reals[2].ladder = true;
    for (int i = 0; i < 3 && status == STATUS_OK; i++)
        if (i < 2 || (square && width <= 1024 && width >= 4))
            status = fft_measure(self, width, height, &reals[i], i ? &unused : &real);
    free(right.values);
    if (status != STATUS_OK || !square)
        return status;
    print_figure(self, figures, COUNT(figures), width);
    return print_table(self, source, real);
}

const bench_effect bench_fft = {"fft", .sizes = sizes, .size_count = COUNT(sizes), .quick_count = 2,
                                .after = measure_size};
