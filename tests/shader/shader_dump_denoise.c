// shader_dump_denoise.c - variants of denoise: filters, rules, thresholds, levels, guides, history
// SPDX-License-Identifier: MIT
#include <afterglow/denoise.h>

#include "shader_dump.h"

enum { WIDTH = 80, HEIGHT = 70, GUIDES = AG_DENOISE_ALBEDO };

// `given`: the last optional slot that is not empty, or AG_DENOISE_DST.
static void denoise(fixture *f, const char *format, int given, const ag_denoise_settings *s)
{
    static const char *const formats[] = {"rg16f", "rgba16f", "rgba16f", "rgba16f", "r32f"};
    texture t[AG_DENOISE_DEPTH + 1] = {texture_create(f, format, WIDTH, HEIGHT, NULL),
                                       texture_create(f, format, WIDTH, HEIGHT, NULL)};
    bool guides = given >= GUIDES;
    for (int i = AG_DENOISE_MOTION; i <= given; ++i)
        if (!guides || i >= GUIDES)
            t[i] = texture_create(f, formats[i - AG_DENOISE_MOTION], WIDTH, HEIGHT, NULL);
    dump_prepare(f, "denoise", t, given + 1, s);
}

// Whether the effect takes the rule with this filter and these levels.
static bool taken(const ag_denoise_settings *s)
{
    return s->rule != AG_DENOISE_BAYES_LOCAL || (s->filter != AG_DENOISE_DWT && s->levels <= 3);
}

static void tiles(fixture *f, const char *format)
{
    static const int filters[] = {AG_DENOISE_TI_HAAR, AG_DENOISE_HAAR, AG_DENOISE_DWT};
    static const int thresholds[] = {AG_DENOISE_SOFT, AG_DENOISE_FIRM, AG_DENOISE_GROUP};
    ag_denoise_settings s = AG_DENOISE_DEFAULTS;
    for (int filter = 0; filter < 3; ++filter)
        for (int threshold = 0; threshold < 3; ++threshold)
            for (s.rule = AG_DENOISE_BAYES; s.rule <= AG_DENOISE_VISU; ++s.rule)
                for (s.levels = 1; s.levels <= 6; ++s.levels) {
                    s.filter = filters[filter];
                    s.threshold = thresholds[threshold];
                    if (taken(&s))
                        denoise(f, format, AG_DENOISE_DST, &s);
                }
}

void dump_denoise(fixture *f)
{
    static const char *const formats[] = {"r8", "rg16f", "rgba8", "srgb8", "rgba32f"};
    tiles(f, "rgba16f");
    tiles(f, "r16f");
    ag_denoise_settings s = AG_DENOISE_DEFAULTS;
    for (int i = 0; i < 5; ++i)
        for (s.filter = AG_DENOISE_TI_HAAR; s.filter <= AG_DENOISE_DWT; ++s.filter) {
            s.space = i % 3;
            s.firefly = (float)(i % 2);
            denoise(f, formats[i], AG_DENOISE_DST, &s);
        }
    s = (ag_denoise_settings)AG_DENOISE_DEFAULTS;
    denoise(f, "rgba16f", AG_DENOISE_HISTORY, &s);
    s.filter = AG_DENOISE_ATROUS;
    for (s.space = AG_DENOISE_LINEAR; s.space <= AG_DENOISE_ANSCOMBE; ++s.space)
        for (int given = GUIDES; given <= AG_DENOISE_DEPTH; ++given)
            denoise(f, "rgba16f", given, &s);
}
