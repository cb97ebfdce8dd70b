// reload.h - live reload: from changed files to passes that run on new programs, a little each frame
// SPDX-License-Identifier: MIT
//
// One round is one change of the folder: every program of every prepared pass is expanded anew, what
// came out different compiles beside the old one, and when nothing compiles any more each pass whose
// programs all work takes them, all passes in the same frame(). A change meanwhile begins a new round.
#ifndef AG_RELOAD_H
#define AG_RELOAD_H

#include "shader/source.h"

struct ag_device;

typedef struct ag_reload_state {
    bool active;         // a round is under way
    bool untidy;         // builds without users are left, and may still be compiling
    uint32_t round;      // of how many
    uint32_t generation; // rounds that changed what some pass runs
    ag_problem refused;  // the first new problem of this round, or of the prepare now running
    ag_problem told;     // what the host was last told, while it holds
} ag_reload_state;

// The work of one frame(): about `budget` ns, and at most one compile where drivers compile in the call.
void ag_reload_frame(struct ag_device *device, uint64_t budget);
ag_status ag_reload_status(struct ag_device *device, ag_reload *out);
// Whether builds are compiling that a prepare must not wait for.
bool ag_reload_is_compiling(const struct ag_device *device);
// Tells the host of `refused`, unless it was the last to be told.
void ag_reload_tell(struct ag_device *device);
// A pass was prepared from the folder as it is: whatever was told of it holds no more.
void ag_reload_prepared(struct ag_device *device);
void ag_reload_free(struct ag_device *device);

#endif
