// ladder_fft.h - settings of "fft_ladder": the Fourier transforms that two documents describe
// SPDX-License-Identifier: MIT
//
// An effect of the module libafterglow_ladder, to measure what each method is worth beside the
// effect "fft" of libafterglow, whose definition, directions, norms and axes it has.
//
//   slots     src, dst: the real parts; dst_imag: the output's imaginary part; src_imag: the
//             input's, empty if the input is real. RGBA32F, each of one layer and of src's size
//   sizes     powers of two: shared_radix2 up to 512, half_threads 1024, half_length 2048 x 1024
//             (pairs: 1024 x 1024), texture_radix2 16384. The first three are limited by the 32 KiB
//             of shared memory that OpenGL 4.3 promises a work group
//   changes   weights, rows and what follows them change one step of a method as the documents do;
//             the transform stays the same. A method refuses those that it does not have
//   error     against double precision, signal to noise: >= 120 dB; weights driver: that of the
//             driver's sine and cosine
//   in place  no output may be the same level of a texture as another slot: AG_E_ARG
//   GL state  as in afterglow.h; image units: 4, storage bindings: 6, texture units: 0
//   errors    AG_E_SIZE, AG_E_ARG (a change or an input that the method does not have), and those
//             of every effect
//   source    J. S. (Intel) 2014, "Fast Fourier Transform for Image Processing in DirectX 11" (the
//             article); Jia, Peng and Zuo 2017, "Research on FFT algorithm based on OpenCL" (the
//             paper); docs/ladder.md
#ifndef AFTERGLOW_LADDER_FFT_H
#define AFTERGLOW_LADDER_FFT_H

#include <afterglow/fft.h>
#include <afterglow/settings.h>

// clang-format off
#define AG_FFT_LADDER_METHOD(X)                                                            \
    X(AG_FFT_LADDER_SHARED_RADIX2,  0, "shared_radix2",                                    \
      "the article's Figs 2 and 3: a group a row, a thread a texel")                       \
    X(AG_FFT_LADDER_TEXTURE_RADIX2, 1, "texture_radix2",                                   \
      "the article's Fig 1: a dispatch a butterfly pass, through textures")                \
    X(AG_FFT_LADDER_HALF_THREADS,   2, "half_threads",                                     \
      "the paper's Figs 6 and 7: a thread two points, in place")                           \
    X(AG_FFT_LADDER_HALF_LENGTH,    3, "half_length",                                      \
      "the paper's 3.1: real rows as half as many complex points; forward, axes both or x")
AG_NAMED_ENUM(ag_fft_ladder_method, AG_FFT_LADDER_METHOD)

#define AG_FFT_LADDER_WEIGHTS(X)                                                           \
    X(AG_FFT_LADDER_OWN,        0, "own",        "polynomial; of half_*: table_2d")        \
    X(AG_FFT_LADDER_POLYNOMIAL, 1, "polynomial", "computed, the angle reduced exactly")    \
    X(AG_FFT_LADDER_DRIVER,     2, "driver",     "by the driver's sine and cosine")        \
    X(AG_FFT_LADDER_TABLE,      3, "table",      "N of them")                              \
    X(AG_FFT_LADDER_TABLE_2D,   4, "table_2d",   "N of each butterfly pass")               \
    X(AG_FFT_LADDER_LOOKUP,     5, "lookup",                                               \
      "indices and weights, N of each pass (the article's Fig 12); of *_radix2")
AG_NAMED_ENUM(ag_fft_ladder_weights, AG_FFT_LADDER_WEIGHTS)

// Slots, in the order of ag_job.slots.
enum ag_fft_ladder_slot {
    AG_FFT_LADDER_SRC = 0,
    AG_FFT_LADDER_DST = 1,
    AG_FFT_LADDER_SRC_IMAG = 2,
    AG_FFT_LADDER_DST_IMAG = 3
};

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_FFT_LADDER_SETTINGS(X)                                                          \
    X(ENUM, method,     AG_FFT_LADDER_SHARED_RADIX2, AG_FFT_LADDER_METHOD, PLAN,           \
      "whose transform: the article's or the paper's")                                     \
    X(ENUM, direction,  AG_FFT_FORWARD, AG_FFT_DIRECTION, PLAN, "to frequencies, or back") \
    X(ENUM, norm,       AG_FFT_NORM_BACKWARD, AG_FFT_NORM, PLAN,                           \
      "which direction divides by the number of points; numpy.fft's names")                \
    X(ENUM, axes,       AG_FFT_BOTH, AG_FFT_AXES, PLAN, "which axes are transformed")      \
    X(ENUM, weights,    AG_FFT_LADDER_OWN, AG_FFT_LADDER_WEIGHTS, PLAN,                    \
      "where the weights of butterflies come from")                                        \
    X(INT,  rows,       0, 0, 32, "lines", PLAN,                                           \
      "of half_*: lines a work group, at most; 0: 8")                                      \
    X(BOOL, scattered,  0, PLAN,                                                           \
      "of half_*: store to bit-reversed places; else texels are put in order when loaded") \
    X(BOOL, copied,     0, PLAN,                                                           \
      "of shared_radix2: the last pass writes shared memory, and a copy the target")       \
    X(BOOL, transposed, 0, PLAN,                                                           \
      "of half_threads, axes both: store columns, so that both dispatches read rows")      \
    X(BOOL, pairs,      0, PLAN, "of half_length: two real rows become one complex row")   \
    X(BOOL, scrub,      1, NOTHING, AG_SCRUB_HELP)
#define AG_FFT_LADDER_TAG AG_TAG('f', 'f', 't', 'L')
AG_SETTINGS_STRUCT(ag_fft_ladder_settings, AG_FFT_LADDER_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_FFT_LADDER_DEFAULTS \
    {sizeof(ag_fft_ladder_settings), AG_FFT_LADDER_TAG, AG_FFT_LADDER_SETTINGS(AG_DEFAULT)}
#define ag_fft_ladder_params(...) \
    AG_PARAMS(ag_fft_ladder_settings, AG_FFT_LADDER_TAG, AG_FFT_LADDER_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
