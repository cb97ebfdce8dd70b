// memory.c - host memory: every allocation of the module goes through here
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 };

// Allocates one alignment more. The pointer that malloc returned lies directly before the block.
// (Microsoft's C library has no aligned_alloc.)
static void *default_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGNMENT - sizeof(void *))
        return NULL;
    char *raw = malloc(bytes + ALIGNMENT + sizeof(void *));
    if (!raw)
        return NULL;
    char *start = raw + sizeof(void *);
    char *block = start + (ALIGNMENT - (uintptr_t)start % ALIGNMENT) % ALIGNMENT;
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    return block;
}

static void default_free(void *block)
{
    void *raw;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    free(raw);
}

void *ag_alloc(const ag_host *host, size_t bytes)
{
    void *block = host->alloc ? host->alloc(host->user, bytes, ALIGNMENT) : default_alloc(bytes);
    if (!block) {
        ag_fail(host, AG_E_MEMORY, "the allocator has no memory for %llu bytes",
                (unsigned long long)bytes);
        return NULL;
    }
    return memset(block, 0, bytes);
}

void ag_free(const ag_host *host, void *block, size_t bytes)
{
    if (!block)
        return;
    if (host->alloc)
        host->free(host->user, block, bytes, ALIGNMENT);
    else
        default_free(block);
}

char *ag_copy_string(const ag_host *host, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = ag_alloc(host, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void ag_text_add(ag_text *text, const char *bytes, size_t length)
{
    if (text->failed)
        return;
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = (text->length + length + 1) * 2;
        char *data = ag_alloc(text->host, capacity);
        if (!data) {
            text->failed = true;
            return;
        }
        if (text->length)
            memcpy(data, text->data, text->length);
        ag_free(text->host, text->data, text->capacity);
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void ag_text_print(ag_text *text, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length > 0)
        ag_text_add(text, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

void ag_text_free(ag_text *text)
{
    ag_free(text->host, text->data, text->capacity);
    text->data = NULL;
    text->length = text->capacity = 0;
}
