// cli/file.c - reads whole files, and examines paths
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "file.h"

#include "files.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
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

int file_over_memory(const char *path, const char *what, size_t bytes, size_t limit)
{
    const size_t mib = 1 << 20;
    return fail(STATUS_USAGE, "%s: %s takes %zu MiB of memory; the limit (--max-memory) is %zu MiB",
                path, what, bytes / mib + (bytes % mib != 0), limit / mib);
}

size_t file_half_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    enum { UNKNOWN = 1 << 30 };
    return pages > 0 && bytes > 0 ? (size_t)pages / 2 * (size_t)bytes : UNKNOWN;
}

int file_read(const char *path, unsigned char **data, size_t *size)
{
    return file_read_within(path, file_half_memory(), data, size);
}

// Standard input to its end. It may be a pipe, whose size is not known.
static int read_standard_input(size_t most, unsigned char **data, size_t *size)
{
    size_t capacity = 1 << 16, used = 0;
    unsigned char *bytes = malloc(capacity);
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, stdin);
        if (used < capacity)
            break;
        capacity = capacity < most && capacity > most / 2 ? most + 1 : 2 * capacity;
        unsigned char *grown = used > most ? NULL : realloc(bytes, capacity);
        if (!grown)
            free(bytes);
        bytes = grown;
    }
    if (!bytes)
        return used > most ? file_over_memory("standard input", "it", used, most) : fail_memory();
    *data = bytes;
    *size = used;
    if (!ferror(stdin))
        return STATUS_OK;
    free(bytes);
    *data = NULL;
    return fail(STATUS_USAGE, "standard input cannot be read: %s", strerror(errno));
}

int file_read_within(const char *path, size_t most, unsigned char **data, size_t *size)
{
    if (!files_allow(FILE_READ, path))
        return STATUS_FAILED;
    if (strcmp(path, "-") == 0)
        return read_standard_input(most, data, size);
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
    if ((uintmax_t)info.st_size > most) {
        close(descriptor);
        return file_over_memory(path, "the file", (size_t)info.st_size, most);
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
    return length ? strndup(path, length) : strdup(".");
}

char *file_join(const char *folder, const char *name, size_t length, const char *extension)
{
    size_t before = strlen(folder), size = before + length + strlen(extension) + 2;
    bool slash = before && folder[before - 1] != '/';
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%.*s%s", folder, slash ? "/" : "", (int)length, name, extension);
    return path;
}

// What a link says, as a path from here; NULL if `path` is no link.
static char *target_of(const char *path)
{
    char *text = calloc(1, PATH_MAX), *target = NULL;
    ssize_t length = text ? readlink(path, text, PATH_MAX - 1) : -1;
    char *folder = length > 0 && text[0] != '/' ? folder_of(path) : NULL;
    if (length > 0)
        target = folder ? file_join(folder, text, (size_t)length, "") : strdup(text);
    free(folder);
    free(text);
    return target;
}

// The path of something that does not exist: its folder's, without links, and its name.
static char *resolve_name(const char *path)
{
    char *copy = strdup(path), *folder = NULL, *base = NULL, *whole = NULL;
    for (size_t end = copy ? strlen(copy) : 0; end > 1 && copy[end - 1] == '/';)
        copy[--end] = '\0';
    const char *name = copy ? file_name(copy) : "";
    folder = copy ? folder_of(copy) : NULL;
    if (folder && strcmp(folder, path) != 0 && strcmp(path, ".") != 0)
        base = file_resolve(folder);
    if (base && strcmp(name, "..") == 0) {
        whole = strdup(base);
        if (whole && strrchr(whole, '/') > whole)
            *strrchr(whole, '/') = '\0';
    } else if (base) {
        whole = strcmp(name, ".") == 0 ? strdup(base) : file_join(base, name, strlen(name), "");
    }
    free(copy);
    free(folder);
    free(base);
    return whole;
}

char *file_resolve(const char *path)
{
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    char *whole = realpath(path, NULL);
    if (whole || errno == ENOMEM || errno == ELOOP)
        return whole;
    char *target = target_of(path);
    whole = target ? file_resolve(target) : resolve_name(path);
    free(target);
    return whole;
}

int file_check_writable(const char *path)
{
    if (file_is_folder(path))
        return fail(STATUS_USAGE, "%s is a folder; expected a file name", path);
    struct stat info;
    bool long_name = stat(path, &info) != 0 && errno == ENAMETOOLONG;
    char *whole = long_name ? NULL : file_resolve(path), *folder = whole ? folder_of(whole) : NULL;
    int status = STATUS_OK;
    if (!folder)
        status = fail(STATUS_USAGE, "%s cannot be written: %s", path, strerror(errno));
    else if (access(folder, W_OK | X_OK) != 0)
        status = fail(STATUS_USAGE, "%s cannot be written: folder %s: %s", path, folder,
                      strerror(errno));
    free(whole);
    free(folder);
    return status;
}

int file_check_pipe(void)
{
    return isatty(STDOUT_FILENO)
               ? fail(STATUS_USAGE,
                      "-o -: standard output is a terminal; expected a pipe or a file")
               : STATUS_OK;
}

bool file_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
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
