// timer.c - GPU times by GL_TIMESTAMP, never waiting: their clock, their statistics
// SPDX-License-Identifier: MIT
#include "time/timer.h"
#include "base/memory.h"
#include "base/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the GPU's clock and the host's ------------------------------------------------------------

// If the host wants spans, both clocks are read together every second while times arrive. Between
// two readings the clocks drift apart by some parts in a million. The second reading tells how
// fast, and `error` bounds the rest. A reading takes a few us on NVIDIA's driver. It takes longer
// if a driver has a thread of its own or waits for the GPU; then readings become less frequent.

enum {
    READINGS = 3,        // at a time; the shortest is used
    DEAR_NS = 50 * 1000, // longer readings are made less often
    GRAIN_NS = 1024,     // largest step of a GPU's clock: some step by a microsecond
    SHORTEST_S = 1,      // between readings
    LONGEST_S = 64
};
static const uint64_t second = 1000000000u;
static const double unknown_rate = 200e-6; // how far the rates of two unadjusted clocks may differ
static const double wander = 2e-6;         // how far a rate changes between two readings

typedef struct reading {
    uint64_t gpu, before, after;
} reading;

static reading read_once(const ag_gpu *gpu)
{
    reading r;
    GLint64 now = 0;
    r.before = ag_now(&gpu->host);
    gpu->gl.GetInteger64v(GL_TIMESTAMP, &now);
    r.after = ag_now(&gpu->host);
    r.gpu = (uint64_t)now;
    return r;
}

static uint64_t length(const reading *r)
{
    return r->after > r->before ? r->after - r->before : 0;
}

// The signed difference of two times.
static double apart(uint64_t a, uint64_t b)
{
    return (double)(int64_t)(a - b);
}

// Computes the relative rate of the two clocks since the last reading.
static void learn_rate(ag_gpu_clock *clock, uint64_t gpu, uint64_t host, double error)
{
    double elapsed = apart(gpu, clock->gpu), host_elapsed = apart(host, clock->host);
    double rate = elapsed > 0 ? host_elapsed / elapsed - 1 : INFINITY;
    double rate_error = elapsed > 0 ? (error + clock->error) / elapsed : INFINITY;
    clock->rate = 0;
    clock->rate_error = unknown_rate;
    // Beyond the tolerance of any crystal: one of the clocks was set, so the last reading is
    // useless.
    if (fabs(rate) > unknown_rate + rate_error || rate_error + wander > unknown_rate)
        return;
    clock->rate = rate;
    clock->rate_error = rate_error + wander;
}

// Discards the known rate if one of the clocks was set.
static void read_clocks(ag_gpu_clock *clock, const ag_gpu *gpu)
{
    reading best = read_once(gpu);
    // A slow reading is not repeated.
    for (int i = 1; i < READINGS && length(&best) <= DEAR_NS; ++i) {
        reading next = read_once(gpu);
        if (length(&next) < length(&best))
            best = next;
    }
    bool dear = length(&best) > DEAR_NS;
    uint64_t longer = 2 * clock->interval;
    if (!dear) // the second reading comes soon, because the rate needs two
        clock->interval = clock->known ? SHORTEST_S * second : second / 16;
    else
        clock->interval = longer > LONGEST_S * second ? LONGEST_S * second
                          : longer < 8 * second       ? 8 * second
                                                      : longer;
    // The GPU's clock was read at some time between the two readings of the host's clock.
    double error = 0.5 * (double)length(&best) + GRAIN_NS;
    uint64_t host = best.before + length(&best) / 2;
    if (clock->known) {
        learn_rate(clock, best.gpu, host, error);
    } else {
        clock->rate = 0;
        clock->rate_error = unknown_rate;
    }
    clock->known = best.gpu != 0;
    clock->gpu = best.gpu;
    clock->host = host;
    clock->error = error;
    clock->next = best.after + clock->interval;
}

// The same, if a reading is due.
static void refresh_clocks(ag_gpu_clock *clock, const ag_gpu *gpu)
{
    uint64_t now = ag_now(&gpu->host);
    bool set_back = now + LONGEST_S * second < clock->next; // the host's clock was
    if (now >= clock->next || set_back)
        read_clocks(clock, gpu);
}

// Converts a time of the GPU's clock to the host's clock, with an error bound. False: not known.
static bool to_host(const ag_gpu_clock *clock, uint64_t gpu, uint64_t *host, uint64_t *error)
{
    if (!clock->known)
        return false;
    double elapsed = apart(gpu, clock->gpu);
    *host = clock->host + (uint64_t)(int64_t)llround(elapsed * (1 + clock->rate));
    *error = (uint64_t)ceil(clock->error + fabs(elapsed) * clock->rate_error);
    return true;
}

// ---- statistics --------------------------------------------------------------------------------

// `first`: some program was dispatched for the first time.
static void add(ag_history *history, const ag_span *span, bool first)
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

// ---- timestamps --------------------------------------------------------------------------------

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
    read_clocks(&timer->clock, gpu);
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
        if (!to_host(&timer->clock, gpu[i], &host[i], &error)) {
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
    add(whole ? &timed->whole : &timed->histories[span->step], span, sample->first);
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
        refresh_clocks(&timer->clock, timer->gpu);
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

// ---- a pass's plan -----------------------------------------------------------------------------

ag_status ag_timed_reserve(const ag_host *host, ag_timed *timed, uint32_t steps)
{
    if (steps <= 1 || steps <= timed->capacity)
        return AG_OK;
    ag_history *histories = ag_alloc(host, steps * sizeof *histories);
    if (!histories)
        return AG_E_MEMORY;
    if (timed->capacity)
        memcpy(histories, timed->histories, timed->capacity * sizeof *histories);
    ag_free(host, timed->histories, timed->capacity * sizeof *histories);
    timed->histories = histories;
    timed->capacity = steps;
    return AG_OK;
}

void ag_timed_restart(ag_timer *timer, ag_timed *timed, uint32_t steps)
{
    for (uint64_t i = timer->samples_read; i < timer->samples_made; ++i) {
        ag_sample *sample = &timer->samples[i % (timer->capacity / 2)];
        if (sample->timed == timed)
            sample->timed = NULL;
    }
    timed->step_count = steps;
    timed->whole = (ag_history){0};
    for (uint32_t i = 0; i < timed->capacity; ++i)
        timed->histories[i] = (ag_history){0};
}
