// cli/cache.h - compiled programs in a folder of the user, one file each
// SPDX-License-Identifier: MIT
//
// The folder is $XDG_CACHE_HOME/afterglow, or ~/.cache/afterglow. The module checks every entry
// that it loads, so files may be deleted, truncated or overwritten at any time: a program is then
// compiled.
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include <stddef.h>

typedef struct cache {
    char *folder; // NULL: there is no such folder, and nothing is cached
} cache;

void cache_open(cache *out); // creates the folder; prints nothing if that fails
void cache_close(cache *target);
// As ag_host.cache_load and cache_store.
size_t cache_load(const cache *from, const char *key, void *data, size_t capacity);
void cache_store(const cache *to, const char *key, const void *data, size_t bytes);

#endif
