// compile_main.c - `afterglow-bench compile`: measures what the programs of common plans cost
// SPDX-License-Identifier: MIT
#include "compile.h"
#include "subcommands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(int index)
{
    return compile_plans[index].job.effect;
}

static void take_effect(void *wishes, const char *name)
{
    flags_name(&((compile_wishes *)wishes)->effect, "effect with plans", name, name_of);
}

#define WISH(kind, member) FLAG_INTO(compile_wishes, kind, member)
static const flag flags[] = {
    {"--repeats", "N", "starts of each kind; medians are reported; default 3", WISH(INT, repeats),
     .least = 1, .most = COMPILE_MAX_REPEATS},
    FLAG_JSON(compile_wishes),
    {"--list", "WAY",
     "only list programs and texts, for a driver without (plain) or with (full)\n"
     "                     subgroups; nothing is compiled",
     WISH(TEXT, list)},
    {"--hear", NULL,
     "one start of each plan: what the driver's compiler says of each program\n"
     "                     (Mesa: registers, waves, spills); other messages of GL fail",
     WISH(SET, hears)},
    {"--texts", "DIR", "write each program's text to DIR, as HASH.comp", WISH(TEXT, texts)},
    {"--skip", "WORD", "without plans whose effect or variant has WORD in its name; several times",
     WISH(WORDS, skips)},
    {"--driver-cache", NULL, "with the driver's own cache, which a cold start finds empty",
     WISH(SET, driver_cache)},
    {"--threads", "N", "of the driver's compiler; default 0: it compiles in the call",
     WISH(INT, threads), .most = 1000},
    FLAG_DEVICE(compile_wishes),
    {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench compile",
    .usage = "[EFFECT] [options]",
    .help =
        "Measures what programs cost. For the common plans of each effect it lists the programs,\n"
        "the size of their texts, the times to compile and to link each, and how much longer its\n"
        "first dispatch takes. It also measures the time from device_create until the pass is\n"
        "prepared and until the first picture is done, with an empty and with a filled program\n"
        "cache. The driver's own cache and compiler threads are off unless asked for.\n",
    .flags = flags,
    .input = take_effect};

static bool wants(const compile_wishes *wanted, const compile_plan *plan)
{
    for (int i = 0; i < FLAGS_WORDS && wanted->skips[i]; i++)
        if (strstr(plan->job.effect, wanted->skips[i]) || strstr(plan->variant, wanted->skips[i]))
            return false;
    return !wanted->effect || strcmp(wanted->effect, plan->job.effect) == 0;
}

// ---- medians -----------------------------------------------------------------------------------

// The median over all starts of the double at `offset` bytes.
static double middle(const start *starts, int count, size_t offset)
{
    double values[COMPILE_MAX_REPEATS];
    for (int i = 0; i < count; i++)
        memcpy(&values[i], (const char *)&starts[i] + offset, sizeof values[i]);
    return bench_median(values, count);
}

static void summarise(compile_row *row, const start *cold, const start *apart, const start *warm,
                      int count)
{
    static const size_t times[] = {offsetof(start, driver_ms),  offsetof(start, create_ms),
                                   offsetof(start, prepare_ms), offsetof(start, compile_ms),
                                   offsetof(start, link_ms),    offsetof(start, total_ms),
                                   offsetof(start, rest_ms),    offsetof(start, picture_ms)};
    row->cold = apart[0];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double median = middle(cold, count, times[i]);
        memcpy((char *)&row->cold + times[i], &median, sizeof median);
    }
    // A driver without program binaries has no warm start.
    row->from_cache = warm[0].from_cache;
    count = row->from_cache ? count : 0;
    row->warm_ms = middle(warm, count, offsetof(start, total_ms));
    row->warm_picture_ms = middle(warm, count, offsetof(start, picture_ms));
}

static void summarise_programs(compile_row *row, const start *cold, const start *apart, int count)
{
    for (int p = 0; p < row->cold.count; p++) {
        heard_program *out = &row->cold.programs[p];
        size_t at = offsetof(start, programs) + (size_t)p * sizeof *out;
        out->compile_ms = middle(cold, count, at + offsetof(heard_program, compile_ms));
        out->link_ms = middle(cold, count, at + offsetof(heard_program, link_ms));
        out->first_ms = middle(apart, count, at + offsetof(heard_program, first_ms));
        out->again_ms = middle(apart, count, at + offsetof(heard_program, again_ms));
    }
}

// Medians compare programs by index, so their order must be the same in every start.
static bool same_programs(const start *a, const start *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = a->programs[i].hash == b->programs[i].hash;
    return same;
}

// ---- the run ---------------------------------------------------------------------------------

// One start, of which no times are reported but those of compiling and linking.
static void show_plan(compile_report *to, const compile_plan *plan)
{
    const double unknown = (double)NAN;
    compile_row *row = need_memory(sizeof *row);
    const start *one = start_run(to->wanted->list ? START_LIST : START_HEAR, plan, to->wanted);
    *row = (compile_row){plan, *one, unknown, unknown, 0};
    row->cold.total_ms = row->cold.rest_ms = unknown;
    compile_report_add(to, row);
    free(row);
}

static void measure_plan(compile_report *to, const compile_plan *plan)
{
    enum { KINDS = START_WARM - START_COLD + 1 };
    int count = to->wanted->repeats;
    start *starts = need_memory((size_t)(KINDS * count) * sizeof *starts); // grouped by kind
    compile_row *row = need_memory(sizeof *row);
    start_forget();
    for (int i = 0; i < KINDS * count; i++) {
        start_kind kind = START_COLD + i % KINDS; // in turn, so that all run at the same clocks
        if (kind == START_APART)
            start_forget();
        progress(plan->job.effect, i, KINDS * count);
        starts[i % KINDS * count + i / KINDS] = *start_run(kind, plan, to->wanted);
    }
    for (int i = 1; i < 2 * count; i++)
        must(same_programs(&starts[0], &starts[i]), "%s %s: two starts compiled different programs",
             plan->job.effect, plan->variant);
    row->plan = plan;
    summarise(row, starts, starts + count, starts + 2 * count, count);
    summarise_programs(row, starts, starts + count, count);
    progress_clear();
    compile_report_add(to, row);
    free(row);
    free(starts);
}

void compile_main(int argc, char **argv)
{
    compile_wishes wanted = {.repeats = 3};
    compile_report all = {.wanted = &wanted};
    flags_read(&description, argc, argv, &wanted);
    if (wanted.list && strcmp(wanted.list, "plain") != 0 && strcmp(wanted.list, "full") != 0)
        stop(STATUS_USAGE, "--list %s: expected plain or full", wanted.list);
    driver_cache_off(true); // before the first context; children inherit it
    all.names = start_run(START_DEVICE, NULL, &wanted)->names;
    compile_report_begin(&all);
    for (const compile_plan *plan = compile_plans; plan->variant; plan++)
        if (wants(&wanted, plan))
            (wanted.list || wanted.hears ? show_plan : measure_plan)(&all, plan);
    driver_cache_drop();
    compile_report_free(&all);
}
