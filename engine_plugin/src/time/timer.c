// timer.c - GPU times by GL_TIMESTAMP, never waiting
// SPDX-License-Identifier: MIT
#include "time/timer.h"
#include "base/memory.h"
#include "base/system.h"

#include <string.h>

enum { USUAL_STAMPS = 512, MIN_STAMPS = 10 };

ag_status ag_timer_create(ag_timer *timer, const ag_gpu *gpu, uint32_t stamps)
{
    uint32_t wanted = stamps ? stamps : USUAL_STAMPS;
    *timer = (ag_timer){.gpu = gpu,
                        .capacity = wanted < MIN_STAMPS ? MIN_STAMPS : wanted,
                        .available = gpu->gl.timestamp_bits > 0};
    if (!timer->available)
        return AG_OK;
    timer->queries = ag_alloc(&gpu->host, timer->capacity * sizeof *timer->queries);
    timer->cpu = ag_alloc(&gpu->host, timer->capacity * sizeof *timer->cpu);
    timer->samples = ag_alloc(&gpu->host, timer->capacity / 2 * sizeof *timer->samples);
    if (!timer->queries || !timer->cpu || !timer->samples) {
        ag_timer_destroy(timer, false);
        return AG_E_MEMORY;
    }
    gpu->gl.GenQueries((GLsizei)timer->capacity, timer->queries);
    ag_gpu_clock_read(&timer->clock, gpu);
    return AG_OK;
}

void ag_timer_destroy(ag_timer *timer, bool with_gl)
{
    const ag_gpu *gpu = timer->gpu;
    if (!gpu) // never created
        return;
    if (timer->queries && with_gl)
        gpu->gl.DeleteQueries((GLsizei)timer->capacity, timer->queries);
    ag_free(&gpu->host, timer->queries, timer->capacity * sizeof *timer->queries);
    ag_free(&gpu->host, timer->cpu, timer->capacity * sizeof *timer->cpu);
    ag_free(&gpu->host, timer->samples, timer->capacity / 2 * sizeof *timer->samples);
    *timer = (ag_timer){0};
}

ag_sample *ag_timer_begin(ag_timer *timer, ag_timed *timed, uint64_t frame, uint32_t intervals,
                          bool by_step, uint64_t enter)
{
    if (!timer->available)
        return NULL;
    bool full = timer->stamps_made - timer->stamps_read + intervals + 1 > timer->capacity ||
                timer->samples_made - timer->samples_read >= timer->capacity / 2;
    if (full) {
        ++timer->dropped;
        ++timed->dropped;
        return NULL;
    }
    ag_sample *sample = &timer->samples[timer->samples_made++ % (timer->capacity / 2)];
    *sample = (ag_sample){.timed = timed,
                          .frame = frame,
                          .intervals = intervals,
                          .harvest = timer->harvests,
                          .by_step = by_step,
                          .enter = enter,
                          .first_stamp = (uint32_t)(timer->stamps_made % timer->capacity)};
    timer->stamps_made += intervals + 1;
    return sample;
}

// The index of a sample's timestamp in the ring.
static uint32_t stamp_at(const ag_timer *timer, const ag_sample *sample, uint32_t index)
{
    return (sample->first_stamp + index) % timer->capacity;
}

static GLuint query(const ag_timer *timer, const ag_sample *sample, uint32_t index)
{
    return timer->queries[stamp_at(timer, sample, index)];
}

void ag_timer_stamp(ag_timer *timer, const ag_sample *sample, uint32_t index)
{
    if (!sample)
        return;
    if (sample->by_step) // not needed otherwise
        timer->cpu[stamp_at(timer, sample, index)] = ag_now(&timer->gpu->host);
    timer->gpu->gl.QueryCounter(query(timer, sample, index), GL_TIMESTAMP);
}

void ag_timer_leave(const ag_timer *timer, ag_sample *sample)
{
    if (sample)
        sample->leave = ag_now(&timer->gpu->host);
}

// Converts timestamps to the host's clock, and returns their error bound. A new reading of the
// clocks may correct an old one backwards. Timestamps stay in order nevertheless, because profilers
// take overlapping intervals for nested ones: one that would lie before the last is moved to the
// last, which keeps it within the larger error.
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
static void report(const ag_timer *timer, const ag_sample *sample, ag_span *span)
{
    const ag_host *host = &timer->gpu->host;
    ag_timed *timed = sample->timed;
    bool whole = span->step == AG_WHOLE_PASS;
    ag_history_add(whole ? &timed->whole : &timed->histories[span->step], span, sample->first);
    if (!host->span)
        return;
    span->struct_size = sizeof *span;
    span->pass = timed->pass;
    span->effect = timed->name;
    span->name = whole ? timed->name : timed->steps[span->step].name;
    span->frame = sample->frame;
    span->flags = sample->first ? AG_SPAN_FIRST : 0;
    host->span(host->user, span);
}

// Whether the host's clock was set back during a sample, so that its CPU times are wrong.
static bool host_ran_back(const ag_timer *timer, const ag_sample *sample)
{
    bool back = sample->leave < sample->enter;
    for (uint32_t i = 0; sample->by_step && i < sample->intervals; ++i)
        back = back ||
               timer->cpu[stamp_at(timer, sample, i + 1)] < timer->cpu[stamp_at(timer, sample, i)];
    return back;
}

// Reports the whole pass first, because readers of a timeline need parents before children.
static void report_all(ag_timer *timer, const ag_sample *sample, const uint64_t *gpu)
{
    uint32_t last = sample->intervals;
    // Timestamps that run backwards (clock reset, context loss) are useless.
    bool back = host_ran_back(timer, sample);
    for (uint32_t i = 0; i < last; ++i)
        back = back || gpu[i + 1] < gpu[i];
    if (back) {
        ++timer->dropped;
        ++sample->timed->dropped;
        return;
    }
    uint64_t host[AG_MAX_STEPS + 1] = {0}, error = AG_NO_CLOCK;
    if (timer->gpu->host.span)
        error = place(timer, gpu, last + 1, host);
    report(timer, sample,
           &(ag_span){.step = AG_WHOLE_PASS,
                      .gpu_begin = gpu[0],
                      .gpu_end = gpu[last],
                      .host_begin = host[0],
                      .host_end = host[last],
                      .clock_error = error,
                      .cpu_begin = sample->enter,
                      .cpu_end = sample->leave});
    for (uint32_t i = 0; sample->by_step && i < last; ++i)
        report(timer, sample,
               &(ag_span){.step = i,
                          .gpu_begin = gpu[i],
                          .gpu_end = gpu[i + 1],
                          .host_begin = host[i],
                          .host_end = host[i + 1],
                          .clock_error = error,
                          .cpu_begin = timer->cpu[stamp_at(timer, sample, i)],
                          .cpu_end = timer->cpu[stamp_at(timer, sample, i + 1)]});
}

// Reads the result of the last timestamp if it has arrived; then the others have, too. Never waits.
static bool read_last(const ag_timer *timer, GLuint last, GLuint64 *value)
{
    const ag_gl *gl = &timer->gpu->gl;
    if (gl->has_query_buffer) { // one call instead of two: without a result, `value` is unchanged
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

// Reads the oldest samples that were taken between two calls of harvest, normally those of a frame.
// It queries only the last of their timestamps for availability; the others have arrived before it.
static bool read_batch(ag_timer *timer)
{
    uint32_t places = timer->capacity / 2;
    const ag_sample *oldest = &timer->samples[timer->samples_read % places], *last = oldest;
    for (uint64_t i = timer->samples_read + 1; i < timer->samples_made; ++i) {
        const ag_sample *next = &timer->samples[i % places];
        if (next->harvest != oldest->harvest)
            break;
        last = next;
    }
    GLuint64 final = 0;
    if (!read_last(timer, query(timer, last, last->intervals), &final))
        return false;
    for (const ag_sample *sample = NULL; sample != last;) {
        sample = &timer->samples[timer->samples_read % places];
        uint64_t gpu[AG_MAX_STEPS + 1];
        for (uint32_t i = 0; i <= sample->intervals; ++i) {
            GLuint64 value = final;
            if (sample != last || i < sample->intervals)
                timer->gpu->gl.GetQueryObjectui64v(query(timer, sample, i), GL_QUERY_RESULT,
                                                   &value);
            gpu[i] = value;
        }
        if (sample->timed)
            report_all(timer, sample, gpu);
        timer->stamps_read += sample->intervals + 1;
        ++timer->samples_read;
    }
    return true;
}

void ag_timer_harvest(ag_timer *timer)
{
    const ag_gl *gl = &timer->gpu->gl;
    ++timer->harvests;
    if (timer->samples_read == timer->samples_made)
        return;
    if (timer->gpu->host.span) // statistics need the GPU's clock only
        ag_gpu_clock_refresh(&timer->clock, timer->gpu);
    // If a buffer is bound to GL_QUERY_BUFFER, GL writes results there.
    GLint bound = 0;
    if (gl->has_query_buffer)
        gl->GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
    if (bound)
        gl->BindBuffer(GL_QUERY_BUFFER, 0);
    while (timer->samples_read < timer->samples_made && read_batch(timer)) {
    }
    if (bound)
        gl->BindBuffer(GL_QUERY_BUFFER, (GLuint)bound);
}

void ag_timer_forget(ag_timer *timer, const ag_timed *timed)
{
    for (uint64_t i = timer->samples_read; i < timer->samples_made; ++i) {
        ag_sample *sample = &timer->samples[i % (timer->capacity / 2)];
        if (sample->timed == timed)
            sample->timed = NULL;
    }
}
