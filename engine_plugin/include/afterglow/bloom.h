// bloom.h - settings of the effect "bloom": energy-conserving FFT bloom of an HDR frame
// SPDX-License-Identifier: MIT
//
//   T   = soft threshold of min(src, clamp), by default src itself
//   dst = src + intensity * (T conv K * tint - T)            output = composite
//   dst = intensity * (T conv K * tint)                      output = bloom_only
//
// K sums to 1 in each channel, so that without threshold, clamp and tint light is moved, never made.
// Outside the frame it is dark. Alpha is copied.
//
//   slots     src, kernel_image (optional; shape = texture needs it), dst
//   size      K's full extent as a fraction of src's height. It is rounded to an odd number of
//             texels of at least 1
//   error     as convolve's, relative to max|T|, for either storage; K's centre weight never passes
//             through the FFT
//   cost      3 dispatches, 2 barriers; K's spectrum is made in prepare, when it changes
//   limits    width and height plus half the kernel's extent up to 8192 texels
//   source    docs/bloom.md
#ifndef AFTERGLOW_BLOOM_H
#define AFTERGLOW_BLOOM_H

#include <afterglow/convolve.h>
#include <stdint.h>

enum { AG_BLOOM_GAUSSIAN = 0, AG_BLOOM_APERTURE = 1, AG_BLOOM_TEXTURE = 2 };
enum { AG_BLOOM_COMPOSITE = 0, AG_BLOOM_ONLY = 1 };

// Slots, in the order of ag_job.slots.
enum { AG_BLOOM_SRC = 0, AG_BLOOM_KERNEL_IMAGE = 1, AG_BLOOM_DST = 2 };

typedef struct ag_bloom_settings { // fill with ag_api.defaults, then change what you like
    float intensity; // 0..1, default 0.1: the share of light that is spread
    float size;      // 0..2, default 0.3: K's extent as a fraction of the height. Prepares anew
    int32_t shape;   // AG_BLOOM_GAUSSIAN (sigma = size * height / 12), AG_BLOOM_APERTURE (the
                     // diffraction star of a polygonal aperture), AG_BLOOM_TEXTURE (kernel_image,
                     // its centre at its texel (w/2, h/2), scaled to the extent, normalised)
    int32_t blades;  // 3..16, default 6: corners of the aperture. Prepares anew
    float rotation;  // degrees, default 0: of the aperture. Prepares anew
    float threshold; // >= 0, default 0 = off: light below it does not bloom
    float knee;      // 0..1, default 0.5: softness of the threshold, as a fraction of it
    float clamp;     // >= 0, default 0 = off: T sees no texel brighter than this
    float exposure;  // EV, default 0: threshold, knee and clamp are measured after 2^exposure.
                     // The output is not exposed
    float tint[3];   // >= 0, default 1 1 1: colour of the bloom
    int32_t output;  // AG_BLOOM_COMPOSITE or AG_BLOOM_ONLY
    int32_t scrub;   // 1 (default): non-finite texels count as 0, and are counted in ag_health
    int32_t storage; // AG_STORAGE_FULL (default) or AG_STORAGE_COMPACT: convolve.h says where that may pay
} ag_bloom_settings;

// ag_bloom_settings s = AG_BLOOM_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_BLOOM_DEFAULTS \
    {0.1f, 0.3f, AG_BLOOM_GAUSSIAN, 6, 0, 0, 0.5f, 0, 0, {1, 1, 1}, AG_BLOOM_COMPOSITE, 1, AG_STORAGE_FULL}

#endif
