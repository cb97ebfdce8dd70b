// viewer/json_read.h - reads JSON files of ours by jansson: presets and camera paths
// SPDX-License-Identifier: MIT
#ifndef VIEWER_JSON_READ_H
#define VIEWER_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// A path of 3600 keys, as the viewer writes it, has less than half of that.
enum { JSON_READ_MOST = 1 << 20 }; // bytes of a file

// The object that a file or a text is. NULL: printed why, with the line. Refused is also what
// jansson could read in two ways or not keep: a name twice in one object, NUL, text that is no
// UTF-8, numbers beyond the range of double. The caller frees it by json_decref.
json_t *json_read(const char *path);
json_t *json_parse(const char *name, const char *text, size_t size);

// A member that is left out leaves `out` as it is. False: it is there, and no number of this range.
bool json_member(const json_t *object, const char *key, double low, double high, float *out);

#endif
