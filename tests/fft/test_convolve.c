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

// ---- tables ------------------------------------------------------------------------------------

// Borders, with odd and even kernels; an image that is smaller than its kernel; one texel.
static void test_borders(void **state)
{
    static const int small[][4] = {{2, 3, 33, 21}, {1, 1, 1, 1}, {1, 19, 4, 4}, {23, 1, 7, 2}};
    table t = table_of(*state, "borders", 1);
    sweep *share = sweep_start("small", 8);
    for (int i = 0; i < 16; ++i) {
        int border = i / 4, method = 1 + i % 2, taps = TAPS - border % 2;
        convolving c = {.name = i / 2 % 2 ? "small" : "border",
                        .width = W,
                        .height = H,
                        .kernel_width = taps,
                        .kernel_height = taps,
                        .kernel_format = "r32f",
                        .settings = *ag_convolve_params(.method = method, .border = border,
                                                        .correlate = border / 2)};
        if (i / 2 % 2) {
            c.width = small[border][0];
            c.height = small[border][1];
            c.kernel_width = small[border][2];
            c.kernel_height = small[border][3];
            c.settings.correlate = border % 2;
        }
        t.share = i / 2 % 2 ? share : NULL;
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
        convolving c = {.name = "formats",
                        .width = W,
                        .height = H,
                        .kernel_width = TAPS,
                        .kernel_height = TAPS,
                        .src_format = rows[i / 2].src,
                        .kernel_format = rows[i / 2].kernel,
                        .dst_format = rows[i / 2].dst,
                        .settings = *ag_convolve_params(.method = 1 + (i + 1) % 2,
                                                        .alpha = rows[i / 2].alpha, .normalize = 1,
                                                        .border = AG_BORDER_CLAMP),
                        .reshape = rows[i / 2].reshape,
                        .paint = rows[i / 2].paint};
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
        convolving c = {.name = "shape",
                        .width = rows[i].width,
                        .height = rows[i].height,
                        .kernel_width = rows[i].kernel_width,
                        .kernel_height = rows[i].kernel_height,
                        .src_format = rows[i].format,
                        .dst_format = rows[i].format,
                        .kernel_format = i ? NULL : "r32f",
                        .settings =
                            *ag_convolve_params(.method = rows[i].method, .border = rows[i].border,
                                                .storage = rows[i].compact)};
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
// every length can be had; of longer ones a sample with every radix in every stage.
static void sweep_sizes(table *t)
{
    static const int longer[] = {540,  720,  1050, 1080, 1250, 1536, 1920, 2058, 2160, 2304,
                                 2560, 3430, 3840, 4096, 4374, 5120, 6250, 7000, 7680, 8192};
    for (int n = 1; n <= 512; ++n) {
        convolving c = {.name = "size",
                        .width = n,
                        .height = 1 + n % 5,
                        .kernel_width = 1 + n % 7,
                        .kernel_height = 1 + n % 3,
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = n % 4,
                                                        .correlate = n / 4 % 2)};
        along_both(t, c);
    }
    for (int i = 2; i <= 512 + (int)COUNT(longer); ++i) {
        int n = i <= 512 ? i : longer[i - 513];
        convolving c = {.name = "length",
                        .width = n,
                        .height = 4,
                        .kernel_width = n < 3 ? n : 3,
                        .kernel_height = 3,
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                        .border = AG_BORDER_WRAP)};
        if (is_smooth(n))
            along_both(t, c);
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
        FIXTURE_SWEEP(test_borders),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_sweep),
        FIXTURE_SWEEP(test_compact_scenes),
        FIXTURE_FULL(test_spots),
        FIXTURE_TEST(test_compact_not_finite),
        FIXTURE_SWEEP(test_forms),
        FIXTURE_SWEEP(test_form_lengths),
        FIXTURE_TEST(test_form_versions),
        FIXTURE_SWEEP(test_identity),
        FIXTURE_SWEEP(test_scipy),
        FIXTURE_SWEEP(test_places),
        FIXTURE_TEST(test_levels),
        FIXTURE_SWEEP(test_bad_texels),
        FIXTURE_TEST(test_no_scrub),
        FIXTURE_TEST(test_shared_scratch),
        FIXTURE_TEST(test_channel_at_a_time),
        FIXTURE_TEST(test_kernel_versions),
        FIXTURE_TEST(test_zero_sum),
        FIXTURE_SWEEP(test_halves),
        FIXTURE_TEST(test_halves_ways),
        FIXTURE_SWEEP(test_halves_scrub),
        FIXTURE_TEST(test_mutable),
        FIXTURE_TEST(test_plan_text),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
