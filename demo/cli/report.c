// cli/report.c - messages, exit statuses and the progress bar
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static void print_line(const char *format, va_list arguments)
{
    progress_clear();
    fputs("afterglow: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return status;
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

int fail_memory(void)
{
    return fail(STATUS_FAILED, "out of memory");
}

void progress(const char *what, int done, int total)
{
    enum { WIDTH = 40 };
    if (!isatty(STDERR_FILENO))
        return;
    if (done >= total) {
        progress_clear();
        return;
    }
    char bar[WIDTH + 1] = {0};
    int filled = (int)((long long)done * WIDTH / total);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    fprintf(stderr, "\r\033[K[%s] %d/%d %.60s", bar, done, total, what);
}

void progress_count(const char *what, unsigned long long done, double rate)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%llu %.30s, %.1f a second", done, what, rate);
}

void progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
