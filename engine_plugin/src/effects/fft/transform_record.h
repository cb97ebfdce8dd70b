// transform_record.h - programs, state and dispatches of the effect "fft"
// SPDX-License-Identifier: MIT
#ifndef AG_TRANSFORM_RECORD_H
#define AG_TRANSFORM_RECORD_H

#include "core/info.h"
#include "effects/fft/ladder.h"
#include "effects/fft/transform.h"

typedef struct ag_transform_detail { // one of the two
    ag_ladder ladder;
    ag_transform transform; // where ladder.method is 0
} ag_transform_detail;

typedef struct ag_transform_state {
    ag_state base;
    ag_ladder_state ladder;
    ag_transform plan;
    const ag_program *programs[AG_TRANSFORM_PASSES];
    // Of the device. factors NULL: the pass has none.
    const ag_memory *twiddles[AG_TRANSFORM_PASSES], *factors[AG_TRANSFORM_PASSES];
} ag_transform_state;

// Work groups along x and y: a dispatch may have more than GL allows along x.
void ag_transform_groups(const ag_transform_pass *pass, uint32_t groups[2]);

// The functions of ag_effect. `detail` is an ag_transform_detail.
ag_status ag_transform_programs(const ag_preparation *prep, const ag_request *request,
                                const void *detail);
ag_status ag_transform_prepare(const ag_preparation *prep, const ag_request *request,
                               const void *detail, const ag_pass_plan *plan, void *old, void *out);
void ag_transform_execute(ag_recording *recording, const ag_request *request, void *out);
void ag_transform_free(ag_gpu *gpu, void *out, bool with_gl);

#endif
