// effects.c - runs the benches of effects: tables of cases, size by size
// SPDX-License-Identifier: MIT
#include "effects.h"

#include "baselines/copy_pair.h"
#include "cli/report.h"
#include "cli/words.h"
#include "flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_POINTER(bench) &bench,
static const bench_effect *const effects[] = {BENCH_EFFECTS(BENCH_POINTER)};

enum {
    SAMPLES = 50,
    SOFTWARE_SAMPLES = 5, // its times mean nothing anyway
    COPY_SIZE = 8192,
    SOFTWARE_COPY_SIZE = 512,
};
static const double cold_bytes = 256e6, software_cold_bytes = 4e6;

// ---- a table -----------------------------------------------------------------------------------

int bench_sizes(const bench *self, const bench_size *all, int count, int quick_count,
                bench_size out[BENCH_MAX_SIZES])
{
    if (self->only.width) {
        out[0] = self->only;
        return 1;
    }
    if (self->smallest)
        count = 1;
    else if (self->quick && count > quick_count)
        count = quick_count;
    for (int i = 0; i < count; i++) {
        out[i] = all[i];
        if (self->report.names.software) { // an eighth of the size: a 64th of the work
            out[i].width /= 8;
            out[i].height /= 8;
        }
    }
    return count;
}

// What a case should give; those of one size and source that follow each other share it.
static const pass_expected *expected_of(expect_fn expect, picture (*make)(int, int),
                                        const picture *source)
{
    static struct {
        expect_fn by;
        picture (*of)(int, int);
        int width, height;
        pass_expected right;
    } kept;
    if (!expect)
        return NULL;
    if (kept.by != expect || kept.of != make || kept.width != source->width ||
        kept.height != source->height) {
        free(kept.right.values);
        kept.by = expect;
        kept.of = make;
        kept.width = source->width;
        kept.height = source->height;
        kept.right.values = expect(source, &kept.right.scale);
    }
    return &kept.right;
}

int effect_measure(bench *self, const bench_effect *of, const effect_case *which, int width,
                   int height, double *time)
{
    const GLenum to = which->to ? which->to : GL_RGBA16F;
    picture (*make)(int, int) = which->source ? which->source
                                : of->source  ? of->source
                                              : picture_scene;
    const picture *source = bench_picture(self, make, width, height);
    report_row row = {0};
    pass_case timed = {.effect = which->effect ? which->effect : of->name,
                       .ladder = which->ladder,
                       .settings = which->settings,
                       .tuning = which->tuning,
                       .width = width,
                       .height = height,
                       .slots = {{"src", which->from ? which->from : GL_RGBA16F, .holds = source},
                                 {of->dst ? of->dst : "dst", to, of->dst_size,
                                  .height = of->dst_size},
                                 which->extra[0],
                                 which->extra[1]},
                       .exact_format = to == GL_RGBA16F ? GL_RGBA32F : to};
    snprintf(row.effect, sizeof row.effect, "%s", of->name);
    snprintf(row.variant, sizeof row.variant, "%s", which->variant);
    if (!source)
        return STATUS_FAILED;
    int status = pass_bench(self, &timed, expected_of(which->expect, make, source), &row);
    if (time)
        *time = row.times.hot.median;
    return status == STATUS_OK && which->claim.text ? report_judge(&self->report, &which->claim)
                                                    : status;
}

static int run_size(bench *self, const bench_effect *of, int width, int height)
{
    const copy_pair frame = {of->name, "rgba16f to rgba16f", GL_RGBA16F, GL_RGBA16F};
    int cut = of->multiple ? of->multiple : 1, status = STATUS_OK;
    width = width / cut * cut;
    height = height / cut * cut;
    if (of->frame)
        status = copy_pair_bench(self, width, height, &frame);
    for (int i = 0; i < of->case_count && status == STATUS_OK; i++)
        if (!of->cases[i].takes || of->cases[i].takes(width, height))
            status = effect_measure(self, of, &of->cases[i], width, height, NULL);
    return status == STATUS_OK && of->after ? of->after(self, width, height) : status;
}

static int run_effect(bench *self, const bench_effect *of)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int status = STATUS_OK, count = 0;
    if (of->size_count)
        count = bench_sizes(self, of->sizes, of->size_count, of->quick_count, chosen);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = run_size(self, of, chosen[i].width, chosen[i].height);
    return status == STATUS_OK && of->run ? of->run(self) : status;
}

// ---- the command -------------------------------------------------------------------------------

typedef struct effects_wishes {
    const char *effect, *json, *shaders, *methods; // NULL: all; none; embedded; not given
    bench_size only;                               // width 0: all
    bool quick, smallest, ladder;
    int device, warm_up_ms; // 0: the timer's own
} effects_wishes;

static int take_effect(void *wishes, const char *name)
{
    effects_wishes *out = wishes;
    char known[256];
    words names = words_begin(known, sizeof known, " ");
    if (out->effect)
        return fail(STATUS_USAGE, "one effect at most, got %s too", name);
    out->effect = name;
    for (int i = 0; i < COUNT(effects); i++) {
        if (strcmp(effects[i]->name, name) == 0)
            return STATUS_OK;
        words_add(&names, effects[i]->name);
    }
    return fail(STATUS_USAGE, "there is no bench of an effect %s; expected one of: %s", name,
                known);
}

static void list_effects(void)
{
    printf("\nEffects:");
    for (int named = 0; named < 2; named++) { // tests/tools/check_bench.py reads this line
        printf("%s", named ? "; only when named:" : "");
        for (int i = 0; i < COUNT(effects); i++)
            if (effects[i]->only_named == named)
                printf(" %s", effects[i]->name);
    }
    puts("\n\nOther subcommands, each with --help:\n"
         "  compile   what programs cost until they run\n"
         "  memory    the documents' rules of GPU memory, measured here\n"
         "  reload    what edits of shaders cost frames, and starts with and without a cache\n"
         "  motion    what a frame of bloom costs while its kernel's settings move\n"
         "  profiler  what timing a pass costs the GPU and the CPU\n"
         "bench/run does all of it, with the CUDA baselines where there is nvcc.");
}

static const flag flags[] = {
    FLAG_JSON(effects_wishes),
    {"--quick", NULL, "only the smaller sizes", FLAG_SET, offsetof(effects_wishes, quick), 0, 0},
    {"--smallest", NULL, "only the smallest size of each effect", FLAG_SET,
     offsetof(effects_wishes, smallest), 0, 0},
    {"--size", "WxH", "only this size", FLAG_SIZE, offsetof(effects_wishes, only), 0, 0},
    {"--shaders", "DIR", "read shaders from DIR instead of the embedded ones", FLAG_TEXT,
     offsetof(effects_wishes, shaders), 0, 0},
    FLAG_DEVICE(effects_wishes),
    {"--ladder", NULL, "of fft: one change at a time, as fft_ladder", FLAG_SET,
     offsetof(effects_wishes, ladder), 0, 0},
    {"--warm-up", "MS", "of work before each measurement; default 120", FLAG_INT,
     offsetof(effects_wishes, warm_up_ms), 1, 10000},
    {"--methods", "LIST", "of sat: its methods side by side: all, or lookback,tiles", FLAG_TEXT,
     offsetof(effects_wishes, methods), 0, 0},
    {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench",
    .usage = "[EFFECT] [options]",
    .help =
        "Measures the GPU time and the error of each effect. The time is compared with the time\n"
        "to copy as many bytes on this GPU, and with baselines.\n",
    .flags = flags,
    .input = take_effect,
    .list = list_effects,
};

// `option` is of the effect `of`, and chooses another list of rows.
static int redirect(effects_wishes *wanted, bool given, const char *option, const char *of,
                    const char *to)
{
    if (!given)
        return STATUS_OK;
    if (!wanted->effect || strcmp(wanted->effect, of) != 0)
        return fail(STATUS_USAGE, "%s is of %s", option, of);
    wanted->effect = to;
    return STATUS_OK;
}

static int open_bench(bench *self, const effects_wishes *wanted)
{
    char error[1024] = "";
    const ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = wanted->shaders};
    int status = bench_open(self, wanted->device);
    if (status == STATUS_OK)
        status = bench_device(self, &desc, NULL);
    if (status == STATUS_OK)
        status = bench_timer(self);
    if (status != STATUS_OK)
        return status;
    bool software = self->report.names.software;
    self->samples = software ? SOFTWARE_SAMPLES : SAMPLES;
    self->cold_bytes = software ? software_cold_bytes : cold_bytes;
    if (!copy_speed_measure(&self->timer, software ? SOFTWARE_COPY_SIZE : COPY_SIZE,
                            &self->report.speed, error, sizeof error))
        return fail(STATUS_FAILED, "%s", error);
    if (wanted->warm_up_ms)
        self->timer.warm_up_us = wanted->warm_up_ms * 1e3;
    self->quick = wanted->quick;
    self->smallest = wanted->smallest;
    self->only = wanted->only;
    if (wanted->methods && strcmp(wanted->methods, "all") != 0)
        self->methods = wanted->methods;
    self->report.json = wanted->json;
    return report_begin(&self->report);
}

int effects_main(int argc, char **argv)
{
    effects_wishes wanted = {0};
    bench self = {0};
    int done, status = flags_read(&description, argc, argv, &wanted, &done);
    if (status == STATUS_OK)
        status = redirect(&wanted, wanted.ladder, "--ladder", "fft", "fft_ladder");
    if (status == STATUS_OK)
        status = redirect(&wanted, wanted.methods, "--methods", "sat", "sat_methods");
    if (status != STATUS_OK || done)
        return status;
    status = open_bench(&self, &wanted);
    for (int i = 0; i < COUNT(effects) && status == STATUS_OK; i++)
        if (wanted.effect ? strcmp(wanted.effect, effects[i]->name) == 0 : !effects[i]->only_named)
            status = run_effect(&self, effects[i]);
    bench_close(&self);
    return status;
}
