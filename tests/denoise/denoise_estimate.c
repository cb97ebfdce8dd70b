// denoise_estimate.c - the noise of photographs, as "denoise" finds it, beside the truth
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- photographs (photos.py) --------------------------------------------------------------------

typedef struct photo {
    int width, height, channels;
    double *values; // 0..1
} photo;

static photo photo_read(int which)
{
    FILE *file = fopen(AG_DENOISE_PHOTOS, "rb");
    CHECK_F(file != NULL, "%s", AG_DENOISE_PHOTOS);
    photo p = {0};
    for (int i = 0; i <= which; ++i) {
        int32_t size[3];
        CHECK(fread(size, sizeof size, 1, file) == 1);
        size_t count = (size_t)(size[0] * size[1] * size[2]);
        unsigned char *bytes = malloc(count);
        CHECK(bytes && fread(bytes, 1, count, file) == count);
        free(p.values);
        p = (photo){size[0], size[1], size[2], check_doubles(count)};
        for (size_t k = 0; k < count; ++k)
            p.values[k] = bytes[k] / 255.0;
        free(bytes);
    }
    fclose(file);
    return p;
}

static photo photo_copy(const photo *p)
{
    photo copy = *p;
    size_t count = (size_t)(p->width * p->height * p->channels);
    copy.values = check_doubles(count);
    memcpy(copy.values, p->values, count * sizeof *copy.values);
    return copy;
}

static double *texel_of(const photo *p, int x, int y) // which goes on as in a mirror, by a texel
{
    x = x < 0 ? -x : x >= p->width ? 2 * p->width - 2 - x : x;
    y = y < 0 ? -y : y >= p->height ? 2 * p->height - 2 - y : y;
    return p->values + (size_t)(y * p->width + x) * (size_t)p->channels;
}

// ---- noise --------------------------------------------------------------------------------------

typedef enum noise_kind { WHITE, AVERAGED, MOSAIC, CODEC, PHOTONS } noise_kind;

// Of each 2 x 2 texels red is measured at the first, green at two, blue at the last; what lies
// between is the mean of the neighbours that were measured.
static void through_mosaic(photo *p)
{
    photo measured = photo_copy(p);
    for (int y = 0; y < p->height; ++y)
        for (int x = 0; x < p->width; ++x)
            for (int c = 0; c < 3; ++c) {
                double sum = 0, weights = 0;
                for (int i = 0; i < 9; ++i) {
                    int dx = i % 3 - 1, dy = i / 3 - 1;
                    bool green = (x + dx + y + dy) % 2 != 0, row = (y + dy) % 2 == 0;
                    bool here = c == 1 ? green : !green && row == (c == 0);
                    double weight = here ? (2 - abs(dx)) * (2 - abs(dy)) : 0;
                    weight = c == 1 && here && dx && dy ? 0 : weight;
                    sum += weight * texel_of(&measured, x + dx, y + dy)[c];
                    weights += weight;
                }
                texel_of(p, x, y)[c] = sum / weights;
            }
    free(measured.values);
}

// The cosine transform of 8 x 8 values, whose coefficients are rounded to steps that grow with
// frequency, about those of a JPEG of quality 90.
static void through_blocks(double *v, int stride, int row, bool chroma)
{
    double basis[8][8], c[8][8], d[8][8];
    for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 8; ++i)
            basis[k][i] = cos((2 * i + 1) * k * 0.19634954084936207) * (k ? 0.5 : sqrt(0.125));
    for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 8; ++i) {
            c[k][i] = 0;
            for (int j = 0; j < 8; ++j)
                c[k][i] += basis[k][j] * v[j * row + i * stride];
        }
    for (int k = 0; k < 8; ++k)
        for (int l = 0; l < 8; ++l) {
            double sum = 0, step = (chroma ? 3.5 + 2 * (k + l) : 2.5 + 1.3 * (k + l)) / 255;
            for (int i = 0; i < 8; ++i)
                sum += basis[l][i] * c[k][i];
            d[k][l] = round(sum / step) * step;
        }
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) {
            double sum = 0;
            for (int k = 0; k < 8; ++k)
                for (int l = 0; l < 8; ++l)
                    sum += basis[k][j] * basis[l][i] * d[k][l];
            v[j * row + i * stride] = sum;
        }
}

static void through_codec(photo *p)
{
    static const double to[3][3] = {{0.299, 0.587, 0.114},
                                    {-0.168736, -0.331264, 0.5},
                                    {0.5, -0.418688, -0.081312}};
    static const double back[3][3] = {{1, 0, 1.402}, {1, -0.344136, -0.714136}, {1, 1.772, 0}};
    int n = p->channels, row = p->width * n;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < p->width * p->height && n == 3; ++i) {
            double *t = p->values + (size_t)i * 3, r = t[0], g = t[1], b = t[2];
            const double(*m)[3] = pass ? back : to;
            for (int c = 0; c < 3; ++c)
                t[c] = m[c][0] * r + m[c][1] * g + m[c][2] * b;
        }
        for (int i = 0; i < p->width / 8 * (p->height / 8) * n && !pass; ++i) {
            int block = i / n, across = p->width / 8;
            through_blocks(p->values + block / across * 8 * row + block % across * 8 * n + i % n, n,
                           row, i % n > 0);
        }
    }
}

static double photons(rng *r, double mean)
{
    double limit = exp(-mean), product = rng_uniform(r, 0, 1);
    int count = 0;
    for (; product > limit; ++count)
        product *= rng_uniform(r, 0, 1);
    return count;
}

// `size`: sigma; of PHOTONS how many a value of 1 is. The clean image changes with MOSAIC.
static photo with_noise(rng *r, photo *clean, noise_kind kind, double size)
{
    photo noisy = photo_copy(clean), white = photo_copy(clean);
    int count = clean->width * clean->height * clean->channels, n = clean->channels;
    for (int i = 0; i < count; ++i) {
        white.values[i] = size * rng_normal(r);
        noisy.values[i] = kind == PHOTONS ? photons(r, size * clean->values[i]) / size
                                          : clean->values[i] + white.values[i];
    }
    for (int i = 0; i < count && kind == AVERAGED; ++i) {
        int x = i / n % clean->width, y = i / n / clean->width;
        double sum = 0;
        for (int k = 0; k < 4; ++k)
            sum += texel_of(&white, x + k % 2, y + k / 2)[i % n];
        noisy.values[i] = clean->values[i] + sum / 2;
    }
    if (kind == MOSAIC) {
        through_mosaic(clean);
        through_mosaic(&noisy);
    }
    if (kind == CODEC)
        through_codec(&noisy);
    free(white.values);
    return noisy;
}

// ---- the test -----------------------------------------------------------------------------------

static double *with_alpha(const photo *p) // four channels instead of three
{
    int texels = p->width * p->height, n = p->channels == 3 ? 4 : 1;
    double *values = check_doubles((size_t)(texels * n));
    for (int i = 0; i < texels * n; ++i)
        values[i] = n == 1 ? p->values[i] : i % 4 < 3 ? p->values[i / 4 * 3 + i % 4] : 1;
    return values;
}

// The defaults, of a frame of which nothing is known, and the same filter by definition that is
// told the noise of each band and the curve.
static bool check_noise(fixture *f, rng *r, int which, noise_kind kind, double size, double lost)
{
    static const char *const names[] = {"white", "averaged", "mosaic", "codec", "photons"};
    photo clean = photo_read(which);
    if (kind == MOSAIC && clean.channels < 3) {
        free(clean.values);
        return true;
    }
    photo noisy = with_noise(r, &clean, kind, size);
    int w = clean.width, h = clean.height, n = clean.channels == 3 ? 4 : 1;
    size_t count = (size_t)(w * h * n);
    double *is = with_alpha(&clean), *seen = with_alpha(&noisy), *right = check_doubles(count);
    const char *format = n == 4 ? "rgba32f" : "r32f";
    texture_quantise(format, seen, (size_t)(w * h));
    ag_denoise_settings s;
    trial t = trial_of(f, "denoise", "a photograph", &s, sizeof s);
    t.slots[SRC] = trial_image(format, w, h, seen);
    t.slots[DST] = trial_image(format, w, h, NULL);
    double *got = trial_take(&t, DST);
    denoise_ref_image images[2] = {{seen, w, h, n, 0}, {is, w, h, n, 0}};
    denoise_ref_statistics truth;
    // Photons have no noise at black: the curve is that of a hundredth of white there.
    denoise_ref_truth(&images[0], &images[1], kind == PHOTONS ? 100 : 0, &s, &truth);
    denoise_ref(&images[0], &s, &truth, 0, right, NULL);
    // without alpha, which has no error
    double share = n == 4 ? 10 * log10(0.75) : 0, noise = check_psnr(seen, is, count, 1) + share;
    double told = check_psnr(right, is, count, 1) + share;
    double found = check_psnr(got, is, count, 1) + share;
    char name[128];
    snprintf(name, sizeof name,
             "photograph %d, %s %g: %.2f dB; told the truth %.2f, found %.2f: lost", which,
             names[kind], size, noise, told, found);
    bool good = check_limit(name, told - found, lost);
    free(clean.values);
    free(noisy.values);
    free(is);
    free(seen);
    free(right);
    free(got);
    return good;
}

void test_estimate(void **state)
{
    static const struct {
        noise_kind kind;
        double size, lost;
    } cases[] = {{WHITE, 0.05, 0.5},  {AVERAGED, 0.1, 0.5}, {MOSAIC, 0.1, 0.5}, {CODEC, 0.06, 0.5},
                 {PHOTONS, 400, 0.5}, {PHOTONS, 100, 0.5},  {PHOTONS, 25, 0.5}};
    rng r = rng_start("estimate", 941);
    bool good = true;
    sweep *share = sweep_start("estimate", 7);
    for (int which = 0; which < 3; ++which)
        for (size_t i = 0; i < COUNT(cases); ++i)
            if (sweep_takes(share))
                good =
                    check_noise(*state, &r, which, cases[i].kind, cases[i].size, cases[i].lost) &&
                    good;
    CHECK(good);
}

// Pictures without noise stay nearly as they are: photographs of which each texel is the mean of
// 2 x 2 more, which have texture in all tiles, and a smooth scene with edges.
void test_clean(void **state)
{
    bool good = true;
    for (int which = 0; which < 4; ++which) {
        photo p = photo_read(which % 3);
        int w = p.width / 2, h = p.height / 2, n = p.channels == 3 ? 4 : 1;
        double *is = which < 3 ? check_doubles((size_t)(w * h * n)) : denoise_scene(w, h, n, 0, 0);
        for (int i = 0; i < w * h * n && which < 3; ++i) {
            int texel = i / n, at = texel / w * 2 * p.width + texel % w * 2, c = i % n;
            is[i] = 0;
            for (int k = 0; k < 4; ++k)
                is[i] +=
                    c == 3 ? 0.25 : p.values[(at + k / 2 * p.width + k % 2) * p.channels + c] / 4;
        }
        const char *format = n == 4 ? "rgba32f" : "r32f";
        texture_quantise(format, is, (size_t)(w * h));
        ag_denoise_settings s;
        trial t = trial_of(*state, "denoise", "a clean picture", &s, sizeof s);
        t.slots[SRC] = trial_image(format, w, h, is);
        t.slots[DST] = trial_image(format, w, h, NULL);
        double *got = trial_take(&t, DST);
        char name[64];
        snprintf(name, sizeof name, "%s %d, no noise: dB of the result below 48",
                 which < 3 ? "photograph" : "scene", which);
        double share = n == 4 ? 10 * log10(0.75) : 0;
        good =
            check_limit(name, 48 - check_psnr(got, is, (size_t)(w * h * n), 1) - share, 0) && good;
        free(p.values);
        free(is);
        free(got);
    }
    CHECK(good);
}

// ---- flat parts ---------------------------------------------------------------------------------

enum { FLAT = 128 }; // texels of a flat part in x and y

// The rms of what has wavelengths of 4 to 32 texels, in a flat part whose edges are faded out.
static double mottle_of(const double *values)
{
    double power = 0, window = 0, *v = check_doubles(FLAT * FLAT), mean = 0;
    double(*rows)[FLAT][2] = calloc(FLAT, sizeof *rows), cosines[FLAT];
    for (int i = 0; i < FLAT; ++i)
        cosines[i] = cos(i * 6.283185307179586 / FLAT);
    for (int i = 0; i < FLAT * FLAT; ++i)
        mean += values[i] / (FLAT * FLAT);
    for (int i = 0; i < FLAT * FLAT; ++i) {
        double fade = (1 - cosines[i % FLAT]) * (1 - cosines[i / FLAT]) / 4;
        v[i] = (values[i] - mean) * fade;
        window += fade * fade;
    }
    enum { MOST = FLAT / 4 };
    for (int y = 0; y < FLAT; ++y)
        for (int k = 0; k <= MOST; ++k)
            for (int x = 0; x < FLAT; ++x)
                for (int part = 0; part < 2; ++part) // cosine and sine
                    rows[y][k][part] += v[y * FLAT + x] * cosines[(k * x + part * 96) % FLAT];
    for (int k = 0; k <= MOST; ++k)
        for (int l = -MOST; l <= MOST; ++l) {
            double re = 0, im = 0, f = hypot(k, l);
            if (f < FLAT / 32.0 || f > FLAT / 4.0)
                continue;
            for (int y = 0; y < FLAT; ++y) {
                int at = (l * y % FLAT + FLAT) % FLAT;
                double c = cosines[at], s = cosines[(at + 96) % FLAT];
                re += rows[y][k][0] * c - rows[y][k][1] * s;
                im += rows[y][k][0] * s + rows[y][k][1] * c;
            }
            power += (k ? 2 : 1) * (re * re + im * im);
        }
    free(rows);
    free(v);
    return sqrt(power / ((double)FLAT * FLAT * window));
}

// A flat part of a photograph: the defaults beside soft thresholds of BayesShrink in three levels,
// the defaults before them; and no speck stays.
void test_mottle(void **state)
{
    enum { EDGE = 40, W = 256 };
    rng r = rng_start("mottle", 942);
    photo p = photo_read(0);
    for (int i = 0; i < W * W * 3; ++i) {
        int x = i / 3 % W, y = i / 3 / W, reach = FLAT + EDGE + 20;
        if (x >= EDGE - 20 && x < reach && y >= EDGE - 20 && y < reach)
            p.values[i] = 0.45 - 0.05 * (i % 3);
    }
    double *is = with_alpha(&p), mottle[2], worst = 0;
    double *seen = check_doubles(W * W * 4);
    for (int i = 0; i < W * W * 4; ++i)
        seen[i] = is[i] + (i % 4 < 3 ? 0.05 * rng_normal(&r) : 0);
    for (int k = 0; k < 2; ++k) {
        ag_denoise_settings s;
        trial t = trial_of(*state, "denoise", "a flat part", &s, sizeof s);
        if (k) {
            s.threshold = AG_DENOISE_SOFT;
            s.rule = AG_DENOISE_BAYES;
            s.levels = 3;
        }
        t.slots[SRC] = trial_image("rgba32f", W, W, seen);
        t.slots[DST] = trial_image("rgba32f", W, W, NULL);
        double *got = trial_take(&t, DST), *flat = check_doubles(FLAT * FLAT), sum = 0;
        for (int c = 0; c < 3; ++c) {
            for (int i = 0; i < FLAT * FLAT; ++i) {
                int at = ((EDGE + i / FLAT) * W + EDGE + i % FLAT) * 4 + c;
                flat[i] = got[at];
                worst = k ? worst : check_worse(worst, fabs(got[at] - is[at]));
            }
            sum += pow(mottle_of(flat), 2) / 3;
        }
        mottle[k] = sqrt(sum) / 0.05;
        free(flat);
        free(got);
    }
    printf("  rms of 4 to 32 texels of wavelength, in sigma: %.4f, before %.4f\n", mottle[0],
           mottle[1]);
    CHECK_LIMIT("of that of soft BayesShrink in three levels", mottle[0] / mottle[1], 1 / 3.0);
    CHECK_LIMIT("the largest error of a flat texel, in sigma", worst / 0.05, 0.8);
    free(p.values);
    free(is);
    free(seen);
}
