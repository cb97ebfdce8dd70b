// effects.c - the effects of this module
// SPDX-License-Identifier: MIT
#include "core/effect.h"

#define AG_EFFECTS(X)            \
    X(ag_effect_bloom)           \
    X(ag_effect_convolve)        \
    X(ag_effect_mipchain)        \
    X(ag_effect_depth_pyramid)   \
    X(ag_effect_spectrum)        \
    X(ag_effect_filter_spectrum) \
    X(ag_effect_ocean)           \
    X(ag_effect_sat)             \
    X(ag_effect_box_blur)        \
    X(ag_effect_local_stats)     \
    X(ag_effect_exposure)        \
    X(ag_effect_downsample)      \
    X(ag_effect_wavelet)         \
    X(ag_effect_fft)             \
    X(ag_effect_depth_of_field)  \
    X(ag_effect_soft_shadow)     \
    X(ag_effect_denoise)

#define AG_EFFECT_DECLARE(name) extern const ag_effect name;
AG_EFFECTS(AG_EFFECT_DECLARE)
#define AG_EFFECT_INFO_OF(name) &name.info,
const ag_effect_info *const ag_module_effects[] = {AG_EFFECTS(AG_EFFECT_INFO_OF) NULL};
