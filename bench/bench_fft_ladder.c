// bench_fft_ladder.c - one change at a time of the documents' methods of the effect "fft"
// SPDX-License-Identifier: MIT
//
// 512 x 512 and 2048 x 2048 texels, RGBA32F, forward. The article: J. S. (Intel) 2014, "Fast
// Fourier Transform for Image Processing in DirectX 11"; the paper: Jia, Peng and Zuo 2017,
// "Research on FFT algorithm based on OpenCL". What they claim of a row is judged as soon as it is
// measured (report_judge), by the criterion of memory/verdict.h.
#include "baselines/line_copies.h"
#include "baselines/texture_fft.h"
#include "bench.h"
#include "cli/report.h"
#include "effects/fft/ladder.h"
#include "fft_run.h"
#include "shaders/fft/interface_ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rung {
    const char *method, *change;
    int weights, rows, changes;
    bool complex_in;
    int longest; // points of a line; 0: any
    bool packed;
    report_claim claim; // text NULL: none
} rung;

#define GAIN (-2.0) // claimed: what the paper's (10) says of half of the dispatches

static const rung rungs[] = {
    {"texture_radix2",
     "weights: polynomial",
     AG_WEIGHTS_POLYNOMIAL,
     0,
     0,
     true,
     0,
     false,
     {NULL, NULL, false, 0}},
    {"texture_radix2",
     "weights: driver's sin, cos",
     AG_WEIGHTS_DRIVER,
     0,
     0,
     true,
     0,
     false,
     {"the article: weights by sin and cos, and nothing of a price",
      "texture_radix2 forward complex, weights: polynomial", true, 1}},
    {"texture_radix2",
     "weights: table",
     AG_WEIGHTS_TABLE,
     0,
     0,
     true,
     0,
     false,
     {NULL, NULL, false, 0}},
    {"texture_radix2",
     "weights: 2-D table",
     AG_WEIGHTS_TABLE_2D,
     0,
     0,
     true,
     0,
     false,
     {"the paper: a row of the table for each stage",
      "texture_radix2 forward complex, weights: table", false, REPORT_SOME}},
    {"texture_radix2",
     "weights: lookup",
     AG_WEIGHTS_LOOKUP,
     0,
     0,
     true,
     0,
     false,
     {"the article: computed weights beat its lookup texture, 14.3 to 18.1 ms (a buffer here)",
      "texture_radix2 forward complex, weights: polynomial", true, 18.0795 / 14.323}},
    {"texture_radix2",
     "imaginary part not read",
     0,
     0,
     0,
     false,
     0,
     false,
     {"the article: do not read an imaginary part of zeros",
      "texture_radix2 forward complex, weights: polynomial", false, REPORT_BYTES}},
    {"shared_radix2",
     "weights: polynomial",
     AG_WEIGHTS_POLYNOMIAL,
     0,
     0,
     true,
     512,
     false,
     {"the article: shared memory beats textures on every GPU",
      "texture_radix2 forward complex, weights: polynomial", false, REPORT_SOME}},
    {"shared_radix2",
     "weights: driver's sin, cos",
     AG_WEIGHTS_DRIVER,
     0,
     0,
     true,
     512,
     false,
     {"the article: weights by sin and cos, and nothing of a price",
      "shared_radix2 forward complex, weights: polynomial", true, 1}},
    {"shared_radix2",
     "weights: table",
     AG_WEIGHTS_TABLE,
     0,
     0,
     true,
     512,
     false,
     {NULL, NULL, false, 0}},
    {"shared_radix2",
     "weights: 2-D table",
     AG_WEIGHTS_TABLE_2D,
     0,
     0,
     true,
     512,
     false,
     {"the paper: a row of the table for each stage",
      "shared_radix2 forward complex, weights: table", false, REPORT_SOME}},
    {"shared_radix2",
     "weights: lookup",
     AG_WEIGHTS_LOOKUP,
     0,
     0,
     true,
     512,
     false,
     {"the article: computed weights beat its lookup texture, 14.3 to 18.1 ms (a buffer here)",
      "shared_radix2 forward complex, weights: polynomial", true, 18.0795 / 14.323}},
    {"shared_radix2",
     "imaginary part not read",
     0,
     0,
     0,
     false,
     512,
     false,
     {"the article: do not read an imaginary part of zeros",
      "shared_radix2 forward complex, weights: polynomial", false, REPORT_BYTES}},
    {"shared_radix2",
     "last pass copied",
     0,
     0,
     AG_LADDER_COPIED,
     true,
     512,
     false,
     {"the article: the last pass writes to the target, not to shared memory",
      "shared_radix2 forward complex, weights: polynomial", true, REPORT_SOME}},
    {"half_threads",
     "as the paper has it",
     0,
     0,
     0,
     true,
     1024,
     false,
     {"the paper: a thread for two points, as many lines a group as fit",
      "shared_radix2 forward complex, weights: polynomial", false, REPORT_SOME}},
    {"half_threads",
     "weights: table",
     AG_WEIGHTS_TABLE,
     0,
     0,
     true,
     1024,
     false,
     {"the paper: a row of the table for each stage",
      "half_threads forward complex, as the paper has it", true, REPORT_SOME}},
    {"half_threads",
     "weights: polynomial",
     AG_WEIGHTS_POLYNOMIAL,
     0,
     0,
     true,
     1024,
     false,
     {NULL, NULL, false, 0}},
    {"half_threads", "1 row a group", 0, 1, 0, true, 1024, false, {NULL, NULL, false, 0}},
    {"half_threads",
     "2 rows a group",
     0,
     2,
     0,
     true,
     1024,
     false,
     {"the paper: two lines a group use the processors in full",
      "half_threads forward complex, 1 row a group", false, REPORT_SOME}},
    {"half_threads", "4 rows a group", 0, 4, 0, true, 1024, false, {NULL, NULL, false, 0}},
    {"half_threads", "8 rows a group", 0, 8, 0, true, 1024, false, {NULL, NULL, false, 0}},
    {"half_threads",
     "scattered stores",
     0,
     0,
     AG_LADDER_SCATTERED,
     true,
     1024,
     false,
     {"the paper: put in order first, so that stores are in order",
      "half_threads forward complex, as the paper has it", true, REPORT_SOME}},
    {"half_threads",
     "transposed",
     0,
     0,
     AG_LADDER_TRANSPOSED,
     true,
     1024,
     false,
     {"the paper: write rows and read columns, about 40 % faster than to write columns",
      "half_threads forward complex, as the paper has it", true, 1.4}},
    {"half_threads",
     "imaginary part not read",
     0,
     0,
     0,
     false,
     1024,
     false,
     {"the article: do not read an imaginary part of zeros",
      "half_threads forward complex, as the paper has it", false, REPORT_BYTES}},
    {"half_length",
     "real rows",
     0,
     0,
     0,
     false,
     1024,
     false,
     {"the paper: N real numbers as N / 2 complex ones, (10), here of the rows",
      "half_threads forward, imaginary part not read", false, GAIN}},
    {"half_length",
     "two real rows in one",
     0,
     0,
     AG_LADDER_PAIRS,
     false,
     1024,
     false,
     {"instead of the paper's halves, two rows in one complex row",
      "half_length forward, real rows", false, 1}},
    {"tiled", "planes", 0, 0, 0, true, 0, false, {NULL, NULL, false, 0}},
    {"tiled",
     "imaginary part not read",
     0,
     0,
     0,
     false,
     0,
     false,
     {"the article: do not read an imaginary part of zeros", "tiled forward complex, planes", false,
      REPORT_BYTES}},
    {"tiled",
     "packed in rgba_rg",
     0,
     0,
     0,
     false,
     0,
     true,
     {"the article: three channels in RGBA and RG are 24 bytes a texel, not 32",
      "tiled forward, imaginary part not read", false, REPORT_BYTES}},
};
enum { RUNGS = sizeof rungs / sizeof *rungs };

// At this size; half of the dispatches gain.
static report_claim claim_of(const rung *r, int n)
{
    report_claim claim = r->claim;
    if (claim.claimed == GAIN)
        claim.claimed = 1 / (1 - ag_ladder_half_length_gain(n, 2, 4) / 2);
    return claim;
}

static int measure_rung(bench *self, const picture *source, const rung *r,
                        const pass_expected right[2])
{
    double unused;
    fft_run run = {.effect = "fft_ladder",
                   .method = r->method,
                   .direction = "forward",
                   .variant = r->change,
                   .packed = r->packed,
                   .complex_in = r->complex_in,
                   .right = &right[r->complex_in]};
    if (r->longest && source->width > r->longest)
        return STATUS_OK;
    run.tuning.ladder_weights = r->weights;
    run.tuning.ladder_rows = r->rows;
    run.tuning.ladder_changes = r->changes;
    int status = fft_measure(self, source, &run, &unused);
    const report_claim claim = claim_of(r, source->width);
    return status == STATUS_OK && claim.text ? report_judge(&self->report, &claim) : status;
}

// What no setting of the plugin does.
static int measure_others(bench *self, const picture *source, const pass_expected right[2])
{
    static const report_claim lookup = {
        "the article: computed weights beat its lookup texture, 14.3 to 18.1 ms",
        "texture_radix2 forward complex, weights: polynomial", true, 18.0795 / 14.323};
    int status = texture_fft_bench(self, "fft_ladder", source, TEXTURE_FFT_LOOKUP, &right[1]);
    if (status == STATUS_OK)
        status = report_judge(&self->report, &lookup);
    return status == STATUS_OK ? line_copies_bench(self, source) : status;
}

static int run_ladder(bench *self)
{
    static const bench_size squares[] = {{512, 512}, {2048, 2048}};
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, squares, 2, 2, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        picture source = picture_scene(chosen[i].width, chosen[i].height);
        status = source.texels ? STATUS_OK : fail_memory();
        const pass_expected right[] = {fft_expected(&source, false), fft_expected(&source, true)};
        for (int k = 0; k < RUNGS && status == STATUS_OK; k++)
            status = measure_rung(self, &source, &rungs[k], right);
        if (status == STATUS_OK)
            status = measure_others(self, &source, right);
        free((void *)right[0].expected);
        free((void *)right[1].expected);
        picture_free(&source);
    }
    return status;
}

const bench_effect bench_fft_ladder = {"fft_ladder", run_ladder, true};
