// cli/effect.h - what the module says about its effects: look-ups, and settings from text
// SPDX-License-Identifier: MIT
#ifndef CLI_EFFECT_H
#define CLI_EFFECT_H

#include "format.h"

#include <afterglow/afterglow.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { EFFECT_MAX_SLOTS = 16 };

// The module's table, or NULL with a message when it does not fit this program.
const ag_api *effect_api(void);

// Returns NULL, having printed the names there are.
const ag_effect_info *effect_find(const ag_api *api, const char *id);
// The index of a slot whose name has this length, or -1, having printed the names there are.
int effect_find_slot(const ag_effect_info *effect, const char *name, size_t length);

// Rows are read by the stride that the module states: a newer one may have longer rows.
const ag_slot_info *effect_slot(const ag_effect_info *effect, int index);
const ag_setting_info *effect_setting(const ag_effect_info *effect, int index);

bool effect_takes_format(const ag_slot_info *slot, const format_info *format);
// The formats of a slot by name, with spaces between.
const char *effect_format_names(const ag_slot_info *slot, char *buffer, size_t size);

// "NAME=VALUE" into the effect's settings struct. Returns a STATUS_*, having printed what is wrong.
int effect_set(const ag_effect_info *effect, const char *assignment, void *settings);

// One line about what a setting takes: "0..1", "on | off", "auto | direct | fft".
const char *effect_setting_range(const ag_setting_info *setting, char *buffer, size_t size);
// Its default in the form that effect_set reads.
const char *effect_setting_default(const ag_setting_info *setting, char *buffer, size_t size);

// The description of one effect, as `list` prints it.
void effect_print(FILE *stream, const ag_effect_info *effect);

#endif
