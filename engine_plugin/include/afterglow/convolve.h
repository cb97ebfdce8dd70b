// convolve.h - settings of the effect "convolve": exact 2D convolution with a kernel texture
// SPDX-License-Identifier: MIT
//
//   dst(x,y) = sum over i,j of kernel(i,j) * src(x - (i - kw/2), y - (j - kh/2))
//
// with kw x kh kernel texels and integer division. It equals scipy.ndimage.convolve. With
// `correlate` the signs change: src(x + i - kw/2, y + j - kh/2), as in scipy.ndimage.correlate.
//
// operation = deconvolve undoes a known blur, by Wiener's filter:
//
//   dst = the inverse DFT of conj(K) / (|K|^2 + noise R) * DFT(canvas), its first texels
//   R   = 1/1024 + 4 sin^2(pi u / P) + 4 sin^2(pi v / Q) at the frequency u, v: noise over the
//         power spectrum of photographs, which falls as 1 / (u^2 + v^2)
//
// K is the kernel's DFT on a canvas of P x Q texels, which the plan's text states ("rows P = ..",
// "columns Q = .."). The kernel must be no larger than src. The canvas holds src, and behind it
//
//   edges = taper    what is outside is unknown. P and Q leave room for the kernel on both sides of
//                    src. Place x of a row, W <= x < P, is (1 - w) times the row's last texel and w
//                    times its first one, t = (x - W + 1) / (P - W + 1), w = t^2 (3 - 2 t); columns
//                    then likewise
//   edges = border   what is outside is as `border` says. Of the P - W texels of a row that remain,
//                    the first half (rounded down) continues src behind its end, the others lead to
//                    its start. mirror: room for all of src once more up to 4096 texels, so that
//                    the canvas has no step. wrap: P = W and Q = H, of any size
//
//   slots     src, kernel, dst. dst must not be src. The rectangles of src and dst have one size;
//             texels outside src's rectangle count as outside the image
//   kernel    1 channel: for all channels of src. 3 channels: for red, green and blue. 4 channels:
//             also for alpha, if `alpha` = convolve. 2 channels are refused
//   in place  neither src nor kernel may be dst's level of its texture: AG_E_ARG
//   error     into RGBA32F, against double precision: largest error <= 1e-6 of max|src| *
//             sum|kernel|; >= 120 dB, unless the kernel cancels nearly all of the image. Into other
//             formats that, plus 0.51 of the format's unit.
//             fft with storage = compact: >= 90 dB and 1e-4 of that product; >= 105 dB if the
//             kernel's centre has >= 0.99 of its sum (docs/convolve.md 6)
//             deconvolve, into RGBA32F: largest error <= 1e-7 of max|src| times
//             (10 / sqrt(D) + sum|kernel| / D), D the least |K|^2 + noise R
//   cost      fft: 3 dispatches, 2 barriers; at 2048 x 2048 RGBA16F with a one-channel kernel 76
//             bytes a texel, 72 with a centre weight below a quarter of the sum, 55 with storage =
//             compact. direct: 1 dispatch, kw * kh multiply-adds for each texel and channel
//   limits    padded lines up to 8192 texels (fft), kernels up to 255 x 255 (direct)
//   GL state  as in afterglow.h; image units: 3, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE (dst is not of src's size; limits; deconvolve: a kernel larger than src),
//             AG_E_ARG (layers of the kernel; what deconvolve refuses; by prepare a kernel sum of
//             0), AG_E_FORMAT (2 channels of the kernel), and those of every effect
//   source    docs/convolve.md
#ifndef AFTERGLOW_CONVOLVE_H
#define AFTERGLOW_CONVOLVE_H

#include <afterglow/afterglow.h>

// clang-format off
#define AG_CONVOLVE_METHOD(X)                                  \
    X(AG_CONVOLVE_AUTO,   0, "auto",   "the faster one")       \
    X(AG_CONVOLVE_DIRECT, 1, "direct", "a sum for each texel") \
    X(AG_CONVOLVE_FFT,    2, "fft",    "a product of spectra")
AG_NAMED_ENUM(ag_convolve_method, AG_CONVOLVE_METHOD)

#define AG_NORMALIZE(X)                                    \
    X(AG_NORMALIZE_NONE, 0, "none", "the kernel as it is") \
    X(AG_NORMALIZE_SUM,  1, "sum",                         \
      "over the sum of each kernel channel; prepare refuses a sum of 0")
AG_NAMED_ENUM(ag_normalize, AG_NORMALIZE)

// Of the spectra of an FFT. compact is not faster on an H200; it may be on GPUs with a tenth of the
// bandwidth.
#define AG_STORAGE(X)                              \
    X(AG_STORAGE_FULL,    0, "full",    "float32") \
    X(AG_STORAGE_COMPACT, 1, "compact", "16 bits a component")
AG_NAMED_ENUM(ag_storage, AG_STORAGE)

#define AG_ALPHA(X)                                                    \
    X(AG_ALPHA_COPY,     0, "copy",     "alpha of dst = alpha of src") \
    X(AG_ALPHA_CONVOLVE, 1, "convolve", "as the colours")
AG_NAMED_ENUM(ag_alpha, AG_ALPHA)

// deconvolve works by FFT with full storage. Refused: method direct, storage compact, noise 0, a
// kernel larger than src, and (by prepare) a kernel that has a channel of zeros only.
#define AG_OPERATION(X)                                  \
    X(AG_OPERATION_CONVOLVE,   0, "convolve",   "blurs") \
    X(AG_OPERATION_DECONVOLVE, 1, "deconvolve", "undoes a blur")
AG_NAMED_ENUM(ag_operation, AG_OPERATION)

#define AG_EDGES(X)                                                               \
    X(AG_EDGES_TAPER,  0, "taper",                                                \
      "for photographs. Refused with a border other than zero, which it ignores") \
    X(AG_EDGES_BORDER, 1, "border", "what is outside is as border says")
AG_NAMED_ENUM(ag_edges, AG_EDGES)

// Slots, in the order of ag_job.slots.
enum ag_convolve_slot { AG_CONVOLVE_SRC = 0, AG_CONVOLVE_KERNEL = 1, AG_CONVOLVE_DST = 2 };

#define AG_CONVOLVE_BORDER(X) \
    AG_BORDER_ROW_ZERO(X) AG_BORDER_ROW_CLAMP(X) AG_BORDER_ROW_MIRROR(X) AG_BORDER_ROW_WRAP(X)

// noise is the variance of the noise over the mean square of R^(1/2) times the sharp image, that
// is, of the differences of neighbours. It weighs against |K|^2, so a kernel should sum to 1
// (normalize = sum).
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_CONVOLVE_SETTINGS(X)                                                                  \
    X(ENUM,  method,    AG_CONVOLVE_AUTO, AG_CONVOLVE_METHOD, PLAN,                              \
      "the algorithm; all obey the same contract")                                               \
    X(ENUM,  border,    AG_BORDER_ZERO, AG_CONVOLVE_BORDER, PLAN, "what lies outside the image") \
    X(ENUM,  normalize, AG_NORMALIZE_NONE, AG_NORMALIZE, KERNEL,                                 \
      "divide the kernel by each channel's sum")                                                 \
    X(BOOL,  correlate, 0, PLAN, "correlate instead of convolve")                                \
    X(ENUM,  alpha,     AG_ALPHA_COPY, AG_ALPHA, PLAN, "copy alpha, or convolve it too")         \
    X(BOOL,  scrub,     1, KERNEL, AG_SCRUB_HELP)                                                \
    X(ENUM,  storage,   AG_STORAGE_FULL, AG_STORAGE, PLAN,                                       \
      "of spectra between the passes: compact is 16 bits a component")                           \
    X(ENUM,  operation, AG_OPERATION_CONVOLVE, AG_OPERATION, PLAN,                               \
      "blur, or undo a known blur by Wiener's filter")                                           \
    X(FLOAT, noise,     0.1, 0, 1e6, "", KERNEL,                                                 \
      "of deconvolve, above 0 there: how much noise there is in the image")                      \
    X(ENUM,  edges,     AG_EDGES_TAPER, AG_EDGES, PLAN,                                          \
      "of deconvolve: what lies outside is unknown, or is as border says")
#define AG_CONVOLVE_TAG AG_TAG('c', 'o', 'n', 'v')
AG_SETTINGS_STRUCT(ag_convolve_settings, AG_CONVOLVE_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_CONVOLVE_DEFAULTS \
    {sizeof(ag_convolve_settings), AG_CONVOLVE_TAG, AG_CONVOLVE_SETTINGS(AG_DEFAULT)}
#define ag_convolve_params(...) \
    AG_PARAMS(ag_convolve_settings, AG_CONVOLVE_TAG, AG_CONVOLVE_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
