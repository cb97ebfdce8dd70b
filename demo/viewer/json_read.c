// viewer/json_read.c - reads JSON files of ours: presets and camera paths
// SPDX-License-Identifier: MIT
#include "json_read.h"

#include "file.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 };
static const double LARGEST = 1e15;

typedef struct reader {
    json_tree *tree;
    char *at;
    const char *wrong; // what was expected; NULL: all is well
} reader;

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static int add(reader *r, char kind)
{
    json_tree *tree = r->tree;
    if (tree->count == tree->capacity) {
        int capacity = tree->capacity ? 2 * tree->capacity : 64;
        json_value *grown = realloc(tree->values, (size_t)capacity * sizeof *grown);
        if (!grown) {
            r->wrong = "less: out of memory";
            return -1;
        }
        tree->values = grown;
        tree->capacity = capacity;
    }
    tree->values[tree->count] = (json_value){.kind = kind, .child = -1, .next = -1};
    return tree->count++;
}

// A string, ended in place. Escapes other than of one character are refused: our files have none.
static const char *read_string(reader *r)
{
    char *from = r->at + 1, *to = from, *begin = from;
    for (; *from && *from != '"'; from++) {
        if ((unsigned char)*from < 0x20) {
            r->wrong = "the end of a string";
            return NULL;
        }
        if (*from == '\\' && !strchr("\"\\/", from[1])) {
            r->wrong = "no escape but of quotes and backslashes";
            return NULL;
        }
        from += *from == '\\';
        *to++ = *from;
    }
    if (!*from) {
        r->wrong = "the end of a string";
        return NULL;
    }
    r->at = from + 1;
    *to = '\0';
    return begin;
}

static int read_value(reader *r, int depth);

static void read_members(reader *r, int owner, char close, int depth)
{
    int last = -1;
    r->at++;
    skip_space(r);
    while (!r->wrong && *r->at != close) {
        const char *key = NULL;
        if (close == '}') {
            if (*r->at != '"') {
                r->wrong = "a name in quotes";
                return;
            }
            key = read_string(r);
            skip_space(r);
            if (!r->wrong && *r->at != ':') {
                r->wrong = "a colon";
                return;
            }
            r->at += !r->wrong;
        }
        int value = r->wrong ? -1 : read_value(r, depth + 1);
        if (value < 0)
            return;
        r->tree->values[value].key = key;
        *(last < 0 ? &r->tree->values[owner].child : &r->tree->values[last].next) = value;
        last = value;
        skip_space(r);
        if (*r->at == ',') {
            r->at++;
            skip_space(r);
        } else if (*r->at != close) {
            r->wrong = "a comma, or the end of the list";
        }
    }
    r->at += !r->wrong;
}

static int read_value(reader *r, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    skip_space(r);
    if (depth > DEEPEST) {
        r->wrong = "less depth";
        return -1;
    }
    if (*r->at == '{' || *r->at == '[') {
        char kind = *r->at;
        int value = add(r, kind);
        if (value >= 0)
            read_members(r, value, kind == '{' ? '}' : ']', depth);
        return r->wrong ? -1 : value;
    }
    if (*r->at == '"') {
        int value = add(r, '"');
        const char *text = value >= 0 ? read_string(r) : NULL;
        if (value >= 0)
            r->tree->values[value].text = text;
        return r->wrong ? -1 : value;
    }
    for (int i = 0; i < 3; i++) {
        if (strncmp(r->at, words[i], strlen(words[i])) == 0) {
            r->at += strlen(words[i]);
            return add(r, words[i][0]);
        }
    }
    char *end;
    double number = strtod(r->at, &end);
    bool taken = end != r->at && fabs(number) <= LARGEST; // strtod reads nan and inf, too
    int value = taken ? add(r, '0') : -1;
    if (!taken)
        r->wrong = end == r->at ? "a value" : "a number of at most 1e15";
    if (value >= 0)
        r->tree->values[value].number = number;
    r->at = end;
    return value;
}

bool json_parse(const char *name, char *text, json_tree *out)
{
    *out = (json_tree){.text = text};
    reader r = {.tree = out, .at = text};
    read_value(&r, 0);
    skip_space(&r);
    if (!r.wrong && *r.at)
        r.wrong = "the end of the file";
    if (!r.wrong)
        return true;
    int line = 1;
    for (const char *at = text; at < r.at; at++)
        line += *at == '\n';
    fail(STATUS_USAGE, "%s:%d: expected %s", name, line, r.wrong);
    json_free(out);
    return false;
}

bool json_load(const char *path, json_tree *out)
{
    unsigned char *data = NULL;
    size_t size = 0;
    *out = (json_tree){0};
    if (file_read(path, &data, &size) != STATUS_OK)
        return false;
    char *text = realloc(data, size + 1);
    if (!text) {
        free(data);
        return fail_memory() == STATUS_OK;
    }
    text[size] = '\0';
    return json_parse(path, text, out);
}

void json_free(json_tree *tree)
{
    free(tree->values);
    free(tree->text);
    *tree = (json_tree){0};
}

const json_value *json_root(const json_tree *tree)
{
    return tree->count ? tree->values : NULL;
}

const json_value *json_first(const json_tree *tree, const json_value *list)
{
    return list && list->child >= 0 ? &tree->values[list->child] : NULL;
}

const json_value *json_next(const json_tree *tree, const json_value *value)
{
    return value && value->next >= 0 ? &tree->values[value->next] : NULL;
}

const json_value *json_find(const json_tree *tree, const json_value *object, const char *key)
{
    const json_value *at = json_first(tree, object);
    while (at && !(at->key && strcmp(at->key, key) == 0))
        at = json_next(tree, at);
    return at;
}

double json_get_number(const json_value *value, double otherwise)
{
    return value && value->kind == '0' ? value->number : otherwise;
}

bool json_get_bool(const json_value *value, bool otherwise)
{
    return value && (value->kind == 't' || value->kind == 'f') ? value->kind == 't' : otherwise;
}
