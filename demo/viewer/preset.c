// viewer/preset.c - all settings as a JSON file, and one setting from text
// SPDX-License-Identifier: MIT
#include "preset.h"

#include "effect.h"
#include "file.h"
#include "json.h"
#include "json_read.h"
#include "report.h"
#include "shader/embedded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const ag_embedded_file ag_embedded_presets[];

void *preset_own(frame *f, int which)
{
    return which == OWN_SCENE       ? (void *)&f->street
           : which == OWN_PARTICLES ? (void *)&f->particles
                                    : (void *)&f->view;
}

// ---- out
// -------------------------------------------------------------------------

static void put_value(json *out, const char *key, const ag_setting_info *row, const char *place)
{
    float number;
    int32_t integer;
    memcpy(&number, place, sizeof number);
    memcpy(&integer, place, sizeof integer);
    if (row->type == AG_FLOAT)
        json_number(out, key, number);
    else if (row->type == AG_BOOL)
        json_bool(out, key, integer != 0);
    else if (row->type == AG_ENUM && integer >= 0 && integer < (int32_t)row->name_count)
        json_string(out, key, row->names[integer]);
    else
        json_int(out, key, integer);
}

static void put_settings(json *out, const char *key, const ag_effect_info *info,
                         const void *settings)
{
    json_open(out, key, '{');
    for (int i = 0; i < (int)info->setting_count; i++) {
        const ag_setting_info *row = effect_setting(info, i);
        const char *place = (const char *)settings + row->offset;
        if (row->count == 1) {
            put_value(out, row->name, row, place);
            continue;
        }
        json_open_flat(out, row->name, '[');
        for (uint32_t k = 0; k < row->count; k++)
            put_value(out, NULL, row, place + 4 * k);
        json_close(out, ']');
    }
    json_close(out, '}');
}

bool preset_save(const frame *f, const char *path)
{
    file_writer writer;
    if (file_begin(&writer, path) != STATUS_OK)
        return false;
    json out = json_begin(writer.stream);
    json_open(&out, NULL, '{');
    json_open(&out, "viewer", '{');
    for (int i = 0; i < OWN_COUNT; i++)
        put_settings(&out, own_info[i].id, &own_info[i], preset_own((frame *)(uintptr_t)f, i));
    json_close(&out, '}');
    json_open(&out, "effects", '[');
    for (const node *n = f->nodes; n < f->nodes + f->node_count; n++) {
        json_open(&out, NULL, '{');
        json_string(&out, "id", n->id);
        json_bool(&out, "on", n->on);
        json_bool(&out, "picture", n->in_picture);
        put_settings(&out, "settings", n->info, n->settings);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
    return file_end(&writer, STATUS_OK) == STATUS_OK;
}

// ---- in
// -------------------------------------------------------------------------

static bool take_value(const ag_setting_info *row, const json_value *value, char *place)
{
    double given = json_get_number(value, 0);
    int32_t integer = 0;
    if (row->type == AG_BOOL && (value->kind == 't' || value->kind == 'f')) {
        integer = value->kind == 't';
    } else if (row->type == AG_ENUM && value->kind == '"') {
        for (integer = (int32_t)row->name_count - 1; integer >= 0; integer--)
            if (row->names[integer] && strcmp(row->names[integer], value->text) == 0)
                break;
        if (integer < 0)
            return false;
    } else if (value->kind != '0' || row->type == AG_ENUM || row->type == AG_BOOL ||
               !((float)given >= (float)row->min && (float)given <= (float)row->max)) {
        return false;
    }
    float number = (float)given;
    if (row->type == AG_INT)
        integer = (int32_t)fmax(fmin(given, INT32_MAX), INT32_MIN);
    memcpy(place, row->type == AG_FLOAT ? (void *)&number : (void *)&integer, 4);
    return true;
}

static void take_settings(const json_tree *tree, const json_value *object,
                          const ag_effect_info *info, void *settings)
{
    const json_value *value = json_first(tree, object);
    for (; value; value = json_next(tree, value)) {
        const ag_setting_info *row = NULL;
        if (!value->key)
            continue; // a list, where names are expected
        for (int i = 0; i < (int)info->setting_count && !row; i++)
            if (strcmp(effect_setting(info, i)->name, value->key) == 0)
                row = effect_setting(info, i);
        bool taken = row != NULL;
        const json_value *at = taken && value->kind == '[' ? json_first(tree, value) : value;
        for (uint32_t k = 0; taken && k < row->count; k++) {
            taken = at && take_value(row, at, (char *)settings + row->offset + 4 * k);
            at = row->count > 1 ? json_next(tree, at) : at;
        }
        if (!taken)
            note("preset: %s does not take %s", info->id, value->key);
    }
}

static void apply(frame *f, const json_tree *tree)
{
    const json_value *root = json_root(tree), *own = json_find(tree, root, "viewer");
    for (int i = 0; i < OWN_COUNT; i++)
        take_settings(tree, json_find(tree, own, own_info[i].id), &own_info[i], preset_own(f, i));
    const json_value *row = json_first(tree, json_find(tree, root, "effects"));
    for (int place = 0; row; row = json_next(tree, row)) {
        const json_value *id = json_find(tree, row, "id");
        node *n = id && id->text ? frame_find(f, id->text) : NULL;
        if (!n)
            continue; // of another module
        n->on = json_get_bool(json_find(tree, row, "on"), n->on);
        n->in_picture = n->filters && json_get_bool(json_find(tree, row, "picture"), n->in_picture);
        take_settings(tree, json_find(tree, row, "settings"), n->info, n->settings);
        int at = (int)(n - f->nodes), step = at > place ? -1 : 1;
        for (; at != place; at += step)
            frame_move(f, at, step);
        place++;
    }
    f->dirty = true;
}

bool preset_load(frame *f, const char *path)
{
    json_tree tree;
    if (!json_load(path, &tree))
        return false;
    apply(f, &tree);
    json_free(&tree);
    return true;
}

void preset_initial(frame *f)
{
    const ag_embedded_file *file = &ag_embedded_presets[0];
    char *text = malloc(file->length + 1);
    json_tree tree;
    if (!text)
        return;
    memcpy(text, file->text, file->length + 1);
    if (json_parse(file->path, text, &tree)) {
        apply(f, &tree);
        json_free(&tree);
    }
}

// ---- one setting
// -------------------------------------------------------------------------

int preset_set(frame *f, const char *assignment)
{
    size_t length = strcspn(assignment, ".=");
    char id[48] = "", known[512] = "";
    if (length < sizeof id)
        memcpy(id, assignment, length);
    for (int i = 0; i < OWN_COUNT; i++)
        if (strcmp(id, own_info[i].id) == 0 && assignment[length] == '.')
            return effect_set(&own_info[i], assignment + length + 1, preset_own(f, i));
    node *n = frame_find(f, id);
    if (n && assignment[length] == '.')
        return effect_set(n->info, assignment + length + 1, n->settings);
    if (n &&
        (strcmp(assignment + length, "=on") == 0 || strcmp(assignment + length, "=off") == 0)) {
        n->on = assignment[length + 2] == 'n';
        f->dirty = true;
        return STATUS_OK;
    }
    for (int i = 0; i < OWN_COUNT + f->node_count; i++) {
        const char *name = i < OWN_COUNT ? own_info[i].id : f->nodes[i - OWN_COUNT].id;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? " " : "", name);
    }
    return fail(STATUS_USAGE,
                "--set %s: expected EFFECT=on, EFFECT=off or PART.NAME=VALUE; parts: %s",
                assignment, known);
}
