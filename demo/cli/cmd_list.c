// cli/cmd_list.c - `afterglow list`: the effects with their slots, formats and settings
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "effect.h"
#include "json.h"
#include "report.h"

enum { OPT_JSON, OPT_COUNT };

static const option options[OPT_COUNT] = {
    [OPT_JSON] = {"--json", NULL, "print JSON, for scripts and editors"},
};

const command command_list = {
    .name = "list",
    .usage = "[EFFECT|FOLDER] [--json]",
    .help = "shows the effects, or one with its slots, formats and settings",
    .notes = "A setting is changed with `afterglow run EFFECT --set NAME=VALUE`.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .run = list_command,
};

static void put_slot(json *out, const ag_slot_info *slot)
{
    json_open(out, NULL, '{');
    json_text(out, "name", slot->name);
    json_text(out, "help", slot->help);
    json_bool(out, "read", (slot->access & AG_READ) != 0);
    json_bool(out, "write", (slot->access & AG_WRITE) != 0);
    json_bool(out, "optional", (slot->access & AG_OPTIONAL) != 0);
    json_bool(out, "state", (slot->access & AG_STATE) != 0);
    json_bool(out, "levels", (slot->access & AG_LEVELS) != 0);
    json_open_flat(out, "formats", '[');
    for (uint32_t i = 0; i < slot->format_count; i++) {
        char number[16];
        json_text(out, NULL, format_name(slot->formats[i], number));
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void put_value(json *out, const ag_setting_info *setting, const char *key, double value)
{
    if (setting->type == AG_BOOL)
        json_bool(out, key, value != 0);
    else if (setting->type == AG_ENUM && value >= 0 && value < setting->name_count)
        json_text(out, key, setting->names[(int)value]);
    else
        json_number(out, key, value);
}

static void put_setting(json *out, const ag_setting_info *setting)
{
    static const char *const types[] = {
        [AG_FLOAT] = "float", [AG_INT] = "int", [AG_BOOL] = "bool", [AG_ENUM] = "enum"};
    json_open(out, NULL, '{');
    json_text(out, "name", setting->name);
    json_text(out, "type", setting->type <= AG_ENUM ? types[setting->type] : "unknown");
    json_text(out, "unit", setting->unit);
    json_text(out, "help", setting->help);
    json_uint(out, "count", setting->count);
    json_text(out, "prepare", effect_setting_prepare(setting));
    if (setting->type == AG_ENUM) {
        json_open_flat(out, "names", '[');
        for (uint32_t i = 0; i < setting->name_count; i++)
            if (setting->names[i])
                json_text(out, NULL, setting->names[i]);
        json_close(out, ']');
        json_open_flat(out, "value_help", '[');
        for (uint32_t i = 0; i < setting->name_count; i++)
            if (setting->names[i])
                json_text(out, NULL, setting->value_help[i]);
        json_close(out, ']');
    } else if (setting->type != AG_BOOL) {
        json_number(out, "min", setting->min);
        json_number(out, "max", setting->max);
    }
    if (setting->count == 1) {
        put_value(out, setting, "default", setting->initial[0]);
    } else {
        json_open_flat(out, "default", '[');
        for (uint32_t i = 0; i < setting->count && i < AG_MAX_VALUES; i++)
            put_value(out, setting, NULL, setting->initial[i]);
        json_close(out, ']');
    }
    json_close(out, '}');
}

static void put_effect(json *out, const ag_effect_info *effect)
{
    json_open(out, NULL, '{');
    json_text(out, "id", effect->id);
    json_text(out, "help", effect->help);
    json_uint(out, "image_units", effect->image_units);
    json_uint(out, "ssbos", effect->ssbos);
    json_uint(out, "texture_units", effect->texture_units);
    json_open(out, "slots", '[');
    for (int i = 0; i < (int)effect->slot_count; i++)
        put_slot(out, effect_slot(effect, i));
    json_close(out, ']');
    json_open(out, "settings", '[');
    for (int i = 0; i < (int)effect->setting_count; i++)
        put_setting(out, effect_setting(effect, i));
    json_close(out, ']');
    json_close(out, '}');
}

static void print_names(const ag_effect_info *const *effects, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        printf("%-16s %s\n", effects[i]->id, effects[i]->help);
    puts("\n`afterglow list EFFECT` shows its slots, formats and settings.");
}

static void print_json(const ag_api *api, const ag_effect_info *const *chosen, uint32_t count)
{
    json out = json_begin(stdout);
    json_open(&out, NULL, '{');
    json_text(&out, "version", api->version);
    json_open(&out, "effects", '[');
    for (uint32_t i = 0; i < count; i++)
        put_effect(&out, chosen[i]);
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
}

int list_command(int argc, char **argv)
{
    const ag_api *api = effect_api();
    if (!api)
        return STATUS_FAILED;
    bool as_json = false;
    const ag_effect_info *chosen = NULL;
    option_reader reader = option_begin(&command_list, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        if (which == OPT_JSON) {
            as_json = true;
        } else if (which == OPTION_INPUT && !chosen) {
            chosen = effect_is_folder(reader.value) ? effect_load(api, reader.value, 0)
                                                    : effect_find(api, reader.value);
            if (!chosen)
                return STATUS_USAGE;
        } else if (which == OPTION_INPUT) {
            return fail(STATUS_USAGE, "list takes one effect or none");
        } else {
            return STATUS_USAGE;
        }
    }
    uint32_t count = 1;
    const ag_effect_info *const *effects = chosen ? &chosen : api->effects(&count);
    if (as_json)
        print_json(api, effects, count);
    else if (chosen)
        effect_print(stdout, chosen);
    else
        print_names(effects, count);
    return STATUS_OK;
}
