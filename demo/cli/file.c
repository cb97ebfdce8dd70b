// cli/file.c - reads whole files, and examines paths
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "file.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int descriptor, unsigned char *data, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t more = read(descriptor, data + got, size - got);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return more < 0 ? errno : ENODATA; // the file was truncated meanwhile
        got += (size_t)more;
    }
    return 0;
}

int file_read(const char *path, unsigned char **data, size_t *size)
{
    // Without O_NONBLOCK, open would wait for a writer of a pipe.
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info = {0};
    int error = descriptor < 0 || fstat(descriptor, &info) != 0 ? errno : 0;
    bool special = error == ENXIO || (!error && !S_ISREG(info.st_mode)); // ENXIO: a socket
    if (error || special) {
        if (descriptor >= 0)
            close(descriptor);
        return fail(STATUS_USAGE, "%s: %s", path,
                    !special                ? strerror(error)
                    : S_ISDIR(info.st_mode) ? "is a folder; expected a file"
                                            : "not a regular file");
    }
    *size = (size_t)info.st_size;
    *data = malloc(*size ? *size : 1);
    error = *data ? read_all(descriptor, *data, *size) : ENOMEM;
    close(descriptor);
    if (!error)
        return STATUS_OK;
    free(*data);
    *data = NULL;
    return error == ENOMEM ? fail_memory()
                           : fail(STATUS_USAGE, "%s: cannot be read: %s", path, strerror(error));
}

// The folder of a path; the caller frees it. NULL when out of memory.
static char *folder_of(const char *path)
{
    size_t length = (size_t)(file_name(path) - path);
    char *folder = malloc(length + 2);
    if (folder) {
        memcpy(folder, length ? path : ".", length ? length : 1);
        folder[length ? length : 1] = '\0';
    }
    return folder;
}

int file_check_writable(const char *path)
{
    if (file_is_folder(path))
        return fail(STATUS_USAGE, "%s is a folder; expected a file name", path);
    struct stat info;
    if (stat(path, &info) != 0 && errno == ENAMETOOLONG)
        return fail(STATUS_USAGE, "%s cannot be written: %s", path, strerror(errno));
    char *folder = folder_of(path);
    if (!folder)
        return fail_memory();
    int status = STATUS_OK;
    if (access(folder, W_OK | X_OK) != 0) {
        status = fail(STATUS_USAGE, "%s cannot be written: folder %s: %s", path, folder,
                      strerror(errno));
    }
    free(folder);
    return status;
}

bool file_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool same_place(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool file_same(const char *a, const char *b)
{
    struct stat info;
    bool there = stat(a, &info) == 0;
    if (there != (stat(b, &info) == 0))
        return false;
    if (there)
        return same_place(a, b);
    char *folder_a = folder_of(a), *folder_b = folder_of(b);
    bool same = folder_a && folder_b && same_place(folder_a, folder_b) &&
                strcmp(file_name(a), file_name(b)) == 0;
    free(folder_a);
    free(folder_b);
    return same;
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *file_extension(const char *path)
{
    const char *name = file_name(path);
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}
