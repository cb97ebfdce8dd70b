// cli/json.h - writes JSON with commas, quotes and indentation, in the order of the calls
// SPDX-License-Identifier: MIT
//
// Inside an object every value has a key; inside an array, and at the top, the key is NULL.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *stream;
    int depth;
    bool has_value; // there is a value before at this depth
    int flat_from;  // depth from which everything stays on one line; 0: none
} json;

json json_begin(FILE *stream);
void json_end(json *out);

void json_open(json *out, const char *key, char bracket);      // '{' or '['
void json_open_flat(json *out, const char *key, char bracket); // all of it on one line
void json_close(json *out, char bracket);                      // '}' or ']'

void json_text(json *out, const char *key, const char *text);
void json_int(json *out, const char *key, long long value);
void json_uint(json *out, const char *key, uint64_t value);
void json_number(json *out, const char *key, double value); // not finite: null
void json_bool(json *out, const char *key, bool value);

#endif
