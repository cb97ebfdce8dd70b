// file.c - the file system through the C library: a file's stamp and its content
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stat's nanoseconds
#include "base/file.h"

#include <stdio.h>
#include <time.h>

#include <sys/stat.h>
#include <sys/types.h>
#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { PATH_UNITS = 1200 };

static bool widen(const char *path, wchar_t wide[PATH_UNITS])
{
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_UNITS) > 0;
}

ag_file_stamp ag_file_look(const char *path)
{
    wchar_t wide[PATH_UNITS];
    struct _stat64 info;
    if (!widen(path, wide) || _wstat64(wide, &info) != 0 || !(info.st_mode & _S_IFREG))
        return (ag_file_stamp){0};
    return (
        ag_file_stamp){.exists = true, .seconds = info.st_mtime, .size = (uint64_t)info.st_size};
}

uint64_t ag_file_stamp_age(const ag_file_stamp *stamp)
{
    (void)stamp;
    return 0;
}

static bool is_special(const char *path)
{
    wchar_t wide[PATH_UNITS];
    struct _stat64 info;
    return widen(path, wide) && _wstat64(wide, &info) == 0 && !(info.st_mode & _S_IFREG);
}

bool ag_folder_readable(const char *path)
{
    wchar_t wide[PATH_UNITS];
    struct _stat64 info;
    return widen(path, wide) && _wstat64(wide, &info) == 0 && (info.st_mode & _S_IFDIR);
}

static FILE *open_file(const char *path)
{
    wchar_t wide[PATH_UNITS];
    return widen(path, wide) ? _wfopen(wide, L"rb") : NULL;
}

#else

// 0 for a time in whole hundredths of a second: file systems that keep seconds would make a file
// older than it is.
static int64_t nanoseconds_of(struct timespec t)
{
    return t.tv_nsec % 10000000 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
}

ag_file_stamp ag_file_look(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return (ag_file_stamp){0};
    return (ag_file_stamp){.exists = true,
                           .seconds = info.st_mtim.tv_sec,
                           .nanoseconds = info.st_mtim.tv_nsec,
                           .size = (uint64_t)info.st_size,
                           .inode = (uint64_t)info.st_ino,
                           .changed = nanoseconds_of(info.st_ctim)};
}

uint64_t ag_file_stamp_age(const ag_file_stamp *stamp)
{
    struct timespec now;
    if (!stamp->changed || clock_gettime(CLOCK_REALTIME, &now) != 0)
        return 0;
    int64_t age = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - stamp->changed;
    return age > 0 ? (uint64_t)age : 0;
}

static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

bool ag_folder_readable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) && access(path, R_OK | X_OK) == 0;
}

// O_NONBLOCK, because the path may have become a FIFO since is_special looked. It has no effect on
// regular files.
static FILE *open_file(const char *path)
{
    struct stat info;
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

bool ag_file_stamp_equal(const ag_file_stamp *a, const ag_file_stamp *b)
{
    return a->exists == b->exists && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->size == b->size && a->inode == b->inode;
}

bool ag_file_stamp_is_young(const ag_file_stamp *stamp)
{
    return stamp->exists && stamp->seconds + 2 >= (int64_t)time(NULL);
}

ag_file_answer ag_file_read(const char *path, uint64_t most, ag_text *out)
{
    if (is_special(path))
        return AG_FILE_SPECIAL;
    ag_file_stamp stamp = ag_file_look(path);
    if (stamp.size > most)
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
