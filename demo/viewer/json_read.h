// viewer/json_read.h - reads JSON files of ours: presets and camera paths
// SPDX-License-Identifier: MIT
#ifndef VIEWER_JSON_READ_H
#define VIEWER_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

typedef struct json_value {
    char kind;        // '{' '[' '"' '0' (a number) 't' 'f' 'n'
    const char *key;  // of a member of an object; else NULL
    const char *text; // of a string
    double number;
    int child, next; // indices; -1: none
} json_value;

typedef struct json_tree {
    char *text; // what strings point into
    json_value *values;
    int count, capacity;
} json_tree;

bool json_load(const char *path, json_tree *out);              // false: printed why, with the line
bool json_parse(const char *name, char *text, json_tree *out); // takes over `text`, from malloc
void json_free(json_tree *tree);

// All of these take NULL for what is not there, and return it.
const json_value *json_root(const json_tree *tree);
const json_value *json_find(const json_tree *tree, const json_value *object, const char *key);
const json_value *json_first(const json_tree *tree, const json_value *list);
const json_value *json_next(const json_tree *tree, const json_value *value);
double json_get_number(const json_value *value, double otherwise);
bool json_get_bool(const json_value *value, bool otherwise);

#endif
