// engine.c - the frames of an engine
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "reload.h"

#include <stdlib.h>

int engine_open(engine *out, const reload_wishes *wanted, const ag_host *host, const char *folder)
{
    const pass_case desc = {.effect = "bloom",
                            .width = wanted->size.width,
                            .height = wanted->size.height,
                            .slots = {{"src", .format = GL_RGBA16F},
                                      {"dst", .format = GL_RGBA16F}}};
    const ag_device_desc device = {.struct_size = sizeof device, .shader_dir = folder};
    int status = bench_open(&out->bench, wanted->device);
    if (status != STATUS_OK)
        return status;
    out->frame_us = malloc(RELOAD_FRAMES * sizeof *out->frame_us);
    out->call_us = malloc(RELOAD_FRAMES * sizeof *out->call_us);
    if (!out->frame_us || !out->call_us)
        return fail_memory();
    status = pass_make(&out->bench, &desc, 1, &out->scene);
    if (status != STATUS_OK || !host)
        return status;
    ag_host own = *host;
    if (!own.user)
        own.user = out->bench.gpu.context;
    const ag_api *api = out->bench.api;
    status = bench_device(&out->bench, &device, &own);
    if (status == STATUS_OK)
        status = bench_check(&out->bench, api->pass_create(out->bench.device, "bloom", &out->pass),
                             "pass_create");
    if (status == STATUS_OK)
        status = bench_check(&out->bench, api->prepare(out->pass, &out->scene.sets[0].job),
                             "prepare of bloom");
    return status;
}

void engine_close(engine *target)
{
    for (int i = 0; i < RELOAD_IN_FLIGHT; i++)
        if (target->fences[i])
            target->bench.gpu.gl.DeleteSync(target->fences[i]);
    if (target->pass)
        target->bench.api->pass_destroy(target->pass);
    pass_close(&target->scene);
    bench_close(&target->bench);
    free(target->frame_us);
    free(target->call_us);
    *target = (engine){0};
}

int engine_frame(engine *self, ag_pass *of, const ag_job *job, ag_pass *other, const ag_job *next,
                 ag_status *prepared)
{
    const GladGLContext *gl = &self->bench.gpu.gl;
    const ag_api *api = self->bench.api;
    double begin = bench_now_us();
    GLsync *fence = &self->fences[self->bench.frame++ % RELOAD_IN_FLIGHT];
    if (*fence) {
        gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10000000000u);
        gl->DeleteSync(*fence);
    }
    if (next && (*prepared = api->prepare(other, next)) < 0)
        return fail(STATUS_FAILED, "a prepare failed");
    if (api->execute(of, job, NULL) < 0)
        return fail(STATUS_FAILED, "execute failed");
    double before = bench_now_us();
    if (api->frame(self->bench.device, self->bench.frame) < 0)
        return fail(STATUS_FAILED, "frame failed");
    double after = bench_now_us();
    *fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl->Flush();
    if (self->count < RELOAD_FRAMES) {
        self->call_us[self->count] = after - before;
        self->frame_us[self->count++] = bench_now_us() - begin;
    }
    return STATUS_OK;
}

int engine_frames_for(engine *self, double us)
{
    int status = STATUS_OK;
    for (double begin = bench_now_us(); status == STATUS_OK && bench_now_us() - begin < us;)
        status = engine_frame(self, self->pass, &self->scene.sets[0].job, NULL, NULL, NULL);
    return status;
}
