// lock.h - the module's one lock, for the process: around what drivers do not survive in two threads
// SPDX-License-Identifier: MIT
//
// Devices share nothing, so nothing of the module's needs a lock. NVIDIA's driver does: two threads, each
// with a context of its own, that are in glMaxShaderCompilerThreads at once crash in it (docs/reload.md).
#ifndef AG_LOCK_H
#define AG_LOCK_H

void ag_lock(void);
void ag_unlock(void);

#endif
