// test_ocean.c - the effect "ocean" against double precision, and the physics that it promises
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "ocean_ref.h"
#include "random.h"
#include "texture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SLOTS = 3 };

static ag_ocean_settings defaults(int size)
{
    ag_ocean_settings s = AG_OCEAN_DEFAULTS;
    s.size = size;
    return s;
}

static ag_job job_of(const ag_texture slots[SLOTS], const ag_ocean_settings *settings)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = SLOTS,
                    .settings = settings,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
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

// Prepares and executes. `half`: 16-bit outputs; `flat`: 2D textures instead of arrays.
static sea run(fixture *f, ag_pass *pass, const ag_ocean_settings *s, bool half, bool flat)
{
    sea out = {ocean_ref_size(s), s->cascades, NULL};
    int layers = flat ? 0 : s->cascades, n = out.size;
    static const char *const formats[2][SLOTS] = {{"rgba32f", "rgba32f", "r32f"},
                                                  {"rgba16f", "rgba16f", "r16f"}};
    texture t[SLOTS];
    ag_texture slots[SLOTS];
    for (int i = 0; i < SLOTS; ++i) {
        t[i] = texture_create_array(f, formats[half][i], n, n, layers, 1, NULL);
        slots[i] = texture_view(&t[i]);
    }
    ag_job job = job_of(slots, s);
    fixture_run(f, pass, &job);
    size_t texels = (size_t)(n * n * s->cascades);
    out.fields = check_doubles(texels * OCEAN_FIELDS);
    for (int i = 0; i < SLOTS; ++i) {
        double *got = texture_read(f, &t[i], 0);
        size_t channels = i < 2 ? 4 : 1;
        for (size_t k = 0; k < texels * channels; ++k)
            out.fields[k / channels * OCEAN_FIELDS + 4 * (size_t)i + k % channels] = got[k];
        free(got);
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
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

// Each field of each cascade, relative to the field's greatest value.
static bool check_run(fixture *f, ag_pass *pass, const char *name, const ag_ocean_settings *s,
                      bool half, bool flat)
{
    static const char *const names[OCEAN_FIELDS] = {"Dx",     "eta",     "Dz",
                                                    "dDx/dz", "slope x", "slope z",
                                                    "dDx/dx", "dDz/dz",  "J"};
    sea got = run(f, pass, s, half, flat);
    int texels = got.size * got.size;
    const format_info *format = format_named(half ? "rgba16f" : "rgba32f");
    double *want = check_doubles((size_t)texels * OCEAN_FIELDS);
    bool good = true;
    for (int c = 0; c < s->cascades; ++c) {
        ocean_ref_run(s, c, want);
        const double *have = cascade_of(&got, c);
        double worst = 0, units = 0;
        int which = 0;
        for (int k = 0; k < OCEAN_FIELDS; ++k) {
            double peak = 0, error = 0;
            for (int i = 0; i < texels; ++i)
                peak = fmax(peak, fabs(want[i * OCEAN_FIELDS + k]));
            for (int i = 0; i < texels; ++i) {
                double exact = want[i * OCEAN_FIELDS + k], value = have[i * OCEAN_FIELDS + k];
                double u = format_error_units(format, 0, exact, value, 3e-5 * peak);
                error = fabs(value - exact) <= error ? error : fabs(value - exact);
                units = u <= units ? units : u;
            }
            double relative = error / fmax(peak, 1e-30); // a sea of 1e-49 m is calm in float32
            if (!(relative <= worst)) {
                worst = relative;
                which = k;
            }
        }
        char line[128];
        snprintf(line, sizeof line, "%s: %d, cascade %d of %d, %s", name, got.size, c, s->cascades,
                 half ? "16 bits, units" : names[which]);
        good = check_limit(line, half ? units : worst, half ? 0.51 : 3e-5) && good;
    }
    free(want);
    sea_free(&got);
    return good;
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
        ag_ocean_settings s = defaults(i % 10 == 9 ? AG_OCEAN_256 : i % 3);
        s.cascades = 1 + i % 3;
        s.lengths[0] = (float)rng_hdr(&r, 50, 1000);
        s.lengths[1] = s.lengths[0] / (float)rng_uniform(&r, 3, 9);
        s.lengths[2] = s.lengths[1] / (float)rng_uniform(&r, 3, 9);
        s.spectrum = i % 4 == 3;
        s.wind_speed = (float)rng_hdr(&r, 2, 40);
        s.wind_direction = (float)rng_uniform(&r, -180, 180);
        s.fetch = (float)rng_hdr(&r, 1e3, 1e7);
        s.depth = (float)rng_hdr(&r, 2, 1e4);
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

static void test_sizes(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    bool good = true;
    for (int size = AG_OCEAN_32; size <= AG_OCEAN_1024; ++size) {
        ag_ocean_settings s = defaults(size);
        s.cascades = size == AG_OCEAN_1024 ? 1 : 3;
        s.time = 17.3f;
        good = check_run(f, pass, "sizes", &s, false, false) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- energy ------------------------------------------------------------------------------------

// The variance of the surface is the sum of |h|^2, and over many seeds that of P: the energy of the
// spectrum, whatever N and L.
static void test_energy(void **state)
{
    enum { SEEDS = 48 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64);
    double energy = ocean_ref_energy(&s), variance = 0, expected = 0, squares = 0, fine_sum = 0;
    ag_ocean_settings fine = defaults(AG_OCEAN_256);
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 255 * 255; ++i)
            fine_sum += ocean_ref_variance(&fine, c, i % 255 - 127, i / 255 - 127);
    CHECK_LIMIT("sum of P against the integral of S", fabs(fine_sum / energy - 1), 0.01);
    for (int c = 0; c < 3; ++c)
        for (int n = -31; n < 32; ++n)
            for (int m = -31; m < 32; ++m) {
                double p = ocean_ref_variance(&s, c, n, m);
                expected += p;
                squares += p * p;
            }
    for (int seed = 1; seed <= SEEDS; ++seed) {
        s.seed = seed;
        s.time = (float)seed;
        sea got = run(f, pass, &s, false, false);
        for (int c = 0; c < 3; ++c)
            variance += mean_of(cascade_of(&got, c), 64 * 64, 1, true) / SEEDS;
        sea_free(&got);
    }
    double deviation = sqrt(2 * squares / SEEDS) / expected;
    printf("  variance %.5f, sum of P %.5f, integral of S %.5f m^2\n", variance, expected, energy);
    CHECK_LIMIT("mean variance of 48 seas, in deviations",
                fabs(variance / expected - 1) / deviation, 4);
    // Pierson and Moskowitz: Hs = 0.2092 U^2 / g, as 4 sqrt of the sum of P, for any N and L.
    static const double heights[] = {0.533, 2.133, 4.799, 8.532};
    for (int u = 0; u < 4; ++u)
        for (int size = AG_OCEAN_64; size <= AG_OCEAN_256; size += 2) {
            s = defaults(size);
            s.spectrum = AG_OCEAN_PIERSON_MOSKOWITZ;
            s.wind_speed = (float)(5 * (u + 1));
            s.cascades = 1;
            s.lengths[0] = (float)(300 * (u + 1) * (u + 1) / (size == AG_OCEAN_64 ? 4 : 2));
            int half = ocean_ref_size(&s) / 2;
            double sum = 0;
            for (int n = 1 - half; n < half; ++n)
                for (int m = 1 - half; m < half; ++m)
                    sum += ocean_ref_variance(&s, 0, n, m);
            printf("  %d m/s, N %d, L %g m: Hs %.3f\n", 5 * (u + 1), 2 * half, (double)s.lengths[0],
                   4 * sqrt(sum));
            CHECK_LIMIT("significant wave height", fabs(4 * sqrt(sum) / heights[u] - 1), 0.02);
        }
    f->ag->pass_destroy(pass);
}

// What holds exactly over a tile: means are 0, the mean Jacobian is 1, the stretch has the variance
// of the slopes; and the variance is the sum of |h|^2, here of the reference's transform.
static void test_identities(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_128);
    s.time = 3.7f;
    sea got = run(f, pass, &s, false, false);
    int texels = got.size * got.size;
    double *want = check_doubles((size_t)texels * OCEAN_FIELDS);
    for (int c = 0; c < 3; ++c) {
        double *v = cascade_of(&got, c);
        double height = sqrt(mean_of(v, texels, 1, true));
        for (int field = 0; field < 8; ++field)
            CHECK_LIMIT("mean of a field, of its deviation",
                        fabs(mean_of(v, texels, field, false)) /
                            (sqrt(mean_of(v, texels, field, true)) + 1e-30),
                        1e-5);
        CHECK_LIMIT("mean Jacobian - 1", fabs(mean_of(v, texels, 8, false) - 1), 1e-5);
        double slopes = mean_of(v, texels, 4, true) + mean_of(v, texels, 5, true), stretch = 0;
        for (int i = 0; i < texels; ++i)
            stretch += pow(v[i * OCEAN_FIELDS + 6] + v[i * OCEAN_FIELDS + 7], 2) / texels;
        CHECK_LIMIT("variance of the stretch against the slopes'", fabs(stretch / slopes - 1),
                    1e-5);
        ocean_ref_run(&s, c, want);
        CHECK_LIMIT("variance of eta against the reference's",
                    fabs(height * height / mean_of(want, texels, 1, true) - 1), 1e-5);
    }
    sea_free(&got);
    free(want);
    f->ag->pass_destroy(pass);
}

// ---- time, seeds, sizes ------------------------------------------------------------------------

static void test_loop(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64);
    static const float times[] = {0, 12.5f, 100.25f};
    for (size_t i = 0; i < COUNT(times); ++i) {
        s.time = times[i];
        sea first = run(f, pass, &s, false, false);
        s.time = times[i] + s.period;
        sea second = run(f, pass, &s, false, false);
        s.time = times[i] + 140 * s.period; // ten hours
        sea third = run(f, pass, &s, false, false);
        s.time = times[i] - 3 * s.period;
        sea before = run(f, pass, &s, false, false);
        s.time = times[i] + 0.5f;
        sea other = run(f, pass, &s, false, false);
        CHECK(check_case("the same bits a period, ten hours and three periods before",
                         same(&first, &second) && same(&first, &third) && same(&first, &before)));
        CHECK(check_case("another sea in between", !same(&first, &other)));
        sea_free(&first);
        sea_free(&second);
        sea_free(&third);
        sea_free(&before);
        sea_free(&other);
    }
    f->ag->pass_destroy(pass);
}

// A larger N adds short waves: as a low pass of the finer sea the coarser one is found in it again.
static void test_size_keeps_waves(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64), fine = defaults(AG_OCEAN_128);
    s.cascades = fine.cascades = 1;
    s.wind_speed = fine.wind_speed = 20; // its energy is in the long waves
    sea a = run(f, pass, &s, false, false), b = run(f, pass, &fine, false, false);
    double error = 0;
    for (int i = 0; i < 64 * 64; ++i) {
        int at = i / 64 * 2 * 128 + i % 64 * 2;
        error += pow(a.fields[i * OCEAN_FIELDS + 1] - b.fields[at * OCEAN_FIELDS + 1], 2);
    }
    double share = error / (64 * 64) / mean_of(b.fields, 128 * 128, 1, true);
    double lost = 0, all = 0;
    for (int n = -63; n < 64; ++n)
        for (int m = -63; m < 64; ++m) {
            double p = ocean_ref_variance(&fine, 0, n, m);
            all += p;
            lost += abs(n) >= 32 || abs(m) >= 32 ? p : 0;
        }
    printf("  differs by %.2g of the variance, %.2g are in the new waves\n", share, lost / all);
    CHECK_LIMIT("difference in shares of the new waves", share / (lost / all), 1.5);
    s.seed = 2;
    sea other = run(f, pass, &s, false, false);
    CHECK(!same(&a, &other));
    sea_free(&a);
    sea_free(&b);
    sea_free(&other);
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
        sea now = run(f, pass, &s, false, false);
        s.time = 10.5f;
        sea later = run(f, pass, &s, false, false);
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

static void test_calm(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_32);
    static const float depths[] = {0.1f, 1e6f};
    s.wind_speed = 0;
    sea calm = run(f, pass, &s, false, false);
    for (int i = 0; i < 32 * 32 * 3 * OCEAN_FIELDS; ++i)
        CHECK(calm.fields[i] == (i % OCEAN_FIELDS == 8 ? 1 : 0));
    sea_free(&calm);
    s = defaults(AG_OCEAN_32);
    for (int i = 0; i < 2; ++i)
        for (int strong = 0; strong < 2; ++strong) {
            s.depth = depths[i];
            s.wind_speed = strong ? 80 : 0.01f;
            sea got = run(f, pass, &s, false, false);
            for (int k = 0; k < 32 * 32 * 3 * OCEAN_FIELDS; ++k)
                CHECK(isfinite(got.fields[k]) && fabs(got.fields[k]) < 1e6);
            sea_free(&got);
        }
    f->ag->pass_destroy(pass);
}

// ---- contract ----------------------------------------------------------------------------------

// Rectangles, layers behind the first, and no jacobian: the same values, and nothing else written.
static void test_places(void **state)
{
    enum { N = 32, W = 50, H = 45, X = 9, Y = 4, LAYERS = 5, FIRST = 1 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_32);
    sea want = run(f, pass, &s, false, false);
    texture t[2];
    ag_texture slots[SLOTS];
    for (int i = 0; i < 2; ++i) {
        t[i] = texture_create_array(f, "rgba32f", W, H, LAYERS, 1, NULL);
        slots[i] = texture_view(&t[i]);
        slots[i].rect_x = X + i;
        slots[i].rect_y = Y;
        slots[i].rect_width = slots[i].rect_height = N;
        slots[i].first_layer = FIRST;
        slots[i].layers = 3;
    }
    slots[2] = texture_no_view();
    ag_job job = job_of(slots, &s);
    fixture_run(f, pass, &job);
    for (int i = 0; i < 2; ++i) {
        double *got = texture_read(f, &t[i], 0);
        for (int k = 0; k < 3 * N * N * 4; ++k) {
            int texel = k / 4, c = texel / (N * N), y = texel / N % N, x = texel % N;
            int at = ((FIRST + c) * H + Y + y) * W + X + i + x;
            CHECK(got[4 * at + k % 4] == want.fields[texel * OCEAN_FIELDS + 4 * i + k % 4]);
        }
        CHECK_EQ(texture_poison_count(f, &t[i], 0, 0, 0, 0, 0), LAYERS * W * H - 3 * N * N);
        free(got);
        texture_destroy(f, &t[i]);
    }
    sea_free(&want);
    f->ag->pass_destroy(pass);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "ocean");
    ag_ocean_settings s = defaults(AG_OCEAN_64);
    const ag_plan *plan;
    int32_t size[3];
    ag_texture t = {.struct_size = sizeof t,
                    .target = GL_TEXTURE_2D_ARRAY,
                    .format = GL_RGBA16F,
                    .width = 64,
                    .height = 64,
                    .layers = 3};
    ag_texture slots[SLOTS] = {t, t, texture_no_view()};
    ag_job job = job_of(slots, &s);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    CHECK_STATUS(f->ag->slot_size(pass, &job, AG_OCEAN_DERIVATIVES, size), AG_OK);
    CHECK(size[0] == 64 && size[1] == 64 && size[2] == 3);
    struct {
        ag_status status;
        const char *part;
    } cases[] = {{AG_E_SIZE, "64x63"},
                 {AG_E_SIZE, "2 layers"},
                 {AG_E_FORMAT, "RGBA32F"},
                 {AG_E_ARG, "lengths[1] is 500"}};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        s = defaults(AG_OCEAN_64);
        slots[1] = t;
        if (i == 0)
            slots[1].height = 63;
        if (i == 1)
            slots[1].layers = 2;
        if (i == 2)
            slots[1].format = GL_RGBA32F;
        if (i == 3)
            s.lengths[1] = 500;
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->declare(pass, &job, &plan), cases[i].status);
        CHECK_F(host_log_error(&f->host, cases[i].status, cases[i].part), "%s", cases[i].part);
    }
    host_log_clear(&f->host);
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_reference),
        FIXTURE_FULL(test_sizes),
        FIXTURE_TEST(test_energy),
        FIXTURE_TEST(test_identities),
        FIXTURE_TEST(test_loop),
        FIXTURE_TEST(test_calm),
        FIXTURE_TEST(test_size_keeps_waves),
        FIXTURE_TEST(test_direction),
        FIXTURE_TEST(test_places),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
