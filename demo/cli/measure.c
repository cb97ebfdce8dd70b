// cli/measure.c - runs passes many times, as an engine would, and collects their times
// SPDX-License-Identifier: MIT
#include "measure.h"

#include "report.h"

enum {
    WARM_UP_FRAMES = 2,         // at least, so that one-time work is over
    WARM_UP_NS = 200 * 1000000, // and long enough for the GPU to raise its clocks
    IN_FLIGHT = 3,              // frames that the CPU is ahead at most, as in most engines
    LAST_CALLS = 4              // of frame(), until the last result has arrived
};

static int execute(const session_pass *passes, int count, uint64_t frame)
{
    int status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        session *work = passes[i].work;
        passes[i].job->frame = frame;
        passes[i].job->flags |= AG_JOB_TIME_STEPS;
        status = session_check(work, work->api->execute(work->pass, passes[i].job, NULL),
                               STATUS_FAILED, passes[i].effect);
    }
    const session *first = passes->work;
    if (status == STATUS_OK)
        status = session_check(passes->work, first->api->frame(first->device, frame), STATUS_FAILED,
                               "frame");
    return status;
}

int measure_warm_up(const session_pass *passes, int count)
{
    uint64_t start = session_now_ns();
    int status = STATUS_OK;
    for (int i = 0; status == STATUS_OK; i++) {
        if (i >= WARM_UP_FRAMES && session_now_ns() - start >= WARM_UP_NS)
            break;
        status = execute(passes, count, 0);
        passes->work->gpu.gl.Finish();
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

int measure_frames(const session_pass *passes, int count, int frames)
{
    const session *work = passes->work;
    const GladGLContext *gl = &work->gpu.gl;
    int status = STATUS_OK;
    GLsync fences[IN_FLIGHT] = {0};
    for (int i = 0; i < frames && status == STATUS_OK; i++) {
        GLsync *fence = &fences[i % IN_FLIGHT];
        wait_for(gl, fence);
        status = execute(passes, count, (uint64_t)i + 1);
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
