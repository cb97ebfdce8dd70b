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
//   cost      3 dispatches, 2 barriers, with another resolution 5 and 4; with firefly, exposure,
//             dirt, ghosts or output = add 1 or 2 more. prepare computes K's spectrum when K
//             changes
//   limits    width and height plus half the kernel's extent up to 8192 texels, of the image that
//             the FFT transforms: with resolution half or quarter the frame may be larger. A
//             refusal names the finest resolution that fits. firefly with a core
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
#include <stdint.h>

enum {
    AG_BLOOM_GAUSSIAN = 0,  // sigma = size * height / 12
    AG_BLOOM_APERTURE = 1,  // the diffraction star of a camera's iris
    AG_BLOOM_TEXTURE = 2,   // kernel_image, scaled to K's extent and normalised
    AG_BLOOM_STAR = 3,      // the glare of an eye: a round pupil behind eyelashes
    AG_BLOOM_ANAMORPHIC = 4 // the aperture behind a cylindrical lens: wide, with a streak
};
enum {
    // The centre is the centroid of the light; the mean of the outermost texels, black, is
    // subtracted. Both are logged.
    AG_BLOOM_FIT_AUTO = 0,
    AG_BLOOM_FIT_EXACT = 1 // the texels as they are; the centre is the texel (w/2, h/2)
};
// AG_BLOOM_ADD adds what AG_BLOOM_ONLY writes to what dst holds; dst's alpha stays.
enum { AG_BLOOM_COMPOSITE = 0, AG_BLOOM_ONLY = 1, AG_BLOOM_ADD = 2 };
// Of the image that the FFT transforms; the frame keeps its own. docs/bloom.md has what each costs,
// and its error.
enum {
    AG_BLOOM_FULL = 0,
    AG_BLOOM_HALF = 1,    // a half of the frame's width and height
    AG_BLOOM_QUARTER = 2, // a quarter; of an anamorphic a quarter of the width, half of the height
    // the cheapest of them that keeps 50 dB, by K's spectrum and the intensity: prepare looks at
    // each new K, and waits for the GPU; with AG_JOB_BACKGROUND it is pending until it knows. Where
    // none of those fits (limits), the finest that does
    AG_BLOOM_AUTO = 3
};
// That image, where the frame's size changes (dynamic resolution).
enum {
    AG_BLOOM_FRAME = 0, // follows the frame; so does K, in whole texels
    // stays with job.plan_width x plan_height, and so does K: the glow is the same at every size of
    // the frame, and a change of it makes no new spectrum. Needs resolution half or quarter
    AG_BLOOM_FIXED = 1
};
// What single bright texels, which make their glow flicker, may spread. docs/bloom.md
enum {
    AG_BLOOM_FIREFLY_OFF = 0,
    AG_BLOOM_FIREFLY_CLAMP = 1, // at most four times the mean of their neighbours
    AG_BLOOM_FIREFLY_KARIS = 2  // weighted by 1 / (1 + brightness). Both need half or quarter
};
// What src and dst hold. docs/bloom.md
enum {
    AG_BLOOM_LINEAR = 0, // light
    // codes of the sRGB curve, in textures that GL does not decode: R8 RG8 RGBA8 RGB10_A2
    // RGBA16. SRGB8_ALPHA8 is decoded once with either; formats of floats are refused
    AG_BLOOM_SRGB = 1
};

// Slots, in the order of ag_job.slots.
enum {
    AG_BLOOM_SRC = 0,
    AG_BLOOM_KERNEL_IMAGE = 1,
    AG_BLOOM_DST = 2,
    AG_BLOOM_DIRT = 3,    // optional: brightens the glow by 1 + dirt_intensity * its texels. Read
                          // by prepare: increase its version when its content changed
    AG_BLOOM_EXPOSURE = 4 // optional: one texel, r = EV; the state of the effect exposure
};

// A change of size, shape, blades, rotation, storage, resolution, grid, firefly, transfer or what
// only the shape in use reads needs a new prepare, and so does a change of output to or from add;
// with shape = texture also a change of scrub; with a texture in the slot exposure also the change
// that turns the first of threshold and clamp on, or the last of them off.
typedef struct ag_bloom_settings {
    float intensity; // 0..1, default 0.1: the share of light that is spread
    float size;      // 0..2, default 0.3: K's extent as a fraction of the height
    int32_t shape;   // AG_BLOOM_GAUSSIAN (default), _APERTURE, _TEXTURE, _STAR, _ANAMORPHIC
    int32_t blades;  // 3..16, default 6: of the iris
    float rotation;  // degrees, -360..360, default 0: of the iris, or of the eye, from +x to +y
    float threshold; // 0..65504, default 0 = off: light below it does not bloom
    float knee;      // 0..1, default 0.5: softness of the threshold, as a fraction of it
    float clamp;     // 0..65504, default 0 = off: upper limit of T
    float exposure;  // EV, -32..32, default 0: threshold, knee and clamp apply to src * 2^exposure.
                     // dst is not multiplied by it
    float tint[3];   // 0..16, default 1 1 1: colour of the bloom
    int32_t output;  // AG_BLOOM_COMPOSITE (default), AG_BLOOM_ONLY, AG_BLOOM_ADD
    int32_t scrub;   // 1 (default): bad texels (afterglow.h) count as 0; ag_health counts them
    int32_t storage; // AG_STORAGE_FULL (default), AG_STORAGE_COMPACT: see convolve.h
    // aperture, star and anamorphic; docs/bloom.md says what each is in a lens
    float roundness;    // 0..1, default 0: 0 = straight blades, 1 = a circle; aperture, anamorphic
    float dispersion;   // 0..2, default 1: a star's size goes with wavelength^dispersion
    float dust;         // 0..1, default 0: particles on the lens, or in the eye
    float scratches;    // 0..1, default 0
    int32_t seed;       // 0..65535, default 1: which dust, scratches and lashes
    float eyelashes;    // 0..1, default 0.5: before the pupil; star
    float stretch;      // 1..8, default 2: of the star along x; anamorphic
    float streak;       // 0..1, default 0.35: the streak's share of blue light; anamorphic
    int32_t kernel_fit; // AG_BLOOM_FIT_AUTO (default), AG_BLOOM_FIT_EXACT; texture
    // These need a further dispatch. A change between 0 and more ghosts needs a new prepare.
    float dirt_intensity;  // 0..16, default 1: of the mask in slot dirt
    int32_t ghosts;        // 0..8, default 0 = off: reflections in the lens, which add light
    float ghost_intensity; // 0..1, default 0.002: share of the light that a ghost has
    // 0..240 frames, default 0: how long a change of kernel settings fades in. Not 0: prepare no
    // longer makes the new kernel at once, but a part of it a call, so call it every frame.
    // aperture, star and anamorphic; for what decides about their size prepare works at once. Needs
    // resolution full. A change between 0 and more needs a new prepare
    int32_t transition;
    int32_t resolution; // AG_BLOOM_FULL (default), _HALF, _QUARTER, _AUTO
    int32_t grid;       // AG_BLOOM_FRAME (default), AG_BLOOM_FIXED
    int32_t firefly;    // AG_BLOOM_FIREFLY_OFF (default), _CLAMP, _KARIS
    int32_t transfer;   // AG_BLOOM_LINEAR (default), AG_BLOOM_SRGB
    float gain;         // 0..256, g above: how bright white shines. Below 1: as 1; but 0 (default):
                        // 1 with transfer linear, 100 with srgb. A change between 1 and more needs
                        // a new prepare
} ag_bloom_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_BLOOM_DEFAULTS                                                                       \
    {                                                                                           \
        0.1f, 0.3f, AG_BLOOM_GAUSSIAN, 6, 0, 0, 0.5f, 0, 0, {1, 1, 1}, AG_BLOOM_COMPOSITE, 1,   \
            AG_STORAGE_FULL, 0, 1, 0, 0, 1, 0.5f, 2, 0.35f, AG_BLOOM_FIT_AUTO, 1, 0, 0.002f, 0, \
            AG_BLOOM_FULL, AG_BLOOM_FRAME, AG_BLOOM_FIREFLY_OFF, AG_BLOOM_LINEAR, 0             \
    }
// The same for a host whose frames hold codes of 8 or 10 bits: the first picture has stars.
#define AG_BLOOM_SDR_DEFAULTS                                                                   \
    {                                                                                           \
        0.3f, 0.5f, AG_BLOOM_APERTURE, 6, 0, 0, 0.5f, 0, 0, {1, 1, 1}, AG_BLOOM_COMPOSITE, 1,   \
            AG_STORAGE_FULL, 0, 1, 0, 0, 1, 0.5f, 2, 0.35f, AG_BLOOM_FIT_AUTO, 1, 0, 0.002f, 0, \
            AG_BLOOM_FULL, AG_BLOOM_FRAME, AG_BLOOM_FIREFLY_OFF, AG_BLOOM_SRGB, 0               \
    }

#endif
