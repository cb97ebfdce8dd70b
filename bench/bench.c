// bench.c - what all parts of the bench share: a context, a device on it, a timer, and their names
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include "cli/effect.h"
#include "module.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void copy_text(char out[REPORT_TEXT], const GladGLContext *gl, GLenum name)
{
    const GLubyte *text = gl->GetString(name);
    snprintf(out, REPORT_TEXT, "%s", text ? (const char *)text : "unknown");
}

void bench_open(bench *self, int device)
{
    self->api = effect_api();
    if (!self->api || gpu_open(&self->gpu, device) != STATUS_OK)
        stop(STATUS_FAILED, "there is no OpenGL to measure");
    report_names *names = &self->report.names;
    copy_text(names->renderer, &self->gpu.gl, GL_RENDERER);
    copy_text(names->vendor, &self->gpu.gl, GL_VENDOR);
    copy_text(names->driver, &self->gpu.gl, GL_VERSION);
    snprintf(names->module, sizeof names->module, "%s", self->api->version);
    names->software = gpu_is_software(&self->gpu);
}

// ---- devices -----------------------------------------------------------------------------------

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    if (message->level <= AG_LOG_WARNING)
        note("%s", message->text);
}

ag_host bench_host(bench *self)
{
    return (ag_host){.struct_size = sizeof(ag_host),
                     .user = self->gpu.context,
                     .gl_proc = headless_proc,
                     .log = log_message};
}

void bench_check(const bench *self, ag_status status, const char *what)
{
    must(status >= 0, "%s: %s", what, self->api->status_text(status));
}

void bench_device(bench *self, const ag_device_desc *desc, const ag_host *host)
{
    const ag_host own = bench_host(self);
    bench_check(self, self->api->device_create(host ? host : &own, desc, &self->device),
                "device_create");
}

void bench_ladder(bench *self)
{
    char path[1024], why[512] = "";
    const ag_host host = bench_host(self);
    if (self->ladder_device)
        return;
    if (!self->ladder)
        self->ladder = module_open(module_find("libafterglow_ladder.so.1", path, sizeof path),
                                   &self->ladder_library, why, sizeof why);
    must(self->ladder, "the module of the documents' methods: %s", why);
    bench_check(self, self->ladder->device_create(&host, NULL, &self->ladder_device),
                "device_create of libafterglow_ladder");
}

void bench_timer(bench *self)
{
    char error[1024] = "";
    must(gpu_timer_create(&self->gpu.gl, &self->timer, error, sizeof error), "%s", error);
}

void bench_close(bench *self)
{
    gpu_timer_destroy(&self->timer);
    if (self->device)
        self->api->device_destroy(self->device, 0);
    if (self->ladder_device)
        self->ladder->device_destroy(self->ladder_device, 0);
    if (self->ladder_library)
        dlclose(self->ladder_library);
    for (int i = 0; i < BENCH_PICTURES; i++)
        picture_free(&self->pictures[i].made);
    report_free(&self->report);
    gpu_close(&self->gpu);
    *self = (bench){0};
}

void bench_frame(bench *self)
{
    self->api->frame(self->device, ++self->frame);
    if (self->ladder_device)
        self->ladder->frame(self->ladder_device, self->frame);
}

bool bench_has_extension(const GladGLContext *gl, const char *name)
{
    GLint count = 0;
    gl->GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const char *known = (const char *)gl->GetStringi(GL_EXTENSIONS, (GLuint)i);
        if (known && strcmp(known, name) == 0)
            return true;
    }
    return false;
}

// ---- pictures ----------------------------------------------------------------------------------

const picture *bench_picture(bench *self, picture (*make)(int width, int height), int width,
                             int height)
{
    struct bench_picture *oldest = &self->pictures[0];
    for (int i = 0; i < BENCH_PICTURES; i++) {
        struct bench_picture *at = &self->pictures[i];
        if (at->make == make && at->made.width == width && at->made.height == height) {
            at->used = ++self->picture_uses;
            return &at->made;
        }
        if (at->used < oldest->used)
            oldest = at;
    }
    picture_free(&oldest->made);
    *oldest = (struct bench_picture){make, make(width, height), ++self->picture_uses};
    return &oldest->made;
}

// ---- times -------------------------------------------------------------------------------------

double bench_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    if (!count)
        return (double)NAN;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

typedef struct rotation {
    const measure_work *work;
    int sets; // 1: hot
} rotation;

static bool record(void *user, unsigned turn)
{
    const rotation *self = user;
    return self->work->record(self->work->user, (int)(turn % (unsigned)self->sets));
}

static void between(void *user)
{
    const rotation *self = user;
    if (self->work->between)
        self->work->between(self->work->user);
}

int measure_sets(double set_bytes, double total_bytes)
{
    double sets = ceil(total_bytes / set_bytes);
    return sets < 2 ? 2 : sets > MEASURE_MAX_SETS ? MEASURE_MAX_SETS : (int)sets;
}

void measure(bench *self, const measure_work *work, report_row *row)
{
    rotation hot = {work, 1}, cold = {work, work->sets};
    measured *out = &row->times;
    out->sets = work->sets;
    must(gpu_time_run(&self->timer, &(gpu_work){record, between, &hot}, self->samples, &out->hot) &&
             gpu_time_run(&self->timer, &(gpu_work){record, between, &cold}, self->samples,
                          &out->cold),
         "%s %s failed while it was measured", row->effect, row->variant);
}
