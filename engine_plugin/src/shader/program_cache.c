// program_cache.c - linked programs in the host's store, verified when they are loaded
// SPDX-License-Identifier: MIT
#include "shader/program_cache.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 48, SUM_AT = 32, MAX_ENTRY = 64 << 20 };
static const char magic[8] = {'A', 'G', 'P', 'R', 'O', 'G', '1', '\n'};

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t get32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_hash(unsigned char *at, ag_hash128 hash)
{
    put(at, hash.low, 8);
    put(at + 8, hash.high, 8);
}

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
    unsigned char both[32];
    put_hash(both, text);
    put_hash(both + 16, cache->driver);
    ag_hash128 key = ag_hash128_of(both, sizeof both);
    put_hash(both, key);
    for (int i = 0; i < 16; ++i)
        snprintf(name + 2 * i, 3, "%02x", both[i]);
    return key;
}

// Computes the hash of an entry, with its hash field set to 0.
static void sum_of(unsigned char *entry, size_t bytes, unsigned char sum[16])
{
    memset(entry + SUM_AT, 0, 16);
    put_hash(sum, ag_hash128_of(entry, bytes));
}

// Whether the entry is undamaged and belongs to this key and this driver.
static bool is_sound(const ag_cache *cache, unsigned char *entry, size_t bytes, ag_hash128 key)
{
    unsigned char sum[16], stored[16], wanted[16];
    if (bytes <= HEAD || memcmp(entry, magic, sizeof magic) != 0 ||
        get32(entry + 28) != bytes - HEAD)
        return false;
    put_hash(wanted, key);
    if (memcmp(entry + 8, wanted, sizeof wanted) != 0)
        return false;
    memcpy(stored, entry + SUM_AT, sizeof stored);
    sum_of(entry, bytes, sum);
    if (memcmp(stored, sum, sizeof sum) != 0)
        return false;
    for (GLint i = 0; i < cache->format_count; ++i)
        if ((uint32_t)cache->formats[i] == get32(entry + 24))
            return true;
    return false;
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
    unsigned char *entry = ag_alloc(host, bytes);
    GLint linked = GL_FALSE;
    if (entry && host->cache_load(host->user, name, entry, bytes) == bytes &&
        is_sound(cache, entry, bytes, key)) {
        gl->ProgramBinary(program, get32(entry + 24), entry + HEAD, (GLsizei)(bytes - HEAD));
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
    unsigned char *entry = ag_alloc(host, bytes);
    if (!entry)
        return;
    GLenum format = 0;
    GLsizei got = 0;
    gl->GetProgramBinary(program, payload, &got, &format, entry + HEAD);
    if (got > 0 && got <= payload) {
        size_t used = HEAD + (size_t)got;
        unsigned char sum[16];
        memcpy(entry, magic, sizeof magic);
        put_hash(entry + 8, key_of(cache, text, name));
        put(entry + 24, format, 4);
        put(entry + 28, (uint64_t)got, 4);
        sum_of(entry, used, sum);
        memcpy(entry + SUM_AT, sum, sizeof sum);
        host->cache_store(host->user, name, entry, used);
    }
    ag_free(host, entry, bytes);
}
