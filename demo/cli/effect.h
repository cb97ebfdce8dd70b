// cli/effect.h - the effects of the module: look-ups by name, and settings from text
// SPDX-License-Identifier: MIT
#ifndef CLI_EFFECT_H
#define CLI_EFFECT_H

#include "format.h"

#include <afterglow/afterglow.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { EFFECT_MAX_SLOTS = 16 };

// The table of the module that is linked into this program, or of the one that was chosen; NULL,
// with a message, if its version does not fit this program.
const ag_api *effect_api(void);
// Chooses a module by its file or name (common/module.h). Returns a STATUS_*; errors are printed.
int effect_choose_module(const char *file);

// Returns NULL if there is none, and prints the names that exist.
const ag_effect_info *effect_find(const ag_api *api, const char *id);
// An effect may also be the path of a pass's folder, with a / in it, or . alone. Its description is
// valid until the program ends. NULL: errors are printed.
bool effect_is_folder(const char *name);
const ag_effect_info *effect_load(const ag_api *api, const char *folder, int device);
// The index of the slot whose name has this length; -1 if there is none, and prints the names.
int effect_find_slot(const ag_effect_info *effect, const char *name, size_t length);

// Rows are read with the module's stride, because a newer module may have longer rows.
const ag_slot_info *effect_slot(const ag_effect_info *effect, int index);
const ag_setting_info *effect_setting(const ag_effect_info *effect, int index);

bool effect_takes_format(const ag_slot_info *slot, const format_info *format);
// The names of a slot's formats, separated by spaces.
const char *effect_format_names(const ag_slot_info *slot, char *buffer, size_t size);

// Reads "NAME=VALUE" into the effect's settings struct. Returns a STATUS_*; errors are printed.
int effect_set(const ag_effect_info *effect, const char *assignment, void *settings);

// One line with the values of a setting: "0..1", "on | off", "auto | direct | fft".
const char *effect_setting_range(const ag_setting_info *setting, char *buffer, size_t size);
// The default of a setting, as effect_set reads it.
const char *effect_setting_default(const ag_setting_info *setting, char *buffer, size_t size);

// What a change of it makes prepare do: "nothing", "kernel", "plan".
const char *effect_setting_prepare(const ag_setting_info *setting);

// The description of one effect, as `list` prints it.
void effect_print(FILE *stream, const ag_effect_info *effect);

#endif
