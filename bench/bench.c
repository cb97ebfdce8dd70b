// bench.c - what all parts of the bench share: a context, a device on it, a timer, and their names
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include "cli/effect.h"
#include "cli/report.h"
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

int bench_open(bench *self, int device)
{
    self->api = effect_api();
    int status = self->api ? gpu_open(&self->gpu, device) : STATUS_FAILED;
    if (status != STATUS_OK)
        return status;
    report_names *names = &self->report.names;
    copy_text(names->renderer, &self->gpu.gl, GL_RENDERER);
    copy_text(names->vendor, &self->gpu.gl, GL_VENDOR);
    copy_text(names->driver, &self->gpu.gl, GL_VERSION);
    snprintf(names->module, sizeof names->module, "%s", self->api->version);
    names->software = gpu_is_software(&self->gpu);
    return STATUS_OK;
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

int bench_check(const bench *self, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s", what, self->api->status_text(status));
}

int bench_device(bench *self, const ag_device_desc *desc, const ag_host *host)
{
    const ag_host own = bench_host(self);
    return bench_check(self, self->api->device_create(host ? host : &own, desc, &self->device),
                       "device_create");
}

int bench_ladder(bench *self)
{
    char path[1024], why[512] = "";
    const ag_host host = bench_host(self);
    if (self->ladder_device)
        return STATUS_OK;
    if (!self->ladder)
        self->ladder = module_open(module_find("libafterglow_ladder.so.1", path, sizeof path),
                                   &self->ladder_library, why, sizeof why);
    if (!self->ladder)
        return fail(STATUS_FAILED, "the module of the documents' methods: %s", why);
    return bench_check(self, self->ladder->device_create(&host, NULL, &self->ladder_device),
                       "device_create of libafterglow_ladder");
}

int bench_timer(bench *self)
{
    char error[1024] = "";
    return gpu_timer_create(&self->gpu.gl, &self->timer, error, sizeof error)
               ? STATUS_OK
               : fail(STATUS_FAILED, "%s", error);
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
    if (oldest->made.texels)
        return &oldest->made;
    oldest->make = NULL;
    fail_memory();
    return NULL;
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
