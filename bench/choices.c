// choices.c - `afterglow-bench auto`: what `auto` takes of an effect, beside every other way
// SPDX-License-Identifier: MIT
//
// Each way of a job is timed hot, in turn, several times; its figure is the least of the medians,
// because other work on the machine only adds. `auto` is right if it makes the plan of the fastest
// way, or takes hardly longer.
#include "effects.h"
#include "flags.h"
#include "subcommands.h"

#include <stdio.h>
#include <string.h>

enum { WAYS = 8, ROUNDS = 2 };

typedef struct way {
    const char *name, *setting; // NULL: no more; the setting that makes `auto` take it, or NULL
    ag_tuning tuning;
} way;

typedef struct choice {
    const char *effect, *settings; // of all ways
    GLenum from, to;               // formats
    const bench_size *sizes;       // of the source, each with those of the target; {0}: no more
    const way *ways;               // the first is `auto`
    // NULL: every way takes every size.
    bool (*takes)(const way *it, bench_size from, bench_size to);
} choice;

// ---- downsample --------------------------------------------------------------------------------

static const way down_ways[] = {{.name = "auto"},
                                {.name = "tile", .setting = "method=tile"},
                                {.name = "columns", .setting = "method=columns"},
                                {.name = "partial_sums", .setting = "method=partial_sums"},
                                {.name = "blocks", .setting = "method=blocks"},
                                {.name = NULL}};

static bool down_takes(const way *it, bench_size from, bench_size to)
{
    bool whole = from.width % to.width == 0 && from.height % to.height == 0;
    int x = from.width / to.width, y = from.height / to.height, most = x > y ? x : y;
    if (strcmp(it->name, "tile") == 0)
        return most <= 24; // the others are faster long before
    return strcmp(it->name, "blocks") != 0 || (whole && most <= 16 && x == y);
}

static const bench_size down_sizes[] = {
    {1920, 1080}, {960, 540},   {1920, 1080}, {640, 360},   {1920, 1080}, {480, 270},
    {1920, 1080}, {240, 135},   {1920, 1080}, {96, 54},     {1920, 1080}, {30, 17},
    {2048, 2048}, {1024, 1024}, {2048, 2048}, {512, 512},   {2048, 2048}, {256, 256},
    {2048, 2048}, {100, 100},   {2048, 2048}, {64, 64},     {2048, 2048}, {16, 16},
    {3840, 2160}, {1920, 1080}, {3840, 2160}, {1600, 900},  {3840, 2160}, {1280, 720},
    {3840, 2160}, {960, 540},   {3840, 2160}, {480, 270},   {3840, 2160}, {240, 135},
    {3840, 2160}, {60, 34},     {4096, 4096}, {2048, 2048}, {4096, 4096}, {1365, 1365},
    {4096, 4096}, {1024, 1024}, {4096, 4096}, {819, 819},   {4096, 4096}, {509, 509},
    {4096, 4096}, {300, 300},   {4096, 4096}, {128, 128},   {4096, 4096}, {64, 64},
    {0, 0},       {0, 0}};

// ---- convolve, fft, tables ---------------------------------------------------------------------

static const bench_size frames[] = {{1920, 1080}, {0, 0}, {3840, 2160}, {0, 0}, {0, 0}, {0, 0}};
static const bench_size lines[] = {{512, 512}, {0, 0},       {1000, 1000}, {0, 0}, {2048, 2048},
                                   {0, 0},     {4096, 4096}, {0, 0},       {0, 0}, {0, 0}};
static const bench_size tables[] = {{512, 512},   {0, 0}, {1024, 1024}, {0, 0},
                                    {1920, 1080}, {0, 0}, {2048, 2048}, {0, 0},
                                    {4096, 4096}, {0, 0}, {0, 0},       {0, 0}};

static const way fft_ways[] = {{.name = "auto"},
                               {.name = "tiled", .setting = "method=tiled"},
                               {.name = "multipass", .setting = "method=multipass"},
                               {.name = NULL}};

#define TILES(text, side, count)                                   \
    {                                                              \
        .name = text, .tuning.tile = side, .tuning.threads = count \
    }
static const way sat_ways[] = {{.name = "auto"},
                               TILES("32x32, 64", AG_TILE_32, 64),
                               TILES("32x32, 128", AG_TILE_32, 128),
                               TILES("64x32, 64", AG_TILE_64X32, 64),
                               TILES("64x32, 128", AG_TILE_64X32, 128),
                               TILES("64x64, 128", AG_TILE_64, 128),
                               TILES("64x64, 256", AG_TILE_64, 256),
                               {.name = NULL}};
static const way fold_ways[] = {{.name = "auto"},
                                {.name = "a carry step", .tuning.carry = AG_CARRY_STEP},
                                {.name = "folded", .tuning.carry = AG_CARRY_FOLDED},
                                {.name = NULL}};
static const way table_ways[] = {{.name = "auto"},
                                 {.name = "images", .tuning.tables = AG_TABLES_IMAGE},
                                 {.name = "textures", .tuning.tables = AG_TABLES_TEXTURE},
                                 {.name = "buffers", .tuning.tables = AG_TABLES_BUFFER},
                                 {.name = NULL}};

static const choice choices[] = {
    {"downsample", "", GL_RGBA16F, GL_RGBA16F, down_sizes, down_ways, down_takes},
    {"downsample", "", GL_RGBA8, GL_RGBA8, down_sizes, down_ways, down_takes},
    {"fft", "spectrum=full", GL_RGBA32F, GL_RGBA32F, lines, fft_ways, NULL},
    {"sat", "storage=float32", GL_RGBA16F, GL_RGBA32F, tables, sat_ways, NULL},
    {"sat", "storage=float32", GL_R32F, GL_R32F, tables, sat_ways, NULL},
    {"sat", "storage=float32", GL_RGBA16F, GL_RGBA32F, tables, fold_ways, NULL},
    {"box_blur", "radius=24", GL_RGBA16F, GL_RGBA16F, frames, table_ways, NULL},
    {"box_blur", "radius=24.5", GL_RGBA16F, GL_RGBA16F, frames, table_ways, NULL},
};

// ---- a job -------------------------------------------------------------------------------------

typedef struct wishes {
    const char *effect;
    int device, within, warm_up_ms; // percent
} wishes;

typedef struct figure {
    double us;
    char plan[sizeof((report_row *)0)->plan];
} figure;

static bool record(void *user, unsigned turn)
{
    (void)turn;
    return pass_record(user, 0);
}

static void next_frame(void *user)
{
    bench_frame(((pass *)user)->owner);
}

static figure time_way(bench *self, const choice *it, const way *by, const bench_size size[2],
                       const figure *former)
{
    char settings[128];
    snprintf(settings, sizeof settings, "%s%s%s", it->settings,
             *it->settings && by->setting ? " " : "", by->setting ? by->setting : "");
    bool fft = strcmp(it->effect, "fft") == 0;
    const pass_case desc = {.effect = it->effect,
                            .settings = settings,
                            .tuning = by->tuning,
                            .width = size[0].width,
                            .height = size[0].height,
                            .slots = {{"src", it->from, .make = picture_scene},
                                      {strcmp(it->effect, "downsample") == 0 ? "dst0" : "dst",
                                       it->to, size[1].width, size[1].height},
                                      {fft ? "dst_imag" : NULL, it->to}}};
    pass timed;
    gpu_times times;
    pass_open(self, &desc, 1, &timed);
    report_row row = {0};
    pass_declare(&timed, &row);
    must(gpu_time_run(&self->timer, &(gpu_work){record, next_frame, &timed}, self->samples, &times),
         "%s failed while it was measured", it->effect);
    figure out = {.us = times.median};
    snprintf(out.plan, sizeof out.plan, "%s", row.plan);
    if (former->us > 0 && former->us < out.us)
        out.us = former->us;
    pass_close(&timed);
    return out;
}

// Prints one line; false if `auto` misses the fastest way by more than `within` percent.
static bool judge(bench *self, const choice *it, const bench_size size[2], int within)
{
    figure figures[WAYS] = {{.us = 0}};
    char name[128], line[256] = "";
    int used = 0, best = 0, taken = 0;
    for (int round = 0; round < (self->report.names.software ? 1 : ROUNDS); round++)
        for (int i = 0; it->ways[i].name; i++)
            if (i == 0 || !it->takes || it->takes(&it->ways[i], size[0], size[1]))
                figures[i] = time_way(self, it, &it->ways[i], size, &figures[i]);
    for (int i = 0; it->ways[i].name; i++) {
        if (figures[i].us <= 0)
            continue;
        if (i > 0 && strcmp(figures[i].plan, figures[0].plan) == 0) {
            taken = i; // one plan: its figure is the lesser one
            figures[0].us = figures[i].us =
                figures[i].us < figures[0].us ? figures[i].us : figures[0].us;
        }
        if (figures[i].us < figures[best].us || (i > 0 && best == 0 && taken == i))
            best = i;
    }
    for (int i = 1; it->ways[i].name; i++)
        if (figures[i].us > 0)
            used += snprintf(line + used, sizeof line - (size_t)used, "  %s%s %.1f",
                             i == taken ? "*" : "", it->ways[i].name, figures[i].us);
    double beyond = 100 * (figures[0].us / figures[best].us - 1);
    bool good = beyond <= within;
    snprintf(name, sizeof name, "%s %dx%d", it->effect, size[0].width, size[0].height);
    if (size[1].width)
        snprintf(name + strlen(name), sizeof name - strlen(name), " to %dx%d", size[1].width,
                 size[1].height);
    printf("%-5s %-40s auto %8.1f us, %+5.1f %%  %s%s\n", good ? "ok" : "WRONG", name,
           figures[0].us, beyond, it->settings, line);
    fflush(stdout);
    return good;
}

// ---- the command -------------------------------------------------------------------------------

static const char *name_of(int index)
{
    return index < COUNT(choices) ? choices[index].effect : NULL;
}

static void take_effect(void *wanted, const char *name)
{
    flags_name(&((wishes *)wanted)->effect, "effect", name, name_of);
}

#define WISH(kind, member) FLAG_INTO(wishes, kind, member)
static const flag flags[] = {{"--within", "PERCENT",
                              "of the fastest way that auto may miss; default 5", WISH(INT, within),
                              .most = 1000},
                             {"--warm-up", "MS", "of work before each measurement; default 20",
                              WISH(INT, warm_up_ms), .least = 1, .most = 10000},
                             FLAG_DEVICE(wishes),
                             {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench auto",
    .usage = "[EFFECT] [options]",
    .help =
        "Times every way of effects with a choice, and what auto takes (marked *). Fails where\n"
        "another way is faster by more than the percentage.\n",
    .flags = flags,
    .input = take_effect};

void choices_main(int argc, char **argv)
{
    wishes wanted = {.within = 5, .warm_up_ms = 20};
    bench self = {0};
    flags_read(&description, argc, argv, &wanted);
    bench_open(&self, wanted.device);
    bench_device(&self, NULL, NULL);
    bench_timer(&self);
    self.timer.warm_up_us = wanted.warm_up_ms * 1e3;
    bool software = self.report.names.software;
    self.samples = software ? 1 : 20;
    self.cold_bytes = 1;
    report_print_names(&self.report.names);
    int wrong = 0, count = 0;
    for (int i = 0; i < COUNT(choices); i++) {
        const choice *it = &choices[i];
        if (wanted.effect && strcmp(wanted.effect, it->effect) != 0)
            continue;
        for (const bench_size *size = it->sizes; size->width; size += 2, count++) {
            bench_size cut[2] = {size[0], size[1]};
            for (int k = 0; software && k < 2; k++) { // its times mean nothing
                cut[k].width = (cut[k].width + 15) / 16;
                cut[k].height = (cut[k].height + 15) / 16;
            }
            wrong += !judge(&self, it, cut, wanted.within);
        }
    }
    bench_close(&self);
    printf("%d of %d jobs are done faster another way by more than %d %%\n", wrong, count,
           wanted.within);
    if (wrong && !software)
        stop(STATUS_FAILED, "auto is wrong on this device");
}
