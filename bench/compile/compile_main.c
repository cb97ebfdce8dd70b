// compile_main.c - `afterglow-bench compile`: measures what the programs of common plans cost
// SPDX-License-Identifier: MIT
#include "cli/effect.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/words.h"
#include "compile.h"
#include "driver_cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_REPEATS,
    OPT_JSON,
    OPT_LIST,
    OPT_HEAR,
    OPT_TEXTS,
    OPT_SKIP,
    OPT_CACHE,
    OPT_THREADS,
    OPT_DEVICE,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_REPEATS] = {"--repeats", "N", "starts of each kind; medians are reported; default 3"},
    [OPT_JSON] = {"--json", "FILE", "also write the figures to FILE"},
    [OPT_LIST] = {"--list", "WAY",
                  "only list programs and texts, for a driver without (plain) or with (full)\n"
                  "                   subgroups; nothing is compiled"},
    [OPT_HEAR] = {"--hear", NULL,
                  "one start of each plan: what the driver's compiler says of each program\n"
                  "                   (Mesa: registers, waves, spills); other messages of GL fail"},
    [OPT_TEXTS] = {"--texts", "DIR", "write each program's text to DIR, as HASH.comp"},
    [OPT_SKIP] = {"--skip", "WORD",
                  "without plans whose effect or variant has WORD in its name; several times"},
    [OPT_CACHE] = {"--driver-cache", NULL,
                   "with the driver's own cache, which a cold start finds empty"},
    [OPT_THREADS] = {"--threads", "N",
                     "of the driver's compiler; default 0: it compiles in the call"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const command description = {.name = "afterglow-bench compile", // for messages
                                    .options = options,
                                    .option_count = OPT_COUNT};

enum { MAX_SKIPS = 8 };

typedef struct compile_options {
    const char *effect, *json;    // NULL: all; none
    const char *skips[MAX_SKIPS]; // words of plans that are left out; NULL after the last
    const char *list;             // NULL: measure
    bool hears;                   // what the driver says, in place of measuring
    int repeats;
    start_options start;
} compile_options;

void compile_help(void)
{
    puts("usage: afterglow-bench compile [EFFECT] [options]\n\n"
         "Measures what programs cost. For the common plans of each effect it lists the programs,\n"
         "the size of their texts, the times to compile and to link each, and how much longer its\n"
         "first dispatch takes. It also measures the time from device_create until the pass is\n"
         "prepared and until the first picture is done, with an empty and with a filled program\n"
         "cache. The driver's own cache and compiler threads are off unless asked for.\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s %s", options[i].name,
                 options[i].value ? options[i].value : "");
        printf("  %-16s %s\n", name, options[i].help);
    }
}

static int check_effect(const char *name)
{
    char known[256];
    words names = words_begin(known, sizeof known, " ");
    const char *last = "";
    for (const compile_plan *plan = compile_plans; plan->effect; plan++) {
        if (strcmp(plan->effect, name) == 0)
            return STATUS_OK;
        if (strcmp(plan->effect, last) != 0)
            words_add(&names, last = plan->effect);
    }
    return fail(STATUS_USAGE, "there are no plans of an effect %s; expected one of: %s", name,
                known);
}

static int add_skip(compile_options *out, const char *word)
{
    for (int i = 0; i < MAX_SKIPS; i++)
        if (!out->skips[i]) {
            out->skips[i] = word;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "--skip %s: more than %d of them", word, MAX_SKIPS);
}

static bool wants(const compile_options *wanted, const compile_plan *plan)
{
    for (int i = 0; i < MAX_SKIPS && wanted->skips[i]; i++)
        if (strstr(plan->effect, wanted->skips[i]) || strstr(plan->variant, wanted->skips[i]))
            return false;
    return !wanted->effect || strcmp(wanted->effect, plan->effect) == 0;
}

static int parse(int argc, char **argv, compile_options *out)
{
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        int status = STATUS_OK;
        switch (which) {
        case OPT_JSON: out->json = reader.value; break;
        case OPT_REPEATS:
            if (!parse_int(reader.value, 1, COMPILE_MAX_REPEATS, &out->repeats))
                status = fail(STATUS_USAGE, "--repeats %s: expected 1..%d", reader.value,
                              COMPILE_MAX_REPEATS);
            break;
        case OPT_LIST:
            out->list = reader.value;
            out->start.full = strcmp(reader.value, "full") == 0;
            if (!out->start.full && strcmp(reader.value, "plain") != 0)
                status = fail(STATUS_USAGE, "--list %s: expected plain or full", reader.value);
            break;
        case OPT_HEAR: out->hears = true; break;
        case OPT_TEXTS: out->start.texts = reader.value; break;
        case OPT_SKIP: status = add_skip(out, reader.value); break;
        case OPT_CACHE: out->start.driver_cache = true; break;
        case OPT_THREADS:
            if (!parse_int(reader.value, 0, 1000, &out->start.threads))
                status = fail(STATUS_USAGE, "--threads %s: expected a number", reader.value);
            break;
        case OPT_DEVICE:
            if (!parse_int(reader.value, 0, 1000, &out->start.device))
                status = fail(STATUS_USAGE, "--device %s: expected an index", reader.value);
            break;
        case OPTION_INPUT:
            if (out->effect)
                status = fail(STATUS_USAGE, "one effect at most, got %s too", reader.value);
            else
                status = check_effect(reader.value);
            out->effect = reader.value;
            break;
        default: return STATUS_USAGE;
        }
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// ---- medians -----------------------------------------------------------------------------------

// The median over all starts of the double at `offset` bytes.
static double middle(const start *starts, int count, size_t offset)
{
    double values[COMPILE_MAX_REPEATS];
    for (int i = 0; i < count; i++)
        memcpy(&values[i], (const char *)&starts[i] + offset, sizeof values[i]);
    return median_of(values, count);
}

static void middle_programs(compile_row *row, const start *cold, const start *apart, int count)
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

static void summarise(compile_row *row, const start *cold, const start *apart, const start *warm,
                      int count)
{
    double totals[COMPILE_MAX_REPEATS], rests[COMPILE_MAX_REPEATS];
    double warms[COMPILE_MAX_REPEATS], warm_pictures[COMPILE_MAX_REPEATS];
    row->cold = apart[0];
    for (int i = 0; i < count; i++) {
        totals[i] = cold[i].create_ms + cold[i].prepare_ms;
        rests[i] = totals[i] - cold[i].compile_ms - cold[i].link_ms;
        warms[i] = warm[i].create_ms + warm[i].prepare_ms;
        warm_pictures[i] = warm[i].picture_ms;
    }
    row->create_and_prepare_ms = median_of(totals, count);
    row->rest_ms = median_of(rests, count);
    // A driver without program binaries has no warm start.
    row->from_cache = warm[0].from_cache;
    row->warm_ms = median_of(warms, row->from_cache ? count : 0);
    row->warm_picture_ms = median_of(warm_pictures, row->from_cache ? count : 0);
    row->cold.driver_ms = middle(cold, count, offsetof(start, driver_ms));
    row->cold.create_ms = middle(cold, count, offsetof(start, create_ms));
    row->cold.prepare_ms = middle(cold, count, offsetof(start, prepare_ms));
    row->cold.compile_ms = middle(cold, count, offsetof(start, compile_ms));
    row->cold.link_ms = middle(cold, count, offsetof(start, link_ms));
    row->cold.picture_ms = middle(cold, count, offsetof(start, picture_ms));
    middle_programs(row, cold, apart, count);
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
static int show_plan(compile_report *report, const compile_plan *plan, const start_options *wanted)
{
    const double unknown = (double)NAN;
    const start *one = NULL;
    compile_row *row = malloc(sizeof *row);
    int status =
        row ? start_run(report->list ? START_LIST : START_HEAR, plan, wanted, &one) : fail_memory();
    if (status == STATUS_OK) {
        *row = (compile_row){plan, *one, unknown, unknown, unknown, unknown, 0};
        status = compile_report_add(report, row);
    }
    free(row);
    return status;
}

static int measure_plan(compile_report *report, const compile_plan *plan,
                        const start_options *wanted)
{
    enum { KINDS = START_WARM - START_COLD + 1 };
    int count = report->repeats, status = STATUS_OK;
    start *starts = calloc((size_t)(KINDS * count), sizeof *starts); // grouped by kind
    compile_row *row = calloc(1, sizeof *row);
    if (!starts || !row)
        status = fail_memory();
    start_forget();
    for (int i = 0; i < KINDS * count && status == STATUS_OK; i++) {
        start_kind kind = START_COLD + i % KINDS; // in turn, so that all run at the same clocks
        const start *one = NULL;
        if (kind == START_APART)
            start_forget();
        progress(plan->effect, i, KINDS * count);
        status = start_run(kind, plan, wanted, &one);
        if (status == STATUS_OK)
            starts[i % KINDS * count + i / KINDS] = *one;
    }
    for (int i = 1; i < 2 * count && status == STATUS_OK; i++)
        if (!same_programs(&starts[0], &starts[i]))
            status = fail(STATUS_FAILED, "%s %s: two starts compiled different programs",
                          plan->effect, plan->variant);
    if (status == STATUS_OK) {
        row->plan = plan;
        summarise(row, starts, starts + count, starts + 2 * count, count);
        progress_clear();
        status = compile_report_add(report, row);
    }
    free(row);
    free(starts);
    return status;
}

int compile_main(int argc, char **argv)
{
    compile_options wanted = {.repeats = 3};
    int status = parse(argc, argv, &wanted);
    if (status != STATUS_OK)
        return status;
    driver_cache_off(true); // before the first context; children inherit it
    const ag_api *api = effect_api();
    if (!api)
        return STATUS_FAILED;
    compile_report report = {.json = wanted.json,
                             .list = wanted.list,
                             .hears = wanted.hears,
                             .repeats = wanted.repeats,
                             .driver_cache = wanted.start.driver_cache,
                             .threads = wanted.start.threads,
                             .version = api->version};
    const start *asked = NULL;
    status = start_run(START_DEVICE, NULL, &wanted.start, &asked);
    if (status == STATUS_OK) {
        report.device = asked->device;
        status = compile_report_begin(&report);
    }
    for (const compile_plan *plan = compile_plans; plan->effect && status == STATUS_OK; plan++)
        if (wants(&wanted, plan))
            status = (wanted.list || wanted.hears ? show_plan : measure_plan)(&report, plan,
                                                                              &wanted.start);
    driver_cache_drop();
    compile_report_free(&report);
    return status;
}
