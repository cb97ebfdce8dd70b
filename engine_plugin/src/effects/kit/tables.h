// tables.h - an effect's tables of slots and settings, and its row in the list of effects
// SPDX-License-Identifier: MIT
#ifndef AG_TABLES_H
#define AG_TABLES_H

#include "core/effect.h"
#include "effects/kit/settings.h"

#define AG_COUNT_OF(array) (sizeof(array) / sizeof *(array))

// Rows of a table of slots. `slot_formats` is an array of sized internal formats.
#define AG_SLOT(name, help, access, slot_formats)                             \
    {                                                                         \
        name, help, access, (uint32_t)AG_COUNT_OF(slot_formats), slot_formats \
    }
#define AG_FRAME_SLOT(name, help, access) AG_SLOT(name, help, access, ag_frame_formats)
#define AG_COLOUR_SLOT(name, help, access) AG_SLOT(name, help, access, ag_colour_formats)

// ag_effect.info of an effect with a table `slots` and what AG_SETTINGS defines. It uses at most so
// many image units and texture units.
#define AG_EFFECT_INFO(name, what, images, textures)                                               \
    {                                                                                              \
        .struct_size = sizeof(ag_effect_info), .settings_size = sizeof(settings_type), .id = name, \
        .help = what, .slots = slots, .slot_count = AG_COUNT_OF(slots),                            \
        .slot_stride = sizeof *slots, .settings = settings,                                        \
        .setting_count = AG_COUNT_OF(settings), .setting_stride = sizeof *settings,                \
        .image_units = images, .ssbos = AG_SSBO_COUNT, .texture_units = textures,                  \
        .settings_tag = settings_tag                                                               \
    }

#endif
