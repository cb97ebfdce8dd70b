// ladder_downsample.h - settings of the effect "register_columns": smaller images as a document
// makes them
// SPDX-License-Identifier: MIT
//
// Of the module libafterglow_ladder, to compare with the effect "downsample" of libafterglow
// (afterglow/downsample.h), whose definition of areas, weights, errors and scrub it shares.
//
//   slots     src           the image: a rectangle, any number of layers
//             dst           the result: its size divides src's, each axis by 1, 2, 4, 8, 16 or 32
//   formats   any colour format each
//   cost      1 dispatch a layer; each texel is read once
//   limits    16384 texels each way
//   GL state  as in afterglow.h; image units: 3, storage bindings: 6, texture units: 1
//   errors    AG_E_ARG (other ratios; layers), AG_E_SIZE (limits), AG_E_FORMAT (weight alpha
//             without alpha), and those of every effect
//   source    the document "Image downsampling", figures 10 and 11; docs/ladder.md
#ifndef AFTERGLOW_LADDER_DOWNSAMPLE_H
#define AFTERGLOW_LADDER_DOWNSAMPLE_H

#include <afterglow/downsample.h>

// clang-format off
// Slots, in the order of ag_job.slots.
enum ag_register_columns_slot { AG_REGISTER_COLUMNS_SRC = 0, AG_REGISTER_COLUMNS_DST = 1 };

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_REGISTER_COLUMNS_SETTINGS(X)                  \
    X(ENUM, weight, AG_DOWN_WEIGHT_NONE, AG_DOWN_WEIGHT, PLAN,      \
      "equal, against fireflies, or colour by alpha")  \
    X(BOOL, scrub,  1, NOTHING, AG_SCRUB_HELP)
#define AG_REGISTER_COLUMNS_TAG AG_TAG('l', 'd', 'w', 'n')
AG_SETTINGS_STRUCT(ag_register_columns_settings, AG_REGISTER_COLUMNS_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_REGISTER_COLUMNS_DEFAULTS                                  \
    {sizeof(ag_register_columns_settings), AG_REGISTER_COLUMNS_TAG,   \
     AG_REGISTER_COLUMNS_SETTINGS(AG_DEFAULT)}
#define ag_register_columns_params(...)                                 \
    AG_PARAMS(ag_register_columns_settings, AG_REGISTER_COLUMNS_TAG,    \
              AG_REGISTER_COLUMNS_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
