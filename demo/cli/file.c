// cli/file.c - whole files in, whole files or none out
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "file.h"

#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read(const char *path, unsigned char **data, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    struct stat info;
    if (!stream || fstat(fileno(stream), &info) != 0) {
        int error = errno;
        if (stream)
            fclose(stream);
        return fail(STATUS_USAGE, "%s: %s", path, strerror(error));
    }
    if (!S_ISREG(info.st_mode)) {
        fclose(stream);
        return fail(STATUS_USAGE, "%s: not a file", path);
    }
    *size = (size_t)info.st_size;
    *data = malloc(*size ? *size : 1);
    if (!*data) {
        fclose(stream);
        return fail_memory();
    }
    size_t got = fread(*data, 1, *size, stream);
    fclose(stream);
    if (got != *size) {
        free(*data);
        *data = NULL;
        return fail(STATUS_USAGE, "%s: cannot be read", path);
    }
    return STATUS_OK;
}

int file_begin(file_writer *writer, const char *path)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(path);
    *writer = (file_writer){.path = path, .temporary = malloc(length + sizeof suffix)};
    if (!writer->temporary)
        return fail_memory();
    memcpy(writer->temporary, path, length);
    memcpy(writer->temporary + length, suffix, sizeof suffix);
    int descriptor = mkstemp(writer->temporary);
    if (descriptor >= 0) {
        // mkstemp makes private files; give this one the mode that fopen would have given it.
        mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
        writer->stream = fdopen(descriptor, "wb");
    }
    if (!writer->stream) {
        int error = errno;
        if (descriptor >= 0) {
            close(descriptor);
            unlink(writer->temporary);
        }
        free(writer->temporary);
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(error));
    }
    return STATUS_OK;
}

int file_end(file_writer *writer, int status)
{
    errno = 0;
    bool written = !ferror(writer->stream);
    written = fclose(writer->stream) == 0 && written;
    if (status == STATUS_OK && (!written || rename(writer->temporary, writer->path) != 0)) {
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", writer->path,
                      errno ? strerror(errno) : "output error");
    }
    if (status != STATUS_OK)
        unlink(writer->temporary);
    free(writer->temporary);
    return status;
}

// The folder that a path is in; the caller frees it. NULL when out of memory.
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
