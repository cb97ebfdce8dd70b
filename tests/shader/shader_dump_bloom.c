// shader_dump_bloom.c - variants of bloom on a smaller image, and of its lens
// SPDX-License-Identifier: MIT
#include <afterglow/bloom.h>

#include <string.h>

#include "fixture.h"
#include "shader_dump.h"
#include "texture.h"

enum { WIDTH = 12, HEIGHT = 10 };

static ag_bloom_settings settings_of(fixture *f, int shape)
{
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    s.shape = shape;
    s.threshold = 1;
    return s;
}

// On a smaller image, where a star has a core and a Gaussian none. `planned`: grid = fixed.
static void small(fixture *f, const char *src, const char *dst, int shape, int resolution,
                  int firefly, int planned)
{
    ag_bloom_settings s = settings_of(f, shape);
    s.size = shape == AG_BLOOM_GAUSSIAN ? 2 : 0.3f;
    s.resolution = resolution;
    s.firefly = firefly;
    s.grid = planned ? AG_BLOOM_FIXED : AG_BLOOM_FRAME;
    texture t[3] = {texture_create(f, src, WIDTH, HEIGHT, NULL),
                    {0},
                    texture_create(f, dst, WIDTH, HEIGHT, NULL)};
    dump_prepare_planned(f, "bloom", t, 3, &s, planned);
}

// The lens: a dirt mask, an exposure, and an output that may be added to. A kernel in motion.
static void lens(fixture *f, const char *src, const char *dst, const char *dirt, int output)
{
    ag_bloom_settings s = settings_of(f, AG_BLOOM_STAR);
    s.output = output;
    s.transition = 2;
    texture t[5] = {texture_create(f, src, WIDTH, HEIGHT, NULL),
                    {0},
                    texture_create(f, dst, WIDTH, HEIGHT, NULL),
                    texture_create(f, dirt, 5, 3, NULL),
                    texture_create(f, output ? "r32f" : "rgba32f", 1, 1, NULL)};
    dump_prepare(f, "bloom", t, 5, &s);
}

void dump_blooms(fixture *f, const format_info *format)
{
    const char *name = format->name;
    small(f, name, "rgba32f", AG_BLOOM_APERTURE, AG_BLOOM_AUTO, AG_BLOOM_FIREFLY_OFF, 0);
    small(f, name, "rgba32f", AG_BLOOM_APERTURE, AG_BLOOM_HALF, AG_BLOOM_FIREFLY_OFF, 0);
    small(f, name, "rgba32f", AG_BLOOM_GAUSSIAN, AG_BLOOM_HALF, AG_BLOOM_FIREFLY_KARIS, 0);
    small(f, "rgba32f", name, AG_BLOOM_GAUSSIAN, AG_BLOOM_QUARTER, AG_BLOOM_FIREFLY_OFF, 0);
    lens(f, name, "rgba16f", "r8", AG_BLOOM_COMPOSITE);
    lens(f, "rgba32f", name, "r8", AG_BLOOM_ONLY);
    if (strcmp(name, "r11g11b10f") != 0)
        lens(f, "rgba32f", name, "r8", AG_BLOOM_ADD);
    if (format->channels != 2)
        lens(f, "rgba32f", "rgba32f", name, AG_BLOOM_COMPOSITE);
}

// Each pair of ratios, with steps that are the ratios and with others; in 16 and in 32 bits.
void dump_bloom_grids(fixture *f)
{
    static const int cases[][2] = {{AG_BLOOM_APERTURE, AG_BLOOM_HALF},
                                   {AG_BLOOM_APERTURE, AG_BLOOM_QUARTER},
                                   {AG_BLOOM_ANAMORPHIC, AG_BLOOM_QUARTER}};
    for (int i = 0; i < 3; ++i)
        for (int way = 0; way < 4; ++way) {
            const char *format = way % 2 ? "rgba32f" : "rgba16f";
            int firefly = way == 1 ? AG_BLOOM_FIREFLY_CLAMP : AG_BLOOM_FIREFLY_OFF;
            small(f, format, format, cases[i][0], cases[i][1], firefly, way < 2 ? 0 : 16);
        }
}
