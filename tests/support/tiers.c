// tiers.c - selects the tests and the cases of sweeps of a run, and measures their time
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 199309L // clock_gettime, fnmatch

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "crash.h"

enum { MAX_TESTS = 64, MAX_SWEEPS = 32 };

// A misspelt tier must not be taken for quick.
static void refuse(const char *name, const char *value, const char *expected)
{
    fprintf(stderr, "%s is '%s'; expected %s\n", name, value, expected);
    exit(2);
}

check_tier check_tier_now(void)
{
    static const char *const names[] = {"quick", "full", "gpu"};
    const char *text = getenv("AG_TEST_TIER");
    if (!text || !*text)
        return CHECK_QUICK;
    for (int i = 0; i < 3; ++i)
        if (strcmp(text, names[i]) == 0)
            return (check_tier)i;
    refuse("AG_TEST_TIER", text, "quick, full or gpu");
    return CHECK_QUICK; // not reached
}

static void read_part(uint32_t *part, uint32_t *of)
{
    *part = 0;
    *of = 1;
    const char *text = getenv("AG_TEST_PART");
    if (check_tier_now() == CHECK_QUICK || !text || !*text)
        return;
    unsigned k = 0, n = 0;
    char rest = 0;
    if (sscanf(text, "%u/%u%c", &k, &n, &rest) != 2 || k < 1 || k > n)
        refuse("AG_TEST_PART", text, "k/n with 1 <= k <= n");
    *part = k - 1;
    *of = n;
}

// ---- sweeps ------------------------------------------------------------------------------------

static uint64_t mix(uint64_t z) // splitmix64's
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

struct sweep {
    uint64_t key;
    uint32_t of, part; // one case of `of`: number `part`
    uint32_t count, taken;
    const char *name;
};

static sweep sweeps[MAX_SWEEPS]; // of the running test
static size_t sweep_count;

sweep *sweep_start(const char *name, uint32_t quick_of)
{
    if (sweep_count == MAX_SWEEPS)
        abort();
    sweep *s = &sweeps[sweep_count++];
    *s = (sweep){.name = name};
    for (const char *c = name; *c; ++c)
        s->key = mix(s->key + (unsigned char)*c + 0x9e3779b97f4a7c15u);
    read_part(&s->part, &s->of);
    if (check_tier_now() == CHECK_QUICK)
        s->of = quick_of;
    return s;
}

bool sweep_takes(sweep *s)
{
    uint32_t turn = s->count / s->of, place = s->count % s->of;
    bool takes = place == (mix(s->key + turn) + s->part) % s->of;
    ++s->count;
    s->taken += takes;
    return takes;
}

// False if the quick tier's share of a sweep was empty: such a test could not fail.
static bool end_sweeps(void)
{
    bool good = true;
    for (size_t i = 0; i < sweep_count; ++i) {
        const sweep *s = &sweeps[i];
        bool empty = check_tier_now() == CHECK_QUICK && !s->taken;
        printf("  %s %s: %u of %u cases%s", empty ? "FAIL " : "share", s->name, s->taken, s->count,
               s->of > 1 ? "" : "\n");
        if (s->of > 1)
            printf(" (one of %u, part %u: AG_TEST_TIER, AG_TEST_PART)\n", s->of, s->part + 1);
        good = good && !empty;
    }
    sweep_count = 0;
    return good;
}

// ---- a program ---------------------------------------------------------------------------------

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// The tests of this run in order, and the running one.
static const check_test *chosen[MAX_TESTS];
static size_t chosen_count, begun;
static double start;

static int begin(void **state)
{
    (void)state;
    ++begun;
    sweep_count = 0;
    start = seconds();
    return 0;
}

static void run(void **state)
{
    crash_explain(chosen[begun - 1]->name);
    chosen[begun - 1]->run(state);
}

static int end(void **state)
{
    const check_test *test = chosen[begun - 1];
    int result = test->after ? test->after(state) : 0;
    printf("  time  %s: %.2f s\n", test->name, seconds() - start);
    return end_sweeps() ? result : 1;
}

// Whether this tier and part take the test; `at` counts the tests that are divided among parts.
static bool takes(const check_test *test, size_t *at)
{
    uint32_t part, of;
    read_part(&part, &of);
    if (test->share == CHECK_SWEEP)
        return true;
    if (test->share == CHECK_FULL_ONLY && check_tier_now() == CHECK_QUICK)
        return false;
    return (*at)++ % of == part;
}

// Whether AG_TEST_SKIP names a test: a list, separated by spaces, of tests that a driver is known
// to fail.
static bool is_left_out(const char *name)
{
    const char *list = getenv("AG_TEST_SKIP");
    size_t length = strlen(name);
    for (const char *at = list ? strstr(list, name) : NULL; at; at = strstr(at + 1, name)) {
        bool whole = (at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
        if (whole)
            printf("  left out by AG_TEST_SKIP: %s\n", name);
        if (whole)
            return true;
    }
    return false;
}

int check_main(int argc, char **argv, const char *name, const check_test *tests, size_t count,
               CMFixtureFunction setup, CMFixtureFunction teardown)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct CMUnitTest units[MAX_TESTS] = {{0}};
    const char *filter = argc > 1 ? argv[1] : "*";
    size_t at = 0;
    chosen_count = begun = 0;
    for (size_t i = 0; i < count; ++i) {
        bool named = strcmp(filter, tests[i].name) == 0;
        if (!named && is_left_out(tests[i].name))
            continue;
        if (named || (takes(&tests[i], &at) && fnmatch(filter, tests[i].name, 0) == 0)) {
            if (chosen_count == MAX_TESTS)
                abort();
            units[chosen_count] = (struct CMUnitTest){
                .name = tests[i].name, .test_func = run, .setup_func = begin, .teardown_func = end};
            chosen[chosen_count++] = &tests[i];
        }
    }
    if (chosen_count == 0) { // a part without tests, or a filter that matches none
        printf("none of %zu tests is in this tier and part, or fits %s\n", count, filter);
        return strcmp(filter, "*") == 0 ? 0 : 2;
    }
    return _cmocka_run_group_tests(name, units, chosen_count, setup, teardown) == 0 ? 0 : 1;
}
