// driver_cache.h - switches the driver's own program cache off, before the first context
// SPDX-License-Identifier: MIT
#ifndef BENCH_DRIVER_CACHE_H
#define BENCH_DRIVER_CACHE_H

// No cache for this process and its children.
void driver_cache_off(void);
// The same for a run that needs program binaries: Mesa has none without its cache, so it gets an
// empty folder of its own. Returns a STATUS_*.
int driver_cache_new(void);
// Deletes that folder. Call it when no context is left.
void driver_cache_drop(void);

#endif
