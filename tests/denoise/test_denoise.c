// test_denoise.c - "denoise" against its definition (reference/denoise_ref.h)
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atrous_ref.h"
#include "shaders/denoise/interface.h"

// ---- images -------------------------------------------------------------------------------------

static double scene_at(int x, int y, int c)
{
    double v = 0.35 + 0.15 * sin(x / 37.0 + c) * cos(y / 29.0); // a gradient
    if ((x / 48 + y / 40) % 3 == 0)
        v += 0.3; // edges
    if (hypot(x % 128 - 64, y % 128 - 64) < 25)
        v = 0.8 - 0.15 * c;
    if ((x / 96) % 2 && (y / 96) % 2)
        v += 0.06 * sin(x * 0.9 + y * 0.5) * (c == 1 ? 1 : 0.6); // texture
    if (abs(x - y) % 150 < 2)
        v -= 0.25; // a thin line
    if ((x * 7 + y * 13) % 997 == 5)
        v = 1; // stars
    return v;
}

double *denoise_scene(int width, int height, int channels, int x, int y)
{
    double *values = check_doubles((size_t)width * (size_t)height * (size_t)channels);
    for (int i = 0; i < width * height * channels; ++i) {
        int texel = i / channels, c = i % channels;
        values[i] = c == 3 ? 0.5 : scene_at(texel % width + x, texel / width + y, c);
    }
    return values;
}

double *denoise_noisy(rng *r, int width, int height, int channels, int x, int y, double sigma)
{
    double *values = denoise_scene(width, height, channels, x, y);
    for (int i = 0; i < width * height * channels; ++i)
        values[i] += channels < 4 || i % 4 < 3 ? sigma * rng_normal(r) : 0;
    return values;
}

// ---- a case and its exact result ----------------------------------------------------------------

typedef enum shot_kind {
    NOISE,
    NO_STRENGTH, // as the next two, dst has the bits of src
    NO_AMOUNT,
    ONE_COLOUR,
    BAD,        // some texels are not finite: they count as 0
    UNSCRUBBED, // one is not, and reaches no farther than its blocks
    FIREFLIES,
    ESTIMATED, // sigma
    PLACED,    // a rectangle, which is an image of its own
    MUTABLE,   // again of a texture of glTexImage, which an image unit reads
    FIRST      // of an array of one layer, with a history, which says nothing yet
} shot_kind;

typedef struct shot { // a case; what is 0 is the first of its kind
    const char *format;
    int width, height, filter, rule, threshold, levels, space, wavelet;
    shot_kind kind;
    unsigned guides; // bits: albedo, normal, depth
    int layers;
} shot;

trial denoise_of(fixture *f, const char *name, const char *format, int width, int height,
                 const double *values, ag_denoise_settings *s)
{
    trial t = trial_of(f, "denoise", name, s, sizeof *s);
    s->levels = 3;
    s->threshold = AG_DENOISE_SOFT;
    s->rule = AG_DENOISE_GIVEN;
    s->sigma = 0.1f;
    t.slots[SRC] = trial_image(format, width, height, values);
    t.slots[DST] = trial_image(format, width, height, NULL);
    return t;
}

const double *denoise_next(trial *t, double *values)
{
    trial_make(t);
    texture_upload(t->f, &t->textures[SRC], 0, values);
    free(values);
    trial_run(t);
    return t->got[DST];
}

// How much the inverse of y multiplies an error of y at x.
static double slope(const ag_denoise_settings *s, double x)
{
    double gain = (double)s->gain;
    return s->space == AG_DENOISE_LOG        ? log(2) * (fabs(x) + gain)
           : s->space == AG_DENOISE_ANSCOMBE ? gain / 2 * denoise_ref_to_space(s, x)
                                             : 1;
}

// Of texels that a bad one may reach without scrub nothing is expected.
static void leave_open(const trial *t, const trial_part *p, const double *in, double *want)
{
    const ag_denoise_settings *s = t->settings;
    int w = p->width, n = p->channels, far = 1 << s->levels;
    for (int bad = 0; bad < w * p->height * n; ++bad)
        for (int i = 0; i < w * p->height * n && !isfinite(in[bad]); ++i)
            if (abs(i / n % w - bad / n % w) < far && abs(i / n / w - bad / n / w) < far)
                want[i] = TRIAL_ANY;
}

// As denoise.h states the error. `slack`: what hard thresholds may decide otherwise.
static void bound_shrinks(const trial *t, const denoise_ref_image *image, const double *slack,
                          const double *want, double *bound)
{
    const ag_denoise_settings *s = t->settings;
    int n = image->channels, count = image->width * image->height * n;
    double limit = t->limit, largest = 1e-30;
    for (int i = 0; i < count; ++i)
        if (n < 4 || i % n < 3)
            largest = fmax(largest, fabs(denoise_ref_to_space(s, image->values[i])));
    for (int i = 0; i < count; ++i) {
        double steep = fmax(slope(s, want[i]), slope(s, image->values[i]));
        bound[i] = (limit * largest + slack[i / n]) * steep + 2e-7 * fabs(want[i]);
        if (n == 4 && i % 4 == 3)
            bound[i] = 0;
    }
}

static void filter_atrous(const trial *t, const trial_part *p, const denoise_ref_image *image,
                          const double sigma[3], double *want)
{
    ag_denoise_settings s = *(const ag_denoise_settings *)t->settings;
    double *guides[3] = {NULL};
    for (int k = 0; k < 3; ++k)
        if (t->textures[ALBEDO + k].name)
            guides[k] = trial_input(t, ALBEDO + k, p->layer);
    const atrous_ref_guides given = {guides[0], guides[1], guides[2]};
    if (!(s.sigma > 0)) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += sigma[k] * sigma[k] / 3;
        s.sigma = (float)sqrt(sum);
    }
    atrous_ref(image, &given, &s, want);
    for (int k = 0; k < 3; ++k)
        free(guides[k]);
}

// Layers count together: as the rows of one image, whose layers are whole blocks.
static bool denoised(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_denoise_settings *s = t->settings;
    ag_denoise_settings first = *s; // F^-0.5 (F / n)^0.42, n = 1: denoise.h
    const shot *c = t->user;
    if (c->kind == FIRST && s->filter == AG_DENOISE_TI_HAAR)
        first.strength *= powf(s->frames, -0.08f);
    int layers = t->views[SRC].layers;
    size_t texels = (size_t)(p->width * p->height), count = texels * (size_t)p->channels;
    if (p->slot != DST)
        return false;
    double *all = check_doubles(count * (size_t)layers), *slack = check_doubles(texels);
    for (int i = 0; i < layers; ++i) {
        double *layer = trial_input(t, SRC, i);
        memcpy(all + (size_t)i * count, layer, count * sizeof *all);
        free(layer);
    }
    values_scrub(all, texels * (size_t)layers, p->channels);
    denoise_ref_image image = {all, p->width, p->height * layers, p->channels, 0};
    denoise_ref_statistics statistics;
    denoise_ref_count(&image, s, &statistics);
    image.values += (size_t)p->layer * count;
    image.height = p->height;
    if (s->filter == AG_DENOISE_ATROUS) {
        filter_atrous(t, p, &image, statistics.total, want);
    } else {
        denoise_ref(&image, &first, &statistics, t->limit, want, slack);
        bound_shrinks(t, &image, slack, want, bound);
    }
    bool same = c->kind == NO_STRENGTH || c->kind == NO_AMOUNT || c->kind == ONE_COLOUR;
    for (size_t i = 0; i < count && same; ++i) {
        want[i] = image.values[i];
        bound[i] = 0;
    }
    if (c->kind == UNSCRUBBED)
        leave_open(t, p, t->held[SRC], want);
    free(all);
    free(slack);
    return true;
}

// Noise as the space expects it, with values up to 1000 where errors are relative; and what is
// special about this case.
static double *values_of(rng *r, const shot *c, int width, int height, double *sigma)
{
    int n = format_named(c->format)->channels, x = rng_int(r, 0, 999);
    double *values = denoise_noisy(r, width, height, n, x, 0, 0.1);
    bool bright = c->space && c->filter < AG_DENOISE_ATROUS;
    *sigma = c->space == AG_DENOISE_ANSCOMBE ? 2 : c->space == AG_DENOISE_LOG ? 0.3 : 0.1;
    for (int i = 0; i < width * height * n; ++i) {
        if (bright && i / n % width > 40 && (n < 4 || i % 4 < 3))
            values[i] *= 1000;
        if (c->space == AG_DENOISE_ANSCOMBE) // below -2 all are the same in that scale
            values[i] = fmax(values[i], -1);
        if (c->kind == ONE_COLOUR)
            values[i] = values[i % n];
        if (c->kind == FIREFLIES)
            values[i] *= rng_int(r, 0, 19) ? 1 : 20;
        if (c->kind == ESTIMATED && i / n % width < width / 3)
            values[i] = 0.25; // flat parts say nothing about noise
    }
    for (int i = 0; i < 9 && c->kind == BAD; ++i) {
        int texel = rng_int(r, 0, width * height / 9 - 1) * 9 + i;
        values[texel * n + i % n] = i % 3 ? i % 3 * (double)INFINITY - 1 : (double)NAN;
    }
    if (c->kind == UNSCRUBBED)
        values[(height / 2 * width + width / 2) * n] = (double)NAN;
    return values;
}

static void set(const shot *c, rng *r, double sigma, trial *t, ag_denoise_settings *s)
{
    bool atrous = c->filter == AG_DENOISE_ATROUS;
    s->filter = c->filter;
    s->rule = c->rule;
    s->threshold = c->threshold;
    s->levels = c->levels;
    s->space = c->space;
    s->wavelet = c->wavelet;
    s->sigma = c->kind == ESTIMATED ? 0 : (float)sigma;
    s->gain = 0.05f;
    s->offset = 0.1f;
    s->strength = c->kind == NO_STRENGTH ? 0 : (float)rng_uniform(r, 0.5, 1.7);
    s->chroma = (float)rng_uniform(r, 0.6, 1.2);
    s->amount = c->kind == NO_AMOUNT ? 0 : (float)rng_uniform(r, 0.7, 1);
    s->firefly = c->kind == FIREFLIES ? (float)rng_uniform(r, 1, 2) : 0;
    s->scrub = c->kind != UNSCRUBBED;
    // An energy that is nearly half a step may be rounded the other way.
    t->limit = c->rule == AG_DENOISE_BAYES || c->space ? 1e-5 : 1e-6;
    if (c->filter == AG_DENOISE_DWT)
        t->limit = fmax(t->limit, 2e-6);
    t->limit = atrous ? 0 : t->limit;
    // Seen: 4.6e-6 on an H100. Halves between levels: half a unit of 2^-11 each.
    bool halves = format_named(c->format)->bits[0] < 32 && c->space != AG_DENOISE_LOG;
    t->relative = !atrous ? 0 : halves ? 3e-3 : 8e-6;
    if (atrous && halves && c->space == AG_DENOISE_ANSCOMBE) // of its squares
        t->relative = 1e-2;
    // A NaN reaches its block, in an image of 20 texels a side a fifth of it.
    t->left_out = c->kind == UNSCRUBBED ? 0.2 : 0;
    t->job.dt = 0.1f;
}

// A copy of a texture's first level as glTexImage makes them.
static GLuint mutable_copy(fixture *f, const texture *t)
{
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)t->format->internal, t->width, t->height, 0,
                     t->format->base, t->format->type, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    f->gl.CopyImageSubData(t->name, GL_TEXTURE_2D, 0, 0, 0, 0, name, GL_TEXTURE_2D, 0, 0, 0, 0,
                           t->width, t->height, 1);
    return name;
}

static bool check_mutable(trial *t)
{
    GLuint name = mutable_copy(t->f, &t->textures[SRC]);
    t->views[SRC].name = name;
    t->name = "    by an image unit";
    bool good = trial_check(t);
    t->f->ag->forget(t->f->device, name);
    t->f->gl.DeleteTextures(1, &name);
    return good;
}

// Against the reference, and again: the same bits.
static bool check_shot(fixture *f, rng *r, const shot *c)
{
    static const char *const names[] = {"noise",      "no strength", "no amount",  "one colour",
                                        "bad texels", "unscrubbed",  "fireflies",  "estimated",
                                        "placed",     "mutable",     "first frame"};
    int more = c->kind == PLACED ? 16 : 0, w = c->width + more, h = c->height + more;
    double sigma, *values = values_of(r, c, w, h * (c->layers ? c->layers : 1), &sigma);
    double *guides[3] = {NULL};
    ag_denoise_settings s;
    trial t = denoise_of(f, names[c->kind], c->format, w, h, values, &s);
    set(c, r, sigma, &t, &s);
    t.reference = denoised;
    t.user = (void *)(uintptr_t)c;
    for (int k = 0; k < 3; ++k)
        if (c->guides >> k & 1) {
            guides[k] = denoise_guide(r, k, w, h);
            t.slots[ALBEDO + k] = trial_image(denoise_guide_formats[k], w, h, guides[k]);
        }
    if (c->kind == FIRST)
        t.slots[HISTORY] =
            trial_image(format_named(c->format)->bits[0] < 32 ? "rgba16f" : "rgba32f", w, h, NULL);
    for (int i = 0; i < (int)t.info->slot_count; ++i) {
        t.slots[i].layers = t.slots[i].format && i <= DST ? c->layers : 0;
        t.slots[i].x = more ? 3 + i : 0;
        t.slots[i].y = more ? 9 - i : 0;
        t.slots[i].w = more ? c->width : 0;
        t.slots[i].h = more ? c->height : 0;
    }
    uint64_t before = c->kind == BAD ? fixture_scrubbed(f) : 0;
    bool good = trial_check(&t);
    if (c->kind == BAD)
        CHECK_EQ(fixture_scrubbed(f) - before, 9);
    size_t bytes = texture_value_count(&t.textures[DST], 0) * sizeof *values;
    double *first = t.got[DST];
    t.got[DST] = NULL;
    if (c->kind != FIRST && c->kind != UNSCRUBBED) { // a mean; NaN
        trial_run(&t);
        if (memcmp(first, t.got[DST], bytes) != 0)
            good = check_case("    again: other bits", false);
    }
    if (c->kind == MUTABLE)
        good = check_mutable(&t) && good;
    trial_free(&t);
    free(first);
    free(values);
    for (int k = 0; k < 3; ++k)
        free(guides[k]);
    return good;
}

// Each filter, threshold, rule and space once, and what is special: in every tier.
static void test_each(void **state)
{
    enum { TI, HAAR, ATROUS, DWT };
    enum { BAYES, RULE_NOISE, VISU, GIVEN };
    enum { SOFT, HARD, GARROTE, FIRM };
    static const shot shots[] = {
        {"rgba32f", 67, 45, TI, GIVEN, GARROTE, 3, 0, .kind = NOISE},
        {"rgba32f", 67, 45, TI, RULE_NOISE, FIRM, 3, AG_DENOISE_LOG, .kind = NOISE},
        {"rgba32f", 37, 23, TI, GIVEN, SOFT, 4, 0, .kind = NOISE},
        {"rgba32f", 8, 9, TI, BAYES, SOFT, 5, 0, .kind = NOISE},
        {"r32f", 67, 45, HAAR, GIVEN, FIRM, 3, 0,
         .kind = NOISE}, // no other threshold depends on the sign
        {"r32f", 67, 45, HAAR, GIVEN, HARD, 3, 0, .kind = PLACED},
        {"r32f", 67, 45, HAAR, BAYES, SOFT, 6, AG_DENOISE_ANSCOMBE, .kind = BAD},
        {"r32f", 64, 56, HAAR, BAYES, SOFT, 3, 0, .layers = 3},
        {"r32f", 67, 45, HAAR, GIVEN, SOFT, 3, 0, .kind = ESTIMATED},
        {"r32f", 67, 45, HAAR, GIVEN, SOFT, 3, 0, .kind = UNSCRUBBED},
        {"rgba8", 41, 37, HAAR, GIVEN, FIRM, 3, 0, .kind = NOISE},
        {"r8", 41, 37, TI, GIVEN, FIRM, 3, 0, .kind = NOISE},
        {"rgba16f", 41, 37, HAAR, GIVEN, SOFT, 3, 0, .kind = MUTABLE},
        {"rgba16f", 41, 37, HAAR, GIVEN, SOFT, 3, 0, .kind = FIRST, .layers = 1},
        {"rgba32f", 41, 37, TI, GIVEN, SOFT, 3, 0, .kind = FIRST, .layers = 1},
        {"rgba32f", 67, 45, TI, GIVEN, GARROTE, 3, 0, .kind = NO_STRENGTH},
        {"r32f", 70, 55, DWT, BAYES, SOFT, 2, 0, .wavelet = AG_WAVELET_CDF97, .kind = BAD},
        {"rgba32f", 61, 44, ATROUS, GIVEN, 0, 3, 0, .guides = 7},
        {"r32f", 61, 44, ATROUS, GIVEN, 0, 3, 0, .kind = FIREFLIES},
    };
    rng r = rng_start("each", 901);
    bool good = true;
    for (size_t i = 0; i < COUNT(shots); ++i)
        good = check_shot(*state, &r, &shots[i]) && good;
    CHECK(good);
}

// What goes together, and is not slow in the reference.
static shot random_shot(rng *r)
{
    static const char *const formats[] = {"r32f", "rg32f", "rgba32f"};
    shot c = {formats[rng_int(r, 0, 2)], rng_int(r, 20, 93), rng_int(r, 20, 71),
              .filter = rng_int(r, 0, 3)};
    c.rule = rng_int(r, 0, 3);
    c.threshold = rng_int(r, 0, 3);
    c.levels = rng_int(r, 1, 6);
    c.space = rng_int(r, 0, 3) ? AG_DENOISE_LINEAR : rng_int(r, 0, 2);
    c.wavelet = rng_int(r, 0, AG_WAVELET_CDF97);
    c.kind = rng_int(r, 0, FIRST);
    if (rng_int(r, 0, 3) == 0) {
        c.width = (int)rng_hdr(r, 1, 60);
        c.height = (int)rng_hdr(r, 1, 60);
    }
    if (rng_int(r, 0, 2) == 0)
        c.format = format_at(rng_int(r, 0, FORMAT_COUNT - 1))->name;
    const format_info *format = format_named(c.format);
    if (c.filter == AG_DENOISE_TI_HAAR && c.levels > 3) {
        c.width = 1 + c.width % 37;
        c.height = 1 + c.height % 23;
    }
    if (c.filter == AG_DENOISE_ATROUS) {
        c.guides = (unsigned)rng_int(r, 0, 7);
        c.threshold = AG_DENOISE_SOFT;
        c.rule = AG_DENOISE_GIVEN;
    }
    if (c.filter == AG_DENOISE_DWT) // a hard threshold decides by the last bit
        c.threshold = c.threshold == AG_DENOISE_HARD ? AG_DENOISE_SOFT : c.threshold;
    bool shrinks = c.filter < AG_DENOISE_ATROUS, floats = format->bits[0] == 32;
    bool viewed = format->kind == FORMAT_SRGB || format->channels == 3; // not taken without a view
    bool large = c.width > 19 && c.height > 19;
    if ((c.kind >= NO_STRENGTH && c.kind <= ONE_COLOUR && !shrinks) || (c.kind >= BAD && !large) ||
        ((c.kind == BAD || c.kind == UNSCRUBBED) && !floats) ||
        (c.kind == UNSCRUBBED && (!shrinks || c.levels > 3 || c.rule == AG_DENOISE_BAYES)) ||
        (c.kind == FIREFLIES && c.filter != AG_DENOISE_ATROUS) ||
        (c.kind == ESTIMATED && (c.rule != AG_DENOISE_GIVEN || !floats || c.guides ||
                                 c.threshold == AG_DENOISE_HARD || c.space)) ||
        (c.kind == MUTABLE && viewed) || (c.kind == FIRST && format->kind != FORMAT_FLOAT))
        c.kind = NOISE;
    if (c.kind == NOISE && rng_int(r, 0, 3) == 0 && !c.guides &&
        (shrinks || c.rule == AG_DENOISE_GIVEN) && c.rule != AG_DENOISE_VISU) {
        c.layers = 3;
        c.height = (c.height + 63) / 64 * 64;
        c.width = c.filter == AG_DENOISE_TI_HAAR && c.levels > 3 ? 3 : c.width;
    }
    c.layers = c.kind == FIRST ? 1 : c.layers;
    return c;
}

static void test_random(void **state)
{
    rng r = rng_start("random", 902);
    bool good = true;
    sweep *share = sweep_start("random", 300);
    for (int i = 0; i < 300; ++i) {
        shot c = random_shot(&r);
        if (sweep_takes(share))
            good = check_shot(*state, &r, &c) && good;
    }
    CHECK(good);
}

// ---- parts of larger images ---------------------------------------------------------------------

static double *part_of(const double *values, size_t channels, int width, int x, int y, int w, int h)
{
    double *part = check_doubles((size_t)(w * h) * channels);
    for (int row = 0; row < h; ++row)
        memcpy(part + (size_t)(row * w) * channels,
               values + ((size_t)(y + row) * (size_t)width + (size_t)x) * channels,
               (size_t)w * channels * sizeof *part);
    return part;
}

// A part of an image has the bits of an image of its own, away from where it was cut: wherever it
// lies, with more than three levels at multiples of 4 (no grid of tiles shows), and of tall tiles,
// which only images of many tiles get (64 and 128 rows; others have 32).
static void test_parts(void **state)
{
    enum {
        ACROSS = AG_DENOISE_TI_STRIP_GROUPS / 2, // so many tiles in two rows of tiles
        TALL = AG_DENOISE_TI_STRIP_ROWS + 2,
        MIDDLE = AG_DENOISE_TI_STRIP_ROWS / 2 + 2,
        PART = 400
    };
    static const struct {
        const char *format;
        int height, levels, threshold;
    } cases[] = {{"r32f", TALL, 3, 0},
                 {"rgba32f", MIDDLE, 3, 0},
                 {"rg32f", TALL, 2, 0},
                 {"r32f", MIDDLE, 1, 0},
                 {"r32f", 0, 3, 0},
                 {"rgba32f", 0, 4, 0},
                 {"rgba32f", 0, 3, AG_DENOISE_FIRM},
                 {"r32f", 0, 4, AG_DENOISE_HARD}};
    rng r = rng_start("parts", 910);
    bool good = true;
    sweep *share = sweep_start("parts", 4);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        bool tall = cases[i].height > 0;
        int halo = (1 << cases[i].levels) - 1, margin = tall ? 8 : 32;
        int width = tall ? ACROSS * (AG_DENOISE_TI_STRIP_COLUMNS - 2 * halo) : 136;
        int height = tall ? cases[i].height : 116, w = tall ? PART : 120, h = tall ? height : 100;
        int x = rng_int(&r, 1, width - w), y = tall ? 0 : rng_int(&r, 1, height - h);
        if (cases[i].levels > 3) { // shifts of coarse levels are multiples of 4
            x -= x % 4;
            y -= y % 4;
        }
        size_t n = (size_t)format_named(cases[i].format)->channels;
        double *values = check_doubles((size_t)(width * height) * n), *got[2];
        for (size_t k = 0; k < (size_t)(width * height) * n; ++k)
            values[k] = 0.5 + 0.1 * rng_normal(&r);
        double *part = part_of(values, n, width, x, y, w, h);
        for (int alone = 0; alone < 2; ++alone) {
            ag_denoise_settings s;
            trial t = denoise_of(*state, "a part", cases[i].format, alone ? w : width,
                                 alone ? h : height, alone ? part : values, &s);
            s.levels = cases[i].levels;
            s.threshold = cases[i].threshold;
            got[alone] = trial_take(&t, DST);
        }
        double *whole = part_of(got[0], n, width, x, y, w, h);
        int differ = 0, edge = tall ? 0 : margin;
        for (int k = 0; k < w * h; ++k)
            if (k % w >= margin && k % w < w - margin && k / w >= edge && k / w < h - edge)
                differ +=
                    memcmp(whole + (size_t)k * n, got[1] + (size_t)k * n, n * sizeof *whole) != 0;
        char name[96];
        snprintf(name, sizeof name, "%dx%d, %d levels, threshold %d, %s: texels that differ", width,
                 height, cases[i].levels, cases[i].threshold, cases[i].format);
        good = check_limit(name, differ, 0) && good;
        free(got[0]);
        free(got[1]);
        free(whole);
        free(part);
        free(values);
    }
    CHECK(good);
}

// ---- refusals -----------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    static const struct {
        int slot, width; // beside src and dst, of 40 x 30
        int filter, rule, levels;
        ag_status status;
        const char *word;
    } cases[] = {
        {DST, 39, AG_DENOISE_HAAR, AG_DENOISE_GIVEN, 3, AG_E_SIZE,
         "dst's rectangle is 39x30, src's 40x30"},
        {AG_DENOISE_DEPTH, 41, AG_DENOISE_ATROUS, AG_DENOISE_GIVEN, 3, AG_E_SIZE,
         "depth's rectangle is 41x30"},
        {AG_DENOISE_DEPTH, 40, AG_DENOISE_HAAR, AG_DENOISE_GIVEN, 3, AG_E_ARG,
         "slot depth is given, but only filter = atrous or a history reads it"},
        {MOTION, 40, AG_DENOISE_HAAR, AG_DENOISE_GIVEN, 3, AG_E_ARG,
         "slot motion is given, but slot history is empty"},
    };
    fixture *f = *state;
    ag_denoise_settings s;
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        trial t = denoise_of(f, "refused", "rgba16f", 40, 30, NULL, &s);
        t.slots[cases[i].slot] = trial_image("rgba16f", cases[i].width, 30, NULL);
        if (cases[i].slot == AG_DENOISE_DEPTH)
            t.slots[AG_DENOISE_DEPTH].format = "r32f";
        s.filter = cases[i].filter;
        s.rule = cases[i].rule;
        s.levels = cases[i].levels;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    trial t = denoise_of(f, "too many texels", NULL, 0, 0, NULL, &s);
    trial_make(&t);
    for (int i = SRC; i <= DST; ++i)
        t.views[i] = (ag_texture){.struct_size = sizeof t.views[i],
                                  .target = GL_TEXTURE_2D_ARRAY,
                                  .format = GL_RGBA16F,
                                  .width = 65536,
                                  .height = 32768,
                                  .layers = 2};
    const ag_plan *plan = NULL;
    s.sigma = 0;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_SIZE);
    CHECK_HAS(host_log_last(&f->host), "the limit is 2147483648");
    t.views[SRC].layers = t.views[DST].layers = 1;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
    // counts of a group in 32 bits, and groups as a float
    CHECK((uint64_t)64 * 4096 * 32 * 32 < UINT32_MAX);
    CHECK((double)plan->steps[1].groups[0] * plan->steps[1].groups[1] < ldexp(1, 24));
    trial_free(&t);
    host_log_clear(&f->host);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_each),
        FIXTURE_SWEEP(test_random),
        FIXTURE_SWEEP(test_parts),
        FIXTURE_SWEEP(test_sigma),
        FIXTURE_TEST(test_frames),
        FIXTURE_TEST(test_large_frames),
        FIXTURE_SWEEP(test_firefly),
        FIXTURE_SWEEP(test_quality),
        FIXTURE_SWEEP(test_estimate),
        FIXTURE_TEST(test_clean),
        FIXTURE_TEST(test_mottle),
        FIXTURE_SWEEP(test_history_mean),
        FIXTURE_SWEEP(test_history_gain),
        FIXTURE_TEST(test_history_uncovered),
        FIXTURE_SWEEP(test_history_ghost),
        FIXTURE_TEST(test_history_states),
        FIXTURE_SWEEP(test_history_sharpness),
        FIXTURE_TEST(test_history_rounding),
        FIXTURE_TEST(test_history_sparse),
        FIXTURE_SWEEP(test_blocks),
        FIXTURE_TEST(test_blocks_bits),
        FIXTURE_SWEEP(test_blocks_quality),
        FIXTURE_FULL(test_atrous_quality),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
