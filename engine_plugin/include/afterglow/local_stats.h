// local_stats.h - settings of the effect "local_stats": mean and standard deviation around texels
// SPDX-License-Identifier: MIT
//
//   mean(x,y)      = mean of src over [x - r, x + 1 + r) x [y - r, y + 1 + r), in texels
//   deviation(x,y) = sqrt(mean of src^2 - (mean of src)^2) over the same box
//
// This is the deviation of the population (division by N, not N - 1). A texel that the box's edge
// cuts counts with the part inside.
//
//   slots     src         a colour image: a rectangle, any number of layers
//             dst         the mean; of src's size and layers
//             deviation   of src's size and layers. Channels that src lacks are 0; alpha is 0
//   in place  src, dst and deviation may not be the same level of a texture: AG_E_ARG
//   error     into RGBA32F: mean 1e-6 max|src|; variance (deviation^2) 1e-6 (max|src - its mean|)^2
//   cost      two double_float SATs, of src - mean and of its squares, from one read (sat.h), then
//             2 dispatches a layer
//   memory    scratch: 64 bytes a texel of RGBA, 16 of one channel. Where the SATs lie and how they
//             are read, and when they are persistent: as in box_blur.h
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 1
//   limits    width, and height times layers, up to 16384 texels
//   source    Lewis 1995, fast template matching (the two tables); docs/sat.md
#ifndef AFTERGLOW_LOCAL_STATS_H
#define AFTERGLOW_LOCAL_STATS_H

#include <afterglow/afterglow.h>

// clang-format off
// Slots, in the order of ag_job.slots.
enum ag_local_stats_slot {
    AG_LOCAL_STATS_SRC = 0,
    AG_LOCAL_STATS_DST = 1,
    AG_LOCAL_STATS_DEVIATION = 2
};

#define AG_LOCAL_STATS_BORDER(X) \
    AG_BORDER_ROW_CLAMP(X) AG_BORDER_ROW_MIRROR(X) AG_BORDER_ROW_NORMALIZE(X)

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_LOCAL_STATS_SETTINGS(X)                                                                \
    X(FLOAT, radius, 8, 0, 16384, "texels", NOTHING,                                              \
      "r, half the box less half a texel; any real number")                                       \
    X(ENUM,  border, AG_BORDER_CLAMP, AG_LOCAL_STATS_BORDER, PLAN, "what lies outside the image") \
    X(BOOL,  scrub,  1, NOTHING, AG_SCRUB_HELP)
#define AG_LOCAL_STATS_TAG AG_TAG('l', 's', 't', 'a')
AG_SETTINGS_STRUCT(ag_local_stats_settings, AG_LOCAL_STATS_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_LOCAL_STATS_DEFAULTS \
    {sizeof(ag_local_stats_settings), AG_LOCAL_STATS_TAG, AG_LOCAL_STATS_SETTINGS(AG_DEFAULT)}
#define ag_local_stats_params(...) \
    AG_PARAMS(ag_local_stats_settings, AG_LOCAL_STATS_TAG, AG_LOCAL_STATS_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
