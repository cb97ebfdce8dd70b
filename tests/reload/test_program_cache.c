// test_program_cache.c - programs cached by the host: hits, and damaged entries
// SPDX-License-Identifier: MIT
//
// fuzz/fuzz_cache.c has entries that are cut, too long, or of another size than the host says.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "jobs.h"
#include "minimums.h"
#include "random.h"

// ---- a host that keeps entries in memory -------------------------------------------------------

typedef struct entry {
    char key[40];
    unsigned char *data;
    size_t bytes;
} entry;

typedef struct store {
    entry entries[16];
    int count;
    int loads, stores;
    bool refuse; // store keeps nothing
} store;

static entry *find(store *s, const char *key)
{
    for (int i = 0; i < s->count; ++i)
        if (strcmp(s->entries[i].key, key) == 0)
            return &s->entries[i];
    return NULL;
}

static size_t load(void *user, const char *key, void *data, size_t capacity)
{
    store *s = ((test_host *)user)->extra;
    const entry *e = find(s, key);
    CHECK(strlen(key) == 32 && strspn(key, "0123456789abcdef") == 32);
    CHECK(capacity == 0 || data != NULL);
    if (!e)
        return 0;
    ++s->loads;
    if (e->bytes && e->bytes <= capacity)
        memcpy(data, e->data, e->bytes);
    return e->bytes;
}

static void put(store *s, const char *key, const void *data, size_t bytes)
{
    entry *e = find(s, key);
    if (!e) {
        CHECK(s->count < 16);
        e = &s->entries[s->count++];
        snprintf(e->key, sizeof e->key, "%s", key);
    }
    free(e->data);
    e->data = malloc(bytes ? bytes : 1);
    CHECK(e->data != NULL);
    memcpy(e->data, data, bytes);
    e->bytes = bytes;
}

static void keep(void *user, const char *key, const void *data, size_t bytes)
{
    store *s = ((test_host *)user)->extra;
    ++s->stores;
    if (!s->refuse)
        put(s, key, data, bytes);
}

static void empty(store *s)
{
    for (int i = 0; i < s->count; ++i)
        free(s->entries[i].data);
    *s = (store){0};
}

static void copy(const store *from, store *to)
{
    empty(to);
    for (int i = 0; i < from->count; ++i)
        put(to, from->entries[i].key, from->entries[i].data, from->entries[i].bytes);
}

static bool equal(const store *a, const store *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; ++i)
        same = strcmp(a->entries[i].key, b->entries[i].key) == 0 &&
               a->entries[i].bytes == b->entries[i].bytes &&
               memcmp(a->entries[i].data, b->entries[i].data, a->entries[i].bytes) == 0;
    return same;
}

// ---- a device that uses it ---------------------------------------------------------------------

typedef struct start {                      // what one create + prepare + execute did
    uint32_t compiled, from_cache, offered; // programs; offered: binaries given to the driver
    double *picture;
} start;

// Two programs: the direct convolution and its kernel's sum.
static start run(fixture *f, store *s, const char *version, const char *hide)
{
    test_host h;
    test_job j;
    rng r = {11};
    double values[9 * 7 * 4];
    rng_fill_uniform(&r, values, sizeof values / sizeof *values, 0, 1);
    job_create(f, "convolve", 9, 7, &j);
    job_set(&j, "method", 0, 1);
    texture_upload(f, &j.textures[0], 0, values);
    texture_upload(f, &j.textures[1], 0, values);
    host_init(&h, f->context);
    h.extra = s;
    h.host.cache_load = s ? load : NULL;
    h.host.cache_store = s ? keep : NULL;
    h.trace.hide = hide;
    if (version) {
        h.trace.major = version[0] - '0';
        h.trace.minor = version[2] - '0';
    }
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    CHECK_STATUS(f->ag->device_create(&h.host, NULL, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    uint64_t loads = s ? (uint64_t)s->loads : 0;
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    CHECK_EQ(s ? (uint64_t)s->loads : 0, loads);
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(f->ag->health(device, &health), AG_OK);
    start out = {gl_trace_calls(&h.trace, "glLinkProgram"), health.programs_from_cache,
                 gl_trace_calls(&h.trace, "glProgramBinary"), texture_read(f, job_output(&j), 0)};
    CHECK_EQ(h.message_count, 0); // whatever the entries are, nobody hears of it
    f->ag->device_destroy(device, 0);
    job_destroy(f, &j);
    CHECK(host_finish(&h));
    fixture_current(f);
    return out;
}

// The picture must be `right`; frees the start's.
static bool did(start s, const double *right, uint32_t compiled, uint32_t from_cache,
                uint32_t offered)
{
    bool good = memcmp(s.picture, right, 9 * 7 * 4 * sizeof *right) == 0 &&
                s.compiled == compiled && s.from_cache == from_cache && s.offered == offered;
    if (!good)
        printf("        %u compiled (expected %u), %u from the cache (%u), %u offered (%u)\n",
               s.compiled, compiled, s.from_cache, from_cache, s.offered, offered);
    free(s.picture);
    return good;
}

typedef struct caching {
    fixture *f;
    store good, s;
    double *right;
} caching;

// Whether the entries are good again. Some drivers (NVIDIA's) compile a program to other bytes each
// time; their entries must at least be accepted.
static bool restored(caching *c)
{
    bool same = c->s.count == c->good.count;
    for (int i = 0; same && i < c->s.count; ++i)
        same = strcmp(c->s.entries[i].key, c->good.entries[i].key) == 0;
    if (!same || equal(&c->s, &c->good))
        return same;
    bool taken = did(run(c->f, &c->s, NULL, NULL), c->right, 0, 2, 2);
    copy(&c->good, &c->s);
    return taken;
}

// ---- tests -------------------------------------------------------------------------------------

static int setup(void **state)
{
    static caching c; // cmocka has one state, and it is this
    c = (caching){.f = fixture_open(&(fixture_options){.no_device = true})};
    if (!c.f)
        exit(77);
    GLint formats = 0;
    c.f->gl.GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    if (formats < 1 || minimums_wanted()) { // the module sees none of the driver's, either
        printf("  skip  this driver has no program binaries (Mesa: is its shader cache off?)\n");
        exit(77);
    }
    start cold = run(c.f, &c.good, NULL, NULL);
    CHECK(cold.compiled == 2 && cold.from_cache == 0 && c.good.stores == 2 && c.good.count == 2);
    c.right = cold.picture;
    *state = &c;
    return 0;
}

static int teardown(void **state)
{
    caching *c = *state;
    free(c->right);
    empty(&c->good);
    empty(&c->s);
    return fixture_close(c->f) ? 0 : -1;
}

static void test_hits(void **state)
{
    caching *c = *state;
    copy(&c->good, &c->s);
    CHECK(check_case("warm: nothing is compiled",
                     did(run(c->f, &c->s, NULL, NULL), c->right, 0, 2, 2)));
    CHECK_EQ(c->s.stores, 0);
    CHECK(check_case("no callbacks", did(run(c->f, NULL, NULL, NULL), c->right, 2, 0, 0)));
    empty(&c->s);
    c->s.refuse = true;
    CHECK(check_case("a store that keeps nothing",
                     did(run(c->f, &c->s, NULL, NULL), c->right, 2, 0, 0)));
    CHECK_EQ(c->s.stores, 2);
    empty(&c->s);
    CHECK(check_case("a driver without binaries",
                     did(run(c->f, &c->s, NULL, "glProgramBinary"), c->right, 2, 0, 0)));
    CHECK_EQ(c->s.stores, 0);
    copy(&c->good, &c->s);
    CHECK(check_case("another version of the driver",
                     did(run(c->f, &c->s, "4.3", NULL), c->right, 2, 0, 0)));
    CHECK_EQ(c->s.count, 4); // beside the others
}

// One bit of an entry is flipped: the driver never gets it, and the entry is rewritten as it was.
static void test_flips(void **state)
{
    enum { FLIPS = 200 };
    caching *c = *state;
    rng r = rng_start("flips", 8);
    int accepted = 0;
    copy(&c->good, &c->s);
    for (int i = 0; i < FLIPS; ++i) {
        entry *e = &c->s.entries[i % 2];
        // The head is small: give it a fourth of the flips.
        size_t at = (size_t)rng_int(&r, 0, i % 4 ? (int)e->bytes - 1 : 47);
        e->data[at] ^= (unsigned char)(1 << rng_int(&r, 0, 7));
        c->s.stores = 0;
        bool right =
            did(run(c->f, &c->s, NULL, NULL), c->right, 1, 1, 1) && c->s.stores == 1 && restored(c);
        if (!right) {
            printf("        byte %zu of %zu\n", at, e->bytes);
            ++accepted;
            copy(&c->good, &c->s);
        }
    }
    printf("  ok    %d flips, %d accepted\n", FLIPS, accepted);
    CHECK_EQ(accepted, 0);
}

static void test_swapped(void **state)
{
    caching *c = *state;
    empty(&c->s);
    for (int i = 0; i < 2; ++i)
        put(&c->s, c->good.entries[i].key, c->good.entries[1 - i].data,
            c->good.entries[1 - i].bytes);
    CHECK(check_case("each under the other's key",
                     did(run(c->f, &c->s, NULL, NULL), c->right, 2, 0, 0)));
    CHECK(restored(c));
}

// A payload with a correct hash that the driver itself refuses, as after an update with the same
// version.
static void test_refused_by_driver(void **state)
{
    caching *c = *state;
    copy(&c->good, &c->s);
    entry *e = &c->s.entries[0];
    memset(e->data + 48, 0, e->bytes - 48);
    memset(e->data + 32, 0, 16);
    ag_hash128 sum = ag_hash128_of(e->data, e->bytes);
    for (int i = 0; i < 8; ++i) {
        e->data[32 + i] = (unsigned char)(sum.low >> (8 * i));
        e->data[40 + i] = (unsigned char)(sum.high >> (8 * i));
    }
    fixture_ignore(c->f, true);
    CHECK(check_case("zeros that the driver refuses",
                     did(run(c->f, &c->s, NULL, NULL), c->right, 1, 1, 2)));
    fixture_ignore(c->f, false);
    CHECK(restored(c));
    CHECK(c->f->gl.GetError() == GL_NO_ERROR);
}

static void test_both_or_neither(void **state)
{
    caching *c = *state;
    test_host h;
    ag_device *device = NULL;
    host_init(&h, c->f->context);
    h.host.cache_load = load;
    CHECK_STATUS(c->f->ag->device_create(&h.host, NULL, &device), AG_E_ARG);
    CHECK(!device && host_log_error(&h, AG_E_ARG, "cache_store"));
    CHECK(host_finish(&h));
    fixture_current(c->f);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_hits),
        UNIT_TEST(test_flips),
        UNIT_TEST(test_swapped),
        UNIT_TEST(test_refused_by_driver),
        UNIT_TEST(test_both_or_neither),
    };
    return CHECK_MAIN(argc, argv, tests, setup, teardown);
}
