// cli/tune_choose.c - where each effect's `auto` should change over on this GPU
// SPDX-License-Identifier: MIT
#include "report.h"
#include "tune.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 12, NEVER = 1, ALWAYS = 1 << 24 };

typedef struct point { // a job that either way could do
    tune_case job;
    int at; // what decides: taps, pairs, texels, tiles
} point;

typedef struct choice {
    const char *name;
    int32_t *place;     // in `chosen`
    int usual;          // the module's own figure
    point points[MOST]; // ascending
    int count;
    // The two ways: by a setting each, or by the tuning's own figure.
    const char *settings[2]; // NULL: by `place`
} choice;

static int time_way(tune *self, const choice *it, int which, int way, double *us, uint64_t *key)
{
    ag_tuning tuning = self->chosen;
    tune_case job = it->points[which].job;
    if (it->settings[way]) {
        job.settings[0] = it->settings[way];
    } else {
        ptrdiff_t offset = (const char *)it->place - (const char *)&self->chosen;
        int32_t most = way == 0 ? ALWAYS : NEVER;
        memcpy((char *)&tuning + offset, &most, sizeof most);
    }
    return tune_time(self, &job, &tuning, us, key);
}

static int choose(tune *self, const choice *it)
{
    int at[MOST];
    double before[MOST], after[MOST];
    bool matters = false;
    for (int i = 0; i < it->count; i++) {
        progress(it->name, i, it->count);
        if (!tune_has_time(self)) {
            self->skipped++;
            return STATUS_OK;
        }
        at[i] = it->points[i].at;
        uint64_t keys[2];
        int status = time_way(self, it, i, 0, &before[i], &keys[0]);
        if (status == STATUS_OK)
            status = time_way(self, it, i, 1, &after[i], &keys[1]);
        if (status != STATUS_OK)
            return status;
        if (keys[0] == keys[1]) // one plan: what differs is chance
            before[i] = after[i] = (before[i] + after[i]) / 2;
        matters |= keys[0] != keys[1];
    }
    progress_clear();
    if (!matters) { // this context has no other way
        fprintf(stderr, "%-28s %8s\n", it->name, "no choice");
        return STATUS_OK;
    }
    *it->place = cost_change_over(at, before, after, it->count, it->usual);
    fprintf(stderr, "%-28s %8d (was %d):", it->name, (int)*it->place, it->usual);
    for (int i = 0; i < it->count; i++)
        fprintf(stderr, "  %d: %.1f | %.1f us", at[i], before[i], after[i]);
    fputc('\n', stderr);
    return STATUS_OK;
}

static int choose_direct(tune *self)
{
    static const struct {
        const char *name, *setting;
        int usual;
    } borders[] = {{"convolve.direct_taps.zero", "border=zero", 9},
                   {"convolve.direct_taps.clamp", "border=clamp", 25},
                   {"convolve.direct_taps.mirror", "border=mirror", 16},
                   {"convolve.direct_taps.wrap", "border=wrap", 9}};
    int status = STATUS_OK;
    for (int border = 0; border < 4 && status == STATUS_OK; border++) {
        choice it = {.name = borders[border].name,
                     .place = &self->chosen.direct_taps[border],
                     .usual = borders[border].usual,
                     .settings = {"method=direct", "method=fft"}};
        for (int size = 3; size <= (self->software ? 3 : 9); size += size < 5 ? 1 : 2, it.count++)
            it.points[it.count] = (point){{.effect = "convolve",
                                           .settings = {NULL, borders[border].setting},
                                           .format = "rgba16f",
                                           .width = 1920,
                                           .height = 1080,
                                           .kernel_width = size,
                                           .kernel_height = size},
                                          size * size};
        status = choose(self, &it);
    }
    return status;
}

static int choose_per_channel(tune *self)
{
    static const int heights[] = {256, 360, 512, 720, 1080};
    choice it = {.name = "fft.per_channel_pairs",
                 .place = &self->chosen.per_channel_pairs,
                 .usual = 300};
    for (int i = 0; i < 5; i++, it.count++)
        it.points[i] = (point){{.effect = "convolve",
                                .settings = {"method=fft"},
                                .format = "rgba16f",
                                .width = heights[i] * 16 / 9,
                                .height = heights[i],
                                .kernel_width = 63,
                                .kernel_height = 63},
                               heights[i] / 2};
    return choose(self, &it);
}

static int choose_folded(tune *self)
{
    static const int sizes[] = {512, 1024, 1536, 2048, 3072};
    choice it = {.name = "sat.folded_tiles", .place = &self->chosen.folded_tiles, .usual = 1024};
    for (int i = 0; i < 5; i++, it.count++)
        it.points[i] = (point){{.effect = "sat",
                                .format = "rgba16f",
                                .target = "rgba32f",
                                .width = sizes[i],
                                .height = sizes[i],
                                .settings = {"storage=float32"}},
                               sizes[i] / 32 * (sizes[i] / 32)};
    return choose(self, &it);
}

// Which way a blur reads its table: the fastest over two sizes and kinds of radius.
static int choose_tables(tune *self)
{
    static const char *const names[] = {[AG_TABLES_IMAGE] = "image",
                                        [AG_TABLES_TEXTURE] = "texture",
                                        [AG_TABLES_BUFFER] = "buffer"};
    double product[4] = {1, 1, 1, 1};
    int best = AG_TABLES_BUFFER;
    for (int i = 0; i < 2; i++)
        for (int32_t way = AG_TABLES_IMAGE; way <= AG_TABLES_BUFFER; way++) {
            progress("box.tables", 3 * i + way - 1, 6);
            if (!tune_has_time(self)) {
                self->skipped++;
                return STATUS_OK;
            }
            const tune_case job = {.effect = "box_blur",
                                   .settings = {i ? "radius=24.5" : "radius=24"},
                                   .format = "rgba16f",
                                   .width = i ? 3840 : 1920,
                                   .height = i ? 2160 : 1080};
            ag_tuning tuning = self->chosen;
            double us = 0;
            uint64_t key;
            tuning.tables = way;
            int status = tune_time(self, &job, &tuning, &us, &key);
            if (status != STATUS_OK)
                return status;
            product[way] *= us;
        }
    for (int way = AG_TABLES_IMAGE; way < AG_TABLES_BUFFER; way++)
        if (product[way] < 0.98 * product[best]) // two factors of 1 % each
            best = way;
    progress_clear();
    self->chosen.tables = best;
    fprintf(stderr, "%-28s %8s (was buffer)\n", "box.tables", names[best]);
    return STATUS_OK;
}

// Sizes and effects that no choice has timed, so that the rates of every effect are of small and
// large frames.
static int time_others(tune *self)
{
    static const tune_case jobs[] = {
        {.effect = "bloom", .format = "rgba16f", .width = 1280, .height = 720},
        {.effect = "bloom", .format = "rgba16f", .width = 1920, .height = 1080},
        {.effect = "bloom", .format = "rgba16f", .width = 2560, .height = 1440},
        {.effect = "bloom", .format = "rgba16f", .width = 3840, .height = 2160},
        {.effect = "convolve",
         .format = "rgba16f",
         .width = 512,
         .height = 512,
         .kernel_width = 255,
         .kernel_height = 255},
        {.effect = "convolve",
         .format = "rgba16f",
         .width = 2048,
         .height = 2048,
         .kernel_width = 511,
         .kernel_height = 511},
        {.effect = "sat", .format = "r32f", .target = "r32f", .width = 1920, .height = 1080},
        {.effect = "sat",
         .format = "rgba16f",
         .target = "rgba32f",
         .width = 3840,
         .height = 2160,
         .settings = {"storage=float32"}}, // `auto` takes integers at this size
        {.effect = "mipchain", .format = "rgba8", .width = 4096, .height = 4096, .levels = true},
        {.effect = "mipchain", .format = "rgba16f", .width = 1920, .height = 1080, .levels = true},
    };
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs && status == STATUS_OK; i++) {
        double us;
        uint64_t key;
        progress("rates", (int)i, (int)(sizeof jobs / sizeof *jobs));
        if (tune_has_time(self))
            status = tune_time(self, &jobs[i], &self->chosen, &us, &key);
    }
    progress_clear();
    return status;
}

int tune_choose(tune *self)
{
    int (*const parts[])(tune *) = {time_others, choose_direct, choose_per_channel, choose_folded,
                                    choose_tables};
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == STATUS_OK; i++)
        status = parts[i](self);
    return status;
}
