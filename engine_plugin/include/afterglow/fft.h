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
//             Other formats add 0.51 of the format's unit. The documents' methods have 120 dB
//   cost      a dispatch for each axis, and one barrier, with method tiled; multipass: two
//             dispatches an axis, or four (Bluestein). The plan's text names them
//   scratch   8 bytes a channel and texel for two axes; twice that for multipass. A spectrum of
//             real input needs half
//   limits    W and H up to 16384. tiled: up to 8192 where 2^a 3^b 5^c 7^d, else up to 4096. One
//             storage block must hold the scratch of a layer
//             (GL_MAX_SHADER_STORAGE_BLOCK_SIZE); otherwise AG_E_SIZE names both
//   structural everything but `scrub`: call prepare after a change
//   GL state  as in afterglow.h; image units: 4, storage bindings: 6, texture units: 0
//   errors    AG_E_SIZE (sizes that do not match, limits), AG_E_ARG (slots and settings that
//             contradict each other), AG_E_FORMAT (packing), and those of every effect
//   source    docs/fft.md; Govindaraju et al. 2008 (tiled), Bailey 1990 (multipass), Bluestein 1970
#ifndef AFTERGLOW_FFT_H
#define AFTERGLOW_FFT_H

#include <stdint.h>

enum { AG_FFT_FORWARD = 0, AG_FFT_INVERSE = 1 };
enum {                        // s, where n is the number of points that are transformed together
    AG_FFT_NORM_BACKWARD = 0, // 1 forward, 1/n inverse
    AG_FFT_NORM_ORTHO = 1,    // 1/sqrt(n) both ways
    AG_FFT_NORM_FORWARD = 2   // 1/n forward, 1 inverse
};
enum {
    AG_FFT_FULL = 0, // all frequencies
    AG_FFT_HALF = 1  // of real data: those that are no mirror image of another. Along x, or along
                     // y with axes y
};
enum {
    AG_FFT_CORNER = 0,  // frequency 0 is at texel 0
    AG_FFT_CENTERED = 1 // it is at texel n/2 of each axis, as by numpy.fft.fftshift. An axis that
                        // has half of its frequencies still begins with frequency 0
};
enum { AG_FFT_BOTH = 0, AG_FFT_X = 1, AG_FFT_Y = 2 };
enum {
    AG_FFT_PLANES = 0, // real parts in one texture, imaginary parts in the other
    AG_FFT_RGBA_RG = 1 // three channels in 24 bytes: real red, green and blue and imaginary red in
                       // an RGBA texture, imaginary green and blue in an RG texture. It is the
                       // layout of the spectrum: of dst and dst_imag forward, of src and src_imag
                       // inverse. The other side is real
};
enum {
    AG_FFT_AUTO = 0,      // tiled where it can, else multipass
    AG_FFT_TILED = 1,     // a line in shared memory, a dispatch an axis
    AG_FFT_MULTIPASS = 2, // a line in two parts through scratch
    // Methods as two documents describe them (docs/fft.md), to measure what they are worth. They
    // take powers of two, spectrum full, packing planes, origin corner, RGBA32F textures of one
    // layer and dst_imag, and refuse everything else by name. auto never takes them.
    AG_FFT_SHARED_RADIX2 = 3,  // a group a row, a thread a texel; lines up to 512
    AG_FFT_TEXTURE_RADIX2 = 4, // a dispatch a butterfly pass, through textures of its own
    AG_FFT_HALF_THREADS = 5,   // a thread two points, in place; lines up to 1024
    AG_FFT_HALF_LENGTH = 6     // real rows as half as many complex points; forward, axes both or x
};

// Slots, in the order of ag_job.slots.
enum { AG_FFT_SRC = 0, AG_FFT_DST = 1, AG_FFT_SRC_IMAG = 2, AG_FFT_DST_IMAG = 3 };

typedef struct ag_fft_settings {
    int32_t direction; // AG_FFT_FORWARD (default), AG_FFT_INVERSE
    int32_t norm;      // AG_FFT_NORM_*, default AG_FFT_NORM_BACKWARD
    int32_t spectrum;  // AG_FFT_FULL (default), AG_FFT_HALF
    int32_t origin;    // AG_FFT_CORNER (default), AG_FFT_CENTERED: of the spectrum
    int32_t axes;      // AG_FFT_BOTH (default), AG_FFT_X, AG_FFT_Y
    int32_t packing;   // AG_FFT_PLANES (default), AG_FFT_RGBA_RG
    int32_t method;    // AG_FFT_AUTO (default), AG_FFT_TILED and so on
    int32_t scrub;     // 1 (default): bad texels (afterglow.h) count as 0; ag_health counts them
} ag_fft_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_FFT_DEFAULTS                                                                \
    {                                                                                  \
        AG_FFT_FORWARD, AG_FFT_NORM_BACKWARD, AG_FFT_FULL, AG_FFT_CORNER, AG_FFT_BOTH, \
            AG_FFT_PLANES, AG_FFT_AUTO, 1                                              \
    }

#endif
