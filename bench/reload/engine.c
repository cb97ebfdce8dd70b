// engine.c - the frames of an engine
// SPDX-License-Identifier: MIT
#include "reload.h"

#include <stdlib.h>

void engine_open(engine *out, const reload_wishes *wanted, const ag_host *host, const char *folder)
{
    const pass_case desc = bloom_case(wanted->size, NULL);
    const ag_device_desc device = {.struct_size = sizeof device, .shader_dir = folder};
    bench_open(&out->bench, wanted->device);
    out->frame_us = need_memory(RELOAD_FRAMES * sizeof *out->frame_us);
    out->call_us = need_memory(RELOAD_FRAMES * sizeof *out->call_us);
    pass_make(&out->bench, &desc, 1, &out->scene);
    ag_host own = *host;
    own.user = out->bench.gpu.context;
    const ag_api *api = out->bench.api;
    bench_device(&out->bench, &device, &own);
    bench_check(&out->bench, api->pass_create(out->bench.device, "bloom", &out->pass),
                "pass_create");
    bench_check(&out->bench, api->prepare(out->pass, &out->scene.sets[0].job), "prepare of bloom");
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

ag_status engine_frame(engine *self, ag_pass *of, const ag_job *job, ag_pass *other,
                       const ag_job *next)
{
    const GladGLContext *gl = &self->bench.gpu.gl;
    const ag_api *api = self->bench.api;
    ag_status prepared = AG_OK;
    double begin = bench_now_us();
    GLsync *fence = &self->fences[self->bench.frame++ % RELOAD_IN_FLIGHT];
    if (*fence) {
        gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10000000000u);
        gl->DeleteSync(*fence);
    }
    if (next)
        bench_check(&self->bench, prepared = api->prepare(other, next), "prepare");
    bench_check(&self->bench, api->execute(of, job, NULL), "execute");
    double before = bench_now_us();
    bench_check(&self->bench, api->frame(self->bench.device, self->bench.frame), "frame");
    double after = bench_now_us();
    *fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl->Flush();
    if (self->count < RELOAD_FRAMES) {
        self->call_us[self->count] = after - before;
        self->frame_us[self->count++] = bench_now_us() - begin;
    }
    return prepared;
}

void engine_frames_for(engine *self, double us)
{
    for (double begin = bench_now_us(); bench_now_us() - begin < us;)
        engine_frame(self, self->pass, &self->scene.sets[0].job, NULL, NULL);
}
