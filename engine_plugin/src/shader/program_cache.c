// program_cache.c - linked programs in the host's store, verified when they are loaded
// SPDX-License-Identifier: MIT
#include "shader/program_cache.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ENTRY = 64 << 20 };
static const char magic[8] = {'A', 'G', 'P', 'R', 'O', 'G', '1', '\n'};

typedef struct entry_head { // as program_cache.h states it
    char magic[8];
    ag_hash128 key;
    uint32_t format, bytes; // of the payload, which follows
    ag_hash128 sum;
} entry_head;

enum { HEAD = sizeof(entry_head) };
_Static_assert(HEAD == 48, "an entry's head has no padding");

void ag_cache_create(ag_cache *cache, const ag_gpu *gpu)
{
    const ag_gl *gl = &gpu->gl;
    GLint count = 0;
    if (!gpu->host.cache_load || !gl->ProgramBinary || !gl->GetProgramBinary ||
        !gl->ProgramParameteri)
        return;
    gl->GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &count);
    if (count < 1 || count > (GLint)(sizeof cache->formats / sizeof *cache->formats))
        return;
    gl->GetIntegerv(GL_PROGRAM_BINARY_FORMATS, cache->formats);
    cache->format_count = count;
    ag_text words = {.host = &gpu->host};
    static const GLenum names[] = {GL_VENDOR, GL_RENDERER, GL_VERSION};
    for (int i = 0; i < 3; ++i) {
        const char *word = (const char *)gl->GetString(names[i]);
        word = word ? word : "";
        ag_text_add(&words, word, strlen(word) + 1); // its NUL: "a", "bc" differ from "ab", "c"
    }
    cache->available = !words.failed;
    cache->driver = ag_hash128_of(words.data ? words.data : "", words.length);
    ag_text_free(&words);
}

static ag_hash128 key_of(const ag_cache *cache, ag_hash128 text, char name[33])
{
    const ag_hash128 both[] = {text, cache->driver}, key = ag_hash128_of(both, sizeof both);
    for (int i = 0; i < 16; ++i)
        snprintf(name + 2 * i, 3, "%02x", ((const unsigned char *)&key)[i]);
    return key;
}

// The hash of an entry, with its hash field set to 0.
static ag_hash128 sum_of(entry_head *entry, size_t bytes)
{
    entry->sum = (ag_hash128){0};
    return ag_hash128_of(entry, bytes);
}

// Whether the entry is undamaged and belongs to this key and this driver.
static bool is_sound(const ag_cache *cache, entry_head *entry, size_t bytes, ag_hash128 key)
{
    const ag_hash128 stored = entry->sum;
    bool known = false;
    for (GLint i = 0; i < cache->format_count; ++i)
        known = known || (uint32_t)cache->formats[i] == entry->format;
    return known && !memcmp(entry->magic, magic, sizeof magic) && entry->bytes == bytes - HEAD &&
           ag_hash128_equal(entry->key, key) && ag_hash128_equal(stored, sum_of(entry, bytes));
}

bool ag_cache_load(const ag_cache *cache, const ag_gpu *gpu, ag_hash128 text, GLuint program)
{
    const ag_host *host = &gpu->host;
    const ag_gl *gl = &gpu->gl;
    char name[33];
    if (!cache->available)
        return false;
    ag_hash128 key = key_of(cache, text, name);
    size_t bytes = host->cache_load(host->user, name, NULL, 0);
    if (bytes <= HEAD || bytes > MAX_ENTRY)
        return false;
    entry_head *entry = ag_alloc(host, bytes);
    GLint linked = GL_FALSE;
    if (entry && host->cache_load(host->user, name, entry, bytes) == bytes &&
        is_sound(cache, entry, bytes, key)) {
        gl->ProgramBinary(program, entry->format, entry + 1, (GLsizei)entry->bytes);
        gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    }
    ag_free(host, entry, bytes);
    return linked != GL_FALSE;
}

void ag_cache_store(const ag_cache *cache, const ag_gpu *gpu, ag_hash128 text, GLuint program)
{
    const ag_host *host = &gpu->host;
    const ag_gl *gl = &gpu->gl;
    char name[33];
    GLint payload = 0;
    if (!cache->available)
        return;
    gl->GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &payload);
    if (payload <= 0 || payload > MAX_ENTRY - HEAD)
        return;
    size_t bytes = HEAD + (size_t)payload;
    entry_head *entry = ag_alloc(host, bytes);
    if (!entry)
        return;
    GLenum format = 0;
    GLsizei got = 0;
    gl->GetProgramBinary(program, payload, &got, &format, entry + 1);
    if (got > 0 && got <= payload) {
        size_t used = HEAD + (size_t)got;
        memcpy(entry->magic, magic, sizeof magic);
        entry->key = key_of(cache, text, name);
        entry->format = format;
        entry->bytes = (uint32_t)got;
        entry->sum = sum_of(entry, used);
        host->cache_store(host->user, name, entry, used);
    }
    ag_free(host, entry, bytes);
}
