// bloom_shapes.c - bloom's kernels: spikes, wavelengths, evenness, kernel images fitted
// SPDX-License-Identifier: MIT
//
// The response to a point of light is K itself. The reference for the clean aperture is the Fourier
// transform of a polygon as a sum over its edges, in double (Lee and Mittra 1983), which shares
// nothing with the plugin's drawn and transformed pupil.
#include "test_bloom.h"

enum { SIDE = 128, REACH = 115, HALF = REACH / 2 }; // size 0.9
static const double PI = 3.14159265358979323846;

static ag_bloom_settings shape_settings(fixture *f, int shape)
{
    ag_bloom_settings s = bloom_settings(f, AG_BLOOM_FULL, AG_BLOOM_ONLY);
    s.shape = shape;
    s.size = 0.9f;
    return s;
}

// K, three channels of REACH x REACH (malloc). `image`: kernel image of that size, or NULL.
static double *kernel_of(fixture *f, ag_pass *pass, const ag_bloom_settings *s, const double *image)
{
    double *src = values_even("rgba32f", SIDE, SIDE, 0), *k = check_doubles(3 * REACH * REACH);
    for (int c = 0; c < 3; ++c)
        src[4 * (SIDE / 2 * SIDE + SIDE / 2) + c] = 1;
    ag_bloom_settings settings;
    trial t = blooming_of(f, "kernel", SIDE, SIDE, src, &settings);
    t.pass = pass;
    if (image)
        t.slots[IMAGE] = trial_image("r32f", REACH, REACH, image);
    settings = *s;
    CHECK_EQ(blooming_extent((double)s->size, SIDE), REACH);
    double *got = trial_take(&t, DST);
    for (int y = 0; y < REACH; ++y)
        for (int x = 0; x < REACH; ++x)
            for (int n = 0; n < 3; ++n)
                k[3 * (y * REACH + x) + n] =
                    got[4 * ((y + SIDE / 2 - HALF) * SIDE + x + SIDE / 2 - HALF) + n];
    free(got);
    free(src);
    return k;
}

static double at(const double *k, int x, int y, int channel)
{
    return k[3 * ((y + HALF) * REACH + x + HALF) + channel];
}

// ---- sums, signs, symmetry ---------------------------------------------------------------------

// Every shape, with a lens that is clean or worn.
void test_shapes(void **state)
{
    static const int shapes[] = {AG_BLOOM_APERTURE, AG_BLOOM_STAR, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("shapes", 6);
    for (int i = 0; i < 6; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = shape_settings(f, shapes[i % 3]);
        s.dust = s.scratches = i < 3 ? 0 : 1;
        s.roundness = i < 3 ? 0 : 0.5f;
        double *k = kernel_of(f, pass, &s, NULL), low = 0, odd = 0;
        printf("  note  shape %d, wear %d\n", s.shape, i / 3);
        for (int c = 0; c < 3; ++c) {
            double sum = 0;
            for (int y = -HALF; y <= HALF; ++y)
                for (int x = -HALF; x <= HALF; ++x) {
                    sum += at(k, x, y, c);
                    low = fmin(low, at(k, x, y, c));
                    odd = check_worse(odd, fabs(at(k, x, y, c) - at(k, -x, -y, c)));
                }
            CHECK_LIMIT("|sum of K - 1|", fabs(sum - 1), 1e-5);
        }
        CHECK_LIMIT("the most negative light", -low, 1e-6);
        CHECK_LIMIT("light changed by a point reflection", odd, 1e-6);
        free(k);
    }
    f->ag->pass_destroy(pass);
}

// ---- diffraction -------------------------------------------------------------------------------

static void primaries(double wavelength, double w[3])
{
    static const double middle[] = {605, 545, 460}, width[] = {30, 30, 24};
    for (int c = 0; c < 3; ++c)
        w[c] = exp(-0.5 * pow((wavelength - middle[c]) / width[c], 2));
}

// |F(q)|^2 of a regular polygon with corners on the unit circle.
static double polygon(double qx, double qy, int blades, double rotation)
{
    double q2 = qx * qx + qy * qy, re = 0, im = 0;
    double area = 0.5 * blades * sin(2 * PI / blades);
    if (q2 < 1e-8)
        return 1;
    for (int i = 0; i < blades; ++i) {
        double a = rotation + 2 * PI * i / blades, b = rotation + 2 * PI * (i + 1) / blades;
        double ex = cos(b) - cos(a), ey = sin(b) - sin(a);
        double mx = (cos(a) + cos(b)) / 2, my = (sin(a) + sin(b)) / 2;
        double half = (qx * ex + qy * ey) / 2, sinc = fabs(half) < 1e-6 ? 1 : sin(half) / half;
        double cross = (qx * ey - qy * ex) * sinc, phase = qx * mx + qy * my;
        re += cross * cos(phase);
        im -= cross * sin(phase);
    }
    return (re * re + im * im) / (q2 * q2 * area * area);
}

// The light that a texel gathers, before normalisation.
static void texel_of(double x, double y, const ag_bloom_settings *s, double k[3])
{
    enum { JITTER = 16, WAVES = 100 };
    double to_q = 242.0 * 2 * PI * 128 / 1024 / (REACH / 2.0), all[3] = {0};
    k[0] = k[1] = k[2] = 0;
    for (int i = 0; i < WAVES; ++i) {
        double l = 400 + 280 * (i + 0.5) / WAVES, w[3], sum = 0;
        double scale = pow(545 / l, (double)s->dispersion);
        primaries(l, w);
        for (int j = 0; j < JITTER * JITTER; ++j) {
            double jx = (j % JITTER + 0.5) / JITTER - 0.5, jy = (j / JITTER + 0.5) / JITTER - 0.5;
            sum += polygon((x + jx) * to_q * scale, (y + jy) * to_q * scale, s->blades,
                           (double)s->rotation * PI / 180);
        }
        for (int c = 0; c < 3; ++c) {
            k[c] += w[c] * scale * scale * sum;
            all[c] += w[c];
        }
    }
    double window = fmax(1 - (x * x + y * y) / (REACH * REACH / 4.0), 0);
    for (int c = 0; c < 3; ++c)
        k[c] *= window * window / all[c];
}

// Texels on a spike, beside it and between spikes, as rotated and anywhere, relative to the light
// of all of them: how many spikes there are, where they are, and what each wavelength makes of
// their lengths.
void test_aperture_is_diffraction(void **state)
{
    static const int radii[] = {5, 10, 20, 35}, texels[][2] = {{3, 4}, {10, 8}, {20, 2}, {-17, 9}};
    static const struct {
        int blades;
        float rotation, dispersion;
    } rows[] = {{6, 30, 1}, {5, 0, 1}, {4, 45, 0}, {5, 7, 1}, {4, 45, 2}, {3, -40, 1}, {8, 25, 1}};
    enum { RINGS = COUNT(radii), PROBES = 2 * COUNT(radii) + COUNT(texels) };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("diffraction", 7);
    for (size_t n = 0; n < COUNT(rows); ++n) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = shape_settings(f, AG_BLOOM_APERTURE);
        s.blades = rows[n].blades;
        s.rotation = rows[n].rotation;
        s.dispersion = rows[n].dispersion;
        // A spike is at right angles to an edge, and there is one opposite of it.
        double spike = (double)s.rotation * PI / 180 + PI / s.blades, worst = 0, mean = 0;
        double *k = kernel_of(f, pass, &s, NULL), got[3] = {0}, want[3] = {0}, exact[PROBES][3];
        int place[PROBES][2];
        for (int i = 0; i < PROBES; ++i) {
            double angle = i < RINGS ? spike : spike + 0.5 * PI / s.blades;
            bool free_place = i >= 2 * RINGS;
            place[i][0] =
                free_place ? texels[i - 2 * RINGS][0] : (int)round(radii[i % RINGS] * cos(angle));
            place[i][1] =
                free_place ? texels[i - 2 * RINGS][1] : (int)round(radii[i % RINGS] * sin(angle));
            texel_of(place[i][0], place[i][1], &s, exact[i]);
            for (int c = 0; c < 3; ++c) {
                got[c] += at(k, place[i][0], place[i][1], c);
                want[c] += exact[i][c];
            }
        }
        for (int i = 0; i < 3 * PROBES; ++i) {
            int *p = place[i / 3], c = i % 3;
            double ratio = at(k, p[0], p[1], c) / got[c] / (exact[i / 3][c] / want[c]);
            worst = check_worse(worst, fabs(log(ratio)));
            mean += fabs(log(ratio)) / (3 * PROBES);
        }
        printf("  note  %d blades, turned by %g, dispersion %g\n", s.blades, (double)s.rotation,
               (double)s.dispersion);
        CHECK_LIMIT("light against the polygon's exact transform, mean |log ratio|", mean, 0.05);
        CHECK_LIMIT("the same, greatest", worst, 0.25);
        free(k);
    }
    f->ag->pass_destroy(pass);
}

// ---- what is on the lens -----------------------------------------------------------------------

static double difference(const double *a, const double *b)
{
    double sum = 0, light = 0;
    for (int i = 0; i < 3 * REACH * REACH; ++i) {
        sum += fabs(a[i] - b[i]);
        light += a[i];
    }
    return sum / light;
}

// Each setting matters where its shape reads it, and nowhere else; equal seeds give equal bits.
void test_pupil_settings(void **state)
{
    enum { EYE = 1 << AG_BLOOM_STAR, STREAK = 1 << AG_BLOOM_ANAMORPHIC };
    enum { IRIS = 1 << AG_BLOOM_APERTURE | STREAK, PUPIL = IRIS | EYE };
#define AT(member) offsetof(ag_bloom_settings, member)
    static const struct {
        size_t at;
        float value; // or
        int32_t seed;
        unsigned matters; // bits of shapes
    } rows[] = {{AT(dust), 0.6f, 0, PUPIL},
                {AT(scratches), 0.6f, 0, PUPIL},
                {AT(seed), 0, 2, PUPIL},
                {AT(dispersion), 0.5f, 0, PUPIL},
                {AT(roundness), 0.8f, 0, IRIS},
                {AT(eyelashes), 0.9f, 0, EYE},
                {AT(stretch), 3, 0, STREAK},
                {AT(streak), 0.1f, 0, STREAK},
                {AT(seed), 0, 1, 0}};
#undef AT
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("pupil settings", 20);
    for (int shape = 0; shape < 5; ++shape) {
        if (shape == AG_BLOOM_TEXTURE)
            continue;
        ag_bloom_settings plain = shape_settings(f, shape);
        plain.dust = plain.scratches = 0.3f;
        double *k = NULL;
        for (size_t i = 0; i < COUNT(rows); ++i) {
            if (!sweep_takes(share))
                continue;
            ag_bloom_settings s = plain;
            memcpy((char *)&s + rows[i].at,
                   rows[i].seed ? (const void *)&rows[i].seed : &rows[i].value, 4);
            k = k ? k : kernel_of(f, pass, &plain, NULL);
            double *other = kernel_of(f, pass, &s, NULL), change = difference(k, other);
            char name[64];
            snprintf(name, sizeof name, "shape %d, row %d: light changed", shape, (int)i);
            if (rows[i].matters >> shape & 1)
                CHECK_F(change > 0.003, "%s: %g", name, change);
            else
                CHECK_LIMIT(name, change, 0);
            free(other);
        }
        free(k);
    }
    f->ag->pass_destroy(pass);
}

// ---- kernel images -----------------------------------------------------------------------------

// A spot off the middle on a grey background becomes a spot in the middle on black.
void test_kernel_image_is_fitted(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *image = check_doubles(REACH * REACH);
    for (int i = 0; i < REACH * REACH; ++i) {
        double x = i % REACH - (HALF + 11), y = i / REACH - (HALF - 17);
        image[i] = 0.25 + 3 * exp(-(x * x + y * y) / 50);
    }
    ag_bloom_settings s = shape_settings(f, AG_BLOOM_TEXTURE);
    host_log_clear(&f->host);
    double *k = kernel_of(f, pass, &s, image), sum = 0, worst = 0, corner = 0;
    for (int y = -HALF; y <= HALF; ++y)
        for (int x = -HALF; x <= HALF; ++x) {
            double want = exp(-(x * x + y * y) / 50.0) / (50 * PI);
            sum += at(k, x, y, 0);
            worst = check_worse(worst, fabs(at(k, x, y, 0) - want) * 50 * PI);
            if (abs(x) == HALF && abs(y) == HALF)
                corner = check_worse(corner, fabs(at(k, x, y, 0)) * 50 * PI);
        }
    CHECK_LIMIT("|sum of K - 1|", fabs(sum - 1), 1e-5);
    CHECK_LIMIT("K against the spot, over its peak", worst, 0.005);
    CHECK_LIMIT("what is left of the background", corner, 1e-4);
    host_log_print(&f->host);
    CHECK(host_log_has(&f->host, "kernel_image: centre at 68.0"));
    CHECK(host_log_has(&f->host, "black level 0.25"));
    CHECK(host_log_has(&f->host, "sum 471.239 ")); // 3 * 50 pi
    CHECK(host_log_has(&f->host, "centre weight 0.0063662 "));
    CHECK(host_log_has(&f->host, "0.00% of the light is outside"));
    // Three quarters of the light right of the middle, one left of it: around its centroid that one
    // is out of the window, by three texels.
    for (int i = 0; i < REACH * REACH; ++i)
        image[i] = 0;
    image[HALF * REACH + HALF + 40] = 3;
    image[HALF * REACH + HALF - 40] = 1;
    host_log_clear(&f->host);
    double *clipped = kernel_of(f, pass, &s, image);
    CHECK(host_log_has(&f->host, "centre at 77.0"));
    CHECK(host_log_has(&f->host, "25.00% of the light is outside"));
    CHECK_LIMIT("all light is at 20 texels from the centroid", fabs(at(clipped, 20, 0, 0) - 1),
                1e-5);
    host_log_print(&f->host);
    free(clipped);
    free(k);
    free(image);
    f->ag->pass_destroy(pass);
}
