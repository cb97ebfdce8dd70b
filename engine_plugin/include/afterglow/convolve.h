// convolve.h - settings of the effect "convolve": exact 2D convolution with a kernel texture
// SPDX-License-Identifier: MIT
//
//   dst(x,y) = sum over i,j of kernel(i,j) * src(x - (i - kw/2), y - (j - kh/2))
//
// with integer division: same size out, equal to scipy.ndimage.convolve. With `correlate` the signs
// flip: src(x + i - kw/2, y + j - kh/2), equal to scipy.ndimage.correlate.
//
//   slots     src, kernel, dst. dst may not be src. Rectangles of src and dst are equal in size;
//             what lies outside src's rectangle counts as outside the image
//   kernel    1 channel serves all; 3 channels serve red, green, blue; 4 channels serve alpha too,
//             when `alpha` = convolve. 2 channels are refused
//   error     into RGBA32F: >= 120 dB against double precision, largest error <= 1e-6 of
//             max|src| * sum|kernel|; into other formats that, plus 0.51 of the format's unit.
//             fft with storage = compact: >= 90 dB and 1e-4 of that product, >= 105 dB where the kernel's
//             centre holds >= 0.99 of its sum (docs/convolve.md 6)
//   cost      fft: 3 dispatches, 2 barriers, 76 bytes a texel at 2048 x 2048 RGBA16F
//             with a one-channel kernel, 72 where its centre is less than a quarter of its sum, 55 with
//             storage = compact
//             direct: 1 dispatch, kw * kh multiply-adds a texel and channel
//   limits    padded lines up to 8192 texels (fft), kernels up to 255 x 255 (direct)
//   source    docs/convolve.md
#ifndef AFTERGLOW_CONVOLVE_H
#define AFTERGLOW_CONVOLVE_H

#include <afterglow/afterglow.h>
#include <stdint.h>

enum { AG_CONVOLVE_AUTO = 0, AG_CONVOLVE_DIRECT = 1, AG_CONVOLVE_FFT = 2 };
enum { AG_NORMALIZE_NONE = 0, AG_NORMALIZE_SUM = 1 };
enum { AG_STORAGE_FULL = 0, AG_STORAGE_COMPACT = 1 };
enum { AG_ALPHA_COPY = 0, AG_ALPHA_CONVOLVE = 1 };

// Slots, in the order of ag_job.slots.
enum { AG_CONVOLVE_SRC = 0, AG_CONVOLVE_KERNEL = 1, AG_CONVOLVE_DST = 2 };

typedef struct ag_convolve_settings { // all zero but `scrub` is the default; or ask ag_api.defaults
    int32_t method;    // AG_CONVOLVE_*; all methods obey the same contract
    int32_t border;    // AG_BORDER_* (afterglow.h): zero (default), clamp, mirror or wrap
    int32_t normalize; // AG_NORMALIZE_SUM divides by each channel's whole sum; a zero sum is refused
    int32_t correlate; // 1: correlation instead of convolution
    int32_t alpha;     // AG_ALPHA_COPY: dst alpha = src alpha
    int32_t scrub;     // 1 (default): non-finite texels count as 0, and are counted in ag_health
    int32_t storage; // AG_STORAGE_COMPACT (fft): spectra between the passes in 16 bits a component. No faster
                     // on an H200; on GPUs with a tenth of its bandwidth bytes decide, and it may be
} ag_convolve_settings;

// ag_convolve_settings s = AG_CONVOLVE_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_CONVOLVE_DEFAULTS \
    {AG_CONVOLVE_AUTO, AG_BORDER_ZERO, AG_NORMALIZE_NONE, 0, AG_ALPHA_COPY, 1, AG_STORAGE_FULL}

#endif
