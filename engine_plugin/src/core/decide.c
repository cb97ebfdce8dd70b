// decide.c - asks an effect on what of a texture's contents its plan depends (ag_effect.question)
// SPDX-License-Identifier: MIT
#include "core/decide.h"
#include "core/frame_pass.h"
#include "shader/build.h"

#include <string.h>

static void forget(ag_gpu *gpu, ag_decision *d, bool with_gl)
{
    if (d->in_transit && with_gl)
        gpu->gl.DeleteSync(d->in_transit);
    d->in_transit = NULL;
    d->known = false;
}

ag_status ag_decide(ag_gpu *gpu, ag_compiler *compiler, ag_decision *d, ag_request *request,
                    const ag_shape *shape)
{
    bool background = request->flags & AG_JOB_BACKGROUND;
    if (memcmp(&d->shape, shape, sizeof *shape) != 0) {
        forget(gpu, d, true);
        d->shape = *shape;
    }
    request->decision = d->value;
    if (d->known)
        return AG_OK;
    if (background)
        ag_builds_use_threads(compiler);
    // By the embedded shaders, so that a folder with errors does not matter here.
    ag_program_set programs = {.origin = AG_ORIGIN_BUILT_IN};
    ag_preparation prep = {gpu, compiler, &programs, !background, (ag_memory){0}};
    ag_status status = ag_frame_decide(&prep, request, d);
    ag_programs_release(compiler, &programs);
    if (status == AG_PENDING)
        ag_programs_leave(compiler);
    else
        ag_programs_end(compiler);
    d->known = status == AG_OK;
    d->value = request->decision;
    return status;
}

void ag_decision_free(ag_gpu *gpu, ag_decision *d, bool with_gl)
{
    forget(gpu, d, with_gl);
    ag_gpu_free_buffer(gpu, &d->readback, with_gl);
}
