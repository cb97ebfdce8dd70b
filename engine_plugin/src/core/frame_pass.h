// frame_pass.h - what a pass does with the frame of its effect
// SPDX-License-Identifier: MIT
#ifndef AG_FRAME_PASS_H
#define AG_FRAME_PASS_H

#include "core/effect.h"
#include "core/frame_state.h"

// The effect's check, then the shape: of an effect with a frame, from its tables of slots and
// settings.
ag_status ag_frame_check(const ag_host *host, const ag_effect *effect, ag_request *request,
                         ag_shape *shape);
// Bytes of a design, and of a state, which begins as an ag_state and is zero at first.
size_t ag_frame_design_bytes(const ag_effect *effect);
size_t ag_frame_state_bytes(const ag_effect *effect);

// Fills the plan and the design. Calls no GL.
ag_status ag_frame_make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             void *detail, ag_pass_plan *plan);
// Names every shader, so that the driver compiles them all at once.
ag_status ag_frame_compile(const ag_preparation *prep, const ag_request *request,
                           const void *detail);
// Makes a new state. If this fails, `old` stays in use; if it succeeds, `old` has no memory left.
// Live reload repeats it with the same request if a program changed that was dispatched in it. Then
// textures for which ag_frame_uses is false may be deleted already, and prep->may_wait is false.
ag_status ag_frame_prepare(const ag_preparation *prep, const ag_request *request,
                           const void *detail, const ag_pass_plan *plan, void *old, void *state);
void ag_frame_free_state(ag_gpu *gpu, void *state, bool with_gl);
// Goes on with what `make` left unfinished, in a prepare of the job that is prepared already.
void ag_frame_advance(const ag_preparation *prep, const ag_request *request, void *state);
// Answers the effect's question, and sets request->decision. AG_PENDING: the answer is on its way.
ag_status ag_frame_decide(const ag_preparation *prep, ag_request *request, ag_decision *decision);
// Whether the state holds data made from this texture.
bool ag_frame_uses(const void *state, GLuint texture);
void ag_frame_execute(ag_recording *recording, const ag_request *request, void *state);

#endif
