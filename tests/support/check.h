// check.h - checks that print what they measured, beside the limit, also when they pass
// SPDX-License-Identifier: MIT
//
// For cmocka tests. CHECK* end the test on failure. check_limit only reports, so that a table of
// cases can continue and fail once at its end. NaN fails every comparison.
#ifndef AG_TEST_CHECK_H
#define AG_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Ends the test with a formatted message unless `condition` holds.
#define CHECK(condition) CHECK_F(condition, "%s", "")
#define CHECK_F(condition, ...) \
    ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, #condition, __VA_ARGS__))

// Integers, pointers compared as values; both are printed when they differ.
#define CHECK_EQ(a, b) check_eq(__FILE__, __LINE__, #a " == " #b, (intmax_t)(a), (intmax_t)(b))
// Statuses, printed by name.
#define CHECK_STATUS(call, expected) \
    check_status(__FILE__, __LINE__, #call, (int)(call), (int)(expected))
// Substring.
#define CHECK_HAS(text, part) check_has(__FILE__, __LINE__, text, part)

// One line per case: "  ok    name: measured <= limit". Ends the test when measured > limit or NaN.
#define CHECK_LIMIT(name, measured, limit) check_limit_at(__FILE__, __LINE__, name, measured, limit)
// The same without ending the test. Returns whether it passed.
bool check_limit(const char *name, double measured, double limit);
// One line per case for yes-or-no results: "  ok    name". Returns `passed`.
bool check_case(const char *name, bool passed);

#if defined(__GNUC__)
#define CHECK_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CHECK_PRINTF(text, first)
#endif

void check_fail(const char *file, int line, const char *expression, const char *format, ...)
    CHECK_PRINTF(4, 5);
void check_eq(const char *file, int line, const char *expression, intmax_t a, intmax_t b);
void check_status(const char *file, int line, const char *expression, int got, int expected);
void check_has(const char *file, int line, const char *text, const char *part);
void check_limit_at(const char *file, int line, const char *name, double measured, double limit);
// "AG_E_ARG" for -1, and so on.
const char *check_status_name(int status);

// malloc; never NULL, also for 0: they end the test when there is no memory.
void *check_allocate(size_t bytes);
double *check_doubles(size_t count);

// The larger of the worst error so far and the next one. A NaN in either stays; fmax would drop it.
double check_worse(double worst, double error);
// The largest |a - b|, and 10 log10(peak^2 / mean square error). A NaN in either gives NaN.
double check_max_error(const double *a, const double *b, size_t count);
double check_psnr(const double *a, const double *b, size_t count, double peak);

// ---- the tests of a program, and how many of them a run takes
//
// Tiers, by the variable AG_TEST_TIER:
//   quick  (the default) what every commit runs: whole tests, and a share of each sweep
//   full   every test and every case of every sweep
//   gpu    as full, and the sizes that need a GPU's memory and speed
// In the other tiers AG_TEST_PART=k/n (1 <= k <= n) takes one of n equal parts: every n-th of the
// whole tests, and every n-th case of each sweep. Together the n parts are everything, once.
typedef enum check_tier { CHECK_QUICK, CHECK_FULL, CHECK_GPU } check_tier;

check_tier check_tier_now(void);

typedef enum check_share {
    CHECK_WHOLE,    // in quick; in the other tiers in one part
    CHECK_SWEEP,    // in every tier and part; calls sweep_start for its cases
    CHECK_FULL_ONLY // not in quick; else as CHECK_WHOLE
} check_share;

typedef struct check_test { // made by UNIT_TEST, FIXTURE_TEST (fixture.h) and similar
    const char *name;
    CMUnitTestFunction run;
    CMFixtureFunction after;
    check_share share;
} check_test;

// clang-format off
#define UNIT_TEST(function) {#function, function, NULL, CHECK_WHOLE}
#define UNIT_SWEEP(function) {#function, function, NULL, CHECK_SWEEP}
// clang-format on

// Selects the cases of a sweep that a run takes: one case of each group of n successive ones, at a
// changing place in the group, and the same cases every time. It lives until the end of the test,
// which prints how many cases were taken and fails if the quick tier took none.
//
//     sweep *share = sweep_start("sizes", 3);
//     for (each size)
//         for (each way)
//             if (sweep_takes(share))
//                 ...
typedef struct sweep sweep;

// The quick tier takes one case of `quick_of`.
sweep *sweep_start(const char *name, uint32_t quick_of);
// True when the next case is one to run.
bool sweep_takes(sweep *s);

// Runs the tests of the group that this tier and part take, and prints the seconds of each. argv[1]
// may be a cmocka name filter ("*clamp*"); a test named in full runs in every tier. Exits 0 or 1;
// a crash ends the process (crash.h).
#define CHECK_MAIN(argc, argv, tests, setup, teardown) \
    check_main(argc, argv, #tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
int check_main(int argc, char **argv, const char *name, const check_test *tests, size_t count,
               CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
