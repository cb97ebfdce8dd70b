// system.c - what the operating system gives: a clock, the process's lock, files
// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // clock_gettime, nanosleep, and the nanoseconds of stat
#endif
#include "base/system.h"

#include <stdio.h>
#include <time.h>

#include <sys/stat.h>
#include <sys/types.h>
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#endif

// The lock is the module's one writable global. tests/tools/check_binary.sh knows its name.

#if defined(_WIN32)

static SRWLOCK ag_process_lock = SRWLOCK_INIT;

void ag_lock(void)
{
    AcquireSRWLockExclusive(&ag_process_lock);
}

void ag_unlock(void)
{
    ReleaseSRWLockExclusive(&ag_process_lock);
}

static uint64_t system_now(void)
{
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    uint64_t whole = (uint64_t)ticks.QuadPart / (uint64_t)rate.QuadPart;
    uint64_t rest = (uint64_t)ticks.QuadPart % (uint64_t)rate.QuadPart;
    return whole * 1000000000u + rest * 1000000000u / (uint64_t)rate.QuadPart;
}

void ag_sleep(uint32_t ms)
{
    Sleep(ms);
}

static int64_t system_date(void) // in ns, on the clock of ag_file_stamp.changed
{
    return 0;
}

enum { PATH_UNITS = 1200 };
typedef struct _stat64 path_info;
#if !defined(S_ISREG) // Microsoft's headers
#define S_ISREG(mode) ((mode)&_S_IFREG)
#define S_ISDIR(mode) ((mode)&_S_IFDIR)
#endif

static bool widen(const char *path, wchar_t wide[PATH_UNITS])
{
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_UNITS) > 0;
}

static bool look(const char *path, path_info *info)
{
    wchar_t wide[PATH_UNITS];
    return widen(path, wide) && _wstat64(wide, info) == 0;
}

static bool may_enter(const char *path)
{
    (void)path;
    return true;
}

static ag_file_stamp stamp_of(const path_info *info)
{
    return (
        ag_file_stamp){.exists = true, .seconds = info->st_mtime, .size = (uint64_t)info->st_size};
}

static FILE *open_file(const char *path)
{
    wchar_t wide[PATH_UNITS];
    return widen(path, wide) ? _wfopen(wide, L"rb") : NULL;
}

#else

static pthread_mutex_t ag_process_lock = PTHREAD_MUTEX_INITIALIZER;

void ag_lock(void)
{
    pthread_mutex_lock(&ag_process_lock);
}

void ag_unlock(void)
{
    pthread_mutex_unlock(&ag_process_lock);
}

static int64_t nanoseconds_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t system_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)nanoseconds_of(now);
}

void ag_sleep(uint32_t ms)
{
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static int64_t system_date(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_REALTIME, &now) == 0 ? nanoseconds_of(now) : 0;
}

typedef struct stat path_info;

static bool look(const char *path, path_info *info)
{
    return stat(path, info) == 0;
}

static bool may_enter(const char *path) // and list, if it is a folder
{
    return access(path, R_OK | X_OK) == 0;
}

static ag_file_stamp stamp_of(const path_info *info)
{
    // A time in whole hundredths of a second is not taken: file systems that keep seconds would
    // make a file older than it is.
    bool precise = info->st_ctim.tv_nsec % 10000000 != 0;
    return (ag_file_stamp){.exists = true,
                           .seconds = info->st_mtim.tv_sec,
                           .nanoseconds = info->st_mtim.tv_nsec,
                           .size = (uint64_t)info->st_size,
                           .inode = (uint64_t)info->st_ino,
                           .changed = precise ? nanoseconds_of(info->st_ctim) : 0};
}

// O_NONBLOCK, because the path may have become a FIFO since it was looked at. It has no effect on
// regular files.
static FILE *open_file(const char *path)
{
    path_info info;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    bool regular = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = regular ? fdopen(descriptor, "rb") : NULL;
    if (!file)
        close(descriptor);
    return file;
}

#endif

uint64_t ag_now(const ag_host *host)
{
    return host->now_ns ? host->now_ns(host->user) : system_now();
}

// ---- files -------------------------------------------------------------------------------------

ag_file_stamp ag_file_look(const char *path)
{
    path_info info;
    bool regular = look(path, &info) && S_ISREG(info.st_mode);
    return regular ? stamp_of(&info) : (ag_file_stamp){0};
}

bool ag_folder_readable(const char *path)
{
    path_info info;
    return look(path, &info) && S_ISDIR(info.st_mode) && may_enter(path);
}

bool ag_file_stamp_equal(const ag_file_stamp *a, const ag_file_stamp *b)
{
    return a->exists == b->exists && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->size == b->size && a->inode == b->inode;
}

uint64_t ag_file_stamp_age(const ag_file_stamp *stamp)
{
    int64_t age = stamp->changed ? system_date() - stamp->changed : 0;
    return age > 0 ? (uint64_t)age : 0;
}

bool ag_file_stamp_is_young(const ag_file_stamp *stamp)
{
    return stamp->exists && stamp->seconds + 2 >= (int64_t)time(NULL);
}

ag_file_answer ag_file_read(const char *path, uint64_t most, ag_text *out)
{
    path_info info;
    if (!look(path, &info))
        return AG_FILE_UNREADABLE;
    if (!S_ISREG(info.st_mode))
        return AG_FILE_SPECIAL;
    if ((uint64_t)info.st_size > most)
        return AG_FILE_TOO_LARGE;
    FILE *file = open_file(path);
    if (!file)
        return AG_FILE_UNREADABLE;
    char block[4096];
    size_t got;
    size_t start = out->length;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        ag_text_add(out, block, got);
        if (out->failed || out->length - start > most) // the file grows while it is read
            break;
    }
    bool good = !ferror(file);
    fclose(file);
    return out->failed                  ? AG_FILE_NO_MEMORY
           : out->length - start > most ? AG_FILE_TOO_LARGE
           : good                       ? AG_FILE_READ
                                        : AG_FILE_UNREADABLE;
}
