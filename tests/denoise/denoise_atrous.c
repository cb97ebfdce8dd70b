// denoise_atrous.c - the filter "atrous" of "denoise": values, guides, sizes
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "atrous_ref.h"

typedef struct guiding { // do not copy
    denoising d;
    texture albedo, normal, depth;
    double *values[3]; // as the textures hold them; NULL: not given
} guiding;

static void open_guides(fixture *f, guiding *g)
{
    memset(g, 0, sizeof *g);
    denoising_open(f, &g->d);
    g->d.settings.filter = AG_DENOISE_ATROUS;
    g->d.settings.sigma = 0.1f;
    g->d.t.job.slot_count = AG_DENOISE_DEPTH + 1;
}

static void drop_guides(guiding *g)
{
    texture *const textures[] = {&g->albedo, &g->normal, &g->depth};
    for (int i = 0; i < 3; ++i) {
        if (textures[i]->name)
            texture_destroy(g->d.t.f, textures[i]);
        *textures[i] = (texture){0};
        free(g->values[i]);
        g->values[i] = NULL;
        g->d.t.views[AG_DENOISE_ALBEDO + i] = texture_no_view();
    }
}

static void close_guides(guiding *g)
{
    drop_guides(g);
    denoising_close(&g->d);
}

// Whether rounding a normal to 10 bits an axis is nearly a tie, which floats may decide otherwise.
static bool ties(const double *n)
{
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3 && size > 0; ++c)
        if (fabs(fabs(fmod(n[c] / size * 511, 1)) - 0.5) < 1e-3)
            return true;
    return false;
}

// Two planes with an edge between them, of a checked albedo; `given`: bits of guides.
static void set_guides(guiding *g, rng *r, int w, int h, unsigned given)
{
    texture *const textures[] = {&g->albedo, &g->normal, &g->depth};
    const char *const formats[] = {"rgba16f", "rgba32f", "r32f"};
    const int channels[] = {4, 4, 1};
    drop_guides(g);
    for (int k = 0; k < 3; ++k) {
        if (!(given >> k & 1))
            continue;
        double *values = check_doubles((size_t)w * (size_t)h * (size_t)channels[k]);
        for (int i = 0; i < w * h * channels[k]; ++i) {
            int x = i / channels[k] % w, y = i / channels[k] / w, c = i % channels[k];
            bool left = 3 * x + y < 2 * w;
            if (k == 0)
                values[i] = (x / 5 + y / 4) % 2 ? 0.9 - 0.2 * c : c == 1 ? 0 : 0.15;
            else if (k == 1)
                values[i] = (left ? (c == 0) : (c == 2)) * 3 + 0.3 * rng_uniform(r, -1, 1);
            else
                values[i] = left ? 5 + 0.03 * x + 0.01 * y : 8 - 0.02 * y;
            if (k == 1 && y < 3)
                values[i] = 0; // a sky
        }
        for (int i = 0; i < w * h && k == 1; ++i)
            while (ties(values + 4 * i))
                values[4 * i] += 0.01;
        *textures[k] = texture_create(g->d.t.f, formats[k], w, h, values);
        g->values[k] = texture_read(g->d.t.f, textures[k], 0);
        g->d.t.views[AG_DENOISE_ALBEDO + k] = texture_view(textures[k]);
        free(values);
    }
}

static bool check_atrous(guiding *g, const char *name, double limit)
{
    denoise_ref_image image = denoising_ref(&g->d);
    const atrous_ref_guides guides = {g->values[0], g->values[1], g->values[2]};
    size_t count = (size_t)image.width * (size_t)image.height * (size_t)image.channels;
    double *right = check_doubles(count), largest = 0;
    atrous_ref(&image, &guides, &g->d.settings, right);
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(right[i]));
    double *got = denoising_run(&g->d);
    char text[160];
    snprintf(text, sizeof text, "%s: error of the largest", name);
    bool good = check_limit(text, check_max_error(got, right, count) / largest, limit);
    free(got);
    free(right);
    return good;
}

// Of the largest value; denoise.h states it. Seen: 4.6e-6 on an H100.
#define LIMIT 8e-6

static void scene_with_noise(guiding *g, rng *r, const char *format, int w, int h)
{
    int channels = format_named(format)->channels;
    double *values = denoising_scene(w, h, channels, rng_int(r, 0, 500), 0);
    for (int i = 0; i < w * h * channels; ++i)
        values[i] += channels == 4 && i % 4 == 3 ? 0 : 0.1 * rng_normal(r);
    denoising_image(&g->d, format, NULL, w, h, 0, values);
}

// Every set of guides, at sizes that are no multiples of anything, up to 6 levels.
void test_atrous(void **state)
{
    guiding g;
    open_guides(*state, &g);
    rng r = rng_start("atrous", 941);
    bool good = true;
    sweep *share = sweep_start("atrous", 24);
    for (unsigned given = 0; given < 8; ++given)
        for (int levels = 1; levels <= 6; ++levels) {
            if (!sweep_takes(share))
                continue;
            char name[64];
            int w = rng_int(&r, 40, 90), h = rng_int(&r, 30, 80);
            snprintf(name, sizeof name, "%dx%d, %d levels, guides%s%s%s", w, h, levels,
                     given & 1 ? " albedo" : "", given & 2 ? " normal" : "",
                     given & 4 ? " depth" : "");
            g.d.settings.levels = levels;
            g.d.settings.strength = (float)rng_uniform(&r, 0.5, 3);
            scene_with_noise(&g, &r, "rgba32f", w, h);
            set_guides(&g, &r, w, h, given);
            good = check_atrous(&g, name, LIMIT) && good;
        }
    close_guides(&g);
    CHECK(good);
}

// Small sizes, formats, spaces, a blended result.
void test_atrous_more(void **state)
{
    static const int sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {2, 3}, {7, 5}, {33, 31}};
    guiding g;
    open_guides(*state, &g);
    rng r = rng_start("atrous more", 942);
    bool good = true;
    char name[64];
    g.d.settings.levels = 5;
    sweep *share = sweep_start("atrous more", 4);
    for (int i = 0; i < 6; ++i) {
        if (!sweep_takes(share))
            continue;
        snprintf(name, sizeof name, "%dx%d", sizes[i][0], sizes[i][1]);
        scene_with_noise(&g, &r, i % 2 ? "rgba32f" : "r32f", sizes[i][0], sizes[i][1]);
        set_guides(&g, &r, sizes[i][0], sizes[i][1], 6);
        good = check_atrous(&g, name, LIMIT) && good;
    }
    set_guides(&g, &r, 1, 1, 0);
    g.d.settings.amount = 0.7f;
    for (int space = 0; space < 3; ++space) {
        if (!sweep_takes(share))
            continue;
        snprintf(name, sizeof name, "space %d, amount 0.7", space);
        g.d.settings.space = space;
        g.d.settings.sigma = space == AG_DENOISE_ANSCOMBE ? 5 : 0.3f;
        g.d.settings.gain = 0.03f;
        g.d.settings.offset = 0.1f;
        scene_with_noise(&g, &r, "rgba32f", 61, 44);
        good = check_atrous(&g, name, LIMIT) && good;
    }
    g.d.settings.space = AG_DENOISE_LINEAR;
    g.d.settings.sigma = 0.1f;
    static const char *const formats[] = {"rgba16f", "rgba8", "rg16f"};
    for (int i = 0; i < 3; ++i) { // halves between levels: half a unit of 2^-11 each
        if (!sweep_takes(share))
            continue;
        scene_with_noise(&g, &r, formats[i], 61, 44);
        good = check_atrous(&g, formats[i], 3e-3) && good;
    }
    close_guides(&g);
    CHECK(good);
}

// Fireflies: against the reference, in every space of one, two and four channels, and with one row
// and one texel; and a texel of 60 000 in the dark, which is as bright as its surroundings then, as
// are those around it.
void test_atrous_firefly(void **state)
{
    enum { W = 61, H = 44, AT = (20 * W + 30) * 4 };
    static const char *const formats[] = {"rgba32f", "r32f", "rg32f"};
    guiding g;
    open_guides(*state, &g);
    rng r = rng_start("atrous firefly", 945);
    bool good = true;
    char name[64];
    g.d.settings.amount = 0.8f;
    sweep *share = sweep_start("atrous firefly", 5);
    for (int i = 0; i < 11; ++i) { // the first nine: every space of every format
        int w = i < 10 ? W : 1, h = i < 9 ? H : 1;
        if (!sweep_takes(share))
            continue;
        const char *format = formats[(i + i / 3) % 3];
        g.d.settings.space = i % 3;
        g.d.settings.sigma = g.d.settings.space == AG_DENOISE_ANSCOMBE ? 5 : 0.3f;
        g.d.settings.gain = 0.03f;
        g.d.settings.firefly = (float)rng_uniform(&r, 1, 2);
        scene_with_noise(&g, &r, format, w, h);
        double *values = texture_read(g.d.t.f, &g.d.t.textures[AG_DENOISE_SRC], 0);
        for (int k = 0; k < w * h * g.d.t.textures[AG_DENOISE_SRC].format->channels; ++k)
            values[k] *= rng_int(&r, 0, 19) ? 1 : 20;
        denoising_upload(&g.d, values);
        set_guides(&g, &r, w, h, i % 2 ? 7 : 0);
        snprintf(name, sizeof name, "%dx%d, space %d, %s, firefly %.2f", w, h, i % 3, format,
                 (double)g.d.settings.firefly);
        good = check_atrous(&g, name, LIMIT) && good;
    }
    set_guides(&g, &r, W, H, 0);
    g.d.settings = (ag_denoise_settings)AG_DENOISE_DEFAULTS;
    g.d.settings.filter = AG_DENOISE_ATROUS;
    g.d.settings.levels = 5;
    g.d.settings.sigma = 0.001f;
    g.d.settings.firefly = 1.5f;
    double *values = check_doubles(W * H * 4);
    for (int i = 0; i < W * H * 4; ++i)
        values[i] = i / 4 == AT / 4 ? 60000 : 0.01 + 0.001 * rng_normal(&r);
    denoising_image(&g.d, "rgba16f", NULL, W, H, 0, values);
    double *got = denoising_run(&g.d), worst = 0;
    for (int i = 0; i < W * H * 4; ++i)
        if (i % 4 < 3 && i / 4 != AT / 4)
            worst = check_worse(worst, fabs(got[i] - 0.01));
    good = check_limit("a texel of 60 000: its value", got[AT], 0.0155) && good;
    good = check_limit("    others: error, in sigma", worst / 0.001, 2) && good;
    free(got);
    close_guides(&g);
    CHECK(good);
}

// Light on a checked albedo, of two planes: guides keep what colours alone would lose.
void test_atrous_quality(void **state)
{
    enum { W = 256, H = 192 };
    guiding g;
    open_guides(*state, &g);
    rng r = rng_start("atrous quality", 943);
    double results[2], before = 0;
    g.d.settings.levels = 5;
    g.d.settings.sigma = 0; // estimated
    for (int guided = 0; guided < 2; ++guided) {
        double *values = check_doubles((size_t)W * H * 4),
               *clean = check_doubles((size_t)W * H * 4);
        set_guides(&g, &r, W, H, 7);
        for (int i = 0; i < W * H * 4; ++i) {
            int x = i / 4 % W, y = i / 4 / W;
            double light = 3 * x + y < 2 * W ? 0.6 + 0.2 * sin(x / 30.0) : 0.3;
            double a = g.values[0][i] > 1e-3 ? g.values[0][i] : 1;
            clean[i] = i % 4 == 3 ? 1 : light * a;
            values[i] = i % 4 == 3 ? 1 : clean[i] + a * 0.2 * light * rng_normal(&r);
        }
        if (!guided)
            set_guides(&g, &r, W, H, 0);
        denoising_image(&g.d, "rgba16f", NULL, W, H, 0, values);
        double *got = denoising_run(&g.d);
        before = check_psnr(g.d.values, clean, (size_t)W * H * 4, 1);
        results[guided] = check_psnr(got, clean, (size_t)W * H * 4, 1);
        free(got);
        free(clean);
    }
    printf("  %.2f dB; without guides %.2f, with guides %.2f\n", before, results[0], results[1]);
    bool good =
        check_limit("with guides 10 dB over the noisy image: lacks", before + 10 - results[1], 0);
    good = check_limit("and 5 dB over no guides: lacks", results[0] + 5 - results[1], 0) && good;
    close_guides(&g);
    CHECK(good);
}

// Guides of another size, or for a filter that reads none.
void test_atrous_refusals(void **state)
{
    guiding g;
    open_guides(*state, &g);
    rng r = rng_start("atrous refusals", 944);
    fixture *f = g.d.t.f;
    scene_with_noise(&g, &r, "rgba16f", 40, 30);
    set_guides(&g, &r, 40, 31, 4);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(g.d.t.pass, &g.d.t.job), AG_E_SIZE);
    CHECK_HAS(host_log_last(&f->host), "depth's rectangle is 40x31");
    set_guides(&g, &r, 40, 30, 4);
    g.d.settings.filter = AG_DENOISE_TI_HAAR;
    CHECK_STATUS(f->ag->prepare(g.d.t.pass, &g.d.t.job), AG_E_ARG);
    CHECK_HAS(host_log_last(&f->host), "slot depth is given, but only filter = atrous reads it");
    close_guides(&g);
}
