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
//   slots     src, dst: rectangles of one size, as many layers. kernel_image: for shape = texture,
//             else ignored; one layer, 1, 3 or 4 channels
//   extent    K is a square of 2 * floor(size * height / 2) + 1 texels a side. With shape = texture
//             that is its height; its width follows from kernel_image's aspect ratio
//   error     that of convolve, relative to max|T|, with either storage; with resolution other than
//             full an approximation: docs/bloom.md
//   cost      3 dispatches, 2 barriers, with resolution other than full 5 and 4; prepare computes
//             K's spectrum when K changes
//   limits    width and height plus half the kernel's extent up to 8192 texels
//   source    docs/bloom.md
#ifndef AFTERGLOW_BLOOM_H
#define AFTERGLOW_BLOOM_H

#include <afterglow/convolve.h>
#include <stdint.h>

enum {
    AG_BLOOM_GAUSSIAN = 0, // sigma = size * height / 12
    AG_BLOOM_APERTURE = 1, // the diffraction star of a polygonal aperture
    // kernel_image, scaled to K's extent and normalised; its centre is at its texel (w/2, h/2)
    AG_BLOOM_TEXTURE = 2
};
enum { AG_BLOOM_COMPOSITE = 0, AG_BLOOM_ONLY = 1 };
// Of the image that the FFT transforms; the frame keeps its own. docs/bloom.md has what each costs,
// and its error.
enum {
    AG_BLOOM_FULL = 0,
    AG_BLOOM_HALF = 1,   // a half of the frame's width and height
    AG_BLOOM_QUARTER = 2, // a quarter
    // the smallest of them that keeps 50 dB, by K's spectrum and the intensity: prepare looks at K,
    // and may wait for the GPU, whenever a new prepare is needed
    AG_BLOOM_AUTO = 3
};
// The image that the FFT transforms, where the frame's size changes (dynamic resolution).
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

// Slots, in the order of ag_job.slots.
enum { AG_BLOOM_SRC = 0, AG_BLOOM_KERNEL_IMAGE = 1, AG_BLOOM_DST = 2 };

// A change of size, shape, blades, rotation, storage, resolution, grid or firefly needs a new
// prepare; with shape = texture also a change of scrub.
typedef struct ag_bloom_settings {
    float intensity; // 0..1, default 0.1: the share of light that is spread
    float size;      // 0..2, default 0.3: K's extent as a fraction of the height
    int32_t shape;   // AG_BLOOM_GAUSSIAN (default), AG_BLOOM_APERTURE, AG_BLOOM_TEXTURE
    int32_t blades;  // 3..16, default 6: corners of the aperture
    float rotation;  // degrees, -360..360, default 0: of the aperture
    float threshold; // 0..65504, default 0 = off: light below it does not bloom
    float knee;      // 0..1, default 0.5: softness of the threshold, as a fraction of it
    float clamp;     // 0..65504, default 0 = off: upper limit of T
    float exposure;  // EV, -32..32, default 0: threshold, knee and clamp apply to src * 2^exposure.
                     // dst is not multiplied by it
    float tint[3];   // 0..16, default 1 1 1: colour of the bloom
    int32_t output;  // AG_BLOOM_COMPOSITE (default), AG_BLOOM_ONLY
    int32_t scrub;   // 1 (default): non-finite texels count as 0; ag_health counts them
    int32_t storage; // AG_STORAGE_FULL (default), AG_STORAGE_COMPACT: see convolve.h
    int32_t resolution; // AG_BLOOM_FULL (default), _HALF, _QUARTER, _AUTO
    int32_t grid;       // AG_BLOOM_FRAME (default), AG_BLOOM_FIXED
    int32_t firefly;    // AG_BLOOM_FIREFLY_OFF (default), _CLAMP, _KARIS
} ag_bloom_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_BLOOM_DEFAULTS                                                                     \
    {                                                                                         \
        0.1f, 0.3f, AG_BLOOM_GAUSSIAN, 6, 0, 0, 0.5f, 0, 0, {1, 1, 1}, AG_BLOOM_COMPOSITE, 1, \
            AG_STORAGE_FULL, AG_BLOOM_FULL, AG_BLOOM_FRAME, AG_BLOOM_FIREFLY_OFF              \
    }

#endif
