// frame_effect.h - the hooks of an effect that has a frame
// SPDX-License-Identifier: MIT
#ifndef AG_FRAME_EFFECT_H
#define AG_FRAME_EFFECT_H

#include "core/effect.h"
#include "core/frame_state.h"

// In an effect's row: bytes of what its `design` fills, and of its facts.
#define AG_FRAME_HOOKS(design_bytes, facts_bytes)                                           \
    .state_bytes = sizeof(ag_frame_state) + (facts_bytes),                                  \
    .detail_bytes = sizeof(ag_design) + (design_bytes), .plan = ag_frame_make_plan,         \
    .programs = ag_frame_compile, .prepare = ag_frame_prepare, .execute = ag_frame_execute, \
    .free_state = ag_frame_free_state, .uses = ag_frame_uses, .advance = ag_frame_advance,  \
    .decide = ag_frame_decide

// The effect's check, then the shape: of an effect with a frame, from its tables of slots and
// settings.
ag_status ag_frame_check(const ag_host *host, const ag_effect *effect, ag_request *request,
                         ag_shape *shape);
ag_status ag_frame_make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             void *detail, ag_pass_plan *plan);
ag_status ag_frame_compile(const ag_preparation *prep, const ag_request *request,
                           const void *detail);
ag_status ag_frame_prepare(const ag_preparation *prep, const ag_request *request,
                           const void *detail, const ag_pass_plan *plan, void *old, void *state);
void ag_frame_free_state(ag_gpu *gpu, void *state, bool with_gl);
void ag_frame_advance(const ag_preparation *prep, const ag_request *request, void *state);
ag_status ag_frame_decide(const ag_preparation *prep, ag_request *request, ag_decision *decision);
bool ag_frame_uses(const void *state, GLuint texture);
void ag_frame_execute(ag_recording *recording, const ag_request *request, void *state);

#endif
