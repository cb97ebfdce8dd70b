// filter_spectrum.h - settings of the effect "filter_spectrum": weights frequencies of an image
// SPDX-License-Identifier: MIT
//
//   dst = the inverse DFT of H(fx, fy) * DFT(canvas), its first W x H texels
//
// The canvas has P x Q texels, as the plan's text states: src from texel (0, 0) on, around it what
// `border` says. Of the P - W texels of a row that remain, the first half (rounded down) continues
// src behind its end, the others lead to its start; so do columns. fx = k/P for k = 0..P/2, else
// k/P - 1, in cycles a texel; fy likewise with Q. H is real and even, so dst is real and nothing
// moves. With f = sqrt(fx^2 + fy^2) and a profile L(u):
//
//   lowpass   H = L(f / cutoff)                   ideal        L(u) = 1 for u <= 1, else 0
//   highpass  H = 1 - L(f / cutoff)               gaussian     L(u) = exp(-u^2 / 2)
//   bandpass  H = L(|f^2 - low high| / (f (high - low)))
//   notch     H = 1 - that of bandpass            butterworth  L(u) = 1 / (1 + u^(2 order))
//   mask      H = the mean of mask at (fx, fy) and at (-fx, -fy)
//
// At cutoff, low and high u is 1. Bandpass is 0 at f = 0.
//
// The canvas: with border = wrap an axis without a prime factor above 7 (and, for the width, even)
// is its own canvas, so the filter is exactly periodic. Elsewhere the canvas is a good FFT length
// with room for 3 / cutoff texels (bandpass, notch: 3 / (high - low); mask: half the size) on
// each side, at most the size, as far as 8192 texels allow.
//
// The mask has frequency 0 at texel (w/2, h/2), integer division, as the effect spectrum draws its
// pictures: texel (i, j) is the frequency ((i - w/2) / w, (j - h/2) / h). Between texels H is
// bilinear; beyond the edges the mask repeats. One of the canvas's size is used texel by texel.
//
//   slots     src, dst: rectangles of one size, as many layers; dst must not be src. mask: for
//             shape = mask, else ignored; one layer, of 1 channel for all channels of src, or of 3
//             or 4, of which the first three are for red, green and blue
//   alpha     is copied
//   in place  neither src nor mask_image may be dst's level of its texture: AG_E_ARG
//   error     into RGBA32F: >= 120 dB against double precision, largest error <= 2e-6 of max|src|
//             (times max|H| of a mask). Into other formats that, plus 0.51 of the format's unit.
//             Formats without signs clamp: a highpass of them loses what is below 0
//   cost      3 dispatches, 2 barriers, as convolve with a symmetric kernel; prepare computes H
//   limits    width and height up to 8192 texels
//   GL state  as in afterglow.h; image units: 3, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE (dst is not of src's size; limits), AG_E_ARG (low not below high; no mask,
//             or one of several layers), AG_E_FORMAT (2 channels of the mask), and those of every
//             effect
//   source    docs/filter_spectrum.md
#ifndef AFTERGLOW_FILTER_SPECTRUM_H
#define AFTERGLOW_FILTER_SPECTRUM_H

#include <afterglow/afterglow.h>

// clang-format off
#define AG_FILTER_SPECTRUM_SHAPE(X)                   \
    X(AG_FILTER_SPECTRUM_LOWPASS,  0, "lowpass",  "") \
    X(AG_FILTER_SPECTRUM_HIGHPASS, 1, "highpass", "") \
    X(AG_FILTER_SPECTRUM_BANDPASS, 2, "bandpass", "") \
    X(AG_FILTER_SPECTRUM_NOTCH,    3, "notch",    "") \
    X(AG_FILTER_SPECTRUM_MASK,     4, "mask",     "what slot mask holds")
AG_NAMED_ENUM(ag_filter_spectrum_shape, AG_FILTER_SPECTRUM_SHAPE)

#define AG_PROFILE(X)                                                 \
    X(AG_PROFILE_IDEAL,       0, "ideal",       "rings beside edges") \
    X(AG_PROFILE_GAUSSIAN,    1, "gaussian",    "")                   \
    X(AG_PROFILE_BUTTERWORTH, 2, "butterworth", "")
AG_NAMED_ENUM(ag_profile, AG_PROFILE)

// Slots, in the order of ag_job.slots.
enum ag_filter_spectrum_slot {
    AG_FILTER_SPECTRUM_SRC = 0,
    AG_FILTER_SPECTRUM_MASK_IMAGE = 1,
    AG_FILTER_SPECTRUM_DST = 2
};

#define AG_FILTER_SPECTRUM_BORDER(X) \
    AG_BORDER_ROW_ZERO(X) AG_BORDER_ROW_CLAMP(X) AG_BORDER_ROW_MIRROR(X) AG_BORDER_ROW_WRAP(X)

// low is below high. A change of scrub needs a new prepare only with shape = mask.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_FILTER_SPECTRUM_SETTINGS(X)                                                             \
    X(ENUM,  shape,   AG_FILTER_SPECTRUM_LOWPASS, AG_FILTER_SPECTRUM_SHAPE, PLAN,                  \
      "which frequencies pass")                                                                    \
    X(ENUM,  profile, AG_PROFILE_GAUSSIAN, AG_PROFILE, KERNEL,                                     \
      "how the filter falls off at its cut-offs")                                                  \
    X(INT,   order,   2, 1, 16, "", KERNEL, "of the profile butterworth")                          \
    X(FLOAT, cutoff,  0.1, 0.0005, 1, "cycles/texel", PLAN, "of lowpass and highpass")             \
    X(FLOAT, low,     0.1, 0.0005, 1, "cycles/texel", PLAN, "lower cut-off of bandpass and notch") \
    X(FLOAT, high,    0.2, 0.0005, 1, "cycles/texel", PLAN, "upper cut-off of bandpass and notch") \
    X(ENUM,  border,  AG_BORDER_MIRROR, AG_FILTER_SPECTRUM_BORDER, PLAN,                           \
      "what lies outside the image")                                                               \
    X(BOOL,  scrub,   1, KERNEL, AG_SCRUB_HELP)
#define AG_FILTER_SPECTRUM_TAG AG_TAG('f', 's', 'p', 'c')
AG_SETTINGS_STRUCT(ag_filter_spectrum_settings, AG_FILTER_SPECTRUM_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_FILTER_SPECTRUM_DEFAULTS \
    {sizeof(ag_filter_spectrum_settings), AG_FILTER_SPECTRUM_TAG, \
     AG_FILTER_SPECTRUM_SETTINGS(AG_DEFAULT)}
#define ag_filter_spectrum_params(...) \
    AG_PARAMS(ag_filter_spectrum_settings, AG_FILTER_SPECTRUM_TAG, AG_FILTER_SPECTRUM_SETTINGS, \
              __VA_ARGS__)
// clang-format on

#endif
