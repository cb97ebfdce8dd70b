// cli/cache.h - compiled programs in a folder of the user's, one file each
// SPDX-License-Identifier: MIT
//
// $XDG_CACHE_HOME/afterglow, or ~/.cache/afterglow. The module checks what it gets, so a file may
// be deleted, cut or overwritten at any time by anyone: the worst is a compile.
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include <stddef.h>

typedef struct cache {
    char *folder; // NULL: there is no place for one, and nothing is kept
} cache;

void cache_open(cache *out); // makes the folder; silent when that is impossible
void cache_close(cache *target);
// As ag_host.cache_load and cache_store.
size_t cache_load(const cache *from, const char *key, void *data, size_t capacity);
void cache_store(const cache *to, const char *key, const void *data, size_t bytes);

#endif
