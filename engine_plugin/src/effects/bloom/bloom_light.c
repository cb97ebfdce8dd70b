// bloom_light.c - from texels to light and back: the settings transfer and gain; the composite
// SPDX-License-Identifier: MIT
#include "effects/bloom/bloom_light.h"
#include "base/log.h"

#include <math.h>

// With it lamps of a street at night have stars in a frame that ends at white, as
// they have in the HDR frame (docs/bloom.md).
static const float SRGB_GAIN = 100;

float ag_bloom_highlights(const ag_bloom_settings *s)
{
    float gain = s->gain > 0 ? s->gain : s->transfer == AG_BLOOM_SRGB ? SRGB_GAIN : 1;
    return gain > 1 ? 1 - 1 / gain : 0;
}

ag_status ag_bloom_light_check(const ag_host *host, ag_request *request, const ag_bloom_settings *s)
{
    static const int slots[] = {AG_BLOOM_SRC, AG_BLOOM_DST};
    bool srgb = s->transfer == AG_BLOOM_SRGB, expands = ag_bloom_highlights(s) > 0;
    if (!srgb && !expands)
        return AG_OK;
    for (int i = 0; i < 2; ++i) {
        const ag_format **format = &request->formats[slots[i]];
        const ag_format *light = ag_format_light(*format, srgb, expands);
        if (!light)
            return ag_fail(host, AG_E_FORMAT,
                           "bloom: %s is %s; with transfer = srgb src and dst must be R8, RG8, "
                           "RGBA8, SRGB8_ALPHA8, RGB10_A2 or RGBA16",
                           i ? "dst" : "src", (*format)->text);
        *format = light;
    }
    return AG_OK;
}

ag_mix ag_bloom_mix(const ag_bloom_settings *s)
{
    ag_mix mix = {.keep = {1, 1, 1, 1}};
    float unexposed = exp2f(-s->exposure);
    for (int i = 0; i < 3; ++i) {
        mix.gain[i] = mix.direct[i] = s->intensity * s->tint[i];
        if (s->output == AG_BLOOM_ONLY)
            mix.keep[i] = 0;
        else if (s->output == AG_BLOOM_COMPOSITE)
            mix.self[i] = -s->intensity;
    }
    mix.filter[0] = s->threshold * unexposed;
    mix.filter[1] = s->threshold * s->knee * unexposed;
    mix.filter[2] = s->clamp > 0 ? s->clamp * unexposed : INFINITY;
    mix.filter[3] = s->threshold > 0 || s->clamp > 0 ? 1.0f : 0.0f;
    return mix;
}
