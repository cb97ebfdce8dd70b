// bloom_small.c - bloom at half and quarter resolution: what it keeps exactly, and how far off
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "minimums.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const names[] = {"full", "half", "quarter"};
static const char *const kinds[] = {"off", "clamp", "karis"}; // firefly

static blooming small_base(fixture *f, const double *src, int width, int height, int resolution)
{
    blooming c = bloom_base(f, names[resolution], src);
    c.width = width;
    c.height = height;
    c.settings.resolution = resolution;
    c.settings.output = AG_BLOOM_ONLY;
    return c;
}

// A Gaussian is smooth: nothing is lost but what a cubic B-spline cannot hold. With sigma in texels
// of the smaller image: from 2 on 60 dB, from 3 on 80.
void test_bloom_small_gaussian(void **state)
{
    static const struct {
        int width, height, resolution;
        float size;
        double limit; // dB
    } cases[] = {{181, 97, 1, 0.6f, 60}, {181, 97, 1, 1, 80},    {180, 97, 2, 1, 60},
                 {97, 181, 2, 0.8f, 80}, {33, 240, 2, 0.7f, 80}, {1, 300, 1, 0.3f, 80},
                 {300, 1, 1, 2, 1},      {90, 54, 1, 2, 80}};
    fixture *f = *state;
    rng r = rng_start("small gaussian", 61);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("small gaussian", 4);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        int w = cases[i].width, h = cases[i].height;
        double *src = blooming_scene(&r, NULL, w, h, 0.01, 1000);
        blooming c = small_base(f, src, w, h, cases[i].resolution);
        c.settings.size = cases[i].size;
        double *k = blooming_gaussian((double)cases[i].size, h);
        int extent = blooming_extent((double)cases[i].size, h);
        double *got = blooming_run(f, pass, &c);
        bloomed m = blooming_measure(&c, k, extent, extent, 1, got);
        printf("  %s %dx%d, sigma %.2f small texels: %.1f dB, largest error %.2g of max|T|\n",
               names[cases[i].resolution], w, h,
               (double)cases[i].size * h / 12 / (1 << cases[i].resolution), m.snr, m.relative);
        CHECK_LIMIT("limit in dB over the SNR", cases[i].limit / m.snr, 1);
        free(got);
        free(k);
        free(src);
    }
    f->ag->pass_destroy(pass);
}

// A kernel of one texel is its own core: light goes back to where it came from. The core solves 25
// equations, by an inverse that was rounded to floats: 5e-6.
void test_bloom_small_one_tap(void **state)
{
    fixture *f = *state;
    rng r = rng_start("small one tap", 62);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("small one tap", 3);
    for (int i = 0; i < 3; ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, NULL, 75, 53, 0.01, 60000);
        blooming c = small_base(f, src, 75, 53, i ? 2 : 1);
        c.settings.shape = i == 2 ? AG_BLOOM_ANAMORPHIC : AG_BLOOM_GAUSSIAN;
        c.settings.size = 0;
        double *got = blooming_run(f, pass, &c), worst = 0;
        for (int k = 0; k < 4 * 75 * 53; ++k) {
            double error = fabs(got[k] - src[k]) / 60000;
            worst = check_worse(worst, error);
        }
        CHECK_LIMIT("a kernel of one texel, |dst - src| / max|src|", worst, 5e-6);
        free(got);
        free(src);
    }
    f->ag->pass_destroy(pass);
}

static double total(const double *texels, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += texels[4 * i] + texels[4 * i + 1] + texels[4 * i + 2];
    return sum;
}

// A lamp of one texel goes over the grid in steps of an eighth of a texel. All of its light stays,
// and the same light at every step. clamp and karis take some of it and make none. How much they
// take changes with the texels that the lamp covers: the limits of that are 1.5 times what was
// measured.
void test_bloom_small_lamp(void **state)
{
    enum { W = 150, H = 130, STEPS = 13 };
    static const struct {
        int shape, resolution, firefly;
        double change; // of the glow's total a step, at most
    } cases[] = {{AG_BLOOM_GAUSSIAN, 0, 0, 1e-3},   {AG_BLOOM_GAUSSIAN, 1, 0, 1e-3},
                 {AG_BLOOM_GAUSSIAN, 2, 0, 1e-3},   {AG_BLOOM_APERTURE, 0, 0, 1e-3},
                 {AG_BLOOM_APERTURE, 1, 0, 1e-3},   {AG_BLOOM_APERTURE, 2, 0, 1e-3},
                 {AG_BLOOM_ANAMORPHIC, 2, 0, 1e-3}, {AG_BLOOM_GAUSSIAN, 1, 1, 0.6},
                 {AG_BLOOM_GAUSSIAN, 1, 2, 3e-3},   {AG_BLOOM_GAUSSIAN, 2, 1, 0.6},
                 {AG_BLOOM_GAUSSIAN, 2, 2, 3e-3}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = malloc(sizeof *src * 4 * W * H);
    sweep *share = sweep_start("small lamp", 11);
    for (size_t n = 0; n < COUNT(cases); ++n) {
        if (!sweep_takes(share))
            continue;
        double before = 0, worst = 0, lost = 0, made = -1;
        for (int step = 0; step < STEPS; ++step) {
            double x = 70 + step / 8.0, y = 61 + step / 6.0, fx = x - floor(x);
            double fy = y - floor(y), lamp = 3000;
            memset(src, 0, sizeof *src * 4 * W * H);
            for (int i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c)
                    src[4 * (((int)y + i / 2) * W + (int)x + i % 2) + c] =
                        lamp * (i / 2 ? fy : 1 - fy) * (i % 2 ? fx : 1 - fx);
            texture_quantise("rgba16f", src, W * H);
            blooming c = small_base(f, src, W, H, cases[n].resolution);
            c.src_format = "rgba16f";
            c.settings.shape = cases[n].shape;
            c.settings.firefly = cases[n].firefly;
            c.settings.size = 0.7f;
            double *got = blooming_run(f, pass, &c);
            double light = total(got, W * H) / total(src, W * H);
            free(got);
            lost = check_worse(lost, fabs(light - 1));
            made = check_worse(made, light - 1);
            if (step)
                worst = check_worse(worst, fabs(light - before));
            before = light;
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s, firefly %s: change of the glow's total a step",
                 cases[n].shape, names[cases[n].resolution], kinds[cases[n].firefly]);
        CHECK_LIMIT(name, worst, cases[n].change);
        if (cases[n].firefly)
            CHECK_LIMIT("light that was made", made, 1e-3);
        else
            CHECK_LIMIT("light that was lost or made", lost, 1e-3);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// A frame of W x H with a lamp as large as a part of its height, on a grid of GW x GH. Returns the
// glow's light over the frame's texels in `glow`, its mean radius over the height in `radius`.
static void fixed_glow(fixture *f, ag_pass *pass, const blooming *c, const int32_t grid[2],
                       double *glow, double *radius)
{
    int w = c->width, h = c->height;
    double *src = calloc(4 * (size_t)(w * h), sizeof *src), cx = 0.47 * w, cy = 0.53 * h;
    for (int i = 0; i < w * h; ++i)
        for (int k = 0; k < 3; ++k) // its edge is a texel wide
            src[4 * i + k] =
                100 * fmin(fmax(0.03 * h - hypot(i % w + 0.5 - cx, i / w + 0.5 - cy) + 0.5, 0), 1);
    texture in = texture_create(f, "rgba16f", w, h, src);
    texture out = texture_create(f, "rgba32f", w, h, NULL);
    ag_texture slots[3] = {texture_view(&in), texture_no_view(), texture_view(&out)};
    ag_job job = blooming_job(slots, &c->settings);
    job.plan_width = grid[0];
    job.plan_height = grid[1];
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &out, 0), light = 0, moment = 0;
    for (int i = 0; i < w * h; ++i) {
        light += got[4 * i];
        moment += got[4 * i] * hypot(i % w + 0.5 - cx, i / w + 0.5 - cy);
    }
    *glow = light / (w * h);
    *radius = moment / light / h;
    free(got);
    free(src);
    texture_destroy(f, &in);
    texture_destroy(f, &out);
}

// grid = fixed: the frame has 0.6 to 1 of the planned size, and the glow stays as it is.
void test_bloom_small_fixed(void **state)
{
    enum { W = 320, H = 180 };
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    sweep *share = sweep_start("small fixed", 6);
    for (int s = 0; s < 3; ++s)
        for (int resolution = 1; resolution < 3; ++resolution) {
            if (!sweep_takes(share))
                continue;
            int shape = shapes[s];
            ag_pass *pass = fixture_pass(f, "bloom");
            double first_glow = 0, first_radius = 0, glow_change = 0, radius_change = 0;
            for (int i = 0; i < 7; ++i) {
                static const double scales[] = {1, 0.93, 0.87, 0.8, 0.731, 0.66, 0.6};
                const int32_t grid[2] = {W, H};
                blooming c = small_base(f, NULL, (int)(W * scales[i] + 0.5),
                                        (int)(H * scales[i] + 0.5), resolution);
                c.settings.shape = shape;
                c.settings.size = shape ? 1.6f : 0.8f; // some 300 texels, so that the core is small
                c.settings.grid = AG_BLOOM_FIXED;
                double glow, radius;
                fixed_glow(f, pass, &c, grid, &glow, &radius);
                if (!i) {
                    first_glow = glow;
                    first_radius = radius;
                }
                glow_change = check_worse(glow_change, fabs(glow / first_glow - 1));
                radius_change = check_worse(radius_change, fabs(radius / first_radius - 1));
            }
            char name[96];
            snprintf(name, sizeof name, "shape %d, %s: change of the glow's light, 0.6 .. 1 sizes",
                     shape, names[resolution]);
            CHECK_LIMIT(name, glow_change, 0.02);
            CHECK_LIMIT("and of its mean radius", radius_change, 0.02);
            f->ag->pass_destroy(pass);
        }
    // what is refused
    ag_pass *pass = fixture_pass(f, "bloom");
    texture t = texture_create(f, "rgba16f", 64, 64, NULL);
    texture u = texture_create(f, "rgba16f", 64, 64, NULL);
    ag_texture slots[3] = {texture_view(&t), texture_no_view(), texture_view(&u)};
    blooming c = small_base(f, NULL, 64, 64, 0);
    ag_job job = blooming_job(slots, &c.settings);
    const ag_plan *plan;
    c.settings.grid = AG_BLOOM_FIXED;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
    c.settings.grid = AG_BLOOM_FRAME;
    c.settings.firefly = AG_BLOOM_FIREFLY_CLAMP;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
    c.settings.grid = AG_BLOOM_FIXED;
    c.settings.resolution = AG_BLOOM_HALF;
    job.plan_width = job.plan_height = 129;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_SIZE);
    job.plan_width = job.plan_height = 128;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    texture_destroy(f, &t);
    texture_destroy(f, &u);
    f->ag->pass_destroy(pass);
}

// A lone bright texel spreads almost nothing; an even area, and a lamp of many texels inside its
// edge, what they would without. Also of a frame of one texel, and beside its edges.
void test_bloom_small_firefly(void **state)
{
    enum { W = 96, H = 80 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = calloc(4 * W * H, sizeof *src);
    sweep *share = sweep_start("small firefly", 6);
    for (int resolution = 1; resolution < 3; ++resolution)
        for (int firefly = 0; firefly < 3; ++firefly) {
            if (!sweep_takes(share))
                continue;
            double shares[4];
            for (int scene = 0; scene < 4; ++scene) {
                bool even = scene == 1;
                for (int i = 0; i < 4 * W * H; ++i)
                    src[i] = even ? 3 : 0;
                int side = scene == 0 ? 1 : scene == 2 ? 12 : scene == 3 ? 2 : 0;
                for (int i = 0; i < side * side; ++i)
                    for (int k = 0; k < 3; ++k)
                        src[4 * ((40 + i / side) * W + 50 + i % side) + k] = 500;
                blooming c = small_base(f, src, W, H, resolution);
                c.settings.firefly = firefly;
                c.settings.shape = resolution == 1 ? AG_BLOOM_APERTURE : AG_BLOOM_ANAMORPHIC;
                double *got = blooming_run(f, pass, &c);
                shares[scene] =
                    even ? got[4 * (40 * W + 48)] / 3 : total(got, W * H) / total(src, W * H);
                free(got);
            }
            printf("  %s, %s: of its light a lone texel spreads %.4f, 2 x 2 %.4f, 12 x 12 %.4f, an "
                   "even area %.6f\n",
                   names[resolution], kinds[firefly], shares[0], shares[3], shares[2], shares[1]);
            CHECK_LIMIT("an even area: change", fabs(shares[1] - 1), 2e-3);
            CHECK_LIMIT("a lone texel", shares[0], firefly ? 0.01 : 1.001);
            CHECK_LIMIT("0.5 over what 12 x 12 texels spread", 0.5 / shares[2], 1);
        }
    static const int sizes[][2] = {{1, 1}, {1, 7}, {17, 16}};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        if (!sweep_takes(share))
            continue;
        blooming c = small_base(f, src, sizes[i][0], sizes[i][1], 1);
        for (int k = 0; k < 4 * W * H; ++k)
            src[k] = 2;
        c.settings.firefly = AG_BLOOM_FIREFLY_KARIS;
        c.settings.output = AG_BLOOM_COMPOSITE;
        c.settings.size = 0;
        double *got = blooming_run(f, pass, &c), worst = 0;
        for (int k = 0; k < 4 * sizes[i][0] * sizes[i][1]; ++k)
            worst = check_worse(worst, fabs(got[k] - 2));
        CHECK_LIMIT("an even small frame that keeps its light: change", worst, 1e-2);
        free(got);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// What a texel looks like: stops, Narkowicz's fit of the ACES curve, the curve of sRGB.
static double seen(double light, double stops)
{
    double x = fmax(light, 0) * exp2(stops);
    double y = fmin(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 1);
    return y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1 / 2.4) - 0.055;
}

// A night of a few lamps, with the star of the defaults at 1080 rows: as seen at two exposures, and
// the glow far from all lamps. tests/cli/check_bloom.py has the same figures of a whole street, for
// every shape. All lamps are small and on black here, which is harder: quarter resolution, which
// does not hold their rays, has limits of its own.
void test_bloom_small_star(void **state)
{
    enum { W = 420, H = 300 };
    static const struct {
        int shape, resolution;
        double decibels, far;
    } cases[] = {{AG_BLOOM_APERTURE, 1, 45, 0.01},
                 {AG_BLOOM_APERTURE, 2, 36, 0.05},
                 {AG_BLOOM_ANAMORPHIC, 2, 40, 0.03}};
    static const double intensity = 0.1;
    fixture *f = *state;
    rng r = rng_start("small star", 63);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = malloc(sizeof *src * 4 * W * H);
    int lamps[6][2];
    for (int i = 0; i < 4 * W * H; ++i)
        src[i] = rng_uniform(&r, 0.01, 0.1);
    for (int n = 0; n < 6; ++n) {
        lamps[n][0] = (int)rng_uniform(&r, 40, W - 40);
        lamps[n][1] = (int)rng_uniform(&r, 40, H - 40);
        double radius = rng_uniform(&r, 1.5, 3), light = rng_uniform(&r, 100, 1000);
        for (int y = -4; y <= 4; ++y)
            for (int x = -4; x <= 4; ++x)
                for (int c = 0; c < 3; ++c)
                    src[4 * ((lamps[n][1] + y) * W + lamps[n][0] + x) + c] +=
                        light * fmin(fmax(radius - hypot(x, y) + 0.5, 0), 1);
    }
    texture_quantise("rgba32f", src, W * H);
    sweep *share = sweep_start("small star", 3);
    for (size_t n = 0; n < COUNT(cases); ++n) {
        if (!sweep_takes(share))
            continue;
        double *glows[2], far = 0, error = 0, square[2] = {0, 0}, darkest = 0;
        for (int i = 0; i < 2; ++i) {
            blooming c = small_base(f, src, W, H, i ? cases[n].resolution : 0);
            c.settings.shape = cases[n].shape;
            c.settings.size = 1.08f; // 324 texels
            glows[i] = blooming_run(f, pass, &c);
        }
        for (int i = 0; i < W * H; ++i) {
            double nearest = 1e9;
            for (int k = 0; k < 6; ++k)
                nearest = fmin(nearest, hypot(i % W - lamps[k][0], i / W - lamps[k][1]));
            for (int k = 0; k < 3; ++k) {
                double a = glows[0][4 * i + k], b = glows[1][4 * i + k], t = src[4 * i + k];
                CHECK(!isnan(a) && !isnan(b)); // seen() and fmin() below would drop it
                far += nearest >= 32 ? a : 0;
                error += nearest >= 32 ? fabs(a - b) : 0;
                a = t + intensity * (a - t);
                b = t + intensity * (b - t);
                for (int v = 0; v < 2; ++v)
                    square[v] += pow(seen(a, 4 * v) - seen(b, 4 * v), 2);
                darkest = fmin(darkest, b);
            }
        }
        for (int v = 0; v < 2; ++v) {
            char name[96];
            double db = 10 * log10(3 * W * H / square[v]);
            snprintf(name, sizeof name, "shape %d, %s, exposure %d: %g dB over %.1f dB",
                     cases[n].shape, names[cases[n].resolution], 4 * v, cases[n].decibels, db);
            CHECK_LIMIT(name, cases[n].decibels / db, 1);
        }
        CHECK_LIMIT("error of the glow 32 texels and more from lamps", error / far, cases[n].far);
        CHECK_LIMIT("light below 0 in the darkest texel", -darkest, 0.2);
        free(glows[0]);
        free(glows[1]);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// Whether two results have the same bits.
static bool same(const double *a, const double *b, int count)
{
    return memcmp(a, b, sizeof *a * (size_t)count) == 0;
}

// Bytes of all steps and `dispatch_bytes` a dispatch, as auto compares plans.
static double plan_cost(fixture *f, ag_pass *pass, const blooming *c, double dispatch_bytes)
{
    texture in = texture_create(f, "rgba32f", c->width, c->height, NULL);
    texture out = texture_create(f, "rgba32f", c->width, c->height, NULL);
    texture image = texture_create(f, "r32f", 97, 97, NULL);
    bool textured = c->settings.shape == AG_BLOOM_TEXTURE;
    ag_texture slots[3] = {texture_view(&in), textured ? texture_view(&image) : texture_no_view(),
                           texture_view(&out)};
    ag_job job = blooming_job(slots, &c->settings);
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    double cost = 0;
    for (uint32_t i = 0; i < plan->step_count; ++i)
        cost += (double)plan->steps[i].bytes + dispatch_bytes * plan->steps[i].dispatches;
    texture_destroy(f, &in);
    texture_destroy(f, &out);
    texture_destroy(f, &image);
    return cost;
}

// resolution = auto takes the cheapest resolution of those that keep its promise: the error of the
// bloom of white noise times the intensity is 50 dB below the bloom. The estimate is a mean over
// places: 1 dB. Where a dispatch costs a byte, bytes decide; where it costs what it does by
// default, so small a frame keeps its resolution.
void test_bloom_small_auto(void **state)
{
    enum { W = 160, H = 120, KERNEL = 97 };
    static const struct {
        const char *name;
        int shape, expected;
        float size, intensity;
    } cases[] = {{"a wide Gaussian", AG_BLOOM_GAUSSIAN, 2, 1, 0.1f},
                 {"a narrow Gaussian", AG_BLOOM_GAUSSIAN, 0, 0.05f, 0.1f},
                 {"a star", AG_BLOOM_APERTURE, -1, 0.8f, 0.1f},
                 {"a star, much of it", AG_BLOOM_APERTURE, 0, 0.8f, 1},
                 {"an eye's star", AG_BLOOM_STAR, -1, 0.8f, 0.1f},
                 {"a streak", AG_BLOOM_ANAMORPHIC, -1, 0.8f, 0.3f},
                 {"little of a streak", AG_BLOOM_ANAMORPHIC, 2, 0.8f, 0.15f},
                 {"a smooth image", AG_BLOOM_TEXTURE, 2, 2, 0.1f},
                 {"an image of noise", AG_BLOOM_TEXTURE, 0, 0.8f, 0.1f}};
    fixture *f = *state;
    rng r = rng_start("small auto", 65);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = malloc(sizeof *src * 4 * W * H), *image = malloc(sizeof *image * KERNEL * KERNEL);
    for (int i = 0; i < 4 * W * H; ++i)
        src[i] = rng_normal(&r);
    texture_quantise("rgba32f", src, W * H);
    sweep *share = sweep_start("small auto", 9);
    ag_tuning *tuning = ag_device_tuning(f->device);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        double costs[3], least = INFINITY;
        bool smooth = cases[i].expected == 2;
        for (int k = 0; k < KERNEL * KERNEL; ++k) {
            double x = k % KERNEL - KERNEL / 2, y = k / KERNEL - KERNEL / 2;
            image[k] = smooth ? exp(-(x * x + 2 * y * y) / 800) : rng_uniform(&r, 0, 1);
        }
        double *results[4];
        for (int resolution = 0; resolution < 4; ++resolution) {
            blooming c = small_base(f, src, W, H, resolution % 3);
            c.settings.resolution = resolution;
            c.settings.shape = cases[i].shape;
            c.settings.size = cases[i].size;
            c.settings.intensity = cases[i].intensity;
            if (cases[i].shape == AG_BLOOM_TEXTURE) {
                c.image = image;
                c.image_format = "r32f";
                c.image_width = c.image_height = KERNEL;
            }
            tuning->dispatch_bytes = 1;
            results[resolution] = blooming_run(f, pass, &c);
            tuning->dispatch_bytes = 0;
            if (resolution < 3)
                costs[resolution] = plan_cost(f, pass, &c, 1);
            if (resolution == 3) { // the default
                double *large = blooming_run(f, pass, &c);
                CHECK(same(large, results[0], 4 * W * H));
                free(large);
            }
        }
        for (int k = 0; k < 3 && k <= (cases[i].expected < 0 ? 2 : cases[i].expected); ++k)
            least = fmin(least, costs[k]);
        int chosen = -1;
        double error = 0, light = 0;
        for (int resolution = 2; resolution >= 0 && chosen < 0; --resolution)
            if (same(results[3], results[resolution], 4 * W * H))
                chosen = resolution;
        for (int k = 0; k < 4 * W * H; ++k) {
            error += k % 4 < 3 ? pow(results[3][k] - results[0][k], 2) : 0;
            light += k % 4 < 3 ? pow(results[0][k], 2) : 0;
        }
        double db = 10 * log10(light / error / pow((double)cases[i].intensity, 2));
        printf("  %s: %s, %.1f dB\n", cases[i].name, chosen < 0 ? "none" : names[chosen], db);
        CHECK(chosen >= 0 && chosen <= (cases[i].expected < 0 ? 2 : cases[i].expected));
        CHECK(cases[i].expected < 0 ? costs[chosen] <= costs[0] : costs[chosen] == least);
        CHECK_LIMIT("50 dB over what is kept", 50 / db, 50.0 / 49);
        for (int k = 0; k < 4; ++k)
            free(results[k]);
    }
    free(src);
    free(image);
    f->ag->pass_destroy(pass);
}

// Each layer is what it is alone, and every non-finite texel counts once.
void test_bloom_small_layers(void **state)
{
    enum { W = 91, H = 57, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("small layers", 64);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba16f", W, H * LAYERS, 0.01, 20);
    src[0] = src[4 * (W * H * LAYERS - 1) + 2] = (double)INFINITY;
    src[4 * (17 * W + 33)] = (double)NAN;
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    sweep *share = sweep_start("small layers", 6);
    for (int resolution = 1; resolution < 3; ++resolution)
        for (int s = 0; s < 3; ++s) {
            if (!sweep_takes(share))
                continue;
            blooming c = small_base(f, src, W, H, resolution);
            c.settings.shape = shapes[s];
            c.settings.output = AG_BLOOM_COMPOSITE;
            c.settings.threshold = 0.5f;
            texture in = texture_create_array(f, "rgba16f", W, H, LAYERS, 1, src);
            texture out = texture_create_array(f, "rgba16f", W, H, LAYERS, 1, NULL);
            ag_texture slots[3] = {texture_view(&in), texture_no_view(), texture_view(&out)};
            ag_job job = blooming_job(slots, &c.settings);
            uint64_t before = fixture_scrubbed(f);
            fixture_run(f, pass, &job);
            CHECK_EQ(fixture_scrubbed(f) - before, 3);
            bool good = true;
            double *all = texture_read(f, &out, 0);
            for (int layer = 0; layer < LAYERS; ++layer) {
                const double *got = all + 4 * W * H * layer;
                blooming one = c;
                one.src = src + 4 * W * H * layer;
                one.src_format = one.dst_format = "rgba16f";
                double *alone = blooming_run(f, pass, &one);
                good = good && !memcmp(got, alone, sizeof *got * 4 * W * H);
                for (int i = 0; i < 4 * W * H; ++i)
                    good = good && isfinite(got[i]);
                free(alone);
            }
            free(all);
            CHECK(check_case("layers are what they are alone, and finite", good));
            texture_destroy(f, &in);
            texture_destroy(f, &out);
        }
    free(src);
    f->ag->pass_destroy(pass);
}

// Bytes a texel of the frame, as the plan has them.
void test_bloom_small_bytes(void **state)
{
    static const double most[] = {100, 55, 36, 37}; // the last: an anamorphic at a quarter
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    for (int size = 1; size < 3; ++size)
        for (int i = 0; i < 4; ++i) {
            int resolution = i < 3 ? i : 2;
            blooming c = small_base(f, NULL, 1920 * size, 1080 * size, resolution);
            c.settings.shape = i < 3 ? AG_BLOOM_APERTURE : AG_BLOOM_ANAMORPHIC;
            c.settings.size = 0.3f;
            texture in = texture_create(f, "rgba16f", c.width, c.height, NULL);
            texture out = texture_create(f, "rgba16f", c.width, c.height, NULL);
            ag_texture slots[3] = {texture_view(&in), texture_no_view(), texture_view(&out)};
            ag_job job = blooming_job(slots, &c.settings);
            const ag_plan *plan = NULL;
            ag_status status = f->ag->declare(pass, &job, &plan);
            if (minimums_refused(&f->host, status)) { // spectra larger than the least block
                texture_destroy(f, &in);
                texture_destroy(f, &out);
                continue;
            }
            CHECK_STATUS(status, AG_OK);
            double bytes = 0;
            for (uint32_t k = 0; k < plan->step_count; ++k)
                bytes += (double)plan->steps[k].bytes;
            char name[64];
            snprintf(name, sizeof name, "%dx%d, shape %d, %s: bytes a texel", c.width, c.height,
                     c.settings.shape, names[resolution]);
            CHECK_LIMIT(name, bytes / c.width / c.height, most[i]);
            texture_destroy(f, &in);
            texture_destroy(f, &out);
        }
    f->ag->pass_destroy(pass);
}
