// pass.h - one configured effect: its plans, its state, its times
// SPDX-License-Identifier: MIT
#ifndef AG_PASS_H
#define AG_PASS_H

#include "core/effect.h"

struct ag_pass {
    ag_pass *next;
    struct ag_device *owner; // its device's, for the device alone
    ag_gpu *gpu;
    ag_compiler *compiler;
    ag_timer *timer;
    const ag_tuning *tuning; // its device's
    uint32_t copy_speed; // of the GPU, in MB/s, as the host gave it; 0: not known
    const ag_effect *effect;
    ag_pass_plan draft;    // that a declare or a prepare is at work on
    ag_pass_plan declared; // answers declare; nothing runs from it
    void *declared_detail;
    bool prepared; // the rest is valid
    ag_pass_plan plan;
    ag_shape shape;
    ag_request request; // the last one prepared, for live reload; its `sampled` holds for executes
    bool stale;         // live reload could not make again what the kernel's texture gives
    ag_program_set programs;
    void *detail, *state;
    ag_memory scratch; // where the host lends none
    ag_timed timed;
    uint64_t prepare_ns; // of the last prepare that had something to do
    // The counter of non-finite texels travels home through a buffer of its own, so that nobody waits.
    ag_memory mailbox;
    GLsync in_transit;
    uint64_t scrubbed;
    uint32_t scrubbed_seen; // the shaders' counter when it was last read
};

// The pass is not in any list yet.
ag_status ag_pass_create(ag_gpu *gpu, ag_compiler *compiler, ag_timer *timer,
                         const ag_effect *effect, ag_pass **pass);
// Calls GL only if `with_gl`.
void ag_pass_free(ag_pass *pass, bool with_gl);
ag_status ag_pass_slot_size(ag_pass *pass, const ag_job *job, uint32_t slot, int32_t size[3]);
ag_status ag_pass_declare(ag_pass *pass, const ag_job *job, const ag_plan **plan);

typedef struct ag_prepared { // what a prepare came to, beside its status
    bool refused;            // some shader was: compiler->refused says why
    bool renewed;            // the pass has programs of its own choice anew
} ag_prepared;
ag_status ag_pass_prepare(ag_pass *pass, const ag_job *job, ag_prepared *came_to);

ag_status ag_pass_execute(ag_pass *pass, const ag_job *job, uint32_t *barriers);
ag_status ag_pass_stats(const ag_pass *pass, uint32_t step, ag_stats *stats);
// Makes the state again from the last request: programs that it was made with have changed. What must
// be read from a texture that is gone by now waits for the next prepare. On failure all is as before.
ag_status ag_pass_remake(ag_pass *pass);
// Fetches the counter if it has arrived, and sends for it again. Never waits.
void ag_pass_poll(ag_pass *pass);
void ag_pass_forget(ag_pass *pass, uint32_t texture);

#endif
