// timer.c - GPU times by GL_TIMESTAMP, never waiting
// SPDX-License-Identifier: MIT
#include "timer.h"
#include "clock.h"
#include "device.h"
#include "memory.h"
#include "pass.h"

#include <stdlib.h>
#include <string.h>

ag_status ag_timer_create(ag_device *device)
{
    ag_timer *timer = &device->timer;
    uint32_t wanted = device->desc.timer_capacity ? device->desc.timer_capacity : 512;
    timer->capacity = wanted < 2 * (AG_MAX_STEPS + 1) ? 2 * (AG_MAX_STEPS + 1) : wanted;
    timer->available = device->gl.timestamp_bits > 0;
    if (!timer->available)
        return AG_OK;
    timer->queries = ag_alloc(&device->host, timer->capacity * sizeof *timer->queries);
    timer->samples = ag_alloc(&device->host, timer->capacity / 2 * sizeof *timer->samples);
    if (!timer->queries || !timer->samples) {
        ag_timer_destroy(device, false);
        return AG_E_MEMORY;
    }
    device->gl.GenQueries((GLsizei)timer->capacity, timer->queries);
    return AG_OK;
}

void ag_timer_destroy(ag_device *device, bool with_gl)
{
    ag_timer *timer = &device->timer;
    if (timer->queries && with_gl)
        device->gl.DeleteQueries((GLsizei)timer->capacity, timer->queries);
    ag_free(&device->host, timer->queries, timer->capacity * sizeof *timer->queries);
    ag_free(&device->host, timer->samples, timer->capacity / 2 * sizeof *timer->samples);
    *timer = (ag_timer){0};
}

ag_sample *ag_timer_begin(ag_device *device, ag_pass *pass, uint64_t frame, uint32_t intervals,
                          bool by_step)
{
    ag_timer *timer = &device->timer;
    if (!timer->available)
        return NULL;
    bool full = timer->stamps_made - timer->stamps_read + intervals + 1 > timer->capacity ||
                timer->samples_made - timer->samples_read >= timer->capacity / 2;
    if (full) {
        ++timer->dropped;
        ++pass->dropped;
        return NULL;
    }
    ag_sample *sample = &timer->samples[timer->samples_made++ % (timer->capacity / 2)];
    *sample = (ag_sample){.pass = pass,
                          .frame = frame,
                          .intervals = intervals,
                          .by_step = by_step,
                          .first_stamp = (uint32_t)(timer->stamps_made % timer->capacity)};
    timer->stamps_made += intervals + 1;
    return sample;
}

static GLuint query(const ag_timer *timer, const ag_sample *sample, uint32_t index)
{
    return timer->queries[(sample->first_stamp + index) % timer->capacity];
}

void ag_timer_stamp(ag_device *device, ag_sample *sample, uint32_t index)
{
    if (!sample)
        return;
    sample->cpu[index] = ag_now(&device->host);
    device->gl.QueryCounter(query(&device->timer, sample, index), GL_TIMESTAMP);
}

static void record(ag_history *history, uint64_t gpu, uint64_t cpu)
{
    history->gpu[history->count % AG_HISTORY] = (float)gpu;
    history->cpu[history->count % AG_HISTORY] = (float)cpu;
    ++history->count;
}

static void report(ag_device *device, const ag_sample *sample, uint32_t step, uint32_t from,
                   uint32_t to, const uint64_t *gpu)
{
    // A stamp pair that runs backwards (clock reset, context loss) is worth nothing: leave it out.
    if (gpu[to] < gpu[from])
        return;
    ag_pass *pass = sample->pass;
    record(&pass->history[step == AG_WHOLE_PASS ? 0 : step + 1], gpu[to] - gpu[from],
           sample->cpu[to] - sample->cpu[from]);
    if (device->host.span)
        device->host.span(device->host.user,
                          &(ag_span){.struct_size = sizeof(ag_span),
                                     .step = step,
                                     .pass = pass,
                                     .effect = pass->effect->info.id,
                                     .name = step == AG_WHOLE_PASS ? pass->effect->info.id
                                                                   : ag_pass_step_name(pass, step),
                                     .frame = sample->frame,
                                     .gpu_begin = gpu[from],
                                     .gpu_end = gpu[to],
                                     .cpu_begin = sample->cpu[from],
                                     .cpu_end = sample->cpu[to]});
}

static bool read_sample(ag_device *device, const ag_sample *sample, uint64_t *gpu)
{
    const ag_gl *gl = &device->gl;
    GLuint ready = GL_FALSE;
    gl->GetQueryObjectuiv(query(&device->timer, sample, sample->intervals),
                          GL_QUERY_RESULT_AVAILABLE, &ready);
    if (!ready)
        return false;
    for (uint32_t i = 0; i <= sample->intervals; ++i) {
        GLuint64 value = 0;
        gl->GetQueryObjectui64v(query(&device->timer, sample, i), GL_QUERY_RESULT, &value);
        gpu[i] = value;
    }
    return true;
}

void ag_timer_harvest(ag_device *device)
{
    ag_timer *timer = &device->timer;
    const ag_gl *gl = &device->gl;
    if (timer->samples_read == timer->samples_made)
        return;
    // With a buffer bound to GL_QUERY_BUFFER the results would be written there.
    GLint bound = 0;
    if (gl->has_query_buffer)
        gl->GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
    if (bound)
        gl->BindBuffer(GL_QUERY_BUFFER, 0);
    while (timer->samples_read < timer->samples_made) {
        const ag_sample *sample = &timer->samples[timer->samples_read % (timer->capacity / 2)];
        uint64_t gpu[AG_MAX_STEPS + 1];
        if (!read_sample(device, sample, gpu))
            break;
        if (sample->pass) {
            for (uint32_t i = 0; sample->by_step && i < sample->intervals; ++i)
                report(device, sample, i, i, i + 1, gpu);
            report(device, sample, AG_WHOLE_PASS, 0, sample->intervals, gpu);
        }
        timer->stamps_read += sample->intervals + 1;
        ++timer->samples_read;
    }
    if (bound)
        gl->BindBuffer(GL_QUERY_BUFFER, (GLuint)bound);
}

void ag_timer_forget_pass(ag_device *device, const ag_pass *pass)
{
    ag_timer *timer = &device->timer;
    for (uint64_t i = timer->samples_read; i < timer->samples_made; ++i) {
        ag_sample *sample = &timer->samples[i % (timer->capacity / 2)];
        if (sample->pass == pass)
            sample->pass = NULL;
    }
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void summarise(const float *ring, uint32_t count, uint64_t newest, double *last,
                      double *minimum, double *median, double *p95, double *mean)
{
    float sorted[AG_HISTORY];
    double sum = 0;
    memcpy(sorted, ring, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    for (uint32_t i = 0; i < count; ++i)
        sum += sorted[i];
    *last = ring[newest % AG_HISTORY];
    *minimum = sorted[0];
    *median = count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
    *p95 = sorted[(count * 95 + 99) / 100 - 1];
    *mean = sum / count;
}

void ag_history_stats(const ag_history *history, ag_stats *stats)
{
    uint32_t count = history->count < AG_HISTORY ? (uint32_t)history->count : AG_HISTORY;
    stats->samples = count;
    stats->count = history->count;
    if (!count)
        return;
    uint64_t newest = history->count - 1;
    summarise(history->gpu, count, newest, &stats->gpu_last, &stats->gpu_min, &stats->gpu_median,
              &stats->gpu_p95, &stats->gpu_mean);
    summarise(history->cpu, count, newest, &stats->cpu_last, &stats->cpu_min, &stats->cpu_median,
              &stats->cpu_p95, &stats->cpu_mean);
}
