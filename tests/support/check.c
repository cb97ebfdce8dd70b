// check.c - checks that print what they measured
// SPDX-License-Identifier: MIT
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/afterglow.h"

void check_fail(const char *file, int line, const char *expression, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("  FAIL  %s:%d: %s%s%s\n", file, line, expression, text[0] ? ": " : "", text);
    fflush(stdout);
    fflush(stderr);
    _fail(file, line); // on a thread that runs no test: exit status 255
    abort();           // not reached: cmocka jumps out
}

void check_eq(const char *file, int line, const char *expression, intmax_t a, intmax_t b)
{
    if (a != b)
        check_fail(file, line, expression,
                   "%" PRIdMAX " (0x%" PRIxMAX ") against %" PRIdMAX " (0x%" PRIxMAX ")", a,
                   (uintmax_t)a, b, (uintmax_t)b);
}

const char *check_status_name(int status)
{
    static const struct {
        int value;
        const char *name;
    } rows[] = {
#define CHECK_ROW(name, value, text) {value, #name},
        AG_STATUS_LIST(CHECK_ROW)
#undef CHECK_ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (rows[i].value == status)
            return rows[i].name;
    }
    return "no ag_status";
}

void check_status(const char *file, int line, const char *expression, int got, int expected)
{
    if (got != expected)
        check_fail(file, line, expression, "got %s (%d), expected %s (%d)", check_status_name(got),
                   got, check_status_name(expected), expected);
}

void check_has(const char *file, int line, const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        check_fail(file, line, "text holds part", "\"%s\" lacks \"%s\"", text ? text : "(null)",
                   part);
}

bool check_limit(const char *name, double measured, double limit)
{
    bool passed = measured <= limit; // false for NaN
    printf("  %s  %s: %.4g <= %.4g\n", passed ? "ok  " : "FAIL", name, measured, limit);
    fflush(stdout);
    return passed;
}

void check_limit_at(const char *file, int line, const char *name, double measured, double limit)
{
    if (!check_limit(name, measured, limit))
        check_fail(file, line, name, "%.9g > %.9g", measured, limit);
}

bool check_case(const char *name, bool passed)
{
    printf("  %s  %s\n", passed ? "ok  " : "FAIL", name);
    fflush(stdout);
    return passed;
}

void *check_allocate(size_t bytes)
{
    void *block = malloc(bytes ? bytes : 1);
    CHECK(block != NULL);
    return block;
}

double *check_doubles(size_t count)
{
    return check_allocate(count * sizeof(double));
}

double check_worse(double worst, double error)
{
    return error <= worst || isnan(worst) ? worst : error;
}

double check_max_error(const double *a, const double *b, size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; ++i) {
        double error = fabs(a[i] - b[i]);
        if (!(error <= worst)) {
            if (isnan(error))
                return error;
            worst = error;
        }
    }
    return worst;
}

double check_psnr(const double *a, const double *b, size_t count, double peak)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return 10 * log10(peak * peak / (sum / (double)count));
}
