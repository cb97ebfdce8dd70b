// history.c - the last times of a pass or a step, and their statistics
// SPDX-License-Identifier: MIT
#include "time/history.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void ag_history_add(ag_history *history, const ag_span *span, bool first)
{
    uint64_t gpu = span->gpu_end - span->gpu_begin, cpu = span->cpu_end - span->cpu_begin;
    if (first) {
        history->gpu_first = (double)gpu;
        history->cpu_first = (double)cpu;
        return;
    }
    history->gpu[history->count % AG_HISTORY] = (float)gpu;
    history->cpu[history->count % AG_HISTORY] = (float)cpu;
    ++history->count;
}

// ---- memory ------------------------------------------------------------------------------------

static size_t bytes_of(uint32_t steps)
{
    return steps > 1 ? steps * sizeof(ag_history) : 0;
}

ag_status ag_histories_make(const ag_host *host, uint32_t steps, ag_history **histories)
{
    size_t bytes = bytes_of(steps);
    *histories = bytes ? ag_alloc(host, bytes) : NULL;
    return bytes && !*histories ? AG_E_MEMORY : AG_OK;
}

void ag_histories_reset(ag_history *histories, uint32_t steps)
{
    if (histories)
        memset(histories, 0, bytes_of(steps));
}

void ag_histories_free(const ag_host *host, ag_history *histories, uint32_t steps)
{
    ag_free(host, histories, bytes_of(steps));
}

// ---- statistics --------------------------------------------------------------------------------

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The smallest sample that is at least as large as `percent` of 100 samples.
static double percentile(const float *sorted, uint32_t count, uint32_t percent)
{
    return (double)sorted[(count * percent + 99) / 100 - 1];
}

typedef struct series { // where the statistics of a ring go
    double *last, *min, *median, *p95, *p99, *mean;
} series;

static void summarise(const float *ring, uint64_t samples, const series *out)
{
    float sorted[AG_HISTORY];
    uint32_t count = samples < AG_HISTORY ? (uint32_t)samples : AG_HISTORY;
    double sum = 0;
    memcpy(sorted, ring, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    for (uint32_t i = 0; i < count; ++i)
        sum += (double)sorted[i];
    *out->last = (double)ring[(samples - 1) % AG_HISTORY];
    *out->min = (double)sorted[0];
    *out->median = percentile(sorted, count, 50);
    *out->p95 = percentile(sorted, count, 95);
    *out->p99 = percentile(sorted, count, 99);
    *out->mean = sum / count;
}

void ag_history_stats(const ag_history *history, ag_stats *s)
{
    s->samples = history->count < AG_HISTORY ? (uint32_t)history->count : AG_HISTORY;
    s->count = history->count;
    s->gpu_first = history->gpu_first;
    s->cpu_first = history->cpu_first;
    if (!s->count)
        return;
    summarise(history->gpu, s->count,
              &(series){&s->gpu_last, &s->gpu_min, &s->gpu_median, &s->gpu_p95, &s->gpu_p99,
                        &s->gpu_mean});
    summarise(history->cpu, s->count,
              &(series){&s->cpu_last, &s->cpu_min, &s->cpu_median, &s->cpu_p95, &s->cpu_p99,
                        &s->cpu_mean});
}
