// report.c - the figures of `afterglow-bench memory` and what they make of the rules: two tables,
// and JSON
// SPDX-License-Identifier: MIT
#include "memory.h"
#include "rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// "global stride 8"; NULL: not measured.
static const memory_result *find(const memory_bench *self, const char *key)
{
    for (int i = 0; i < self->count; i++) {
        char name[128];
        const memory_result *row = &self->results[i];
        snprintf(name, sizeof name, "%s %s %s", row->group, row->series, row->name);
        if (strcmp(name, key) == 0)
            return row;
    }
    return NULL;
}

// How many times slower it is to break the rule; NAN: not measured.
static double cost_of(const memory_bench *self, const memory_rule *rule)
{
    const memory_result *kept = find(self, rule->kept), *broken = find(self, rule->broken);
    return kept && broken ? kept->value / broken->value : (double)NAN;
}

static verdict judge(const memory_bench *self, const memory_rule *rule)
{
    return self->software ? VERDICT_UNKNOWN : verdict_of(rule->claimed, cost_of(self, rule));
}

// ---- terminal ----------------------------------------------------------------------------------

void memory_print(const memory_bench *self)
{
    report_print_names(&self->bench.report.names);
    if (self->software)
        puts("No rule is judged by them.");
    printf("\n%-44s %12s %-22s %10s %10s %9s\n", "figure", "value", "", "us", "p95", "checked");
    for (int i = 0; i < self->count; i++) {
        const memory_result *row = &self->results[i];
        char name[128], us[REPORT_CELL], p95[REPORT_CELL];
        snprintf(name, sizeof name, "%s %s %s", row->group, row->series, row->name);
        printf("%-44s %12.4g %-22s %10s %10s %9lld\n", name, row->value, row->unit,
               report_cell("%.1f", row->us, us), report_cell("%.1f", row->us_p95, p95),
               row->checked);
    }
    printf(
        "\nclaimed, measured: how many times slower it is to break the rule; 1: it costs nothing.\n"
        "%-34s %8s %9s %-8s %s\n",
        "rule", "claimed", "measured", "verdict", "the document says");
    for (const memory_rule *rule = memory_rules; rule->name; rule++) {
        char text[REPORT_CELL];
        printf("%-34s %8.3g %9s %-8s %s\n", rule->name, rule->claimed,
               report_cell("%.2f", cost_of(self, rule), text), verdict_text(judge(self, rule)),
               rule->text);
    }
}

// ---- JSON --------------------------------------------------------------------------------------

static void write_result(json *out, const memory_result *row)
{
    json_open_flat(out, NULL, '{');
    json_text(out, "group", row->group);
    json_text(out, "series", row->series);
    json_text(out, "name", row->name);
    json_number(out, "x", row->x);
    json_number(out, "value", row->value);
    json_text(out, "unit", row->unit);
    json_number(out, "us", row->us);
    json_number(out, "us_min", row->us_min);
    json_number(out, "us_p95", row->us_p95);
    json_int(out, "samples", row->samples);
    json_int(out, "checked", row->checked);
    json_close(out, '}');
}

static void write_rule(json *out, const memory_bench *self, const memory_rule *rule)
{
    json_open(out, NULL, '{');
    json_text(out, "rule", rule->name);
    json_text(out, "text", rule->text);
    json_number(out, "claimed", rule->claimed);
    json_text(out, "why", rule->why);
    json_text(out, "kept", rule->kept);
    json_text(out, "broken", rule->broken);
    json_number(out, "measured", cost_of(self, rule));
    json_text(out, "verdict", verdict_text(judge(self, rule)));
    json_close(out, '}');
}

static void write(json *out, const void *what)
{
    const memory_bench *self = what;
    json_open(out, NULL, '{');
    report_write_names(out, "memory", &self->bench.report.names);
    json_bool(out, "quick", self->quick);
    json_uint(out, "source_bytes", self->bytes);
    json_open(out, "figures", '[');
    for (int i = 0; i < self->count; i++)
        write_result(out, &self->results[i]);
    json_close(out, ']');
    json_open(out, "rules", '[');
    for (const memory_rule *rule = memory_rules; rule->name; rule++)
        write_rule(out, self, rule);
    json_close(out, ']');
    json_close(out, '}');
}

void memory_save(const memory_bench *self, const char *path)
{
    report_save(path, write, self);
}
