// cli/effect.c - the effects of the module: look-ups by name, and descriptions
// SPDX-License-Identifier: MIT
#include "effect.h"

#include "file.h"
#include "report.h"
#include "words.h"

#include <string.h>

const ag_effect_info *effect_find(const ag_api *api, const char *id)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = api->effects(&count);
    char known[512], guess[64];
    words names = words_begin(known, sizeof known, " ");
    words_seek(&names, id, strlen(id));
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(effects[i]->id, id) == 0)
            return effects[i];
        words_add(&names, effects[i]->id);
    }
    if (file_is_folder(id)) {
        fail(STATUS_USAGE, "unknown effect %s; the pass of that folder is ./%s", id, id);
        return NULL;
    }
    fail(STATUS_USAGE, "unknown effect %s; expected one of: %s%s", id, known,
         words_guess(&names, guess));
    return NULL;
}

const ag_slot_info *effect_slot(const ag_effect_info *effect, int index)
{
    const char *rows = (const char *)effect->slots;
    return (const void *)(rows + (size_t)index * effect->slot_stride);
}

const ag_setting_info *effect_setting(const ag_effect_info *effect, int index)
{
    const char *rows = (const char *)effect->settings;
    return (const void *)(rows + (size_t)index * effect->setting_stride);
}

int effect_find_slot(const ag_effect_info *effect, const char *name, size_t length)
{
    char known[512], guess[64];
    words names = words_begin(known, sizeof known, " ");
    words_seek(&names, name, length);
    for (int i = 0; i < (int)effect->slot_count; i++) {
        const char *slot = effect_slot(effect, i)->name;
        if (strlen(slot) == length && strncmp(slot, name, length) == 0)
            return i;
        words_add(&names, slot);
    }
    fail(STATUS_USAGE, "%s has no slot %.*s; expected one of: %s%s", effect->id, (int)length, name,
         known, words_guess(&names, guess));
    return -1;
}

bool effect_takes_format(const ag_slot_info *slot, const format_info *format)
{
    for (uint32_t i = 0; i < slot->format_count; i++)
        if (slot->formats[i] == format->sized)
            return true;
    return false;
}

const char *effect_format_names(const ag_slot_info *slot, char *buffer, size_t size)
{
    words names = words_begin(buffer, size, " ");
    for (uint32_t i = 0; i < slot->format_count; i++) {
        char number[16];
        words_add(&names, format_name(slot->formats[i], number));
    }
    return buffer;
}

static const char *type_name(const ag_setting_info *setting)
{
    static const char *const names[] = {
        [AG_FLOAT] = "float", [AG_INT] = "int", [AG_BOOL] = "bool", [AG_ENUM] = "enum"};
    return setting->type <= AG_ENUM ? names[setting->type] : "unknown";
}

const char *effect_setting_prepare(const ag_setting_info *setting)
{
    static const char *const names[] = {[AG_PREPARE_NOTHING] = "nothing",
                                        [AG_PREPARE_KERNEL] = "kernel",
                                        [AG_PREPARE_PLAN] = "plan"};
    return setting->prepare <= AG_PREPARE_PLAN ? names[setting->prepare] : "unknown";
}

static void print_slot(FILE *stream, const ag_slot_info *slot)
{
    char formats[512];
    const char *way = slot->access & AG_STATE ? "state"
                      : (slot->access & (AG_READ | AG_WRITE)) == (AG_READ | AG_WRITE)
                          ? "read and write"
                      : slot->access & AG_READ ? "read"
                                               : "write";
    fprintf(stream, "    %-14s %s%s: %s\n", slot->name, way,
            slot->access & AG_OPTIONAL ? ", optional" : "", slot->help);
    fprintf(stream, "    %-14s %s\n", "", effect_format_names(slot, formats, sizeof formats));
}

static void print_setting(FILE *stream, const ag_setting_info *setting)
{
    char range[256], initial[128];
    fprintf(stream, "    %-14s %s %s", setting->name, type_name(setting),
            effect_setting_range(setting, range, sizeof range));
    if (setting->count > 1)
        fprintf(stream, ", %u values", (unsigned)setting->count);
    if (setting->unit && *setting->unit)
        fprintf(stream, ", in %s", setting->unit);
    fprintf(stream, ", default %s%s%s\n    %-14s %s\n",
            effect_setting_default(setting, initial, sizeof initial),
            setting->prepare ? "; a change may need a new " : "",
            setting->prepare ? effect_setting_prepare(setting) : "", "", setting->help);
    for (uint32_t i = 0; setting->type == AG_ENUM && i < setting->name_count; i++)
        if (setting->names[i] && setting->value_help[i][0])
            fprintf(stream, "    %-14s   %s: %s\n", "", setting->names[i], setting->value_help[i]);
}

void effect_print(FILE *stream, const ag_effect_info *effect)
{
    fprintf(stream,
            "%s - %s\n  binds %u image units, %u storage buffers, %u texture unit%s\n  slots\n",
            effect->id, effect->help, (unsigned)effect->image_units, (unsigned)effect->ssbos,
            (unsigned)effect->texture_units, effect->texture_units == 1 ? "" : "s");
    for (int i = 0; i < (int)effect->slot_count; i++)
        print_slot(stream, effect_slot(effect, i));
    fputs("  settings\n", stream);
    for (int i = 0; i < (int)effect->setting_count; i++)
        print_setting(stream, effect_setting(effect, i));
}
