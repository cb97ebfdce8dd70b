// reload.h - live reload: from changed files to passes that run on new programs, a little each frame
// SPDX-License-Identifier: MIT
//
// One round is one change of the folder: every program of every prepared pass is expanded anew, what
// came out different compiles beside the old one, and when nothing compiles any more each pass whose
// programs all work takes them, all passes in the same frame(). A change meanwhile begins a new round.
#ifndef AG_RELOAD_H
#define AG_RELOAD_H

#include "core/pass.h"

typedef struct ag_reload_state {
    ag_compiler *compiler;
    ag_pass *const *passes; // the first of the device's
    bool untidy;            // builds without users are left, and may still be compiling
    uint32_t generation;    // rounds that changed what some pass runs
    ag_problem told;        // what the host was last told, while it holds
} ag_reload_state;

// The work of one frame(): about `budget` ns, and at most one compile where drivers compile in the call.
void ag_reload_frame(ag_reload_state *reload, uint64_t budget);
ag_status ag_reload_status(const ag_reload_state *reload, ag_reload *out);
// Tells the host of compiler->refused, unless it was the last to be told.
void ag_reload_tell(ag_reload_state *reload);
// A pass was prepared from the folder as it is: whatever was told of it holds no more.
void ag_reload_prepared(ag_reload_state *reload);
void ag_reload_free(ag_reload_state *reload);

#endif
