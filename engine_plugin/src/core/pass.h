// pass.h - one configured effect: its plans, its state, its times
// SPDX-License-Identifier: MIT
#ifndef AG_PASS_H
#define AG_PASS_H

#include "core/effect.h"
#include "core/loaded.h"
#include "core/request.h"

struct ag_pass {
    ag_pass *next;
    struct ag_device *owner; // its device; only the device uses this
    ag_gpu *gpu;
    ag_compiler *compiler;
    ag_timer *timer;
    const ag_tuning *tuning; // of its device
    uint32_t copy_speed;     // ag_device_desc.copy_speed, MB/s; 0: not known
    const ag_effect *effect;
    const ag_loaded *loaded;  // the folder that it comes from; NULL: an effect of the module
    const ag_effect *refused; // an edit of it that failed to prepare in that round
    uint32_t refused_in;
    ag_pass_plan draft; // the plan that declare or prepare made last; nothing runs from it
    struct ag_design *declared_design;
    bool prepared; // the members below are valid
    ag_pass_plan plan;
    ag_shape shape;
    ag_request request; // the last one prepared, for live reload; its `sampled` holds for executes
    // The last jobs that execute checked wholly, while the host's textures and the pass's plan are
    // the same: two, because engines alternate between two frames' textures.
    ag_kept_request executed[2];
    uint32_t executed_last;     // the one that was used last
    uint64_t executed_textures; // ag_gpu.texture_changes then
    bool stale; // live reload could not recompute the spectrum: its texture was deleted
    ag_program_set programs;
    struct ag_frame_state *state;
    ag_memory scratch; // if the host lends none
    ag_decision decision;
    ag_timed timed;
    uint64_t prepare_ns; // of the last prepare that had something to do
    // The counter of non-finite texels is copied to a readback buffer, so that nothing waits.
    ag_memory readback;
    GLsync in_transit;
    uint64_t scrubbed;
    uint32_t scrubbed_seen; // the shaders' counter at the last readback
};

// The folder that its shaders come from; NULL: embedded ones.
ag_watch *ag_pass_folder(const ag_pass *pass);
// Whether its folder describes another pass by now, so that its programs stay as they are until a
// prepare.
bool ag_pass_is_former(const ag_pass *pass);
// The pass is not in any list yet.
ag_status ag_pass_create(ag_gpu *gpu, ag_compiler *compiler, ag_timer *timer,
                         const ag_effect *effect, ag_pass **pass);
// Calls GL only if `with_gl`.
void ag_pass_free(ag_pass *pass, bool with_gl);
// Functions of the interface, here and below: NULL passes give AG_E_ARG.
ag_status ag_pass_slot_size(ag_pass *pass, const ag_job *job, uint32_t slot, int32_t size[3]);
ag_status ag_pass_declare(ag_pass *pass, const ag_job *job, const ag_plan **plan);
// If a shader fails, compiler->refused has the reason; the caller reports it.
ag_status ag_pass_prepare(ag_pass *pass, const ag_job *job);
ag_status ag_pass_execute(ag_pass *pass, const ag_job *job, uint32_t *barriers);
ag_status ag_pass_stats(const ag_pass *pass, uint32_t step, ag_stats *stats);
// Creates the state again from the last request, because programs that computed it have changed. If
// that needs a texture that was deleted, it is left to the next prepare. On failure nothing
// changes.
ag_status ag_pass_remake(ag_pass *pass);
// Reads the counter of non-finite texels if it has arrived, and starts the next readback. Never
// waits.
void ag_pass_poll(ag_pass *pass);
void ag_pass_forget(ag_pass *pass, uint32_t texture);

#endif
