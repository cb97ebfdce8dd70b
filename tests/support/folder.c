// folder.c - a temporary folder of files, edited as editors do
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // mkdtemp, mkdir, utimensat
#include "folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

const char *folder_find(const char *path)
{
    static char found[512];
    char program[256] = "";
    if (access(path, F_OK) == 0)
        return path;
    const char *name = strrchr(path, '/') + 1;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    snprintf(found, sizeof found, "%.*s/../lib/%s", slash ? (int)(slash - program) : 0, program,
             name);
    if (access(found, F_OK) != 0)
        snprintf(found, sizeof found, "%s", name);
    return found;
}

folder folder_create(void)
{
    folder d = {.path = "/tmp/afterglow-folder-XXXXXX"};
    CHECK(mkdtemp(d.path) != NULL);
    return d;
}

void folder_put_bytes(folder *d, const char *name, const char *bytes, size_t length)
{
    char path[256];
    int known = 0;
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%s/%.*s", d->path, (int)(slash - name), name);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/%s", d->path, name);
    FILE *file = fopen(path, "wb");
    CHECK_F(file != NULL, "%s", path);
    CHECK(fwrite(bytes, 1, length, file) == length);
    fclose(file);
    while (known < d->count && strcmp(d->files[known], name) != 0)
        ++known;
    CHECK(known < FOLDER_FILES && strlen(name) < sizeof d->files[0]);
    if (known == d->count)
        strcpy(d->files[d->count++], name);
}

void folder_put(folder *d, const char *name, const char *text)
{
    folder_put_bytes(d, name, text, strlen(text));
}

void folder_replace(folder *d, const char *name, const char *text)
{
    char from[256], to[256];
    folder_put(d, "temporary~", text);
    snprintf(from, sizeof from, "%s/temporary~", d->path);
    snprintf(to, sizeof to, "%s/%s", d->path, name);
    CHECK_F(rename(from, to) == 0, "%s", to);
}

void folder_touch(folder *d, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", d->path, name);
    const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    CHECK_F(utimensat(AT_FDCWD, path, times, 0) == 0, "%s", path);
}

void folder_put_unseen(folder *d, const char *name, const char *text)
{
    char path[256];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", d->path, name);
    CHECK_F(stat(path, &info) == 0, "%s", path);
    folder_put(d, name, text);
    const struct timespec times[2] = {info.st_atim, info.st_mtim};
    CHECK_F(utimensat(AT_FDCWD, path, times, 0) == 0, "%s", path);
}

void folder_drop(folder *d, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", d->path, name);
    remove(path);
}

void folder_destroy(folder *d)
{
    char path[256];
    for (int i = 0; i < d->count; ++i)
        folder_drop(d, d->files[i]);
    for (int i = 0; i < d->count; ++i) // the folders are empty now
        for (char *slash = strrchr(d->files[i], '/'); slash; slash = strrchr(d->files[i], '/')) {
            *slash = 0;
            snprintf(path, sizeof path, "%s/%s", d->path, d->files[i]);
            rmdir(path);
        }
    CHECK_F(rmdir(d->path) == 0, "%s is not empty", d->path);
}
