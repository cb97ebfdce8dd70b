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

typedef struct summary {
    double last, min, median, p95, p99, mean;
} summary;

static summary summarise(const float *ring, uint32_t count, uint64_t newest)
{
    float sorted[AG_HISTORY];
    double sum = 0;
    memcpy(sorted, ring, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    for (uint32_t i = 0; i < count; ++i)
        sum += (double)sorted[i];
    return (summary){.last = (double)ring[newest % AG_HISTORY],
                     .min = (double)sorted[0],
                     .median = percentile(sorted, count, 50),
                     .p95 = percentile(sorted, count, 95),
                     .p99 = percentile(sorted, count, 99),
                     .mean = sum / count};
}

void ag_history_stats(const ag_history *history, ag_stats *stats)
{
    uint32_t count = history->count < AG_HISTORY ? (uint32_t)history->count : AG_HISTORY;
    stats->samples = count;
    stats->count = history->count;
    stats->gpu_first = history->gpu_first;
    stats->cpu_first = history->cpu_first;
    if (!count)
        return;
    summary gpu = summarise(history->gpu, count, history->count - 1);
    summary cpu = summarise(history->cpu, count, history->count - 1);
    stats->gpu_last = gpu.last;
    stats->gpu_min = gpu.min;
    stats->gpu_median = gpu.median;
    stats->gpu_p95 = gpu.p95;
    stats->gpu_p99 = gpu.p99;
    stats->gpu_mean = gpu.mean;
    stats->cpu_last = cpu.last;
    stats->cpu_min = cpu.min;
    stats->cpu_median = cpu.median;
    stats->cpu_p95 = cpu.p95;
    stats->cpu_p99 = cpu.p99;
    stats->cpu_mean = cpu.mean;
}
