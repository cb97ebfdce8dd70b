// crash.c - reports where a test crashed, on whichever thread
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <execinfo.h>
#endif

#include "gltrace.h"

enum { SIGNALS = 5, FRAMES = 64 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const char *test = "no test";
static _Thread_local const char *note = "nothing noted";

void crash_note(const char *text)
{
    note = text;
}

static void put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void explain(int number)
{
    const gl_trace *trace = gl_trace_current();
    put("\nFAIL: ");
    put(number == SIGSEGV ? "SIGSEGV" : number == SIGABRT ? "SIGABRT" : "a fatal signal");
    put(" in ");
    put(test);
    put(" while: ");
    put(note);
    put("; last GL call: ");
    put(trace && trace->last ? trace->last : "none on this thread");
    put("\n");
#if defined(__GLIBC__)
    void *frames[FRAMES];
    backtrace_symbols_fd(frames, backtrace(frames, FRAMES), STDERR_FILENO);
#endif
    signal(number, SIG_DFL);
    raise(number);
}

void crash_explain(const char *name)
{
    test = name;
#if defined(__GLIBC__)
    void *frame[1]; // the first call loads a library, which no signal handler should
    backtrace(frame, 1);
#endif
    for (int i = 0; i < SIGNALS; ++i) {
        struct sigaction action = {.sa_handler = explain};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i], &action, NULL);
    }
}
