// denoise_blocks.c - the filter "blocks" of "denoise" against its definition (blocks_ref.h)
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks_ref.h"
#include "core/tuning.h"

typedef struct blocks_case {
    const char *name, *format;
    int width, height, levels, space, layers;
    bool bad;    // some texels are not finite: they count as 0
    bool placed; // a rectangle, which is an image of its own
    bool lanes;  // exchanges registers, emulated if the driver cannot
} blocks_case;

// ---- steps against the reference ---------------------------------------------------------------

// How much the inverse of y multiplies an error of y at x.
static double slope(const ag_denoise_settings *s, double x)
{
    double gain = (double)s->gain;
    return s->space == AG_DENOISE_LOG        ? log(2) * (fabs(x) + gain)
           : s->space == AG_DENOISE_ANSCOMBE ? gain / 2 * denoise_ref_to_space(s, x)
                                             : 1;
}

// t->user: NULL, or of each layer what the first step made of it.
static bool filtered(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_denoise_settings *s = t->settings;
    size_t texels = (size_t)(p->width * p->height), count = texels * (size_t)p->channels;
    if (p->slot != DST)
        return false;
    double *values = trial_input(t, SRC, p->layer), *estimates = t->user;
    values_scrub(values, texels, p->channels);
    const denoise_ref_image image = {
        .values = values, .width = p->width, .height = p->height, .channels = p->channels};
    blocks_ref(&image, estimates ? estimates + (size_t)p->layer * count : NULL, s, want, bound);
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(bound[i]))
            want[i] = TRIAL_ANY;
        bound[i] = bound[i] * fmax(slope(s, want[i]), slope(s, values[i])) * (double)s->amount +
                   2e-7 * fabs(values[i]);
    }
    free(values);
    return true;
}

// Noise whose brightness is near no tie, as the format holds it.
static double *untied(rng *r, const blocks_case *c, int width, int height,
                      const ag_denoise_settings *s)
{
    int n = format_named(c->format)->channels;
    double *values = denoise_noisy(r, width, height, n, rng_int(r, 0, 999), 0, (double)s->sigma);
    for (int i = 0; i < width * height; ++i) {
        double *texel = values + i * n;
        const denoise_ref_image one = {.values = texel, .width = 1, .height = 1, .channels = n};
        if (s->space == AG_DENOISE_ANSCOMBE)
            for (int k = 0; k < n; ++k)
                texel[k] = fmax(texel[k], 0);
        texture_quantise(c->format, texel, 1);
        for (int tries = 0; tries < 50 && blocks_ref_ties(&one, s, 0, 1e-3); ++tries) {
            texel[0] += 0.013;
            texture_quantise(c->format, texel, 1);
        }
    }
    for (int i = 0; i < 5 && c->bad; ++i)
        values[(rng_int(r, 0, width * height / 5 - 1) * 5 + i) * n + i % n] =
            i % 3 ? i % 3 * (double)INFINITY - 1 : (double)NAN;
    return values;
}

static trial blocks_of(fixture *f, const blocks_case *c, const double *values,
                       ag_denoise_settings *s)
{
    int more = c->placed ? 16 : 0;
    ag_denoise_settings chosen = *s;
    trial t = denoise_of(f, c->name, c->format, c->width + more, c->height + more, values, s);
    *s = chosen;
    for (int i = SRC; i <= DST; ++i) {
        t.slots[i].layers = c->layers;
        if (c->placed) {
            t.slots[i].x = 3 + i;
            t.slots[i].y = 9 - i;
            t.slots[i].w = c->width;
            t.slots[i].h = c->height;
        }
    }
    static const ag_tuning lanes = {.emulate = true}, none = {.without = AG_WITHOUT_SUBGROUPS};
    t.tuning = c->lanes ? &lanes : &none;
    t.reference = filtered;
    return t;
}

// What the first step makes of it, in floats.
static double *first_estimate(fixture *f, const blocks_case *c, const double *values,
                              const ag_denoise_settings *s)
{
    static const char *const floats[] = {"r32f", "rg32f", "rgba32f", "rgba32f"};
    ag_denoise_settings first = *s;
    first.levels = 1;
    first.amount = 1;
    trial t = blocks_of(f, c, values, &first);
    t.slots[DST].format = floats[format_named(c->format)->channels - 1];
    return trial_take(&t, DST);
}

static bool has_ties(const blocks_case *c, const double *estimates, const ag_denoise_settings *s)
{
    const denoise_ref_image image = {.values = estimates,
                                     .width = c->width,
                                     .height = c->height,
                                     .channels = format_named(c->format)->channels};
    for (int i = 0; i < c->width * c->height; ++i)
        if (blocks_ref_ties(&image, s, i, 1e-6))
            return true;
    return false;
}

// Each step against the reference, which takes the first estimate as the GPU made it; twice, with
// the same bits.
static bool check_blocks(fixture *f, rng *r, const blocks_case *c)
{
    ag_denoise_settings s;
    trial any = denoise_of(f, "defaults", c->format, 1, 1, NULL, &s);
    trial_free(&any);
    s.filter = AG_DENOISE_BLOCKS;
    s.levels = c->levels;
    s.space = c->space;
    s.sigma = c->space == AG_DENOISE_LOG ? 0.3f : c->space == AG_DENOISE_ANSCOMBE ? 1 : 0.1f;
    s.gain = 0.05f;
    s.offset = 0.1f;
    s.strength = (float)rng_uniform(r, 0.8, 1.2);
    s.chroma = (float)rng_uniform(r, 0.8, 1.2);
    s.amount = (float)rng_uniform(r, 0.7, 1);
    int more = c->placed ? 16 : 0, layers = c->layers ? c->layers : 1;
    double *values = untied(r, c, c->width + more, (c->height + more) * layers, &s);
    double *estimates = c->levels > 1 ? first_estimate(f, c, values, &s) : NULL;
    for (int tries = 0; tries < 50 && estimates && has_ties(c, estimates, &s); ++tries) {
        free(values);
        free(estimates);
        values = untied(r, c, c->width, c->height, &s);
        estimates = first_estimate(f, c, values, &s);
    }
    trial t = blocks_of(f, c, values, &s);
    t.user = estimates;
    uint64_t before = c->bad ? fixture_scrubbed(f) : 0;
    bool good = trial_check(&t);
    if (c->bad)
        CHECK_EQ(fixture_scrubbed(f) - before, 5);
    size_t bytes = texture_value_count(&t.textures[DST], 0) * sizeof *values;
    double *first = t.got[DST];
    t.got[DST] = NULL;
    trial_run(&t);
    if (memcmp(first, t.got[DST], bytes) != 0)
        good = check_case("    again: other bits", false);
    trial_free(&t);
    free(first);
    free(estimates);
    free(values);
    return good;
}

void test_blocks(void **state)
{
    static const blocks_case cases[] = {
        {"hard", "r32f", 45, 37, .levels = 1},
        {"two steps", "r32f", 45, 37, .levels = 2},
        {"two steps of colours", "rgba32f", 34, 27, .levels = 2},
        {"two channels", "rg32f", 22, 40, .levels = 2},
        {"halves", "rgba16f", 33, 18, .levels = 2},
        {"bytes", "rgba8", 33, 18, .levels = 1},
        {"a logarithm", "r32f", 30, 21, .levels = 1, .space = AG_DENOISE_LOG},
        {"photons", "r32f", 30, 21, .levels = 1, .space = AG_DENOISE_ANSCOMBE},
        {"one column", "r32f", 1, 33, .levels = 2},
        {"one row", "rgba32f", 40, 1, .levels = 2},
        {"one texel", "r32f", 1, 1, .levels = 2},
        {"bad texels", "r32f", 45, 37, .levels = 1, .bad = true},
        {"a rectangle", "rgba32f", 34, 27, .levels = 1, .placed = true},
        {"by lanes", "r32f", 45, 37, .levels = 2, .lanes = true},
        {"layers", "r32f", 30, 20, .levels = 1, .layers = 3},
    };
    rng r = rng_start("blocks", 951);
    bool good = true;
    sweep *share = sweep_start("blocks", 15);
    for (size_t i = 0; i < COUNT(cases); ++i)
        if (sweep_takes(share))
            good = check_blocks(*state, &r, &cases[i]) && good;
    CHECK(good);
}

// ---- bits that stay ----------------------------------------------------------------------------

// Where nothing is removed dst has the bits of src; a NaN that is not scrubbed stays alone.
void test_blocks_bits(void **state)
{
    enum { W = 27, H = 22, VALUES = W * H * 4, AT = (10 * W + 13) * 4 };
    static const char *const names[] = {"no strength", "no amount", "one colour", "a NaN"};
    rng r = rng_start("bits of blocks", 952);
    bool good = true;
    for (int kind = 0; kind < 4; ++kind) {
        double *values = denoise_noisy(&r, W, H, 4, 0, 0, 0.1);
        for (int i = 0; i < VALUES; ++i) {
            if (kind == 2)
                values[i] = 0.001 * (i % 4 + 1);
            values[i] = (double)(float)values[i];
        }
        if (kind == 3)
            values[AT] = (double)NAN;
        ag_denoise_settings s;
        trial t = denoise_of(*state, names[kind], "rgba32f", W, H, values, &s);
        s.filter = AG_DENOISE_BLOCKS;
        s.strength = kind == 0 ? 0 : 1;
        s.amount = kind == 1 ? 0 : 1;
        s.scrub = kind != 3;
        double *got = trial_take(&t, DST);
        int differ = 0;
        for (int i = 0; i < VALUES; ++i)
            differ +=
                kind < 3 ? got[i] != values[i] : i != AT && i / 4 != AT / 4 && !isfinite(got[i]);
        good = check_limit(names[kind], differ, 0) && good;
        free(got);
        free(values);
    }
    CHECK(good);
}

// ---- beside BM3D -------------------------------------------------------------------------------

// A photograph (photos.py): 0..1, channels interleaved; width, height, channels. malloc.
static double *photo_of(int which, int32_t size[3])
{
    FILE *file = fopen(AG_DENOISE_PHOTOS, "rb");
    CHECK_F(file != NULL, "%s", AG_DENOISE_PHOTOS);
    double *values = NULL;
    for (int i = 0; i <= which; ++i) {
        CHECK(fread(size, sizeof *size, 3, file) == 3);
        size_t count = (size_t)(size[0] * size[1] * size[2]);
        unsigned char *bytes = malloc(count);
        CHECK(bytes && fread(bytes, 1, count, file) == count);
        free(values);
        values = check_doubles(count);
        for (size_t k = 0; k < count; ++k)
            values[k] = bytes[k] / 255.0;
        free(bytes);
    }
    fclose(file);
    return values;
}

// Within 0.5 dB of BM3D, whose figures are PyPI's bm3d 4.0.3, of other noise of the same sigma.
// Whole photographs, without BM3D: blocks.py.
void test_blocks_quality(void **state)
{
    static const struct {
        const char *name;
        int which;
        double sigma, bm3d;
    } cases[] = {
        {"camera", 2, 0.1, 30.31},     {"camera", 2, 0.05, 33.04}, {"astronaut", 0, 0.1, 30.72},
        {"astronaut", 0, 0.05, 34.47}, {"coffee", 1, 0.1, 30.84},  {"coffee", 1, 0.05, 34.27},
    };
    rng r = rng_start("blocks beside BM3D", 953);
    bool good = true;
    sweep *share = sweep_start("blocks beside BM3D", 6);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        int32_t size[3];
        double *clean = photo_of(cases[i].which, size);
        // A texture has one channel or four.
        size_t n = (size_t)size[2], held = n == 1 ? 1 : 4;
        size_t texels = (size_t)(size[0] * size[1]), count = texels * n;
        double *noisy = check_doubles(texels * held), *colours = check_doubles(count);
        for (size_t k = 0; k < texels * held; ++k)
            noisy[k] = 1;
        for (size_t k = 0; k < count; ++k)
            noisy[k / n * held + k % n] = clean[k] + cases[i].sigma * rng_normal(&r);
        ag_denoise_settings s;
        trial t = denoise_of(*state, cases[i].name, n == 1 ? "r32f" : "rgba32f", size[0], size[1],
                             noisy, &s);
        s.filter = AG_DENOISE_BLOCKS;
        s.sigma = (float)cases[i].sigma;
        double *got = trial_take(&t, DST);
        for (size_t k = 0; k < count; ++k)
            colours[k] = got[k / n * held + k % n];
        double result = check_psnr(colours, clean, count, 1);
        char name[96];
        snprintf(name, sizeof name, "%s, sigma %.2f: %.2f dB, BM3D %.2f: lacks", cases[i].name,
                 cases[i].sigma, result, cases[i].bm3d);
        good = check_limit(name, cases[i].bm3d - result, 0.5) && good;
        free(got);
        free(colours);
        free(noisy);
        free(clean);
    }
    CHECK(good);
}
