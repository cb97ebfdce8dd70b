// depth_of_field.h - settings of the effect "depth_of_field": blurs a frame as a thin lens does
// SPDX-License-Identifier: MIT
//
//   dst = near + (1 - coverage of near) * (far blurred, in focus as it is, behind near filled in)
//
//   docs/depth_of_field.md has the radius of a texel, both methods, and how near each comes to a
//   lens.
//
//   slots     src      a colour image: a rectangle, any number of layers, linear light. Alpha is
//                      copied
//             depth    of src's size and layers: a depth format or R32F, not multisampled
//             dst      of src's size and layers
//             state    optional, AG_STATE: focus = autofocus reads and writes it in place. One
//                      texel of RGBA32F; it is a rectangle of 1 x 1, so several may share a
//                      texture. r: 1/m in focus (0: infinity). g: 1/m that the area shows. b: share
//                      of its samples that have a depth. a: 1 if valid
//   autofocus of at most 16 x 16 depths of the area, in src's first layer, a third is nearer than
//             g. r goes towards g by 1 - exp(-dt focus_speed); with AG_JOB_RESET, or from a state
//             that is not valid (zeros, NaN), it becomes g. Without a depth it stays; without a
//             valid state, too, focus_distance is in focus and the state 0. r and g within 3e-6 of
//             the larger one, and what 32-bit depths leave of 1/z
//   layers    near texels blur over sharp ones. The far blur takes no light from texels in focus or
//             near. Texels in focus that no near blur reaches are copied bit by bit
//   gather    has the opening that blades, roundness, rotation and squeeze say; lamps are drawn
//             with clean edges. Blurs of less than 3 texels at full resolution, others at half
//   tables    has a round opening, made of boxes, and an exact definition. shape = disc: at most
//             this share of a point's light falls outside the true disc: 38 % for a radius below
//             1.5, 15.2 % up to 8, 9.5 % up to 20, 5.2 % beyond. box: a square. smooth: falls off
//             from the middle
//   in place  neither src nor depth may be dst's level of its texture: AG_E_ARG
//   error     colours of blurred texels are cut at 65504. tables: of a texel, relative to the
//             largest |src|: 2^-9 of the layers, which are RGBA16F (6e-4 where the largest is 1),
//             and the error of a mean in the table: that of box_blur for storage float32 and
//             double_float, over the shape's area instead of (2r + 1)^2
//   cost      dispatches a layer of src: gather 5, tables 12; autofocus 1 in all. gather: 13 to 29
//             fetches for each texel of half resolution that a blur reaches, and 1 to 45 texels
//             around each that is little blurred; tiles in focus are copied. tables: 4 to 28 reads
//             of a table a texel, for the near and for the far layer. max_radius sets how many
//             tiles of 16 texels are looked at around a tile: at most 19 + 19
//   memory    gather: 15 bytes a texel. tables: scratch: a SAT of 16 bytes a texel (double_float:
//             32), 64 bytes for each 256 texels; persistent: 2 images of 8 bytes a texel, and the
//             SAT where no buffer can hold it
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 4
//   errors    AG_E_SIZE (a slot is not of src's size, state not 1 x 1; limits), AG_E_ARG (depth is
//             multisampled; far_plane not above near_plane; blades 1 or 2; autofocus without
//             state), and those of every effect
//   limits    width, and height times layers, up to 16384 texels; gather: 1024 layers
//   source    Potmesil and Chakravarty 1981; Hensley et al. 2005; Kosloff, Tao and Barsky 2009;
//             Jimenez 2014
#ifndef AFTERGLOW_DEPTH_OF_FIELD_H
#define AFTERGLOW_DEPTH_OF_FIELD_H

#include <afterglow/afterglow.h>

// clang-format off
// Slots, in the order of ag_job.slots.
enum ag_depth_of_field_slot {
    AG_DEPTH_OF_FIELD_SRC = 0,
    AG_DEPTH_OF_FIELD_DEPTH = 1,
    AG_DEPTH_OF_FIELD_DST = 2,
    AG_DEPTH_OF_FIELD_STATE = 3
};

#define AG_FOCUS(X)                                                                 \
    X(AG_FOCUS_DISTANCE,  0, "distance",  "focus_distance")                         \
    X(AG_FOCUS_POINT,     1, "point",     "what the point of the frame shows")      \
    X(AG_FOCUS_AUTOFOCUS, 2, "autofocus", "follows what an area shows; needs state")
AG_NAMED_ENUM(ag_focus, AG_FOCUS)

#define AG_ENCODING(X)                                              \
    X(AG_ENCODING_FORWARD,  0, "forward",  "0..1 from near to far") \
    X(AG_ENCODING_REVERSED, 1, "reversed", "1..0 from near to far") \
    X(AG_ENCODING_LINEAR,   2, "linear",   "metres")
AG_NAMED_ENUM(ag_encoding, AG_ENCODING)

#define AG_FOCUS_SHAPE(X)                                        \
    X(AG_SHAPE_BOX,    0, "box",    "a square")                  \
    X(AG_SHAPE_SMOOTH, 1, "smooth", "falls off from the middle") \
    X(AG_SHAPE_DISC,   2, "disc",   "about a disc")
AG_NAMED_ENUM(ag_focus_shape, AG_FOCUS_SHAPE)

// double_float is for lights that are thousands of times brighter than their surroundings.
#define AG_FOCUS_STORAGE(X)                                \
    X(AG_FOCUS_FLOAT32,      0, "float32",      "24 bits") \
    X(AG_FOCUS_DOUBLE_FLOAT, 1, "double_float", "48 bits")
AG_NAMED_ENUM(ag_focus_storage, AG_FOCUS_STORAGE)

// What makes the blur: docs/depth_of_field.md.
#define AG_FOCUS_METHOD(X)                                                                \
    X(AG_FOCUS_AUTO,   0, "auto",   "gather; tables where the context lacks what it needs") \
    X(AG_FOCUS_GATHER, 1, "gather", "samples on rings of half resolution, and lamps apart") \
    X(AG_FOCUS_TABLES, 2, "tables", "boxes of a summed-area table; any radius at one cost")
AG_NAMED_ENUM(ag_focus_method, AG_FOCUS_METHOD)

// far_plane is above near_plane, or 0. shape and storage are those of tables; blades, roundness,
// rotation and squeeze those of gather, as bloom has them.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_DEPTH_OF_FIELD_SETTINGS(X)                                                             \
    X(ENUM,  focus,          AG_FOCUS_DISTANCE, AG_FOCUS, PLAN,                                   \
      "what is in focus: a distance, or what a point or an area of the frame shows")              \
    X(FLOAT, focus_distance, 10, 0.001, 1e6, "m", NOTHING,                                        \
      "in focus; autofocus: until the area shows something")                                      \
    X(FLOAT, focus_x,        0.5, 0, 1, "", NOTHING,                                              \
      "of the point, or of the area's middle, across src's rectangle; 0 left, 1 right")           \
    X(FLOAT, focus_y,        0.5, 0, 1, "", NOTHING, "of the point or middle; 0 at row 0")        \
    X(FLOAT, f_number,       2.8, 0.5, 64, "", NOTHING,                                           \
      "focal length over the lens's diameter; less blurs more")                                   \
    X(FLOAT, focal_length,   50, 1, 2000, "mm", NOTHING, "of the lens; more blurs more")          \
    X(FLOAT, sensor_height,  24, 1, 1000, "mm", NOTHING, "that the frame's height shows")         \
    X(ENUM,  encoding,       AG_ENCODING_FORWARD, AG_ENCODING, NOTHING,                           \
      "what depth holds: 0..1 from near to far, 1..0, or metres")                                 \
    X(FLOAT, near_plane,     0.1, 0.001, 1e6, "m", NOTHING, "of the camera; not for linear")      \
    X(FLOAT, far_plane,      1000, 0, 1e9, "m", NOTHING,                                          \
      "of the camera, 0 = infinitely far; not for linear")                                        \
    X(FLOAT, max_radius,     32, 1, 128, "texels", NOTHING, "larger blurs are cut")               \
    X(ENUM,  shape,          AG_SHAPE_DISC, AG_FOCUS_SHAPE, PLAN,                                 \
      "of the light of a point: 1, 3 or 7 boxes")                                                 \
    X(ENUM,  storage,        AG_FOCUS_FLOAT32, AG_FOCUS_STORAGE, PLAN, "precision of the tables") \
    X(BOOL,  scrub,          1, NOTHING, AG_SCRUB_HELP)                                           \
    X(ENUM,  method,         AG_FOCUS_AUTO, AG_FOCUS_METHOD, PLAN, "what makes the blur")         \
    X(INT,   blades,         0, 0, 11, "", PLAN, "of the iris, 3 or more; 0 = a round opening")   \
    X(FLOAT, roundness,      0, 0, 1, "", PLAN, "of the iris: 0 = straight blades, 1 = a circle") \
    X(FLOAT, rotation,       0, -360, 360, "degrees", PLAN, "of the iris, from +x to +y")         \
    X(FLOAT, squeeze,        1, 1, 2, "", PLAN,                                                   \
      "of an anamorphic lens: how many times taller than wide its discs are")                     \
    X(FLOAT, focus_width,    0.1, 0, 1, "", NOTHING,                                              \
      "of autofocus's area, as a share of src's rectangle; 0 = one texel")                        \
    X(FLOAT, focus_height,   0.1, 0, 1, "", NOTHING, "of the area; 0 = one texel")                \
    X(FLOAT, focus_speed,    3, 0, 1000, "1/s", NOTHING,                                          \
      "of autofocus: each second what is left to go shrinks by e to this power")
#define AG_DEPTH_OF_FIELD_TAG AG_TAG('d', 'p', 'o', 'f')
AG_SETTINGS_STRUCT(ag_depth_of_field_settings, AG_DEPTH_OF_FIELD_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_DEPTH_OF_FIELD_DEFAULTS \
    {sizeof(ag_depth_of_field_settings), AG_DEPTH_OF_FIELD_TAG, \
     AG_DEPTH_OF_FIELD_SETTINGS(AG_DEFAULT)}
#define ag_depth_of_field_params(...) \
    AG_PARAMS(ag_depth_of_field_settings, AG_DEPTH_OF_FIELD_TAG, AG_DEPTH_OF_FIELD_SETTINGS, \
              __VA_ARGS__)
// clang-format on

#endif
