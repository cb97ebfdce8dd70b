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
//   GL state  as in afterglow.h; image units: 3, storage bindings: 6, texture units: 0
//   limits    width and height up to 8192 texels
//   source    docs/spectrum.md
#ifndef AFTERGLOW_SPECTRUM_H
#define AFTERGLOW_SPECTRUM_H

#include <afterglow/settings.h>

// clang-format off
// luminance: if src has one channel, of that channel.
#define AG_SPECTRUM_CHANNELS(X)                                                            \
    X(AG_SPECTRUM_EACH,      0, "each",      "red, green and blue show their own spectra") \
    X(AG_SPECTRUM_LUMINANCE, 1, "luminance",                                               \
      "all three show that of 0.2126 r + 0.7152 g + 0.0722 b")
AG_NAMED_ENUM(ag_spectrum_channels, AG_SPECTRUM_CHANNELS)

// w. With none an image whose opposite edges differ shows a cross.
#define AG_WINDOW(X)                  \
    X(AG_WINDOW_NONE, 0, "none", "1") \
    X(AG_WINDOW_HANN, 1, "hann", "sin^2(pi (x + 1/2) / W) sin^2(pi (y + 1/2) / H)")
AG_NAMED_ENUM(ag_window, AG_WINDOW)

// Slots, in the order of ag_job.slots.
enum ag_spectrum_slot { AG_SPECTRUM_SRC = 0, AG_SPECTRUM_DST = 1 };

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_SPECTRUM_SETTINGS(X)                                                            \
    X(ENUM,  channels, AG_SPECTRUM_EACH, AG_SPECTRUM_CHANNELS, NOTHING,                    \
      "a spectrum for each channel, or one of luminance")                                  \
    X(ENUM,  window,   AG_WINDOW_NONE, AG_WINDOW, NOTHING,                                 \
      "fade the image out towards its edges first")                                        \
    X(BOOL,  log,      1, NOTHING, "a scale in dB instead of plain magnitudes")            \
    X(FLOAT, range,    100, 1, 400, "dB", NOTHING, "from 0 to 1 on that scale")            \
    X(FLOAT, gain,     0, -200, 200, "dB", NOTHING, "of the magnitudes, before the scale") \
    X(BOOL,  centred,  1, NOTHING,                                                         \
      "frequency 0 in the middle, texel (W/2, H/2), instead of at texel (0, 0)")           \
    X(BOOL,  scrub,    1, NOTHING, AG_SCRUB_HELP)
#define AG_SPECTRUM_TAG AG_TAG('s', 'p', 'e', 'c')
AG_SETTINGS_STRUCT(ag_spectrum_settings, AG_SPECTRUM_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_SPECTRUM_DEFAULTS \
    {sizeof(ag_spectrum_settings), AG_SPECTRUM_TAG, AG_SPECTRUM_SETTINGS(AG_DEFAULT)}
#define ag_spectrum_params(...) \
    AG_PARAMS(ag_spectrum_settings, AG_SPECTRUM_TAG, AG_SPECTRUM_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
