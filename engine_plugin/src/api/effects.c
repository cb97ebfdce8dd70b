// effects.c - the list of effects
// SPDX-License-Identifier: MIT
#include "core/effect.h"

#include <string.h>

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
#define AG_EFFECT_INFO(name) &name.info,
static const ag_effect_info *const infos[] = {AG_EFFECTS(AG_EFFECT_INFO)};

enum { COUNT = sizeof infos / sizeof *infos };

const ag_effect_info *const *ag_effects(uint32_t *count)
{
    if (count)
        *count = COUNT;
    return infos;
}

const ag_effect *ag_effect_find(const char *id)
{
    for (int i = 0; i < COUNT; ++i)
        if (!strcmp(infos[i]->id, id))
            return (const ag_effect *)infos[i]; // its first member
    return NULL;
}
