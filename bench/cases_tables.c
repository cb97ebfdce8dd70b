// cases_tables.c - the cases of summed-area tables and the blurs built on them: sat, box_blur,
// depth_of_field, soft_shadow
// SPDX-License-Identifier: MIT
#include "baselines/baselines.h"
#include "effects.h"

#include <math.h>
#include <stdio.h>

static const bench_size frames[] = {{1920, 1080}, {3840, 2160}};

// ---- sat ---------------------------------------------------------------------------------------

// Tables in double; exact, because the source's floats have few bits. `largest`: of their entries.
static double *expected_channels(const picture *source, double *largest, size_t channels)
{
    size_t width = (size_t)source->width, texels = width * (size_t)source->height;
    *largest = 0;
    if (source->width > 4096 || !reference_name) // in double that is 24 bytes a texel
        return NULL;
    double *out = need_memory(3 * texels * sizeof *out);
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < texels; i++) {
            double left = i % width ? out[3 * (i - 1) + c] : 0;
            double above = i >= width ? out[3 * (i - width) + c] : 0;
            double both = i % width && i >= width ? out[3 * (i - width - 1) + c] : 0;
            out[3 * i + c] = left + above - both + (double)source->texels[4 * i + c];
            *largest = fmax(*largest, out[3 * i + c]);
        }
    return out;
}

static double *expect_colours(const picture *source, double *largest)
{
    return expected_channels(source, largest, 3);
}

static double *expect_red(const picture *source, double *largest)
{
    return expected_channels(source, largest, 1);
}

#define COLOURS "rgba16f to rgba32f", "storage=float32", .to = GL_RGBA32F
#define FLOATS "r32f to r32f", "storage=float32", .from = GL_R32F, .to = GL_R32F
#define CODES "r8 to r32f", "storage=float32", .from = GL_R8, .to = GL_R32F

// The plan that the effect chooses. At ties GL lets the driver choose how values round to 8 bits.
static const bench_size tables[] = {{1920, 1080}, {512, 512}, {4096, 4096}, {8192, 8192}};
static const effect_case sats[] = {
    {COLOURS, .copy = true, .expect = expect_colours},
    {FLOATS, .copy = true, .expect = expect_red},
    {CODES, .copy = true},
};
const bench_effect bench_sat = {"sat", CASES(sats, tables, 2)};

// What effects/sat/sat_plan.c chooses by: every tile and number of threads, small tables whose last
// dispatch adds the block prefixes, and shared memory instead of subgroups.
static void measure_tuned(bench *self, effect_case by, int width, int height, ag_tuning tuning,
                          const char *name)
{
    char variant[REPORT_TEXT];
    snprintf(variant, sizeof variant, "%s%s", by.variant, name);
    by.variant = variant;
    by.tuning = tuning;
    effect_measure(self, &bench_sat, &by, width, height);
}

static void measure_variants(bench *self, int width, int height)
{
    static const char *const tiles[] = {
        [AG_TILE_32] = "32", [AG_TILE_64X32] = "64x32", [AG_TILE_64] = "64"};
    const effect_case pairs[] = {{COLOURS}, {FLOATS}, {CODES}};
    char name[64];
    for (int i = 0; i < COUNT(pairs); i++) {
        const effect_case by = pairs[i];
        copy_bench(self, width, height, "sat", by.from ? by.from : GL_RGBA16F, by.to);
        for (int t = AG_TILE_32; t <= AG_TILE_64; t++) {
            for (int n = 64; n <= 512; n *= 2) {
                snprintf(name, sizeof name, " carry=step tile=%s threads=%d", tiles[t], n);
                measure_tuned(self, by, width, height,
                              (ag_tuning){.tile = t, .carry = AG_CARRY_STEP, .threads = n}, name);
            }
            snprintf(name, sizeof name, " carry=folded tile=%s", tiles[t]);
            if (width < 4096)
                measure_tuned(self, by, width, height,
                              (ag_tuning){.tile = t, .carry = AG_CARRY_FOLDED}, name);
        }
        measure_tuned(self, by, width, height, (ag_tuning){.without = AG_WITHOUT_SUBGROUPS},
                      " without subgroups");
    }
}

const bench_effect bench_sat_variants = {"sat_variants",   .only_named = true,
                                         .sizes = tables,  .size_count = COUNT(tables),
                                         .quick_count = 2, .after = measure_variants};

// ---- sat_methods, sat_scans --------------------------------------------------------------------
//
// The documents' scans beside a copy: every method; then what they vary, of tiles in shared memory
// with free places, without, and swizzled, of subgroups and columns a group.
// tests/ladder/test_sat_ladder.c checks results.

static const bench_size squares[] = {{512, 512}, {2048, 2048}, {4096, 4096}};

#define SCAN(name, settings) \
    name, "storage=float32 method=" settings, "sat_ladder", .ladder = true, .to = GL_RGBA32F
#define METHOD(name)                               \
    {                                              \
        SCAN(name, name), .expect = expect_colours \
    }
static const effect_case methods[] = {
    METHOD("hensley"),
    METHOD("hensley_radix4"),
    METHOD("hensley_radix16"),
    METHOD("kogge_stone"),
    METHOD("ladner_fischer"),
    METHOD("blelloch"),
    METHOD("segmented"),
    METHOD("scan_transpose_scan"),
    METHOD("scanrow_brlt"),
    METHOD("scanrowcolumn"),
    METHOD("brlt_scanrow"),
    METHOD("lookback"),
    {"tiles", "storage=float32", "sat", .to = GL_RGBA32F, .expect = expect_colours},
};
const bench_effect bench_sat_methods = {"sat_methods", CASES(methods, squares, 2),
                                        .only_named = true, .frame = GL_RGBA32F};

#define VARY(method, setting)                        \
    {                                                \
        SCAN(method " " setting, method " " setting) \
    }
#define TILE(method, how)                         \
    {                                             \
        SCAN(method " " how, method " tile=" how) \
    }
static const effect_case scans[] = {
    TILE("scan_transpose_scan", "padded"),
    TILE("scan_transpose_scan", "unpadded"),
    TILE("scan_transpose_scan", "swizzled"),
    TILE("scan_transpose_scan", "direct"),
    TILE("blelloch", "unpadded"),
    TILE("scanrow_brlt", "unpadded"),
    TILE("scanrow_brlt", "swizzled"),
    VARY("scanrow_brlt", "subgroups=1"),
    VARY("scanrow_brlt", "subgroups=2"),
    VARY("scanrow_brlt", "subgroups=4"),
    VARY("scanrow_brlt", "subgroups=8"),
    VARY("scanrow_brlt", "subgroups=16"),
    VARY("scanrow_brlt", "subgroups=32"),
    VARY("scanrowcolumn", "subgroups=1"),
    VARY("scanrowcolumn", "subgroups=4"),
    VARY("scanrowcolumn", "subgroups=16"),
    VARY("scanrowcolumn", "subgroups=32"),
    VARY("kogge_stone", "columns=1"),
    VARY("kogge_stone", "columns=4"),
    VARY("kogge_stone", "columns=16"),
    VARY("lookback", "rows=32"),
    {SCAN("ladner_fischer without subgroups", "ladner_fischer"),
     .tuning = {.without = AG_WITHOUT_SUBGROUPS}},
};
const bench_effect bench_sat_scans = {"sat_scans", CASES(scans, squares, 2), .only_named = true,
                                      .frame = GL_RGBA32F};

// ---- box_blur ----------------------------------------------------------------------------------
//
// Each radius with the layout of the table that is chosen, then with each of them.

// Fractional radii of up to 32 texels that change slowly, as for depth of field.
static double slow_radius(double x, double y)
{
    return 16.1 + 16 * sin(9 * x) * cos(7 * y);
}

static picture slow_radii(int width, int height)
{
    return picture_field(width, height, slow_radius);
}

#define A_TEXEL .extra = {{"radius", GL_R16F, .make = slow_radii, .shared = true}}
#define BY(layout) .tuning = {.tables = AG_TABLES_##layout}
static const effect_case blurs[] = {
    {"radius a texel", "radius=1 storage=float32", A_TEXEL},
    {"radius a texel, by image", "radius=1 storage=float32", A_TEXEL, BY(IMAGE)},
    {"radius a texel, by texture", "radius=1 storage=float32", A_TEXEL, BY(TEXTURE)},
    {"radius a texel, by buffer", "radius=1 storage=float32", A_TEXEL, BY(BUFFER)},
    {"radius 24", .settings = "radius=24 storage=float32"},
    {"radius 24, by image", "radius=24 storage=float32", BY(IMAGE)},
    {"radius 24, by texture", "radius=24 storage=float32", BY(TEXTURE)},
    {"radius 24, by buffer", "radius=24 storage=float32", BY(BUFFER)},
    {"radius 24.5", .settings = "radius=24.5 storage=float32"},
    {"radius 24.5, by image", "radius=24.5 storage=float32", BY(IMAGE)},
    {"radius 24.5, by texture", "radius=24.5 storage=float32", BY(TEXTURE)},
    {"radius 24.5, by buffer", "radius=24.5 storage=float32", BY(BUFFER)},
    {"radius 24, double_float", .settings = "radius=24 storage=double_float"},
};
const bench_effect bench_box_blur = {"box_blur", CASES(blurs, frames, 1), .frame = GL_RGBA16F};

// ---- depth_of_field ----------------------------------------------------------------------------
//
// The method gather, and tables of every shape; blurs of up to 4, 32 and 128 texels; frames that
// are all far or all in focus; beside "box_blur" with a radius a texel.

// Metres, in front of and behind 4: blurs that change slowly, from the largest near one to the
// largest far one; all as large as they may be; all in focus. As a radius: 0..1.
static double blur(double x, double y)
{
    return sin(9 * x) * cos(7 * y);
}

static double mixed_depth(double x, double y)
{
    return 4 / (1 - 0.9 * blur(x, y));
}

static double far_depth(double x, double y)
{
    (void)x, (void)y;
    return 4 / (1 - 0.9);
}

static double sharp_depth(double x, double y)
{
    (void)x, (void)y;
    return 4;
}

static double blur_radius(double x, double y)
{
    return fabs(blur(x, y));
}

static picture mixed(int width, int height)
{
    return picture_field(width, height, mixed_depth);
}

static picture far(int width, int height)
{
    return picture_field(width, height, far_depth);
}

static picture sharp(int width, int height)
{
    return picture_field(width, height, sharp_depth);
}

static picture blur_radii(int width, int height)
{
    return picture_field(width, height, blur_radius);
}

// The lens that gives radii up to max_radius: 0.9 K / (4 - F), F = 0.1.
static void fit_lens(pass_case *timed, report_row *row)
{
    static char settings[160];
    int most = 1;
    (void)row;
    sscanf(timed->settings, "max_radius=%d", &most);
    double number = 0.01 * timed->height / (2 * 0.024) / 3.9 * 0.9 / most;
    snprintf(settings, sizeof settings,
             "%s f_number=%.4f focal_length=100 encoding=linear focus_distance=4", timed->settings,
             number > 0.5 ? number : 0.5);
    timed->settings = settings;
}

#define LENS(settings, depths) \
    settings, .fit = fit_lens, .extra = {{"depth", GL_R32F, .make = depths, .shared = true}}
static const effect_case lenses[] = {
    {"gather to 4", LENS("max_radius=4", mixed)},
    {"gather to 32", LENS("max_radius=32", mixed)},
    {"gather to 128", LENS("max_radius=128", mixed)},
    {"gather to 32, all far", LENS("max_radius=32", far)},
    {"gather to 32, all in focus", LENS("max_radius=32", sharp)},
    {"box to 32", LENS("max_radius=32 method=tables shape=box", mixed)},
    {"smooth to 32", LENS("max_radius=32 method=tables shape=smooth", mixed)},
    {"disc to 4", LENS("max_radius=4 method=tables", mixed)},
    {"disc to 32", LENS("max_radius=32 method=tables", mixed)},
    {"disc to 128", LENS("max_radius=128 method=tables", mixed)},
    {"disc to 32, all far", LENS("max_radius=32 method=tables", far)},
    {"disc to 32, all in focus", LENS("max_radius=32 method=tables", sharp)},
    {"box_blur, a radius a texel to 32", "radius=32 storage=float32", "box_blur",
     .extra = {{"radius", GL_R16F, .make = blur_radii, .shared = true}}},
};
const bench_effect bench_depth_of_field = {"depth_of_field", CASES(lenses, frames, 1)};

// ---- soft_shadow -------------------------------------------------------------------------------
//
// Maps with frames of 15/16 of the map's width, and of twice that.

static const bench_size maps[] = {{2048, 2048}, {4096, 4096}};

// Pillars over a floor, as a light sees them; or the floor, as a camera looks along it.
static double pillars(double x, double y)
{
    return sin(60 * x) > 0.6 && sin(50 * y) > 0.6 ? 0.3 + 0.4 * x : 0.8;
}

static double floor_depth(double x, double y)
{
    (void)x, (void)y;
    return 0.8;
}

static picture map(int width, int height)
{
    return picture_field(width, height, pillars);
}

static picture floor_of(int width, int height)
{
    return picture_field(width, height, floor_depth);
}

// The frame's width is in units of 15/16 of the map's: 1920 x 1080 of a map of 2048.
static void fit_shadow(pass_case *timed, report_row *row)
{
    int scale = timed->slots[2].width, size = timed->width;
    for (int i = 1; i < 3; i++) {
        timed->slots[i].width = scale * size * 15 / 16;
        timed->slots[i].height = scale * size * 135 / 256;
    }
    timed->height = size;
    snprintf(row->variant, sizeof row->variant, "frame %dx%d, %s", timed->slots[1].width,
             timed->slots[1].height, timed->settings);
}

#define SHADOW(scale, angle)                                                   \
    {                                                                          \
        "", angle, .from = GL_R32F, .to = GL_R8, .fit = fit_shadow, .extra = { \
            {"depth", GL_R32F, scale, .make = floor_of, .shared = true}        \
        }                                                                      \
    }
static const effect_case shadows[] = {
    SHADOW(1, "light_angle=0.53"),
    SHADOW(1, "light_angle=5"),
    SHADOW(2, "light_angle=0.53"),
    SHADOW(2, "light_angle=5"),
};
const bench_effect bench_soft_shadow = {"soft_shadow", CASES(shadows, maps, 1), .source = map};
