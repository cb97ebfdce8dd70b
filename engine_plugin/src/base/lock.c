// lock.c - the module's one lock, for the process
// SPDX-License-Identifier: MIT
#include "base/lock.h"

// The module's one writable global. tests/tools/check_binary.sh knows its name.
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static SRWLOCK ag_process_lock = SRWLOCK_INIT;

void ag_lock(void)
{
    AcquireSRWLockExclusive(&ag_process_lock);
}

void ag_unlock(void)
{
    ReleaseSRWLockExclusive(&ag_process_lock);
}
#else
#include <pthread.h>

static pthread_mutex_t ag_process_lock = PTHREAD_MUTEX_INITIALIZER;

void ag_lock(void)
{
    pthread_mutex_lock(&ag_process_lock);
}

void ag_unlock(void)
{
    pthread_mutex_unlock(&ag_process_lock);
}
#endif
