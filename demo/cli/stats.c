// cli/stats.c - times of the steps of a pass: as a table, CSV or JSON
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "stats.h"

#include "file.h"
#include "json.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the samples.
static stats_times summarize(double *samples, size_t count)
{
    if (count == 0)
        return (stats_times){0};
    qsort(samples, count, sizeof *samples, compare_doubles);
    // The smallest sample that at least 95 of 100 do not exceed.
    size_t p95 = (95 * count + 99) / 100 - 1;
    return (stats_times){
        .min = samples[0],
        .median = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
        .p95 = samples[p95],
    };
}

static void fill_row(stats_row *row, const session *source, uint32_t step, double *samples)
{
    size_t count = 0;
    for (size_t i = 0; i < source->span_count; i++) {
        const session_span *span = &source->spans[i];
        if (span->step == step)
            samples[count++] = (double)(span->gpu_end - span->gpu_begin);
    }
    row->samples = count;
    row->gpu = summarize(samples, count);
    count = 0;
    for (size_t i = 0; i < source->span_count; i++) {
        const session_span *span = &source->spans[i];
        if (span->step == step)
            samples[count++] = (double)(span->cpu_end - span->cpu_begin);
    }
    row->cpu = summarize(samples, count);
    row->gb_per_s = row->gpu.median > 0 ? (double)row->bytes / row->gpu.median : 0; // bytes per ns
}

const ag_step *stats_plan_step(const ag_plan *plan, uint32_t index)
{
    return (const void *)((const char *)plan->steps + (size_t)index * plan->step_stride);
}

int stats_create(const session *source, const char *effect, const ag_plan *plan, int frames,
                 stats *out)
{
    *out = (stats){.effect = effect, .frames = frames, .row_count = plan->step_count + 1u};
    out->renderer = (const char *)source->gpu.gl.GetString(GL_RENDERER);
    out->rows = calloc(out->row_count, sizeof *out->rows);
    double *samples = malloc((source->span_count + 1) * sizeof *samples);
    if (!out->rows || !samples) {
        free(samples);
        stats_destroy(out);
        return fail_memory();
    }
    stats_row *whole = &out->rows[plan->step_count];
    whole->name = "whole pass";
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step = stats_plan_step(plan, i);
        out->rows[i].name = step->name;
        out->rows[i].dispatches = step->dispatches;
        out->rows[i].bytes = step->bytes;
        whole->dispatches += step->dispatches;
        whole->bytes += step->bytes;
        fill_row(&out->rows[i], source, i, samples);
    }
    fill_row(whole, source, AG_WHOLE_PASS, samples);
    free(samples);
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
    printf("%-20s %10s %10s %10s %10s %10s %12s %8s\n", "step", "dispatches", "GPU min", "median",
           "p95", "CPU median", "bytes", "GB/s");
    for (size_t i = 0; i < source->row_count; i++) {
        const stats_row *row = &source->rows[i];
        printf("%-20.20s %10u", row->name, (unsigned)row->dispatches);
        if (row->samples) {
            printf(" %10.1f %10.1f %10.1f %10.1f %12" PRIu64 " %8.1f\n", row->gpu.min / 1e3,
                   row->gpu.median / 1e3, row->gpu.p95 / 1e3, row->cpu.median / 1e3, row->bytes,
                   row->gb_per_s);
        } else {
            printf(" %10s %10s %10s %10s %12" PRIu64 " %8s\n", "-", "-", "-", "-", row->bytes, "-");
        }
    }
}

static void put_csv(FILE *stream, const stats *source)
{
    fputs("step,dispatches,samples,gpu_min_ns,gpu_median_ns,gpu_p95_ns,"
          "cpu_min_ns,cpu_median_ns,cpu_p95_ns,bytes,gb_per_s\n",
          stream);
    for (size_t i = 0; i < source->row_count; i++) {
        const stats_row *row = &source->rows[i];
        fprintf(stream, "%s,%u,%zu,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%" PRIu64 ",%.3f\n", row->name,
                (unsigned)row->dispatches, row->samples, row->gpu.min, row->gpu.median,
                row->gpu.p95, row->cpu.min, row->cpu.median, row->cpu.p95, row->bytes,
                row->gb_per_s);
    }
}

static void put_times(json *out, const char *key, const stats_times *times)
{
    json_open_flat(out, key, '{');
    json_number(out, "min", times->min);
    json_number(out, "median", times->median);
    json_number(out, "p95", times->p95);
    json_close(out, '}');
}

static void put_json(FILE *stream, const stats *source)
{
    json out = json_begin(stream);
    json_open(&out, NULL, '{');
    json_string(&out, "effect", source->effect);
    json_string(&out, "renderer", source->renderer);
    json_int(&out, "width", source->width);
    json_int(&out, "height", source->height);
    json_int(&out, "frames", source->frames);
    json_open(&out, "steps", '[');
    for (size_t i = 0; i < source->row_count; i++) {
        const stats_row *row = &source->rows[i];
        json_open(&out, NULL, '{');
        json_string(&out, "name", row->name);
        json_uint(&out, "dispatches", row->dispatches);
        json_uint(&out, "samples", row->samples);
        put_times(&out, "gpu_ns", &row->gpu);
        put_times(&out, "cpu_ns", &row->cpu);
        json_uint(&out, "bytes", row->bytes);
        json_number(&out, "gb_per_s", row->gb_per_s);
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
