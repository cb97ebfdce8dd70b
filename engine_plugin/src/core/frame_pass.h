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
size_t ag_frame_design_bytes(const ag_effect *effect);
// A state without memory, with room for the effect's facts and design. NULL: out of memory.
ag_frame_state *ag_frame_new_state(const ag_host *host, const ag_effect *effect);
// Frees a state and its memory; NULL is fine.
void ag_frame_drop_state(ag_gpu *gpu, const ag_effect *effect, ag_frame_state *state, bool with_gl);
// Frees a state's memory but the counter, which the next state takes over.
void ag_frame_forget(ag_gpu *gpu, const ag_effect *effect, ag_frame_state *state);

// Fills the plan and the design. Calls no GL.
ag_status ag_frame_make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             ag_design *design, ag_pass_plan *plan);
// Effects count with "%d levels". After a 1 the word loses its plural: "1 levels" becomes
// "1 level", "1 dispatches" "1 dispatch". Numbers that a letter, digit, point or sign precedes are
// no counts.
void ag_plan_text_singular(char *text);

// Empties a state whose design is made, and names every shader, so that the driver compiles all of
// them at once.
ag_status ag_frame_compile(const ag_preparation *prep, const ag_request *request,
                           ag_frame_state *state);
// Fills a state whose programs are ready. If this fails, `old` stays in use; if it succeeds, `old`
// has no memory left. Live reload repeats it with the same request if a program changed that was
// dispatched in it. Then textures for which ag_frame_uses is false may be deleted already, and
// prep->may_wait is false.
ag_status ag_frame_prepare(const ag_preparation *prep, const ag_request *request,
                           ag_frame_state *old, ag_frame_state *state);
// Goes on with what `make` left unfinished, in a prepare of the job that is prepared already.
void ag_frame_advance(const ag_preparation *prep, const ag_request *request, ag_frame_state *state);
// Whether the state holds data made from this texture.
bool ag_frame_uses(const ag_frame_state *state, GLuint texture);
void ag_frame_execute(ag_recording *recording, const ag_request *request, ag_frame_state *state);

// Answers the effect's question: sets request->decision. What was decided for a shape stays: a
// prepare that is pending later, for its programs, does not ask again.
//   returns  AG_PENDING: not known yet, of a job with AG_JOB_BACKGROUND
ag_status ag_frame_decide(ag_gpu *gpu, ag_compiler *compiler, ag_request *request,
                          const ag_shape *shape, ag_decision *decision);
void ag_frame_free_decision(ag_gpu *gpu, ag_decision *decision, bool with_gl);

#endif
