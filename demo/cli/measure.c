// cli/measure.c - runs a pass many times, as an engine would, and collects its times
// SPDX-License-Identifier: MIT
#include "measure.h"

#include "report.h"

enum {
    WARM_UP_FRAMES = 2,         // at least, so that one-time work is over
    WARM_UP_NS = 200 * 1000000, // and long enough for the GPU to raise its clocks
    IN_FLIGHT = 3,              // frames that the CPU is ahead at most, as in most engines
    LAST_CALLS = 4              // of frame(), until the last result has arrived
};

static int execute(session *work, ag_job *job, uint64_t frame)
{
    job->frame = frame;
    int status =
        session_check(work, work->api->execute(work->pass, job, NULL), STATUS_FAILED, "execute");
    if (status == STATUS_OK)
        status = session_check(work, work->api->frame(work->device, frame), STATUS_FAILED, "frame");
    return status;
}

int measure_warm_up(session *work, ag_job *job)
{
    job->flags |= AG_JOB_TIME_STEPS;
    uint64_t start = session_now_ns();
    int status = STATUS_OK;
    for (int i = 0; status == STATUS_OK; i++) {
        if (i >= WARM_UP_FRAMES && session_now_ns() - start >= WARM_UP_NS)
            break;
        status = execute(work, job, 0);
        work->gpu.gl.Finish();
    }
    return status;
}

static void wait_for(const GladGLContext *gl, GLsync *fence)
{
    if (*fence) {
        gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10u * 1000000000u);
        gl->DeleteSync(*fence);
        *fence = NULL;
    }
}

int measure_frames(session *work, ag_job *job, int frames)
{
    const GladGLContext *gl = &work->gpu.gl;
    int status = STATUS_OK;
    GLsync fences[IN_FLIGHT] = {0};
    for (int i = 0; i < frames && status == STATUS_OK; i++) {
        GLsync *fence = &fences[i % IN_FLIGHT];
        wait_for(gl, fence);
        status = execute(work, job, (uint64_t)i + 1);
        *fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        progress("frames", i + 1, frames);
    }
    for (int i = 0; i < IN_FLIGHT; i++)
        wait_for(gl, &fences[i]);
    gl->Finish();
    for (int i = 0; i < LAST_CALLS; i++)
        work->api->frame(work->device, (uint64_t)frames + 1);
    return status;
}
