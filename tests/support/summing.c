// summing.c - one table of the effect "sat", with all textures that its settings need
// SPDX-License-Identifier: MIT
#include "summing.h"
#include "effects/sat/sat_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ag_sat_settings summing_defaults(fixture *f)
{
    ag_sat_settings s;
    CHECK_STATUS(f->ag->defaults("sat", &s, sizeof s), AG_OK);
    s.storage = AG_SAT_FLOAT32;
    return s;
}

ag_tuning summing_by(bool subgroups)
{
    return (ag_tuning){.without = subgroups ? 0 : AG_WITHOUT_SUBGROUPS, .emulate = subgroups};
}

double *summing_noise(rng *r, const char *format, int width, int height, double low, double high)
{
    const char *name = format ? format : "r32f";
    size_t texels = (size_t)width * (size_t)height;
    size_t count = texels * (size_t)format_named(name)->channels;
    double *values = malloc((count ? count : 1) * sizeof *values);
    if (!values)
        abort();
    rng_fill_uniform(r, values, count, low, high);
    texture_quantise(name, values, texels);
    return values;
}

static texture make(fixture *f, const char *format, int width, int height, int layers)
{
    return texture_create_array(f, format, width, height, layers, 1, NULL);
}

// The textures that the settings and the source's channels need.
static void make_textures(fixture *f, const summing *c, summed *s)
{
    static const char *const full[] = {"", "r32f", "rg32f", "rgba32f", "rgba32f"};
    static const char *const half[] = {"", "r16f", "rg16f", "rgba16f", "rgba16f"};
    static const char *const whole[] = {"", "r32ui", "rg32ui", "rgba32ui", "rgba32ui"};
    const ag_sat_settings *set = &c->settings;
    const format_info *src = format_named(c->src_format ? c->src_format : "r32f");
    int more = set->edge == AG_SAT_EXCLUSIVE;
    int n = src->channels, w = c->width + more, h = c->height + more;
    const char *table = (set->storage == AG_SAT_UINT32 ? whole : full)[n];
    s->width = w;
    s->height = h;
    s->channels = format_named(table)->channels;
    s->src = texture_create_array(f, src->name, c->width, c->height, c->layers, 1, c->src);
    if (!c->in_place)
        s->textures[SUMMED_DST] = make(f, table, w, h, c->layers);
    if (set->square)
        s->textures[SUMMED_SQUARES] = make(f, table, w, h, c->layers);
    for (int i = SUMMED_LOW; i <= (set->square ? SUMMED_SQUARES_LOW : SUMMED_LOW); i += 2) {
        if (set->storage == AG_SAT_FLOAT32_RESIDUAL)
            s->textures[i] = make(f, half[n], w, h, c->layers);
        if (set->storage == AG_SAT_DOUBLE_FLOAT)
            s->textures[i] = make(f, full[n], w, h, c->layers);
        if (set->storage == AG_SAT_SPLIT)
            s->textures[i] = make(f, full[n], ag_sat_split_width(c->width, c->height),
                                  ag_sat_split_height(c->width, c->height), c->layers);
    }
    if (set->offset == AG_SAT_OFFSET_MEAN)
        s->textures[SUMMED_MEAN] = make(f, full[n], 1, 1, c->layers);
}

summed summing_run(fixture *f, ag_pass *pass, const summing *c)
{
    summed s = {0};
    ag_texture slots[1 + SUMMED];
    make_textures(f, c, &s);
    slots[0] = texture_view(&s.src);
    for (int i = 0; i < SUMMED; ++i)
        slots[1 + i] = s.textures[i].name ? texture_view(&s.textures[i]) : texture_no_view();
    if (c->in_place)
        slots[1] = slots[0];
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 1 + SUMMED,
                  .settings = &c->settings,
                  .next_use = AG_USE_COPY,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_tuning *tuning = ag_device_tuning(f->device), former = *tuning;
    *tuning = c->tuning;
    fixture_run(f, pass, &job);
    *tuning = former;
    if (c->in_place) {
        s.textures[SUMMED_DST] = s.src;
        s.src.name = 0;
    }
    for (int i = 0; i < SUMMED; ++i)
        if (s.textures[i].name)
            s.values[i] = texture_read(f, &s.textures[i], 0);
    return s;
}

void summed_free(fixture *f, summed *s)
{
    for (int i = 0; i <= SUMMED; ++i) {
        texture *t = i < SUMMED ? &s->textures[i] : &s->src;
        if (t->name) {
            f->ag->forget(f->device, t->name);
            texture_destroy(f, t);
        }
        if (i < SUMMED)
            free(s->values[i]);
    }
}

double summed_at(const summing *c, const summed *s, bool squares, int layer, int x, int y,
                 int channel)
{
    const double *table = s->values[squares ? SUMMED_SQUARES : SUMMED_DST];
    const double *low = s->values[squares ? SUMMED_SQUARES_LOW : SUMMED_LOW];
    size_t channels = (size_t)s->channels;
    size_t at = (((size_t)layer * (size_t)s->height + (size_t)y) * (size_t)s->width + (size_t)x) *
                    channels +
                (size_t)channel;
    if (c->settings.storage != AG_SAT_SPLIT)
        return table[at] + (low ? low[at] : 0);
    int wide = ag_sat_split_width(c->width, c->height);
    int high = ag_sat_split_height(c->width, c->height);
    int tx = (c->width + 31) / 32, ty = (c->height + 31) / 32;
    const double *sums = low + (size_t)layer * (size_t)(wide * high) * channels + channel;
    size_t above = (size_t)(y / 32 * wide + x), left = (size_t)((2 * ty + x / 32) * wide + y);
    return table[at] + sums[above * channels] + sums[(above + (size_t)(ty * wide)) * channels] +
           sums[left * channels] + sums[(left + (size_t)(tx * wide)) * channels];
}
