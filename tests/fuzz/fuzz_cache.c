// fuzz_cache.c - entries of the program cache: a driver gets the payload of a sound entry only
// SPDX-License-Identifier: MIT
//
// A GL of four functions replaces the driver and reads all of the payload. The first bytes of the
// input select the fields that are corrected before the entry is returned (magic, key, length,
// format, hash), and the wrong size that the host reports. The rest is the entry.
#include "fuzz.h"
#include "shader/program_cache.h"

#include <stdlib.h>
#include <string.h>

enum {
    FORMAT = 0x9999,
    OTHER = 7,
    KEY_AT = 8,
    FORMAT_AT = 24,
    LENGTH_AT = 28,
    SUM_AT = 32,
    HEAD = 48
};

typedef struct entry {
    uint8_t *bytes;
    size_t size, first_answer; // to the question how long it is
    uint32_t mend;
    bool given; // to the driver
} entry;

static entry now;

static void put(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void put_hash(uint8_t *at, ag_hash128 hash)
{
    put(at, hash.low, 8);
    put(at + 8, hash.high, 8);
}

// Bytes of a key of hex digits.
static void put_key(uint8_t *at, const char *key)
{
    FUZZ_CHECK(strlen(key) == 32);
    for (int i = 0; i < 16; i++) {
        char two[3] = {key[2 * i], key[2 * i + 1], 0}, *end = two;
        at[i] = (uint8_t)strtoul(two, &end, 16);
        FUZZ_CHECK(*end == '\0');
    }
}

static void mend(const char *key)
{
    if (now.size < HEAD)
        return;
    if (now.mend & 1)
        memcpy(now.bytes, "AGPROG1\n", 8);
    if (now.mend & 2)
        put_key(now.bytes + KEY_AT, key);
    if (now.mend & 4)
        put(now.bytes + FORMAT_AT, FORMAT, 4);
    if (now.mend & 8)
        put(now.bytes + LENGTH_AT, now.size - HEAD, 4);
    if (now.mend & 16) {
        memset(now.bytes + SUM_AT, 0, 16);
        put_hash(now.bytes + SUM_AT, ag_hash128_of(now.bytes, now.size));
    }
}

static size_t load(void *user, const char *key, void *data, size_t capacity)
{
    (void)user;
    mend(key);
    if (capacity == 0)
        return now.first_answer;
    if (now.size <= capacity)
        memcpy(data, now.bytes, now.size);
    return now.size;
}

static void store(void *user, const char *key, const void *data, size_t bytes)
{
    (void)user, (void)key, (void)data, (void)bytes;
}

// Checks the entry by rules of its own, not by the module's code.
static void GLAD_API_PTR program_binary(GLuint program, GLenum format, const void *payload,
                                        GLsizei bytes)
{
    (void)program;
    FUZZ_CHECK(now.size > HEAD && (size_t)bytes == now.size - HEAD);
    FUZZ_CHECK(format == FORMAT || format == OTHER);
    FUZZ_CHECK(memcmp(now.bytes, "AGPROG1\n", 8) == 0);
    FUZZ_CHECK(memcmp(payload, now.bytes + HEAD, (size_t)bytes) == 0);
    uint8_t *copy = malloc(now.size), sum[16];
    if (!copy)
        abort();
    memcpy(copy, now.bytes, now.size);
    memset(copy + SUM_AT, 0, 16);
    put_hash(sum, ag_hash128_of(copy, now.size));
    FUZZ_CHECK(memcmp(sum, now.bytes + SUM_AT, 16) == 0);
    free(copy);
    now.given = true;
}

static void GLAD_API_PTR get_programiv(GLuint program, GLenum name, GLint *value)
{
    (void)program, (void)name;
    *value = GL_TRUE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ag_gpu gpu = {
        .host = {.struct_size = sizeof(ag_host), .cache_load = load, .cache_store = store},
        .gl = {.ProgramBinary = program_binary, .GetProgramiv = get_programiv}};
    const ag_cache cache = {
        .available = true, .driver = {1, 2}, .formats = {OTHER, FORMAT}, .format_count = 2};
    fuzz_input input = {data, size};
    uint32_t lie = 0;
    now = (entry){.mend = fuzz_take(&input, 1)};
    lie = fuzz_take(&input, 1);
    now.size = input.left;
    now.first_answer = lie < 128   ? now.size
                       : lie < 160 ? now.size + lie - 140
                                   : fuzz_take(&input, 4);
    now.bytes = malloc(now.size ? now.size : 1);
    if (!now.bytes)
        abort();
    if (now.size > input.left)
        now.size = input.left;
    memcpy(now.bytes, input.at, now.size);
    bool taken = ag_cache_load(&cache, &gpu, (ag_hash128){3, 4}, 1);
    FUZZ_CHECK(taken == now.given);
    FUZZ_CHECK(!taken || now.first_answer == now.size);
    free(now.bytes);
    return 0;
}
