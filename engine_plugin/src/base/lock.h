// lock.h - the module's one lock, for the process: around a GL call that crashes in two threads
// SPDX-License-Identifier: MIT
//
// Devices share nothing, so the module itself needs no lock. NVIDIA's driver needs one: it crashes
// if two threads, each with its own context, call glMaxShaderCompilerThreads at once
// (docs/reload.md).
#ifndef AG_LOCK_H
#define AG_LOCK_H

void ag_lock(void);
void ag_unlock(void);

#endif
