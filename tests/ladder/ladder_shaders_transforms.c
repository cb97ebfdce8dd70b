// ladder_shaders_transforms.c - every variant of "fft_ladder" and "wavelet_ladder"
// SPDX-License-Identifier: MIT
#include <afterglow/ladder_fft.h>
#include <afterglow/ladder_wavelet.h>

#include "shader/shader_dump.h"
#include "test_ladder_shaders.h"

static void dump_fft(fixture *f, bool complex_in, const ag_fft_ladder_settings *s)
{
    texture t[4] = {{0}};
    for (int i = 0; i < 4; ++i)
        if (i != AG_FFT_LADDER_SRC_IMAG || complex_in)
            t[i] = texture_create(f, "rgba32f", 64, 32, NULL);
    dump_prepare(f, "fft_ladder", t, 4, s);
}

// Each method with each form of weights that it takes, of complex and of real input, and changed.
static void dump_fft_methods(fixture *f)
{
    ag_fft_ladder_settings s = AG_FFT_LADDER_DEFAULTS;
    for (s.method = 0; s.method <= AG_FFT_LADDER_HALF_LENGTH; ++s.method) {
        bool halves = s.method >= AG_FFT_LADDER_HALF_THREADS;
        int32_t *const changes[] = {&s.copied, &s.scattered, &s.transposed, &s.pairs};
        int last = halves ? AG_FFT_LADDER_TABLE_2D : AG_FFT_LADDER_LOOKUP;
        for (s.weights = AG_FFT_LADDER_POLYNOMIAL; s.weights <= last; ++s.weights)
            dump_fft(f, s.weights % 2 && s.method != AG_FFT_LADDER_HALF_LENGTH, &s);
        s.weights = AG_FFT_LADDER_OWN;
        for (int i = 0; i < 4; ++i) {
            bool taken = i == 0   ? s.method == AG_FFT_LADDER_SHARED_RADIX2
                         : i == 1 ? halves
                                  : s.method == AG_FFT_LADDER_HALF_THREADS + i - 2;
            *changes[i] = taken;
            if (taken)
                dump_fft(f, false, &s);
            *changes[i] = 0;
        }
    }
}

static void dump_wavelet(fixture *f, const char *format, int taps,
                         const ag_wavelet_ladder_settings *s)
{
    texture t[3] = {texture_create(f, format, 16, 16, NULL),
                    texture_create(f, format, 16, 16, NULL)};
    if (taps)
        t[2] = texture_create(f, "r32f", taps, 2, NULL);
    dump_prepare(f, "wavelet_ladder", t, 3, s);
}

// Each filter, and the formats, both ways.
void dump_ladder_transforms(fixture *f)
{
    static const char *const formats[] = {"rgba16f", "rg32f", "r32f", "rgba32f", "rg16f", "r16f"};
    ag_wavelet_ladder_settings s = AG_WAVELET_LADDER_DEFAULTS;
    dump_fft_methods(f);
    s.levels = 2;
    for (s.direction = 0; s.direction < 2; ++s.direction)
        for (s.wavelet = AG_WAVELET_HAAR; s.wavelet <= AG_WAVELET_CUSTOM; ++s.wavelet)
            dump_wavelet(f, formats[s.wavelet % 6], s.wavelet == AG_WAVELET_CUSTOM ? 16 : 0, &s);
}
