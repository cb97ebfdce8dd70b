// sat_trial.c - a trial of "sat": its textures, and its table by the definition
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sat_ref.h"
#include "test_sat.h"

const ag_tuning quick_tiles = {.tile = AG_TILE_32, .threads = 512};

const ag_tuning *few_texels(void)
{
    return check_tier_now() < CHECK_GPU ? &quick_tiles : NULL;
}

ag_tuning exchange_by(bool subgroups)
{
    ag_tuning tuning = {.without = subgroups ? 0 : AG_WITHOUT_SUBGROUPS, .emulate = subgroups};
    if (check_tier_now() == CHECK_QUICK) {
        tuning.tile = AG_TILE_32;
        tuning.threads = subgroups ? 256 : 512;
    }
    return tuning;
}

// ---- exact tables ------------------------------------------------------------------------------

static bool counts_codes(const trial *t)
{
    const format_info *src = t->textures[SRC].format;
    return src->kind == FORMAT_UNORM && src->bits[0] == 8;
}

static int32_t bits_of(const trial *t, int power)
{
    const ag_sat_settings *s = t->settings;
    ag_sat_question q = {.struct_size = sizeof(ag_sat_question),
                         .width = t->slots[SRC].width,
                         .height = t->slots[SRC].height,
                         .max_box = s->max_box,
                         .fraction_bits = s->fraction_bits,
                         .max_value = (double)s->max_value};
    return ag_sat_fraction_bits(&q, power);
}

// A layer of the source; bad texels are 0.
static double *clean_input(const trial *t, int layer, int texels)
{
    const ag_sat_settings *s = t->settings;
    double *src = trial_input(t, SRC, layer);
    int n = trial_channels(t, SRC);
    for (int i = 0; s->scrub && i < texels; ++i) {
        bool bad = false;
        for (int c = 0; c < n; ++c)
            bad = bad || !isfinite(src[i * n + c]);
        if (bad)
            memset(src + i * n, 0, (size_t)n * sizeof *src);
    }
    return src;
}

static double *integer_table(const trial *t, const double *src, int w, int h, int power)
{
    const ag_sat_settings *s = t->settings;
    bool counts = counts_codes(t);
    float units = counts ? 255.0f : ldexpf(1, bits_of(t, power));
    int n = trial_channels(t, SRC);
    size_t count = (size_t)w * (size_t)h * (size_t)n;
    uint64_t *codes = check_allocate(count * sizeof *codes);
    for (size_t i = 0; i < count; ++i)
        codes[i] = sat_ref_units(src[i], units, s->max_value, power, counts);
    uint32_t *sums = sat_ref_integers(codes, w, h, n);
    double *table = check_doubles(count);
    for (size_t i = 0; i < count; ++i)
        table[i] = sums[i];
    free(codes);
    free(sums);
    return table;
}

static double *float_table(const trial *t, const double *src, int layer, int w, int h, int power)
{
    const ag_sat_settings *s = t->settings;
    int n = trial_channels(t, SRC);
    double offset[4] = {0};
    for (int c = 0; c < n; ++c)
        offset[c] = s->offset == AG_SAT_OFFSET_HALF ? 0.5
                    : s->offset == AG_SAT_OFFSET_MEAN
                        ? t->got[MEAN][layer * trial_channels(t, MEAN) + c]
                        : 0;
    return sat_ref_table(src, w, h, n, offset, power, s->origin == AG_SAT_CENTER);
}

// What the slots beside a table add to its entry.
static double low_at(const trial *t, int slot, int layer, int x, int y, int channel)
{
    const ag_sat_settings *s = t->settings;
    const double *low = t->got[slot + 1];
    if (!low || slot + 1 == MEAN)
        return 0;
    int width = t->slots[SRC].width, height = t->slots[SRC].height;
    int across = t->slots[slot + 1].width, rows = t->slots[slot + 1].height;
    size_t n = (size_t)trial_channels(t, slot + 1);
    const double *sums = low + (size_t)layer * (size_t)(across * rows) * n + channel;
    if (s->storage != AG_SAT_SPLIT)
        return sums[(size_t)(y * across + x) * n];
    int tx = (width + 31) / 32, ty = (height + 31) / 32;
    size_t above = (size_t)(y / 32 * across + x), left = (size_t)((2 * ty + x / 32) * across + y);
    return sums[above * n] + sums[(above + (size_t)(ty * across)) * n] + sums[left * n] +
           sums[(left + (size_t)(tx * across)) * n];
}

double table_at(const trial *t, int slot, int layer, int x, int y, int channel)
{
    const trial_slot *s = &t->slots[slot];
    size_t at = ((size_t)layer * (size_t)s->height + (size_t)y) * (size_t)s->width + (size_t)x;
    return t->got[slot][at * (size_t)trial_channels(t, slot) + (size_t)channel] +
           low_at(t, slot, layer, x, y, channel);
}

static bool is_nvidia(const trial *t)
{
    return strstr((const char *)t->f->gl.GetString(GL_VENDOR), "NVIDIA") != NULL;
}

// What roundings may add that are not of the entry: an offset leaves little of the sums, and they
// are as large as without one. Of sums, not of their squares.
//   offset half   Sums within a tile are of the texels themselves (ag_api.sat_error): of texels up
//                 to 1 six units of the tile's sum, in split tables seven
//   offset mean   NVIDIA's driver 580 rounds what other tiles add, K, A and B, to floats before
//                 the mean is taken off, where there are squares (docs/sat.md): each by half a
//                 unit of the whole sum. No other driver is allowed that
static double of_sums(const trial *t, int w, int h)
{
    static const double tiles[] = {4096, 1024, 2048, 4096}; // texels, by AG_TILE_*
    const ag_sat_settings *s = t->settings;
    double tile = tiles[t->tuning ? t->tuning->tile : AG_TILE_AUTO], texels = (double)w * h;
    if (s->offset == AG_SAT_OFFSET_HALF && s->storage == AG_SAT_SPLIT)
        return 7 * ag_sat_ulp(1024);
    if (s->offset == AG_SAT_OFFSET_HALF && s->storage == AG_SAT_FLOAT32)
        return 6 * ag_sat_ulp(fmin(tile, texels));
    bool mean = s->square && s->offset == AG_SAT_OFFSET_MEAN && s->storage == AG_SAT_FLOAT32;
    return is_nvidia(t) && mean ? 3 * ag_sat_ulp(texels) / 2 : 0;
}

// What a driver's float of a code is off by at most, on the same side for all texels: of a code of
// 1 by a unit of its last place, as llvmpipe's and NVIDIA's nearly are; of sRGB by its pow.
static double decoding(const trial *t)
{
    format_kind kind = t->textures[SRC].format->kind;
    return kind == FORMAT_SRGB ? 0x1p-20 : kind == FORMAT_UNORM ? 0x1p-24 : 0;
}

static void exact_mean(const trial *t, const trial_part *p, double *want, double *bound)
{
    int w = t->slots[SRC].width, h = t->slots[SRC].height, n = trial_channels(t, SRC);
    double *src = clean_input(t, p->layer, w * h);
    for (int c = 0; c < p->channels; ++c) {
        double sum = 0;
        for (int i = 0; c < n && i < w * h; ++i)
            sum += src[i * n + c];
        want[c] = c < n ? sum / w / h : TRIAL_ANY;
        bound[c] = (w * h < 65536 ? 1e-7 : 5e-7) + decoding(t); // sums of tiles are floats
    }
    free(src);
}

static bool table_exact(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_sat_settings *s = t->settings;
    size_t count = (size_t)p->width * (size_t)p->height * (size_t)p->channels;
    if (p->slot == LOW || p->slot == SQUARES_LOW || p->slot == MEAN) {
        for (size_t i = 0; i < count; ++i)
            want[i] = TRIAL_ANY; // a part of an entry that is judged with the other part
        if (p->slot == MEAN)
            exact_mean(t, p, want, bound);
        return true;
    }
    int edge = s->edge == AG_SAT_EXCLUSIVE, w = p->width - edge, h = p->height - edge;
    int n = trial_channels(t, SRC), power = p->slot == SQUARES ? 2 : 1;
    bool integers = s->storage == AG_SAT_UINT32;
    double *src = clean_input(t, p->layer, w * h), largest = 0;
    double *table =
        integers ? integer_table(t, src, w, h, power) : float_table(t, src, p->layer, w, h, power);
    for (size_t i = 0; i < (size_t)w * (size_t)h * (size_t)n; ++i)
        largest = fmax(largest, fabs(table[i]));
    double unit = integers ? 0 : ag_sat_ulp(largest > 0 ? largest : 1);
    double decoded = integers ? 0 : decoding(t);
    for (size_t i = 0; i < count; ++i) {
        int c = (int)(i % (size_t)p->channels), at = (int)(i / (size_t)p->channels);
        int x = at % p->width, y = at / p->width;
        want[i] = c >= n                 ? TRIAL_ANY
                  : x < edge || y < edge ? 0
                                         : table[((y - edge) * w + x - edge) * n + c];
        if (s->storage == AG_SAT_FLOAT32_RESIDUAL) // half a unit of the last place of 16-bit floats
            bound[i] += 0x1p-25 / unit;
        bound[i] = bound[i] * unit + (power == 1 ? of_sums(t, w, h) : 0) + decoded * w * h;
        if (c < n && !integers)
            want[i] -= low_at(t, p->slot, p->layer, x, y, c);
    }
    free(src);
    free(table);
    return true;
}

// ---- trials ------------------------------------------------------------------------------------

trial table_of(fixture *f, const char *name, const char *format, int width, int height,
               const double *src, ag_sat_settings *s)
{
    trial t = trial_of(f, "sat", name, s, sizeof *s);
    s->storage = AG_SAT_FLOAT32;
    t.slots[SRC] = trial_image(format, width, height, src);
    t.reference = table_exact;
    return t;
}

// Half a unit for one rounding, and the roundings within its tile; with an offset the largest entry
// is smaller than what is added up.
static double allowed(const trial *t)
{
    const ag_sat_settings *s = t->settings;
    double texels = (double)t->slots[SRC].width * t->slots[SRC].height;
    switch (s->storage) {
    case AG_SAT_FLOAT32: return (0.51 + 12 * fmin(1, 4096 / texels)) * (s->offset ? 8 : 1);
    case AG_SAT_FLOAT32_RESIDUAL: return s->offset ? 0x1p-6 : 1.02 * 0x1p-13; // of half a unit
    case AG_SAT_DOUBLE_FLOAT: return s->offset ? 0x1p-19 : 0x1p-22;
    case AG_SAT_SPLIT: return 7 * fmin(1, 2048 / texels) * (s->offset ? 8 : 1);
    default: return 0;
    }
}

static trial_slot output(const trial *t, const char *format, int width, int height)
{
    trial_slot slot = trial_image(format, width, height, NULL);
    slot.layers = t->slots[SRC].layers;
    return slot;
}

void table_outputs(trial *t, ag_pass *pass, const ag_tuning *tuning)
{
    static const char *const full[] = {"", "r32f", "rg32f", "rgba32f", "rgba32f"};
    static const char *const half[] = {"", "r16f", "rg16f", "rgba16f", "rgba16f"};
    static const char *const whole[] = {"", "r32ui", "rg32ui", "rgba32ui", "rgba32ui"};
    const ag_sat_settings *s = t->settings;
    int more = s->edge == AG_SAT_EXCLUSIVE, n = format_named(t->slots[SRC].format)->channels;
    int w = t->slots[SRC].width, h = t->slots[SRC].height;
    const char *format = (s->storage == AG_SAT_UINT32 ? whole : full)[n];
    for (int i = DST; i <= (s->square ? SQUARES : DST); i += SQUARES - DST) {
        if (!t->slots[i].own && !t->slots[i].format)
            t->slots[i] = output(t, format, w + more, h + more);
        if (s->storage == AG_SAT_FLOAT32_RESIDUAL)
            t->slots[i + 1] = output(t, half[n], w + more, h + more);
        if (s->storage == AG_SAT_DOUBLE_FLOAT)
            t->slots[i + 1] = output(t, full[n], w + more, h + more);
        if (s->storage == AG_SAT_SPLIT)
            t->slots[i + 1] =
                output(t, full[n], ag_sat_split_width(w, h), ag_sat_split_height(w, h));
    }
    if (s->offset == AG_SAT_OFFSET_MEAN)
        t->slots[MEAN] = output(t, full[n], 1, 1);
    t->limit = t->limit > 0 ? t->limit : allowed(t);
    t->left_out = t->slots[LOW].format ? 1 : n == 3 ? 0.25 : 0;
    t->pass = pass;
    t->tuning = tuning;
}

bool table_check(trial *t, ag_pass *pass, const ag_tuning *tuning)
{
    table_outputs(t, pass, tuning);
    bool good = trial_check(t);
    trial_free(t);
    return good;
}
