// soft_shadow.h - settings of the effect "soft_shadow": shadows whose softness grows with distance
// SPDX-License-Identifier: MIT
//
//   dst = share of a light that reaches what the camera sees: 1 lit, 0 in shadow
//
//   docs/soft_shadow.md has the exact definition. The light's depths and their squares lie in a
//   summed-area table of integers, exact for any size of map. Each texel of the frame gets from it
//   the mean depth of what lies in front within a search box, then the width of the penumbra by the
//   light's size, then Chebyshev's bound of the light over a box of that width.
//
//   slots     src      the shadow map, the light's depths: a depth format or R32F, one layer (of an
//                      array, first_layer), not multisampled
//             depth    the camera's: the same formats, one layer
//             dst      of depth's size; all its colour channels get the share, alpha 1
//             table    optional, of src's size: gets the table, for engine shaders that include
//                      shaders/sat/shadow.glsl
//   matrix    to_light, column by column, takes (x, y, d, 1) to the map: x, y across depth's
//             rectangle, 0..1 from row 0; d as stored. The result divided by w is x, y across the
//             map, 0..1 from row 0, and the depth as src stores it. With view = linear it takes
//             (x d, y d, d, 1)
//   lit       outside the map, in front of the light's near plane, at w <= 0, where the depth is
//             NaN
//   in place  neither map nor depth may be dst's level of its texture: AG_E_ARG
//   error     sums are exact in depths of 16 bits from near to far; the share is within 2^-12 of
//             the same formula in double
//   leaks     at most 1 / (1 + 2 r)^2 of the light through an occluder that is r times as far above
//             the receiver as below another one's edge; `bleed` cuts it. docs/soft_shadow.md has
//             how much of umbrae leaks, against rays
//   cost      3 or 4 dispatches, 1 more with `table`: 24 bytes a texel of the map, then 24 reads of
//             the table a texel of the frame, 12 where nothing lies in front, 36 at edges before
//             something farther
//   memory    16 bytes a texel of the map of scratch
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 2
//   errors    AG_E_SIZE (dst is not of depth's size, table not of src's; limits), AG_E_ARG (several
//             layers or samples; far_plane, max_box), and those of every effect
//   limits    maps up to 16384 x 16384, boxes up to 255 texels
//   source    Lauritzen, GPU Gems 3, chapter 8; Yang et al. 2010
#ifndef AFTERGLOW_SOFT_SHADOW_H
#define AFTERGLOW_SOFT_SHADOW_H

#include <afterglow/afterglow.h>

// clang-format off
// Slots, in the order of ag_job.slots.
enum ag_soft_shadow_slot {
    AG_SOFT_SHADOW_SRC = 0,
    AG_SOFT_SHADOW_DEPTH = 1,
    AG_SOFT_SHADOW_DST = 2,
    AG_SOFT_SHADOW_TABLE = 3
};

#define AG_SHADOW_LIGHT(X)                                            \
    X(AG_SHADOW_DIRECTIONAL, 0, "directional", "an orthographic map") \
    X(AG_SHADOW_SPOT,        1, "spot",        "a map in perspective")
AG_NAMED_ENUM(ag_shadow_light, AG_SHADOW_LIGHT)

#define AG_SHADOW_ENCODING(X)                                     \
    X(AG_SHADOW_FORWARD,  0, "forward",  "0..1 from near to far") \
    X(AG_SHADOW_REVERSED, 1, "reversed", "1..0 from near to far") \
    X(AG_SHADOW_LINEAR,   2, "linear",   "metres")
AG_NAMED_ENUM(ag_shadow_encoding, AG_SHADOW_ENCODING)

#define AG_SHADOW_VIEW(X)                                                \
    X(AG_SHADOW_VIEW_STORED, 0, "stored", "as its projection stores it") \
    X(AG_SHADOW_VIEW_LINEAR, 1, "linear", "metres")
AG_NAMED_ENUM(ag_shadow_view, AG_SHADOW_VIEW)

// to_light is `matrix` above. far_plane is above near_plane; keep it tight, because depths have 16
// bits. max_box is at least min_box.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_SOFT_SHADOW_SETTINGS(X)                                                                \
    X(MATRIX, to_light,    -1e9, 1e9, "", NOTHING,                                                \
      "from the frame (x, y in 0..1, depth) to the map, column by column")                        \
    X(ENUM,   view,        AG_SHADOW_VIEW_STORED, AG_SHADOW_VIEW, NOTHING,                        \
      "what depth holds: what its projection stores, or metres")                                  \
    X(ENUM,   light,       AG_SHADOW_DIRECTIONAL, AG_SHADOW_LIGHT, NOTHING,                       \
      "directional: an orthographic map; spot: perspective")                                      \
    X(ENUM,   encoding,    AG_SHADOW_FORWARD, AG_SHADOW_ENCODING, NOTHING,                        \
      "what src holds: 0..1 from near to far, 1..0, or metres")                                   \
    X(FLOAT,  near_plane,  0.1, 0.001, 1e6, "m", NOTHING, "of the light's camera")                \
    X(FLOAT,  far_plane,   100, 1e-3, 1e7, "m", NOTHING, "of the light's camera; keep it tight")  \
    X(FLOAT,  map_width,   50, 1e-3, 1e6, "m", NOTHING,                                           \
      "that the map's width shows; of spot at 1 m")                                               \
    X(FLOAT,  light_angle, 0.53, 0, 90, "degrees", NOTHING,                                       \
      "across a directional light; the sun has 0.53")                                             \
    X(FLOAT,  light_width, 0.2, 0, 1000, "m", NOTHING, "of a spot: a square of this side")        \
    X(FLOAT,  bleed,       0.2, 0, 0.9, "", NOTHING, "shares of light below this become 0")       \
    X(FLOAT,  bias,        0.02, 0, 100, "m", NOTHING,                                            \
      "towards the light, against shadows of a surface on itself")                                \
    X(FLOAT,  min_box,     3, 2, 255, "texels", NOTHING, "of the map: the softness of a contact") \
    X(FLOAT,  max_box,     63, 2, 255, "texels", NOTHING,                                         \
      "of the map, at least min_box: wider penumbrae are cut")                                    \
    X(BOOL,   scrub,       1, NOTHING,                                                            \
      "ag_health counts non-finite depths of the map; they are far in either case")
#define AG_SOFT_SHADOW_TAG AG_TAG('s', 'h', 'a', 'd')
AG_SETTINGS_STRUCT(ag_soft_shadow_settings, AG_SOFT_SHADOW_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_SOFT_SHADOW_DEFAULTS \
    {sizeof(ag_soft_shadow_settings), AG_SOFT_SHADOW_TAG, AG_SOFT_SHADOW_SETTINGS(AG_DEFAULT)}
#define ag_soft_shadow_params(...) \
    AG_PARAMS(ag_soft_shadow_settings, AG_SOFT_SHADOW_TAG, AG_SOFT_SHADOW_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
