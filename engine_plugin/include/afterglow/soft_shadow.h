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
//   cost      4 or 5 dispatches, 1 more with `table`: 20 + 48 bytes a texel of the map, then 32
//             reads of the table a texel of the frame, 16 where nothing lies in front
//   memory    16 bytes a texel of the map of scratch, and as many persistent
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 2
//   errors    AG_E_SIZE (dst is not of depth's size, table not of src's; limits), AG_E_ARG (several
//             layers or samples; far_plane, max_box), and those of every effect
//   structural formats, sizes, whether `table` is given: after a change of these call prepare
//   limits    maps up to 16384 x 16384, boxes up to 255 texels
//   source    Lauritzen, GPU Gems 3, chapter 8; Yang et al. 2010
#ifndef AFTERGLOW_SOFT_SHADOW_H
#define AFTERGLOW_SOFT_SHADOW_H

#include <afterglow/afterglow.h>
#include <stdint.h>

// Slots, in the order of ag_job.slots.
enum {
    AG_SOFT_SHADOW_SRC = 0,
    AG_SOFT_SHADOW_DEPTH = 1,
    AG_SOFT_SHADOW_DST = 2,
    AG_SOFT_SHADOW_TABLE = 3
};

enum { AG_SHADOW_DIRECTIONAL = 0, AG_SHADOW_SPOT = 1 };
// What src stores: 0..1 from near to far, 1..0 from near to far, metres.
enum { AG_SHADOW_FORWARD = 0, AG_SHADOW_REVERSED = 1, AG_SHADOW_LINEAR = 2 };
enum { AG_SHADOW_VIEW_STORED = 0, AG_SHADOW_VIEW_LINEAR = 1 };

typedef struct ag_soft_shadow_settings {
    float to_light[16]; // `matrix` above, -1e9..1e9; default: the identity
    int32_t view;       // AG_SHADOW_VIEW_*: depth as its projection stores it (default), or metres
    int32_t light;      // AG_SHADOW_DIRECTIONAL (default), an orthographic map; _SPOT, perspective
    int32_t encoding;   // of src: AG_SHADOW_FORWARD (default), _REVERSED, _LINEAR
    float near_plane;   // metres, of the light's camera, 0.001..1e6, default 0.1
    float far_plane;    // metres, above near_plane, up to 1e7, default 100. Keep it tight: depths
                        // have 16 bits
    float map_width;    // metres that the map's width shows: of spot at 1 m. 1e-3..1e6, default 50
    float light_angle;  // degrees across, of a directional light: 0..90, default 0.53, the sun
    float light_width;  // metres, of a spot, a square of this side: 0..1000, default 0.2
    float bleed;        // shares of light below this become 0: 0..0.9, default 0.2
    float bias;         // metres towards the light, 0..100, default 0.02
    float min_box;      // texels of the map, 2..255, default 3: the softness of a contact
    float max_box;      // texels, min_box..255, default 63: wider penumbrae are cut
    int32_t scrub;      // 1 (default): ag_health counts non-finite depths of the map. They are far
                        // in either case
} ag_soft_shadow_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_SOFT_SHADOW_DEFAULTS                                                                   \
    {                                                                                             \
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, AG_SHADOW_VIEW_STORED,                  \
            AG_SHADOW_DIRECTIONAL, AG_SHADOW_FORWARD, 0.1f, 100, 50, 0.53f, 0.2f, 0.2f, 0.02f, 3, \
            63, 1                                                                                 \
    }

#endif
