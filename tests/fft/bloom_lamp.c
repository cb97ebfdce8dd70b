// bloom_lamp.c - the glow of a lamp of one texel: rings, steps, turns and sizes, at each resolution
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

enum { RADII = 16, AROUND = 40, RESOLUTIONS = 4 };
enum { SIDE = 202, REACH = 151, IMAGE_SIDE = 21 };
static const char *const names[RESOLUTIONS] = {"full", "half", "quarter", "eighth"};

typedef struct glow {
    double total;           // light, of a lamp of 1
    double radius;          // its mean distance from the lamp, over K's half extent
    double within[RADII];   // the share of light within 1/RADII, 2/RADII .. of that half extent
    double darkest, shadow; // the least texel and the sum of all below 0, of the channel's light
    double peak;            // the brightest texel
} glow;

// A lamp in a square of `side` texels; where it lies between texels, four have it.
static double *lamp_at(int side, double x, double y)
{
    double *src = values_even("rgba32f", side, side, 0), part[2] = {x - floor(x), y - floor(y)};
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 3; ++c)
            src[4 * (((int)y + i / 2) * side + (int)x + i % 2) + c] =
                (i / 2 ? part[1] : 1 - part[1]) * (i % 2 ? part[0] : 1 - part[0]);
    return src;
}

static glow glow_of(fixture *f, ag_pass *pass, const ag_bloom_settings *settings, int extent,
                    int side, double x, double y)
{
    ag_bloom_settings s = *settings;
    s.output = AG_BLOOM_ONLY;
    s.size = (float)(extent + 0.3) / (float)side;
    double *src = lamp_at(side, x, y), *got = bloom_run(f, pass, "rgba32f", side, side, src, &s);
    double sums[3] = {0}, least[3] = {0}, below[3] = {0};
    glow g = {0};
    for (int i = 0; i < side * side; ++i) {
        double r = hypot(i % side - x, i / side - y) / (extent / 2.0);
        for (int c = 0; c < 3; ++c) {
            double light = got[4 * i + c];
            sums[c] += light;
            least[c] = fmin(least[c], light);
            below[c] += fmin(light, 0);
            g.peak = fmax(g.peak, light);
            g.total += light / 3;
            g.radius += r * light / 3;
            for (int k = 0; k < RADII; ++k)
                g.within[k] += r * RADII <= k + 1 ? light / 3 : 0;
        }
    }
    for (int c = 0; c < 3; ++c) {
        g.darkest = fmin(g.darkest, least[c] / sums[c]);
        g.shadow = fmin(g.shadow, below[c] / sums[c]);
    }
    g.radius /= g.total;
    for (int k = 0; k < RADII; ++k)
        g.within[k] /= g.total;
    free(src);
    free(got);
    return g;
}

static double change_within(const glow *a, const glow *b)
{
    double worst = 0;
    for (int k = 0; k < RADII; ++k)
        worst = check_worse(worst, fabs(a->within[k] - b->within[k]));
    return worst;
}

// No dark ring: on black, no texel is below -0.1 % of the light that the glow has in its channel,
// wherever the lamp lies on the grids. All texels below 0 together: 1.5 times what was measured.
void test_bloom_lamp_ring(void **state)
{
    static const struct {
        int shape, extent;
        double shadow[RESOLUTIONS];
    } cases[] = {{AG_BLOOM_APERTURE, 325, {0, 0.0055, 0.009, 0.0105}},
                 {AG_BLOOM_STAR, 325, {0, 0.0016, 0.0002, 0.0014}},
                 {AG_BLOOM_ANAMORPHIC, 325, {0, 0.033, 0.019, 0.066}},
                 {AG_BLOOM_APERTURE, 487, {0, 0.009, 0.012, 0.01}}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("lamp ring", 6);
    for (size_t i = 0; i < 3 * COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = bloom_settings(f, 1 + (int)i % 3, AG_BLOOM_ONLY);
        int extent = cases[i / 3].extent, side = extent + AROUND;
        double darkest = 0, shadow = 0;
        s.shape = cases[i / 3].shape;
        for (int place = 0; place < 3; ++place) {
            glow g = glow_of(f, pass, &s, extent, side, side / 2 + place * 3, side / 2 + place * 5);
            darkest = check_worse(darkest, -g.darkest);
            shadow = check_worse(shadow, -g.shadow);
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %d texels, %s: darkest texel, of the glow's light",
                 s.shape, extent, names[s.resolution]);
        good = check_limit(name, darkest, 1e-3) && good;
        good = check_limit("  all below 0 together", shadow, cases[i / 3].shadow[s.resolution]) &&
               good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A lamp that moves by eighths of a texel keeps its glow's light within 0.5 %. Its brightest texel
// changes even at full resolution, as the lamp covers one texel or four; here over that of full,
// with limits of 1.5 times what was measured.
void test_bloom_lamp_steps(void **state)
{
    enum { STEPS = 9 };
    static const int shapes[] = {AG_BLOOM_APERTURE, AG_BLOOM_STAR, AG_BLOOM_ANAMORPHIC};
    static const double peaks[3][RESOLUTIONS] = {{0, 3e-4, 4e-4, 5e-4},
                                                 {0, 8e-4, 4e-4, 4e-4},
                                                 {0, 1.5e-3, 2e-3, 4e-3}};
    fixture *f = *state;
    bool good = true;
    ag_pass *passes[2] = {fixture_pass(f, "bloom"), fixture_pass(f, "bloom")};
    sweep *share = sweep_start("lamp steps", 9);
    for (int i = 0; i < 9; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = bloom_settings(f, 1 + i % 3, AG_BLOOM_ONLY), full = s;
        double light = 0, peak = 0;
        full.resolution = AG_BLOOM_FULL;
        full.shape = s.shape = shapes[i / 3];
        for (int step = 0; step < STEPS; ++step) {
            double x = SIDE / 2 + step / 8.0, y = SIDE / 2 + step / 5.0;
            glow g = glow_of(f, passes[0], &s, REACH, SIDE, x, y),
                 want = glow_of(f, passes[1], &full, REACH, SIDE, x, y);
            light = check_worse(light, fabs(g.total - 1));
            peak = check_worse(peak, fabs(g.peak / want.peak - 1));
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s: light that a moving lamp's glow lacks", s.shape,
                 names[s.resolution]);
        good = check_limit(name, light, 5e-3) && good;
        good = check_limit("  of its peak, from that of full", peak, peaks[i / 3][s.resolution]) &&
               good;
    }
    f->ag->pass_destroy(passes[0]);
    f->ag->pass_destroy(passes[1]);
    CHECK(good);
}

// Some lamps, of 1 to 100.
static double *lamps(rng *r, int side)
{
    double *src = values_even("rgba32f", side, side, 0);
    for (int i = 0; i < 12; ++i) {
        int at = rng_int(r, 0, side * side - 1);
        for (int c = 0; c < 3; ++c)
            src[4 * at + c] = rng_hdr(r, 1, 100);
    }
    texture_quantise("rgba32f", src, (size_t)(side * side));
    return src;
}

// Its texels turned by 90 degrees, from +x to +y.
static double *turned(const double *texels, int side)
{
    double *to = check_doubles((size_t)(4 * side * side));
    for (int i = 0; i < 4 * side * side; ++i) {
        int x = i / 4 % side, y = i / 4 / side;
        to[4 * (x * side + side - 1 - y) + i % 4] = texels[i];
    }
    return to;
}

// A random image of a kernel, which light has its centre in.
static double *random_image(rng *r)
{
    double *image = check_doubles(4 * IMAGE_SIDE * IMAGE_SIDE);
    for (int i = 0; i < 4 * IMAGE_SIDE * IMAGE_SIDE; ++i)
        image[i] = rng_hdr(r, 0.01, 1);
    texture_quantise("rgba32f", image, IMAGE_SIDE * IMAGE_SIDE);
    return image;
}

// What these settings make of a frame, and others of the turned one: the largest difference, over
// the brightest texel. `by_image`: of a kernel image, which is turned, too.
static double turned_error(fixture *f, ag_pass *pass, rng *r, const ag_bloom_settings *before,
                           const ag_bloom_settings *after, bool by_image)
{
    double *src[2] = {lamps(r, SIDE), NULL}, *image[2] = {random_image(r), NULL}, *got[2];
    double largest = 0;
    src[1] = turned(src[0], SIDE);
    image[1] = turned(image[0], IMAGE_SIDE);
    for (int i = 0; i < 2; ++i) {
        ag_bloom_settings s;
        trial t = blooming_of(f, "turned", SIDE, SIDE, src[i], &s);
        t.pass = pass;
        s = i ? *after : *before;
        s.shape = by_image ? AG_BLOOM_TEXTURE : s.shape;
        s.kernel_fit = AG_BLOOM_FIT_EXACT;
        s.size = (float)((by_image ? IMAGE_SIDE : REACH) + 0.3) / SIDE;
        if (by_image)
            t.slots[IMAGE] = trial_image("rgba32f", IMAGE_SIDE, IMAGE_SIDE, image[i]);
        got[i] = trial_take(&t, DST);
    }
    double *want = turned(got[0], SIDE);
    for (int k = 0; k < 4 * SIDE * SIDE; ++k)
        largest = k % 4 < 3 ? fmax(largest, want[k]) : largest;
    double error = check_max_error(got[1], want, 4 * SIDE * SIDE) / largest;
    for (int i = 0; i < 2; ++i) {
        free(src[i]);
        free(image[i]);
        free(got[i]);
    }
    free(want);
    return error;
}

// A lens that turns moves no light: what a lamp's glow has, how far it goes, and how much of it
// lies within each radius. Turned with its frame it makes the same picture, turned: of a kernel
// image to rounding, of a drawn lens to 0.2 % of the brightest texel. (The grids turn with a frame
// of 8 n + 2 texels.)
void test_bloom_lamp_turns(void **state)
{
    static const float angles[] = {0, 7, 15, 22.5f, 45};
    static const int shapes[] = {AG_BLOOM_APERTURE, AG_BLOOM_STAR};
    fixture *f = *state;
    rng r = rng_start("lamp turns", 81);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("lamp turns", 4);
    for (int i = 0; i < 2 * RESOLUTIONS; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = bloom_settings(f, i % RESOLUTIONS, AG_BLOOM_ONLY);
        double light = 0, radius = 0, within = 0;
        glow first = {0};
        s.shape = shapes[i / RESOLUTIONS];
        for (size_t k = 0; k < COUNT(angles); ++k) {
            s.rotation = angles[k];
            glow g = glow_of(f, pass, &s, REACH, SIDE, SIDE / 2 + 3, SIDE / 2 - 2);
            first = k ? first : g;
            light = check_worse(light, fabs(g.total / first.total - 1));
            radius = check_worse(radius, fabs(g.radius / first.radius - 1));
            within = check_worse(within, change_within(&g, &first));
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s: light of a lens that turns", s.shape,
                 names[s.resolution]);
        good = check_limit(name, light, 0.01) && good;
        good = check_limit("  mean radius", radius, 0.01) && good;
        good = check_limit("  share of light within a radius", within, 0.01) && good;

        s.rotation = 7;
        ag_bloom_settings after = s;
        after.rotation = 97;
        double error = turned_error(f, pass, &r, &s, &after, false);
        good =
            check_limit("  turned with its frame: error, of the brightest", error, 0.005) && good;
        error = turned_error(f, pass, &r, &s, &s, true);
        good = check_limit("  the same of a kernel image", error, 1e-4) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The same star at each height of a frame, in heights.
void test_bloom_lamp_sizes(void **state)
{
    static const int heights[] = {1080, 720, 1440, 2160};
    static const int shapes[] = {AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true, all = check_tier_now() != CHECK_QUICK;
    sweep *share = sweep_start("lamp sizes", 8);
    for (int i = 0; i < 2 * RESOLUTIONS; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = bloom_settings(f, i % RESOLUTIONS, AG_BLOOM_ONLY);
        double radius = 0, within = 0;
        glow first = {0};
        s.shape = shapes[i / RESOLUTIONS];
        for (int k = 0; k < (all ? 4 : 2); ++k) {
            int extent = blooming_extent(0.3, heights[k]), side = (extent + AROUND + 7) & ~7;
            glow g = glow_of(f, pass, &s, extent, side, side / 2, side / 2);
            g.radius *= (double)extent / heights[k];
            first = k ? first : g;
            radius = check_worse(radius, fabs(g.radius / first.radius - 1));
            within = check_worse(within, change_within(&g, &first));
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s: mean radius in heights, 720 to %d", s.shape,
                 names[s.resolution], all ? 2160 : 1080);
        good = check_limit(name, radius, 0.01) && good;
        good = check_limit("  share of light within a radius", within, 0.01) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
