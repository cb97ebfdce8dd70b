// effects.c - the effects of this module: the documents' methods, as they describe them
// SPDX-License-Identifier: MIT
#include "core/effect.h"

#define AG_EFFECTS(X)           \
    X(ag_effect_fft_ladder)     \
    X(ag_effect_sat_ladder)     \
    X(ag_effect_wavelet_ladder) \
    X(ag_effect_register_columns)

#define AG_EFFECT_DECLARE(name) extern const ag_effect name;
AG_EFFECTS(AG_EFFECT_DECLARE)
#define AG_EFFECT_INFO_OF(name) &name.info,
const ag_effect_info *const ag_module_effects[] = {AG_EFFECTS(AG_EFFECT_INFO_OF) NULL};
