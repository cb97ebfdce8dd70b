// box_blur.h - settings of the effect "box_blur": the mean of a box of any size around every texel
// SPDX-License-Identifier: MIT
//
//   dst(x,y) = mean of src over [x - r, x + 1 + r) x [y - r, y + 1 + r), in texels
//
// r is the radius, any real number: texels that the edges cut count by their part inside. r = 0 gives the
// texel itself, to the bit. The cost does not depend on r.
//
//   slots     src      a colour image; a rectangle, as many layers as you like
//             radius   optional: its first channel times the setting `radius` is r, texel by texel; of src's
//                      size, its layers or one. Non-finite and negative values are 0
//             table    optional: src's table, ready made by the effect sat (or by last frame's): storage
//                      float32 (32F) or uint32 (32UI), origin corner, edge inclusive, offset none, of src's
//                      size, layers and channels (3 count as 4). Else a table is made here, with what is
//                      most exact: uint32 for 8-bit images (not sRGB), else float32 with offset = mean
//             dst      of src's size and layers
//   border    AG_BORDER_* of afterglow.h: zero, clamp, mirror, or normalize, the mean of what is inside
//   error     of one iteration into RGBA32F, relative to max|src|, for an image of N texels: below a radius
//             of 2, and for 8-bit images: 1e-6. Else of a float32 table 4 (ulp(N/4) + 0.006) / (2r + 1)^2,
//             which bounds the worst image; ordinary ones stay a hundred times below it. A box that reaches
//             beyond a clamped image weighs the texels at its edge by how far, and the table's errors with
//             them: there ((2r+4) / (2r+1))^2 (ulp(N/4) + 0.006) + 1e-6 where it does on both axes; seen, with
//             gradients and bright borders of 700 x 500 texels, 2e-5. double_float: 1e-6. A ready table: its own
//   cost      table (see sat.h) and at most 2 dispatches a layer and iteration: boxes within the image, then those
//             that reach its edge; below a radius of 2 one; with a radius texture 3. 16 reads of the table a texel, 4
//             where the one radius for all is whole. Persistent memory: a table, 2 more images of 16 bytes a texel
//             with iterations > 1, 8 bytes for each 256 texels with a radius texture
//   memory    the table that is made here lies in a buffer, a layer in one storage block; where that would be too
//             large, layers below each other in one texture, which ag_device_desc.texture_unit_base reads (at the target
//             of src); where that would be too high, or AG_WITHOUT_TEXTURE_UNITS is set, in images. The plan's text
//             says so. A ready table is read by the texture unit where it can be viewed (glTexStorage), its target is
//             src's and the bit is not set, else by an image unit
//   limits    width, and height times layers, up to 16384 texels
//   source    Crow 1984; iterations: Wells 1986; docs/sat.md
#ifndef AFTERGLOW_BOX_BLUR_H
#define AFTERGLOW_BOX_BLUR_H

#include <afterglow/afterglow.h>
#include <stdint.h>

enum { AG_BOX_STORAGE_AUTO = 0, AG_BOX_STORAGE_FLOAT32 = 1, AG_BOX_STORAGE_DOUBLE_FLOAT = 2 };

// Slots, in the order of ag_job.slots.
enum { AG_BOX_BLUR_SRC = 0, AG_BOX_BLUR_RADIUS = 1, AG_BOX_BLUR_TABLE = 2, AG_BOX_BLUR_DST = 3 };

typedef struct ag_box_blur_settings { // fill with ag_api.defaults, then change what you like
    float radius;          // texels, 0..16384, default 8; with a radius texture its unit
    int32_t iterations;    // 1..4, default 1. 3 is within 3 % of a Gaussian of sigma
                           // sqrt(3 ((2r+1)^2 - 1) / 12)
    int32_t border;        // AG_BORDER_*: zero, clamp (default), mirror or normalize
    int32_t storage;       // AG_BOX_STORAGE_* of the table that is made here
    int32_t fraction_bits; // of a ready 32UI table, 0..24; -1 (default): it counts 8-bit codes
    int32_t scrub;         // 1 (default): non-finite texels count as 0, and are counted in ag_health
} ag_box_blur_settings;

// ag_box_blur_settings s = AG_BOX_BLUR_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_BOX_BLUR_DEFAULTS {8, 1, AG_BORDER_CLAMP, AG_BOX_STORAGE_AUTO, -1, 1}

#endif
