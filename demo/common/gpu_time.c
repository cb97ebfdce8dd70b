// gpu_time.c - measures the GPU time of recorded work
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "gpu_time.h"

#include "compute.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
    WARM_UP_US = 120 * 1000,
    WARM_UP_BATCH = 16, // executions at most before the CPU waits
    SPIN_NS = 2 * 1000000,
    SPIN_TRIAL = 1 << 14 // rounds of the calibration
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin(const gpu_timer *timer)
{
    const GladGLContext *gl = timer->gl;
    gl->UseProgram(timer->spin);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, timer->sink);
    gl->Uniform1ui(0, timer->spin_rounds);
    gl->DispatchCompute(1, 1, 1);
    gl->UseProgram(0);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    // Without the barrier, later work could run beside the spin, before the first timestamp.
    gl->MemoryBarrier(GL_ALL_BARRIER_BITS);
}

void gpu_timer_busy(const gpu_timer *timer)
{
    spin(timer);
}

static double stamped_us(const gpu_timer *timer, int sample)
{
    GLuint64 begin = 0, end = 0;
    timer->gl->GetQueryObjectui64v(timer->queries[2 * sample], GL_QUERY_RESULT, &begin);
    timer->gl->GetQueryObjectui64v(timer->queries[2 * sample + 1], GL_QUERY_RESULT, &end);
    return (double)(end - begin) * 1e-3;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *sorted, int count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static bool record_spin(void *user, unsigned turn)
{
    (void)turn;
    spin(user);
    return true;
}

// The number of rounds that take SPIN_NS at the clock under load.
static void calibrate(gpu_timer *timer)
{
    gpu_times times;
    timer->spin_rounds = SPIN_TRIAL;
    gpu_time_run(timer, &(gpu_work){.record = record_spin, .user = timer}, 5, &times);
    double rounds = SPIN_TRIAL * (SPIN_NS * 1e-3) / (times.median > 0.1 ? times.median : 0.1);
    timer->spin_rounds = rounds < 1e8 ? (GLuint)rounds : 100000000u;
}

bool gpu_timer_create(const GladGLContext *gl, gpu_timer *out, char *error, size_t error_size)
{
    *out = (gpu_timer){.gl = gl, .warm_up_us = WARM_UP_US};
    out->spin = compute_program(gl, ag_embedded_common, "spin.comp", NULL, error, error_size);
    if (!out->spin)
        return false;
    gl->GenBuffers(1, &out->sink);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, out->sink);
    gl->BufferData(GL_SHADER_STORAGE_BUFFER, 4, NULL, GL_STATIC_DRAW);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    gl->GenQueries(2 * GPU_TIME_MAX_SAMPLES, out->queries);
    calibrate(out);
    return true;
}

void gpu_timer_destroy(gpu_timer *target)
{
    if (target->spin) {
        target->gl->DeleteProgram(target->spin);
        target->gl->DeleteBuffers(1, &target->sink);
        target->gl->DeleteQueries(2 * GPU_TIME_MAX_SAMPLES, target->queries);
    }
    *target = (gpu_timer){0};
}

static void between(const gpu_work *work)
{
    if (work->between)
        work->between(work->user);
}

// Batches grow, so that slow work is not repeated for long and fast work leaves no gaps.
static bool warm_up(const gpu_timer *timer, const gpu_work *work, unsigned *turn)
{
    uint64_t start = now_ns(), wanted = (uint64_t)(timer->warm_up_us * 1e3);
    for (int batch = 1; now_ns() - start < wanted; batch *= batch < WARM_UP_BATCH ? 2 : 1) {
        for (int i = 0; i < batch; i++) {
            if (!work->record(work->user, (*turn)++))
                return false;
            between(work);
        }
        timer->gl->Finish();
    }
    return true;
}

bool gpu_time_run(gpu_timer *timer, const gpu_work *work, int samples, gpu_times *out)
{
    const GladGLContext *gl = timer->gl;
    double gpu[GPU_TIME_MAX_SAMPLES], cpu[GPU_TIME_MAX_SAMPLES];
    unsigned turn = 0;
    if (samples > GPU_TIME_MAX_SAMPLES)
        samples = GPU_TIME_MAX_SAMPLES;
    if (!warm_up(timer, work, &turn))
        return false;
    for (int i = 0; i < samples; i++) {
        spin(timer);
        gl->QueryCounter(timer->queries[2 * i], GL_TIMESTAMP);
        uint64_t begin = now_ns();
        bool recorded = work->record(work->user, turn++);
        cpu[i] = (double)(now_ns() - begin) * 1e-3;
        gl->QueryCounter(timer->queries[2 * i + 1], GL_TIMESTAMP);
        if (!recorded)
            return false;
        gl->Flush();
        between(work);
    }
    for (int i = 0; i < samples; i++)
        gpu[i] = stamped_us(timer, i);
    qsort(gpu, (size_t)samples, sizeof *gpu, compare_doubles);
    qsort(cpu, (size_t)samples, sizeof *cpu, compare_doubles);
    *out = (gpu_times){
        .min = gpu[0],
        .median = median_of(gpu, samples),
        .p95 = gpu[(95 * samples + 99) / 100 - 1], // the smallest that 95 % do not exceed
        .cpu_median = median_of(cpu, samples),
        .samples = samples,
    };
    return true;
}
