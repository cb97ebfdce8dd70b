// decide.h - asks an effect on what of a texture's contents its plan depends (ag_effect.question)
// SPDX-License-Identifier: MIT
#ifndef AG_DECIDE_H
#define AG_DECIDE_H

#include "core/effect.h"

// Sets request->decision. What was decided for a shape stays: a prepare that is pending later, for
// its programs, does not ask again.
//   returns  AG_PENDING: not known yet, of a job with AG_JOB_BACKGROUND
//   errors   those of ag_frame_decide
ag_status ag_decide(ag_gpu *gpu, ag_compiler *compiler, ag_decision *decision, ag_request *request,
                    const ag_shape *shape);
void ag_decision_free(ag_gpu *gpu, ag_decision *decision, bool with_gl);

#endif
