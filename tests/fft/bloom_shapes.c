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
    ag_bloom_settings s = bloom_settings(f);
    s.shape = shape;
    s.size = 0.9f;
    s.output = AG_BLOOM_ONLY;
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

void test_shapes_sum_to_one(void **state)
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
        double *k = kernel_of(f, pass, &s, NULL), sum[3] = {0}, low = 0, odd = 0;
        for (int y = -HALF; y <= HALF; ++y)
            for (int x = -HALF; x <= HALF; ++x)
                for (int c = 0; c < 3; ++c) {
                    sum[c] += at(k, x, y, c);
                    low = fmin(low, at(k, x, y, c));
                    odd = check_worse(odd, fabs(at(k, x, y, c) - at(k, -x, -y, c)));
                }
        char name[96];
        for (int c = 0; c < 3; ++c) {
            snprintf(name, sizeof name, "shape %d, wear %d, channel %d: |sum of K - 1|", s.shape,
                     i / 3, c);
            CHECK_LIMIT(name, fabs(sum[c] - 1), 1e-5);
        }
        CHECK_LIMIT("the most negative light", -low, 1e-6);
        CHECK_LIMIT("light changed by a point reflection", odd, 1e-6);
        free(k);
    }
    f->ag->pass_destroy(pass);
}

// ---- spikes ------------------------------------------------------------------------------------

// The harmonic of `folds` spikes around the centre, between two radii: its phase and its strength.
static double harmonic(const double *k, int folds, double *phase)
{
    double re = 0, im = 0, all = 0;
    for (int y = -HALF; y <= HALF; ++y)
        for (int x = -HALF; x <= HALF; ++x) {
            double radius = hypot(x, y), angle = atan2(y, x);
            if (radius < 8 || radius > 40)
                continue;
            double light = at(k, x, y, 1) * pow(radius, 3);
            re += light * cos(folds * angle);
            im += light * sin(folds * angle);
            all += light;
        }
    *phase = atan2(im, re);
    return hypot(re, im) / all;
}

// n blades: n spikes where n is even, else 2 n; and they turn with the iris.
void test_spikes_count_and_turn(void **state)
{
    static const double turns[] = {0, 7, 25, -40};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    bool quick = check_tier_now() == CHECK_QUICK; // an odd and an even number, turned once
    for (int blades = quick ? 5 : 3; blades <= (quick ? 6 : 8); ++blades) {
        double first = 0;
        for (int i = 0; i < (quick ? 2 : blades == 5 || blades == 6 ? 4 : 1); ++i) {
            ag_bloom_settings s = shape_settings(f, AG_BLOOM_APERTURE);
            s.blades = blades;
            s.rotation = (float)turns[i];
            double *k = kernel_of(f, pass, &s, NULL), strongest = 0, phase;
            int folds = blades % 2 ? 2 * blades : blades, which = 0;
            for (int n = 1; n <= folds + 2; ++n) {
                double strength = harmonic(k, n, &phase);
                which = strength > strongest ? n : which;
                strongest = fmax(strongest, strength);
            }
            CHECK_EQ(which, folds);
            harmonic(k, folds, &phase);
            first = i ? first : phase;
            double off = remainder((phase - first) - folds * turns[i] * PI / 180, 2 * PI) / folds;
            char name[96];
            snprintf(name, sizeof name, "%d blades, turned by %g: degrees off", blades, turns[i]);
            CHECK_LIMIT(name, fabs(off) * 180 / PI, 0.5);
            free(k);
        }
    }
    f->ag->pass_destroy(pass);
}

// ---- wavelengths -------------------------------------------------------------------------------

static void primaries(double wavelength, double w[3])
{
    static const double middle[] = {605, 545, 460}, width[] = {30, 30, 24};
    for (int c = 0; c < 3; ++c)
        w[c] = exp(-0.5 * pow((wavelength - middle[c]) / width[c], 2));
}

static double mean_wavelength(int channel)
{
    double sum = 0, all = 0, w[3];
    for (double l = 400.5; l < 680; ++l) {
        primaries(l, w);
        sum += w[channel] * l;
        all += w[channel];
    }
    return sum / all;
}

// Light along the spike of a two-sided kernel, at a radius between texels.
static double along(const double *k, double radius, int channel)
{
    int low = (int)floor(radius);
    double t = radius - low, sum[2] = {0};
    for (int i = 0; i < 2; ++i)
        for (int y = -6; y <= 6; ++y)
            sum[i] += at(k, low + i, y, channel);
    return sum[0] * pow(sum[1] / sum[0], t);
}

// Without a window, K at radius r in light of wavelength a l is K at r / a in light of l, divided
// by a^2 (along a spike summed across: by a). The window is divided out. The best a of all is that
// of the channels' mean wavelengths, to the power of dispersion.
void test_spike_length_by_wavelength(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    for (int dispersion = 0; dispersion <= 2; ++dispersion)
        for (int channel = 0; channel <= 2; channel += 2) {
            ag_bloom_settings s = shape_settings(f, AG_BLOOM_APERTURE);
            s.blades = 4;
            s.rotation = 45; // two of its spikes are along x
            s.dispersion = (float)dispersion;
            double *k = kernel_of(f, pass, &s, NULL), best = 0, least = INFINITY;
            for (double a = 0.4; a < 2.2; a += 0.002) {
                double error = 0;
                int count = 0;
                for (double r = 12; r < 45; r += 0.5) {
                    double from = r / a;
                    if (from < 4 || from > 50)
                        continue;
                    double window = pow(1 - r * r / (57.5 * 57.5), 2);
                    double other = pow(1 - from * from / (57.5 * 57.5), 2);
                    double ratio = along(k, r, channel) / window / (along(k, from, 1) / other) * a;
                    error += pow(log(ratio), 2);
                    ++count;
                }
                if (count > 20 && error / count < least) {
                    least = error / count;
                    best = a;
                }
            }
            double want = pow(mean_wavelength(channel) / mean_wavelength(1), dispersion);
            char name[96];
            snprintf(name, sizeof name, "dispersion %d, channel %d: |scale %.3f / %.3f - 1|",
                     dispersion, channel, best, want);
            CHECK_LIMIT(name, fabs(best / want - 1), 0.02);
            free(k);
        }
    f->ag->pass_destroy(pass);
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
static void texel_of(double x, double y, int blades, double rotation, double k[3])
{
    enum { JITTER = 24, WAVES = 140 };
    double to_q = 242.0 * 2 * PI * 128 / 1024 / (REACH / 2.0), all[3] = {0};
    k[0] = k[1] = k[2] = 0;
    for (int i = 0; i < WAVES; ++i) {
        double l = 400 + 280 * (i + 0.5) / WAVES, w[3], scale = 545 / l, sum = 0;
        primaries(l, w);
        for (int j = 0; j < JITTER * JITTER; ++j) {
            double jx = (j % JITTER + 0.5) / JITTER - 0.5, jy = (j / JITTER + 0.5) / JITTER - 0.5;
            sum += polygon((x + jx) * to_q * scale, (y + jy) * to_q * scale, blades, rotation);
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

// Texels on a spike, between spikes, and anywhere, relative to the light of one ring.
void test_aperture_is_diffraction(void **state)
{
    static const int texels[][2] = {{5, 0},  {10, 0}, {20, 0}, {35, 0}, {0, 5},
                                    {0, 10}, {3, 4},  {10, 8}, {20, 2}, {-17, 9}};
    enum { PROBES = sizeof texels / sizeof *texels };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    ag_bloom_settings s = shape_settings(f, AG_BLOOM_APERTURE);
    s.rotation = 30; // a spike along x
    double *k = kernel_of(f, pass, &s, NULL), got[3] = {0}, want[3] = {0}, exact[PROBES][3];
    for (int i = 0; i < PROBES; ++i) {
        texel_of(texels[i][0], texels[i][1], 6, PI / 6, exact[i]);
        for (int c = 0; c < 3; ++c) {
            got[c] += at(k, texels[i][0], texels[i][1], c);
            want[c] += exact[i][c];
        }
    }
    double worst = 0, mean = 0;
    for (int i = 0; i < PROBES; ++i)
        for (int c = 0; c < 3; ++c) {
            double ratio = at(k, texels[i][0], texels[i][1], c) / got[c] / (exact[i][c] / want[c]);
            printf("  note  texel %3d, %3d, channel %d: %.3f of the exact light\n", texels[i][0],
                   texels[i][1], c, ratio);
            worst = check_worse(worst, fabs(log(ratio)));
            mean += fabs(log(ratio)) / (3 * PROBES);
        }
    CHECK_LIMIT("light against the polygon's exact transform, mean |log ratio|", mean, 0.05);
    CHECK_LIMIT("the same, greatest", worst, 0.25);
    free(k);
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
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("pupil settings", 12);
    for (int shape = 0; shape < 5; ++shape) {
        if (shape == AG_BLOOM_TEXTURE)
            continue;
        ag_bloom_settings plain = shape_settings(f, shape);
        plain.dust = plain.scratches = 0.3f;
        double *k = kernel_of(f, pass, &plain, NULL);
        bool pupil = shape != AG_BLOOM_GAUSSIAN, eye = shape == AG_BLOOM_STAR;
        bool anamorphic = shape == AG_BLOOM_ANAMORPHIC;
        for (int i = 0; i < 9; ++i) {
            if (shape == AG_BLOOM_APERTURE || (anamorphic && i < 4) || (eye && i == 8))
                continue; // drawn like the others
            if (!sweep_takes(share))
                continue;
            ag_bloom_settings s = plain;
            bool matters = pupil;
            switch (i) {
            case 0: s.dust = 0.6f; break;
            case 1: s.scratches = 0.6f; break;
            case 2: s.seed = 2; break;
            case 3: s.dispersion = 0.5f; break;
            case 4: s.roundness = 0.8f, matters = pupil && !eye; break;
            case 5: s.eyelashes = 0.9f, matters = eye; break;
            case 6: s.stretch = 3, matters = anamorphic; break;
            case 7: s.streak = 0.1f, matters = anamorphic; break;
            default: matters = false; break;
            }
            double *other = kernel_of(f, pass, &s, NULL), change = difference(k, other);
            char name[64];
            snprintf(name, sizeof name, "shape %d, setting %d: light changed", shape, i);
            if (matters)
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
    double *k = kernel_of(f, pass, &s, image), sum = 0, mx = 0, my = 0, worst = 0, corner = 0;
    for (int y = -HALF; y <= HALF; ++y)
        for (int x = -HALF; x <= HALF; ++x) {
            double want = exp(-(x * x + y * y) / 50.0) / (50 * PI);
            sum += at(k, x, y, 0);
            mx += x * at(k, x, y, 0);
            my += y * at(k, x, y, 0);
            worst = check_worse(worst, fabs(at(k, x, y, 0) - want) * 50 * PI);
            if (abs(x) == HALF && abs(y) == HALF)
                corner = check_worse(corner, fabs(at(k, x, y, 0)) * 50 * PI);
        }
    CHECK_LIMIT("|sum of K - 1|", fabs(sum - 1), 1e-5);
    CHECK_LIMIT("centroid of K off its centre, in texels", hypot(mx, my), 0.01);
    CHECK_LIMIT("K against the spot, over its peak", worst, 0.005);
    CHECK_LIMIT("what is left of the background", corner, 1e-4);
    host_log_print(&f->host);
    CHECK(host_log_has(&f->host, "kernel_image: centre at 68.0"));
    CHECK(host_log_has(&f->host, "black level 0.25"));
    CHECK(host_log_has(&f->host, "sum 471.239 ")); // 3 * 50 pi
    CHECK(host_log_has(&f->host, "centre weight 0.0063662 "));
    CHECK(host_log_has(&f->host, "0.00% of the light is outside"));
    // As it is: the background counts, and the spot stays where it was.
    s.kernel_fit = AG_BLOOM_FIT_EXACT;
    double *exact = kernel_of(f, pass, &s, image);
    CHECK(at(exact, 11, -17, 0) > 5 * at(exact, 0, 0, 0));
    CHECK(at(exact, HALF, HALF, 0) > 1e-6);
    // Three quarters of the light right of the middle, one left of it: around its centroid that one
    // is out of the window, by three texels.
    for (int i = 0; i < REACH * REACH; ++i)
        image[i] = 0;
    image[HALF * REACH + HALF + 40] = 3;
    image[HALF * REACH + HALF - 40] = 1;
    s.kernel_fit = AG_BLOOM_FIT_AUTO;
    host_log_clear(&f->host);
    double *clipped = kernel_of(f, pass, &s, image);
    CHECK(host_log_has(&f->host, "centre at 77.0"));
    CHECK(host_log_has(&f->host, "25.00% of the light is outside"));
    CHECK_LIMIT("all light is at 20 texels from the centroid", fabs(at(clipped, 20, 0, 0) - 1),
                1e-5);
    host_log_print(&f->host);
    free(clipped);
    free(exact);
    free(k);
    free(image);
    f->ag->pass_destroy(pass);
}
