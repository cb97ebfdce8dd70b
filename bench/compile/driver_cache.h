// driver_cache.h - switches the driver's own program cache off, before the first context
// SPDX-License-Identifier: MIT
#ifndef BENCH_DRIVER_CACHE_H
#define BENCH_DRIVER_CACHE_H

#include <stdbool.h>

// No cache for this process and its children.
void driver_cache_off(void);
// For a run that needs program binaries: Mesa has none without its cache, so it gets an empty
// folder of its own. With `all` NVIDIA's driver gets it, too. Returns a STATUS_*.
int driver_cache_new(bool all);
// Deletes that folder. Call it when no context is left.
void driver_cache_drop(void);

#endif
