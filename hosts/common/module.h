// module.h - what the hosts in C share: the module, loaded at run time, and settings by name
// SPDX-License-Identifier: MIT
//
// No host's headers and no GL: only the module's own description of its effects.
#ifndef AFTERGLOW_HOSTS_MODULE_H
#define AFTERGLOW_HOSTS_MODULE_H

#include <afterglow/afterglow.h>
#include <stdbool.h>
#include <stddef.h>

enum { MODULE_WHY = 1024 }; // room for a sentence that says what is wrong

// The module's table, or NULL. The first call loads the library that the environment variable
// AFTERGLOW_LIBRARY names, or else libafterglow.so.1, which the dynamic linker looks for; it stays
// loaded. Later calls give the same. Any thread may call it. `why` gets the reason of NULL.
const ag_api *module_open(char why[MODULE_WHY]);

// The effect of that id, or NULL; `why`, which may be NULL, gets a sentence with all ids.
const ag_effect_info *module_effect(const ag_api *ag, const char *id, char why[MODULE_WHY]);

const ag_slot_info *module_slot(const ag_effect_info *effect, uint32_t i);
const ag_setting_info *module_setting(const ag_effect_info *effect, uint32_t i);

// Whether the slot takes a sized internal format of GL.
bool module_slot_takes(const ag_slot_info *slot, uint32_t format);

// Whether the effect makes one picture of one picture: src and dst, both of them RGBA8 or more, and
// nothing else that it needs.
bool module_is_filter(const ag_effect_info *effect, uint32_t *src, uint32_t *dst);

// Fills `settings`, a struct of effect->settings_size bytes, with the effect's defaults; of bloom
// with AG_BLOOM_SDR, for frames that hold codes and end at white.
void module_video_defaults(const ag_api *ag, const ag_effect_info *effect, void *settings);

// Sets one setting in `settings`, a struct of effect->settings_size bytes: numbers, on and off,
// names, or several values with commas between, as `afterglow run --set` takes them. Ranges are the
// module's: prepare refuses what is outside. False: unchanged, and `why` says what was expected.
bool module_set(const ag_effect_info *effect, void *settings, const char *name, const char *value,
                char why[MODULE_WHY]);

// The same for a list "name=value name=value"; spaces, newlines and semicolons separate. False:
// unchanged, all of it.
bool module_set_all(const ag_effect_info *effect, void *settings, const char *list,
                    char why[MODULE_WHY]);

#endif
