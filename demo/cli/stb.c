// cli/stb.c - the implementations of stb, in a target that is compiled without our warnings
// SPDX-License-Identifier: MIT
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb.h"

#include <stdlib.h>
#include <string.h>

_Thread_local stb_budget stb_memory;

enum { HEAD = 16 }; // bytes before each allocation, aligned as malloc does; they hold its size

void *stb_allocate(void *old, size_t size)
{
    size_t before = 0;
    char *whole = old ? (char *)old - HEAD : NULL;
    if (whole)
        memcpy(&before, whole, sizeof before);
    // realloc may hold both the old and the new one.
    stb_memory.wanted = stb_memory.used + size;
    stb_memory.exceeded |= stb_memory.wanted < size || stb_memory.wanted > stb_memory.limit;
    if (stb_memory.exceeded || size > SIZE_MAX - HEAD || !(whole = realloc(whole, size + HEAD)))
        return NULL;
    memcpy(whole, &size, sizeof size);
    stb_memory.used += size - before;
    return whole + HEAD;
}

void stb_release(void *old)
{
    size_t size;
    if (!old)
        return;
    memcpy(&size, (char *)old - HEAD, sizeof size);
    stb_memory.used -= size;
    free((char *)old - HEAD);
}
