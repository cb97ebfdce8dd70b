// memory.h - host memory: every allocation of the module goes through here
// SPDX-License-Identifier: MIT
#ifndef AG_MEMORY_H
#define AG_MEMORY_H

#include <afterglow/afterglow.h>
#include <stdbool.h>

// Zeroed memory aligned to 16 bytes. NULL if the allocator fails, which is logged.
void *ag_alloc(const ag_host *host, size_t bytes);
// `bytes` as given to ag_alloc; NULL is fine.
void ag_free(const ag_host *host, void *block, size_t bytes);
// A copy of a string, freed by ag_free(host, copy, strlen(copy) + 1).
char *ag_copy_string(const ag_host *host, const char *text);

// Text that grows. `failed` stays set after a failed allocation, so callers check it once, at the
// end.
typedef struct ag_text {
    const ag_host *host;
    char *data; // NUL-terminated when not NULL
    size_t length, capacity;
    bool failed;
} ag_text;

void ag_text_add(ag_text *text, const char *bytes, size_t length);
void ag_text_print(ag_text *text, const char *format, ...);
void ag_text_free(ag_text *text);

#endif
