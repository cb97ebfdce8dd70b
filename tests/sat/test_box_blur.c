// test_box_blur.c - "box_blur" and "local_stats" against boxes added up texel by texel
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/local_stats.h>
#include <afterglow/sat.h>

#include "core/device.h"
#include "core/pass.h"
#include "effects/sat/sat_plan.h"
#include "minimums.h"
#include "sat_ref.h"
#include "test_box_blur.h"

// The borders of box_blur; local_stats takes all but the first.
static const int borders[] = {AG_BORDER_ZERO, AG_BORDER_CLAMP, AG_BORDER_MIRROR,
                              AG_BORDER_NORMALIZE};

// ---- a blur, and its exact result --------------------------------------------------------------

int blur_way(int turn)
{
    return check_tier_now() == CHECK_QUICK ? AG_TABLES_BUFFER : AG_TABLES_IMAGE + turn % BLUR_WAYS;
}

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
            else if (c == 3 && n == 3) // an alpha of 1, which a border of zeros blurs, too
                want[i * p->channels + c] = TRIAL_ANY;
    free(now);
    free(next);
    free(radius);
    return true;
}

trial blur_of(fixture *f, const char *name, const char *format, int width, int height,
              const double *src, ag_box_blur_settings *s)
{
    trial t = trial_of(f, "box_blur", name, s, sizeof *s);
    t.slots[SRC] = trial_image(format, width, height, src);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    t.reference = blurred;
    return t;
}

bool blur_check(trial *t, ag_pass *pass, int way, double limit)
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

// ---- blur --------------------------------------------------------------------------------------

static void test_radii(void **state)
{
    static const int sizes[][2] = {{61, 47}, {33, 1}, {1, 1}, {2, 35}};
    static const float radii[] = {0, 0.3f, 1.75f, 2, 3.25f, 8, 33.25f, 90.25f};
    fixture *f = *state;
    rng r = rng_start("radii", 111);
    ag_pass *pass = fixture_pass(f, "box_blur");
    bool good = true;
    sweep *share = sweep_start("radii", 20);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double *src = values_noise(&r, "rgba32f", sizes[i][0], sizes[i][1], 0, 1);
        for (int border = 0; border < 4; ++border)
            for (size_t k = 0; k < COUNT(radii) - (i == 0); ++k) { // the last: all around others
                if (!sweep_takes(share))
                    continue;
                ag_box_blur_settings s;
                trial t = blur_of(f, "a radius", "rgba32f", sizes[i][0], sizes[i][1], src, &s);
                s.border = borders[border];
                s.radius = radii[k];
                double limit = radii[k] > 8 ? 1e-6 : radii[k] > 0 ? 4e-6 : 0;
                good = blur_check(&t, pass, blur_way((int)i + border), limit) && good;
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_radius_a_texel(void **state)
{
    enum { W = 57, H = 43 };
    fixture *f = *state;
    rng r = rng_start("radius a texel", 112);
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = values_noise(&r, "rgba32f", W, H, 0, 1), *radius = check_doubles(W * H);
    for (int i = 0; i < W * H; ++i)
        radius[i] = rng_uniform(&r, i % 2 ? 0 : -3, i % 5 ? 12 : 3);
    radius[5] = (double)NAN;
    radius[99] = (double)INFINITY;
    bool good = true;
    sweep *share = sweep_start("radius a texel", 3);
    for (int k = 0; k < 6; ++k) {
        if (!sweep_takes(share))
            continue;
        ag_box_blur_settings s;
        trial t = blur_of(f, "a radius a texel", "rgba32f", W, H, src, &s);
        t.slots[RADIUS] = trial_image("r32f", W, H, radius);
        s.radius = 1.5f;
        s.border = borders[k % 4];
        good = blur_check(&t, pass, blur_way(k + k / 4), 1e-6) && good;
    }
    free(src);
    free(radius);
    f->ag->pass_destroy(pass);
    CHECK(good);
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
    sweep *share = sweep_start("far beyond", 5);
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

static void test_iterations(void **state)
{
    enum { W = 45, H = 38, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("iterations", 113);
    ag_pass *pass = fixture_pass(f, "box_blur");
    bool good = true;
    double *src = values_noise(&r, "rgba32f", W, H * LAYERS, 0, 1);
    sweep *share = sweep_start("iterations", 5);
    for (int iterations = 2; iterations <= 4; ++iterations)
        for (int way = 0; way < (iterations == 3 ? BLUR_WAYS : 1); ++way) {
            if (!sweep_takes(share))
                continue;
            ag_box_blur_settings s;
            trial t = blur_of(f, "iterations", "rgba32f", W, H, src, &s);
            t.slots[SRC].layers = t.slots[DST].layers = iterations == 3 ? LAYERS : 0;
            s.radius = 2.5f;
            s.iterations = iterations;
            s.border = AG_BORDER_MIRROR;
            good = blur_check(&t, pass, blur_way(way + iterations), 4e-6) && good;
        }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_formats(void **state)
{
    enum { W = 40, H = 37 };
    fixture *f = *state;
    rng r = rng_start("formats", 114);
    ag_pass *pass = fixture_pass(f, "box_blur");
    bool good = true;
    sweep *share = sweep_start("formats", 6);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *name = format_at(i)->name;
        ag_box_blur_settings s;
        double *src = values_noise(&r, name, W, H, 0, 1);
        trial t = blur_of(f, "a format", name, W, H, src, &s);
        t.slots[DST].format = i % 2 ? name : "rgba32f";
        t.left_out = format_at(i)->channels == 3 ? 0.25 : 0;
        s.radius = 4.5f;
        double limit = format_at(i)->kind == FORMAT_SRGB ? 2e-6 : 1e-6;
        good = blur_check(&t, pass, blur_way(i), limit) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Reads a table that sat made instead of one of its own; double_float.
static void test_tables(void **state)
{
    enum { W = 64, H = 51, OF_SAT = 1 };
    fixture *f = *state;
    rng r = rng_start("tables", 115);
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = values_noise(&r, "rgba8", W, H, 0, 1);
    ag_box_blur_settings s;
    bool good = true;
    sweep *share = sweep_start("tables", 7);
    for (int integers = 0; integers < 2; ++integers)
        for (int way = AG_TABLES_AUTO; way <= AG_TABLES_BUFFER; ++way) { // a texture unit, or not
            if (!sweep_takes(share))
                continue;
            ag_sat_settings of_sat;
            trial table = trial_of(f, "sat", "a table", &of_sat, sizeof of_sat);
            of_sat.storage = integers ? AG_SAT_UINT32 : AG_SAT_FLOAT32;
            table.slots[0] = trial_image("rgba8", W, H, src);
            table.slots[OF_SAT] = trial_image(integers ? "rgba32ui" : "rgba32f", W, H, NULL);
            table.tuning = trial_tiles();
            trial_run(&table);
            trial t = blur_of(f, "a ready table", "rgba8", W, H, src, &s);
            t.slots[TABLE].own = &table.textures[OF_SAT];
            s.radius = 6.25f;
            double limit = integers ? 1e-6 : 4 * (ag_sat_ulp(W * H) + 0.006) / 182;
            good = blur_check(&t, pass, way, limit) && good;
            trial_free(&table);
        }
    for (int way = 0; way < BLUR_WAYS; ++way)
        for (int integers = 0; integers < 2; ++integers) {
            if (!sweep_takes(share))
                continue;
            trial t = blur_of(f, "a storage", "rgba8", W, H, src, &s);
            s.storage = integers ? AG_BOX_STORAGE_AUTO : AG_BOX_STORAGE_DOUBLE_FLOAT;
            s.radius = 2.25f;
            good = blur_check(&t, pass, blur_way(way), 1e-6) && good;
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

static bool even(trial *t, const trial_part *p, double *want, double *bound)
{
    (void)t;
    (void)bound;
    for (int i = 0; i < p->width * p->height * p->channels; ++i)
        want[i] = 0.75;
    return true;
}

// A constant image stays constant under every border but zero.
static void test_energy(void **state)
{
    enum { W = 51, H = 70 };
    static const float radii[] = {0.5f, 17.3f, 60};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = values_even("rgba32f", W, H, 0.75);
    bool good = true;
    for (int border = 1; border < 4; ++border)
        for (size_t k = 0; k < COUNT(radii); ++k) {
            ag_box_blur_settings s;
            trial t = blur_of(f, "a constant stays", "rgba32f", W, H, src, &s);
            s.border = borders[border];
            s.radius = radii[k];
            t.reference = even;
            good = blur_check(&t, pass, blur_way(border), 5e-7) && good;
        }
    free(src);
    f->ag->pass_destroy(pass);
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

static bool check_stats(fixture *f, ag_pass *pass, rng *r, const char *format, int border,
                        float radius, double low, int way)
{
    enum { W = 53, H = 41 };
    ag_local_stats_settings s;
    double *src = values_noise(r, format, W, H, low, 1), spread = 1 - low;
    trial t = trial_of(f, "local_stats", "statistics", &s, sizeof s);
    t.slots[SRC] = trial_image(format, W, H, src);
    t.slots[MEAN] = t.slots[DEVIATION] = trial_image("rgba32f", W, H, NULL);
    t.reference = statistics;
    t.user = &spread;
    s.radius = radius;
    s.border = border;
    bool good = blur_check(&t, pass, way, 1e-6);
    free(src);
    return good;
}

static void test_stats(void **state)
{
    static const struct {
        float radius;
        double low;
    } boxes[] = {{4, 0}, {2.7f, 0}, {40.5f, 0}, {3, 0.99}}; // the last: little contrast
    static const struct {
        const char *format;
        int border, way;
        float radius;
    } others[] = {{"rgba16f", AG_BORDER_CLAMP, AG_TABLES_IMAGE, 5.5f},
                  {"rgba16f", AG_BORDER_CLAMP, AG_TABLES_TEXTURE, 5.5f},
                  {"rgba16f", AG_BORDER_CLAMP, AG_TABLES_BUFFER, 5.5f},
                  {"rg8", AG_BORDER_NORMALIZE, AG_TABLES_BUFFER, 0.5f},
                  {"rgba8", AG_BORDER_MIRROR, AG_TABLES_TEXTURE, 0.5f}};
    fixture *f = *state;
    rng r = rng_start("stats", 116);
    ag_pass *pass = fixture_pass(f, "local_stats");
    bool good = true;
    sweep *share = sweep_start("stats", 9);
    for (int border = 1; border < 4; ++border)
        for (size_t i = 0; i < COUNT(boxes); ++i)
            if (sweep_takes(share))
                good = check_stats(f, pass, &r, "r32f", borders[border], boxes[i].radius,
                                   boxes[i].low, blur_way(border)) &&
                       good;
    for (size_t i = 0; i < COUNT(others); ++i)
        if (sweep_takes(share))
            good = check_stats(f, pass, &r, others[i].format, others[i].border, others[i].radius, 0,
                               others[i].way) &&
                   good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_radii),      FIXTURE_SWEEP(test_radius_a_texel),
        FIXTURE_SWEEP(test_far_beyond), FIXTURE_SWEEP(test_small_radii_move),
        FIXTURE_TEST(test_inside),      FIXTURE_SWEEP(test_frames),
        FIXTURE_TEST(test_marks),       FIXTURE_SWEEP(test_iterations),
        FIXTURE_SWEEP(test_formats),    FIXTURE_SWEEP(test_tables),
        FIXTURE_TEST(test_energy),      FIXTURE_TEST(test_refusals),
        FIXTURE_SWEEP(test_stats),      FIXTURE_TEST(test_too_large),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
