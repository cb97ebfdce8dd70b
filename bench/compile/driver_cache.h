// driver_cache.h - the driver's own cache of programs, of a process that has no context yet
// SPDX-License-Identifier: MIT
#ifndef BENCH_DRIVER_CACHE_H
#define BENCH_DRIVER_CACHE_H

// None, for this process and its children.
void driver_cache_off(void);
// As good as none: Mesa's in a new folder, without which it has no program binaries at all. What it
// finds or leaves there is nobody's. STATUS_*
int driver_cache_new(void);
// The folder goes. Once there is no context any more.
void driver_cache_drop(void);

#endif
