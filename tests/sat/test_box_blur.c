// test_box_blur.c - "box_blur" and "local_stats" against boxes added up texel by texel
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/local_stats.h>

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

const ag_tuning *blur_way(int turn)
{
    static const ag_tuning ways[BLUR_WAYS] = {{.tables = AG_TABLES_IMAGE},
                                              {.tables = AG_TABLES_TEXTURE},
                                              {.tables = AG_TABLES_BUFFER}};
    return &ways[turn % BLUR_WAYS];
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
            double from[2] = {i % w - r, i / w - r}, to[2] = {i % w + 1 + r, i / w + 1 + r};
            for (int c = 0; c < n; ++c)
                next[i * n + c] = sat_ref_box(now, w, h, n, c, from, to, s->border).mean;
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
            for (size_t k = 0; k < COUNT(radii) - (i == 0); ++k) { // boxes all around the image
                if (!sweep_takes(share))
                    continue;
                ag_box_blur_settings s;
                trial t = blur_of(f, "a radius", "rgba32f", sizes[i][0], sizes[i][1], src, &s);
                s.border = borders[border];
                s.radius = radii[k];
                t.pass = pass;
                t.tuning = blur_way((int)i + border);
                t.limit = radii[k] > 8 ? 1e-6 : radii[k] > 0 ? 4e-6 : 0;
                good = trial_check(&t) && good;
                trial_free(&t);
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
    double *src = summing_noise(&r, "rgba32f", W, H, 0, 1),
           *radius = malloc(sizeof *radius * W * H);
    CHECK(radius != NULL);
    for (int i = 0; i < W * H; ++i)
        radius[i] = (double)(float)rng_uniform(&r, i % 2 ? 0 : -3, i % 5 ? 12 : 3);
    radius[5] = (double)NAN;
    radius[99] = (double)INFINITY;
    blurring b = blurring_of(f, "radius a texel", W, H, src);
    b.radius = radius;
    b.settings.radius = 1.5f;
    bool good = true;
    sweep *share = sweep_start("radius a texel", 3);
    for (int k = 0; k < 6; ++k) {
        if (!sweep_takes(share))
            continue;
        b.settings.border = borders[k % 4];
        b.tables = blurring_way(k + k / 4);
        good = blurring_check(f, pass, &b, 1e-6) && good;
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

// Images whose border is bright, or whose sums are large. The bound is for the worst image; the
// limit is near the error measured.
static void test_far_beyond(void **state)
{
    enum { W = 700, H = 500, SAMPLES = 12 };
    static const float radii[] = {24.5f, 120.5f, 400};
    static const char *const names[] = {"a gradient", "a bright frame", "a bright side"};
    fixture *f = *state;
    rng r = rng_start("far beyond", 118);
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = malloc(sizeof *src * W * H);
    CHECK(src != NULL);
    sweep *share = sweep_start("far beyond", 3);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < W * H; ++i) {
            int x = i % W, y = i / W;
            bool edge = k == 1 ? x == 0 || y == 0 || x == W - 1 || y == H - 1 : x == W - 1;
            src[i] = (double)(float)(k == 0 ? (x + y) / (double)(W + H)
                                     : edge ? rng_uniform(&r, 0.5, 1)
                                            : 0.01);
        }
        for (size_t q = 0; q < COUNT(radii); ++q) {
            if (!sweep_takes(share))
                continue;
            blurring b = blurring_of(f, names[k], W, H, src);
            b.src_format = "r32f";
            b.settings.radius = radii[q];
            b.settings.border = AG_BORDER_CLAMP;
            double *got = blurring_run(f, pass, &b), worst = 0, reach = (double)radii[q];
            for (int i = 0; i < SAMPLES; ++i) {
                int x = i < 4 ? i % 2 * (W - 1) : rng_int(&r, 0, W - 1);
                int y = i < 4 ? i / 2 * (H - 1) : i < 8 ? i % 2 * (H - 1) : rng_int(&r, 0, H - 1);
                double from[2] = {x - reach, y - reach}, to[2] = {x + 1 + reach, y + 1 + reach};
                double want = sat_ref_box(src, W, H, 1, 0, from, to, AG_BORDER_CLAMP).mean;
                double e = fabs(got[(y * W + x) * 4] - want);
                worst = isnan(worst) || e <= worst ? worst : e;
            }
            free(got);
            double bound = clamped_limit(W * H, reach);
            char name[96];
            snprintf(name, sizeof name, "%s, radius %g; the bound is %.2g", names[k], reach, bound);
            CHECK_LIMIT(name, worst, fmin(4e-5, bound));
        }
    }
    free(src);
    f->ag->pass_destroy(pass);
}

static void test_iterations(void **state)
{
    enum { W = 45, H = 38, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("iterations", 113);
    ag_pass *pass = fixture_pass(f, "box_blur");
    bool good = true;
    double *src = summing_noise(&r, "rgba32f", W, H * LAYERS, 0, 1);
    sweep *share = sweep_start("iterations", 3);
    for (int iterations = 2; iterations <= 4; ++iterations)
        for (int way = 0; way < (iterations == 3 ? BLURRING_WAYS : 1); ++way) {
            if (!sweep_takes(share))
                continue;
            blurring b = blurring_of(f, "iterations", W, H, src);
            b.layers = iterations == 3 ? LAYERS : 0;
            b.settings.radius = 2.5f;
            b.settings.iterations = iterations;
            b.settings.border = AG_BORDER_MIRROR;
            b.tables = blurring_way(way + iterations);
            good = blurring_check(f, pass, &b, 4e-6) && good;
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
        double *src = summing_noise(&r, name, W, H, 0, 1);
        blurring b = blurring_of(f, "format", W, H, src);
        b.src_format = name;
        b.dst_format = i % 2 ? name : NULL;
        b.settings.radius = 4.5f;
        b.tables = blurring_way(i);
        good = blurring_check(f, pass, &b, format_at(i)->kind == FORMAT_SRGB ? 2e-6 : 1e-6) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Reads a table that sat made instead of one of its own; double_float.
static void test_tables(void **state)
{
    enum { W = 64, H = 51 };
    fixture *f = *state;
    rng r = rng_start("tables", 115);
    ag_pass *pass = fixture_pass(f, "box_blur"), *sat = fixture_pass(f, "sat");
    double *src = summing_noise(&r, "rgba8", W, H, 0, 1);
    bool good = true;
    sweep *share = sweep_start("tables", 5);
    for (int integers = 0; integers < 2; ++integers) {
        summing c = {.name = "ready", .width = W, .height = H, .src_format = "rgba8", .src = src};
        c.settings = summing_defaults(f);
        c.settings.storage = integers ? AG_SAT_UINT32 : AG_SAT_FLOAT32;
        summed s = summing_run(f, sat, &c);
        blurring b = blurring_of(f, integers ? "ready integers" : "ready floats", W, H, src);
        b.src_format = "rgba8";
        b.table = &s.textures[SUMMED_DST];
        b.settings.radius = 6.25f;
        double limit = integers ? 1e-6 : 4 * (ag_sat_ulp(W * H) + 0.006) / 182;
        for (int way = AG_TABLES_AUTO; way <= AG_TABLES_BUFFER; ++way) { // a texture unit, or not
            if (!sweep_takes(share))
                continue;
            b.tables = way;
            good = blurring_check(f, pass, &b, limit) && good;
        }
        summed_free(f, &s);
    }
    for (int way = 0; way < BLURRING_WAYS; ++way)
        for (int integers = 0; integers < 2; ++integers) {
            if (!sweep_takes(share))
                continue;
            blurring b = blurring_of(f, integers ? "integers" : "double_float", W, H, src);
            b.src_format = "rgba8";
            b.settings.storage = integers ? AG_BOX_STORAGE_AUTO : AG_BOX_STORAGE_DOUBLE_FLOAT;
            b.settings.radius = 2.25f;
            b.tables = blurring_way(way);
            good = blurring_check(f, pass, &b, 1e-6) && good;
        }
    free(src);
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(sat);
    CHECK(good);
}

// A table that is too large for one place lies in the next, and the plan says so.
static void test_too_large(void **state)
{
    enum { W = 40, H = 37, LAYERS = 2, BYTES = W * H * 16 };
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
    double *src = summing_noise(&r, "rgba32f", W, H * LAYERS, 0, 1);
    ag_gl *gl = &f->device->gpu.gl, had = *gl;
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_pass *pass = fixture_pass(f, "box_blur");
        blurring b = blurring_of(f, "too large", W, H, src);
        b.layers = LAYERS;
        b.settings.radius = 3.5f;
        b.tables = cases[i].way;
        gl->max_ssbo_bytes = cases[i].block;
        gl->max_texture_size = cases[i].texture;
        good = blurring_check(f, pass, &b, 1e-6) && good;
        const char *text = strstr(pass->plan.head.text, "query by");
        CHECK_F(text && strcmp(text, cases[i].text) == 0, "%s", pass->plan.head.text);
        f->ag->pass_destroy(pass);
        *gl = had;
    }
    // Tables of local_stats have four sections below each other.
    texture t[3];
    ag_texture slots[3];
    for (int i = 0; i < 3; ++i) {
        t[i] = texture_create(f, "rgba32f", W, H, i ? NULL : src);
        slots[i] = texture_view(&t[i]);
    }
    ag_local_stats_settings s = *ag_local_stats_params(.radius = 4);
    ag_tuning *tuning = ag_device_tuning(f->device);
    tuning->tables = AG_TABLES_TEXTURE;
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 3,
                  .settings = &s,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_pass *pass = fixture_pass(f, "local_stats");
    for (int fits = 0; fits < 2; ++fits) {
        gl->max_texture_size = 4 * H - 1 + fits;
        CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
        const char *text = strstr(pass->plan.head.text, "query by"),
                   *want = fits ? "query by a texture unit"
                                : "query by image units (too large for one texture)";
        CHECK_F(text && strcmp(text, want) == 0, "%s", pass->plan.head.text);
        s.radius = 5; // the plan does not depend on it
        tuning->tables = AG_TABLES_IMAGE;
        CHECK_STATUS(f->ag->prepare(pass, &job),
                     AG_OK); // another plan, so that the next prepare makes its own
        tuning->tables = AG_TABLES_TEXTURE;
    }
    tuning->tables = AG_TABLES_AUTO;
    *gl = had;
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i) {
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
    free(src);
    CHECK(good);
}

// A constant image stays constant under every border but zero.
static void test_energy(void **state)
{
    enum { W = 51, H = 70 };
    static const float radii[] = {0.5f, 17.3f, 60};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = malloc(sizeof *src * 4 * W * H);
    CHECK(src != NULL);
    for (int i = 0; i < 4 * W * H; ++i)
        src[i] = 0.75;
    for (int border = 1; border < 4; ++border)
        for (size_t k = 0; k < COUNT(radii); ++k) {
            blurring b = blurring_of(f, "constant", W, H, src);
            b.settings.border = borders[border];
            b.settings.radius = radii[k];
            b.tables = blurring_way(border);
            double *got = blurring_run(f, pass, &b), worst = 0;
            for (int i = 0; i < 4 * W * H; ++i)
                worst = check_worse(worst, fabs(got[i] - 0.75));
            CHECK_LIMIT("a constant stays", worst, 5e-7);
            free(got);
        }
    free(src);
    f->ag->pass_destroy(pass);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "box_blur");
    texture src = texture_create(f, "r16f", 20, 10, NULL),
            dst = texture_create(f, "r16f", 20, 10, NULL);
    texture small = texture_create(f, "r32f", 19, 10, NULL),
            wide = texture_create(f, "rg32f", 20, 10, NULL);
    blurring b = blurring_of(f, "", 20, 10, NULL);
    ag_texture slots[SLOTS] = {texture_view(&src), texture_no_view(), texture_no_view(),
                               texture_view(&dst)};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = SLOTS,
                  .settings = &b.settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    slots[RADIUS] = texture_view(&small);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "radius"));
    slots[RADIUS] = texture_no_view();
    slots[TABLE] = texture_view(&wide);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_FORMAT);
    CHECK(host_log_error(&f->host, AG_E_FORMAT, "table"));
    slots[TABLE] = texture_view(&small);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_SIZE);
    CHECK(texture_is_poison(f, &dst));
    texture *all[] = {&src, &dst, &small, &wide};
    f->ag->pass_destroy(pass);
    for (size_t i = 0; i < COUNT(all); ++i) {
        f->ag->forget(f->device, all[i]->name);
        texture_destroy(f, all[i]);
    }
}

// ---- statistics --------------------------------------------------------------------------------

static bool check_stats(fixture *f, ag_pass *pass, rng *r, const char *format, int border,
                        float radius, double low, int way)
{
    enum { W = 53, H = 41 };
    int n = format_named(format)->channels;
    double *src = summing_noise(r, format, W, H, low, 1), worst[2] = {0};
    char where[2][120] = {"", ""};
    texture t[3] = {texture_create(f, format, W, H, src), texture_create(f, "rgba32f", W, H, NULL),
                    texture_create(f, "rgba32f", W, H, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_local_stats_settings s = *ag_local_stats_params(.radius = radius, .border = border);
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 3,
                  .settings = &s,
                  .next_use = AG_USE_COPY,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_device_tuning(f->device)->tables = way;
    fixture_run(f, pass, &job);
    ag_device_tuning(f->device)->tables = AG_TABLES_AUTO;
    double *mean = texture_read(f, &t[1], 0), *deviation = texture_read(f, &t[2], 0);
    for (int i = 0; i < W * H * n; ++i) {
        double x = i / n % W, y = i / n / W, q = (double)radius;
        double from[2] = {x - q, y - q}, to[2] = {x + 1 + q, y + 1 + q};
        sat_ref_stats want = sat_ref_box(src, W, H, n, i % n, from, to, border);
        double m = mean[i / n * 4 + i % n], d = deviation[i / n * 4 + i % n];
        double e[2] = {fabs(m - want.mean), fabs(d * d - want.deviation * want.deviation)};
        double got[2] = {m, d}, right[2] = {want.mean, want.deviation};
        for (int k = 0; k < 2; ++k)
            if (!isnan(worst[k]) && !(e[k] <= worst[k])) {
                worst[k] = e[k];
                snprintf(where[k], sizeof where[k], "(%d, %d) channel %d: %.9g, not %.9g",
                         i / n % W, i / n / W, i % n, got[k], right[k]);
            }
    }
    double spread = (1 - low) * (1 - low);
    double limit = 1e-6, most = limit * spread + 1e-12;
    bool ok = worst[0] <= limit && worst[1] <= most;
    printf(
        "  %-5s %s in %g..1, border %d, radius %g, tables %d: mean %.2g <= %.2g, variance %.2g <= %.2g\n",
        ok ? "ok" : "WRONG", format, low, border, (double)radius, way, worst[0], limit, worst[1],
        most);
    if (!ok)
        printf("        worst mean at %s; deviation at %s\n", where[0], where[1]);
    free(src);
    free(mean);
    free(deviation);
    for (int i = 0; i < 3; ++i) {
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
    return ok;
}

static void test_stats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("stats", 116);
    ag_pass *pass = fixture_pass(f, "local_stats");
    static const struct {
        float radius;
        double low;
    } boxes[] = {{4, 0}, {2.7f, 0}, {40.5f, 0}, {3, 0.99}}; // the last: little contrast
    bool good = true;
    sweep *share = sweep_start("stats", 9);
    for (int border = 1; border < 4; ++border)
        for (size_t i = 0; i < COUNT(boxes); ++i)
            if (sweep_takes(share))
                good = check_stats(f, pass, &r, "r32f", borders[border], boxes[i].radius,
                                   boxes[i].low, blurring_way(border)) &&
                       good;
    for (int way = 0; way < BLURRING_WAYS; ++way)
        if (sweep_takes(share))
            good =
                check_stats(f, pass, &r, "rgba16f", AG_BORDER_CLAMP, 5.5f, 0, blurring_way(way)) &&
                good;
    if (sweep_takes(share))
        good =
            check_stats(f, pass, &r, "rg8", AG_BORDER_NORMALIZE, 0.5f, 0, AG_TABLES_BUFFER) && good;
    if (sweep_takes(share))
        good =
            check_stats(f, pass, &r, "rgba8", AG_BORDER_MIRROR, 0.5f, 0, AG_TABLES_TEXTURE) && good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_radii),      FIXTURE_SWEEP(test_radius_a_texel),
        FIXTURE_SWEEP(test_far_beyond), FIXTURE_SWEEP(test_small_radii_move),
        FIXTURE_TEST(test_inside),      FIXTURE_SWEEP(test_frames),
        FIXTURE_SWEEP(test_marks),      FIXTURE_SWEEP(test_iterations),
        FIXTURE_SWEEP(test_formats),    FIXTURE_SWEEP(test_tables),
        FIXTURE_TEST(test_energy),      FIXTURE_TEST(test_refusals),
        FIXTURE_SWEEP(test_stats),      FIXTURE_TEST(test_too_large),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
