// spectrum.h - settings of the effect "spectrum": magnitudes of the Fourier transform as a picture
// SPDX-License-Identifier: MIT
//
//   F(k,l) = sum over x,y of w(x,y) * src(x,y) * exp(-2 pi i (k x / P + l y / Q)) / sum of w
//   m      = 10^(gain / 20) * |F|
//   dst    = max(0, 1 + 20 log10(m) / range)        log on: 1 is 0 dB, 0 is -range dB and less
//   dst    = m                                      log off
//
// F(0,0) is the mean, so a constant shows its value there. Each of red, green, blue has its own F;
// alpha is not looked at and comes out as 1. Channels that src does not have are 0.
//
// Frequency axis: with src of W x H texels, texel (u, v) of dst shows the frequency of
// (u - W/2) / W, (v - H/2) / H cycles a texel (integer W/2, H/2), or of u/W, v/H when not centred. That
// is exact, k = u - W/2 of the plain DFT of the image, while W and H have no prime factor above 7 (and an
// odd W is at most 4096). Else the image is padded with zeros to P x Q, which the plan's text states,
// and the nearest of its frequencies is shown, at most half a step of 1/P away.
//
//   slots     src, dst: rectangles of one size, as many layers. dst may not be src
//   error     of m, into RGBA32F: <= 1e-6 * 10^(gain/20) * max|src|, and >= 120 dB over the picture; of
//             the logarithm, 0.001 dB on top; into other formats that, plus 0.51 of the format's unit
//   cost      3 dispatches (rows, columns for each channel, view), 2 barriers
//   limits    width and height up to 8192 texels
//   source    docs/spectrum.md
#ifndef AFTERGLOW_SPECTRUM_H
#define AFTERGLOW_SPECTRUM_H

#include <stdint.h>

enum { AG_SPECTRUM_EACH = 0, AG_SPECTRUM_LUMINANCE = 1 };
enum { AG_WINDOW_NONE = 0, AG_WINDOW_HANN = 1 };

// Slots, in the order of ag_job.slots.
enum { AG_SPECTRUM_SRC = 0, AG_SPECTRUM_DST = 1 };

typedef struct ag_spectrum_settings { // fill with ag_api.defaults, then change what you like
    int32_t channels; // AG_SPECTRUM_EACH, or AG_SPECTRUM_LUMINANCE: red, green and blue show the
                      // spectrum of 0.2126 r + 0.7152 g + 0.0722 b; of one channel, that one's
    int32_t window;   // AG_WINDOW_NONE: w = 1, and a picture whose opposite edges differ shows a
                      // cross. AG_WINDOW_HANN: w = sin^2(pi (x + 1/2) / W) sin^2(pi (y + 1/2) / H)
    int32_t log;      // 1 (default): a logarithmic scale; 0: plain magnitudes
    float range;      // dB, 1..400, default 100: from 0 to 1 on the logarithmic scale
    float gain;       // dB, -200..200, default 0
    int32_t centred;  // 1 (default): frequency 0 at texel (W/2, H/2); 0: at texel (0, 0)
    int32_t scrub;    // 1 (default): non-finite texels count as 0, and are counted in ag_health
} ag_spectrum_settings;

// ag_spectrum_settings s = AG_SPECTRUM_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_SPECTRUM_DEFAULTS {AG_SPECTRUM_EACH, AG_WINDOW_NONE, 1, 100, 0, 1, 1}

#endif
