// pass.h - one configured effect: its plans, its state, its times
// SPDX-License-Identifier: MIT
#ifndef AG_PASS_H
#define AG_PASS_H

#include "core/effect.h"

struct ag_pass {
    ag_pass *next;
    struct ag_device *device;
    const ag_effect *effect;
    ag_pass_plan declared; // answers declare; nothing runs from it
    void *declared_detail;
    bool prepared; // the rest is valid
    ag_pass_plan plan;
    ag_shape shape;
    ag_request request; // the last one prepared, for live reload; its `sampled` holds for executes
    bool stale;         // live reload could not make again what the kernel's texture gives
    ag_program_set programs;
    void *detail, *state;
    ag_history history[AG_MAX_STEPS + 1]; // 0: the whole pass; 1 + i: step i
    uint64_t dropped;
    uint64_t prepare_ns; // of the last prepare that had something to do
    // The counter of non-finite texels travels home through a buffer of its own, so that nobody waits.
    ag_memory mailbox;
    GLsync in_transit;
    uint64_t scrubbed;
    uint32_t scrubbed_seen; // the shaders' counter when it was last read
};

ag_status ag_pass_create(struct ag_device *device, const char *effect, ag_pass **pass);
void ag_pass_destroy(ag_pass *pass);
// Frees it without unlinking; calls GL only if `with_gl`.
void ag_pass_free(ag_pass *pass, bool with_gl);
ag_status ag_pass_declare(ag_pass *pass, const ag_job *job, const ag_plan **plan);
ag_status ag_pass_prepare(ag_pass *pass, const ag_job *job);
ag_status ag_pass_execute(ag_pass *pass, const ag_job *job, uint32_t *barriers);
ag_status ag_pass_stats(const ag_pass *pass, uint32_t step, ag_stats *stats);
// Makes the state again from the last request: programs that it was made with have changed. What must
// be read from a texture that is gone by now waits for the next prepare. On failure all is as before.
ag_status ag_pass_remake(ag_pass *pass);
// Fetches the counter if it has arrived, and sends for it again. Never waits.
void ag_pass_poll(ag_pass *pass);
void ag_pass_forget(ag_pass *pass, uint32_t texture);
const char *ag_pass_step_name(const ag_pass *pass, uint32_t step);

#endif
