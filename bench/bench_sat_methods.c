// bench_sat_methods.c - the effect "sat" and every scan of "sat_ladder" side by side
// SPDX-License-Identifier: MIT
//
//   sat_methods  RGBA16F to RGBA32F at 512, 2048 and 4096 squared: a copy, then every method, each
//                with its dispatches, bytes, share of the copy's speed and error. Also as
//                `afterglow-bench sat --methods all`
//   sat_scans    only when named: tiles in shared memory with free places, without, swizzled; a
//                transpose without a tile; 1 to 32 subgroups a group; 1 to 32 columns a group;
//                subgroups and shared memory
//
// tests/ladder/test_sat_ladder.c checks results.
#include "baselines/copy_pair.h"
#include "cli/report.h"
#include "effects.h"
#include "sat_expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_size sizes[] = {{512, 512}, {2048, 2048}, {4096, 4096}};

static copy_pair pair_of(const char *of)
{
    return (copy_pair){of, "rgba16f to rgba32f", GL_RGBA16F, GL_RGBA32F};
}

typedef struct line { // of the table that ends a size
    char name[64];
    int launches;
    double us, megabytes, error;
} line;

typedef struct scan_variant {
    const char *method, *what, *settings;
    uint32_t without; // AG_WITHOUT_*
} scan_variant;

// `what` names a variant of the method: of its settings, or of what the device is without.
static int measure_method(bench *owner, int width, int height, const bench_effect *of,
                          const scan_variant *scan, expect_fn expect, line *out)
{
    bool tiles = strcmp(scan->method, "tiles") == 0;
    char settings[96];
    snprintf(settings, sizeof settings, "storage=float32%s%s %s",
             tiles ? "" : " method=", tiles ? "" : scan->method, scan->settings);
    snprintf(out->name, sizeof out->name, "%s%s%s", scan->method, *scan->what ? " " : "",
             scan->what);
    const effect_case by = {out->name,
                            settings,
                            .effect = tiles ? "sat" : "sat_ladder",
                            .ladder = !tiles,
                            .tuning = {.without = scan->without},
                            .to = GL_RGBA32F,
                            .expect = expect};
    int status = effect_measure(owner, of, &by, width, height, NULL);
    if (status != STATUS_OK)
        return status;
    const report_row *added = &owner->report.rows[owner->report.count - 1];
    out->launches = added->launches;
    out->us = added->times.hot.median;
    out->megabytes = (double)added->bytes * 1e-6;
    out->error = added->error.max_error;
    return STATUS_OK;
}

static void print_lines(const line *lines, int count, int width, int height, double copy_us)
{
    printf("\n%dx%d, RGBA16F to RGBA32F; a copy takes %.1f us\n%-36s %10s %6s %8s %10s %12s\n",
           width, height, copy_us, "method", "us", "steps", "MB", "% of copy", "error");
    for (int i = 0; i < count; i++)
        printf("%-36s %10.1f %6d %8.0f %10.1f %12.3g\n", lines[i].name, lines[i].us,
               lines[i].launches, lines[i].megabytes, 100 * copy_us / lines[i].us, lines[i].error);
    puts("");
}

static double last_time(const bench *owner)
{
    return owner->report.rows[owner->report.count - 1].times.hot.median;
}

static const char *const methods[] = {"hensley",       "hensley_radix4",      "hensley_radix16",
                                      "kogge_stone",   "ladner_fischer",      "blelloch",
                                      "segmented",     "scan_transpose_scan", "scanrow_brlt",
                                      "scanrowcolumn", "brlt_scanrow",        "lookback",
                                      "tiles"};
enum { METHODS = sizeof methods / sizeof *methods };

// The methods that the names in `list`, with commas between them, select (NULL: all), in their own
// order. Returns how many; -1: a name is of none.
static int select_methods(const char *list, const char *chosen[METHODS])
{
    bool wanted[METHODS] = {false};
    for (const char *name = list; name; name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL) {
        size_t length = strcspn(name, ",");
        int i = 0;
        while (i < METHODS && (strlen(methods[i]) != length || strncmp(methods[i], name, length)))
            ++i;
        if (i == METHODS)
            return -1;
        wanted[i] = true;
    }
    int count = 0;
    for (int i = 0; i < METHODS; ++i)
        if (!list || wanted[i])
            chosen[count++] = methods[i];
    return count;
}

static int measure_methods(bench *owner, int width, int height)
{
    const char *chosen[METHODS];
    int count = select_methods(owner->methods, chosen);
    if (count < 0)
        return fail(STATUS_USAGE, "--methods %s: expected all, tiles, or methods of sat_ladder",
                    owner->methods);
    line lines[METHODS];
    const copy_pair pair = pair_of("sat_methods");
    int status = copy_pair_bench(owner, width, height, &pair);
    double copy_us = status == STATUS_OK ? last_time(owner) : 0;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const scan_variant scan = {chosen[i], "", "", 0};
        status = measure_method(owner, width, height, &bench_sat_methods, &scan, sat_expected,
                                &lines[i]);
    }
    if (status == STATUS_OK)
        print_lines(lines, count, width, height, copy_us);
    return status;
}

static int measure_scans(bench *owner, int width, int height)
{
    static const scan_variant variants[] = {
        {"scan_transpose_scan", "padded", "tile=padded", 0},
        {"scan_transpose_scan", "unpadded", "tile=unpadded", 0},
        {"scan_transpose_scan", "swizzled", "tile=swizzled", 0},
        {"scan_transpose_scan", "direct", "tile=direct", 0},
        {"blelloch", "unpadded", "tile=unpadded", 0},
        {"scanrow_brlt", "unpadded", "tile=unpadded", 0},
        {"scanrow_brlt", "swizzled", "tile=swizzled", 0},
        {"scanrow_brlt", "subgroups=1", "subgroups=1", 0},
        {"scanrow_brlt", "subgroups=2", "subgroups=2", 0},
        {"scanrow_brlt", "subgroups=4", "subgroups=4", 0},
        {"scanrow_brlt", "subgroups=8", "subgroups=8", 0},
        {"scanrow_brlt", "subgroups=16", "subgroups=16", 0},
        {"scanrow_brlt", "subgroups=32", "subgroups=32", 0},
        {"scanrowcolumn", "subgroups=1", "subgroups=1", 0},
        {"scanrowcolumn", "subgroups=4", "subgroups=4", 0},
        {"scanrowcolumn", "subgroups=16", "subgroups=16", 0},
        {"scanrowcolumn", "subgroups=32", "subgroups=32", 0},
        {"kogge_stone", "columns=1", "columns=1", 0},
        {"kogge_stone", "columns=4", "columns=4", 0},
        {"kogge_stone", "columns=16", "columns=16", 0},
        {"lookback", "rows=32", "rows=32", 0},
        {"ladner_fischer", "without subgroups", "", AG_WITHOUT_SUBGROUPS},
    };
    line lines[COUNT(variants)];
    const copy_pair pair = pair_of("sat_scans");
    int status = copy_pair_bench(owner, width, height, &pair);
    double copy_us = status == STATUS_OK ? last_time(owner) : 0;
    for (int i = 0; i < COUNT(variants) && status == STATUS_OK; i++)
        status =
            measure_method(owner, width, height, &bench_sat_scans, &variants[i], NULL, &lines[i]);
    if (status == STATUS_OK)
        print_lines(lines, COUNT(variants), width, height, copy_us);
    return status;
}

const bench_effect bench_sat_methods = {"sat_methods",    .only_named = true,
                                        .sizes = sizes,   .size_count = COUNT(sizes),
                                        .quick_count = 2, .after = measure_methods};
const bench_effect bench_sat_scans = {"sat_scans",      .only_named = true,
                                      .sizes = sizes,   .size_count = COUNT(sizes),
                                      .quick_count = 2, .after = measure_scans};
