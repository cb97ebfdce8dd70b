// viewer/preset.c - all settings as a JSON file, and one setting from text
// SPDX-License-Identifier: MIT
#include "preset.h"

#include "effect.h"
#include "file.h"
#include "json.h"
#include "json_read.h"
#include "report.h"
#include "shader/embedded.h"
#include "words.h"

#include <ctype.h>
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
        json_text(out, key, row->names[integer]);
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
    for (int i = 0; i < OWN_COUNT; i++) {
        ag_effect_info info = own_info[i];
        if (i == OWN_VIEW)
            info.setting_count = VIEW_SAVED;
        put_settings(&out, info.id, &info, preset_own((frame *)(uintptr_t)f, i));
    }
    json_close(&out, '}');
    json_open(&out, "effects", '[');
    for (const node *n = f->nodes; n < f->nodes + f->node_count; n++) {
        json_open(&out, NULL, '{');
        json_text(&out, "id", n->id);
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

static bool take_value(const ag_setting_info *row, const json_t *value, int32_t *word)
{
    double given = json_number_value(value);
    if (row->type == AG_BOOL || row->type == AG_ENUM) {
        *word = json_is_true(value);
        if (row->type == AG_BOOL || !json_is_string(value))
            return row->type == AG_BOOL && json_is_boolean(value);
        for (*word = (int32_t)row->name_count - 1; *word >= 0; --*word)
            if (row->names[*word] && strcmp(row->names[*word], json_string_value(value)) == 0)
                break;
        return *word >= 0;
    }
    float number = (float)given;
    bool whole = row->type == AG_INT;
    if (!json_is_number(value) || (whole && given != floor(given)) ||
        !(whole ? given >= row->min && given <= row->max
                : number >= (float)row->min && number <= (float)row->max))
        return false;
    *word = whole ? (int32_t)given : 0;
    if (!whole)
        memcpy(word, &number, sizeof number);
    return true;
}

// All values of a setting, or none.
static bool take_setting(const ag_setting_info *row, const json_t *value, char *place)
{
    int32_t numbers[AG_MAX_VALUES];
    if (row->count > 1 && json_array_size(value) != row->count)
        return false;
    for (uint32_t k = 0; k < row->count; k++)
        if (!take_value(row, row->count > 1 ? json_array_get(value, k) : value, &numbers[k]))
            return false;
    memcpy(place, numbers, row->count * sizeof *numbers);
    return true;
}

// Of a name that is printed: bytes meant for a terminal end it.
static int plain_length(const char *name)
{
    int length = 0;
    while (name[length] && !iscntrl((unsigned char)name[length]))
        length++;
    return length;
}

static void take_settings(json_t *object, const ag_effect_info *info, void *settings)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        const json_t *value = json_object_iter_value(at);
        const ag_setting_info *row = NULL;
        for (int i = 0; i < (int)info->setting_count && !row; i++)
            if (strcmp(effect_setting(info, i)->name, key) == 0)
                row = effect_setting(info, i);
        if (!row || !take_setting(row, value, (char *)settings + row->offset))
            note("preset: %s does not take %.*s", info->id, plain_length(key), key);
    }
}

static bool is_switch(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return !value || json_is_boolean(value);
}

static bool has_form(const json_t *root)
{
    const json_t *own = json_object_get(root, "viewer"),
                 *effects = json_object_get(root, "effects");
    bool good =
        (own || effects) && (!own || json_is_object(own)) && (!effects || json_is_array(effects));
    for (int i = 0; i < OWN_COUNT; i++) {
        const json_t *settings = json_object_get(own, own_info[i].id);
        good = good && (!settings || json_is_object(settings));
    }
    for (size_t i = 0; good && i < json_array_size(effects); i++) {
        const json_t *row = json_array_get(effects, i), *id = json_object_get(row, "id");
        const json_t *settings = json_object_get(row, "settings");
        good = json_is_string(id) && is_switch(row, "on") && is_switch(row, "picture") &&
               (!settings || json_is_object(settings));
    }
    return good;
}

// Before anything is changed: after this all is taken, or has a remark.
static bool check(const char *name, const json_t *root)
{
    const json_t *effects = json_object_get(root, "effects");
    size_t count = json_array_size(effects);
    if (count > PRESET_EFFECTS)
        return fail(STATUS_USAGE, "%s: has %zu effects; expected at most %d", name, count,
                    PRESET_EFFECTS) == STATUS_OK;
    if (!has_form(root))
        return fail(
                   STATUS_USAGE,
                   "%s: expected {\"viewer\": {\"scene\": {..}, ..}, \"effects\": [{\"id\": \"..\", "
                   "\"on\": true, \"picture\": true, \"settings\": {..}}, ..]}",
                   name) == STATUS_OK;
    return true;
}

// One of that kind that is in the chain from `place` on is taken before one is made anew, so that
// what a preset does not name stays.
static node *place_node(frame *f, const char *id, int place)
{
    int at = place;
    while (at < f->node_count && strcmp(f->nodes[at].id, id) != 0)
        at++;
    if (at == f->node_count && !frame_add(f, id)) {
        note("preset: %.*s", plain_length(f->log), f->log);
        return NULL;
    }
    for (; at != place; at--)
        frame_move(f, at, -1);
    return &f->nodes[place];
}

static void apply(frame *f, const json_t *root)
{
    const json_t *own = json_object_get(root, "viewer"),
                 *effects = json_object_get(root, "effects");
    for (int i = 0; i < OWN_COUNT; i++)
        take_settings(json_object_get(own, own_info[i].id), &own_info[i], preset_own(f, i));
    int place = 0;
    for (size_t i = 0; i < json_array_size(effects); i++) {
        const json_t *row = json_array_get(effects, i);
        const json_t *on = json_object_get(row, "on"), *picture = json_object_get(row, "picture");
        node *n = place_node(f, json_string_value(json_object_get(row, "id")), place);
        if (!n)
            continue;
        n->on = json_is_boolean(on) ? json_is_true(on) : n->on;
        n->in_picture =
            n->filters && (json_is_boolean(picture) ? json_is_true(picture) : n->in_picture);
        take_settings(json_object_get(row, "settings"), n->info, n->settings);
        place++;
    }
    while (effects && f->node_count > place)
        frame_remove(f, f->node_count - 1);
    f->dirty = true;
}

static bool take(frame *f, const char *name, json_t *root)
{
    bool taken = root && check(name, root);
    if (taken) {
        apply(f, root);
        snprintf(f->presets[f->side], sizeof f->presets[0], "%s", file_name(name));
    }
    json_decref(root);
    return taken;
}

bool preset_load(frame *f, const char *path)
{
    return take(f, path, json_read(path));
}

void preset_initial(frame *f)
{
    const ag_embedded_file *file = &ag_embedded_presets[0];
    take(f, file->path, json_parse(file->path, file->text, file->length));
}

// ---- one setting
// -------------------------------------------------------------------------

// The effect of this name, added if it can be. NULL: there is none.
static node *need_node(frame *f, const char *name)
{
    char id[NODE_NAME];
    node *n = frame_find(f, name);
    if (n)
        return n;
    snprintf(id, sizeof id, "%.*s", (int)strcspn(name, "-"), name);
    n = frame_add(f, id);
    if (n && strcmp(n->name, name) != 0) { // bloom-3, where there is no bloom-2
        frame_remove(f, f->node_count - 1);
        n = NULL;
    }
    return n;
}

int preset_set(frame *f, const char *assignment)
{
    const ag_effect_info *all[FRAME_EFFECTS];
    size_t length = strcspn(assignment, ".=");
    const char *rest = assignment + length;
    char name[NODE_NAME] = "", known[512], guess[64];
    if (length < sizeof name)
        memcpy(name, assignment, length);
    for (int i = 0; i < OWN_COUNT; i++)
        if (strcmp(name, own_info[i].id) == 0 && *rest == '.')
            return effect_set(&own_info[i], rest + 1, preset_own(f, i));
    bool on = strcmp(rest, "=on") == 0, off = strcmp(rest, "=off") == 0;
    node *n = on || off || *rest == '.' ? need_node(f, name) : NULL;
    if (n && *rest == '.')
        return effect_set(n->info, rest + 1, n->settings);
    if (n) {
        n->on = on;
        f->dirty = true;
        return STATUS_OK;
    }
    int count = (int)frame_effects(f, all);
    words parts = words_begin(known, sizeof known, " ");
    words_seek(&parts, name, strlen(name));
    for (int i = 0; i < OWN_COUNT + count; i++)
        words_add(&parts, i < OWN_COUNT ? own_info[i].id : all[i - OWN_COUNT]->id);
    return fail(STATUS_USAGE,
                "--set %s: expected EFFECT=on, EFFECT=off or PART.NAME=VALUE; parts: %s%s",
                assignment, known, words_guess(&parts, guess));
}
