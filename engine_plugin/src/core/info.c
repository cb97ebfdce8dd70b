// info.c - the counters that an effect's shaders write, in a buffer of its state (common/info.glsl)
// SPDX-License-Identifier: MIT
#include "core/info.h"

ag_status ag_info_make(ag_gpu *gpu, const ag_state *old, ag_state *state)
{
    static const char zeros[AG_INFO_BYTES];
    ag_status status = AG_OK;
    if (old->info_spare.name)
        state->info = old->info_spare;
    else
        status = ag_gpu_buffer(gpu, "afterglow info", AG_ON_GPU, sizeof zeros, zeros, &state->info);
    if (status >= 0 && !old->info.name) // for the next state, so that it allocates nothing
        status = ag_gpu_buffer(gpu, "afterglow info", AG_ON_GPU, sizeof zeros, zeros,
                               &state->info_spare);
    if (status >= 0 && old->info.name) {
        gpu->gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        ag_gpu_copy(gpu, &old->info, 0, &state->info, 0, AG_INFO_BYTES);
    }
    return status;
}

void ag_info_commit(ag_state *old, ag_state *state)
{
    if (old->info.name)
        state->info_spare = old->info;
    old->info = old->info_spare = (ag_memory){0};
}

void ag_info_abandon(ag_gpu *gpu, const ag_state *old, ag_state *state)
{
    if (state->info.name == old->info_spare.name)
        state->info = (ag_memory){0};
    ag_info_free(gpu, state, true);
}

ag_status ag_info_end(ag_gpu *gpu, ag_state *old, ag_state *state, ag_status status)
{
    if (status < 0)
        ag_info_abandon(gpu, old, state);
    else
        ag_info_commit(old, state);
    return status;
}

void ag_info_free(ag_gpu *gpu, ag_state *state, bool with_gl)
{
    ag_gpu_free_buffer(gpu, &state->info, with_gl);
    ag_gpu_free_buffer(gpu, &state->info_spare, with_gl);
}
