// cli/cache.c - compiled programs in a folder of the user, one file each
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cache.h"

#include "file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// "a/b/c" of up to three parts; NULL when out of memory.
static char *join(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 3;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s%s", a, b, *c ? "/" : "", c);
    return path;
}

void cache_open(cache *out)
{
    // The XDG specification: relative paths must be ignored, and only the user may access
    // folders that are created.
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool given = base && base[0] == '/';
    *out = (cache){0};
    if (!given && !(home && home[0] == '/'))
        return;
    char *parent = given ? strdup(base) : join(home, ".cache", "");
    char *folder = parent ? join(parent, "afterglow", "") : NULL;
    struct stat info;
    if (folder) {
        mkdir(parent, 0700);
        mkdir(folder, 0700);
    }
    if (folder && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)) {
        out->folder = folder;
        folder = NULL;
    }
    free(folder);
    free(parent);
}

void cache_close(cache *target)
{
    free(target->folder);
    *target = (cache){0};
}

size_t cache_load(const cache *from, const char *key, void *data, size_t capacity)
{
    char *path = from->folder ? join(from->folder, key, "") : NULL;
    // A FIFO of that name would keep a blocking open waiting for its writer.
    int descriptor = path ? open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    size_t size = 0;
    free(path);
    if (!file) {
        if (descriptor >= 0)
            close(descriptor);
        return 0;
    }
    struct stat info;
    if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        size = (size_t)info.st_size;
    if (size && size <= capacity && fread(data, 1, size, file) != size)
        size = 0;
    fclose(file);
    return size;
}

void cache_store(const cache *to, const char *key, const void *data, size_t bytes)
{
    char *path = to->folder ? join(to->folder, key, "") : NULL;
    char *temporary = to->folder ? join(to->folder, "new-XXXXXX", "") : NULL;
    int descriptor = path && temporary ? file_temporary(temporary) : -1;
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    bool written = file && fwrite(data, 1, bytes, file) == bytes;
    if (file)
        written = fclose(file) == 0 && written;
    else if (descriptor >= 0)
        close(descriptor);
    // A reader of the name finds either the former file or the complete new one.
    if (descriptor >= 0)
        file_forget(temporary, written ? path : NULL);
    free(path);
    free(temporary);
}
