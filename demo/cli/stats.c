// cli/stats.c - times of the steps of passes as a table, CSV or JSON
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "stats.h"

#include "file.h"
#include "json.h"
#include "report.h"
#include "words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The smallest sample that `percent` % of the samples do not exceed.
static double percentile(const double *sorted, size_t count, size_t percent)
{
    return sorted[(percent * count + 99) / 100 - 1];
}

// Sorts the samples. `first`: of the first use.
static stats_times summarize(double *samples, size_t count, double first)
{
    stats_times times = {.first = first};
    if (count == 0)
        return times;
    times.last = samples[count - 1];
    qsort(samples, count, sizeof *samples, compare_doubles);
    for (size_t i = 0; i < count; i++)
        times.mean += samples[i] / (double)count;
    times.min = samples[0];
    times.median = percentile(samples, count, 50);
    times.p95 = percentile(samples, count, 95);
    times.p99 = percentile(samples, count, 99);
    return times;
}

// What belongs to the row of a step, of one pass or from the first of several to the last: the
// intervals of all frames on the GPU, or on the CPU. Returns how many.
static size_t gather(const session_pass *first, const session_pass *last, uint32_t step,
                     bool of_gpu, int frames, double *samples)
{
    const session *source = first->work->owner;
    uint64_t *begins = calloc((size_t)frames + 1, sizeof *begins);
    size_t count = 0;
    for (size_t i = 0; i < source->span_count && begins; i++) {
        const session_span *span = &source->spans[i];
        if (span->step != step || span->frame > (uint64_t)frames)
            continue;
        if (span->pass == first->work->pass)
            begins[span->frame] = of_gpu ? span->gpu_begin : span->cpu_begin;
        if (span->pass == last->work->pass && begins[span->frame])
            samples[count++] =
                (double)((of_gpu ? span->gpu_end : span->cpu_end) - begins[span->frame]);
    }
    free(begins);
    return count;
}

static void fill_row(stats_row *row, const session_pass *first, const session_pass *last,
                     uint32_t step, int frames, double *samples)
{
    double gpu_first = 0, cpu_first = 0; // the module has the first use, which was in the warm-up
    for (const session_pass *at = first; at <= last; at++) {
        ag_stats module = {.struct_size = sizeof module};
        at->work->api->stats(at->work->pass, step, &module);
        gpu_first += module.gpu_first;
        cpu_first += module.cpu_first;
    }
    row->samples = gather(first, last, step, true, frames, samples);
    row->gpu = summarize(samples, row->samples, gpu_first);
    row->cpu = summarize(samples, gather(first, last, step, false, frames, samples), cpu_first);
    row->gb_per_s = row->gpu.median > 0 ? (double)row->bytes / row->gpu.median : 0; // bytes per ns
}

const ag_step *stats_plan_step(const ag_plan *plan, uint32_t index)
{
    return (const void *)((const char *)plan->steps + (size_t)index * plan->step_stride);
}

static void name_row(stats_row *row, const char *effect, const char *step)
{
    snprintf(row->name, sizeof row->name, "%s%s%s", effect, *effect && *step ? "." : "", step);
}

// The rows of a pass, `effect` before their names. Returns the one behind.
static stats_row *fill_pass(stats_row *row, const session_pass *pass, const char *effect,
                            int frames, double *samples)
{
    const ag_plan *plan = pass->plan;
    stats_row *whole = row + plan->step_count;
    name_row(whole, effect, *effect ? "" : "whole pass");
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step = stats_plan_step(plan, i);
        name_row(&row[i], effect, step->name);
        row[i].dispatches = step->dispatches;
        row[i].bytes = step->bytes;
        whole->dispatches += step->dispatches;
        whole->bytes += step->bytes;
        fill_row(&row[i], pass, pass, i, frames, samples);
    }
    fill_row(whole, pass, pass, AG_WHOLE_PASS, frames, samples);
    if (plan->step_count == 1) { // a single step has the times of the pass
        row[0] = *whole;
        name_row(&row[0], effect, stats_plan_step(plan, 0)->name);
    }
    return whole + 1;
}

int stats_create(const session_pass *passes, int count, int frames, double copy_gb_s, stats *out)
{
    const session *source = passes->work;
    bool chain = count > 1;
    *out = (stats){.frames = frames, .row_count = chain, .copy_gb_s = copy_gb_s};
    words names = words_begin(out->effect, sizeof out->effect, " + ");
    for (int i = 0; i < count; i++) {
        ag_stats module = {.struct_size = sizeof module};
        source->api->stats(passes[i].work->pass, AG_WHOLE_PASS, &module);
        out->dropped += module.dropped;
        out->cpu_prepare_ns += module.cpu_prepare;
        out->row_count += passes[i].plan->step_count + 1u;
        words_add(&names, passes[i].effect);
    }
    out->renderer = (const char *)source->gpu.gl.GetString(GL_RENDERER);
    out->rows = calloc(out->row_count, sizeof *out->rows);
    double *samples = malloc((source->span_count + 1) * sizeof *samples);
    if (!out->rows || !samples) {
        free(samples);
        stats_destroy(out);
        return fail_memory();
    }
    stats_row *row = out->rows, *whole = &out->rows[out->row_count - 1];
    for (int i = 0; i < count; i++) {
        row = fill_pass(row, &passes[i], chain ? passes[i].effect : "", frames, samples);
        if (chain) {
            whole->dispatches += row[-1].dispatches;
            whole->bytes += row[-1].bytes;
        }
    }
    if (chain) { // from the begin of the first to the end of the last
        name_row(whole, "", "whole chain");
        fill_row(whole, passes, passes + count - 1, AG_WHOLE_PASS, frames, samples);
    }
    free(samples);
    for (size_t i = 0; i < out->row_count && copy_gb_s > 0; i++)
        out->rows[i].copy_ratio = out->rows[i].gb_per_s / copy_gb_s;
    if (source->spans_lost)
        note("some times were lost: out of memory");
    else if (whole->samples < (size_t)frames)
        note("%zu of %d frames have no GPU time", (size_t)frames - whole->samples, frames);
    return STATUS_OK;
}

void stats_destroy(stats *target)
{
    free(target->rows);
    *target = (stats){0};
}

void stats_print(const stats *source)
{
    printf("%s, %d frames of %dx%d on %s; times in us\n", source->effect, source->frames,
           source->width, source->height,
           source->renderer ? source->renderer : "an unknown device");
    int column = 20; // of the names
    for (size_t i = 0; i < source->row_count; i++)
        column = (int)fmax(column, (double)strlen(source->rows[i].name));
    printf("%-*s %10s %10s %10s %10s %10s %10s %10s %12s %8s\n", column, "step", "dispatches",
           "GPU first", "min", "median", "p95", "p99", "CPU median", "bytes", "GB/s");
    for (size_t i = 0; i < source->row_count; i++) {
        const stats_row *row = &source->rows[i];
        printf("%-*s %10u", column, row->name, (unsigned)row->dispatches);
        if (row->samples) {
            printf(" %10.1f %10.1f %10.1f %10.1f %10.1f %10.1f %12" PRIu64 " %8.1f\n",
                   row->gpu.first / 1e3, row->gpu.min / 1e3, row->gpu.median / 1e3,
                   row->gpu.p95 / 1e3, row->gpu.p99 / 1e3, row->cpu.median / 1e3, row->bytes,
                   row->gb_per_s);
        } else {
            printf(" %10s %10s %10s %10s %10s %10s %12" PRIu64 " %8s\n", "-", "-", "-", "-", "-",
                   "-", row->bytes, "-");
        }
    }
    printf("prepared in %.1f us; the first use is no sample", source->cpu_prepare_ns / 1e3);
    if (source->dropped)
        printf("; %" PRIu64 " samples dropped", source->dropped);
    if (source->copy_gb_s > 0)
        printf("; %.2f of the copy speed of %.1f GB/s",
               source->rows[source->row_count - 1].copy_ratio, source->copy_gb_s);
    putchar('\n');
}

static void put_csv_times(FILE *stream, const stats_times *times)
{
    fprintf(stream, ",%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f", times->first, times->last, times->min,
            times->mean, times->median, times->p95, times->p99);
}

static void put_csv(FILE *stream, const stats *source)
{
    fputs("step,dispatches,samples,dropped", stream);
    for (int i = 0; i < 2; i++) {
        const char *clock = i ? "cpu" : "gpu";
        fprintf(stream,
                ",%s_first_ns,%s_last_ns,%s_min_ns,%s_mean_ns,%s_median_ns,%s_p95_ns,%s_p99_ns",
                clock, clock, clock, clock, clock, clock, clock);
    }
    fputs(",bytes,gb_per_s,copy_ratio\n", stream);
    for (size_t i = 0; i < source->row_count; i++) {
        const stats_row *row = &source->rows[i];
        fprintf(stream, "%s,%u,%zu,%" PRIu64, row->name, (unsigned)row->dispatches, row->samples,
                source->dropped);
        put_csv_times(stream, &row->gpu);
        put_csv_times(stream, &row->cpu);
        fprintf(stream, ",%" PRIu64 ",%.3f,%.4f\n", row->bytes, row->gb_per_s, row->copy_ratio);
    }
}

static void put_times(json *out, const char *key, const stats_times *times)
{
    json_open_flat(out, key, '{');
    json_number(out, "first", times->first);
    json_number(out, "last", times->last);
    json_number(out, "min", times->min);
    json_number(out, "mean", times->mean);
    json_number(out, "median", times->median);
    json_number(out, "p95", times->p95);
    json_number(out, "p99", times->p99);
    json_close(out, '}');
}

static void put_json(FILE *stream, const stats *source)
{
    json out = json_begin(stream);
    json_open(&out, NULL, '{');
    json_text(&out, "effect", source->effect);
    json_text(&out, "renderer", source->renderer);
    json_int(&out, "width", source->width);
    json_int(&out, "height", source->height);
    json_int(&out, "frames", source->frames);
    json_uint(&out, "dropped", source->dropped);
    json_number(&out, "cpu_prepare_ns", source->cpu_prepare_ns);
    json_number(&out, "copy_gb_per_s", source->copy_gb_s);
    json_open(&out, "steps", '[');
    for (size_t i = 0; i < source->row_count; i++) {
        const stats_row *row = &source->rows[i];
        json_open(&out, NULL, '{');
        json_text(&out, "name", row->name);
        json_uint(&out, "dispatches", row->dispatches);
        json_uint(&out, "samples", row->samples);
        put_times(&out, "gpu_ns", &row->gpu);
        put_times(&out, "cpu_ns", &row->cpu);
        json_uint(&out, "bytes", row->bytes);
        json_number(&out, "gb_per_s", row->gb_per_s);
        json_number(&out, "copy_ratio", row->copy_ratio);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
}

static bool is_json(const char *path)
{
    return strcasecmp(file_extension(path), ".json") == 0;
}

int stats_check_path(const char *path)
{
    if (!is_json(path) && strcasecmp(file_extension(path), ".csv") != 0)
        return fail(STATUS_USAGE, "--stats %s: expected a .csv or .json file", path);
    return file_check_writable(path);
}

int stats_save(const char *path, const stats *source)
{
    file_writer writer;
    int status = file_begin(&writer, path);
    if (status != STATUS_OK)
        return status;
    if (is_json(path))
        put_json(writer.stream, source);
    else
        put_csv(writer.stream, source);
    return file_end(&writer, STATUS_OK);
}
