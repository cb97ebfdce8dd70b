// properties.c - the effect's settings as OBS's properties, from the module's description of them
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. A plugin that is built of it links libobs, which is
// under the GNU GPL, version 2 or later, so the built plugin is distributed under those terms.
#include "filter.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Settings that make no sense in OBS, and why.
static const char *const hidden[] = {
    "output",         // the filter's output is the frame
    "scrub",          // frames of sources are finite
    "kernel_fit",     // of shape = texture, whose slot is empty here
    "dirt_intensity", // of the slot dirt, which is empty here
    "grid",           // for engines that change their resolution from frame to frame
    "transfer",       // the filter hands over linear light,
    "gain",           // and expands highlights itself: expand.c
};

static bool is_shown(const ag_setting_info *setting)
{
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (strcmp(setting->name, hidden[i]) == 0)
            return false;
    // Three factors from 0 on are a colour; there is no property for other arrays.
    return setting->count == 1 || (setting->count == 3 && setting->type == AG_FLOAT);
}

// ghost_intensity becomes "Ghost intensity".
static void make_label(const char *name, char label[64])
{
    snprintf(label, 64, "%s", name);
    label[0] = (char)toupper((unsigned char)label[0]);
    for (char *at = label; *at; at++)
        if (*at == '_')
            *at = ' ';
}

static obs_property_t *add_number(obs_properties_t *properties, const ag_setting_info *s,
                                  const char *label)
{
    bool slider = s->max - s->min <= 1000; // of a range like 0 .. 65504 a slider shows nothing
    if (s->type == AG_INT)
        return (slider ? obs_properties_add_int_slider : obs_properties_add_int)(
            properties, s->name, label, (int)s->min, (int)s->max, 1);
    // 0 .. 1 in steps of 0.005; a share of some thousandths needs finer ones
    double step = slider ? (s->max - s->min) / 200 : 0.01;
    if (s->initial[0] > 0 && s->initial[0] < 4 * step)
        step = s->initial[0] / 4;
    return (slider ? obs_properties_add_float_slider
                   : obs_properties_add_float)(properties, s->name, label, s->min, s->max, step);
}

static obs_property_t *add_list(obs_properties_t *properties, const ag_setting_info *s,
                                const char *label)
{
    obs_property_t *list = obs_properties_add_list(properties, s->name, label, OBS_COMBO_TYPE_LIST,
                                                   OBS_COMBO_FORMAT_STRING);
    for (uint32_t i = 0; i < s->name_count; i++) {
        char text[64];
        // NULL: the setting does not take this value. A kernel image has no slot here.
        if (!s->names[i] || strcmp(s->names[i], "texture") == 0)
            continue;
        make_label(s->names[i], text);
        obs_property_list_add_string(list, text, s->names[i]);
    }
    return list;
}

void properties_add(const ag_effect_info *effect, obs_properties_t *properties)
{
    for (uint32_t i = 0; i < effect->setting_count; i++) {
        const ag_setting_info *s = module_setting(effect, i);
        obs_property_t *property = NULL;
        char label[64], help[512];
        if (!is_shown(s))
            continue;
        make_label(s->name, label);
        if (s->count == 3)
            property = obs_properties_add_color(properties, s->name, label);
        else if (s->type == AG_FLOAT || s->type == AG_INT)
            property = add_number(properties, s, label);
        else if (s->type == AG_BOOL)
            property = obs_properties_add_bool(properties, s->name, label);
        else if (s->type == AG_ENUM)
            property = add_list(properties, s, label);
        else
            continue; // a type of a later version
        bool has_unit = s->unit && *s->unit;
        snprintf(help, sizeof help, "%s%s%s", s->help, has_unit ? ", in " : "",
                 has_unit ? s->unit : "");
        obs_property_set_long_description(property, help);
    }
}

// `initial`: the setting's default, where a struct of settings has it.
static void set_default(const ag_setting_info *s, const char *initial, obs_data_t *data)
{
    int32_t integer;
    float number;
    memcpy(&integer, initial, sizeof integer);
    memcpy(&number, initial, sizeof number);
    if (s->count == 3) // white; OBS's colours are 0xAABBGGRR
        obs_data_set_default_int(data, s->name, 0xFFFFFFFF);
    else if (s->type == AG_FLOAT)
        obs_data_set_default_double(data, s->name, number);
    else if (s->type == AG_INT)
        obs_data_set_default_int(data, s->name, integer);
    else if (s->type == AG_BOOL)
        obs_data_set_default_bool(data, s->name, integer != 0);
    else if (s->type == AG_ENUM)
        obs_data_set_default_string(data, s->name, s->names[integer]);
}

void properties_defaults(const ag_api *ag, const ag_effect_info *effect, obs_data_t *data)
{
    char *settings = bzalloc(effect->settings_size);
    module_video_defaults(ag, effect, settings); // the first picture shall show stars
    for (uint32_t i = 0; i < effect->setting_count; i++) {
        const ag_setting_info *s = module_setting(effect, i);
        if (is_shown(s))
            set_default(s, settings + s->offset, data);
    }
    bfree(settings);
}

static double decode_srgb(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

void properties_read(const ag_api *ag, const ag_effect_info *effect, obs_data_t *data,
                     void *settings)
{
    ag->defaults(effect->id, settings, effect->settings_size);
    for (uint32_t i = 0; i < effect->setting_count; i++) {
        const ag_setting_info *s = module_setting(effect, i);
        char *place = (char *)settings + s->offset, why[MODULE_WHY];
        if (!is_shown(s))
            continue;
        if (s->count == 3) {
            long long colour = obs_data_get_int(data, s->name);
            float factors[3];
            for (int c = 0; c < 3; c++)
                factors[c] = (float)decode_srgb((double)(colour >> 8 * c & 255) / 255);
            memcpy(place, factors, sizeof factors);
        } else if (s->type == AG_FLOAT) {
            float number = (float)obs_data_get_double(data, s->name);
            memcpy(place, &number, sizeof number);
        } else if (s->type == AG_INT || s->type == AG_BOOL) {
            int32_t number = s->type == AG_INT ? (int32_t)obs_data_get_int(data, s->name)
                                               : obs_data_get_bool(data, s->name);
            memcpy(place, &number, sizeof number);
        } else if (s->type == AG_ENUM && !module_set(effect, settings, s->name,
                                                     obs_data_get_string(data, s->name), why)) {
            blog(LOG_ERROR, "[afterglow] %s", why);
        }
    }
}
