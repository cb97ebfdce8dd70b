// check.h - checks that print what they measured, beside the limit, also when they pass
// SPDX-License-Identifier: MIT
//
// For use inside cmocka tests. CHECK* end the test on failure; check_limit only reports, so that a
// table of cases can go on and fail once at its end. NaN fails every comparison.
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

// The largest |a - b|, and 10 log10(peak^2 / mean square error). A NaN in either gives NaN.
double check_max_error(const double *a, const double *b, size_t count);
double check_psnr(const double *a, const double *b, size_t count, double peak);

// Runs a cmocka group; argv[1], when given, is a cmocka name filter ("*clamp*"). Exits 0 or 1.
#define CHECK_MAIN(argc, argv, tests, setup, teardown) \
    check_main(argc, argv, #tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
int check_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests,
               size_t count, CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
