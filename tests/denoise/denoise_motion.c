// denoise_motion.c - what the history of "denoise" is worth in motion, and what it drops
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 160, H = 120, VALUES = W * H * 4, FRAMES = 16 };

// A trial of this size with history and motion.
static trial moving_of(fixture *f, const char *format, int width, int height,
                       ag_denoise_settings *s)
{
    trial t = denoise_of(f, "motion", "rgba32f", width, height, NULL, s);
    t.slots[HISTORY] = trial_image(format, width, height, NULL);
    t.slots[MOTION] = trial_image("rg32f", width, height, NULL);
    t.job.dt = 1 / 60.0f;
    s->rule = AG_DENOISE_BAYES;
    s->sigma = 0;
    s->exact = 1;
    trial_make(&t);
    return t;
}

static void upload(trial *t, int slot, double *values)
{
    texture_upload(t->f, &t->textures[slot], 0, values);
    free(values);
}

// ---- scenes -------------------------------------------------------------------------------------

// A place of the scene that a texel sees: this part of a scene is a function of two numbers, so it
// is sampled anywhere, and no image is resampled.
typedef double scene(double x, double y);

// Waves of 5 to 20 texels on plates with edges, and discs.
static double plates(double x, double y)
{
    double v = 0.4 + 0.1 * sin(x / 23) * cos(y / 19);
    double plate = floor(x / 37) + 2 * floor(y / 31);
    v += 0.1 * (fmod(fabs(plate), 3) - 1);
    v += 0.09 * sin(0.9 * x + 0.45 * y) + 0.09 * sin(0.31 * x - 0.42 * y + sin(0.11 * y));
    double u = x / 53 - floor(x / 53) - 0.5, w = y / 47 - floor(y / 47) - 0.5;
    return u * u + w * w < 0.05 ? 0.9 - 0.6 * v : v;
}

static const double star_spokes = 36;

static double star(double x, double y)
{
    return 0.5 + 0.4 * sin(star_spokes * atan2(y, x));
}

// What a camera sees at (left, top) with texels of this size: each by a tent of two texels, as of
// the pixel filter of a renderer, with 4 x 4 samples at the tent's quantiles.
static double *seen(scene *at, int width, int height, double left, double top, double size)
{
    static const double offsets[] = {-0.5, -0.134, 0.134, 0.5};
    double *values = check_doubles(4 * (size_t)(width * height));
    for (int i = 0; i < width * height; ++i) {
        double sum = 0;
        for (int k = 0; k < 16; ++k)
            sum += at(left + size * (i % width + offsets[k % 4]),
                      top + size * (i / width + offsets[k / 4])) /
                   16;
        for (int c = 0; c < 4; ++c)
            values[4 * i + c] = c == 3 ? 1 : sum * (1 - 0.1 * c) + 0.05 * c;
    }
    return values;
}

static double *noisy(rng *r, const double *clean, int count, double sigma)
{
    double *values = check_doubles((size_t)count);
    for (int i = 0; i < count; ++i)
        values[i] = clean[i] + (i % 4 < 3 ? sigma * rng_normal(r) : 0);
    return values;
}

static double *motion_of(int width, int height, double x, double y, double zoom)
{
    double *values = check_doubles(2 * (size_t)(width * height));
    for (int i = 0; i < width * height; ++i) {
        values[2 * i] = x + zoom * (i % width - width / 2);
        values[2 * i + 1] = y + zoom * (i / width - height / 2);
    }
    return values;
}

// Of what is 16 texels and more inside, and has been there for so many columns and rows of motion.
static double psnr_within(const double *a, const double *b, double columns, double rows)
{
    double sum = 0;
    long count = 0;
    for (int y = 16; y < H - 16 - (int)rows; ++y)
        for (int x = 16; x < W - 16 - (int)columns; ++x)
            for (int c = 0; c < 3; ++c, ++count)
                sum += pow(a[(y * W + x) * 4 + c] - b[(y * W + x) * 4 + c], 2);
    return -10 * log10(sum / (double)count);
}

// ---- gains --------------------------------------------------------------------------------------

// dB of the result after 16 frames over that of the first, with the noise estimated. The camera
// moves by whole texels and by parts of them, and comes nearer.
void test_history_gain(void **state)
{
    static const struct {
        double x, y, zoom, least;
    } cases[] = {{0, 0, 0, 6},     {0.5, 0, 0, 6},   {2.5, 0, 0, 6},  {3.3, 0, 0, 6},
                 {0, 0, 0.004, 6}, {0.5, 0.5, 0, 6}, {3.3, 1.4, 0, 6}};
    rng r = rng_start("history gain", 932);
    bool good = true;
    sweep *share = sweep_start("history gain", (int)COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        ag_denoise_settings s;
        trial t = moving_of(*state, "rgba16f", W, H, &s);
        double first = 0, last = 0, size = 1;
        for (int frame = 0; frame < FRAMES; ++frame) {
            // Places of the scene go left and up, and away from the middle.
            double *clean = seen(plates, W, H, 900 + cases[i].x * frame - size * W / 2,
                                 700 + cases[i].y * frame - size * H / 2, size);
            upload(&t, MOTION,
                   motion_of(W, H, -cases[i].x, -cases[i].y, frame ? cases[i].zoom : 0));
            const double *got = denoise_next(&t, noisy(&r, clean, VALUES, 0.1));
            last = psnr_within(got, clean, cases[i].x * FRAMES, cases[i].y * FRAMES);
            first = frame ? first : last;
            size *= 1 - cases[i].zoom;
            free(clean);
        }
        char name[128];
        snprintf(name, sizeof name,
                 "%g, %g texels a frame, zoom %g, sigma 0.1: %.2f dB, after 16 frames %.2f: gain "
                 "lacks",
                 cases[i].x, cases[i].y, cases[i].zoom, first, last);
        good = check_limit(name, cases[i].least - (last - first), 0) && good;
        trial_free(&t);
    }
    CHECK(good);
}

// The contrast of a Siemens star at a radius: the amplitude of its spokes around the ring.
static double contrast(const double *values, double radius, int side)
{
    double a = 0, b = 0;
    int count = 0;
    for (int i = 0; i < side * side; ++i) {
        double x = i % side - side / 2, y = i / side - side / 2;
        if (fabs(hypot(x, y) - radius) > 1.5)
            continue;
        a += values[4 * i] * sin(star_spokes * atan2(y, x));
        b += values[4 * i] * cos(star_spokes * atan2(y, x));
        ++count;
    }
    return 2 * hypot(a, b) / count;
}

// A camera that shakes around the star's middle: by this many texels a frame, along a diagonal, so
// that the history is read between texels each time. After 16 frames the mean has the contrast of
// the still.
void test_history_sharpness(void **state)
{
    enum { SIDE = 144 };
    static const double steps[] = {0.5, 2.5, 3.3};
    rng r = rng_start("history sharpness", 937);
    bool good = true;
    sweep *share = sweep_start("history sharpness", (int)COUNT(steps));
    for (size_t k = 0; k < COUNT(steps); ++k) {
        if (!sweep_takes(share))
            continue;
        ag_denoise_settings s;
        trial t = moving_of(*state, "rgba16f", SIDE, SIDE, &s);
        double *clean = NULL;
        const double *got = NULL;
        s.strength = 0; // dst is the mean
        for (int frame = 0; frame <= FRAMES; ++frame) {
            free(clean);
            double by = steps[k] * (FRAMES - frame);
            clean = seen(star, SIDE, SIDE, -by - SIDE / 2, -by - SIDE / 2, 1);
            upload(&t, MOTION, motion_of(SIDE, SIDE, -steps[k], -steps[k], 0));
            got = denoise_next(&t, noisy(&r, clean, SIDE * SIDE * 4, 0.05));
        }
        for (int period = 4; period <= 10; ++period) {
            double radius = period * star_spokes / (2 * acos(-1));
            double still = contrast(clean, radius, SIDE), moved = contrast(got, radius, SIDE);
            char name[96];
            snprintf(name, sizeof name, "%g texels a frame, waves of %d texels: contrast lacks",
                     steps[k], period);
            good = check_limit(name, 1 - moved / still, 0.05) && good;
        }
        free(clean);
        trial_free(&t);
    }
    CHECK(good);
}

// 240 frames in halves, though a step of 1 / 240 of this noise is less than half a unit of a half:
// its mean has no bias, and besides what 240 frames leave there is the rounding of one step.
void test_history_rounding(void **state)
{
    enum { SIDE = 40, MANY = 240 };
    rng r = rng_start("history rounding", 938);
    ag_denoise_settings s;
    trial t = moving_of(*state, "rgba16f", SIDE, SIDE, &s);
    const double *got = NULL;
    double bias = 0, square = 0, base = 0.7;
    s.strength = 0;
    s.frames = 256;
    for (int frame = 0; frame < MANY; ++frame) {
        double *values = check_doubles(SIDE * SIDE * 4);
        for (int i = 0; i < SIDE * SIDE * 4; ++i)
            values[i] = base + 0.03 * rng_normal(&r);
        upload(&t, MOTION, motion_of(SIDE, SIDE, 0, 0, 0));
        got = denoise_next(&t, values);
    }
    for (int i = 0; i < SIDE * SIDE; ++i)
        for (int c = 0; c < 3; ++c) {
            bias += (got[4 * i + c] - base) / (SIDE * SIDE * 3);
            square += pow(got[4 * i + c] - base, 2) / (SIDE * SIDE * 3);
        }
    CHECK_LIMIT("240 frames in halves: bias, in sigma of a frame", fabs(bias) / 0.03, 0.003);
    double unit = ldexp(1, -11); // of halves below 1
    CHECK_LIMIT("    noise that is left, over that of 240 frames and of rounding",
                sqrt(square / (0.03 * 0.03 / MANY + 2 * unit * unit)), 1.25);
    trial_free(&t);
}

// Light of few paths: one texel in ten is bright, the others are black, and some neighbourhoods
// have no light at all. The history stays, with its light, and its noise falls.
void test_history_sparse(void **state)
{
    enum { SIDE = 48, MANY = 24 };
    rng r = rng_start("history sparse", 939);
    ag_denoise_settings s;
    trial t = moving_of(*state, "rgba16f", SIDE, SIDE, &s);
    const double *got = NULL;
    double mean = 0, square = 0, share = 0.1;
    s.strength = 0;
    upload(&t, MOTION, motion_of(SIDE, SIDE, 0, 0, 0));
    for (int frame = 0; frame < MANY; ++frame) {
        double *values = check_doubles(SIDE * SIDE * 4);
        for (int i = 0; i < SIDE * SIDE; ++i) {
            double light = rng_uniform(&r, 0, 1) < share;
            for (int c = 0; c < 4; ++c)
                values[4 * i + c] = c == 3 ? 1 : light * (1 - 0.2 * c);
        }
        got = denoise_next(&t, values);
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        mean += got[4 * i] / (SIDE * SIDE);
        square += pow(got[4 * i] - share, 2) / (SIDE * SIDE);
    }
    CHECK_LIMIT("sparse light: error of the mean", fabs(1 - mean / share), 0.1);
    CHECK_LIMIT("    noise that is left, of that of a frame", sqrt(square / (share * (1 - share))),
                0.4);
    trial_free(&t);
}

// ---- noise of new texels ------------------------------------------------------------------------

// A plate crosses the scene, with motion vectors, and uncovers texels of few frames beside those of
// sixteen, whose noise the filter must take, too: dB of those that were uncovered in the last four
// frames, and in the three before. (With one threshold for all of them 27.0 and 32.5.)
void test_history_uncovered(void **state)
{
    enum { STEP = 4, PLATE = 40, BEGIN = 10, BACK = 30 };
    rng r = rng_start("history uncovered", 955);
    ag_denoise_settings s;
    trial t = moving_of(*state, "rgba16f", W, H, &s);
    s.rule = AG_DENOISE_NOISE;
    double *clean = NULL, errors[2] = {0};
    const double *got = NULL;
    long counts[2] = {0};
    for (int frame = 0; frame < FRAMES + 4; ++frame) {
        int left = BEGIN + STEP * frame;
        free(clean);
        clean = seen(plates, W, H, 900, 700, 1);
        double *motion = motion_of(W, H, 0, 0, 0);
        for (int i = 0; i < W * H; ++i) {
            bool plate = i % W >= left && i % W < left + PLATE && i / W > 20 && i / W < H - 20;
            for (int c = 0; c < 3 && plate; ++c)
                clean[4 * i + c] = 0.9;
            motion[2 * i] = plate ? STEP : 0;
        }
        upload(&t, MOTION, motion);
        got = denoise_next(&t, noisy(&r, clean, VALUES, 0.1));
    }
    int left = BEGIN + STEP * (FRAMES + 3);
    for (int i = 0; i < W * H; ++i)
        if (i / W > 24 && i / W < H - 24 && i % W >= left - BACK && i % W < left - 1)
            for (int c = 0; c < 3; ++c) {
                int old = i % W < left - 4 * STEP;
                if (i % W < left - BACK + 14 || !old) {
                    errors[old] += pow(got[4 * i + c] - clean[4 * i + c], 2);
                    ++counts[old];
                }
            }
    double fresh = -10 * log10(errors[0] / (double)counts[0]);
    double long_ago = -10 * log10(errors[1] / (double)counts[1]);
    printf("  uncovered in 4 frames: %.2f dB; 4 to 7 frames ago: %.2f dB\n", fresh, long_ago);
    CHECK_LIMIT("uncovered in the last 4 frames: dB below 28", 28 - fresh, 0);
    free(clean);
    trial_free(&t);
}

// ---- ghosts -------------------------------------------------------------------------------------

enum { LEFT = 5, SPEED = 4, TOP = 40, SQUARE = 24 };

static bool in_square(int i, int frame)
{
    int x = i % W - SPEED * frame - LEFT, y = i / W - TOP;
    return x >= 0 && x < SQUARE && y >= 0 && y < SQUARE;
}

// A square of this contrast, which crosses a background that stays, or moves by (-1, 0).
static double *crossing(rng *r, int frame, double contrast_of, double sigma, bool textured)
{
    double *values = check_doubles(VALUES);
    for (int i = 0; i < W * H; ++i) {
        double v = textured ? 0.35 + 0.1 * sin(0.7 * (i % W + frame)) * cos(0.45 * (i / W)) : 0.35;
        for (int c = 0; c < 4; ++c)
            values[4 * i + c] = (in_square(i, frame) ? 0.35 + contrast_of : v) +
                                (c < 3 ? sigma * rng_normal(r) : 0);
    }
    return values;
}

// What a square leaves behind it, `from` texels away and farther: the largest mean of a column of
// what differs from the background. And how wrong the square's own middle is.
static void measure_ghost(const double *got, const double *background, int from, double *ghost,
                          double *held, double contrast_of)
{
    int left = SPEED * (FRAMES - 1) + LEFT;
    *ghost = *held = 0;
    for (int x = LEFT; x <= left - 1 - from; ++x) {
        double sum = 0;
        for (int y = TOP + 2; y < TOP + SQUARE - 2; ++y)
            for (int c = 0; c < 3; ++c)
                sum += got[(y * W + x) * 4 + c] - background[(y * W + x) * 4 + c];
        *ghost = fmax(*ghost, fabs(sum / (3 * (SQUARE - 4))));
    }
    for (int i = 0; i < 20 * 20; ++i)
        *held += got[((TOP + 2 + i / 20) * W + left + 2 + i % 20) * 4] / 400;
    *held = fabs(*held - 0.35 - contrast_of);
}

// A square crosses: without motion vectors; with them, so that it uncovers a background whose own
// motion leads under the square; and with depths, too, where not even the texels beside it may
// keep something. Behind it 16 frames leave less than 3 % of it, and three times the noise
// of a column.
void test_history_ghost(void **state)
{
    static const struct {
        const char *name;
        bool motion, depth;
        double contrast, sigma;
        int from;
    } cases[] = {{"no motion", false, false, 0.55, 0.05, 2},
                 {"no motion", false, false, 0.25, 0.1, 2},
                 {"motion", true, false, 0.55, 0.05, 2},
                 {"motion", true, false, -0.25, 0.05, 2},
                 {"motion, depths", true, true, 0.25, 0.1, 0}};
    rng r = rng_start("history ghost", 933);
    bool good = true;
    sweep *share = sweep_start("history ghost", (int)COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        ag_denoise_settings s;
        trial t = denoise_of(*state, "a ghost", "rgba32f", W, H, NULL, &s);
        t.slots[HISTORY] = trial_image("rgba16f", W, H, NULL);
        if (cases[i].motion)
            t.slots[MOTION] = trial_image("rg32f", W, H, NULL);
        if (cases[i].depth)
            t.slots[AG_DENOISE_DEPTH] = trial_image("r32f", W, H, NULL);
        s.strength = 0; // the mean, which no filter smooths
        trial_make(&t);
        const double *got = NULL;
        for (int frame = 0; frame < FRAMES; ++frame) {
            double *motion = check_doubles(2 * (size_t)(W * H)), *z = check_doubles(W * H);
            for (int k = 0; k < W * H; ++k) {
                bool square = in_square(k, frame);
                motion[2 * k] = square ? SPEED : -1;
                motion[2 * k + 1] = 0;
                z[k] = square ? 4 : 6;
            }
            if (cases[i].motion)
                texture_upload(t.f, &t.textures[MOTION], 0, motion);
            if (cases[i].depth)
                texture_upload(t.f, &t.textures[AG_DENOISE_DEPTH], 0, z);
            free(motion);
            free(z);
            got = denoise_next(&t, crossing(&r, frame, cases[i].contrast, cases[i].sigma,
                                            cases[i].motion));
        }
        double *clean = crossing(&r, FRAMES - 1, cases[i].contrast, 0, cases[i].motion);
        double ghost, held, size = fabs(cases[i].contrast);
        measure_ghost(got, clean, cases[i].from, &ghost, &held, cases[i].contrast);
        char name[128];
        snprintf(name, sizeof name, "%s, a square of %g, sigma %g: behind it, of it", cases[i].name,
                 cases[i].contrast, cases[i].sigma);
        double noise = 3 * cases[i].sigma / sqrt(3 * (SQUARE - 4)); // of a column
        good = check_limit(name, ghost / size, 0.03 + noise / size) && good;
        good = check_limit("    error of the square", held, 0.02) && good;
        free(clean);
        trial_free(&t);
    }
    CHECK(good);
}
