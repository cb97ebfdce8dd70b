// effects.c - runs the benches of effects: tables of cases, size by size
// SPDX-License-Identifier: MIT
#include "effects.h"

#include "baselines/baselines.h"
#include "flags.h"
#include "subcommands.h"

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

const pass_expected *effect_expected(bench *self, expect_fn expect, picture (*make)(int, int),
                                     int width, int height)
{
    static struct kept {
        expect_fn by;
        picture (*of)(int, int);
        int width, height;
        pass_expected right;
    } kept[2];
    static int last;
    if (!expect)
        return NULL;
    const struct kept key = {expect, make, width, height, {NULL, 0}};
    for (int i = 0; i < 2; i++)
        if (kept[i].by == expect && kept[i].of == make && kept[i].width == width &&
            kept[i].height == height)
            return &kept[last = i].right;
    last = 1 - last;
    free(kept[last].right.values);
    kept[last] = key;
    kept[last].right.values =
        expect(bench_picture(self, make, width, height), &kept[last].right.scale);
    return &kept[last].right;
}

void effect_measure(bench *self, const bench_effect *of, const effect_case *which, int width,
                    int height)
{
    const GLenum from = which->from ? which->from : GL_RGBA16F;
    const GLenum to = which->to ? which->to : GL_RGBA16F;
    picture (*make)(int, int) = which->source ? which->source
                                : of->source  ? of->source
                                              : picture_scene;
    const char *src = of->src ? of->src : "src", *dst = of->dst ? of->dst : "dst";
    report_row row = {0};
    pass_case timed = {.effect = which->effect ? which->effect : of->name,
                       .ladder = which->ladder,
                       .settings = which->settings,
                       .tuning = which->tuning,
                       .width = width,
                       .height = height,
                       .exact_format = to == GL_RGBA16F ? GL_RGBA32F : to,
                       .record = which->record};
    pass_slot *slot = timed.slots;
    if (*src)
        *slot++ = (pass_slot){src, from, .make = make};
    if (*dst)
        *slot++ = (pass_slot){dst, to, of->dst_size, .height = of->dst_size};
    for (int i = 0; i < COUNT(which->extra); i++)
        if (which->extra[i].name)
            *slot++ = which->extra[i];
    snprintf(row.effect, sizeof row.effect, "%s", of->name);
    snprintf(row.variant, sizeof row.variant, "%s", which->variant);
    if (which->copy)
        copy_bench(self, width, height, of->name, from, to);
    if (which->fit)
        which->fit(&timed, &row);
    pass_bench(self, &timed, effect_expected(self, which->expect, make, width, height), &row);
    if (which->claim.text)
        report_judge(&self->report, &which->claim);
}

static void run_size(bench *self, const bench_effect *of, int width, int height)
{
    int cut = of->multiple ? of->multiple : 1;
    width = width / cut * cut;
    height = height / cut * cut;
    if (of->frame)
        copy_bench(self, width, height, of->name, GL_RGBA16F, of->frame);
    for (int i = 0; i < of->case_count; i++)
        if (!of->cases[i].takes || of->cases[i].takes(width, height))
            effect_measure(self, of, &of->cases[i], width, height);
    if (of->after)
        of->after(self, width, height);
}

static void run_effect(bench *self, const bench_effect *of)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = 0;
    if (of->size_count)
        count = bench_sizes(self, of->sizes, of->size_count, of->quick_count, chosen);
    for (int i = 0; i < count; i++)
        run_size(self, of, chosen[i].width, chosen[i].height);
    if (of->run)
        of->run(self);
}

// ---- the command -------------------------------------------------------------------------------

typedef struct effects_wishes {
    const char *effect, *json, *shaders; // NULL: all; none; embedded
    bench_size only;                     // width 0: all
    bool quick, smallest;
    int device, warm_up_ms; // 0: the timer's own
} effects_wishes;

static const char *name_of(int index)
{
    return index < COUNT(effects) ? effects[index]->name : NULL;
}

static void take_effect(void *wishes, const char *name)
{
    flags_name(&((effects_wishes *)wishes)->effect, "effect", name, name_of);
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
         "  reload    what edits of shaders cost frames\n"
         "  motion    what a frame of bloom costs while its kernel's settings move\n"
         "  profiler  what timing a pass costs the GPU and the CPU\n"
         "  auto      what auto takes, beside every other way\n"
         "bench/run does all of it, with the CUDA baselines where there is nvcc.");
}

#define WISH(kind, member) FLAG_INTO(effects_wishes, kind, member)
static const flag flags[] = {
    FLAG_JSON(effects_wishes),
    {"--quick", NULL, "only the smaller sizes", WISH(SET, quick)},
    {"--smallest", NULL, "only the smallest size of each effect", WISH(SET, smallest)},
    {"--size", "WxH", "only this size", WISH(SIZE, only)},
    {"--shaders", "DIR", "read shaders from DIR instead of the embedded ones", WISH(TEXT, shaders)},
    FLAG_DEVICE(effects_wishes),
    {"--warm-up", "MS", "of work before each measurement; default 120", WISH(INT, warm_up_ms),
     .least = 1, .most = 10000},
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

static void open_bench(bench *self, const effects_wishes *wanted)
{
    char error[1024] = "";
    const ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = wanted->shaders};
    bench_open(self, wanted->device);
    bench_device(self, &desc, NULL);
    bench_timer(self);
    bool software = self->report.names.software;
    self->samples = software ? SOFTWARE_SAMPLES : SAMPLES;
    self->cold_bytes = software ? software_cold_bytes : cold_bytes;
    must(copy_speed_measure(&self->timer, software ? SOFTWARE_COPY_SIZE : COPY_SIZE,
                            &self->report.speed, error, sizeof error),
         "%s", error);
    if (wanted->warm_up_ms)
        self->timer.warm_up_us = wanted->warm_up_ms * 1e3;
    self->quick = wanted->quick;
    self->smallest = wanted->smallest;
    self->only = wanted->only;
    self->report.json = wanted->json;
    report_begin(&self->report);
}

void effects_main(int argc, char **argv)
{
    effects_wishes wanted = {0};
    bench self = {0};
    flags_read(&description, argc, argv, &wanted);
    open_bench(&self, &wanted);
    for (int i = 0; i < COUNT(effects); i++)
        if (wanted.effect ? strcmp(wanted.effect, effects[i]->name) == 0 : !effects[i]->only_named)
            run_effect(&self, effects[i]);
    bench_close(&self);
}
