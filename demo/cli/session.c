// cli/session.c - a context, a device on it, and one pass; sessions may share the first two
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "session.h"

#include "report.h"

#include <stdlib.h>
#include <time.h>

static void *gl_proc(void *user, const char *name)
{
    const session *self = user;
    return headless_proc(self->gpu.context, name);
}

static int32_t is_current(void *user)
{
    const session *self = user;
    return headless_is_current(self->gpu.context);
}

static void log_message(void *user, const ag_message *message)
{
    session *self = user;
    if (message->level == AG_LOG_ERROR)
        self->explained = true;
    if (message->level <= AG_LOG_WARNING)
        note("%s%s", message->level == AG_LOG_WARNING ? "warning: " : "", message->text);
}

static uint64_t now_ns(void *user)
{
    (void)user;
    return session_now_ns();
}

static void keep_span(void *user, const ag_span *span)
{
    session *self = user;
    if (span->frame == 0)
        return; // a warm-up
    if (self->span_count == self->span_capacity) {
        size_t capacity = self->span_capacity ? 2 * self->span_capacity : 1024;
        session_span *grown = realloc(self->spans, capacity * sizeof *grown);
        if (!grown) {
            self->spans_lost = true;
            return;
        }
        self->spans = grown;
        self->span_capacity = capacity;
    }
    self->spans[self->span_count++] = (session_span){
        .pass = span->pass,
        .step = span->step,
        .frame = span->frame,
        .gpu_begin = span->gpu_begin,
        .gpu_end = span->gpu_end,
        .cpu_begin = span->cpu_begin,
        .cpu_end = span->cpu_end,
        .host_begin = span->host_begin,
        .host_end = span->host_end,
        .clock_error = span->clock_error,
    };
}

static size_t load(void *user, const char *key, void *data, size_t capacity)
{
    const session *self = user;
    return cache_load(&self->cache, key, data, capacity);
}

static void store(void *user, const char *key, const void *data, size_t bytes)
{
    const session *self = user;
    cache_store(&self->cache, key, data, bytes);
}

uint64_t session_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int make_pass(session *self, const session_desc *desc)
{
    const ag_effect_info *loaded;
    int status = STATUS_OK;
    if (desc->folder)
        status = session_check(self, self->api->pass_load(self->device, desc->folder, &loaded),
                               STATUS_USAGE, desc->folder);
    if (status == STATUS_OK && desc->effect)
        status =
            session_check(self, self->api->pass_create(self->device, desc->effect, &self->pass),
                          STATUS_FAILED, desc->effect);
    if (status != STATUS_OK)
        session_close(self);
    return status;
}

int session_join(session *out, session *owner, const session_desc *desc)
{
    *out = (session){.api = owner->api,
                     .owner = owner,
                     .gpu = owner->gpu,
                     .device = owner->device,
                     .tuned = owner->tuned};
    return make_pass(out, desc);
}

int session_open(session *out, const session_desc *desc)
{
    *out = (session){.api = desc->api, .owner = out};
    int status = gpu_open(&out->gpu, desc->device);
    if (status != STATUS_OK)
        return status;
    cache_open(&out->cache);
    const ag_host host = {
        .struct_size = sizeof host,
        .user = out,
        .gl_proc = gl_proc,
        .log = log_message,
        .now_ns = now_ns,
        .is_current = is_current,
        .span = keep_span,
        .cache_load = load,
        .cache_store = store,
    };
    const ag_device_desc device = {.struct_size = sizeof device,
                                   .shader_dir = desc->shaders,
                                   .tuning = desc->tuning};
    ag_status made = out->api->device_create(&host, &device, &out->device);
    out->tuned = desc->tuning && made == AG_OK;
    status = session_check(out, made, STATUS_FAILED, "the device cannot be created");
    if (status == STATUS_OK)
        return make_pass(out, desc);
    session_close(out);
    return status;
}

void session_close(session *target)
{
    if (target->api)
        target->api->pass_destroy(target->pass);
    if (target->api && target->owner == target) {
        target->api->device_destroy(target->device, 0);
        gpu_close(&target->gpu);
        cache_close(&target->cache);
        free(target->spans);
    }
    *target = (session){0};
}

int session_check(session *target, ag_status status, int failure, const char *what)
{
    bool explained = target->owner->explained;
    target->owner->explained = false;
    if (status >= 0)
        return STATUS_OK;
    if (!explained)
        fail(failure, "%s: %s", what, target->api->status_text(status));
    return failure;
}
