// choices.c - `afterglow-bench auto`: what `auto` takes of an effect, beside every other way
// SPDX-License-Identifier: MIT
//
// Each way of a job (cli/ways.h) is timed hot, in turn; its figure is the least of the medians,
// because other work on the machine only adds. `auto` is right if it makes the plan of the fastest
// way, or takes hardly longer. A job where it does not is measured again before it counts.
#include "bench.h"
#include "flags.h"
#include "subcommands.h"

#include "cli/file.h"
#include "cli/ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN = 3 };

typedef struct wishes {
    const char *effect, *tuning;
    int device, within, warm_up_ms; // percent
} wishes;

typedef struct comparison {
    const way *ways;
    way_pass passes[WAYS + 1]; // the first one is auto's
    int count, best, taken;    // `taken`: the way whose plan auto makes; 0: none
    double beyond;             // percent
} comparison;

static void must_all(int status)
{
    if (status != STATUS_OK)
        stop(STATUS_FAILED, "a way of an effect cannot be measured");
}

static void open_all(const ways_textures *on, const ag_tuning *tuning, comparison *out)
{
    const choice *of = on->of;
    must_all(way_pass_open(on, NULL, tuning, &out->passes[0]));
    out->count = 1;
    for (const way *it = out->ways; it->name; it++) {
        if (of->takes && !of->takes(it, &on->job))
            continue;
        way_pass *mine = &out->passes[out->count++];
        must_all(way_pass_open(on, it, tuning, mine));
        bool refused = of->rule == WAYS_COST && mine->bloom_plan != it->tuned[0].value;
        if (refused) { // it would not keep what auto promises, or does not fit
            way_pass_close(mine);
            out->count--;
            continue;
        }
        // Of several ways with one plan the first one is enough.
        for (int i = 1; i < out->count - 1; i++)
            if (out->passes[i].key == mine->key) {
                way_pass_close(mine);
                out->count--;
                break;
            }
    }
}

// Whoever makes auto's plan is auto.
static void compare(comparison *it)
{
    it->best = it->taken = 0;
    for (int i = 1; i < it->count; i++)
        if (it->passes[i].key == it->passes[0].key)
            it->taken = i;
    if (it->taken) {
        way_pass *same = &it->passes[it->taken];
        double us = same->us < it->passes[0].us ? same->us : it->passes[0].us;
        same->us = it->passes[0].us = us;
    }
    for (int i = 1; i < it->count; i++)
        if (it->passes[i].us < it->passes[it->best].us)
            it->best = i;
    it->beyond = 100 * (it->passes[0].us / it->passes[it->best].us - 1);
}

static void print(const choice *of, const way_job *job, const comparison *it, bool good)
{
    char name[128], line[512] = "";
    int used = 0;
    for (int i = 1; i < it->count; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, "  %s%s %.1f",
                         i == it->taken ? "*" : "", it->passes[i].by->name, it->passes[i].us);
    int length = snprintf(name, sizeof name, "%s %s %dx%d", of->effect, job->format, job->width,
                          job->height);
    if (job->to_width)
        snprintf(name + length, sizeof name - (size_t)length, " to %dx%d", job->to_width,
                 job->to_height);
    if (job->kernel)
        snprintf(name + length, sizeof name - (size_t)length, " by %dx%d", job->kernel,
                 job->kernel);
    printf("%-5s %-44s auto %8.1f us, %+5.1f %%  %s%s\n", good ? "ok" : "WRONG", name,
           it->passes[0].us, it->beyond, of->settings ? of->settings : "", line);
    fflush(stdout);
}

// Prints one line; false if `auto` misses the fastest way by more than `within` percent.
static bool judge(ways_bench *on, const choice *of, const way_job *job, int within)
{
    const ag_tuning tuning = *ag_device_tuning(on->device);
    ways_textures textures;
    comparison it = {0};
    way made[3];
    it.ways = choice_ways(of, made);
    must_all(ways_open(on, of, job, &textures));
    open_all(&textures, &tuning, &it);
    for (int i = 0; i < it.count; i++)
        must_all(way_pass_measure(&it.passes[i]));
    compare(&it);
    for (int round = 0; round < AGAIN && it.beyond > within && on->divisor == 1; round++) {
        must_all(way_pass_measure(&it.passes[it.best]));
        must_all(way_pass_measure(&it.passes[0]));
        compare(&it);
    }
    bool good = it.beyond <= within;
    print(of, &textures.job, &it, good);
    for (int i = 0; i < it.count; i++)
        way_pass_close(&it.passes[i]);
    ways_close(&textures);
    return good;
}

// ---- the command -------------------------------------------------------------------------------

static const char *name_of(int index)
{
    return index < 0 ? NULL : choices[index].effect;
}

static void take_effect(void *wanted, const char *name)
{
    flags_name(&((wishes *)wanted)->effect, "effect", name, name_of);
}

#define WISH(kind, member) FLAG_INTO(wishes, kind, member)
static const flag flags[] = {
    {"--within", "PERCENT", "of the fastest way that auto may miss; default 5", WISH(INT, within),
     .most = 1000},
    {"--warm-up", "MS", "of work before each measurement; default 20", WISH(INT, warm_up_ms),
     .least = 1, .most = 10000},
    {"--tuning", "FILE", "what `afterglow tune` wrote on this GPU", WISH(TEXT, tuning)},
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

// A device with the text of this file; `path` NULL: with none.
static void open_device(bench *self, const char *path)
{
    unsigned char *data = NULL;
    size_t size = 0;
    if (path && file_read(path, &data, &size) != STATUS_OK)
        stop(STATUS_FAILED, "%s cannot be read", path);
    char *text = need_memory(size + 1); // zeroed
    memcpy(text, data ? data : (unsigned char *)"", size);
    const ag_device_desc desc = {.struct_size = sizeof desc, .tuning = path ? text : NULL};
    bench_device(self, &desc, NULL);
    free(text);
    free(data);
}

void choices_main(int argc, char **argv)
{
    wishes wanted = {.within = 5, .warm_up_ms = 20};
    bench self = {0};
    flags_read(&description, argc, argv, &wanted);
    bench_open(&self, wanted.device);
    open_device(&self, wanted.tuning);
    bench_timer(&self);
    self.timer.warm_up_us = wanted.warm_up_ms * 1e3;
    bool software = self.report.names.software;
    ways_bench ways = {.api = self.api,
                       .gl = &self.gpu.gl,
                       .device = self.device,
                       .timer = &self.timer,
                       .samples = software ? 1 : 9,
                       .divisor = software ? 16 : 1}; // its times mean nothing
    report_print_names(&self.report.names);
    int wrong = 0, count = 0;
    for (const choice *it = choices; it->effect; it++)
        for (const way_job *job = it->jobs; job->width; job++) {
            if (wanted.effect && strcmp(wanted.effect, it->effect) != 0)
                continue;
            wrong += !judge(&ways, it, job, wanted.within);
            count++;
        }
    bench_close(&self);
    printf("%d of %d jobs are done faster another way by more than %d %%\n", wrong, count,
           wanted.within);
    if (wrong && !software)
        stop(STATUS_FAILED, "auto is wrong on this device");
}
