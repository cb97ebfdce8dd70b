// settings.h - an effect's table of settings, which its public header has, as rows of reflection
// SPDX-License-Identifier: MIT
#ifndef AG_SETTINGS_H
#define AG_SETTINGS_H

#include "core/effect.h"

#include <afterglow/settings.h>
#include <stddef.h>
#include <string.h>

// clang-format off
// AG_SETTINGS(bloom, BLOOM) defines, from AG_BLOOM_SETTINGS,
//   settings_type         ag_bloom_settings
//   settings[]            the rows. A test compares what they say of prepare with what `check` does
//                         (the test setting_prepare)
//   most_levels and so on the largest values of whole numbers
//   settings_of(request)  the settings of a request, as that struct
#define AG_SETTINGS(effect, EFFECT)                                                         \
    AG_SETTINGS_OF(ag_##effect##_settings)                                                  \
    typedef ag_##effect##_settings settings_type;                                           \
    enum { settings_tag = AG_##EFFECT##_TAG, AG_##EFFECT##_SETTINGS(AG_MOST) };             \
    static const ag_setting_info settings[] = {AG_##EFFECT##_SETTINGS(AG_SETTING)};

#define AG_MOST(kind, ...) AG_MOST_##kind(__VA_ARGS__)
#define AG_MOST_FLOAT(...)
#define AG_MOST_FLOAT3(...)
#define AG_MOST_MATRIX(...)
#define AG_MOST_INT(member, initial, least, most, ...) most_##member = most,
#define AG_MOST_BOOL(...)
#define AG_MOST_ENUM(...)

#define AG_SETTING(kind, ...) AG_SETTING_##kind(__VA_ARGS__)
#define AG_SETTING_FLOAT(member, initial, least, most, unit, change, help)                  \
    AG_SETTING_NUMBERS(member, AG_FLOAT, 1, least, most, unit, change, help, initial)
#define AG_SETTING_FLOAT3(member, x, y, z, least, most, unit, change, help)                 \
    AG_SETTING_NUMBERS(member, AG_FLOAT, 3, least, most, unit, change, help, x, y, z)
#define AG_SETTING_MATRIX(member, least, most, unit, change, help)                          \
    AG_SETTING_NUMBERS(member, AG_FLOAT, 16, least, most, unit, change, help,               \
                       1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
#define AG_SETTING_INT(member, initial, least, most, unit, change, help)                    \
    AG_SETTING_NUMBERS(member, AG_INT, 1, least, most, unit, change, help, initial)
#define AG_SETTING_BOOL(member, initial, change, help)                                      \
    AG_SETTING_NUMBERS(member, AG_BOOL, 1, 0, 1, "", change, help, initial)
#define AG_SETTING_NUMBERS(member, type, count, least, most, unit, change, help, ...)       \
    {#member, unit, help, type, offsetof(settings_type, member), count, 0, least, most,     \
     {__VA_ARGS__}, NULL, NULL, AG_PREPARE_##change, 0},
#define AG_SETTING_ENUM(member, initial, LIST, change, help)                                \
    {#member, "", help, AG_ENUM, offsetof(settings_type, member), 1, AG_NAME_COUNT(LIST),   \
     0, AG_NAME_COUNT(LIST) - 1, {initial}, AG_NAMES(LIST),                                 \
     (const char *const[]){LIST(AG_VALUE_HELP)}, AG_PREPARE_##change, 0},

// The names of a list's values, each at its value; NULL between them.
#define AG_NAMES(LIST) (const char *const[]){LIST(AG_NAME)}
#define AG_NAME(value, number, name, help) [value] = name,
#define AG_VALUE_HELP(value, number, name, help) [value] = help,
#define AG_NAME_COUNT(LIST) (sizeof AG_NAMES(LIST) / sizeof(const char *))
// clang-format on

// Defines settings_of(request) alone, for an effect's other files.
#define AG_SETTINGS_OF(type)                                                                  \
    _Static_assert(sizeof(type) <= sizeof((ag_request *)0)->settings, "see AG_MAX_SETTINGS"); \
    static type settings_of(const ag_request *request)                                        \
    {                                                                                         \
        type mine;                                                                            \
        memcpy(&mine, &request->settings, sizeof mine);                                       \
        return mine;                                                                          \
    }

#endif
