// test_downsample.c - every filter, method and format against double precision, at sizes of every
// kind
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "down_ref.h"

// ---- a case and its exact result ---------------------------------------------------------------

static int scale_method(int method, int width, int height, int w, int h)
{
    bool far = width > 64 * w || height > 64 * h;
    return method == AG_DOWN_TILE && far ? AG_DOWN_AUTO : method;
}

// As downsample.h states it.
static double bound_of(const trial *t, const format_info *info, int channel, double magnitude)
{
    const ag_downsample_settings *s = t->settings;
    if (info->kind == FORMAT_FLOAT)
        return 8 * ldexp(1, -24) * magnitude;
    bool plain = s->filter == AG_DOWN_AREA && s->weight == AG_DOWN_WEIGHT_NONE;
    bool exact = plain && info->kind == FORMAT_UNORM && info == t->textures[SRC].format;
    // Of the value 1; of a unit where sums of codes are exact.
    return ldexp(1, -14) * (exact ? format_unit(info, channel, 0.5) : 1);
}

static bool scaled(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_downsample_settings *s = t->settings;
    const ag_texture *v = &t->views[SRC];
    int n = trial_channels(t, SRC);
    down_ref ref = {v->rect_width ? v->rect_width : v->width,
                    v->rect_height ? v->rect_height : v->height,
                    n,
                    p->width,
                    p->height,
                    s->filter,
                    s->weight,
                    s->radius};
    size_t texels = (size_t)(p->width * p->height), count = texels * (size_t)n;
    double *src = trial_input(t, SRC, p->layer), *exact = check_doubles(count);
    double *magnitude = check_doubles(count);
    values_scrub(src, (size_t)(ref.width * ref.height), n);
    // Equal sizes are a copy, to the bit.
    bool copy = ref.width == p->width && ref.height == p->height && !s->weight &&
                t->textures[SRC].format == t->textures[p->slot].format;
    down_ref_make(&ref, src, exact, magnitude);
    for (size_t i = 0; i < texels * (size_t)p->channels; ++i) {
        int channel = (int)(i % (size_t)p->channels);
        size_t at = i / (size_t)p->channels * (size_t)n + (size_t)channel;
        want[i] = channel >= n ? want[i] : copy ? src[at] : exact[at];
        bound[i] = copy ? 0
                        : bound_of(t, t->textures[p->slot].format, channel,
                                   channel < n ? magnitude[at] : 1);
    }
    free(src);
    free(exact);
    free(magnitude);
    return true;
}

trial scale_of(fixture *f, ag_pass *pass, const scale *c, const double *values,
               ag_downsample_settings *s)
{
    trial t = trial_of(f, "downsample", "noise", s, sizeof *s);
    t.pass = pass;
    t.slots[SRC] = trial_image(c->format, c->width, c->height, values);
    for (int i = 0; i < SCALE_TARGETS && c->sizes[i][0]; ++i)
        t.slots[DST + i] =
            trial_image(c->to ? c->to : c->format, c->sizes[i][0], c->sizes[i][1], NULL);
    t.reference = scaled;
    s->method = c->method;
    s->filter = c->filter;
    s->weight = c->weight;
    s->radius = c->radius ? c->radius : s->radius;
    return t;
}

static void place(trial_slot *slot, const int at[4], int layers)
{
    slot->x = at[0];
    slot->y = at[1];
    slot->w = at[2];
    slot->h = at[3];
    slot->layers = layers;
    slot->first = layers ? 1 : 0;
}

// Once more of a copy that glTexImage made, which image units read.
static bool check_mutable(trial *t)
{
    const texture *src = &t->textures[SRC];
    const GladGLContext *gl = &t->f->gl;
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexImage2D(GL_TEXTURE_2D, 0, (GLint)src->format->internal, src->width, src->height, 0,
                   src->format->base, src->format->type, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->CopyImageSubData(src->name, GL_TEXTURE_2D, 0, 0, 0, 0, name, GL_TEXTURE_2D, 0, 0, 0, 0,
                         src->width, src->height, 1);
    t->views[SRC].name = name;
    t->name = "    from image units";
    bool good = trial_check(t);
    t->f->ag->forget(t->f->device, name);
    gl->DeleteTextures(1, &name);
    return good;
}

// On noise: codes, or floats of varying size and, without a weight, sign.
static bool check_scale(fixture *f, ag_pass *pass, rng *r, const scale *c)
{
    ag_downsample_settings s;
    int rows = c->height * (c->layers ? c->layers : 1);
    double *values = values_hdr(r, c->format, c->width, rows, 0.01, c->high > 0 ? c->high : 100,
                                c->weight == AG_DOWN_WEIGHT_NONE);
    uint64_t bad = 0, before = c->bad ? fixture_scrubbed(f) : 0;
    if (c->bad)
        bad = values_spoil(r, values, (size_t)(c->width * c->height),
                           format_named(c->format)->channels, 9);
    trial t = scale_of(f, pass, c, values, &s);
    place(&t.slots[SRC], c->from, c->layers);
    place(&t.slots[DST], c->into, c->layers);
    if (c->gap) {
        t.slots[DST + 3] = t.slots[DST + 1];
        t.slots[DST + 1] = (trial_slot){0};
    }
    bool good = trial_check(&t);
    if (c->bad)
        CHECK_EQ(fixture_scrubbed(f) - before, bad);
    if (c->again)
        good = check_mutable(&t) && good;
    trial_free(&t);
    free(values);
    return good;
}

// ---- tests -------------------------------------------------------------------------------------

enum { AUTO = AG_DOWN_AUTO, TILE = AG_DOWN_TILE, COLUMNS = AG_DOWN_COLUMNS };
enum { SUMS = AG_DOWN_PARTIAL_SUMS, BLOCKS = AG_DOWN_BLOCKS };
enum { KARIS = AG_DOWN_WEIGHT_KARIS, ALPHA = AG_DOWN_WEIGHT_ALPHA };

// Every method, filter and weight once; targets together and with a gap; rectangles and layers,
// around which all stays poison; bad texels; values near the largest.
static void test_each(void **state)
{
    static const scale scales[] = {
        {"rgba8", NULL, 87, 46, {{19, 17}}, .method = TILE},
        {"rgba16f", NULL, 523, 141, {{32, 18}, {7, 5}, {1, 1}}, .method = COLUMNS, .weight = KARIS},
        {"rgba8", NULL, 523, 141, {{131, 35}, {65, 17}}, .method = SUMS, .weight = ALPHA},
        {"rgba16f", NULL, 640, 360, {{639, 359}}, .method = SUMS},
        {"rgba16f", NULL, 128, 64, {{64, 32}, {32, 16}, {16, 8}, {8, 4}}, .method = BLOCKS},
        {"rgba8", NULL, 200, 51, {{8, 17}}, .method = BLOCKS, .weight = KARIS},
        {"r32f", NULL, 64, 64, {{64, 64}}, .method = TILE},
        {"rgba32f", NULL, 87, 46, {{19, 17}}, .filter = AG_DOWN_NEAREST},
        {"rgba32f", NULL, 87, 46, {{19, 17}}, .filter = AG_DOWN_BILINEAR},
        {"rgba32f", NULL, 31, 20, {{62, 40}}, .filter = AG_DOWN_BICUBIC},
        {"rgba32f", NULL, 87, 46, {{19, 17}}, .filter = AG_DOWN_LANCZOS},
        {"rgba8", NULL, 200, 90, {{31, 7}, {3, 2}}, .gap = true},
        {"rgba8",
         "rgba16f",
         190,
         80,
         {{50, 40}},
         TILE,
         .layers = 3,
         .from = {17, 3, 140, 70},
         .into = {9, 5, 35, 28}},
        {"rgba16f", NULL, 301, 77, {{23, 9}}, .method = COLUMNS, .again = true},
        {"rgba16f", NULL, 530, 87, {{97, 13}}, .method = TILE, .bad = true},
        {"rg32f", NULL, 530, 87, {{11, 13}}, .method = SUMS, .bad = true, .high = 1e37},
    };
    rng r = rng_start("each", 225);
    ag_pass *pass = fixture_pass(*state, "downsample");
    bool good = true;
    for (size_t i = 0; i < COUNT(scales); ++i)
        good = check_scale(*state, pass, &r, &scales[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

enum { METHODS = 3 }; // tile, columns, partial_sums: any ratio

static bool check_size(fixture *f, ag_pass *pass, rng *r, const char *format, const int size[4],
                       int method)
{
    scale c = {.format = format,
               .width = size[0],
               .height = size[1],
               .sizes = {{size[2], size[3]}},
               .method = scale_method(method, size[0], size[1], size[2], size[3])};
    return check_scale(f, pass, r, &c);
}

// All pairs of 1 .. 9, each axis its own, by every method.
static void test_small_pairs(void **state)
{
    static const char *const formats[] = {"rgba8", "rgba16f", "r32f"};
    rng r = rng_start("small pairs", 221);
    ag_pass *pass = fixture_pass(*state, "downsample");
    sweep *share = sweep_start("small pairs", 60);
    bool good = true;
    for (int a = 1; a <= 9; ++a)
        for (int b = 1; b <= a; ++b)
            for (int k = 0; k < METHODS * 3; ++k) {
                if (!sweep_takes(share))
                    continue;
                int height = rng_int(&r, 1, 9), h = rng_int(&r, 1, height);
                int pair[4] = {a, height, b, h}, flipped[4] = {height, a, h, b};
                good = check_size(*state, pass, &r, formats[k / METHODS], k % 2 ? flipped : pair,
                                  AG_DOWN_TILE + k % METHODS) &&
                       good;
            }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static void random_rectangles(rng *r, scale *c)
{
    int *from = c->from, *into = c->into;
    from[0] = rng_int(r, 0, c->width - 1);
    from[1] = rng_int(r, 0, c->height - 1);
    from[2] = rng_int(r, 1, c->width - from[0]);
    from[3] = rng_int(r, 1, c->height - from[1]);
    into[2] = rng_int(r, 1, from[2] < 40 ? from[2] : 40);
    into[3] = rng_int(r, 1, from[3] < 30 ? from[3] : 30);
    into[0] = rng_int(r, 0, 50 - into[2]);
    into[1] = rng_int(r, 0, 40 - into[3]);
    c->sizes[0][0] = 50;
    c->sizes[0][1] = 40;
    c->layers = rng_int(r, 0, 1) ? 3 : 0;
}

static scale random_scale(rng *r, int i)
{
    const format_info *format = format_at(i % FORMAT_COUNT);
    scale c = {.format = format->name, .method = rng_int(r, AUTO, SUMS)};
    int targets = rng_int(r, 0, 3) ? 1 : rng_int(r, 2, SCALE_TARGETS), far = 1;
    bool whole = c.method == BLOCKS, floats = format->kind == FORMAT_FLOAT && format->bits[0] > 11;
    c.width = (int)rng_hdr(r, 1, i % 8 ? 300 : 1400);
    c.height = (int)rng_hdr(r, 1, i % 8 ? 200 : 60);
    if (whole) {
        c.width = 64 * rng_int(r, 1, 4);
        c.height = 48 * rng_int(r, 1, 3);
    }
    for (int k = 0; k < targets; ++k) {
        const int ratios[] = {1, 2, 4, 8, 16};
        int *size = c.sizes[k];
        size[0] = whole ? c.width / ratios[rng_int(r, 0, 4)] : rng_int(r, 1, c.width);
        size[1] = whole ? c.height / ratios[rng_int(r, 0, 4)] : rng_int(r, 1, c.height);
    }
    if (!whole && targets == 1 && rng_int(r, 0, 3) == 0)
        random_rectangles(r, &c);
    for (int k = 0; k < targets; ++k) {
        int w = c.into[2] ? c.into[2] : c.sizes[k][0], h = c.into[3] ? c.into[3] : c.sizes[k][1];
        int across = (c.into[2] ? c.from[2] : c.width) / w + 1;
        int down = (c.into[2] ? c.from[3] : c.height) / h + 1;
        far = across > far ? across : far;
        far = down > far ? down : far;
    }
    if (c.method == TILE && far > 64)
        c.method = AUTO;
    if (c.method == AUTO)
        c.filter = rng_int(r, 0, AG_DOWN_LANCZOS);
    if (c.filter == AG_DOWN_LANCZOS && far > 16)
        c.filter = AG_DOWN_BICUBIC;
    c.radius = 2 + i % 2;
    if (c.filter == AG_DOWN_AREA)
        c.weight = rng_int(r, 0, format->channels == 4 ? ALPHA : KARIS);
    if (c.filter && !c.into[2] && targets == 1 && rng_int(r, 0, 1)) // also larger
        c.sizes[0][0] = c.width * 3 / 2;
    if (c.weight != ALPHA && rng_int(r, 0, 3) == 0)
        c.to = format_at((i + 5) % FORMAT_COUNT)->name;
    // Each target that reads the image counts. The alpha of a bad texel is 0, too, whatever
    // channels src has.
    c.bad = floats && !c.into[2] && !c.to && targets == 1 && c.filter == AG_DOWN_AREA &&
            rng_int(r, 0, 3) == 0;
    c.again = format->kind != FORMAT_SRGB && format->channels != 3 && !c.layers && !c.bad &&
              rng_int(r, 0, 3) == 0;
    return c;
}

// What goes together; and beyond the quick tier what the issue of area averages is known by: HD to
// one texel less each way, all to one.
static void test_random(void **state)
{
    static const int large[][4] = {{1920, 1080, 1279, 719}, {4096, 4096, 1, 1},
                                   {1366, 768, 683, 384},   {2048, 2048, 64, 64},
                                   {2047, 1999, 31, 30},    {16384, 1, 16383, 1},
                                   {1, 16384, 1, 5},        {4096, 3, 1, 1}};
    rng r = rng_start("random", 222);
    ag_pass *pass = fixture_pass(*state, "downsample");
    bool good = true;
    sweep *share = sweep_start("random", 120);
    for (int i = 0; i < 360; ++i) {
        scale c = random_scale(&r, i);
        if (sweep_takes(share))
            good = check_scale(*state, pass, &r, &c) && good;
    }
    for (size_t i = 0; check_tier_now() != CHECK_QUICK && i < COUNT(large); ++i)
        for (int k = 0; k <= METHODS; ++k)
            if (sweep_takes(share))
                good =
                    check_size(*state, pass, &r, i % 2 ? "r32f" : "rgba16f", large[i], k) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_each),
        FIXTURE_SWEEP(test_small_pairs),
        FIXTURE_SWEEP(test_random),

        FIXTURE_TEST(test_half_of_the_sampler),
        FIXTURE_TEST(test_unscrubbed),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
