// test_convolve.c - the effect "convolve" against double precision: methods, borders, kernels,
// sizes, formats
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

// ---- shared with the other files ---------------------------------------------------------------

table table_of(fixture *f, const char *name, uint64_t seed)
{
    return (table){f, fixture_pass(f, "convolve"), rng_start(name, seed), NULL, true};
}

void table_row(table *t, const convolving *c)
{
    if (!t->share || sweep_takes(t->share))
        t->good = convolving_check(t->f, t->pass, c, &t->r) && t->good;
}

void table_end(table *t)
{
    t->f->ag->pass_destroy(t->pass);
    CHECK(t->good);
}

scene scene_of(rng *r)
{
    return (scene){values_noise(r, "rgba32f", W, H, -1, 1),
                   values_noise(r, "r32f", TAPS, TAPS, -1, 1)};
}

void scene_free(scene *s)
{
    free(s->src);
    free(s->kernel);
}

trial scene_trial(fixture *f, const char *name, const scene *s, ag_convolve_settings *settings)
{
    return convolving_of(f, name, trial_image("rgba32f", W, H, s->src),
                         trial_image("r32f", TAPS, TAPS, s->kernel),
                         trial_image("rgba32f", W, H, NULL), settings);
}

uint32_t dispatches(fixture *f)
{
    uint32_t count = gl_trace_calls(&f->host.trace, "glDispatchCompute");
    gl_trace_reset(&f->host.trace);
    return count;
}

static convolving row_of(const char *name, int width, int height, int kernel_width,
                         int kernel_height, int method, int border)
{
    return (convolving){.name = name,
                        .width = width,
                        .height = height,
                        .kernel_width = kernel_width,
                        .kernel_height = kernel_height,
                        .settings = *ag_convolve_params(.method = method, .border = border)};
}

// ---- tables ------------------------------------------------------------------------------------

// Borders, with odd and even kernels; an image that is smaller than its kernel; one texel.
static void test_borders(void **state)
{
    static const int small[][4] = {{2, 3, 33, 21}, {1, 1, 1, 1}, {1, 19, 4, 4}, {23, 1, 7, 2}};
    table t = table_of(*state, "borders", 1);
    sweep *share = sweep_start("small", 8);
    for (int i = 0; i < 16; ++i) {
        int border = i / 4, method = 1 + i % 2, taps = TAPS - border % 2;
        const int *s = small[border];
        bool is_small = i / 2 % 2;
        convolving c = is_small ? row_of("small", s[0], s[1], s[2], s[3], method, border)
                                : row_of("border", W, H, taps, taps, method, border);
        c.kernel_format = "r32f";
        c.settings.correlate = is_small ? border % 2 : border / 2;
        t.share = is_small ? share : NULL;
        table_row(&t, &c);
    }
    table_end(&t);
}

static void flat(rng *r, double *src, int width, int height, int channels)
{
    double level = rng_uniform(r, 0.1, 1);
    for (int i = 0; i < width * height * channels; ++i)
        src[i] = level;
}

static void box(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = 1;
}

static void spot_in_the_middle(rng *r, double *src, int width, int height, int channels)
{
    rng_fill_uniform(r, src, (size_t)(width * height * channels), 0, 1);
    src[(height / 2 * width + width / 2) * channels] = 60000;
}

// Which channels are convolved with which of the kernel, and which are copied; formats of what is
// read and written; images that are flat, where rounding is systematic.
static void test_formats(void **state)
{
    static const struct {
        const char *src, *kernel, *dst;
        int alpha;
        void (*reshape)(double *kernel, int width, int height, int channels);
        void (*paint)(rng *r, double *src, int width, int height, int channels);
    } rows[] = {{"rgba8", "r32f", "rgba16f", 0, NULL, NULL},
                {NULL, "rgba32f", NULL, 1, NULL, NULL},
                {NULL, "r32f", NULL, 0, box, flat},
                {"rgba16f", "r32f", "r11g11b10f", 0, NULL, spot_in_the_middle},
                {"r32f", "r32f", "rgba32f", 0, NULL, NULL},
                {"rg32f", "r32f", "rg32f", 0, NULL, NULL},
                {"r11g11b10f", "r11g11b10f", "srgb8", 0, NULL, NULL}};
    table t = table_of(*state, "formats", 3);
    sweep *share = sweep_start("formats", 6);
    for (int i = 0; i < 2 * (int)COUNT(rows); ++i) {
        convolving c = row_of("formats", W, H, TAPS, TAPS, 1 + (i + 1) % 2, AG_BORDER_CLAMP);
        c.src_format = rows[i / 2].src;
        c.kernel_format = rows[i / 2].kernel;
        c.dst_format = rows[i / 2].dst;
        c.settings.alpha = rows[i / 2].alpha;
        c.settings.normalize = 1;
        c.reshape = rows[i / 2].reshape;
        c.paint = rows[i / 2].paint;
        t.share = i ? share : NULL; // codes into halves by the FFT, in every run
        table_row(&t, &c);
    }
    table_end(&t);
}

// ---- everything --------------------------------------------------------------------------------

static void sweep_shapes(table *t)
{
    static const struct {
        int width, height, kernel_width, kernel_height, method, border, compact;
        const char *format;
    } rows[] = {{1921, 1081, 65, 49, 2, 0, 0, NULL}, {4000, 3, 191, 5, 2, 1, 0, NULL},
                {3, 4000, 5, 191, 2, 2, 0, NULL},    {8192, 4, 3, 3, 2, 3, 0, NULL},
                {4, 8192, 3, 3, 2, 3, 0, NULL},      {40, 30, 255, 255, 1, 3, 0, NULL},
                {200, 150, 200, 150, 2, 0, 0, NULL}, {100, 80, 5, 5, 0, 0, 0, NULL},
                {100, 80, 31, 31, 0, 0, 0, NULL},    {8192, 4, 1, 1, 2, 1, 1, "r32f"},
                {4, 8192, 1, 1, 2, 2, 1, "r32f"},    {4096, 6, 7, 5, 2, 1, 1, "r32f"},
                {6, 4096, 5, 7, 2, 2, 1, "r32f"},    {1200, 7, 3, 4, 2, 0, 1, NULL},
                {30, 641, 9, 12, 2, 1, 1, NULL},     {3, 250, 3, 8, 2, 2, 1, "rg32f"}};
    for (size_t i = 0; i < COUNT(rows); ++i) {
        convolving c = row_of("shape", rows[i].width, rows[i].height, rows[i].kernel_width,
                              rows[i].kernel_height, rows[i].method, rows[i].border);
        c.src_format = c.dst_format = rows[i].format;
        c.kernel_format = i ? NULL : "r32f";
        c.settings.storage = rows[i].compact;
        table_row(t, &c);
    }
}

// Any sizes, settings and formats, of which no two are tied. Kernels have 1, 3 or 4 channels.
static void sweep_any(table *t)
{
    static const char *const floats[] = {"r32f", "rg32f", "rgba32f", "r11g11b10f"};
    for (int i = 0; i < 800; ++i) {
        const format_info *from = format_at(rng_int(&t->r, 0, FRAME_FORMAT_COUNT - 1));
        const format_info *into = format_at(rng_int(&t->r, 0, FRAME_FORMAT_COUNT - 1));
        const format_info *taps = format_at(rng_int(&t->r, 0, FORMAT_COUNT - 1));
        int compact = i % 5 == 4 ? AG_STORAGE_COMPACT : AG_STORAGE_FULL;
        convolving c = {.name = "any",
                        .width = (int)rng_hdr(&t->r, 1, 120),
                        .height = (int)rng_hdr(&t->r, 1, 120),
                        .kernel_width = (int)rng_hdr(&t->r, 1, i % 7 ? 40 : 200),
                        .kernel_height = (int)rng_hdr(&t->r, 1, i % 7 ? 40 : 130),
                        .src_format = i % 3 == 0 ? from->name : floats[rng_int(&t->r, 0, 3)],
                        .dst_format = i % 3 == 1 ? into->name : NULL,
                        .kernel_format = i % 3 == 2 && taps->channels != 2 ? taps->name
                                         : i % 2                           ? "r32f"
                                                                           : "rgba32f",
                        .settings =
                            *ag_convolve_params(.method = rng_int(&t->r, 0, 2),
                                                .border = rng_int(&t->r, 0, 3),
                                                .normalize = rng_int(&t->r, 0, 1),
                                                .correlate = rng_int(&t->r, 0, 1),
                                                .alpha = rng_int(&t->r, 0, 1), .storage = compact)};
        if (c.kernel_width * c.kernel_height < 9) // of few codes a channel's sum may be zero
            c.settings.normalize = AG_NORMALIZE_NONE;
        table_row(t, &c);
    }
}

static bool is_smooth(int n)
{
    static const int primes[] = {2, 3, 5, 7};
    for (int i = 0; i < 4; ++i)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

static void along_both(table *t, convolving c)
{
    convolving turned = c;
    turned.width = c.height;
    turned.height = c.width;
    turned.kernel_width = c.kernel_height;
    turned.kernel_height = c.kernel_width;
    table_row(t, &c);
    table_row(t, &turned);
}

// Every width and height to 512. They share few padded lengths, so this is about the edges: an odd
// last row, and incomplete groups of columns. With border wrap a line has the image's length, so
// this is every line that can be planned: rows and columns of every length to 512, of longer ones
// the one or the other.
static void sweep_sizes(table *t)
{
    for (int n = 1; n <= 512; ++n) {
        convolving c = row_of("size", n, 1 + n % 5, 1 + n % 7, 1 + n % 3, AG_CONVOLVE_FFT, n % 4);
        c.settings.correlate = n / 4 % 2;
        along_both(t, c);
    }
    for (int n = 2, turn = 0; n <= 8192; ++n) {
        bool column = n > 512 && (n % 2 || turn++ % 2);
        convolving c = row_of("length", column ? 4 : n, column ? n : 4, n < 3 ? n : 3, 3,
                              AG_CONVOLVE_FFT, AG_BORDER_WRAP);
        if (is_smooth(n) && n <= 512)
            along_both(t, c);
        else if (is_smooth(n))
            table_row(t, &c);
    }
}

static void test_sweep(void **state)
{
    table t = table_of(*state, "sweep", 6);
    t.share = sweep_start("sweep", 1000);
    sweep_shapes(&t);
    sweep_any(&t);
    sweep_sizes(&t);
    table_end(&t);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_borders),        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_sweep),          FIXTURE_SWEEP(test_compact_scenes),
        FIXTURE_FULL(test_spots),           FIXTURE_SWEEP(test_forms),
        FIXTURE_SWEEP(test_form_lengths),   FIXTURE_TEST(test_form_versions),
        FIXTURE_SWEEP(test_identity),       FIXTURE_SWEEP(test_scipy),
        FIXTURE_SWEEP(test_places),         FIXTURE_TEST(test_levels),
        FIXTURE_SWEEP(test_bad_texels),     FIXTURE_TEST(test_no_scrub),
        FIXTURE_TEST(test_shared_scratch),  FIXTURE_TEST(test_channel_at_a_time),
        FIXTURE_TEST(test_kernel_versions), FIXTURE_TEST(test_zero_sum),
        FIXTURE_SWEEP(test_halves),         FIXTURE_TEST(test_halves_ways),
        FIXTURE_SWEEP(test_tall),           FIXTURE_TEST(test_mutable),
        FIXTURE_TEST(test_plan_text),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
