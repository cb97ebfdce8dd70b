// fft.h - settings of the effect "fft": the discrete Fourier transform of an image, and its inverse
// SPDX-License-Identifier: MIT
//
//   forward   F(k,l) = s * sum over x,y of f(x,y) * exp(-2 pi i (k x / W + l y / H))
//   inverse   f(x,y) = s * sum over k,l of F(k,l) * exp(+2 pi i (k x / W + l y / H))
//
// They are numpy.fft's fft2, ifft2, rfft2 and irfft2, bin for bin, and with `axes` fft, ifft, rfft
// and irfft along one axis. Each colour channel is a transform of its own. src and src_imag are
// the real and the imaginary part of the input, dst and dst_imag those of the output. Without
// src_imag the input is real: nothing is read for it, and the output is exactly Hermitian, bit for
// bit. Without dst_imag only the real part is stored.
//
// W and H are any number of texels. Lengths of the form 2^a 3^b 5^c 7^d are transformed as they
// are, all others exactly by Bluestein's chirp transform: nothing is padded in the result.
//
//   slots     src, dst: the real parts; src_imag, dst_imag: the imaginary parts, optional. As many
//             layers in all. No output may be an input. The complex side is linear data: use
//             floats there. sRGB formats are decoded when read and encoded when stored
//   sizes     direction forward, spectrum half: dst has W/2 + 1 columns (axes y: H/2 + 1 rows).
//             direction inverse, spectrum half: src has them, and dst has W columns (rows), an even
//             or an odd number; ag_api.slot_size gives the even one. Else dst has src's size
//   channels  those of src that dst has, too (packing rgba_rg: three). Further channels of dst
//             are 0, but the alpha of a real output is 1
//   in place  no output may be the same level of a texture as another slot: AG_E_ARG
//   error     into 32-bit floats, against double precision, signal to noise: >= 130 dB where W and
//             H are 2^a 3^b 5^c 7^d, else >= 120 dB. The inverse of the forward transform is the
//             image within 1e-6 of max|src| (within 4e-6 where a length is not of that form). From
//             sRGB codes, whose decoding adds its own error, >= 120 dB.
//             Other formats add 0.51 of the format's unit
//   cost      a dispatch for each axis, and one barrier, with method tiled; multipass: two
//             dispatches an axis, or four (Bluestein). The plan's text names them
//   scratch   8 bytes a channel and texel for two axes; twice that for multipass. A spectrum of
//             real input needs half
//   limits    W and H up to 16384. tiled: up to 8192 where 2^a 3^b 5^c 7^d, else up to 4096. One
//             storage block must hold the scratch of a layer
//             (GL_MAX_SHADER_STORAGE_BLOCK_SIZE); otherwise AG_E_SIZE names both
//   GL state  as in afterglow.h; image units: 4, storage bindings: 6, texture units: 0
//   errors    AG_E_SIZE (sizes that do not match, limits), AG_E_ARG (slots and settings that
//             contradict each other), AG_E_FORMAT (packing), and those of every effect
//   source    docs/fft.md; Govindaraju et al. 2008 (tiled), Bailey 1990 (multipass), Bluestein 1970
#ifndef AFTERGLOW_FFT_H
#define AFTERGLOW_FFT_H

#include <afterglow/settings.h>

// clang-format off
#define AG_FFT_DIRECTION(X)                           \
    X(AG_FFT_FORWARD, 0, "forward", "to frequencies") \
    X(AG_FFT_INVERSE, 1, "inverse", "back")
AG_NAMED_ENUM(ag_fft_direction, AG_FFT_DIRECTION)

// s, where n is the number of points that are transformed together.
#define AG_FFT_NORM(X)                                               \
    X(AG_FFT_NORM_BACKWARD, 0, "backward", "1 forward, 1/n inverse") \
    X(AG_FFT_NORM_ORTHO,    1, "ortho",    "1/sqrt(n) both ways")    \
    X(AG_FFT_NORM_FORWARD,  2, "forward",  "1/n forward, 1 inverse")
AG_NAMED_ENUM(ag_fft_norm, AG_FFT_NORM)

// half is along x, or along y with axes y.
#define AG_FFT_SPECTRUM(X)                       \
    X(AG_FFT_FULL, 0, "full", "all frequencies") \
    X(AG_FFT_HALF, 1, "half", "of real data: those that are no mirror image of another")
AG_NAMED_ENUM(ag_fft_spectrum, AG_FFT_SPECTRUM)

// centered is numpy.fft.fftshift. An axis that has half of its frequencies still begins with
// frequency 0.
#define AG_FFT_ORIGIN(X)                                           \
    X(AG_FFT_CORNER,   0, "corner",   "frequency 0 is at texel 0") \
    X(AG_FFT_CENTERED, 1, "centered", "it is at texel n/2 of each axis")
AG_NAMED_ENUM(ag_fft_origin, AG_FFT_ORIGIN)

#define AG_FFT_AXES(X)                            \
    X(AG_FFT_BOTH, 0, "both", "rows and columns") \
    X(AG_FFT_X,    1, "x",    "along rows")       \
    X(AG_FFT_Y,    2, "y",    "along columns")
AG_NAMED_ENUM(ag_fft_axes, AG_FFT_AXES)

// rgba_rg is the layout of the spectrum: of dst and dst_imag forward, of src and src_imag inverse.
// The other side is real. Real red, green and blue and imaginary red lie in an RGBA texture,
// imaginary green and blue in an RG texture.
#define AG_FFT_PACKING(X)                                                                      \
    X(AG_FFT_PLANES,  0, "planes",  "real parts in one texture, imaginary parts in the other") \
    X(AG_FFT_RGBA_RG, 1, "rgba_rg", "three channels in 24 bytes")
AG_NAMED_ENUM(ag_fft_packing, AG_FFT_PACKING)

#define AG_FFT_METHOD(X)                                                                   \
    X(AG_FFT_AUTO,      0, "auto",      "tiled where it can, else multipass")              \
    X(AG_FFT_TILED,     1, "tiled",     "a line in shared memory, a dispatch an axis")     \
    X(AG_FFT_MULTIPASS, 2, "multipass", "a line in two parts through scratch")
AG_NAMED_ENUM(ag_fft_method, AG_FFT_METHOD)

// Slots, in the order of ag_job.slots.
enum ag_fft_slot { AG_FFT_SRC = 0, AG_FFT_DST = 1, AG_FFT_SRC_IMAG = 2, AG_FFT_DST_IMAG = 3 };

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_FFT_SETTINGS(X)                                                                \
    X(ENUM, direction, AG_FFT_FORWARD, AG_FFT_DIRECTION, PLAN, "to frequencies, or back") \
    X(ENUM, norm,      AG_FFT_NORM_BACKWARD, AG_FFT_NORM, PLAN,                           \
      "which direction divides by the number of points; numpy.fft's names")               \
    X(ENUM, spectrum,  AG_FFT_FULL, AG_FFT_SPECTRUM, PLAN,                                \
      "all frequencies, or those of real data that mirror no other")                      \
    X(ENUM, origin,    AG_FFT_CORNER, AG_FFT_ORIGIN, PLAN,                                \
      "where the spectrum has frequency 0: at texel 0, or in the middle")                 \
    X(ENUM, axes,      AG_FFT_BOTH, AG_FFT_AXES, PLAN, "which axes are transformed")      \
    X(ENUM, packing,   AG_FFT_PLANES, AG_FFT_PACKING, PLAN,                               \
      "the spectrum's real and imaginary parts: each a texture, or RGBA and RG")          \
    X(ENUM, method,    AG_FFT_AUTO, AG_FFT_METHOD, PLAN, "how lines are transformed")     \
    X(BOOL, scrub,     1, NOTHING, AG_SCRUB_HELP)
#define AG_FFT_TAG AG_TAG('f', 'f', 't', ' ')
AG_SETTINGS_STRUCT(ag_fft_settings, AG_FFT_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_FFT_DEFAULTS {sizeof(ag_fft_settings), AG_FFT_TAG, AG_FFT_SETTINGS(AG_DEFAULT)}
#define ag_fft_params(...) AG_PARAMS(ag_fft_settings, AG_FFT_TAG, AG_FFT_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
