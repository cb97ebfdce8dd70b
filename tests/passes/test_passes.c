// test_passes.c - the passes of passes/ against their definitions in double
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "pass_folder.h"
#include "passes_ref.h"
#include "random.h"

enum { WIDTH = 37, HEIGHT = 23 };

static void open_shipped(fixture *f, const char *name, pass_folder *p)
{
    char path[512];
    FILE *here = NULL;
    *p = (pass_folder){0};
    snprintf(path, sizeof path, "%s/%s/pass.comp", AG_PASSES, name);
    here = fopen(path, "r");
    // On a machine that the program was copied to, they lie in the working directory.
    snprintf(path, sizeof path, "%s/%s", here ? AG_PASSES : "passes", name);
    if (here)
        fclose(here);
    pass_open_at(f, path, p);
}

// A texel of the result, by the definition.
typedef void definition(const ref_image *src, const void *user, int x, int y, double out[4]);

typedef struct wanted {
    definition *of;
    const void *user;
} wanted;

static bool defined_by(trial *t, const trial_part *p, double *want, double *bound)
{
    const wanted *w = t->user;
    double *in = trial_input(t, SRC, p->layer);
    ref_image src = {in, p->width, p->height};
    for (int i = 0; i < p->width * p->height; ++i)
        w->of(&src, w->user, i % p->width, i / p->width, want + 4 * i);
    for (int i = 0; i < 4 * p->width * p->height; ++i)
        bound[i] = t->limit;
    free(in);
    return true;
}

static bool check(pass_folder *p, const char *name, const double *values, int width, int height,
                  double limit, definition *of, const void *user, uint64_t frame)
{
    wanted w = {of, user};
    uint8_t mine[PASS_SETTINGS];
    memcpy(mine, p->settings, sizeof mine); // trial_of_info sets the defaults
    trial t = pass_image(p, name, "rgba32f", width, height, values);
    memcpy(p->settings, mine, sizeof mine);
    t.reference = defined_by;
    t.user = &w;
    t.limit = limit;
    t.job.frame = frame;
    bool good = trial_check(&t);
    trial_free(&t);
    return good;
}

static void defaults(pass_folder *p)
{
    CHECK_STATUS(p->f->ag->effect_defaults(p->info, p->settings, p->info->settings_size), AG_OK);
}

static double *noise(rng *r, double low, double high)
{
    double *values = check_doubles(4 * WIDTH * HEIGHT);
    rng_fill_uniform(r, values, 4 * WIDTH * HEIGHT, low, high);
    return values;
}

// ---- tone_map ----------------------------------------------------------------------------------

typedef struct tone {
    int curve, encode;
    double ev;
} tone;

static void toned(const ref_image *src, const void *user, int x, int y, double out[4])
{
    const tone *t = user;
    tone_map_ref(src, t->curve, t->ev, t->encode, x, y, out);
}

static void test_tone_map(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {"aces", "agx", "neutral"};
    pass_folder p;
    open_shipped(f, "tone_map", &p);
    rng r = rng_start("tone_map", 1);
    double *values = check_doubles(4 * WIDTH * HEIGHT);
    rng_fill_hdr(&r, values, 4 * WIDTH * HEIGHT, 1e-4, 100);
    values[5] = -1;
    values[8] = 1e9;
    bool good = true;
    for (int i = 0; i < 6; ++i) {
        tone t = {.curve = i % 3, .encode = i >= 3, .ev = i >= 3 ? 1.5 : 0};
        char name[64];
        snprintf(name, sizeof name, "%s%s", names[t.curve], t.encode ? ", +1.5 EV, codes" : "");
        defaults(&p);
        pass_set(&p, "curve", 0, t.curve);
        pass_set(&p, "encode", 0, t.encode);
        pass_set(&p, "ev", 0, t.ev);
        good = check(&p, name, values, WIDTH, HEIGHT, 3e-5, toned, &t, 0) && good;
    }
    // A grey of 0.18 becomes what the curves are known for; Khronos' keeps it but for the offset.
    double grey[4] = {0.18, 0.18, 0.18, 1}, out[4];
    tone_map_ref(&(ref_image){grey, 1, 1}, 2, 0, 0, 0, 0, out);
    CHECK_LIMIT("neutral: 0.18 becomes 0.14", fabs(out[0] - 0.14), 1e-12);
    free(values);
    CHECK(good);
    pass_close(&p);
}

// The state of the effect exposure is the exposure.
static void test_exposed(void **state)
{
    fixture *f = *state;
    pass_folder p;
    open_shipped(f, "tone_map", &p);
    double values[8] = {0.1, 0.2, 0.3, 1, 1, 2, 3, 0.5}, texel[4] = {-2, 0, 0, 1};
    trial t = pass_image(&p, "exposure", "rgba32f", 2, 1, values);
    t.slots[2] = trial_image("rgba32f", 1, 1, texel);
    trial_run(&t);
    double worst = 0, want[4];
    for (int i = 0; i < 8; ++i) {
        tone_map_ref(&(ref_image){values, 2, 1}, 0, -2, 0, i / 4, 0, want);
        worst = check_worse(worst, fabs(t.got[DST][i] - want[i % 4]));
    }
    trial_free(&t);
    CHECK_LIMIT("two stops down by the slot", worst, 1e-6);
    pass_close(&p);
}

// ---- film_grain --------------------------------------------------------------------------------

typedef struct film {
    double strength, size, colour;
    uint32_t seed, frame;
    int codes;
} film;

static void grained(const ref_image *src, const void *user, int x, int y, double out[4])
{
    const film *g = user;
    film_grain_ref(src, (float)g->strength, (float)g->size, (float)g->colour, g->seed, g->frame,
                   g->codes, x, y, out);
}

static void test_film_grain(void **state)
{
    fixture *f = *state;
    static const film cases[] = {{0.04, 1.5, 0.25, 0, 0, 0},
                                 {0.2, 1, 1, 7, 3, 1},
                                 {1, 5.5, 0, 65535, 1000000, 1}};
    pass_folder p;
    open_shipped(f, "film_grain", &p);
    rng r = rng_start("film_grain", 2);
    double *values = noise(&r, 0, 1);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char name[64];
        const film *g = &cases[i];
        snprintf(name, sizeof name, "strength %g, size %g, colour %g", g->strength, g->size,
                 g->colour);
        defaults(&p);
        pass_set(&p, "strength", 0, g->strength);
        pass_set(&p, "size", 0, g->size);
        pass_set(&p, "colour", 0, g->colour);
        pass_set(&p, "seed", 0, g->seed);
        pass_set(&p, "values", 0, g->codes);
        good = check(&p, name, values, WIDTH, HEIGHT, 2e-5, grained, g, g->frame) && good;
    }
    free(values);
    // Of grey, 1 / 2: mean and deviation, over many texels of the reference.
    double grey[4] = {0.5, 0.5, 0.5, 1}, out[4], sum = 0, squares = 0;
    for (int frame = 0; frame < 4000; ++frame) {
        film_grain_ref(&(ref_image){grey, 1, 1}, 0.1, 3, 0.5, 0, (uint32_t)frame, 1, 0, 0, out);
        sum += out[1] - 0.5;
        squares += (out[1] - 0.5) * (out[1] - 0.5);
    }
    CHECK_LIMIT("mean", fabs(sum / 4000), 0.003);
    CHECK_LIMIT("deviation is half the strength", fabs(sqrt(squares / 4000) - 0.05), 0.002);
    CHECK(good);
    pass_close(&p);
}

// ---- sharpen, lens -----------------------------------------------------------------------------

typedef struct amount {
    double value;
    int codes;
} amount;

static void sharpened(const ref_image *src, const void *user, int x, int y, double out[4])
{
    const amount *a = user;
    sharpen_ref(src, (float)a->value, a->codes, x, y, out);
}

static void test_sharpen(void **state)
{
    fixture *f = *state;
    static const amount cases[] = {{0, 1}, {1, 1}, {0.5, 0}};
    pass_folder p;
    open_shipped(f, "sharpen", &p);
    rng r = rng_start("sharpen", 3);
    double *values = noise(&r, -0.1, 1.1);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char name[64];
        snprintf(name, sizeof name, "amount %g, %s", cases[i].value,
                 cases[i].codes ? "codes" : "linear");
        defaults(&p);
        pass_set(&p, "amount", 0, cases[i].value);
        pass_set(&p, "values", 0, cases[i].codes);
        // Near white the root makes 2e-4 of a rounding of 6e-8 of the curve.
        double limit = cases[i].codes ? 1e-6 : 4e-4;
        good = check(&p, name, values, WIDTH, HEIGHT, limit, sharpened, &cases[i], 0) && good;
    }
    free(values);
    CHECK(good);
    pass_close(&p);
}

static void through_lens(const ref_image *src, const void *user, int x, int y, double out[4])
{
    const double *s = user;
    lens_ref(src, s[0], s[1], s[2], x, y, out);
}

static void test_lens(void **state)
{
    fixture *f = *state;
    static const double cases[][3] = {{2, 1, 60}, {-7.5, 0.5, 120}, {0, 0, 1}};
    pass_folder p;
    open_shipped(f, "lens", &p);
    rng r = rng_start("lens", 4);
    double *values = noise(&r, 0, 1);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char name[96];
        const double *s = cases[i];
        snprintf(name, sizeof name, "%g texels, vignette %g of %g degrees", s[0], s[1], s[2]);
        defaults(&p);
        pass_set(&p, "aberration", 0, s[0]);
        pass_set(&p, "vignette", 0, s[1]);
        pass_set(&p, "view", 0, s[2]);
        good = check(&p, name, values, WIDTH, HEIGHT, 3e-5, through_lens, s, 0) && good;
    }
    free(values);
    CHECK(good);
    pass_close(&p);
}

// ---- edges -------------------------------------------------------------------------------------

static void smoothed(const ref_image *src, const void *user, int x, int y, double out[4])
{
    const int *reach = user;
    edges_ref(src, 0.125, *reach, x, y, out);
}

// Sixteenths: all that is compared is exact in floats, so both find the same edges.
static double *stairs(rng *r, double slope)
{
    double *values = check_doubles(4 * WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        for (int c = 0; c < 4; ++c) {
            bool above = i / WIDTH + 0.5 < 3 + slope * (i % WIDTH + 0.5);
            double noisy = rng_int(r, 0, 16) / 16.0;
            values[4 * i + c] = slope < 0 ? noisy : above ? 0.75 : 0.25;
        }
    return values;
}

static void test_edges(void **state)
{
    fixture *f = *state;
    static const struct {
        double slope; // below 0: noise
        int reach;
    } cases[] = {{0.125, 12}, {0.125, 3}, {0.4, 32}, {2.5, 12}, {-1, 12}, {-1, 1}};
    pass_folder p;
    open_shipped(f, "edges", &p);
    rng r = rng_start("edges", 5);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char name[64];
        double *values = stairs(&r, cases[i].slope);
        snprintf(name, sizeof name, "slope %g, reach %d", cases[i].slope, cases[i].reach);
        defaults(&p);
        pass_set(&p, "reach", 0, cases[i].reach);
        pass_set(&p, "values", 0, 1);
        good = check(&p, name, values, WIDTH, HEIGHT, 1e-6, smoothed, &cases[i].reach, 0) && good;
        free(values);
    }
    CHECK(good);
    pass_close(&p);
}

// Its purpose: the picture is nearer to one with coverage than the stairs were.
static void test_edges_help(void **state)
{
    (void)state;
    rng r = rng_start("edges_help", 6);
    double *values = stairs(&r, 0.125), before = 0, after = 0;
    ref_image src = {values, WIDTH, HEIGHT};
    for (int y = 2; y < HEIGHT - 2; ++y)
        for (int x = 8; x < WIDTH - 8; ++x) {
            double line = 3 + 0.125 * (x + 0.5), covered = fmin(fmax(line - y, 0), 1), out[4];
            double exact = 0.25 + 0.5 * covered;
            edges_ref(&src, 0.125, 12, x, y, out);
            before += pow(values[4 * (y * WIDTH + x)] - exact, 2);
            after += pow(out[0] - exact, 2);
        }
    free(values);
    CHECK_LIMIT("error of a line's edge, smoothed / as it was", sqrt(after / before), 0.5);
}

// ---- kawase ------------------------------------------------------------------------------------

typedef struct blurred_image {
    int levels;
    double spread, *result;
} blurred_image;

static void blurred(const ref_image *src, const void *user, int x, int y, double out[4])
{
    blurred_image *b = (blurred_image *)user;
    if (!x && !y) {
        free(b->result);
        b->result = kawase_ref(src, b->levels, b->spread);
    }
    memcpy(out, b->result + 4 * (y * src->width + x), 4 * sizeof *out);
}

static void test_kawase(void **state)
{
    fixture *f = *state;
    static const struct {
        int width, height, levels;
        double spread;
    } cases[] = {{37, 23, 3, 1}, {37, 23, 1, 2}, {37, 23, 8, 0.5}, {1, 1, 2, 1}, {16, 3, 4, 1}};
    pass_folder p;
    open_shipped(f, "kawase", &p);
    rng r = rng_start("kawase", 7);
    double *values = noise(&r, 0, 1);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        blurred_image b = {cases[i].levels, cases[i].spread, NULL};
        char name[64];
        snprintf(name, sizeof name, "%d levels, spread %g", b.levels, b.spread);
        defaults(&p);
        pass_set(&p, "levels", 0, b.levels);
        pass_set(&p, "spread", 0, b.spread);
        // Each of up to 15 steps rounds to halves, by 2^-12 below 1; two, by chance.
        good =
            check(&p, name, values, cases[i].width, cases[i].height, 1e-3, blurred, &b, 0) && good;
        free(b.result);
    }
    free(values);
    CHECK(good);
    pass_close(&p);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_tone_map), FIXTURE_TEST(test_exposed),    FIXTURE_TEST(test_film_grain),
        FIXTURE_TEST(test_sharpen),  FIXTURE_TEST(test_lens),       FIXTURE_TEST(test_edges),
        FIXTURE_TEST(test_kawase),   FIXTURE_TEST(test_edges_help),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
