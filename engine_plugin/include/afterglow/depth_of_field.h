// depth_of_field.h - settings of the effect "depth_of_field": blurs a frame as a thin lens does
// SPDX-License-Identifier: MIT
//
//   dst = near + (1 - coverage of near) * (far blurred, in focus as it is, behind near filled in)
//
//   docs/depth_of_field.md has the exact definition: the radius of a texel, the layers, the shapes.
//
//   slots     src      a colour image: a rectangle, any number of layers, linear light. Alpha is
//                      copied
//             depth    of src's size and layers: a depth format or R32F, not multisampled
//             dst      of src's size and layers
//   layers    near texels blur over sharp ones. The far blur takes no light from texels in focus or
//             near. Texels in focus that no near blur reaches are copied bit by bit
//   shape     disc: at most this share of a point's light falls outside the true disc: 38 % for a
//             radius below 1.5, 15.2 % up to 8, 9.5 % up to 20, 5.2 % beyond. box: a square.
//             smooth: falls off from the middle
//   in place  neither src nor depth may be dst's level of its texture: AG_E_ARG
//   error     of a texel, relative to the largest |src|: 2^-9 of the layers, which are RGBA16F
//             (colours are cut at 65504; 6e-4 where the largest is 1), and the error of a mean in
//             the table: that of box_blur for storage float32 and double_float, over the shape's
//             area instead of (2r + 1)^2
//   cost      12 dispatches a layer of src; 4 to 28 reads of a table a texel, for the near
//             and for the far layer. None depends on the radius. max_radius sets how many tiles of
//             16 texels are looked at around a tile: at most 19 + 19
//   memory    scratch: a SAT of 16 bytes a texel (double_float: 32), 64 bytes for each 256 texels;
//             persistent: 2 images of 8 bytes a texel, and the SAT where no buffer can hold it
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 2
//   errors    AG_E_SIZE (a slot is not of src's size; limits), AG_E_ARG (depth is multisampled;
//             far_plane not above near_plane), and those of every effect
//   structural formats, size, layers, shape, storage: after a change of these call prepare
//   limits    width, and height times layers, up to 16384 texels
//   source    Potmesil and Chakravarty 1981; Hensley et al. 2005; Kosloff, Tao and Barsky 2009
#ifndef AFTERGLOW_DEPTH_OF_FIELD_H
#define AFTERGLOW_DEPTH_OF_FIELD_H

#include <afterglow/afterglow.h>
#include <stdint.h>

// Slots, in the order of ag_job.slots.
enum { AG_DEPTH_OF_FIELD_SRC = 0, AG_DEPTH_OF_FIELD_DEPTH = 1, AG_DEPTH_OF_FIELD_DST = 2 };

enum { AG_FOCUS_DISTANCE = 0, AG_FOCUS_POINT = 1 };
enum { AG_ENCODING_FORWARD = 0, AG_ENCODING_REVERSED = 1, AG_ENCODING_LINEAR = 2 };
enum { AG_SHAPE_BOX = 0, AG_SHAPE_SMOOTH = 1, AG_SHAPE_DISC = 2 };
enum { AG_FOCUS_FLOAT32 = 0, AG_FOCUS_DOUBLE_FLOAT = 1 };

typedef struct ag_depth_of_field_settings {
    int32_t focus;        // AG_FOCUS_*: distance (default), or what the point shows
    float focus_distance; // metres, 0.001..1e6, default 10
    float focus_x;        // of the point: 0..1 across src's rectangle, default 0.5
    float focus_y;        // of the point: 0..1 from row 0 on, default 0.5
    float f_number;       // focal length over the lens's diameter, 0.5..64, default 2.8
    float focal_length;   // millimetres, 1..2000, default 50
    float sensor_height;  // millimetres, 1..1000, default 24
    int32_t encoding;     // AG_ENCODING_* of depth, default forward
    float near_plane;     // metres, 0.001..1e6, default 0.1; not for linear
    float far_plane;      // metres, above near_plane, up to 1e9; 0: infinitely far; default 1000;
                          // not for linear
    float max_radius;     // texels, 1..128, default 32: larger blurs are cut
    int32_t shape;        // AG_SHAPE_*, default disc
    int32_t storage;      // AG_FOCUS_*: precision of the tables, default float32. double_float for
                          // lights that are thousands of times brighter than their surroundings
    int32_t scrub;        // 1 (default): bad texels (afterglow.h) count as 0; ag_health counts them
} ag_depth_of_field_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_DEPTH_OF_FIELD_DEFAULTS                                                            \
    {                                                                                         \
        AG_FOCUS_DISTANCE, 10, 0.5f, 0.5f, 2.8f, 50, 24, AG_ENCODING_FORWARD, 0.1f, 1000, 32, \
            AG_SHAPE_DISC, AG_FOCUS_FLOAT32, 1                                                \
    }

#endif
