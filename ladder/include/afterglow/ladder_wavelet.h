// ladder_wavelet.h - settings of "wavelet_ladder": a document's kernel of the wavelet transform
// SPDX-License-Identifier: MIT
//
// An effect of the module libafterglow_ladder, to measure what the kernel periodic_strided is worth
// beside the effect "wavelet" of libafterglow, whose definition it has, with border periodization
// and layout pyramid: the same coefficients, at the same places.
//
//   slots     src: the image, or coefficients (inverse); dst: coefficients, or the image; taps: the
//             filters of custom, as wavelet has them. R16F RG16F RGBA16F R32F RG32F RGBA32F, src
//             and dst of one size, one layer and as many channels
//   sizes     powers of two that 2^levels divides, up to 16384
//   error     as wavelet: 2e-6 of the largest coefficient or texel, forward and inverse together
//             1e-6 of the largest texel; 16F: half an ulp more
//   cost      two dispatches an axis and level, one to load and one to store; scratch: the image
//             twice, fp32
//   GL state  as in afterglow.h; image units: 2, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE, AG_E_FORMAT (channels), AG_E_ARG (layers, custom without taps), and those
//             of every effect
//   source    the document that docs/ladder.md names; GSL's dwt_step has the same loop
#ifndef AFTERGLOW_LADDER_WAVELET_H
#define AFTERGLOW_LADDER_WAVELET_H

#include <afterglow/settings.h>
#include <afterglow/wavelet.h>

// clang-format off
// Slots, in the order of ag_job.slots.
enum ag_wavelet_ladder_slot {
    AG_WAVELET_LADDER_SRC = 0,
    AG_WAVELET_LADDER_DST = 1,
    AG_WAVELET_LADDER_TAPS = 2
};

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_WAVELET_LADDER_SETTINGS(X)                                                    \
    X(ENUM, direction, AG_WAVELET_FORWARD, AG_WAVELET_DIRECTION, PLAN,                   \
      "image to coefficients, or back")                                                  \
    X(ENUM, wavelet,   AG_WAVELET_HAAR, AG_WAVELET_FILTER, PLAN,                         \
      "the filters; custom: from the slot taps")                                         \
    X(INT,  levels,    1, 1, 14, "", PLAN, "how often the approximation is split again") \
    X(BOOL, scrub,     1, NOTHING, AG_SCRUB_HELP)
#define AG_WAVELET_LADDER_TAG AG_TAG('w', 'a', 'v', 'L')
AG_SETTINGS_STRUCT(ag_wavelet_ladder_settings, AG_WAVELET_LADDER_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_WAVELET_LADDER_DEFAULTS                                \
    {sizeof(ag_wavelet_ladder_settings), AG_WAVELET_LADDER_TAG, \
     AG_WAVELET_LADDER_SETTINGS(AG_DEFAULT)}
#define ag_wavelet_ladder_params(...)                                \
    AG_PARAMS(ag_wavelet_ladder_settings, AG_WAVELET_LADDER_TAG, \
              AG_WAVELET_LADDER_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
