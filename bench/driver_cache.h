// driver_cache.h - the driver's own cache of compiled programs: off, or in a folder of this run
// SPDX-License-Identifier: MIT
//
// NVIDIA's driver keeps machine code in the user's home, which would make cold starts warm and know
// the edits of earlier runs. Call these before the first context; children inherit what they set.
#ifndef BENCH_DRIVER_CACHE_H
#define BENCH_DRIVER_CACHE_H

#include <stdbool.h>

// No cache of NVIDIA's driver; with `mesa` nor of Mesa, which then has no program binaries either.
void driver_cache_off(bool mesa);
// A new, empty folder for Mesa's cache, which its binaries need; with `all` for NVIDIA's, too. The
// one of before is deleted. Returns a STATUS_*.
int driver_cache_new(bool all);
// Deletes that folder. Call it when no context is left.
void driver_cache_drop(void);
// Deletes any folder with all that is in it.
void folder_drop(const char *path);

#endif
