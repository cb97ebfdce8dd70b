// bloom_small.c - bloom at half and quarter resolution: what it keeps exactly, and how far off
// SPDX-License-Identifier: MIT
#include "core/tuning.h"
#include "minimums.h"
#include "test_bloom.h"

static const char *const names[] = {"full", "half", "quarter"};
static const char *const kinds[] = {"off", "clamp", "karis"}; // firefly

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
    bool good = true;
    sweep *share = sweep_start("small gaussian", 8);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        int w = cases[i].width, h = cases[i].height;
        double *src = blooming_scene(&r, "rgba32f", w, h, 0.01, 1000);
        char name[64];
        snprintf(name, sizeof name, "sigma %.2f small texels",
                 (double)cases[i].size * h / 12 / (1 << cases[i].resolution));
        ag_bloom_settings s;
        trial t = blooming_of(f, name, w, h, src, &s);
        t.pass = pass;
        t.limit = (double)INFINITY;
        t.snr = cases[i].limit;
        s.resolution = cases[i].resolution;
        s.output = AG_BLOOM_ONLY;
        s.size = cases[i].size;
        good = trial_check(&t) && good;
        trial_free(&t);
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
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
        double *src = blooming_scene(&r, "rgba32f", 75, 53, 0.01, 60000);
        ag_bloom_settings s = small_settings(f, i ? 2 : 1);
        s.shape = i == 2 ? AG_BLOOM_ANAMORPHIC : AG_BLOOM_GAUSSIAN;
        s.size = 0;
        double *got = bloom_run(f, pass, 75, 53, src, &s), worst = 0;
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
    enum { WIDE = 150, HIGH = 130, STEPS = 13 };
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
    double *src = malloc(sizeof *src * 4 * WIDE * HIGH);
    sweep *share = sweep_start("small lamp", 11);
    for (size_t n = 0; n < COUNT(cases); ++n) {
        if (!sweep_takes(share))
            continue;
        double before = 0, worst = 0, lost = 0, made = -1;
        for (int step = 0; step < STEPS; ++step) {
            double x = 70 + step / 8.0, y = 61 + step / 6.0, fx = x - floor(x);
            double fy = y - floor(y), lamp = 3000;
            memset(src, 0, sizeof *src * 4 * WIDE * HIGH);
            for (int i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c)
                    src[4 * (((int)y + i / 2) * WIDE + (int)x + i % 2) + c] =
                        lamp * (i / 2 ? fy : 1 - fy) * (i % 2 ? fx : 1 - fx);
            texture_quantise("rgba16f", src, WIDE * HIGH);
            ag_bloom_settings s;
            trial t = blooming_of(f, "lamp", WIDE, HIGH, src, &s);
            t.pass = pass;
            t.slots[SRC].format = "rgba16f";
            s = small_settings(f, cases[n].resolution);
            s.shape = cases[n].shape;
            s.firefly = cases[n].firefly;
            s.size = 0.7f;
            double *got = trial_take(&t, DST);
            double light = total(got, WIDE * HIGH) / total(src, WIDE * HIGH);
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

// A frame with a lamp as large as a part of its height, on a planned size of `plan`. Returns the
// glow's light over the frame's texels in `glow`, its mean radius over the height in `radius`.
static void fixed_glow(fixture *f, ag_pass *pass, int w, int h, const ag_bloom_settings *settings,
                       const int32_t plan[2], double *glow, double *radius)
{
    double *src = values_even("rgba32f", w, h, 0), cx = 0.47 * w, cy = 0.53 * h;
    for (int i = 0; i < w * h; ++i)
        for (int k = 0; k < 3; ++k) // its edge is a texel wide
            src[4 * i + k] =
                100 * fmin(fmax(0.03 * h - hypot(i % w + 0.5 - cx, i / w + 0.5 - cy) + 0.5, 0), 1);
    ag_bloom_settings s;
    trial t = blooming_of(f, "fixed", w, h, src, &s);
    t.pass = pass;
    t.slots[SRC].format = "rgba16f";
    t.job.plan_width = plan[0];
    t.job.plan_height = plan[1];
    s = *settings;
    double *got = trial_take(&t, DST), light = 0, moment = 0;
    for (int i = 0; i < w * h; ++i) {
        light += got[4 * i];
        moment += got[4 * i] * hypot(i % w + 0.5 - cx, i / w + 0.5 - cy);
    }
    *glow = light / (w * h);
    *radius = moment / light / h;
    free(got);
    free(src);
}

// grid = fixed: the frame has 0.6 to 1 of the planned size, and the glow stays as it is.
void test_bloom_small_fixed(void **state)
{
    enum { WIDE = 320, HIGH = 180 };
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    sweep *share = sweep_start("small fixed", 6);
    for (int n = 0; n < 3; ++n)
        for (int resolution = 1; resolution < 3; ++resolution) {
            if (!sweep_takes(share))
                continue;
            int shape = shapes[n];
            ag_pass *pass = fixture_pass(f, "bloom");
            double first_glow = 0, first_radius = 0, glow_change = 0, radius_change = 0;
            for (int i = 0; i < 7; i += check_tier_now() == CHECK_QUICK ? 3 : 1) {
                static const double scales[] = {1, 0.93, 0.87, 0.8, 0.731, 0.66, 0.6};
                const int32_t plan[2] = {WIDE, HIGH};
                ag_bloom_settings s = small_settings(f, resolution);
                s.shape = shape;
                s.size = shape ? 1.6f : 0.8f; // some 300 texels, so that the core is small
                s.grid = AG_BLOOM_FIXED;
                double glow, radius;
                fixed_glow(f, pass, (int)(WIDE * scales[i] + 0.5), (int)(HIGH * scales[i] + 0.5),
                           &s, plan, &glow, &radius);
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
    ag_bloom_settings s;
    trial t = blooming_of(f, "refused", 64, 64, NULL, &s);
    const ag_plan *plan;
    trial_make(&t);
    s.grid = AG_BLOOM_FIXED;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_ARG);
    s.grid = AG_BLOOM_FRAME;
    s.firefly = AG_BLOOM_FIREFLY_CLAMP;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_ARG);
    s.grid = AG_BLOOM_FIXED;
    s.resolution = AG_BLOOM_HALF;
    t.job.plan_width = t.job.plan_height = 129;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_SIZE);
    t.job.plan_width = t.job.plan_height = 128;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
    trial_free(&t);
}

// A lone bright texel spreads almost nothing; an even area, and a lamp of many texels inside its
// edge, what they would without. Also of a frame of one texel, and beside its edges.
void test_bloom_small_firefly(void **state)
{
    enum { WIDE = 96, HIGH = 80 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = calloc(4 * WIDE * HIGH, sizeof *src);
    sweep *share = sweep_start("small firefly", 6);
    for (int resolution = 1; resolution < 3; ++resolution)
        for (int firefly = 0; firefly < 3; ++firefly) {
            if (!sweep_takes(share))
                continue;
            double shares[4];
            for (int scene = 0; scene < 4; ++scene) {
                bool even = scene == 1;
                for (int i = 0; i < 4 * WIDE * HIGH; ++i)
                    src[i] = even ? 3 : 0;
                int side = scene == 0 ? 1 : scene == 2 ? 12 : scene == 3 ? 2 : 0;
                for (int i = 0; i < side * side; ++i)
                    for (int k = 0; k < 3; ++k)
                        src[4 * ((40 + i / side) * WIDE + 50 + i % side) + k] = 500;
                ag_bloom_settings s = small_settings(f, resolution);
                s.firefly = firefly;
                s.shape = resolution == 1 ? AG_BLOOM_APERTURE : AG_BLOOM_ANAMORPHIC;
                double *got = bloom_run(f, pass, WIDE, HIGH, src, &s);
                shares[scene] = even ? got[4 * (40 * WIDE + 48)] / 3
                                     : total(got, WIDE * HIGH) / total(src, WIDE * HIGH);
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
        ag_bloom_settings s = small_settings(f, 1);
        for (int k = 0; k < 4 * WIDE * HIGH; ++k)
            src[k] = 2;
        s.firefly = AG_BLOOM_FIREFLY_KARIS;
        s.output = AG_BLOOM_COMPOSITE;
        s.size = 0;
        double *got = bloom_run(f, pass, sizes[i][0], sizes[i][1], src, &s), worst = 0;
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
    enum { WIDE = 420, HIGH = 300 };
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
    double *src = malloc(sizeof *src * 4 * WIDE * HIGH);
    int lamps[6][2];
    for (int i = 0; i < 4 * WIDE * HIGH; ++i)
        src[i] = rng_uniform(&r, 0.01, 0.1);
    for (int n = 0; n < 6; ++n) {
        lamps[n][0] = (int)rng_uniform(&r, 40, WIDE - 40);
        lamps[n][1] = (int)rng_uniform(&r, 40, HIGH - 40);
        double radius = rng_uniform(&r, 1.5, 3), light = rng_uniform(&r, 100, 1000);
        for (int y = -4; y <= 4; ++y)
            for (int x = -4; x <= 4; ++x)
                for (int c = 0; c < 3; ++c)
                    src[4 * ((lamps[n][1] + y) * WIDE + lamps[n][0] + x) + c] +=
                        light * fmin(fmax(radius - hypot(x, y) + 0.5, 0), 1);
    }
    texture_quantise("rgba32f", src, WIDE * HIGH);
    sweep *share = sweep_start("small star", 3);
    for (size_t n = 0; n < COUNT(cases); ++n) {
        if (!sweep_takes(share))
            continue;
        double *glows[2], far = 0, error = 0, square[2] = {0, 0}, darkest = 0;
        for (int i = 0; i < 2; ++i) {
            ag_bloom_settings s = small_settings(f, i ? cases[n].resolution : 0);
            s.shape = cases[n].shape;
            s.size = 1.08f; // 324 texels
            glows[i] = bloom_run(f, pass, WIDE, HIGH, src, &s);
        }
        for (int i = 0; i < WIDE * HIGH; ++i) {
            double nearest = 1e9;
            for (int k = 0; k < 6; ++k)
                nearest = fmin(nearest, hypot(i % WIDE - lamps[k][0], i / WIDE - lamps[k][1]));
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
            double db = 10 * log10(3 * WIDE * HIGH / square[v]);
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

// Bytes of all steps and `dispatch_bytes` a dispatch, as auto compares plans.
static double cost_of(trial *t, double dispatch_bytes)
{
    const ag_plan *plan = NULL;
    double cost = 0;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    for (uint32_t i = 0; i < plan->step_count; ++i)
        cost += (double)plan->steps[i].bytes + dispatch_bytes * plan->steps[i].dispatches;
    return cost;
}

// resolution = auto takes the cheapest resolution of those that keep its promise: the error of the
// bloom of white noise times the intensity is 50 dB below the bloom. The estimate is a mean over
// places: 1 dB. Where a dispatch costs a byte, bytes decide; where it costs what it does by
// default, so small a frame keeps its resolution.
void test_bloom_small_auto(void **state)
{
    enum { WIDE = 160, HIGH = 120, SIDE = 97 };
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
    double *src = malloc(sizeof *src * 4 * WIDE * HIGH),
           *image = malloc(sizeof *image * SIDE * SIDE);
    for (int i = 0; i < 4 * WIDE * HIGH; ++i)
        src[i] = rng_normal(&r);
    texture_quantise("rgba32f", src, WIDE * HIGH);
    sweep *share = sweep_start("small auto", 9);
    ag_tuning *tuning = ag_device_tuning(f->device);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        double costs[3], least = INFINITY;
        bool smooth = cases[i].expected == 2;
        for (int k = 0; k < SIDE * SIDE; ++k) {
            double x = k % SIDE - SIDE / 2, y = k / SIDE - SIDE / 2;
            image[k] = smooth ? exp(-(x * x + 2 * y * y) / 800) : rng_uniform(&r, 0, 1);
        }
        double *results[4];
        for (int resolution = 0; resolution < 4; ++resolution) {
            ag_bloom_settings s;
            trial t = blooming_of(f, "auto", WIDE, HIGH, src, &s);
            t.pass = pass;
            s.output = AG_BLOOM_ONLY;
            s.resolution = resolution;
            s.shape = cases[i].shape;
            s.size = cases[i].size;
            s.intensity = cases[i].intensity;
            if (cases[i].shape == AG_BLOOM_TEXTURE)
                t.slots[IMAGE] = trial_image("r32f", SIDE, SIDE, image);
            tuning->dispatch_bytes = 1;
            trial_run(&t);
            tuning->dispatch_bytes = 0;
            results[resolution] = t.got[DST];
            t.got[DST] = NULL;
            if (resolution < 3) {
                costs[resolution] = cost_of(&t, 1);
            } else { // the default
                trial_run(&t);
                CHECK(values_same(t.got[DST], results[0], 4 * WIDE * HIGH));
            }
            trial_free(&t);
        }
        for (int k = 0; k < 3 && k <= (cases[i].expected < 0 ? 2 : cases[i].expected); ++k)
            least = fmin(least, costs[k]);
        int chosen = -1;
        double error = 0, light = 0;
        for (int resolution = 2; resolution >= 0 && chosen < 0; --resolution)
            if (values_same(results[3], results[resolution], 4 * WIDE * HIGH))
                chosen = resolution;
        for (int k = 0; k < 4 * WIDE * HIGH; ++k) {
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
    enum { WIDE = 91, HIGH = 57, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("small layers", 64);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba16f", WIDE, HIGH * LAYERS, 0.01, 20);
    src[0] = src[4 * (WIDE * HIGH * LAYERS - 1) + 2] = (double)INFINITY;
    src[4 * (17 * WIDE + 33)] = (double)NAN;
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    sweep *share = sweep_start("small layers", 6);
    for (int resolution = 1; resolution < 3; ++resolution)
        for (int n = 0; n < 3; ++n) {
            if (!sweep_takes(share))
                continue;
            ag_bloom_settings s;
            trial t = blooming_of(f, "layers", WIDE, HIGH, src, &s);
            blooming_formats(&t, "rgba16f", "rgba16f");
            t.pass = pass;
            t.slots[SRC].layers = t.slots[DST].layers = LAYERS;
            s = small_settings(f, resolution);
            s.shape = shapes[n];
            s.output = AG_BLOOM_COMPOSITE;
            s.threshold = 0.5f;
            uint64_t before = fixture_scrubbed(f);
            double *all = trial_take(&t, DST);
            CHECK_EQ(fixture_scrubbed(f) - before, 3);
            bool good = true;
            for (int layer = 0; layer < LAYERS; ++layer) {
                const double *got = all + 4 * WIDE * HIGH * layer;
                double *alone = bloom_run_format(f, pass, "rgba16f", WIDE, HIGH,
                                                 src + 4 * WIDE * HIGH * layer, &s);
                good = good && values_same(got, alone, 4 * WIDE * HIGH);
                for (int i = 0; i < 4 * WIDE * HIGH; ++i)
                    good = good && isfinite(got[i]);
                free(alone);
            }
            free(all);
            CHECK(check_case("layers are what they are alone, and finite", good));
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
            int w = 1920 * size, h = 1080 * size;
            ag_bloom_settings s;
            trial t = blooming_of(f, "bytes", w, h, NULL, &s);
            blooming_formats(&t, "rgba16f", "rgba16f");
            t.pass = pass;
            s = small_settings(f, resolution);
            s.shape = i < 3 ? AG_BLOOM_APERTURE : AG_BLOOM_ANAMORPHIC;
            s.size = 0.3f;
            trial_make(&t);
            const ag_plan *plan = NULL;
            ag_status status = f->ag->declare(pass, &t.job, &plan);
            bool fits = !minimums_refused(&f->host, status); // spectra larger than the least block
            CHECK(!fits || status == AG_OK);
            char name[64];
            snprintf(name, sizeof name, "%dx%d, shape %d, %s: bytes a texel", w, h, s.shape,
                     names[resolution]);
            if (fits)
                CHECK_LIMIT(name, cost_of(&t, 0) / w / h, most[i]);
            trial_free(&t);
        }
    f->ag->pass_destroy(pass);
}
