// test_box_blur.c - "box_blur" and "local_stats" against boxes added up texel by texel
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/box_blur.h>
#include <afterglow/local_stats.h>
#include <afterglow/sat.h>

#include "core/device.h"
#include "core/pass.h"
#include "core/tuning.h"
#include "effects/sat/box_blur.h"
#include "effects/sat/sat_plan.h"
#include "minimums.h"
#include "sat_ref.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SRC, RADIUS, TABLE, DST };

// ---- a blur, and its exact result --------------------------------------------------------------

static sat_ref_stats box_at(const double *src, int w, int h, int channels, int channel, int texel,
                            double r, int border)
{
    double from[2] = {texel % w - r, texel / w - r};
    double to[2] = {texel % w + 1 + r, texel / w + 1 + r};
    return sat_ref_box(src, w, h, channels, channel, from, to, border);
}

// All iterations, by the definition.
static bool blurred(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_box_blur_settings *s = t->settings;
    int n = trial_channels(t, SRC), w = p->width, h = p->height;
    double *now = trial_input(t, SRC, p->layer), *next = check_doubles((size_t)(w * h * n));
    double *radius = t->held[RADIUS] ? trial_input(t, RADIUS, p->layer) : NULL;
    (void)bound;
    for (int k = 0; k < s->iterations; ++k) {
        for (int i = 0; i < w * h; ++i) {
            double r = (double)s->radius * (radius ? radius[i] : 1);
            r = isfinite(r) && r > 0 ? r : 0;
            for (int c = 0; c < n; ++c)
                next[i * n + c] = box_at(now, w, h, n, c, i, r, s->border).mean;
        }
        double *done = now;
        now = next;
        next = done;
    }
    for (int i = 0; i < w * h; ++i)
        for (int c = 0; c < p->channels; ++c)
            if (c < n)
                want[i * p->channels + c] = now[i * n + c];
            else if (c == 3 && (n == 3 || s->border == AG_BORDER_ZERO))
                want[i * p->channels + c] = TRIAL_ANY; // of 1, which a border of zeros blurs, too
    free(now);
    free(next);
    free(radius);
    return true;
}

typedef struct blur { // a case; what is 0 is the first of its kind
    const char *format;
    int width, height, border;
    double radius, most; // most > 0: a radius a texel, between the two
    int iterations, layers, way;
    const char *to; // the format of dst; NULL: rgba32f
    int storage;
    int ready; // AG_SAT_*: reads a table that sat made, instead of one of its own
} blur;

static trial blur_of(fixture *f, const char *name, const char *format, int width, int height,
                     const double *src, ag_box_blur_settings *s)
{
    trial t = trial_of(f, "box_blur", name, s, sizeof *s);
    t.slots[SRC] = trial_image(format, width, height, src);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    t.reference = blurred;
    return t;
}

// Runs and checks it by `way` (AG_TABLES_*), then frees it. In the quick tier by a buffer, because
// each way compiles all programs again; test_too_large goes through all.
static bool blur_check(trial *t, ag_pass *pass, int way, double limit)
{
    ag_tuning tuning = trial_tiles() ? *trial_tiles() : (ag_tuning){.tile = AG_TILE_AUTO};
    tuning.tables = way;
    t->tuning = &tuning;
    t->pass = pass;
    t->limit = limit;
    bool good = trial_check(t);
    trial_free(t);
    return good;
}

// Radii of texels: whole ones and 2, from which on boxes come from the table, among them; and none.
static double *radii_of(rng *r, const blur *c)
{
    double *radius = check_doubles((size_t)(c->width * c->height));
    for (int i = 0; i < c->width * c->height; ++i) {
        radius[i] = rng_uniform(r, c->radius, c->most);
        if (i % 5 == 0)
            radius[i] = i % 2 && c->radius <= 2 && c->most > 2 ? 2 : floor(radius[i]);
    }
    radius[c->width * c->height / 2] = (double)NAN;
    radius[c->width * c->height / 3] = (double)INFINITY;
    return radius;
}

// A 24th of what box_blur.h allows, for the smallest box that comes from a table.
static double limit_of(const blur *c)
{
    double side = 2 * fmax(c->radius, 2) + 1, ulp = ag_sat_ulp(c->width * c->height);
    if (c->ready == AG_SAT_FLOAT32) // not less the mean
        return 4 * (ulp + 0.006) / (side * side);
    if (c->radius == 0 && !(c->most > 0)) // a driver may be off by two units of a code's float
        return format_named(c->format)->kind == FORMAT_FLOAT ? 0 : 0x1p-23;
    return (1e-3 / (side * side) + 2e-6) * (c->iterations ? c->iterations : 1);
}

static trial ready_table(fixture *f, const blur *c, const double *src, ag_sat_settings *s)
{
    trial t = trial_of(f, "sat", "a table", s, sizeof *s);
    s->storage = c->ready;
    t.slots[0] = trial_image(c->format, c->width, c->height, src);
    t.slots[1] =
        trial_image(c->ready == AG_SAT_UINT32 ? "rgba32ui" : "rgba32f", c->width, c->height, NULL);
    t.tuning = trial_tiles();
    trial_run(&t);
    return t;
}

static bool check_blur(fixture *f, ag_pass *pass, rng *r, const blur *c)
{
    int rows = c->height * (c->layers ? c->layers : 1);
    double *src = values_noise(r, c->format, c->width, rows, 0, 1);
    double *radius = c->most > 0 ? radii_of(r, c) : NULL;
    ag_box_blur_settings s;
    trial t = blur_of(f, "noise", c->format, c->width, c->height, src, &s);
    ag_sat_settings of_table;
    trial table = {0};
    if (c->ready) {
        table = ready_table(f, c, src, &of_table);
        t.slots[TABLE].own = &table.textures[1];
    }
    if (c->to)
        t.slots[DST].format = c->to;
    if (radius)
        t.slots[RADIUS] = trial_image("r32f", c->width, c->height, radius);
    t.slots[SRC].layers = t.slots[DST].layers = c->layers;
    int channels = format_named(c->format)->channels;
    t.left_out = channels == 3 || (channels < 3 && c->border == AG_BORDER_ZERO) ? 0.25 : 0;
    s.radius = radius ? 1 : (float)c->radius;
    s.border = c->border;
    s.iterations = c->iterations ? c->iterations : 1;
    s.storage = c->storage;
    bool good = blur_check(&t, pass, c->way ? c->way : AG_TABLES_BUFFER, limit_of(c));
    if (c->ready)
        trial_free(&table);
    free(src);
    free(radius);
    return good;
}

// ---- blur --------------------------------------------------------------------------------------

enum { ZERO = AG_BORDER_ZERO, CLAMP = AG_BORDER_CLAMP, MIRROR = AG_BORDER_MIRROR };
enum { NORMALIZE = AG_BORDER_NORMALIZE };

// Every border, blocks within the image and at its edges (none within, all texels beyond), blocks
// of small radii, of large ones and of both, whole radii; one after the other by one pass.
static void test_each(void **state)
{
    static const blur blurs[] = {
        {"rgba32f", 61, 47, ZERO, .radius = 0},
        {"rgba32f", 61, 47, MIRROR, .radius = 1.75},
        {"rgba32f", 61, 47, MIRROR, .radius = 33.25},
        {"rgba32f", 61, 47, NORMALIZE, .radius = 3.25},
        {"rgba32f", 33, 1, CLAMP, .radius = 90.25},
        {"rgba32f", 150, 90, CLAMP, .radius = 2},
        {"rgba32f", 97, 75, ZERO, .radius = 6.5},
        {"rgba32f", 64, 32, CLAMP, .radius = 37},
        {"rgba32f", 70, 180, NORMALIZE, .radius = 13},
        {"rgba32f", 110, 70, CLAMP, .radius = 0, .most = 30},
        {"rgba32f", 110, 70, CLAMP, .radius = 2, .most = 6},
        {"rgba32f", 110, 70, CLAMP, .radius = 18, .most = 30},
        {"rgba32f", 110, 70, CLAMP, .radius = 0, .most = 1.9},
        {"rgba32f", 110, 70, CLAMP, .radius = 2, .most = 2.01},
        {"r32f", 257, 130, CLAMP, .radius = 0, .most = 3, .iterations = 2, .layers = 3},
        {"rgba32f", 45, 38, MIRROR, .radius = 2.5, .iterations = 3, .layers = 3},
        {"rgba8", 64, 51, CLAMP, .radius = 6.25, .ready = AG_SAT_UINT32},
        {"rgba8", 64, 51, CLAMP, .radius = 6.25, .ready = AG_SAT_FLOAT32, .way = AG_TABLES_TEXTURE},
    };
    rng r = rng_start("each", 111);
    ag_pass *pass = fixture_pass(*state, "box_blur");
    bool good = true;
    for (size_t i = 0; i < COUNT(blurs); ++i)
        good = check_blur(*state, pass, &r, &blurs[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_random(void **state)
{
    static const int borders[] = {ZERO, CLAMP, MIRROR, NORMALIZE};
    rng r = rng_start("random", 112);
    ag_pass *pass = fixture_pass(*state, "box_blur");
    bool good = true, quick = check_tier_now() == CHECK_QUICK;
    sweep *share = sweep_start("random", 60);
    for (int i = 0; i < 120; ++i) {
        const char *format = format_at(i % FORMAT_COUNT)->name;
        blur c = {format,
                  rng_int(&r, 1, 130),
                  rng_int(&r, 1, 90),
                  borders[rng_int(&r, 0, 3)],
                  .radius = rng_hdr(&r, 0.1, 100),
                  .iterations = rng_int(&r, 1, i % 4 ? 1 : 4)};
        c.radius = i % 5 ? c.radius : floor(c.radius);
        c.most = i % 3 ? 0 : c.radius + rng_uniform(&r, 0.01, 20);
        c.layers = rng_int(&r, 0, 4) ? 0 : 2;
        c.way = quick ? 0 : rng_int(&r, AG_TABLES_IMAGE, AG_TABLES_BUFFER);
        c.to = i % 2 ? format : NULL;
        c.storage = rng_int(&r, 0, 3) ? AG_BOX_STORAGE_AUTO : AG_BOX_STORAGE_DOUBLE_FLOAT;
        if (sweep_takes(share))
            good = check_blur(*state, pass, &r, &c) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Whether the box at place i of an axis of n lies at least one texel within it; the shader's
// arithmetic.
static bool is_inside(int i, int n, double r)
{
    return i - (int)ceil(r) > 0 && i + 1 + (int)floor(r) < n;
}

// The blocks left out of the frame, texel by texel, and how many groups the frame has.
static void test_inside(void **state)
{
    (void)state;
    rng r = rng_start("inside", 122);
    for (int i = 0; i < 400; ++i) {
        ag_blur_boxes b = {rng_int(&r, 1, 200),
                           rng_int(&r, 1, 200),
                           false,
                           rng_uniform(&r, 2, i % 2 ? 8 : 120),
                           {i % 3 ? 16 : 32, i % 3 ? 16 : 8}};
        if (i % 4 == 0)
            b.radius = floor(b.radius);
        ag_blur_area a = ag_blur_inside(&b);
        int across = (b.width + b.block.x - 1) / b.block.x, frame = 0, some = 0;
        int down = (b.height + b.block.y - 1) / b.block.y;
        for (int y = 0; y < down; ++y)
            for (int x = 0; x < across; ++x) {
                bool all = true;
                for (int k = 0; k < b.block.x * b.block.y; ++k) {
                    int tx = x * b.block.x + k % b.block.x, ty = y * b.block.y + k / b.block.x;
                    bool in = is_inside(tx, b.width, b.radius) && is_inside(ty, b.height, b.radius);
                    all = all && in;
                    some += in;
                }
                frame += !all;
                CHECK_EQ(all, x >= a.x0 && x < a.x1 && y >= a.y0 && y < a.y1);
            }
        uint32_t groups[3];
        ag_blur_groups(&b, AG_BLUR_BEYOND, groups);
        CHECK(groups[0] * groups[1] >= (uint32_t)frame && groups[0] <= AG_BLUR_ROW);
        CHECK(groups[0] * (groups[1] - 1) < (uint32_t)frame && groups[2] == 1);
        int within = b.radius == floor(b.radius) ? AG_BLUR_WHOLE : AG_BLUR_CUT;
        CHECK_EQ(ag_blur_parts(&b), 1 << AG_BLUR_BEYOND | (some > 0) << within);
    }
}

// The bound of box_blur.h for float32 and a box that reaches this far beyond a clamped image on
// both axes.
static double clamped_limit(int texels, double r)
{
    double ulp = ldexp(1, ilogb(texels / 4.0) - 23), edge = (2 * r + 4) / (2 * r + 1);
    return edge * edge * (ulp + 0.006) + 1e-6;
}

enum { FAR_SAMPLES = 12 }; // texels: the corners, the sides, others

static bool blurred_there(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_box_blur_settings *s = t->settings;
    const int *there = t->user;
    (void)bound;
    for (int i = 0; i < p->width * p->height; ++i)
        want[i] = TRIAL_ANY;
    for (int i = 0; i < FAR_SAMPLES; ++i)
        want[there[i]] =
            box_at(t->held[SRC], p->width, p->height, 1, 0, there[i], (double)s->radius, s->border)
                .mean;
    return true;
}

// Images whose border is bright, or whose sums are large. The bound is for the worst image; the
// limit is near the error measured.
static void test_far_beyond(void **state)
{
    enum { W = 700, H = 500 };
    static const float radii[] = {24.5f, 120.5f, 400};
    static const char *const names[] = {"a gradient", "a bright frame", "a bright side"};
    fixture *f = *state;
    rng r = rng_start("far beyond", 118);
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = check_doubles(W * H);
    bool good = true;
    sweep *share = sweep_start("far beyond", 9);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < W * H; ++i) {
            int x = i % W, y = i / W;
            bool edge = k == 1 ? x == 0 || y == 0 || x == W - 1 || y == H - 1 : x == W - 1;
            src[i] = k == 0 ? (x + y) / (double)(W + H) : edge ? rng_uniform(&r, 0.5, 1) : 0.01;
        }
        for (size_t q = 0; q < COUNT(radii); ++q) {
            if (!sweep_takes(share))
                continue;
            ag_box_blur_settings s;
            trial t = blur_of(f, names[k], "r32f", W, H, src, &s);
            int there[FAR_SAMPLES];
            for (int i = 0; i < FAR_SAMPLES; ++i) {
                int x = i < 4 ? i % 2 * (W - 1) : rng_int(&r, 0, W - 1);
                int y = i < 4 ? i / 2 * (H - 1) : i < 8 ? i % 2 * (H - 1) : rng_int(&r, 0, H - 1);
                there[i] = y * W + x;
            }
            s.radius = radii[q];
            s.border = AG_BORDER_CLAMP;
            t.slots[DST].format = "r32f";
            t.reference = blurred_there;
            t.user = there;
            t.left_out = 1;
            double bound = clamped_limit(W * H, (double)radii[q]);
            printf("  the bound is %.2g\n", bound);
            good = blur_check(&t, pass, AG_TABLES_AUTO, fmin(4e-5, bound)) && good;
        }
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static bool plan_says(const char *plan, const char *want)
{
    const char *text = strstr(plan, "query by");
    return check_case(plan, text && strcmp(text, want) == 0);
}

// A table that is too large for one place lies in the next, and the plan says so.
static void test_too_large(void **state)
{
    enum { W = 40, H = 37, LAYERS = 2, BYTES = W * H * 4 };
    static const struct {
        int64_t block;
        int texture, way;
        const char *text;
    } cases[] = {
        {BYTES, H * LAYERS, AG_TABLES_IMAGE, "query by image units"},
        {BYTES, H * LAYERS, AG_TABLES_TEXTURE, "query by a texture unit"},
        {BYTES, H * LAYERS, AG_TABLES_BUFFER, "query by a buffer"},
        {BYTES - 1, H * LAYERS, AG_TABLES_BUFFER,
         "query by a texture unit (too large for a buffer)"},
        {BYTES, H * LAYERS, AG_TABLES_AUTO, "query by a buffer"},
        {BYTES - 1, H * LAYERS, AG_TABLES_AUTO, "query by a texture unit (too large for a buffer)"},
    };
    MINIMUMS_LACK("offsets that make no table larger");
    fixture *f = *state;
    rng r = rng_start("too large", 117);
    double *src = values_noise(&r, "r32f", W, H * LAYERS, 0, 1);
    ag_gl *gl = &f->device->gpu.gl, had = *gl;
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_pass *pass = fixture_pass(f, "box_blur");
        ag_box_blur_settings s;
        trial t = blur_of(f, "too large", "r32f", W, H, src, &s);
        t.slots[SRC].layers = t.slots[DST].layers = LAYERS;
        s.radius = 3.5f;
        gl->max_ssbo_bytes = cases[i].block;
        gl->max_texture_size = cases[i].texture;
        good = blur_check(&t, pass, cases[i].way, 1e-6) && good;
        good = plan_says(pass->plan.head.text, cases[i].text) && good;
        f->ag->pass_destroy(pass);
        *gl = had;
    }
    // Tables of local_stats have four sections below each other.
    ag_local_stats_settings s;
    trial t = trial_of(f, "local_stats", "sections", &s, sizeof s);
    for (int i = 0; i < 3; ++i)
        t.slots[i] = trial_image("rgba32f", W, H, i ? NULL : src);
    ag_tuning *tuning = ag_device_tuning(f->device);
    tuning->tables = AG_TABLES_TEXTURE;
    trial_make(&t);
    for (int fits = 0; fits < 2; ++fits) {
        gl->max_texture_size = 4 * H - 1 + fits;
        const ag_plan *plan = NULL;
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
        good = plan_says(plan->text, fits ? "query by a texture unit"
                                          : "query by image units (too large for one texture)") &&
               good;
        // another plan, so that the next declare makes its own
        tuning->tables = AG_TABLES_IMAGE;
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
        tuning->tables = AG_TABLES_TEXTURE;
    }
    tuning->tables = AG_TABLES_AUTO;
    *gl = had;
    trial_free(&t);
    free(src);
    CHECK(good);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_box_blur_settings s;
    trial t = blur_of(f, "refusals", "r16f", 20, 10, NULL, &s);
    t.slots[DST].format = "r16f";
    trial_make(&t);
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
    t.slots[RADIUS] = trial_image("r32f", 19, 10, NULL);
    CHECK(trial_refused(&t, AG_E_SIZE, "radius"));
    ag_texture small = t.views[RADIUS];
    t.views[RADIUS] = texture_no_view();
    t.slots[TABLE] = trial_image("rg32f", 20, 10, NULL);
    CHECK(trial_refused(&t, AG_E_FORMAT, "table"));
    t.views[TABLE] = small;
    CHECK(trial_refused(&t, AG_E_SIZE, "table"));
    trial_free(&t);
}

// ---- statistics --------------------------------------------------------------------------------

enum { MEAN = 1, DEVIATION };

// The variance is off by 1e-6 of the square of the spread of values, which t->user has.
static bool statistics(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_local_stats_settings *s = t->settings;
    int n = trial_channels(t, SRC);
    double *src = trial_input(t, SRC, p->layer), spread = *(const double *)t->user;
    for (int i = 0; i < p->width * p->height; ++i)
        for (int c = 0; c < n; ++c) {
            sat_ref_stats box =
                box_at(src, p->width, p->height, n, c, i, (double)s->radius, s->border);
            int at = i * p->channels + c;
            want[at] = p->slot == MEAN ? box.mean : box.deviation;
            if (p->slot == DEVIATION)
                bound[at] = sqrt(want[at] * want[at] + 1e-6 * spread * spread + 1e-12) - want[at];
        }
    for (int i = 3; p->slot == DEVIATION && n < 4 && i < p->width * p->height * 4; i += 4)
        want[i] = 0; // the deviation of an alpha of 1
    free(src);
    return true;
}

static bool check_stats(fixture *f, ag_pass *pass, rng *r, const blur *c, double low)
{
    ag_local_stats_settings s;
    double *src = values_noise(r, c->format, c->width, c->height, low, 1), spread = 1 - low;
    trial t = trial_of(f, "local_stats", "statistics", &s, sizeof s);
    t.slots[SRC] = trial_image(c->format, c->width, c->height, src);
    t.slots[MEAN] = t.slots[DEVIATION] = trial_image("rgba32f", c->width, c->height, NULL);
    t.reference = statistics;
    t.user = &spread;
    s.radius = (float)c->radius;
    s.border = c->border;
    bool good = blur_check(&t, pass, c->way, 1e-6);
    free(src);
    return good;
}

static void test_stats(void **state)
{
    static const blur boxes[] = {
        {"r32f", 53, 41, CLAMP, .radius = 4, .way = AG_TABLES_BUFFER},
        {"r32f", 53, 41, MIRROR, .radius = 40.5, .way = AG_TABLES_BUFFER},
        {"r32f", 53, 41, NORMALIZE, .radius = 2.7, .way = AG_TABLES_BUFFER},
        {"r32f", 53, 41, CLAMP, .radius = 3, .way = AG_TABLES_BUFFER}, // with little contrast
        {"rgba16f", 53, 41, CLAMP, .radius = 5.5, .way = AG_TABLES_IMAGE},
        {"rgba16f", 53, 41, CLAMP, .radius = 5.5, .way = AG_TABLES_TEXTURE},
        {"rgba16f", 53, 41, CLAMP, .radius = 5.5, .way = AG_TABLES_BUFFER},
        {"rg8", 53, 41, NORMALIZE, .radius = 0.5, .way = AG_TABLES_BUFFER},
        {"rgba8", 53, 41, MIRROR, .radius = 0.5, .way = AG_TABLES_TEXTURE}};
    rng r = rng_start("stats", 116);
    ag_pass *pass = fixture_pass(*state, "local_stats");
    bool good = true;
    for (size_t i = 0; i < (check_tier_now() == CHECK_QUICK ? 4 : COUNT(boxes)); ++i)
        good = check_stats(*state, pass, &r, &boxes[i], i == 3 ? 0.99 : 0) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_each),   FIXTURE_SWEEP(test_random),  FIXTURE_SWEEP(test_far_beyond),
        FIXTURE_TEST(test_inside), FIXTURE_TEST(test_refusals), FIXTURE_TEST(test_too_large),
        FIXTURE_TEST(test_stats),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
