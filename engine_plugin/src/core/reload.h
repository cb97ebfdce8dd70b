// reload.h - live reload: replaces the programs of passes after files changed, a little each frame
// SPDX-License-Identifier: MIT
//
// Each change of the folder is a round. The sources of all programs of all prepared passes are
// expanded again. Programs whose text changed compile beside the old ones. When all have finished,
// each pass whose programs all work takes them, all passes in the same frame(). A change of the
// folder before that begins a new round.
#ifndef AG_RELOAD_H
#define AG_RELOAD_H

#include "core/pass.h"

typedef struct ag_reload_state {
    ag_compiler *compiler;
    ag_pass *const *passes; // the device's list
    bool untidy;            // there are builds without users, which may still be compiling
    uint32_t generation;    // rounds that replaced programs of a pass
    ag_problem told;        // the last error that the host got, until it is corrected
    uint32_t told_in;       // the last round in which it got one
    uint64_t left;          // when the last frame() ended; 0: none has
} ag_reload_state;

// The work of one frame(): about `budget` ns; 0: what the time between frames allows.
void ag_reload_frame(ag_reload_state *reload, uint64_t budget);
ag_status ag_reload_status(const ag_reload_state *reload, ag_reload *out);
// Reports compiler->refused to the host, unless it equals the last report.
void ag_reload_tell(ag_reload_state *reload);
// Call it after a pass was prepared. If all passes run the folder's shaders, the last report is
// void.
void ag_reload_prepared(ag_reload_state *reload);
void ag_reload_free(ag_reload_state *reload);

#endif
