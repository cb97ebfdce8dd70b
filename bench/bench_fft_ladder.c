// bench_fft_ladder.c - one change at a time of the documents' Fourier transforms
// SPDX-License-Identifier: MIT
//
// 512 x 512 and 2048 x 2048 texels, RGBA32F, forward but for the last rows. The article: J. S.
// (Intel) 2014, "Fast Fourier Transform for Image Processing in DirectX 11"; the paper: Jia, Peng
// and Zuo 2017, "Research on FFT algorithm based on OpenCL". What they claim of a row is judged as
// soon as it is measured (report_judge), by the criterion of verdict.h.
#include "baselines/line_copies.h"
#include "baselines/texture_fft.h"
#include "cli/report.h"
#include "effects.h"
#include "fft_run.h"
#include "ladder/fft_documents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rung {
    const char *method, *change;
    const char *set; // the change as settings of fft_ladder; NULL: the method as it is
    bool real;       // the imaginary part is not read
    bool packed;
    int spread;         // spread_points of ag_tuning
    GLenum picture;     // format of the inverse's real output; 0: forward
    report_claim claim; // text NULL: none
} rung;

#define GAIN (-2.0) // claimed: what the paper's (10) says, of one of two dispatches
#define LOOKUP_PRICE (18.0795 / 14.323) // the article's Fig 11, of an i5-4300U
#define TEXTURE_BASE "texture_radix2 forward complex, weights: polynomial"
#define SHARED_BASE "shared_radix2 forward complex, weights: polynomial"
#define HALVES_BASE "half_threads forward complex, as the paper has it"

static const rung rungs[] = {
    {"texture_radix2", "weights: polynomial", .set = "weights=polynomial"},
    {"texture_radix2", "weights: driver's sin, cos", .set = "weights=driver",
     .claim = {"the article: weights by sin and cos, and nothing of a price", TEXTURE_BASE, true,
               1}},
    {"texture_radix2", "weights: table", .set = "weights=table"},
    {"texture_radix2", "weights: 2-D table", .set = "weights=table_2d",
     .claim = {"the paper: a row of the table for each stage",
               "texture_radix2 forward complex, weights: table", false, REPORT_SOME}},
    {"texture_radix2", "weights: lookup", .set = "weights=lookup",
     .claim =
         {"the article: computed weights beat its lookup texture, 14.3 to 18.1 ms (a buffer here)",
          TEXTURE_BASE, true, LOOKUP_PRICE}},
    {"texture_radix2", "imaginary part not read", .real = true,
     .claim = {"the article: do not read an imaginary part of zeros", TEXTURE_BASE, false,
               REPORT_BYTES}},
    {"shared_radix2", "weights: polynomial", .set = "weights=polynomial",
     .claim = {"the article: shared memory beats textures on every GPU", TEXTURE_BASE, false,
               REPORT_SOME}},
    {"shared_radix2", "weights: driver's sin, cos", .set = "weights=driver",
     .claim = {"the article: weights by sin and cos, and nothing of a price", SHARED_BASE, true,
               1}},
    {"shared_radix2", "weights: table", .set = "weights=table"},
    {"shared_radix2", "weights: 2-D table", .set = "weights=table_2d",
     .claim = {"the paper: a row of the table for each stage",
               "shared_radix2 forward complex, weights: table", false, REPORT_SOME}},
    {"shared_radix2", "weights: lookup", .set = "weights=lookup",
     .claim =
         {"the article: computed weights beat its lookup texture, 14.3 to 18.1 ms (a buffer here)",
          SHARED_BASE, true, LOOKUP_PRICE}},
    {"shared_radix2", "imaginary part not read", .real = true,
     .claim = {"the article: do not read an imaginary part of zeros", SHARED_BASE, false,
               REPORT_BYTES}},
    {"shared_radix2", "last pass copied", .set = "copied=1",
     .claim = {"the article: the last pass writes to the target, not to shared memory", SHARED_BASE,
               true, REPORT_SOME}},
    {"half_threads", "as the paper has it",
     .claim = {"the paper: a thread for two points, as many lines a group as fit", SHARED_BASE,
               false, REPORT_SOME}},
    {"half_threads", "weights: table", .set = "weights=table",
     .claim = {"the paper: a row of the table for each stage", HALVES_BASE, true, REPORT_SOME}},
    {"half_threads", "weights: polynomial", .set = "weights=polynomial"},
    {"half_threads", "1 row a group", .set = "rows=1"},
    {"half_threads", "2 rows a group", .set = "rows=2",
     .claim = {"the paper: two lines a group use the processors in full",
               "half_threads forward complex, 1 row a group", false, REPORT_SOME}},
    {"half_threads", "4 rows a group", .set = "rows=4"},
    {"half_threads", "8 rows a group", .set = "rows=8"},
    {"half_threads", "scattered stores", .set = "scattered=1",
     .claim = {"the paper: put in order first, so that stores are in order", HALVES_BASE, true,
               REPORT_SOME}},
    {"half_threads", "transposed", .set = "transposed=1",
     .claim = {"the paper: write rows and read columns, about 40 % faster than to write columns",
               HALVES_BASE, true, 1.4}},
    {"half_threads", "imaginary part not read", .real = true,
     .claim = {"the article: do not read an imaginary part of zeros", HALVES_BASE, false,
               REPORT_BYTES}},
    {"half_length", "real rows", .real = true,
     .claim = {"the paper: N real numbers as N / 2 complex ones, (10), here of the rows",
               "half_threads forward, imaginary part not read", false, GAIN}},
    {"half_length", "two real rows in one", .set = "pairs=1", .real = true},
    {"tiled", "planes", .spread = 0},
    {"tiled", "channels in turn", .spread = -1},
    {"tiled", "imaginary part not read", .real = true,
     .claim = {"the article: do not read an imaginary part of zeros",
               "tiled forward complex, planes", false, REPORT_BYTES}},
    {"tiled", "packed in rgba_rg", .real = true, .packed = true,
     .claim = {"the article: three channels in RGBA and RG are 24 bytes a texel, not 32",
               "tiled forward, imaginary part not read", false, REPORT_BYTES}},
    {"tiled", "into rgba32f", .picture = GL_RGBA32F},
    {"tiled", "into rgba16f", .picture = GL_RGBA16F,
     .claim = {"the article: the inverse writes a picture of few bits itself",
               "tiled inverse complex, into rgba32f", false, REPORT_BYTES}},
    {"tiled", "into r11g11b10f", .picture = GL_R11F_G11F_B10F,
     .claim = {"the article: the inverse writes a picture of few bits itself",
               "tiled inverse complex, into rgba32f", false, REPORT_BYTES}},
};
enum { RUNGS = sizeof rungs / sizeof *rungs };

// Points of a line that a method takes.
static int longest(const char *method)
{
    return strcmp(method, "shared_radix2") == 0 ? 512
           : strncmp(method, "half", 4) == 0    ? 1024
                                                : 16384;
}

// At this size; half of the dispatches gain.
static report_claim claim_of(const rung *r, int n)
{
    report_claim claim = r->claim;
    if (claim.claimed == GAIN)
        claim.claimed = 1 / (1 - ag_ladder_half_length_gain(n, 2, 4) / 2);
    return claim;
}

static int measure_rung(bench *self, int size, const rung *r, const pass_expected right[2])
{
    double unused;
    fft_run run = {.effect = "fft_ladder",
                   .method = r->method,
                   .direction = r->picture ? "inverse" : "forward",
                   .variant = r->change,
                   .ladder = strcmp(r->method, "tiled") != 0,
                   .settings = r->set,
                   .packed = r->packed,
                   .complex_in = !r->real,
                   .picture = r->picture,
                   .right = r->picture ? NULL : &right[!r->real]};
    if (size > longest(r->method))
        return STATUS_OK;
    run.tuning.spread_points = r->spread;
    int status = fft_measure(self, size, size, &run, &unused);
    const report_claim claim = claim_of(r, size);
    return status == STATUS_OK && claim.text ? report_judge(&self->report, &claim) : status;
}

// What no method of the module does.
static int measure_others(bench *self, int size, const pass_expected right[2])
{
    static const report_claim lookup = {
        "the article: computed weights beat its lookup texture, 14.3 to 18.1 ms", TEXTURE_BASE,
        true, LOOKUP_PRICE};
    int status = texture_fft_bench(self, "fft_ladder", size, TEXTURE_FFT_LOOKUP, &right[1]);
    if (status == STATUS_OK)
        status = report_judge(&self->report, &lookup);
    return status == STATUS_OK ? line_copies_bench(self, size) : status;
}

static int measure_size(bench *self, int width, int height)
{
    const picture *source = bench_picture(self, picture_scene, width, height);
    if (!source)
        return STATUS_FAILED;
    const pass_expected right[] = {fft_expected(source, false), fft_expected(source, true)};
    int status = STATUS_OK;
    for (int k = 0; k < RUNGS && status == STATUS_OK; k++)
        status = measure_rung(self, width, &rungs[k], right);
    if (status == STATUS_OK)
        status = measure_others(self, width, right);
    free(right[0].values);
    free(right[1].values);
    return status;
}

static const bench_size squares[] = {{512, 512}, {2048, 2048}};
const bench_effect bench_fft_ladder = {"fft_ladder",     .only_named = true,
                                       .sizes = squares, .size_count = COUNT(squares),
                                       .quick_count = 2, .after = measure_size};
