// depth_pyramid.h - settings of the effect "depth_pyramid": nearest, farthest or both depths
// SPDX-License-Identifier: MIT
//
// It serves occlusion culling, screen-space rays and light tiles ("Hi-Z"; Greene, Kass and Miller
// 1993).
// Each texel of a level is the minimum (or maximum) of all texels of the level above that it
// touches: 2 on each axis, or 3 at odd sizes. So every level is conservative: it bounds all depths
// below it.
//
// Which reduction: a test whether boxes are occluded needs the farthest depth: `max` with the usual
// depth (0 near, 1 far), `min` with reversed depth (1 near, 0 far). Rays that march through a level
// need the nearest depth: the other one.
//
//   slots     src   depth, read: any depth format or R32F; 2D, array or multisampled. Depth formats
//                   must be made by glTexStorage, because others cannot be viewed. Values are read
//                   as stored, 0..1 for fixed point
//             dst   R32F for min and max, RG32F (minimum in r, maximum in g) for minmax; src's
//                   layers. Its first level (ag_texture.level) has the size of src's rectangle, and
//                   is then a copy of the depths, or half of it, max(1, size / 2). The levels below
//                   it are written, too, and must exist
//   samples   all samples of a multisampled texel are reduced
//   in place  src may be another level of dst's texture, but none of those that are written:
//             AG_E_ARG
//   error     none: exact to the bit, with fixed-point depths as the GPU's sampler converts them.
//             NaN is skipped; a texel is NaN only if all that it touches is
//   cost      2 dispatches, 1 if dst has up to 7 levels in all; with the setting `levels` a part of
//             a long chain may take 1 more. Must move the depths once, and what is written
//   GL state  as in afterglow.h; image units: 8, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE (dst has neither size), AG_E_FORMAT (dst, by `reduce`), AG_E_ARG (layers; 1
//             level that would be a copy), and those of every effect
//   source    docs/mipchain.md
#ifndef AFTERGLOW_DEPTH_PYRAMID_H
#define AFTERGLOW_DEPTH_PYRAMID_H

#include <afterglow/settings.h>

// clang-format off
#define AG_DEPTH_REDUCE(X)                                              \
    X(AG_DEPTH_MIN,    0, "min",    "nearest, or farthest if reversed") \
    X(AG_DEPTH_MAX,    1, "max",    "farthest, or nearest if reversed") \
    X(AG_DEPTH_MINMAX, 2, "minmax", "both: minimum in r, maximum in g")
AG_NAMED_ENUM(ag_depth_reduce, AG_DEPTH_REDUCE)

// Slots, in the order of ag_job.slots.
enum ag_depth_pyramid_slot { AG_DEPTH_PYRAMID_SRC = 0, AG_DEPTH_PYRAMID_DST = 1 };

// levels: at least 2 if the first level of dst is a copy of src.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_DEPTH_PYRAMID_SETTINGS(X)                                                             \
    X(ENUM, reduce, AG_DEPTH_MIN, AG_DEPTH_REDUCE, PLAN, "minimum, maximum, or both in r and g") \
    X(INT,  levels, 0, 0, 17, "", PLAN, "levels of dst to write, 0 for all down to 1x1")         \
    X(BOOL, scrub,  1, NOTHING,                                                                  \
      "ag_health counts texels that are NaN; they are skipped in any case")
#define AG_DEPTH_PYRAMID_TAG AG_TAG('d', 'p', 'y', 'r')
AG_SETTINGS_STRUCT(ag_depth_pyramid_settings, AG_DEPTH_PYRAMID_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_DEPTH_PYRAMID_DEFAULTS \
    {sizeof(ag_depth_pyramid_settings), AG_DEPTH_PYRAMID_TAG, \
     AG_DEPTH_PYRAMID_SETTINGS(AG_DEFAULT)}
#define ag_depth_pyramid_params(...) \
    AG_PARAMS(ag_depth_pyramid_settings, AG_DEPTH_PYRAMID_TAG, AG_DEPTH_PYRAMID_SETTINGS, \
              __VA_ARGS__)
// clang-format on

#endif
