// effects.h - the list of effects
// SPDX-License-Identifier: MIT
#ifndef AG_EFFECTS_H
#define AG_EFFECTS_H

#include "core/effect.h"

const ag_effect_info *const *ag_effects(uint32_t *count);
const ag_effect *ag_effect_find(const char *id); // NULL: there is none

#endif
