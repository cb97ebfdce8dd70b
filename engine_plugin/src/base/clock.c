// clock.c - the host's clock, or the system's
// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 199309L // clock_gettime
#endif
#include "base/clock.h"

#include <stddef.h>
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <time.h>
#endif

uint64_t ag_now(const ag_host *host)
{
    if (host->now_ns)
        return host->now_ns(host->user);
#if defined(_WIN32)
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    uint64_t whole = (uint64_t)ticks.QuadPart / (uint64_t)rate.QuadPart;
    uint64_t rest = (uint64_t)ticks.QuadPart % (uint64_t)rate.QuadPart;
    return whole * 1000000000u + rest * 1000000000u / (uint64_t)rate.QuadPart;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}
