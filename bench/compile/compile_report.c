// compile_report.c - the costs of programs: a table on the terminal, and JSON
// SPDX-License-Identifier: MIT
#include "compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sums { // over the programs of a plan
    size_t bytes;
    long long lines, assembly; // assembly: -1 if it is unknown for any program
} sums;

static sums sum_of(const compile_row *row)
{
    sums out = {0};
    for (int i = 0; i < row->cold.count; i++) {
        const heard_program *p = &row->cold.programs[i];
        out.bytes += p->text_bytes;
        out.lines += p->text_lines;
        out.assembly =
            out.assembly < 0 || p->assembly_lines < 0 ? -1 : out.assembly + p->assembly_lines;
    }
    return out;
}

// ---- terminal ----------------------------------------------------------------------------------

static void print_head(const compile_report *target)
{
    const compile_wishes *wanted = target->wanted;
    report_print_names(&target->names);
    if (wanted->list)
        printf("\nlist for a driver of the kind \"%s\"; nothing is compiled\n\n", wanted->list);
    else if (wanted->hears)
        puts(
            "\none start of each plan; below each program what the driver's compiler says of it\n");
    else
        printf(
            "\nmedians of %d starts of each kind, in ms, each in a process of its own; the\n"
            "driver's cache is %s, its compiler threads %d\n"
            "cold = device_create + prepare = compiles + links + rest; picture = until the first\n"
            "one is done; warm = the same with programs from the plugin's cache; first use = how\n"
            "much longer a program's first dispatch takes than its later ones\n\n",
            wanted->repeats, wanted->driver_cache ? "on" : "off", wanted->threads);
    printf("%-33s %9s %4s %8s %6s %8s %8s %8s %9s %7s %8s %8s %8s %8s\n", "plan", "size", "prog",
           "bytes", "lines", "assembly", "compile", "link", "first use", "rest", "cold", "picture",
           "warm", "picture");
}

static const char *count_text(long long value, char out[REPORT_CELL])
{
    if (value < 0)
        snprintf(out, REPORT_CELL, "-");
    else
        snprintf(out, REPORT_CELL, "%lld", value);
    return out;
}

static double first_use(const heard_program *p)
{
    return p->first_ms - p->again_ms; // NaN if either is NaN
}

static void print_row(const compile_row *row)
{
    const compile_plan *plan = row->plan;
    const start *cold = &row->cold;
    sums all = sum_of(row);
    char name[64], size[32], text[8][REPORT_CELL];
    snprintf(name, sizeof name, "%s %s", plan->job.effect, plan->variant);
    snprintf(size, sizeof size, "%dx%d", plan->job.width, plan->job.height);
    printf("%-33s %9s %4d %8zu %6lld %8s %8s %8s %9s %7s %8s %8s %8s %8s\n", name, size,
           cold->count, all.bytes, all.lines, count_text(all.assembly, text[0]),
           report_cell("%.1f", cold->compile_ms, text[1]),
           report_cell("%.1f", cold->link_ms, text[2]), "",
           report_cell("%.1f", cold->rest_ms, text[3]),
           report_cell("%.1f", cold->total_ms, text[4]),
           report_cell("%.1f", cold->picture_ms, text[5]),
           report_cell("%.1f", row->warm_ms, text[6]),
           report_cell("%.1f", row->warm_picture_ms, text[7]));
    for (int i = 0; i < cold->count; i++) {
        const heard_program *p = &cold->programs[i];
        printf("  %-46s %8zu %6d %8s %8s %8s %9s\n", p->path, p->text_bytes, p->text_lines,
               count_text(p->assembly_lines, text[0]), report_cell("%.1f", p->compile_ms, text[1]),
               report_cell("%.1f", p->link_ms, text[2]),
               report_cell("%.1f", first_use(p), text[3]));
        for (const char *line = p->says; *line; line += *line == '\n') {
            printf("    %.*s\n", (int)strcspn(line, "\n"), line);
            line += strcspn(line, "\n");
        }
    }
    fflush(stdout);
}

// ---- JSON --------------------------------------------------------------------------------------

// null for an unknown value: a zero would look like a result.
static void write_count(json *out, const char *key, long long value)
{
    if (value < 0)
        json_number(out, key, (double)NAN);
    else
        json_int(out, key, value);
}

static void write_program(json *out, const heard_program *p)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)p->hash);
    json_open(out, NULL, '{');
    json_text(out, "path", p->path);
    json_text(out, "defines", p->defines);
    json_text(out, "text", hash);
    json_uint(out, "text_bytes", p->text_bytes);
    json_int(out, "text_lines", p->text_lines);
    write_count(out, "assembly_lines", p->assembly_lines);
    json_number(out, "compile_ms", p->compile_ms);
    json_number(out, "link_ms", p->link_ms);
    json_number(out, "first_dispatch_ms", p->first_ms);
    json_number(out, "dispatch_ms", p->again_ms);
    json_number(out, "first_use_ms", first_use(p));
    json_bool(out, "executed", p->executed);
    json_text(out, "driver_says", p->says);
    json_close(out, '}');
}

static void write_row(json *out, const compile_row *row)
{
    const start *cold = &row->cold;
    sums all = sum_of(row);
    json_open(out, NULL, '{');
    json_text(out, "effect", row->plan->job.effect);
    json_text(out, "subject", "afterglow");
    json_text(out, "variant", row->plan->variant);
    json_int(out, "width", row->plan->job.width);
    json_int(out, "height", row->plan->job.height);
    json_text(out, "plan", cold->plan);
    json_int(out, "program_count", cold->count);
    json_uint(out, "text_bytes", all.bytes);
    json_int(out, "text_lines", all.lines);
    write_count(out, "assembly_lines", all.assembly);
    json_open_flat(out, "cold_ms", '{');
    json_number(out, "total", cold->total_ms);
    json_number(out, "compile", cold->compile_ms);
    json_number(out, "link", cold->link_ms);
    json_number(out, "rest", cold->rest_ms);
    json_number(out, "create", cold->create_ms);
    json_number(out, "prepare", cold->prepare_ms);
    json_number(out, "picture", cold->picture_ms);
    json_close(out, '}');
    json_open_flat(out, "warm_ms", '{');
    json_number(out, "total", row->warm_ms);
    json_number(out, "picture", row->warm_picture_ms);
    json_int(out, "programs_from_cache", row->from_cache);
    json_close(out, '}');
    json_number(out, "driver_first_program_ms", cold->driver_ms);
    json_open(out, "programs", '[');
    for (int i = 0; i < cold->count; i++)
        write_program(out, &cold->programs[i]);
    json_close(out, ']');
    json_close(out, '}');
}

static void write_report(json *out, const void *what)
{
    const compile_report *source = what;
    json_open(out, NULL, '{');
    const compile_wishes *wanted = source->wanted;
    report_write_names(out, "compile", &source->names);
    if (wanted->list)
        json_text(out, "list", wanted->list);
    json_int(out, "repeats", wanted->repeats);
    if (wanted->driver_cache)
        json_bool(out, "driver_cache", true);
    if (wanted->threads)
        json_int(out, "threads", wanted->threads);
    json_open(out, "rows", '[');
    for (int i = 0; i < source->count; i++)
        write_row(out, &source->rows[i]);
    json_close(out, ']');
    json_close(out, '}');
}

// ---- rows --------------------------------------------------------------------------------------

void compile_report_begin(const compile_report *target)
{
    print_head(target);
    report_save(target->wanted->json, write_report, target);
}

void compile_report_add(compile_report *target, const compile_row *row)
{
    compile_row *grown = realloc(target->rows, (size_t)(target->count + 1) * sizeof *grown);
    must(grown, "out of memory");
    target->rows = grown;
    target->rows[target->count++] = *row;
    print_row(row);
    report_save(target->wanted->json, write_report, target);
}

void compile_report_free(compile_report *target)
{
    free(target->rows);
    *target = (compile_report){0};
}
