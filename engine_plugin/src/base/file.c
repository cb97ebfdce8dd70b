// file.c - the file system through the C library: what a file looks like, and its content
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stat's nanoseconds
#include "base/file.h"

#include <stdio.h>
#include <time.h>

#include <sys/stat.h>
#include <sys/types.h>

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

static FILE *open_file(const char *path)
{
    wchar_t wide[PATH_UNITS];
    return widen(path, wide) ? _wfopen(wide, L"rb") : NULL;
}

#else

ag_file_stamp ag_file_look(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return (ag_file_stamp){0};
    return (ag_file_stamp){.exists = true,
                           .seconds = info.st_mtim.tv_sec,
                           .nanoseconds = info.st_mtim.tv_nsec,
                           .size = (uint64_t)info.st_size,
                           .inode = (uint64_t)info.st_ino};
}

static FILE *open_file(const char *path)
{
    return fopen(path, "rb");
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

bool ag_file_read(const char *path, ag_text *out)
{
    FILE *file = open_file(path);
    if (!file)
        return false;
    char block[4096];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        ag_text_add(out, block, got);
    bool good = !ferror(file); // a folder opens on some systems, and fails here
    fclose(file);
    return good;
}
