// bloom_small.c - bloom at smaller resolutions: what it keeps exactly, and how far off
// SPDX-License-Identifier: MIT
#include "core/tuning.h"
#include "minimums.h"
#include "test_bloom.h"

static const char *const names[] = {"full", "half", "quarter", "eighth"};
static const char *const kinds[] = {"off", "clamp", "karis"}; // firefly

// A Gaussian is smooth: nothing is lost but what a cubic B-spline cannot hold. With sigma in texels
// of the smaller image: from 2 on 60 dB, from 3 on 80.
void test_bloom_small_gaussian(void **state)
{
    static const struct {
        int width, height, resolution;
        float size;
        double limit; // dB
    } cases[] = {{W, H, 1, 2, 80},      {181, 97, 1, 0.6f, 60}, {181, 97, 1, 1, 80},
                 {180, 97, 2, 1, 60},   {97, 181, 2, 0.8f, 80}, {33, 240, 2, 0.7f, 80},
                 {1, 300, 1, 0.3f, 80}, {300, 1, 1, 2, 1}};
    fixture *f = *state;
    rng r = rng_start("small gaussian", 61);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("small gaussian", 8);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        int w = cases[i].width, h = cases[i].height;
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, "rgba32f", w, h, 0.01, 1000);
        char name[64];
        snprintf(name, sizeof name, "sigma %.2f small texels",
                 (double)cases[i].size * h / 12 / (1 << cases[i].resolution));
        ag_bloom_settings s;
        trial t = blooming_of(f, name, w, h, src, &s);
        t.limit = (double)INFINITY;
        t.snr = cases[i].limit;
        s.resolution = cases[i].resolution;
        s.output = AG_BLOOM_ONLY;
        s.size = cases[i].size;
        good = bloom_check(&t, pass) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static double total(const double *texels, int count)
{
    double sum = 0;
    for (int i = 0; i < 4 * count; ++i)
        sum += i % 4 < 3 ? texels[i] : 0;
    return sum;
}

// A lamp of one texel goes over the grid in steps of an eighth of a texel. All of its light stays,
// and the same light at every step. clamp and karis take some of it and make none. How much they
// take changes with the texels that the lamp covers: the limits of that are 1.5 times what was
// measured.
void test_bloom_small_lamp(void **state)
{
    enum { STEPS = 13 };
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
    sweep *share = sweep_start("small lamp", 11);
    for (size_t n = 0; n < COUNT(cases); ++n) {
        if (!sweep_takes(share))
            continue;
        double before = 0, worst = 0, lost = 0, made = -1;
        for (int step = 0; step < STEPS; ++step) {
            double x = 42 + step / 8.0, y = 25 + step / 6.0, part[2] = {x - floor(x), y - floor(y)};
            double *src = values_even("rgba32f", W, H, 0);
            for (int i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c)
                    src[4 * (((int)y + i / 2) * W + (int)x + i % 2) + c] =
                        3000 * (i / 2 ? part[1] : 1 - part[1]) * (i % 2 ? part[0] : 1 - part[0]);
            texture_quantise("rgba32f", src, TEXELS);
            ag_bloom_settings s = bloom_settings(f, cases[n].resolution, AG_BLOOM_ONLY);
            s.shape = cases[n].shape;
            s.firefly = cases[n].firefly;
            s.size = 0.7f;
            double *got = bloom_run(f, pass, "rgba32f", W, H, src, &s);
            double light = total(got, TEXELS) / total(src, TEXELS);
            free(got);
            free(src);
            lost = check_worse(lost, fabs(light - 1));
            made = check_worse(made, light - 1);
            worst = step ? check_worse(worst, fabs(light - before)) : 0;
            before = light;
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s, firefly %s: change of the glow's total a step",
                 cases[n].shape, names[cases[n].resolution], kinds[cases[n].firefly]);
        CHECK_LIMIT(name, worst, cases[n].change);
        CHECK_LIMIT(cases[n].firefly ? "light that was made" : "light that was lost or made",
                    cases[n].firefly ? made : lost, 1e-3);
    }
    f->ag->pass_destroy(pass);
}

// A frame with a lamp as large as a part of its height, on a planned size. Gives the glow's light
// over the frame's texels, and its mean radius over the height.
static void fixed_glow(fixture *f, ag_pass *pass, int w, int h, const ag_bloom_settings *settings,
                       const int plan[2], double glow[2])
{
    double *src = values_even("rgba32f", w, h, 0), cx = 0.47 * w, cy = 0.53 * h;
    for (int i = 0; i < w * h; ++i)
        for (int k = 0; k < 3; ++k) // its edge is a texel wide
            src[4 * i + k] =
                100 * fmin(fmax(0.03 * h - hypot(i % w + 0.5 - cx, i / w + 0.5 - cy) + 0.5, 0), 1);
    ag_bloom_settings s;
    trial t = blooming_of(f, "fixed", w, h, src, &s);
    t.pass = pass;
    t.job.plan_width = plan[0];
    t.job.plan_height = plan[1];
    s = *settings;
    double *got = trial_take(&t, DST), light = 0, moment = 0;
    for (int i = 0; i < w * h; ++i) {
        light += got[4 * i];
        moment += got[4 * i] * hypot(i % w + 0.5 - cx, i / w + 0.5 - cy);
    }
    glow[0] = light / (w * h);
    glow[1] = moment / light / h;
    free(got);
    free(src);
}

// grid = fixed: the frame has 0.6 to 1 of the planned size, and the glow stays as it is.
void test_bloom_small_fixed(void **state)
{
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    static const double scales[] = {1, 0.731, 0.6, 0.93, 0.87, 0.8, 0.66};
    static const int plan_size[] = {320, 180};
    fixture *f = *state;
    sweep *share = sweep_start("small fixed", 6);
    for (int n = 0; n < 6; ++n) {
        if (!sweep_takes(share))
            continue;
        ag_pass *pass = fixture_pass(f, "bloom");
        ag_bloom_settings s = bloom_settings(f, 1 + n % 2, AG_BLOOM_ONLY);
        s.shape = shapes[n / 2];
        s.size = s.shape ? 1.6f : 0.8f; // some 300 texels, so that the core is small
        s.grid = AG_BLOOM_FIXED;
        double first[2], glow[2], change[2] = {0};
        for (int i = 0; i < (check_tier_now() == CHECK_QUICK ? 2 : 7); ++i) {
            fixed_glow(f, pass, (int)(plan_size[0] * scales[i] + 0.5),
                       (int)(plan_size[1] * scales[i] + 0.5), &s, plan_size, i ? glow : first);
            for (int k = 0; k < 2 && i; ++k)
                change[k] = check_worse(change[k], fabs(glow[k] / first[k] - 1));
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s: change of the glow's light, 0.6 .. 1 sizes",
                 s.shape, names[s.resolution]);
        CHECK_LIMIT(name, change[0], 0.02);
        CHECK_LIMIT("and of its mean radius", change[1], 0.02);
        f->ag->pass_destroy(pass);
    }
    static const struct {
        int grid, firefly, resolution, planned, status;
    } refused[] = {{AG_BLOOM_FIXED, 0, 0, 0, AG_E_ARG},
                   {AG_BLOOM_FRAME, AG_BLOOM_FIREFLY_CLAMP, 0, 0, AG_E_ARG},
                   {AG_BLOOM_FIXED, AG_BLOOM_FIREFLY_CLAMP, AG_BLOOM_HALF, 129, AG_E_SIZE},
                   {AG_BLOOM_FIXED, AG_BLOOM_FIREFLY_CLAMP, AG_BLOOM_HALF, 128, AG_OK}};
    ag_bloom_settings s;
    trial t = blooming_of(f, "refused", 64, 64, NULL, &s);
    trial_make(&t);
    for (size_t i = 0; i < COUNT(refused); ++i) {
        const ag_plan *plan;
        s.grid = refused[i].grid;
        s.firefly = refused[i].firefly;
        s.resolution = refused[i].resolution;
        t.job.plan_width = t.job.plan_height = refused[i].planned;
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), refused[i].status);
    }
    trial_free(&t);
}

// A lone bright texel spreads almost nothing; an even area, and a lamp of many texels inside its
// edge, what they would without. A frame of a few texels keeps its light.
void test_bloom_small_firefly(void **state)
{
    static const int sides[] = {1, 12, 0}, small[][2] = {{1, 1}, {1, 7}, {17, 16}}; // 0: even
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("small firefly", 9);
    for (int n = 0; n < 9; ++n) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = bloom_settings(f, 1 + n % 2, AG_BLOOM_ONLY);
        double *src = values_even("rgba32f", W, H, 2);
        if (n >= 6) {
            int w = small[n - 6][0], h = small[n - 6][1];
            s.firefly = AG_BLOOM_FIREFLY_KARIS;
            s.output = AG_BLOOM_COMPOSITE;
            s.size = 0;
            double *got = bloom_run(f, pass, "rgba32f", w, h, src, &s);
            CHECK_LIMIT("an even small frame that keeps its light: change",
                        check_max_error(got, src, (size_t)(4 * w * h)), 1e-2);
            free(got);
        }
        double shares[3];
        s.firefly = n / 2;
        s.shape = s.resolution == 1 ? AG_BLOOM_APERTURE : AG_BLOOM_ANAMORPHIC;
        for (int scene = 0; scene < 3 && n < 6; ++scene) {
            int side = sides[scene];
            for (int i = 0; i < 4 * TEXELS; ++i) {
                int x = i / 4 % W - 42, y = i / 4 / W - 24;
                bool lit = x >= 0 && y >= 0 && x < side && y < side && i % 4 < 3;
                src[i] = side == 0 ? 3 : lit ? 500 : 0;
            }
            double *got = bloom_run(f, pass, "rgba32f", W, H, src, &s);
            shares[scene] =
                side ? total(got, TEXELS) / total(src, TEXELS) : got[4 * (27 * W + 45)] / 3;
            free(got);
        }
        free(src);
        if (n >= 6)
            continue;
        printf("  note  %s, firefly %s\n", names[s.resolution], kinds[s.firefly]);
        CHECK_LIMIT("a lone texel: share of its light", shares[0], s.firefly ? 0.01 : 1.001);
        CHECK_LIMIT("0.5 over what 12 x 12 texels spread", 0.5 / shares[1], 1);
        CHECK_LIMIT("an even area: change", fabs(shares[2] - 1), 2e-3);
    }
    f->ag->pass_destroy(pass);
}

static const ag_plan *plan_of(trial *t)
{
    const ag_plan *plan = NULL;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    return plan;
}

// Bytes of all steps and `dispatch_bytes` a dispatch, as auto compares plans.
static double cost_of(trial *t, double dispatch_bytes)
{
    const ag_plan *plan = plan_of(t);
    double cost = 0;
    for (uint32_t i = 0; i < plan->step_count; ++i)
        cost += (double)plan->steps[i].bytes + dispatch_bytes * plan->steps[i].dispatches;
    return cost;
}

// resolution = auto takes the cheapest plan of those that keep its promise: the error of the bloom
// of white noise times the intensity is 50 dB below the bloom. The estimate is a mean over places:
// 1 dB. Here a dispatch costs a byte, so that bytes decide.
void test_bloom_small_auto(void **state)
{
    enum { SIDE = 97, VALUES = 4 * TEXELS };
    static const struct {
        const char *name;
        int shape, coarsest; // that keeps the promise, or may
        float size, intensity;
    } cases[] = {{"a narrow Gaussian", AG_BLOOM_GAUSSIAN, 0, 0.05f, 0.1f},
                 {"a star", AG_BLOOM_APERTURE, 3, 0.8f, 0.1f},
                 {"a wide Gaussian", AG_BLOOM_GAUSSIAN, 3, 2, 0.1f},
                 {"a star, much of it", AG_BLOOM_APERTURE, 2, 0.8f, 1},
                 {"an eye's star", AG_BLOOM_STAR, 3, 0.8f, 0.1f},
                 {"a streak", AG_BLOOM_ANAMORPHIC, 2, 0.8f, 0.3f},
                 {"a smooth image", AG_BLOOM_TEXTURE, 3, 2, 0.1f},
                 {"an image of noise", AG_BLOOM_TEXTURE, 0, 0.8f, 0.1f}};
    fixture *f = *state;
    rng r = rng_start("small auto", 65);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = check_doubles(VALUES), *image = check_doubles(SIDE * SIDE);
    for (int i = 0; i < VALUES; ++i)
        src[i] = rng_normal(&r);
    texture_quantise("rgba32f", src, TEXELS);
    sweep *share = sweep_start("small auto", 8);
    ag_tuning *tuning = ag_device_tuning(f->device);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        for (int k = 0; k < SIDE * SIDE; ++k) {
            double x = k % SIDE - SIDE / 2, y = k / SIDE - SIDE / 2;
            image[k] = cases[i].coarsest ? exp(-(x * x + 2 * y * y) / 800) : rng_uniform(&r, 0, 1);
        }
        double *results[2], costs[2]; // of full, and of auto
        int chosen = 0;
        tuning->dispatch_bytes = 1;
        for (int k = 0; k < 2; ++k) {
            ag_bloom_settings s;
            trial t = blooming_of(f, "auto", W, H, src, &s);
            t.pass = pass;
            s.output = AG_BLOOM_ONLY;
            s.resolution = k ? AG_BLOOM_AUTO : AG_BLOOM_FULL;
            s.shape = cases[i].shape;
            s.size = cases[i].size;
            s.intensity = cases[i].intensity;
            if (cases[i].shape == AG_BLOOM_TEXTURE)
                t.slots[IMAGE] = trial_image("r32f", SIDE, SIDE, image);
            trial_run(&t);
            results[k] = t.got[DST];
            t.got[DST] = NULL;
            costs[k] = cost_of(&t, 1);
            const char *text = plan_of(&t)->text;
            for (chosen = 0; chosen < 3 && strncmp(text, names[chosen], strlen(names[chosen]));)
                ++chosen;
            trial_free(&t);
        }
        tuning->dispatch_bytes = 0;
        double error = 0, light = 0;
        for (int k = 0; k < VALUES; ++k) {
            error += k % 4 < 3 ? pow(results[1][k] - results[0][k], 2) : 0;
            light += k % 4 < 3 ? pow(results[0][k], 2) : 0;
        }
        double db = 10 * log10(light / error / pow((double)cases[i].intensity, 2));
        printf("  %s: %s, %.1f dB\n", cases[i].name, names[chosen], db);
        CHECK(chosen <= cases[i].coarsest && costs[1] <= costs[0]);
        if (cases[i].coarsest == 3 && cases[i].shape != AG_BLOOM_GAUSSIAN)
            CHECK(costs[1] < costs[0]);
        CHECK_LIMIT("50 dB over what is kept", 50 / db, 50.0 / 49);
        for (int k = 0; k < 2; ++k)
            free(results[k]);
    }
    free(src);
    free(image);
    f->ag->pass_destroy(pass);
}

// Bytes a texel of the frame, as the plan has them.
void test_bloom_small_bytes(void **state)
{
    static const double most[] = {100, 55, 40, 46}; // the last: an anamorphic at a quarter
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    for (int i = 0; i < 8; ++i) {
        int w = 1920 * (1 + i / 4), h = 1080 * (1 + i / 4), resolution = i % 4 < 3 ? i % 4 : 2;
        ag_bloom_settings s;
        trial t = blooming_of(f, "bytes", w, h, NULL, &s);
        t.pass = pass;
        s = bloom_settings(f, resolution, AG_BLOOM_ONLY);
        s.shape = i % 4 < 3 ? AG_BLOOM_APERTURE : AG_BLOOM_ANAMORPHIC;
        s.size = 0.3f;
        t.slots[SRC].format = t.slots[DST].format = NULL; // plans need no textures
        t.views[SRC] = t.views[DST] = (ag_texture){.struct_size = sizeof(ag_texture),
                                                   .target = GL_TEXTURE_2D,
                                                   .format = GL_RGBA16F,
                                                   .width = w,
                                                   .height = h};
        trial_make(&t);
        const ag_plan *plan = NULL;
        ag_status status = f->ag->declare(pass, &t.job, &plan);
        char name[64];
        snprintf(name, sizeof name, "%dx%d, shape %d, %s: bytes a texel", w, h, s.shape,
                 names[resolution]);
        if (!minimums_refused(&f->host, status)) // spectra larger than the least block
            CHECK_LIMIT(name, cost_of(&t, 0) / w / h, most[i % 4]);
        trial_free(&t);
    }
    f->ag->pass_destroy(pass);
}
