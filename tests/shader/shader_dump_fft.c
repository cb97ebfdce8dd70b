// shader_dump_fft.c - every variant of the effect "fft": sides, formats, methods, channels
// SPDX-License-Identifier: MIT
#include <afterglow/fft.h>

#include "fixture.h"
#include "shader_dump.h"
#include "texture.h"

typedef struct transform {
    const char *src, *dst, *src_imag, *dst_imag; // NULL: no such slot
    int width, height;
    ag_fft_settings settings;
} transform;

static void prepare(fixture *f, const transform *c)
{
    const char *const formats[] = {c->src, c->dst, c->src_imag, c->dst_imag};
    texture t[4] = {{0}};
    int half = c->settings.spectrum == AG_FFT_HALF, inverse = c->settings.direction;
    for (int i = 0; i < 4; ++i)
        if (formats[i]) {
            bool halved = half && i % 2 != inverse;
            int width = halved && c->settings.axes != AG_FFT_Y ? c->width / 2 + 1 : c->width;
            int height = halved && c->settings.axes == AG_FFT_Y ? c->height / 2 + 1 : c->height;
            t[i] = texture_create(f, formats[i], width, height, NULL);
        }
    dump_prepare(f, "fft", t, 4, &c->settings);
}

void dump_transforms(fixture *f)
{
    static const char *const floats[] = {"r32f", "rg32f", "rgba32f", "rgba16f"};
    static const int sizes[][2] = {{16, 12}, {2048, 6}, {37, 3}, {1, 2053}};
    transform c = {.settings = AG_FFT_DEFAULTS};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 8; ++k) {
            c.settings = (ag_fft_settings)AG_FFT_DEFAULTS;
            c.settings.direction = k % 2;
            c.settings.axes = (k + i) % 3;
            c.settings.method = k == 6 ? AG_FFT_MULTIPASS : AG_FFT_AUTO;
            c.settings.spectrum = k / 2 == 1;
            c.width = sizes[(k + i) % 4][0];
            c.height = sizes[(k + i) % 4][1];
            c.src = c.dst = c.src_imag = c.dst_imag = floats[i];
            if (k / 2 == 2)
                c.src_imag = NULL;
            if (k / 2 == 1 && k % 2)
                c.dst_imag = NULL;
            if (k / 2 == 1 && k % 2 == 0)
                c.src_imag = NULL;
            prepare(f, &c);
        }
    for (int k = 0; k < 2; ++k) { // packed
        c = (transform){"rgba32f", "rgba32f", NULL, NULL, 24, 20, AG_FFT_DEFAULTS};
        c.settings.direction = k;
        c.settings.packing = AG_FFT_RGBA_RG;
        *(k ? &c.src_imag : &c.dst_imag) = "rg32f";
        prepare(f, &c);
    }
    // Half a spectrum and back: rows come last.
    c = (transform){"rgba32f", "rgba32f", "rgba32f", NULL, 24, 20, AG_FFT_DEFAULTS};
    c.settings.direction = AG_FFT_INVERSE;
    c.settings.spectrum = AG_FFT_HALF;
    prepare(f, &c);
    for (int k = 0; k < 2; ++k) { // lines too long for threads a channel, there and back
        c = (transform){"rgba32f", "rgba32f", "rg32f", NULL, 1024, 600, AG_FFT_DEFAULTS};
        c.settings.packing = AG_FFT_RGBA_RG;
        c.settings.direction = k;
        c.dst_imag = k ? NULL : "rg32f";
        c.src_imag = k ? "rg32f" : NULL;
        prepare(f, &c);
    }
    for (int i = 0; i < FORMAT_COUNT; ++i) { // pictures out of complex spectra
        c = (transform){"rgba32f", format_at(i)->name, "rgba32f", NULL, 24, 20, AG_FFT_DEFAULTS};
        c.settings.direction = AG_FFT_INVERSE;
        prepare(f, &c);
    }
}
