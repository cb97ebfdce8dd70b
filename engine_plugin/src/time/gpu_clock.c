// gpu_clock.c - converts times of the GPU's clock to the host's clock
// SPDX-License-Identifier: MIT
#include "time/gpu_clock.h"
#include "base/system.h"

#include <math.h>

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

void ag_gpu_clock_read(ag_gpu_clock *clock, const ag_gpu *gpu)
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

void ag_gpu_clock_refresh(ag_gpu_clock *clock, const ag_gpu *gpu)
{
    uint64_t now = ag_now(&gpu->host);
    bool set_back = now + LONGEST_S * second < clock->next; // the host's clock was
    if (now >= clock->next || set_back)
        ag_gpu_clock_read(clock, gpu);
}

bool ag_gpu_clock_place(const ag_gpu_clock *clock, uint64_t gpu, uint64_t *host, uint64_t *error)
{
    if (!clock->known)
        return false;
    double elapsed = apart(gpu, clock->gpu);
    *host = clock->host + (uint64_t)(int64_t)llround(elapsed * (1 + clock->rate));
    *error = (uint64_t)ceil(clock->error + fabs(elapsed) * clock->rate_error);
    return true;
}
