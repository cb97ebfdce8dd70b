// viewer/report.c - cli/report.h for a program with a window: messages go to stderr, and the last
// one to the panel
// SPDX-License-Identifier: MIT
#include "report.h"
#include "toast.h"

#include <stdarg.h>
#include <stdio.h>

static char last[512];
static unsigned long count;

static void put(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    fputs("afterglow-viewer: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    vsnprintf(last, sizeof last, format, again);
    va_end(again);
    count++;
}

int fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(format, arguments);
    va_end(arguments);
    return status;
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(format, arguments);
    va_end(arguments);
}

int fail_memory(void)
{
    return fail(STATUS_FAILED, "out of memory");
}

void progress(const char *what, int done, int total)
{
    (void)what, (void)done, (void)total;
}

void progress_clear(void)
{
}

const char *toast_last(unsigned long *number)
{
    *number = count;
    return last;
}
