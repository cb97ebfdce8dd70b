// fuzz_folder.c - an empty folder of its own for a target that reads and writes files
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void empty(const char *path, bool (*keeps)(const char *))
{
    DIR *files = opendir(path);
    if (!files)
        return;
    for (struct dirent *file; (file = readdir(files));) {
        char name[512];
        struct stat info;
        snprintf(name, sizeof name, "%s/%s", path, file->d_name);
        if (file->d_name[0] == '.' || (keeps && keeps(file->d_name)) || lstat(name, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode)) {
            empty(name, NULL);
            rmdir(name);
        } else {
            unlink(name);
        }
    }
    closedir(files);
}

static void leave(void)
{
    empty(folder, NULL);
    if (chdir("/") == 0)
        rmdir(folder);
}

void fuzz_enter_folder(void)
{
    // In memory where that can be: else the disk's speed is what limits.
    snprintf(folder, sizeof folder, "%s/afterglow-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort();
    atexit(leave);
    setenv("XDG_CACHE_HOME", "relative", 1); // ignored: no cache of programs
    unsetenv("HOME");
}

void fuzz_empty_folder(bool (*keeps)(const char *name))
{
    empty(folder, keeps);
}
