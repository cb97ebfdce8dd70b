// cases_transform.c - the cases of fft, beside the documents' methods, and of their changes one at
// a time
// SPDX-License-Identifier: MIT
//
// RGBA32F. The article: J. S. (Intel) 2014, "Fast Fourier Transform for Image Processing in DirectX
// 11"; the paper: Jia, Peng and Zuo 2017, "Research on FFT algorithm based on OpenCL". What they
// claim of a row is judged as soon as it is measured (report_judge), by the criterion of verdict.h.
// results.py writes the documents' tables.
#include "baselines/baselines.h"
#include "effects.h"
#include "ladder/fft_documents.h"

#include <math.h>
#include <stdlib.h>

// ---- what is expected --------------------------------------------------------------------------

// The forward transform's real parts, and the largest of them.
static double *expect_transform(const picture *source, double *scale, bool complex_in)
{
    double *out = reference_transform(source, complex_in);
    size_t count = 3 * (size_t)source->width * (size_t)source->height;
    *scale = 1;
    for (size_t i = 0; out && i < count; i++)
        *scale = fmax(*scale, fabs(out[i]));
    return out;
}

static double *expect_real(const picture *source, double *scale)
{
    return expect_transform(source, scale, false);
}

static double *expect_complex(const picture *source, double *scale)
{
    return expect_transform(source, scale, true);
}

static bool square(int width, int height)
{
    return width == height && !(width & (width - 1));
}

// What the shared memory of a method holds.
static bool square_to_512(int width, int height)
{
    return square(width, height) && width <= 512;
}

static bool square_to_1024(int width, int height)
{
    return square(width, height) && width <= 1024;
}

// A real or a complex image, and a result of two planes or of one.
#define REAL_IN .from = GL_RGBA32F
#define COMPLEX_IN REAL_IN, .extra[0] = {"src_imag", GL_RGBA32F, .make = picture_scene}
#define PLANES_OUT .to = GL_RGBA32F, .extra[1] = {"dst_imag", GL_RGBA32F}
#define FORWARD(method, change, set)                                                         \
    method " forward complex" change, "method=" method " direction=forward" set, COMPLEX_IN, \
        PLANES_OUT, .expect = expect_complex
#define FORWARD_REAL(method, change, set)                                            \
    method " forward" change, "method=" method " direction=forward" set, PLANES_OUT, \
        .expect = expect_real
#define INVERSE(method, change) \
    method " inverse complex" change, "method=" method " direction=inverse", COMPLEX_IN
#define LADDER .effect = "fft_ladder", .ladder = true

// ---- fft: squares, every method ----------------------------------------------------------------

static const bench_size sizes[] = {{512, 512}, {2048, 2048}, {128, 128},
                                   {256, 256}, {1024, 1024}, {4096, 4096}};

#define BOTH(method, ...)                            \
    {FORWARD(method, "", ""), __VA_ARGS__},          \
    {                                                \
        INVERSE(method, ""), PLANES_OUT, __VA_ARGS__ \
    }
static const effect_case transforms[] = {
    BOTH("texture_radix2", LADDER, .takes = square),
    BOTH("shared_radix2", LADDER, .takes = square_to_512),
    BOTH("half_threads", LADDER, .takes = square_to_1024),
    BOTH("tiled", .takes = NULL),
    BOTH("multipass", .takes = NULL),
    {FORWARD_REAL("tiled", "", ""), REAL_IN},
    {FORWARD_REAL("tiled", ", from rgba16f", ""), .from = GL_RGBA16F},
    {FORWARD_REAL("half_length", "", ""), REAL_IN, LADDER, .takes = square_to_1024},
};

// Microseconds of bytes to the GPU and back: two planes, real and imaginary. The least of five.
static void measure_transfers(bench *owner, const picture *source, double *upload, double *readback)
{
    const GladGLContext *gl = &owner->gpu.gl;
    int n = source->width;
    GLuint texture = picture_texture(gl, GL_RGBA32F, n, n, NULL);
    float *values = need_memory((size_t)n * (size_t)n * 16);
    *upload = *readback = INFINITY;
    gl->BindTexture(GL_TEXTURE_2D, texture);
    for (int i = 0; i < 5; i++) {
        gl->Finish();
        double start = bench_now_us();
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, n, n, GL_RGBA, GL_FLOAT, source->texels);
        gl->Finish();
        double middle = bench_now_us();
        gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, values);
        *upload = fmin(*upload, middle - start);
        *readback = fmin(*readback, 2 * (bench_now_us() - middle));
    }
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->DeleteTextures(1, &texture);
    free(values);
}

// What the paper's Table 5 has beside a transform: upload and readback, and one core of this
// machine.
static void measure_asides(bench *owner, int n)
{
    double upload, readback;
    measure_transfers(owner, bench_picture(owner, picture_scene, n, n), &upload, &readback);
    const report_aside asides[] = {{"fft", "upload of a plane", n, n, upload},
                                   {"fft", "readback of two planes", n, n, readback},
                                   {"fft", "plain C, radix 2, double, one core", n, n,
                                    n <= 2048 ? fft_cpu_plain(n, 4) : 0},
                                   {"fft", "FFTW, double, one core", n, n, fft_cpu_fftw(n, 4)}};
    for (int i = 0; i < COUNT(asides); i++)
        if (asides[i].us > 0)
            report_add_aside(&owner->report, &asides[i]);
}

// The article's predecessor too; where drawing is slow, half a minute at 4096 x 4096.
static void beside_fft(bench *self, int width, int height)
{
    if (square(width, height) && width <= 2048)
        texture_fft_bench(self, "fft", width, TEXTURE_FFT_FRAGMENTS,
                          effect_expected(self, expect_complex, picture_scene, width, height));
    if (square(width, height))
        measure_asides(self, width);
}

const bench_effect bench_fft = {"fft", CASES(transforms, sizes, 2), .after = beside_fft};

// ---- fft_ladder: one change at a time ----------------------------------------------------------

static const bench_size squares[] = {{512, 512}, {2048, 2048}};

// The paper's (10), of one of two dispatches.
static double half_length_gain(int side)
{
    return 1 / (1 - ag_ladder_half_length_gain(side, 2, 4) / 2);
}

#define LOOKUP_PRICE (18.0795 / 14.323) // the article's Fig 11, of an i5-4300U
#define TEXTURE_BASE "texture_radix2 forward complex, weights: polynomial"
#define SHARED_BASE "shared_radix2 forward complex, weights: polynomial"
#define HALVES_BASE "half_threads forward complex, as the paper has it"
#define NO_CLAIM .claim = {NULL}
#define DRIVERS_WEIGHTS(base) \
    .claim = {"the article: weights by sin and cos, and nothing of a price", base, true, 1}
#define TABLE_2D(base) \
    .claim = {"the paper: a row of the table for each stage", base, false, REPORT_SOME}
#define LOOKUP_BUFFER(base)                                                                       \
    .claim = {"the article: computed weights beat its lookup texture, 14.3 to 18.1 ms (a buffer " \
              "here)",                                                                            \
              base, true, LOOKUP_PRICE}
#define ZEROS(base) \
    .claim = {"the article: do not read an imaginary part of zeros", base, false, REPORT_BYTES}
#define FEW_BITS                                                              \
    .claim = {"the article: the inverse writes a picture of few bits itself", \
              "tiled inverse complex, into rgba32f", false, REPORT_BYTES}

#define TEXTURE(change, set, ...)                                            \
    {                                                                        \
        FORWARD("texture_radix2", ", " change, " " set), LADDER, __VA_ARGS__ \
    }
#define SHARED(change, set, ...)                                                        \
    {                                                                                   \
        FORWARD("shared_radix2", ", " change, " " set), LADDER, .takes = square_to_512, \
                                                                __VA_ARGS__             \
    }
#define HALVES(change, set, ...)                                                        \
    {                                                                                   \
        FORWARD("half_threads", ", " change, " " set), LADDER, .takes = square_to_1024, \
                                                               __VA_ARGS__              \
    }
#define WITHOUT_ZEROS(method, base, ...)                                                         \
    {                                                                                            \
        FORWARD_REAL(method, ", imaginary part not read", ""), REAL_IN, ZEROS(base), __VA_ARGS__ \
    }

static const effect_case changes[] = {
    TEXTURE("weights: polynomial", "weights=polynomial", NO_CLAIM),
    TEXTURE("weights: driver's sin, cos", "weights=driver", DRIVERS_WEIGHTS(TEXTURE_BASE)),
    TEXTURE("weights: table", "weights=table", NO_CLAIM),
    TEXTURE("weights: 2-D table", "weights=table_2d",
            TABLE_2D("texture_radix2 forward complex, weights: table")),
    TEXTURE("weights: lookup", "weights=lookup", LOOKUP_BUFFER(TEXTURE_BASE)),
    WITHOUT_ZEROS("texture_radix2", TEXTURE_BASE, LADDER),
    SHARED("weights: polynomial", "weights=polynomial",
           .claim = {"the article: shared memory beats textures on every GPU", TEXTURE_BASE, false,
                     REPORT_SOME}),
    SHARED("weights: driver's sin, cos", "weights=driver", DRIVERS_WEIGHTS(SHARED_BASE)),
    SHARED("weights: table", "weights=table", NO_CLAIM),
    SHARED("weights: 2-D table", "weights=table_2d",
           TABLE_2D("shared_radix2 forward complex, weights: table")),
    SHARED("weights: lookup", "weights=lookup", LOOKUP_BUFFER(SHARED_BASE)),
    WITHOUT_ZEROS("shared_radix2", SHARED_BASE, LADDER, .takes = square_to_512),
    SHARED("last pass copied", "copied=1",
           .claim = {"the article: the last pass writes to the target, not to shared memory",
                     SHARED_BASE, true, REPORT_SOME}),
    HALVES("as the paper has it", "",
           .claim = {"the paper: a thread for two points, as many lines a group as fit",
                     SHARED_BASE, false, REPORT_SOME}),
    HALVES("weights: table", "weights=table",
           .claim = {"the paper: a row of the table for each stage", HALVES_BASE, true,
                     REPORT_SOME}),
    HALVES("weights: polynomial", "weights=polynomial", NO_CLAIM),
    HALVES("1 row a group", "rows=1", NO_CLAIM),
    HALVES("2 rows a group", "rows=2",
           .claim = {"the paper: two lines a group use the processors in full",
                     "half_threads forward complex, 1 row a group", false, REPORT_SOME}),
    HALVES("4 rows a group", "rows=4", NO_CLAIM),
    HALVES("8 rows a group", "rows=8", NO_CLAIM),
    HALVES("scattered stores", "scattered=1",
           .claim = {"the paper: put in order first, so that stores are in order", HALVES_BASE,
                     true, REPORT_SOME}),
    HALVES("transposed", "transposed=1",
           .claim = {"the paper: write rows and read columns, about 40 % faster than to write "
                     "columns",
                     HALVES_BASE, true, 1.4}),
    WITHOUT_ZEROS("half_threads", HALVES_BASE, LADDER, .takes = square_to_1024),
    {FORWARD_REAL("half_length", ", real rows", ""), REAL_IN, LADDER, .takes = square_to_1024,
     .claim = {"the paper: N real numbers as N / 2 complex ones, (10), here of the rows",
               "half_threads forward, imaginary part not read", .claimed_at = half_length_gain}},
    {FORWARD_REAL("half_length", ", two real rows in one", " pairs=1"), REAL_IN, LADDER,
     .takes = square_to_1024},
    {FORWARD("tiled", ", planes", ""), .effect = "fft"},
    {FORWARD("tiled", ", channels in turn", ""), .effect = "fft", .tuning = {.spread_points = -1}},
    WITHOUT_ZEROS("tiled", "tiled forward complex, planes", .effect = "fft"),
    {"tiled forward, packed in rgba_rg", "method=tiled direction=forward packing=rgba_rg", REAL_IN,
     .effect = "fft", .to = GL_RGBA32F, .extra = {{"dst_imag", GL_RG32F}}, .expect = expect_real,
     .claim = {"the article: three channels in RGBA and RG are 24 bytes a texel, not 32",
               "tiled forward, imaginary part not read", false, REPORT_BYTES}},
    {INVERSE("tiled", ", into rgba32f"), .effect = "fft", .to = GL_RGBA32F},
    {INVERSE("tiled", ", into rgba16f"), .effect = "fft", .to = GL_RGBA16F, FEW_BITS},
    {INVERSE("tiled", ", into r11g11b10f"), .effect = "fft", .to = GL_R11F_G11F_B10F, FEW_BITS},
};

// What no method of the module does.
static void beside_ladder(bench *self, int width, int height)
{
    static const report_claim lookup = {
        "the article: computed weights beat its lookup texture, 14.3 to 18.1 ms", TEXTURE_BASE,
        true, .claimed = LOOKUP_PRICE};
    texture_fft_bench(self, "fft_ladder", width, TEXTURE_FFT_LOOKUP,
                      effect_expected(self, expect_complex, picture_scene, width, height));
    report_judge(&self->report, &lookup);
    line_copies_bench(self, width);
}

const bench_effect bench_fft_ladder = {"fft_ladder", CASES(changes, squares, 2), .only_named = true,
                                       .after = beside_ladder};
