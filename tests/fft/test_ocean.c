// test_ocean.c - the effect "ocean" against double precision, and the physics that it promises
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ocean_ref.h"
#include "random.h"
#include "trial.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SLOTS = 3 };

static ag_ocean_settings defaults(int size)
{
    ag_ocean_settings s = AG_OCEAN_DEFAULTS;
    s.size = size;
    return s;
}

typedef struct sea { // what a run gave: by cascade, texel and field, as ocean_ref_run
    int size, cascades;
    double *fields;
} sea;

static void sea_free(sea *s)
{
    free(s->fields);
}

static double *cascade_of(const sea *s, int cascade)
{
    return s->fields + (size_t)cascade * (size_t)(s->size * s->size) * OCEAN_FIELDS;
}

// A trial of these settings: 16-bit outputs with `half`, 2D textures instead of arrays with `flat`.
static trial sea_of(fixture *f, const char *name, const ag_ocean_settings *given, bool half,
                    bool flat, ag_ocean_settings *s)
{
    static const char *const formats[2][SLOTS] = {{"rgba32f", "rgba32f", "r32f"},
                                                  {"rgba16f", "rgba16f", "r16f"}};
    trial t = trial_of(f, "ocean", name, s, sizeof *s);
    int n = ocean_ref_size(given);
    for (int i = 0; i < SLOTS; ++i) {
        t.slots[i] = trial_image(formats[half][i], n, n, NULL);
        t.slots[i].layers = flat ? 0 : given->cascades;
    }
    *s = *given;
    return t;
}

static sea run(fixture *f, ag_pass *pass, const ag_ocean_settings *given)
{
    ag_ocean_settings s;
    trial t = sea_of(f, "run", given, false, false, &s);
    sea out = {ocean_ref_size(given), given->cascades, NULL};
    size_t texels = (size_t)(out.size * out.size * out.cascades);
    out.fields = check_doubles(texels * OCEAN_FIELDS);
    t.pass = pass;
    trial_run(&t);
    for (size_t i = 0; i < SLOTS; ++i)
        for (size_t k = 0; k < texels * (i < 2 ? 4 : 1); ++k)
            out.fields[i < 2 ? k / 4 * OCEAN_FIELDS + 4 * i + k % 4 : k * OCEAN_FIELDS + 8] =
                t.got[i][k];
    trial_free(&t);
    return out;
}

static bool same(const sea *a, const sea *b)
{
    size_t count = (size_t)(a->size * a->size * a->cascades) * OCEAN_FIELDS;
    return a->size == b->size && a->cascades == b->cascades &&
           memcmp(a->fields, b->fields, count * sizeof *a->fields) == 0;
}

static double mean_of(const double *fields, int texels, int field, bool square)
{
    double sum = 0;
    for (int i = 0; i < texels; ++i) {
        double v = fields[i * OCEAN_FIELDS + field];
        sum += square ? v * v : v;
    }
    return sum / texels;
}

// ---- against the reference ---------------------------------------------------------------------

typedef struct waves { // of each cascade: made once, though three outputs ask for them
    double *fields[3];
} waves;

// Each field of each cascade, relative to the field's greatest value.
static bool exact(trial *t, const trial_part *p, double *want, double *bound)
{
    waves *w = t->user;
    int texels = p->width * p->height;
    double **fields = &w->fields[p->layer];
    if (!*fields) {
        *fields = check_doubles((size_t)texels * OCEAN_FIELDS);
        ocean_ref_run(t->settings, p->layer, *fields);
    }
    for (int c = 0; c < p->channels; ++c) {
        const double *field = *fields + 4 * p->slot + c;
        double peak = 1e-30; // a sea of 1e-49 m is calm in float32
        for (int i = 0; i < texels; ++i)
            peak = fmax(peak, fabs(field[i * OCEAN_FIELDS]));
        for (int i = 0; i < texels; ++i) {
            want[i * p->channels + c] = field[i * OCEAN_FIELDS];
            bound[i * p->channels + c] = 3e-5 * peak;
        }
    }
    return true;
}

static bool check(trial *t, ag_pass *pass)
{
    waves w = {{NULL}};
    t->pass = pass;
    t->reference = exact;
    t->user = &w;
    bool good = trial_check(t);
    trial_free(t);
    for (int i = 0; i < 3; ++i)
        free(w.fields[i]);
    return good;
}

static bool check_run(fixture *f, ag_pass *pass, const char *name, const ag_ocean_settings *given,
                      bool half, bool flat)
{
    ag_ocean_settings s;
    trial t = sea_of(f, name, given, half, flat, &s);
    return check(&t, pass);
}

static void test_reference(void **state)
{
    fixture *f = *state;
    rng r = rng_start("reference", 901);
    ag_pass *pass = fixture_pass(f, "ocean");
    bool good = true;
    sweep *share = sweep_start("reference", 5);
    for (int i = 0; i < 30; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_ocean_settings s = defaults(i % 10 == 9 ? AG_OCEAN_256 + i / 10 : i % 3);
        s.cascades = i == 29 ? 1 : 1 + i % 3; // of 1024 one
        s.lengths[0] = (float)rng_hdr(&r, 50, 1000);
        s.lengths[1] = s.lengths[0] / (float)rng_uniform(&r, 3, 9);
        s.lengths[2] = s.lengths[1] / (float)rng_uniform(&r, 3, 9);
        s.spectrum = i % 4 == 3;
        s.wind_speed = i % 7 == 6 ? 0 : (float)rng_hdr(&r, i % 7 == 5 ? 0.01 : 2, 40); // calm, too
        s.wind_direction = (float)rng_uniform(&r, -180, 180);
        s.fetch = (float)rng_hdr(&r, 1e3, 1e7);
        s.depth = (float)rng_hdr(&r, 0.2, 1e5);
        s.gamma = (float)rng_uniform(&r, 1, 7);
        s.swell = (float)rng_uniform(&r, 0, 1);
        s.directionality = i % 2 ? 1 : (float)rng_uniform(&r, 0, 1);
        s.choppiness = (float)rng_uniform(&r, 0, 2);
        s.period = (float)rng_hdr(&r, 60, 2000);
        s.time = (float)rng_uniform(&r, -500, 500);
        s.seed = rng_int(&r, 0, 1 << 30);
        good = check_run(f, pass, "any", &s, i % 4 == 1, s.cascades == 1 && i % 2) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- energy ------------------------------------------------------------------------------------

// The variance of the surface is the sum of |h|^2, and over many seeds that of P: the energy of the
// spectrum, whatever N and L.
static double variance_of(const ag_ocean_settings *s, int cascade, double *squares)
{
    int half = ocean_ref_size(s) / 2;
    double sum = 0;
    for (int n = 1 - half; n < half; ++n)
        for (int m = 1 - half; m < half; ++m) {
            double p = ocean_ref_variance(s, cascade, n, m);
            sum += p;
            *squares += p * p;
        }
    return sum;
}

static void test_energy(void **state)
{
    enum { SEEDS = 48 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64), fine = defaults(AG_OCEAN_256);
    double energy = ocean_ref_energy(&s), variance = 0, expected = 0, squares = 0, unused = 0;
    double fine_sum = 0;
    for (int c = 0; c < 3; ++c) {
        expected += variance_of(&s, c, &squares);
        fine_sum += variance_of(&fine, c, &unused);
    }
    CHECK_LIMIT("sum of P against the integral of S", fabs(fine_sum / energy - 1), 0.01);
    for (int seed = 1; seed <= SEEDS; ++seed) {
        s.seed = seed;
        s.time = (float)seed;
        sea got = run(f, pass, &s);
        for (int c = 0; c < 3; ++c)
            variance += mean_of(cascade_of(&got, c), 64 * 64, 1, true) / SEEDS;
        sea_free(&got);
    }
    double deviation = sqrt(2 * squares / SEEDS) / expected;
    CHECK_LIMIT("mean variance of 48 seas, in deviations",
                fabs(variance / expected - 1) / deviation, 4);
    // Pierson and Moskowitz: Hs = 0.2092 U^2 / g, as 4 sqrt of the sum of P, for any N and L.
    for (int i = 0; i < 8; ++i) {
        int u = 5 * (1 + i / 2);
        s = defaults(i % 2 ? AG_OCEAN_256 : AG_OCEAN_64);
        s.spectrum = AG_OCEAN_PIERSON_MOSKOWITZ;
        s.wind_speed = (float)u;
        s.cascades = 1;
        s.lengths[0] = (float)(12 * u * u / (i % 2 ? 2 : 4));
        double height = 4 * sqrt(variance_of(&s, 0, &unused));
        CHECK_LIMIT("significant wave height", fabs(height / (0.2092 * u * u / 9.81) - 1), 0.02);
    }
    f->ag->pass_destroy(pass);
}

// ---- time, seeds, sizes ------------------------------------------------------------------------

// The same bits a period later, ten hours later and three periods before; another sea in between.
static void test_loop(void **state)
{
    static const float times[] = {0, 12.5f, 100.25f};
    static const double periods[] = {1, 140, -3};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64);
    for (size_t i = 0; i < COUNT(times); ++i) {
        s.time = times[i];
        sea first = run(f, pass, &s);
        for (size_t k = 0; k <= COUNT(periods); ++k) {
            bool again = k < COUNT(periods);
            s.time = again ? times[i] + (float)periods[k] * s.period : times[i] + 0.5f;
            sea other = run(f, pass, &s);
            CHECK_F(same(&first, &other) == again, "%g s and %g s", (double)times[i],
                    (double)s.time);
            sea_free(&other);
        }
        sea_free(&first);
    }
    printf("  ok    seas repeat after each period\n");
    f->ag->pass_destroy(pass);
}

// Waves go with the wind: a moment later, the picture has moved that way.
static void test_direction(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64);
    s.cascades = 1;
    s.swell = 1;
    for (int turn = 0; turn < 4; ++turn) {
        s.wind_direction = (float)(90 * turn);
        s.time = 10;
        sea now = run(f, pass, &s);
        s.time = 10.5f;
        sea later = run(f, pass, &s);
        double along = 0, crests = 0;
        for (int i = 0; i < 64 * 64; ++i) { // d eta/dt against the slope: -c for a wave with it
            const double *v = now.fields + i * OCEAN_FIELDS;
            double rate = later.fields[i * OCEAN_FIELDS + 1] - v[1];
            along += -rate * (turn == 0 ? v[4] : turn == 1 ? v[5] : turn == 2 ? -v[4] : -v[5]);
            crests += v[1] * (v[8] - 1);
        }
        CHECK(check_case("waves go with the wind", along > 0));
        CHECK(check_case("crests are compressed", crests < 0));
        sea_free(&now);
        sea_free(&later);
    }
    f->ag->pass_destroy(pass);
}

// ---- contract ----------------------------------------------------------------------------------

// Rectangles, layers behind the first, and no jacobian: the same values, and nothing else written.
static void test_places(void **state)
{
    enum { N = 32, W = 50, H = 45, LAYERS = 5 };
    fixture *f = *state;
    ag_ocean_settings given = defaults(AG_OCEAN_32), s;
    trial t = sea_of(f, "places", &given, false, false, &s);
    for (int i = 0; i < 2; ++i)
        t.slots[i] = (trial_slot){"rgba32f", W, H, LAYERS, 1, NULL, 9 + i, 4, N, N, 1, 3, 0, NULL};
    t.slots[2] = (trial_slot){.format = NULL};
    CHECK(check(&t, NULL));
}

static void test_refusals(void **state)
{
    static const struct {
        ag_status status;
        const char *word, *format;
        int height, layers;
        float length;
    } rows[] = {{AG_E_SIZE, "64x63", "rgba16f", 63, 3, 37},
                {AG_E_SIZE, "2 layers", "rgba16f", 64, 2, 37},
                {AG_E_FORMAT, "RGBA32F", "rgba32f", 64, 3, 37},
                {AG_E_ARG, "lengths[1] is 500", "rgba16f", 64, 3, 500}};
    fixture *f = *state;
    bool good = true;
    for (size_t i = 0; i < COUNT(rows); ++i) {
        ag_ocean_settings given = defaults(AG_OCEAN_64), s;
        given.lengths[1] = rows[i].length;
        trial t = sea_of(f, "refused", &given, true, false, &s);
        trial_slot *other = &t.slots[AG_OCEAN_DERIVATIVES];
        int32_t size[3];
        other->format = rows[i].format;
        other->height = rows[i].height;
        other->layers = rows[i].layers;
        good = trial_refused(&t, rows[i].status, rows[i].word) && good;
        host_log_clear(&f->host);
        if (i < 3) {
            CHECK_STATUS(f->ag->slot_size(t.pass, &t.job, AG_OCEAN_DERIVATIVES, size), AG_OK);
            CHECK(size[0] == 64 && size[1] == 64 && size[2] == 3);
        }
        trial_free(&t);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_reference), FIXTURE_TEST(test_energy), FIXTURE_TEST(test_loop),
        FIXTURE_TEST(test_direction),  FIXTURE_TEST(test_places), FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
