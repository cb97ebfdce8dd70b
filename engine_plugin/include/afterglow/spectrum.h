// spectrum.h - settings of the effect "spectrum": magnitudes of the Fourier transform as a picture
// SPDX-License-Identifier: MIT
//
//   F(k,l) = sum over x,y of w(x,y) * src(x,y) * exp(-2 pi i (k x / P + l y / Q)) / sum of w
//   m      = 10^(gain / 20) * |F|
//   dst    = max(0, 1 + 20 log10(m) / range)        log on: 1 is 0 dB, 0 is -range dB and less
//   dst    = m                                      log off
//
// F(0,0) is the mean, so a constant image shows its value there. Red, green and blue each have
// their own F. Alpha is not read and is 1 in dst. Channels that src lacks are 0.
//
// Frequencies: with src of W x H texels, texel (u, v) of dst shows the frequency ((u - W/2) / W,
// (v - H/2) / H) in cycles a texel (integer W/2, H/2), or (u/W, v/H) if not centred. That is
// exactly k = u - W/2 of the plain DFT of the image, if W and H have no prime factor above 7 (and
// an odd W is at most 4096). Otherwise the image is padded with zeros to P x Q, which the plan's
// text states, and dst shows the nearest frequency of that DFT, at most half a step of 1/P away.
//
//   slots     src, dst: rectangles of one size, as many layers. dst must not be src
//   in place  src may not be dst's level of its texture: AG_E_ARG
//   error     of m, into RGBA32F: <= 1e-6 * 10^(gain/20) * max|src|, and >= 120 dB over the image.
//             The logarithm adds 0.001 dB. Other formats add 0.51 of the format's unit
//   cost      2 dispatches a layer (rows, view) and 1 for each colour channel (columns); 2 barriers
//   structural formats, size, layers. Settings may change from frame to frame
//   GL state  as in afterglow.h; image units: 3, storage bindings: 6, texture units: 0
//   limits    width and height up to 8192 texels
//   source    docs/spectrum.md
#ifndef AFTERGLOW_SPECTRUM_H
#define AFTERGLOW_SPECTRUM_H

#include <stdint.h>

enum {
    AG_SPECTRUM_EACH = 0,     // red, green and blue show their own spectra
    AG_SPECTRUM_LUMINANCE = 1 // all three show that of 0.2126 r + 0.7152 g + 0.0722 b; if src has
                              // one channel: of that channel
};
enum {
    // w = 1. An image whose opposite edges differ shows a cross.
    AG_WINDOW_NONE = 0,
    AG_WINDOW_HANN = 1 // w = sin^2(pi (x + 1/2) / W) sin^2(pi (y + 1/2) / H)
};

// Slots, in the order of ag_job.slots.
enum { AG_SPECTRUM_SRC = 0, AG_SPECTRUM_DST = 1 };

typedef struct ag_spectrum_settings {
    int32_t channels; // AG_SPECTRUM_EACH (default), AG_SPECTRUM_LUMINANCE
    int32_t window;   // AG_WINDOW_NONE (default), AG_WINDOW_HANN
    int32_t log;      // 1 (default): a logarithmic scale; 0: magnitudes
    float range;      // dB, 1..400, default 100: what the logarithmic scale shows from 0 to 1
    float gain;       // dB, -200..200, default 0
    int32_t centred;  // 1 (default): frequency 0 at texel (W/2, H/2); 0: at texel (0, 0)
    int32_t scrub;    // 1 (default): bad texels (afterglow.h) count as 0; ag_health counts them
} ag_spectrum_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_SPECTRUM_DEFAULTS                              \
    {                                                     \
        AG_SPECTRUM_EACH, AG_WINDOW_NONE, 1, 100, 0, 1, 1 \
    }

#endif
