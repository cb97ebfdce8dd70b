// filter.h - the parts of the OBS filter "Afterglow bloom"
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. A plugin that is built of it links libobs, which is
// under the GNU GPL, version 2 or later, so the built plugin is distributed under those terms.
#ifndef AFTERGLOW_OBS_FILTER_H
#define AFTERGLOW_OBS_FILTER_H

#include "module.h"

#include <obs-module.h>

// ---- filter.c: the filter itself
extern struct obs_source_info afterglow_bloom;

// ---- device.c: one device for OBS's one graphics context, as long as filters use it

typedef struct obs_device {
    const ag_api *ag;
    ag_device *device;
    unsigned users;
} obs_device;

// Both need the graphics context to be current. NULL: the log has the reason.
const obs_device *device_acquire(void);
void device_release(void);

// ---- expand.c: what lies above white, which SDR does not have, and back

#define CURVE_SETTING "highlights"
enum { CURVE_DEFAULT = 60, CURVE_MOST = 200 };

// On the graphics context. NULL: the log has the reason.
gs_effect_t *curve_create(void);
// Both draw a texture over the whole render target. expand decodes sRGB codes, too.
void curve_expand(gs_effect_t *effect, gs_texture_t *codes, float highlights);
void curve_compress(gs_effect_t *effect, gs_texture_t *light, float highlights);

// ---- properties.c: the effect's settings as OBS's properties

void properties_add(const ag_effect_info *effect, obs_properties_t *properties);
void properties_defaults(const ag_api *ag, const ag_effect_info *effect, obs_data_t *data);
// Fills a settings struct of the effect from what the user has chosen.
void properties_read(const ag_api *ag, const ag_effect_info *effect, obs_data_t *data,
                     void *settings);

#endif
