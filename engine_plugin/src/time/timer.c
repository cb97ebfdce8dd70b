// timer.c - GPU times by GL_TIMESTAMP, never waiting
// SPDX-License-Identifier: MIT
#include "time/timer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "core/device.h"
#include "core/pass.h"

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
    ag_gpu_clock_read(device);
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
                          bool by_step, uint64_t enter)
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
                          .harvest = timer->harvests,
                          .by_step = by_step,
                          .enter = enter,
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
    if (sample->by_step) // else nobody asks
        sample->cpu[index] = ag_now(&device->host);
    device->gl.QueryCounter(query(&device->timer, sample, index), GL_TIMESTAMP);
}

void ag_timer_leave(const ag_device *device, ag_sample *sample)
{
    if (sample)
        sample->leave = ag_now(&device->host);
}

static void record(ag_history *history, const ag_span *span, bool first)
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

// Puts the GPU's stamps on the host's clock, and returns how far off they may be. A new reading of the
// clocks may correct an old one backwards; stamps stay in order all the same, because profilers take
// intervals that overlap for nested ones. Moving one up to the last keeps it within the larger error.
static uint64_t place(ag_timer *timer, const uint64_t *gpu, uint32_t count, uint64_t *host)
{
    uint64_t worst = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t error;
        if (!ag_gpu_clock_place(&timer->clock, gpu[i], &host[i], &error)) {
            memset(host, 0, count * sizeof *host);
            return AG_NO_CLOCK;
        }
        if (host[i] < timer->placed && timer->placed - host[i] <= error + timer->placed_error) {
            host[i] = timer->placed;
            error = error > timer->placed_error ? error : timer->placed_error;
        }
        timer->placed = host[i];
        timer->placed_error = error;
        worst = error > worst ? error : worst;
    }
    return worst;
}

// One interval of a sample: into its history, and to the host.
static void report(ag_device *device, const ag_sample *sample, ag_span *span)
{
    ag_pass *pass = sample->pass;
    bool whole = span->step == AG_WHOLE_PASS;
    record(&pass->history[whole ? 0 : span->step + 1], span, sample->first);
    if (!device->host.span)
        return;
    span->struct_size = sizeof *span;
    span->pass = pass;
    span->effect = pass->effect->info.id;
    span->name = whole ? span->effect : ag_pass_step_name(pass, span->step);
    span->frame = sample->frame;
    span->flags = sample->first ? AG_SPAN_FIRST : 0;
    device->host.span(device->host.user, span);
}

// The whole pass first: what reads a timeline wants parents before their children.
static void report_all(ag_device *device, const ag_sample *sample, const uint64_t *gpu)
{
    uint32_t last = sample->intervals;
    // Stamps that run backwards (clock reset, context loss) are worth nothing.
    for (uint32_t i = 0; i < last; ++i)
        if (gpu[i + 1] < gpu[i]) {
            ++device->timer.dropped;
            ++sample->pass->dropped;
            return;
        }
    uint64_t host[AG_MAX_STEPS + 1] = {0}, error = AG_NO_CLOCK;
    if (device->host.span)
        error = place(&device->timer, gpu, last + 1, host);
    report(device, sample,
           &(ag_span){.step = AG_WHOLE_PASS,
                      .gpu_begin = gpu[0],
                      .gpu_end = gpu[last],
                      .host_begin = host[0],
                      .host_end = host[last],
                      .clock_error = error,
                      .cpu_begin = sample->enter,
                      .cpu_end = sample->leave});
    for (uint32_t i = 0; sample->by_step && i < last; ++i)
        report(device, sample,
               &(ag_span){.step = i,
                          .gpu_begin = gpu[i],
                          .gpu_end = gpu[i + 1],
                          .host_begin = host[i],
                          .host_end = host[i + 1],
                          .clock_error = error,
                          .cpu_begin = sample->cpu[i],
                          .cpu_end = sample->cpu[i + 1]});
}

// The last stamp's result, if it has arrived; then the others have, too. Never waits.
static bool read_last(ag_device *device, GLuint last, GLuint64 *value)
{
    const ag_gl *gl = &device->gl;
    if (gl->has_query_buffer) { // one question instead of two: it leaves `value` as it was
        const GLuint64 none = UINT64_MAX;
        *value = none;
        gl->GetQueryObjectui64v(last, GL_QUERY_RESULT_NO_WAIT, value);
        return *value != none;
    }
    GLuint ready = GL_FALSE;
    gl->GetQueryObjectuiv(last, GL_QUERY_RESULT_AVAILABLE, &ready);
    if (ready)
        gl->GetQueryObjectui64v(last, GL_QUERY_RESULT, value);
    return ready != GL_FALSE;
}

// Oldest first: the samples up to the next call of harvest, which is to say a frame's. One question, about
// the last stamp of all; once that is there no other one has to be asked about.
static bool read_batch(ag_device *device)
{
    ag_timer *timer = &device->timer;
    uint32_t places = timer->capacity / 2;
    const ag_sample *oldest = &timer->samples[timer->samples_read % places], *last = oldest;
    for (uint64_t i = timer->samples_read + 1; i < timer->samples_made; ++i) {
        const ag_sample *next = &timer->samples[i % places];
        if (next->harvest != oldest->harvest)
            break;
        last = next;
    }
    GLuint64 final = 0;
    if (!read_last(device, query(timer, last, last->intervals), &final))
        return false;
    for (const ag_sample *sample = NULL; sample != last;) {
        sample = &timer->samples[timer->samples_read % places];
        uint64_t gpu[AG_MAX_STEPS + 1];
        for (uint32_t i = 0; i <= sample->intervals; ++i) {
            GLuint64 value = final;
            if (sample != last || i < sample->intervals)
                device->gl.GetQueryObjectui64v(query(timer, sample, i), GL_QUERY_RESULT, &value);
            gpu[i] = value;
        }
        if (sample->pass)
            report_all(device, sample, gpu);
        timer->stamps_read += sample->intervals + 1;
        ++timer->samples_read;
    }
    return true;
}

void ag_timer_harvest(ag_device *device)
{
    ag_timer *timer = &device->timer;
    const ag_gl *gl = &device->gl;
    ++timer->harvests;
    if (timer->samples_read == timer->samples_made)
        return;
    if (device->host.span) // statistics are of the GPU's clock alone
        ag_gpu_clock_refresh(device);
    // With a buffer bound to GL_QUERY_BUFFER the results would be written there.
    GLint bound = 0;
    if (gl->has_query_buffer)
        gl->GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
    if (bound)
        gl->BindBuffer(GL_QUERY_BUFFER, 0);
    while (timer->samples_read < timer->samples_made && read_batch(device)) {
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

// The smallest sample that `percent` of a hundred do not exceed.
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
