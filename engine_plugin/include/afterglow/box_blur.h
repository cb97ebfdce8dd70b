// box_blur.h - settings of the effect "box_blur": the mean of a box of any size around every texel
// SPDX-License-Identifier: MIT
//
//   dst(x,y) = mean of src over [x - r, x + 1 + r) x [y - r, y + 1 + r), in texels
//
// r is the radius, any real number: a texel that the box's edge cuts counts with the part inside.
// r = 0 gives the texel itself, bit by bit. The cost does not depend on r.
//
//   slots     src      a colour image: a rectangle, any number of layers
//             radius   optional: r = its first channel * the setting `radius`, for each texel. It
//                      has src's size, and its layers or one. Non-finite and negative values are 0
//             table    optional: src's SAT, made before by the effect sat: storage float32 (32F) or
//                      uint32 (32UI), origin corner, edge inclusive, offset none, src's size,
//                      layers and channels (3 count as 4). If empty, the pass computes a SAT with
//                      the setting `storage`. auto takes the most exact one of 4 bytes: uint32 for
//                      8-bit images (not sRGB) of up to 16 843 009 texels, else float32 with
//                      offset = mean
//             dst      of src's size and layers
//   in place  no slot that is read may be dst's level of its texture: AG_E_ARG
//   error     of one iteration into RGBA32F, relative to max|src|, for an image of N texels:
//             1e-6      radius below 2; where auto takes uint32; storage double_float
//             float32   4 (ulp(N/4) + 0.006) / (2r + 1)^2. This bounds the worst image; ordinary
//                       images stay a hundred times below it. With border clamp, a box that
//                       reaches outside repeats the edge texels and so multiplies the table's
//                       errors: there ((2r+4) / (2r+1))^2 (ulp(N/4) + 0.006) + 1e-6 if it reaches
//                       outside on both axes. Measured with gradients and bright borders of
//                       700 x 500 texels: 2e-5
//             a given table: its own error
//   cost      the SAT (see sat.h), then for each layer and iteration at most 2 dispatches: boxes
//             inside the image, then boxes that reach its edge; 1 for a radius below 2; 3 with a
//             radius texture. 16 reads of the SAT a texel, 4 if one whole radius serves all
//   memory    scratch: a SAT, unless it is given; with a radius texture 8 bytes for each 256
//             texels. Persistent: with 2 iterations an image of 16 bytes a texel, with 3 or 4 a
//             second one. The SAT lies in a buffer, one storage
//             block a layer. If a block would be too large, the layers lie below each other in
//             one texture that a texture unit reads (at src's target); if that would be too
//             high, or with AG_WITHOUT_TEXTURE_UNITS, in images. In textures it is
//             persistent, no scratch. The plan's text names the way.
//             A texture unit reads a given table if it can be viewed (glTexStorage), has src's
//             target and AG_WITHOUT_TEXTURE_UNITS is not set; otherwise an image unit does
//   scrub     off: the result around a non-finite texel is not finite, of a SAT also far from it
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE (a slot is not of src's size; limits), AG_E_FORMAT (channels of table), and
//             those of every effect
//   limits    width, and height times layers, up to 16384 texels
//   source    Crow 1984; iterations: Wells 1986; docs/sat.md
#ifndef AFTERGLOW_BOX_BLUR_H
#define AFTERGLOW_BOX_BLUR_H

#include <afterglow/afterglow.h>

// clang-format off
#define AG_BOX_STORAGE(X)                                                              \
    X(AG_BOX_STORAGE_AUTO,         0, "auto",         "the most exact one of 4 bytes") \
    X(AG_BOX_STORAGE_FLOAT32,      1, "float32",      "")                              \
    X(AG_BOX_STORAGE_DOUBLE_FLOAT, 2, "double_float", "")
AG_NAMED_ENUM(ag_box_storage, AG_BOX_STORAGE)

// Slots, in the order of ag_job.slots.
enum ag_box_blur_slot {
    AG_BOX_BLUR_SRC = 0,
    AG_BOX_BLUR_RADIUS = 1,
    AG_BOX_BLUR_TABLE = 2,
    AG_BOX_BLUR_DST = 3
};

#define AG_BOX_BLUR_BORDER(X) \
    AG_BORDER_ROW_ZERO(X) AG_BORDER_ROW_CLAMP(X) AG_BORDER_ROW_MIRROR(X) AG_BORDER_ROW_NORMALIZE(X)

// n iterations give about a Gaussian of sigma = sqrt(n ((2r+1)^2 - 1) / 12), 3 to within 3 %.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_BOX_BLUR_SETTINGS(X)                                                               \
    X(FLOAT, radius,        8, 0, 16384, "texels", NOTHING,                                   \
      "half the box less half a texel, any real number; with a radius texture: its unit")     \
    X(INT,   iterations,    1, 1, 4, "", PLAN, "one after the other; 3 look like a Gaussian") \
    X(ENUM,  border,        AG_BORDER_CLAMP, AG_BOX_BLUR_BORDER, PLAN,                        \
      "what lies outside the image")                                                          \
    X(ENUM,  storage,       AG_BOX_STORAGE_AUTO, AG_BOX_STORAGE, PLAN,                        \
      "precision of the table that is made here")                                             \
    X(INT,   fraction_bits, -1, -1, 24, "bits", NOTHING,                                      \
      "of a given 32UI table; -1: it sums 8-bit codes")                                       \
    X(BOOL,  scrub,         1, NOTHING, AG_SCRUB_HELP)
#define AG_BOX_BLUR_TAG AG_TAG('b', 'o', 'x', 'b')
AG_SETTINGS_STRUCT(ag_box_blur_settings, AG_BOX_BLUR_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_BOX_BLUR_DEFAULTS \
    {sizeof(ag_box_blur_settings), AG_BOX_BLUR_TAG, AG_BOX_BLUR_SETTINGS(AG_DEFAULT)}
#define ag_box_blur_params(...) \
    AG_PARAMS(ag_box_blur_settings, AG_BOX_BLUR_TAG, AG_BOX_BLUR_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
