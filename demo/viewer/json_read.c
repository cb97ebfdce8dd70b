// viewer/json_read.c - reads JSON files of ours by jansson: presets and camera paths
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "json_read.h"

#include "file.h"
#include "report.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

json_t *json_parse(const char *name, const char *text, size_t size)
{
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!root) {
        // The message quotes the file, which may have bytes that are meant for a terminal.
        for (char *at = error.text; *at; at++)
            *at = iscntrl((unsigned char)*at) ? '?' : *at;
        fail(STATUS_USAGE, "%s:%d: %s", name, error.line > 0 ? error.line : 1, error.text);
    } else if (!json_is_object(root)) {
        fail(STATUS_USAGE, "%s: is a list; expected {..}", name);
        json_decref(root);
        root = NULL;
    }
    return root;
}

json_t *json_read(const char *path)
{
    unsigned char *data = NULL;
    size_t size = 0;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > JSON_READ_MOST) {
        fail(STATUS_USAGE, "%s: has %lld bytes; expected at most %d", path, (long long)info.st_size,
             JSON_READ_MOST);
        return NULL;
    }
    if (file_read(path, &data, &size) != STATUS_OK)
        return NULL;
    json_t *root = json_parse(path, (const char *)data, size);
    free(data);
    return root;
}

bool json_member(const json_t *object, const char *key, double low, double high, float *out)
{
    const json_t *value = json_object_get(object, key);
    double number = json_number_value(value);
    if (!value)
        return true;
    if (!json_is_number(value) || !(number >= low && number <= high))
        return false;
    *out = (float)number;
    return true;
}
