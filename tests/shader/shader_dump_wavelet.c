// shader_dump_wavelet.c - variants of wavelets: filters, channels, formats, both directions
// SPDX-License-Identifier: MIT
#include <afterglow/wavelet.h>

#include "shader_dump.h"

static int channels_of(const format_info *format)
{
    return format->channels == 3 ? 4 : format->channels;
}

// 16 x 16 texels are as many coefficients. `layers`: of both; 0: no arrays.
static void wavelet(fixture *f, const char *image, const char *coefficients, int layers,
                    const ag_wavelet_settings *s)
{
    bool inverse = s->direction == AG_WAVELET_INVERSE;
    texture t[] = {texture_create_array(f, inverse ? coefficients : image, 16, 16, layers, 1, NULL),
                   texture_create_array(f, inverse ? image : coefficients, 16, 16, layers, 1,
                                        NULL)};
    dump_prepare(f, "wavelet", t, 2, s);
}

// The stationary transform: layers of the image's size.
static void bands(fixture *f, const char *format, const ag_wavelet_settings *s)
{
    texture image = texture_create(f, format, 16, 16, NULL);
    texture layers = texture_create_array(f, format, 16, 16, 3 * s->levels + 1, 1, NULL);
    bool inverse = s->direction == AG_WAVELET_INVERSE;
    texture t[] = {inverse ? layers : image, inverse ? image : layers};
    dump_prepare(f, "wavelet", t, 2, s);
}

// Filters of a texture.
static void custom(fixture *f, int taps, const ag_wavelet_settings *settings)
{
    ag_wavelet_settings s = *settings;
    s.wavelet = AG_WAVELET_CUSTOM;
    texture t[] = {texture_create(f, "rgba16f", 16, 16, NULL),
                   texture_create(f, "rgba16f", 16, 16, NULL),
                   texture_create(f, "r32f", taps, 2, NULL)};
    dump_prepare(f, "wavelet", t, 3, &s);
}

void dump_wavelets(fixture *f)
{
    static const char *const floats[] = {"r16f", "rg16f", "rgba16f", "r32f", "rg32f", "rgba32f"};
    for (int direction = 0; direction < 2; ++direction) {
        ag_wavelet_settings s = *ag_wavelet_params(.direction = direction, .levels = 2, .scrub = 1);
        for (s.wavelet = AG_WAVELET_HAAR; s.wavelet <= AG_WAVELET_CDF97; ++s.wavelet)
            for (int layers = 0; layers < 2; ++layers)
                wavelet(f, "rgba16f", "rgba16f", layers, &s);
        s.wavelet = AG_WAVELET_SYM4;
        s.layout = AG_WAVELET_BANDS;
        s.stationary = 1;
        bands(f, "rgba16f", &s);
        bands(f, "r32f", &s);
        s.layout = AG_WAVELET_PYRAMID;
        s.stationary = 0;
        custom(f, 16, &s);
        s.wavelet = AG_WAVELET_DB2;
        for (int i = 0; i < FORMAT_COUNT; ++i)
            for (int k = 0; k < 6; ++k)
                if (channels_of(format_at(i)) == channels_of(format_named(floats[k])))
                    wavelet(f, format_at(i)->name, floats[k], 0, &s);
    }
}
