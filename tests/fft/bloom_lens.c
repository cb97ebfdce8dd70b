// bloom_lens.c - bloom's dirt mask, ghosts, exposure from a texture, and output added to a target
// SPDX-License-Identifier: MIT
//
// The glow alone, which other tests hold to the exact convolution, is the reference here: what the
// lens makes of it is done again in double.
#include "bloom_ref.h"
#include "test_bloom.h"

enum { VALUES = 4 * TEXELS, DIRT_W = 13, DIRT_H = 7 };

typedef struct lens_run { // NULL: an empty slot
    int width, height;    // 0: W x H
    const double *src, *target, *dirt, *exposure;
    ag_bloom_settings settings;
} lens_run;

static lens_run lens_base(fixture *f, const double *src)
{
    lens_run c = {.src = src, .settings = bloom_settings(f, AG_BLOOM_FULL, AG_BLOOM_COMPOSITE)};
    c.settings.intensity = 0.4f;
    return c;
}

static double *run_lens(fixture *f, ag_pass *pass, const lens_run *c)
{
    ag_bloom_settings s;
    trial t =
        blooming_of(f, "lens", c->width ? c->width : W, c->height ? c->height : H, c->src, &s);
    t.pass = pass;
    t.slots[DST].values = c->target;
    if (c->dirt)
        t.slots[AG_BLOOM_DIRT] = trial_image("rgba32f", DIRT_W, DIRT_H, c->dirt);
    if (c->exposure)
        t.slots[AG_BLOOM_EXPOSURE] = trial_image("rgba32f", 1, 1, c->exposure);
    s = c->settings;
    return trial_take(&t, DST);
}

static double *glow_alone(fixture *f, ag_pass *pass, const lens_run *c)
{
    lens_run alone = {.src = c->src, .exposure = c->exposure, .settings = c->settings};
    alone.settings.output = AG_BLOOM_ONLY;
    alone.settings.ghosts = 0;
    return run_lens(f, pass, &alone);
}

// The mask at a texel: bilinear, its edges extended.
static double mask_at(const lens_run *c, int x, int y, int channel)
{
    double u = (x + 0.5) / W * DIRT_W - 0.5, v = (y + 0.5) / H * DIRT_H - 0.5;
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
        double px = floor(u) + i % 2, py = floor(v) + (double)(i / 2);
        double weight = (1 - fabs(u - px)) * (1 - fabs(v - py));
        int tx = (int)fmin(fmax(px, 0), DIRT_W - 1);
        int ty = (int)fmin(fmax(py, 0), DIRT_H - 1);
        sum += weight * c->dirt[4 * (ty * DIRT_W + tx) + channel];
    }
    return sum;
}

// Composite, alone and added, with and without dirt and threshold, and by a smaller image.
void test_lens_dirt_and_add(void **state)
{
    fixture *f = *state;
    rng r = rng_start("lens", 61);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    double *target = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    double *dirt = blooming_scene(&r, "rgba16f", DIRT_W, DIRT_H, 0.01, 1);
    sweep *share = sweep_start("dirt and add", 12);
    for (int i = 0; i < 16; ++i) {
        if (!sweep_takes(share))
            continue;
        lens_run c = lens_base(f, src);
        c.settings.resolution = i / 8 ? AG_BLOOM_HALF : AG_BLOOM_FULL;
        c.target = target;
        c.settings.output = i % 4 < 3 ? i % 4 : AG_BLOOM_ADD;
        c.dirt = i % 4 < 3 ? dirt : NULL; // the composite, the glow and what is added
        c.settings.dirt_intensity = 1.5f;
        c.settings.tint[1] = 0.5f;
        c.settings.threshold = i / 4 % 2 ? 2.0f : 0;
        double *glow = glow_alone(f, pass, &c), *got = run_lens(f, pass, &c), worst = 0;
        for (int p = 0; p < W * H; ++p) {
            double t[4];
            bloom_ref_texel(&c.settings, src + 4 * p, 4, t);
            for (int k = 0; k < 4; ++k) {
                double light = k == 3 ? 0 : glow[4 * p + k];
                if (c.dirt && k < 3)
                    light *= 1 + 1.5 * mask_at(&c, p % W, p / W, k);
                double want = light;
                if (c.settings.output == AG_BLOOM_ADD)
                    want += target[4 * p + k];
                else if (c.settings.output == AG_BLOOM_COMPOSITE || k == 3)
                    want += src[4 * p + k] - (k < 3 ? 0.4 * t[k] : 0);
                worst = check_worse(worst, fabs(got[4 * p + k] - want));
            }
        }
        char name[96];
        snprintf(name, sizeof name, "output %d, dirt %d, threshold %g, resolution %d: error",
                 c.settings.output, c.dirt != NULL, (double)c.settings.threshold,
                 c.settings.resolution);
        CHECK_LIMIT(name, worst / 20, 2e-6);
        free(glow);
        free(got);
    }
    free(src);
    free(target);
    free(dirt);
    f->ag->pass_destroy(pass);
}

static const double ghost_scale[8] = {-1 / 1.75, -1 / 1.2,  1 / 1.5, -1 / 0.8,
                                      1 / 1.9,   -1 / 1.45, 1 / 0.7, -1 / 0.6};

// Two ghosts of a spot differ from one by the second: its place and its light follow from its
// scale.
// The kernel is its centre, so C is the scene. Then those of the glow of a smaller image.
void test_lens_ghosts(void **state)
{
    static const double red[8] = {1, 0.5, 0.55, 0.8, 0.9, 0.4, 1, 0.5};
    enum { X = 52, Y = 31 }; // near enough to the middle that every ghost is inside
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = values_even("rgba32f", W, H, 0), *before = NULL;
    for (int y = -1; y <= 1; ++y) // a spot, so that every sampling sees it whole
        for (int x = -1; x <= 1; ++x)
            for (int c = 0; c < 3; ++c)
                src[4 * ((Y + y) * W + X + x) + c] = 100.0 * (2 - abs(x)) * (2 - abs(y));
    double all = 100 * 16;
    for (int ghosts = 0; ghosts <= 8; ++ghosts) {
        lens_run c = lens_base(f, src);
        c.settings.size = 0;
        c.settings.intensity = 0;
        c.settings.ghosts = ghosts;
        c.settings.ghost_intensity = 0.1f;
        double *got = run_lens(f, pass, &c), sum = 0, mx = 0, my = 0;
        for (int p = 0; before && p < W * H; ++p) {
            double light = got[4 * p] - before[4 * p];
            sum += light;
            mx += light * (p % W);
            my += light * (double)(p / W);
        }
        if (!ghosts)
            for (int i = 0; i < VALUES; ++i)
                CHECK(got[i] == src[i]); // nothing at all
        if (ghosts) {
            double dx = X - (W - 1) / 2.0, dy = Y - (H - 1) / 2.0, s = ghost_scale[ghosts - 1];
            double ex = dx / (W / 2.0), ey = dy / (H / 2.0), passes = 1 - (ex * ex + ey * ey) / 2;
            char name[96];
            snprintf(name, sizeof name, "ghost %d: texels from its place", ghosts);
            CHECK_LIMIT(name,
                        hypot(mx / sum - (W - 1) / 2.0 - dx * s, my / sum - (H - 1) / 2.0 - dy * s),
                        0.1);
            snprintf(name, sizeof name, "ghost %d: |its light / its share - 1|", ghosts);
            CHECK_LIMIT(name, fabs(sum / (0.1 * all * red[ghosts - 1] * passes * passes) - 1),
                        0.06);
        }
        free(before);
        before = got;
    }
    lens_run c = lens_base(f, src);
    double light = 0, error = 0;
    c.settings.size = 2;
    c.settings.ghosts = 3;
    double *full = run_lens(f, pass, &c);
    c.settings.resolution = AG_BLOOM_HALF;
    double *half = run_lens(f, pass, &c);
    for (int k = 0; k < VALUES; ++k) {
        light += full[k] * full[k];
        error += pow(half[k] - full[k], 2);
    }
    CHECK_LIMIT("60 dB over that of half resolution", 60 / (10 * log10(light / error)), 1);
    free(full);
    free(half);
    free(before);
    free(src);
    f->ag->pass_destroy(pass);
}

// ---- ghosts out of focus -----------------------------------------------------------------------

enum { CELLS = 240, REACH = 4 }; // cells along the longer side; around the frame, and of a point

typedef struct defocus {
    int cell, across, down; // texels; cells, with those around the frame
    double *light;          // of red, a cell each
} defocus;

// The mean of red over each cell, then over all cells that an image of the iris there covers.
static defocus defocus_of(const lens_run *c)
{
    const ag_bloom_settings *s = &c->settings;
    int longer = c->width > c->height ? c->width : c->height, cell = (longer + CELLS - 1) / CELLS;
    defocus d = {cell, (c->width + cell - 1) / cell + 2 * REACH,
                 (c->height + cell - 1) / cell + 2 * REACH, NULL};
    double *mean = check_doubles((size_t)(d.across * d.down));
    double radius = longer / (71.0 * cell), pi = acos(-1), total = 0,
           iris[2 * REACH + 1][2 * REACH + 1];
    memset(mean, 0, sizeof *mean * (size_t)(d.across * d.down));
    for (int i = 0; i < c->width * c->height; ++i)
        mean[(i / c->width / cell + REACH) * d.across + i % c->width / cell + REACH] +=
            c->src[4 * i] / (cell * cell);
    for (int y = -REACH; y <= REACH; ++y)
        for (int x = -REACH; x <= REACH; ++x) {
            double farthest = -1e9; // over the edges of the polygon
            for (int k = 0; k < s->blades; ++k) {
                double normal = (double)s->rotation * pi / 180 + (2 * k + 1) * pi / s->blades;
                farthest = fmax(farthest, x * cos(normal) + y * sin(normal));
            }
            double polygon = farthest - radius * cos(pi / s->blades), circle = hypot(x, y) - radius;
            double outside = polygon + (circle - polygon) * (double)s->roundness;
            total += iris[y + REACH][x + REACH] = fmin(fmax(0.5 - outside, 0), 1);
        }
    d.light = check_doubles((size_t)(d.across * d.down));
    for (int i = 0; i < d.across * d.down; ++i) {
        d.light[i] = 0;
        for (int k = 0; k < (2 * REACH + 1) * (2 * REACH + 1); ++k) {
            int x = i % d.across + k % (2 * REACH + 1) - REACH;
            int y = i / d.across + k / (2 * REACH + 1) - REACH;
            if (x >= 0 && y >= 0 && x < d.across && y < d.down)
                d.light[i] +=
                    iris[k / (2 * REACH + 1)][k % (2 * REACH + 1)] / total * mean[y * d.across + x];
        }
    }
    free(mean);
    return d;
}

// Bilinear, at a place in texels.
static double defocus_at(const defocus *d, double x, double y)
{
    double u = (x + 0.5) / d->cell - 0.5 + REACH, v = (y + 0.5) / d->cell - 0.5 + REACH, sum = 0;
    for (int i = 0; i < 4; ++i) {
        int px = (int)floor(u) + i % 2, py = (int)floor(v) + i / 2;
        if (px >= 0 && py >= 0 && px < d->across && py < d->down)
            sum += (1 - fabs(u - px)) * (1 - fabs(v - py)) * d->light[py * d->across + px];
    }
    return sum;
}

// All ghosts of noise, the kernel being its centre, by irises of all kinds.
void test_lens_ghosts_defocus(void **state)
{
    static const struct {
        int shape, blades;
        float rotation, roundness;
    } irises[] = {{AG_BLOOM_APERTURE, 6, 0, 0},
                  {AG_BLOOM_ANAMORPHIC, 5, 23, 0.4f},
                  {AG_BLOOM_STAR, 3, 0, 1}};
    enum { WIDTH = 501, HEIGHT = 70 }; // cells of three texels
    static const double red[8] = {1, 0.5, 0.55, 0.8, 0.9, 0.4, 1, 0.5};
    fixture *f = *state;
    rng r = rng_start("ghosts", 63);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba32f", WIDTH, HEIGHT, 0.01, 20);
    for (size_t k = 0; k < COUNT(irises); ++k) {
        lens_run c = lens_base(f, src);
        c.width = WIDTH;
        c.height = HEIGHT;
        c.settings.size = c.settings.intensity = 0;
        c.settings.ghosts = 8;
        c.settings.ghost_intensity = 0.5f;
        c.settings.shape = irises[k].shape;
        c.settings.blades = irises[k].blades;
        c.settings.rotation = irises[k].rotation;
        c.settings.roundness = irises[k].roundness;
        double *got = run_lens(f, pass, &c), worst = 0;
        defocus d = defocus_of(&c);
        for (int p = 0; p < WIDTH * HEIGHT; ++p) {
            double x = p % WIDTH - (WIDTH - 1) / 2.0, y = p / WIDTH - (HEIGHT - 1) / 2.0, sum = 0;
            for (int i = 0; i < 8; ++i) {
                double m = 1 / ghost_scale[i], ex = x * m / (WIDTH / 2.0),
                       ey = y * m / (HEIGHT / 2.0);
                double passes = fmax(1 - (ex * ex + ey * ey) / 2, 0);
                sum += red[i] * passes * passes * m * m *
                       defocus_at(&d, (WIDTH - 1) / 2.0 + x * m, (HEIGHT - 1) / 2.0 + y * m);
            }
            worst = check_worse(worst, fabs(got[4 * p] - src[4 * p] - 0.5 * sum));
        }
        char name[64];
        snprintf(name, sizeof name, "ghosts by shape %d: error", irises[k].shape);
        CHECK_LIMIT(name, worst / 20, 4e-6);
        free(d.light);
        free(got);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// Letters with strokes of 6 texels in a frame 1080 high, here 3 in 540, cannot be read in ghosts:
// the contrast between texels that show strokes and those that show gaps between them.
void test_lens_ghosts_letters(void **state)
{
    static const char letters[][7][6] = {
        {"11111", "10000", "10000", "11110", "10000", "10000", "11111"},
        {"11111", "10000", "10000", "11110", "10000", "10000", "10000"},
        {"10001", "10001", "10001", "11111", "10001", "10001", "10001"},
        {"01110", "10001", "10001", "10001", "10001", "10001", "01110"}};
    enum { WIDTH = 960, HEIGHT = 540, STROKE = 3, X = 6 * STROKE, Y = 8 * STROKE };
    fixture *f = *state;
    rng r = rng_start("letters", 64);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = values_even("rgba32f", WIDTH, HEIGHT, 0);
    for (int i = 0; i < 12 * 12; ++i) { // in the middle, where all ghosts lie
        int letter = rng_int(&r, 0, (int)COUNT(letters) - 1);
        for (int k = 0; k < 35 * STROKE * STROKE; ++k) {
            int stroke = k / (STROKE * STROKE), in = k % (STROKE * STROKE);
            int x = WIDTH / 2 + (i % 12 - 6) * X + stroke % 5 * STROKE + in % STROKE;
            int y = HEIGHT / 2 + (i / 12 - 6) * Y + stroke / 5 * STROKE + in / STROKE;
            src[4 * (y * WIDTH + x)] = letters[letter][stroke / 5][stroke % 5] == '1' ? 30 : 0;
        }
    }
    double *before = NULL;
    for (int ghosts = 0; ghosts <= 8; ++ghosts) {
        lens_run c = lens_base(f, src);
        c.width = WIDTH;
        c.height = HEIGHT;
        c.settings =
            *ag_bloom_params(.intensity = 0, .size = 0, .ghosts = ghosts, .ghost_intensity = 0.5f);
        double *got = run_lens(f, pass, &c), light[2] = {0}, count[2] = {0};
        for (int p = 0; ghosts && p < WIDTH * HEIGHT; ++p) {
            double m = 1 / ghost_scale[ghosts - 1];
            int x = (int)floor((p % WIDTH - (WIDTH - 1) / 2.0) * m + WIDTH / 2.0);
            int y = (int)floor((p / WIDTH - (HEIGHT - 1) / 2.0) * m + HEIGHT / 2.0);
            if (abs(x - WIDTH / 2) < 5 * X && abs(y - HEIGHT / 2) < 5 * Y) {
                int stroke = src[4 * (y * WIDTH + x)] > 0;
                light[stroke] += got[4 * p] - before[4 * p];
                count[stroke] += 1;
            }
        }
        free(before);
        before = got;
        if (!ghosts)
            continue;
        double strokes = light[1] / count[1], gaps = light[0] / count[0];
        char name[64];
        snprintf(name, sizeof name, "ghost %d: contrast of its letters", ghosts);
        CHECK_LIMIT(name, fabs(strokes - gaps) / (strokes + gaps), 0.1);
    }
    free(before);
    free(src);
    f->ag->pass_destroy(pass);
}

// A texel of EV acts as the setting does; one that is not valid acts as 0.
void test_lens_exposure(void **state)
{
    static const double texels[][4] = {
        {2, 0, 0, 1}, {-1.5, 0, 0, 1}, {3, 0, 0, 0}, {NAN, 0, 0, 1}, {INFINITY, 0, 0, 1}};
    static const float acts_as[] = {2, -1.5f, 0, 0, 0};
    fixture *f = *state;
    rng r = rng_start("lens exposure", 62);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    sweep *share = sweep_start("lens exposure", 2);
    for (int i = 0; i < 5; ++i)
        for (int ghosts = 0; ghosts <= 1; ++ghosts) {
            if (!sweep_takes(share))
                continue;
            lens_run c = lens_base(f, src);
            c.settings.threshold = 1.5f;
            c.settings.clamp = 8;
            c.settings.exposure = 0.5f;
            c.settings.ghosts = ghosts;
            c.exposure = texels[i];
            double *got = run_lens(f, pass, &c), worst = 0;
            c.exposure = NULL;
            c.settings.exposure += acts_as[i];
            double *want = run_lens(f, pass, &c);
            for (int p = 0; p < VALUES; ++p)
                worst = check_worse(worst, fabs(got[p] - want[p]) / 20);
            char name[64];
            snprintf(name, sizeof name, "EV %g, valid %g, ghosts %d", texels[i][0], texels[i][3],
                     ghosts);
            CHECK_LIMIT(name, worst, 1e-6);
            free(got);
            free(want);
        }
    free(src);
    f->ag->pass_destroy(pass);
}

// Adding reads dst; other outputs write it. A transition needs the full resolution.
void test_lens_refusals(void **state)
{
    fixture *f = *state;
    double *src = values_even("rgba32f", W, H, 0);
    ag_bloom_settings s;
    trial t = blooming_of(f, "refused", W, H, src, &s);
    blooming_formats(&t, "r11g11b10f", "r11g11b10f");
    s.output = AG_BLOOM_ADD;
    CHECK(trial_refused(&t, AG_E_FORMAT, "output = add reads dst"));
    s.output = AG_BLOOM_COMPOSITE;
    s.ghosts = 2;
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
    s.shape = AG_BLOOM_APERTURE;
    s.transition = 10;
    s.resolution = AG_BLOOM_HALF;
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_E_ARG);
    trial_free(&t);
    free(src);
}
