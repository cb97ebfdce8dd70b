// test_sat.c - the effect "sat" against integers and doubles: exactness, sizes, formats, layers,
// edges
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effects/sat/sat_plan.h"
#include "test_sat.h"

// ---- integers ----------------------------------------------------------------------------------

static int32_t bits_of(const summing *c, int power)
{
    const ag_sat_settings *s = &c->settings;
    ag_sat_question q = {.struct_size = sizeof(ag_sat_question),
                         .width = c->width,
                         .height = c->height,
                         .max_box = s->max_box,
                         .fraction_bits = s->fraction_bits,
                         .max_value = (double)s->max_value};
    return ag_sat_fraction_bits(&q, power);
}

// Entries that differ from sums of integers, bit for bit, over all layers.
static size_t wrong_integers(const summing *c, const summed *s, int power)
{
    const format_info *src = format_named(c->src_format ? c->src_format : "r32f");
    bool counts = src->kind == FORMAT_UNORM && src->bits[0] == 8;
    float units = counts ? 255.0f : ldexpf(1, bits_of(c, power));
    int edge = c->settings.edge, n = src->channels, layers = c->layers ? c->layers : 1;
    size_t count = (size_t)c->width * (size_t)c->height * (size_t)n, wrong = 0;
    uint64_t *codes = malloc(count * sizeof *codes);
    CHECK(codes != NULL && s->channels == n);
    for (int layer = 0; layer < layers; ++layer) {
        for (size_t i = 0; i < count; ++i)
            codes[i] = sat_ref_units(c->src[(size_t)layer * count + i], units,
                                     c->settings.max_value, power, counts);
        uint32_t *want = sat_ref_integers(codes, c->width, c->height, n);
        const double *got = s->values[power == 2 ? SUMMED_SQUARES : SUMMED_DST] +
                            (size_t)(layer * s->width * s->height * n);
        for (int y = 0; y < s->height; ++y)
            for (int x = 0; x < s->width * n; ++x) {
                int fx = x - edge * n, fy = y - edge;
                double w =
                    fx < 0 || fy < 0 ? 0 : want[(size_t)fy * (size_t)(c->width * n) + (size_t)fx];
                wrong += !(got[(size_t)y * (size_t)(s->width * n) + (size_t)x] == w);
            }
        free(want);
    }
    free(codes);
    return wrong;
}

static bool check_integers(fixture *f, ag_pass *pass, const summing *c, bool print)
{
    summed s = summing_run(f, pass, c);
    size_t wrong = wrong_integers(c, &s, 1);
    if (c->settings.square)
        wrong += wrong_integers(c, &s, 2);
    summed_free(f, &s);
    if (print || wrong)
        printf("  %-5s %s %dx%dx%d: %zu entries differ\n", wrong ? "WRONG" : "ok", c->name,
               c->width, c->height, c->layers, wrong);
    return wrong == 0;
}

static summing integers(fixture *f, const char *name, int width, int height, const double *src)
{
    summing c = {.name = name, .width = width, .height = height, .src = src};
    c.settings = summing_defaults(f);
    c.settings.storage = AG_SAT_UINT32;
    c.settings.fraction_bits = 20; // wraps early: entries must be right modulo 2^32
    c.settings.max_box = 40;
    return c;
}

// Every way to make a table, at sizes around multiples of 16 and 32. (A bug at widths that are
// multiples of 16 once reached users of another library, because no test had such a width.)
static void test_every_width(void **state)
{
    enum { W = 300, H = 3 };
    fixture *f = *state;
    rng r = rng_start("widths", 71);
    double *src = summing_noise(&r, NULL, W, H, 0, 1);
    static const int ways[][3] = {{AG_TILE_32, AG_CARRY_STEP, 128},
                                  {AG_TILE_64X32, AG_CARRY_FOLDED, 64},
                                  {AG_TILE_64, AG_CARRY_STEP, 256},
                                  {AG_TILE_64, AG_CARRY_FOLDED, 512}};
    ag_pass *pass = fixture_pass(f, "sat");
    int wrong = 0, runs = 0;
    sweep *s = sweep_start("widths", 120);
    for (size_t way = 0; way < COUNT(ways); ++way)
        for (int w = 1; w <= W; ++w) {
            int h = w % 2 ? H : 1;
            if (!sweep_takes(s))
                continue;
            summing c = integers(f, "width", w % 3 ? w : h, w % 3 ? h : w, src);
            c.tuning.tile = ways[way][0];
            c.tuning.carry = ways[way][1];
            c.tuning.threads = ways[way][2];
            wrong += !check_integers(f, pass, &c, false);
            ++runs;
        }
    printf("  %d runs, %d wrong\n", runs, wrong);
    CHECK_EQ(wrong, 0);
    free(src);
    f->ag->pass_destroy(pass);
}

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},     {1, 77},   {77, 1},      {31, 33},   {32, 32},
                                   {33, 31},   {63, 65},  {64, 64},     {65, 63},   {127, 129},
                                   {129, 127}, {1023, 5}, {7, 1025},    {2047, 9},  {3, 2049},
                                   {4097, 3},  {3, 4097}, {1921, 1081}, {16384, 2}, {2, 16384}};
    static const int ways[][2] = {{AG_TILE_AUTO, AG_CARRY_AUTO},
                                  {AG_TILE_32, AG_CARRY_STEP},
                                  {AG_TILE_64, AG_CARRY_FOLDED}};
    fixture *f = *state;
    rng r = rng_start("sizes", 72);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *s = sweep_start("sizes", 6);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double *src = summing_noise(&r, NULL, sizes[i][0], sizes[i][1], 0, 1);
        for (size_t way = 0; way < COUNT(ways); ++way) {
            if (!sweep_takes(s))
                continue;
            summing c = integers(f, "size", sizes[i][0], sizes[i][1], src);
            c.tuning.tile = ways[way][0];
            c.tuning.carry = ways[way][1];
            good = check_integers(f, pass, &c, true) && good;
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// 8-bit codes never wrap up to 4096 x 4096: the last entry is the plain sum.
static void test_codes(void **state)
{
    enum { SIZE = 4096 };
    fixture *f = *state;
    rng r = rng_start("codes", 73);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = summing_noise(&r, "r8", SIZE, SIZE, 0.9, 1), total = 0;
    summing c = integers(f, "codes", SIZE, SIZE, src);
    c.src_format = "r8";
    c.settings.fraction_bits = -1;
    c.settings.max_box = 0;
    summed s = summing_run(f, pass, &c);
    CHECK_EQ(wrong_integers(&c, &s, 1), 0);
    for (size_t i = 0; i < (size_t)SIZE * SIZE; ++i)
        total += rint(src[i] * 255);
    CHECK(s.values[SUMMED_DST][(size_t)SIZE * SIZE - 1] == total && total > 4e9);
    summed_free(f, &s);
    free(src);
    f->ag->pass_destroy(pass);
}

// All channels, arrays, exclusive edges and squares at once.
static void test_more_of_it(void **state)
{
    enum { W = 141, H = 83, LAYERS = 3 };
    static const char *const formats[] = {"rg32f", "rgba16f", "rg8"};
    fixture *f = *state;
    rng r = rng_start("channels", 74);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *s = sweep_start("channels", 6);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        double *src = summing_noise(&r, formats[i], W, H * LAYERS, 0, 1);
        if (sweep_takes(s)) {
            summing c = integers(f, formats[i], W, H, src);
            c.src_format = formats[i];
            c.layers = LAYERS;
            c.tuning.carry = AG_CARRY_STEP;
            c.settings.edge = AG_SAT_EXCLUSIVE;
            c.settings.square = 1;
            c.tuning.tile = AG_TILE_32; // two texels a thread: the quickest to compile
            c.tuning.threads = 512;
            c.settings.fraction_bits = -1;
            c.settings.max_box = 33;
            good = check_integers(f, pass, &c, true) && good;
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Every tile and group, with sums exchanged through shared memory and by subgroups (emulated if the
// driver has none).
static void test_exchange(void **state)
{
    enum { W = 141, H = 83 };
    static const char *const formats[] = {"r32f", "rg8", "rgba8", "rgba16f"};
    static const int threads[] = {0, 64, 128, 256, 512}; // 0: chosen
    fixture *f = *state;
    rng r = rng_start("exchange", 78);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *s = sweep_start("exchange", 40); // few texels a thread compile quickly, many do not
    for (size_t i = 0; i < COUNT(formats); ++i) {
        double *src = summing_noise(&r, formats[i], W, H, 0, 1);
        for (int tile = AG_TILE_32; tile <= AG_TILE_64; ++tile)
            for (size_t n = 0; n < COUNT(threads); ++n) {
                for (int subgroups = 0; subgroups < 2; ++subgroups) {
                    if (!sweep_takes(s))
                        continue;
                    summing c = integers(f, subgroups ? "subgroups" : "shared", W, H, src);
                    c.src_format = formats[i];
                    c.tuning = summing_by(subgroups);
                    c.tuning.tile = tile;
                    c.tuning.threads = threads[n];
                    c.tuning.carry = n % 2 ? AG_CARRY_STEP : AG_CARRY_FOLDED;
                    good = check_integers(f, pass, &c, true) && good;
                }
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- floats ------------------------------------------------------------------------------------

enum { SHOWN = 4 };

typedef struct wrong_entry {
    int x, y, channel, layer;
    double want, got;
} wrong_entry;

typedef struct entry_errors { // in units of the last place of the layer's largest entry
    double worst;             // NaN if an entry is
    wrong_entry at;
    size_t beyond, entries;   // the limit; all of them
    wrong_entry first[SHOWN]; // of those beyond
} entry_errors;

static void count_entry(entry_errors *e, const wrong_entry *entry, double ulp, double limit)
{
    double error = fabs(entry->got - entry->want) / ulp;
    if (!(error <= limit)) {
        if (e->beyond < SHOWN)
            e->first[e->beyond] = *entry;
        ++e->beyond;
    }
    ++e->entries;
    if (isnan(e->worst) || error <= e->worst)
        return;
    e->worst = error;
    e->at = *entry;
}

static void add_errors(const summing *c, const summed *s, int power, int layer, double limit,
                       entry_errors *e)
{
    const format_info *src = format_named(c->src_format ? c->src_format : "r32f");
    int n = src->channels, edge = c->settings.edge;
    size_t layer_values = (size_t)c->width * (size_t)c->height * (size_t)n;
    const double *mean = s->values[SUMMED_MEAN];
    double offset[4], largest = 0;
    for (int i = 0; i < 4; ++i)
        offset[i] = c->settings.offset == AG_SAT_OFFSET_HALF ? 0.5
                    : mean && i < n                          ? mean[layer * s->channels + i]
                                                             : 0;
    double *want = sat_ref_table(c->src + (size_t)layer * layer_values, c->width, c->height, n,
                                 offset, power, c->settings.origin == AG_SAT_CENTER);
    for (size_t i = 0; i < layer_values; ++i)
        largest = fmax(largest, fabs(want[i]));
    double ulp = ag_sat_ulp(largest > 0 ? largest : 1);
    for (int y = 0; y < s->height; ++y)
        for (int x = 0; x < s->width; ++x)
            for (int i = 0; i < n; ++i) {
                int fx = x - edge, fy = y - edge;
                wrong_entry entry = {x,     y, i,
                                     layer, 0, summed_at(c, s, power == 2, layer, x, y, i)};
                if (fx >= 0 && fy >= 0)
                    entry.want = want[(fy * c->width + fx) * n + i];
                count_entry(e, &entry, ulp, limit);
            }
    free(want);
}

static entry_errors errors_of(const summing *c, const summed *s, int power, double limit)
{
    entry_errors e = {.worst = -1};
    for (int layer = 0; layer < (c->layers ? c->layers : 1); ++layer)
        add_errors(c, s, power, layer, limit, &e);
    return e;
}

static void print_entry(const char *what, const wrong_entry *w)
{
    printf("        %s (%d, %d) channel %d layer %d: %.9g, not %.9g\n", what, w->x, w->y,
           w->channel, w->layer, w->got, w->want);
}

static void explain(const char *what, const entry_errors *e)
{
    if (!e->beyond)
        return;
    printf("        %s: %zu of %zu entries beyond the limit\n", what, e->beyond, e->entries);
    print_entry("worst", &e->at);
    for (size_t i = 0; i < e->beyond && i < SHOWN; ++i)
        print_entry("first", &e->first[i]);
}

// The limit of an entry's error, in these units: half for one rounding, and the roundings within
// its tile.
static double allowed(const summing *c, int width, int height)
{
    switch (c->settings.storage) {
    case AG_SAT_FLOAT32: return 0.51 + 12 * fmin(1, 4096.0 / (width * height));
    // 16-bit floats have no bits below 2^-24, which matters for small tables
    case AG_SAT_FLOAT32_RESIDUAL: return c->settings.offset ? 0x1p-9 : 0x1p-11;
    case AG_SAT_DOUBLE_FLOAT: return 0x1p-22;
    default: return 7 * fmin(1, 1024.0 / (width * height) * 2);
    }
}

bool check_table(const char *what, const summing *c, const summed *s)
{
    double limit = allowed(c, c->width, c->height);
    entry_errors e = errors_of(c, s, 1, limit);
    printf("  %-5s %s: %.3g <= %.3g ulp of the largest\n", e.beyond ? "WRONG" : "ok", what, e.worst,
           limit);
    explain(what, &e);
    return !e.beyond;
}

// NVIDIA's driver 580 rounds what other tiles add, K, A and B, to floats before the offset is taken
// off, where there are squares (docs/sat.md): each by half a unit of the whole sum, which is many
// of what the mean leaves. By tiles; of the sums, not of their squares. No other driver is allowed
// that.
static double rounded_early(fixture *f, const summing *c, const summed *s)
{
    double largest = 0;
    if (!strstr((const char *)f->gl.GetString(GL_VENDOR), "NVIDIA") ||
        c->settings.offset != AG_SAT_OFFSET_MEAN || c->settings.storage != AG_SAT_FLOAT32 ||
        !c->settings.square)
        return 0;
    for (size_t i = 0; i < (size_t)s->width * (size_t)s->height; ++i)
        largest = fmax(largest, fabs(s->values[SUMMED_DST][i]));
    return 3 * ag_sat_ulp((double)c->width * c->height) / 2 / ag_sat_ulp(largest);
}

// Every storage with every offset, origin and edge that it takes, with squares.
static void test_storages(void **state)
{
    enum { W = 203, H = 151 };
    fixture *f = *state;
    rng r = rng_start("storages", 75);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    double *src = summing_noise(&r, NULL, W, H, 0.2, 1);
    sweep *share = sweep_start("storages", 14); // each compiles five shaders
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_SPLIT; ++storage)
        for (int offset = 0; offset < 3; ++offset)
            for (int kind = 0; kind < 3; ++kind) { // corner, center, exclusive
                bool split = storage == AG_SAT_SPLIT;
                if (storage == AG_SAT_UINT32 || (split && kind > 0) || !sweep_takes(share))
                    continue;
                summing c = {.name = "storage", .width = W, .height = H, .src = src};
                c.settings = summing_defaults(f);
                c.settings.storage = storage;
                c.settings.offset = offset;
                c.settings.origin = kind == 1;
                c.settings.edge = kind == 2;
                c.settings.square = 1;
                if (check_tier_now() <
                    CHECK_GPU) { // two texels a thread: a third of the time to compile
                    c.tuning.tile = AG_TILE_32;
                    c.tuning.threads = 512;
                }
                summed s = summing_run(f, pass, &c);
                double limit = allowed(&c, W, H) * (offset ? 8 : 1);
                entry_errors first = errors_of(&c, &s, 1, limit + rounded_early(f, &c, &s)),
                             second = errors_of(&c, &s, 2, limit);
                bool ok = !first.beyond && !second.beyond;
                printf("  %-5s storage %d offset %d origin %d edge %d: %.3g, squares "
                       "%.3g <= %.3g ulp of the largest\n",
                       ok ? "ok" : "WRONG", storage, offset, c.settings.origin, c.settings.edge,
                       first.worst, second.worst, limit);
                explain("sums", &first);
                explain("squares", &second);
                good = ok && good;
                if (offset == AG_SAT_OFFSET_MEAN) {
                    double sum = 0;
                    for (int i = 0; i < W * H; ++i)
                        sum += src[i];
                    good =
                        check_limit("mean", fabs(s.values[SUMMED_MEAN][0] - sum / (W * H)), 1e-7) &&
                        good;
                }
                summed_free(f, &s);
            }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The mean of more tiles than a group adds up at once, along both axes.
static void test_means(void **state)
{
    enum { LAYERS = 2, CHANNELS = 4 };
    static const int sizes[][2] = {{1, 1}, {33, 1}, {2113, 70}, {65, 4200}, {1050, 1051}};
    fixture *f = *state;
    rng r = rng_start("means", 79);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("means", 5);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int origin = AG_SAT_CORNER; origin <= AG_SAT_CENTER; ++origin) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            double *src = summing_noise(&r, "rgba32f", w, h * LAYERS, 0, 1);
            summing c = {.name = "mean",
                         .width = w,
                         .height = h,
                         .layers = LAYERS,
                         .src_format = "rgba32f",
                         .src = src};
            c.settings = summing_defaults(f);
            c.settings.offset = AG_SAT_OFFSET_MEAN;
            c.settings.origin = origin;
            c.tuning.tile = AG_TILE_32;
            c.tuning.threads = 512;
            summed s = summing_run(f, pass, &c);
            double worst = 0;
            for (int k = 0; k < LAYERS * CHANNELS; ++k) {
                double sum = 0;
                for (int t = 0; t < w * h; ++t)
                    sum += src[(k / CHANNELS * w * h + t) * CHANNELS + k % CHANNELS];
                worst = check_worse(worst, fabs(s.values[SUMMED_MEAN][k] - sum / w / h));
            }
            char what[64];
            snprintf(what, sizeof what, "mean of %dx%d, origin %d", w, h, origin);
            good = check_limit(what, worst, 5e-7) && good; // sums of tiles are floats
            summed_free(f, &s);
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_formats(void **state)
{
    enum { W = 70, H = 45, LAYERS = 2 };
    fixture *f = *state;
    rng r = rng_start("formats", 76);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("formats", 6);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *name = format_at(i)->name;
        double *src = summing_noise(&r, name, W, H * LAYERS, 0, 1);
        summing c = {.name = name,
                     .width = W,
                     .height = H,
                     .layers = LAYERS,
                     .src_format = name,
                     .src = src};
        c.settings = summing_defaults(f);
        c.tuning.emulate = i % 2;
        if (i % 3 && check_tier_now() < CHECK_GPU) {
            c.tuning.tile = AG_TILE_32;
            c.tuning.threads = 512;
        }
        summed s = summing_run(f, pass, &c);
        // sRGB is decoded by the driver's pow: 2^-20 of a texel or so
        double limit = format_at(i)->kind == FORMAT_SRGB ? 24 : 12;
        entry_errors e = errors_of(&c, &s, 1, limit);
        bool ok = !e.beyond;
        printf("  %-5s %s: %.2f <= %.0f ulp of the largest\n", ok ? "ok" : "WRONG", name, e.worst,
               limit);
        explain("sums", &e);
        good = ok && good;
        summed_free(f, &s);
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Packed texels that become doubles (docs/decisions.md, D4).
static void test_doubles(void **state)
{
    enum { W = 37, H = 35 };
    static const char *const formats[] = {"r8", "rgba8", "rg16f", "rgba16f"};
    fixture *f = *state;
    rng r = rng_start("doubles", 77);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("doubles", 6);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = summing_noise(&r, formats[i], W, H, 0, 1);
        summing c = {
            .name = formats[i], .width = W, .height = H, .src_format = formats[i], .src = src};
        c.settings = summing_defaults(f);
        c.settings.storage = AG_SAT_DOUBLE_FLOAT;
        c.settings.offset = i > 1 ? AG_SAT_OFFSET_MEAN : AG_SAT_OFFSET_NONE;
        c.settings.square = i % 2 == 0;
        c.tuning.tile = AG_TILE_32; // two texels a thread: the quickest to compile
        c.tuning.threads = 512;
        summed s = summing_run(f, pass, &c);
        // Halves are exact. 8-bit codes are off by a unit of a float's last place in some
        // drivers, and their squares by two; so are sums of them. (Less a mean, which takes
        // most of a sum away, that would be more units.)
        double limit = 4;
        entry_errors first = errors_of(&c, &s, 1, limit), second = {.worst = 0};
        if (c.settings.square)
            second = errors_of(&c, &s, 2, limit);
        bool ok = !first.beyond && !second.beyond;
        printf("  %-5s %s, offset %d: %.3g, squares %.3g <= %.3g ulp of the largest\n",
               ok ? "ok" : "WRONG", formats[i], c.settings.offset, first.worst, second.worst,
               limit);
        explain("sums", &first);
        explain("squares", &second);
        good = ok && good;
        summed_free(f, &s);
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_every_width),   FIXTURE_SWEEP(test_sizes),
        FIXTURE_FULL(test_codes),          FIXTURE_SWEEP(test_more_of_it),
        FIXTURE_SWEEP(test_exchange),      FIXTURE_SWEEP(test_storages),
        FIXTURE_SWEEP(test_means),         FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_doubles),       FIXTURE_SWEEP(test_precision),
        FIXTURE_SWEEP(test_error_bounds),  FIXTURE_SWEEP(test_queries),
        FIXTURE_SWEEP(test_query_moments), FIXTURE_TEST(test_query_refuses),
        FIXTURE_TEST(test_refusals),       FIXTURE_TEST(test_auto),
        FIXTURE_SWEEP(test_bad_texels),    FIXTURE_TEST(test_repeats),
        FIXTURE_SWEEP(test_rectangles),    FIXTURE_SWEEP(test_in_place),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
