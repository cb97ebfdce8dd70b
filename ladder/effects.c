// effects.c - the effects of this module: the documents' methods, as they describe them
// SPDX-License-Identifier: MIT
#include "core/effect.h"

const ag_effect_info *const ag_module_effects[] = {NULL};
