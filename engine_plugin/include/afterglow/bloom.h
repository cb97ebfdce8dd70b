// bloom.h - settings of the effect "bloom": energy-conserving FFT bloom of an HDR frame
// SPDX-License-Identifier: MIT
//
//   T   = soft threshold of min(src, clamp); by default src itself
//   dst = src + intensity * (T conv K * tint - T)            output = composite
//   dst = intensity * (T conv K * tint)                      output = bloom_only
//
// K sums to 1 in each channel. So without threshold, clamp and tint, bloom moves light and creates
// none. The image is 0 outside the frame. Alpha is copied.
//
// src and dst stand for their light L, and g for the setting gain:
//
//   L(c) = e / (1 - (1 - 1/g) m)     e = c, decoded with transfer = srgb; m = the largest of its
//                                    colours, in 0..1
//
// With g > 1 white shines as g whites, for frames that end at 1. Black and hue stay, and where
// nothing blooms dst is src. The sum of L stays then, but no longer that of the frame.
//
//   slots     src, dst: rectangles of one size, as many layers. kernel_image: for shape = texture,
//             else ignored; dirt: stretched over the frame; both one layer, 1, 3 or 4 channels.
//             exposure: 1 x 1, R32F or RGBA32F; a = 0: not valid, EV 0; read only with a threshold
//             or a clamp. With dirt, ghosts or output = add: one layer
//   extent    K is a square of 2 * floor(size * height / 2) + 1 texels a side. With shape = texture
//             that is its height; its width follows from kernel_image's aspect ratio
//   in place  no slot that is read may be dst's level of its texture: AG_E_ARG
//   error     that of convolve, relative to max|T|, with either storage; with resolution other than
//             full an approximation: docs/bloom.md. With dirt, ghosts or output = add 2^-11 of the
//             glow more, unless dst has 32 bits a channel or is RGBA16
//   cost      3 dispatches, 2 barriers, with another resolution 5 to 8 and 4 to 7; with firefly,
//             steady, exposure, dirt, ghosts or output = add 1 or 2 more, and with ghosts one more.
//             prepare computes K's spectrum when K changes
//   limits    width and height plus half the kernel's extent up to 8192 texels, of the image that
//             the FFT transforms: with another resolution than full the frame may be larger. A
//             refusal names the resolutions that fit. firefly with direct taps of the frame
//             (docs/bloom.md) needs 4 image units, all others 3: AG_E_ARG where image_unit_base
//             leaves fewer
//   GL state  as in afterglow.h; image units: 4, storage bindings: 6, texture units: 0
//   errors    AG_E_SIZE (rectangles that differ; limits), AG_E_ARG (slots and settings that
//             contradict each other), AG_E_FORMAT (transfer = srgb, output = add), and those of
//             every effect
//   source    docs/bloom.md
#ifndef AFTERGLOW_BLOOM_H
#define AFTERGLOW_BLOOM_H

#include <afterglow/convolve.h>

// clang-format off
#define AG_BLOOM_SHAPE(X)                                                                          \
    X(AG_BLOOM_GAUSSIAN,   0, "gaussian",   "sigma = size * height / 12")                          \
    X(AG_BLOOM_APERTURE,   1, "aperture",   "the diffraction star of a camera's iris")             \
    X(AG_BLOOM_TEXTURE,    2, "texture",                                                           \
      "kernel_image, scaled to the kernel's extent and normalised")                                \
    X(AG_BLOOM_STAR,       3, "star",       "the glare of an eye: a round pupil behind eyelashes") \
    X(AG_BLOOM_ANAMORPHIC, 4, "anamorphic",                                                        \
      "the aperture behind a cylindrical lens: wide, with a streak")
AG_NAMED_ENUM(ag_bloom_shape, AG_BLOOM_SHAPE)

// What becomes of the texture of shape = texture. The centre and the black of auto are logged.
#define AG_BLOOM_FIT(X)                                                     \
    X(AG_BLOOM_FIT_AUTO,  0, "auto",                                        \
      "centred by its light, less the mean of its outermost texels, black") \
    X(AG_BLOOM_FIT_EXACT, 1, "exact",                                       \
      "the texels as they are; the centre is the texel (w/2, h/2)")
AG_NAMED_ENUM(ag_bloom_fit, AG_BLOOM_FIT)

#define AG_BLOOM_OUTPUT(X)                                             \
    X(AG_BLOOM_COMPOSITE, 0, "composite",  "the frame with its bloom") \
    X(AG_BLOOM_ONLY,      1, "bloom_only", "the bloom alone")          \
    X(AG_BLOOM_ADD,       2, "add",        "what dst holds, and the bloom; dst's alpha stays")
AG_NAMED_ENUM(ag_bloom_output, AG_BLOOM_OUTPUT)

// Of the image that the FFT transforms; the frame keeps its own. docs/bloom.md has what each costs,
// and its error. eighth is a quarter, and the plan's text says so, where the rays of an aperture, a
// star or an anamorphic are too thin for it: at dispersion = 1 below 968 texels of height * size.
// auto looks at each new kernel's spectrum and the intensity in prepare, and waits for the GPU;
// with AG_JOB_BACKGROUND prepare is pending until it knows. Where none of those that keep 50 dB
// fits (limits), it takes the finest that does.
#define AG_BLOOM_RESOLUTION(X)                                                  \
    X(AG_BLOOM_FULL,    0, "full",    "the frame's")                            \
    X(AG_BLOOM_HALF,    1, "half",    "a half of the frame's width and height") \
    X(AG_BLOOM_QUARTER, 2, "quarter",                                           \
      "a quarter; of an anamorphic a quarter of the width, half of the height") \
    X(AG_BLOOM_EIGHTH,  3, "eighth",                                            \
      "an eighth; of an anamorphic an eighth of the width, half of the height") \
    X(AG_BLOOM_AUTO,    4, "auto",    "the cheapest of them that keeps 50 dB")
AG_NAMED_ENUM(ag_bloom_resolution, AG_BLOOM_RESOLUTION)

// That image, where the frame's size changes (dynamic resolution). With fixed the glow is the same
// at every size of the frame, and a change of it makes no new spectrum. Needs resolution half,
// quarter or eighth.
#define AG_BLOOM_GRID(X)                                                                    \
    X(AG_BLOOM_FRAME, 0, "frame", "follows the frame; so does the kernel, in whole texels") \
    X(AG_BLOOM_FIXED, 1, "fixed",                                                           \
      "stays with job.plan_width x plan_height, and so does the kernel")
AG_NAMED_ENUM(ag_bloom_grid, AG_BLOOM_GRID)

// What single bright texels, which make their glow flicker, may spread (docs/bloom.md). clamp and
// karis need resolution half, quarter or eighth.
#define AG_BLOOM_FIREFLY(X)                                                                  \
    X(AG_BLOOM_FIREFLY_OFF,   0, "off",   "what they have")                                  \
    X(AG_BLOOM_FIREFLY_CLAMP, 1, "clamp", "at most four times the mean of their neighbours") \
    X(AG_BLOOM_FIREFLY_KARIS, 2, "karis", "weighted by 1 / (1 + brightness)")
AG_NAMED_ENUM(ag_bloom_firefly, AG_BLOOM_FIREFLY)

// What src and dst hold (docs/bloom.md). srgb: in textures that GL does not decode, R8 RG8 RGBA8
// RGB10_A2 RGBA16; formats of floats are refused. SRGB8_ALPHA8 is decoded once with either.
#define AG_BLOOM_TRANSFER(X)                 \
    X(AG_BLOOM_LINEAR, 0, "linear", "light") \
    X(AG_BLOOM_SRGB,   1, "srgb",   "codes of the sRGB curve")
AG_NAMED_ENUM(ag_bloom_transfer, AG_BLOOM_TRANSFER)

// Slots, in the order of ag_job.slots.
enum ag_bloom_slot {
    AG_BLOOM_SRC = 0,
    AG_BLOOM_KERNEL_IMAGE = 1,
    AG_BLOOM_DST = 2,
    AG_BLOOM_DIRT = 3,    // optional: brightens the glow by 1 + dirt_intensity * its texels. Read
                          // by prepare: increase its version when its content changed
    AG_BLOOM_EXPOSURE = 4 // optional: one texel, r = EV; the state of the effect exposure
};

// A change needs the new prepare of its row only if the shape in use reads the setting, and
//   output      if it is to or from add
//   threshold,  if a texture is in the slot exposure, and the change turns the first of the two on
//   clamp       or the last of them off
//   scrub       with shape = texture
//   ghosts,     if it is between 0 and more. transition, not 0: prepare no longer makes the new
//   transition, kernel at once, but a part of it a call, so call it every frame. For aperture, star
//   steady      and anamorphic; for what decides about their size prepare works at once. Needs
//               resolution full. steady: docs/bloom.md; the pass keeps 28 bytes a texel of the
//               smaller image, so each view has a pass of its own, and AG_JOB_RESET tells it of a
//               cut. Needs resolution half, quarter or eighth
//   gain        if it is between 1 and more. Below 1 it counts as 1; but 0 is 1 with transfer
//               linear, and 100 with srgb
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_BLOOM_SETTINGS(X)                                                                       \
    X(FLOAT,  intensity,       0.2, 0, 1, "", NOTHING, "share of the light that is spread")        \
    X(FLOAT,  size,            0.45, 0, 2, "heights", PLAN, "the kernel's full extent")            \
    X(ENUM,   shape,           AG_BLOOM_APERTURE, AG_BLOOM_SHAPE, PLAN, "what draws the kernel")   \
    X(INT,    blades,          6, 3, 16, "", KERNEL, "number of the iris's blades")                \
    X(FLOAT,  rotation,        0, -360, 360, "degrees", KERNEL,                                    \
      "of the iris, or of the eye, from +x to +y")                                                 \
    X(FLOAT,  threshold,       0, 0, 65504, "", PLAN, "light below it does not bloom; 0 = off")    \
    X(FLOAT,  knee,            0.5, 0, 1, "thresholds", NOTHING, "softness of the threshold")      \
    X(FLOAT,  clamp,           0, 0, 65504, "", PLAN, "brightest value that blooms; 0 = off")      \
    X(FLOAT,  exposure,        0, -32, 32, "EV", NOTHING,                                          \
      "threshold, knee and clamp apply to src * 2^exposure; dst is not multiplied by it")          \
    X(FLOAT3, tint,            1, 1, 1, 0, 16, "", NOTHING, "colour of the bloom")                 \
    X(ENUM,   output,          AG_BLOOM_COMPOSITE, AG_BLOOM_OUTPUT, PLAN,                          \
      "the composite, the bloom alone, or added to dst")                                           \
    X(BOOL,   scrub,           1, KERNEL, AG_SCRUB_HELP)                                           \
    X(ENUM,   storage,         AG_STORAGE_FULL, AG_STORAGE, PLAN,                                  \
      "of spectra between passes; compact: 16 bits a component")                                   \
    /* aperture, star and anamorphic; docs/bloom.md says what each is in a lens */                 \
    X(FLOAT,  roundness,       0, 0, 1, "", KERNEL,                                                \
      "of aperture and anamorphic: 0 = straight blades, 1 = a circle")                             \
    X(FLOAT,  dispersion,      1, 0, 2, "", PLAN, "a star's size goes with wavelength^dispersion") \
    X(FLOAT,  dust,            0, 0, 1, "", KERNEL, "particles on the lens, or in the eye")        \
    X(FLOAT,  scratches,       0, 0, 1, "", KERNEL, "scratches on the lens")                       \
    X(INT,    seed,            1, 0, 65535, "", KERNEL, "which dust, scratches and lashes")        \
    X(FLOAT,  eyelashes,       0.5, 0, 1, "", KERNEL, "lashes before the pupil of shape = star")   \
    X(FLOAT,  stretch,         2, 1, 8, "", KERNEL, "of the star along x, of shape = anamorphic")  \
    X(FLOAT,  streak,          0.35, 0, 1, "", KERNEL,                                             \
      "the streak's share of blue light, of shape = anamorphic")                                   \
    X(ENUM,   kernel_fit,      AG_BLOOM_FIT_AUTO, AG_BLOOM_FIT, PLAN,                              \
      "of shape = texture. auto: centred by its light, black subtracted")                          \
    /* with dirt, ghosts or output = add: a further dispatch */                                    \
    X(FLOAT,  dirt_intensity,  1, 0, 16, "", NOTHING, "how much the mask in slot dirt brightens")  \
    X(INT,    ghosts,          0, 0, 8, "", PLAN,                                                  \
      "reflections in the lens, which add light; 0 = off")                                         \
    X(FLOAT,  ghost_intensity, 0.002, 0, 1, "", NOTHING, "share of the light that a ghost has")    \
    X(INT,    transition,      0, 0, 240, "frames", PLAN,                                          \
      "how long a change of the kernel fades in; 0 = at once")                                     \
    X(ENUM,   resolution,      AG_BLOOM_FULL, AG_BLOOM_RESOLUTION, PLAN,                           \
      "of the image that the FFT transforms")                                                      \
    X(ENUM,   grid,            AG_BLOOM_FRAME, AG_BLOOM_GRID, PLAN,                                \
      "fixed: that image keeps its size when the frame's changes")                                 \
    X(ENUM,   firefly,         AG_BLOOM_FIREFLY_OFF, AG_BLOOM_FIREFLY, PLAN,                       \
      "what single bright texels may spread")                                                      \
    X(ENUM,   transfer,        AG_BLOOM_LINEAR, AG_BLOOM_TRANSFER, PLAN,                           \
      "srgb: src and dst hold codes of its curve")                                                 \
    X(FLOAT,  gain,            0, 0, 256, "", PLAN,                                                \
      "g, how many times as bright white shines; 0: 100 with transfer = srgb, else 1")             \
    X(FLOAT,  steady,          0, 0, 0.99, "", PLAN,                                               \
      "how slowly the glow follows light that flickers; 0 = off")
#define AG_BLOOM_TAG AG_TAG('b', 'l', 'o', 'm')
AG_SETTINGS_STRUCT(ag_bloom_settings, AG_BLOOM_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_BLOOM_DEFAULTS {sizeof(ag_bloom_settings), AG_BLOOM_TAG, AG_BLOOM_SETTINGS(AG_DEFAULT)}
#define ag_bloom_params(...) \
    AG_PARAMS(ag_bloom_settings, AG_BLOOM_TAG, AG_BLOOM_SETTINGS, __VA_ARGS__)
// For frames that hold codes of 8 or 10 bits: ag_bloom_params(AG_BLOOM_SDR).
#define AG_BLOOM_SDR .intensity = 0.3f, .size = 0.5f, .transfer = AG_BLOOM_SRGB
// clang-format on

#endif
