// test_convolve.c - the effect "convolve" against double precision: methods, borders, kernels,
// sizes, formats
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

static const int methods[] = {AG_CONVOLVE_DIRECT, AG_CONVOLVE_FFT};

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

// ---- every commit ------------------------------------------------------------------------------

// Borders, with odd and even kernels; an image that is smaller than its kernel; one texel.
static void test_borders(void **state)
{
    static const int sizes[][4] = {{2, 3, 33, 21}, {1, 1, 1, 1}, {1, 19, 4, 4}, {23, 1, 7, 2}};
    table t = table_of(*state, "borders", 1);
    for (size_t m = 0; m < COUNT(methods); ++m)
        for (int border = 0; border < 4; ++border) {
            int taps = TAPS - border % 2;
            convolving c = {.name = "border",
                            .width = W,
                            .height = H,
                            .kernel_width = taps,
                            .kernel_height = taps,
                            .kernel_format = "r32f",
                            .settings =
                                *ag_convolve_params(.method = methods[m], .border = border,
                                                    .correlate = border / 2, .alpha = border == 2)};
            table_row(&t, &c);
            c.name = "small";
            c.width = sizes[border][0];
            c.height = sizes[border][1];
            c.kernel_width = sizes[border][2];
            c.kernel_height = sizes[border][3];
            c.settings.correlate = border % 2;
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
    static const char *const formats[][3] = {
        {"r32f", "r32f", "rgba32f"},           {"rg32f", "r32f", "rg32f"},
        {"r11g11b10f", "r11g11b10f", "srgb8"}, {NULL, "rgba32f", NULL},
        {"rgba8", "r32f", "rgba16f"},          {"rgba16f", "r32f", "r11g11b10f"}};
    table t = table_of(*state, "formats", 3);
    for (size_t i = 0; i < COUNT(formats); ++i)
        for (size_t m = 0; m < COUNT(methods); ++m) {
            convolving c = {.name = "formats",
                            .width = W,
                            .height = H,
                            .kernel_width = TAPS,
                            .kernel_height = TAPS,
                            .src_format = formats[i][0],
                            .kernel_format = formats[i][1],
                            .dst_format = formats[i][2],
                            .settings = *ag_convolve_params(.method = methods[m], .normalize = 1,
                                                            .alpha = i == 3),
                            .paint = i == 5 ? spot_in_the_middle : NULL};
            table_row(&t, &c);
        }
    for (int i = 0; i < 4; ++i) {
        convolving c = {.name = "flat",
                        .width = W,
                        .height = H,
                        .kernel_width = TAPS,
                        .kernel_height = TAPS,
                        .kernel_format = "r32f",
                        .settings = *ag_convolve_params(.method = methods[i % 2],
                                                        .border = AG_BORDER_CLAMP),
                        .reshape = box,
                        .paint = flat};
        table_row(&t, &c);
    }
    table_end(&t);
}

// ---- everything --------------------------------------------------------------------------------

static void sweep_borders(table *t)
{
    static const int kernels[][2] = {{1, 1}, {3, 3},  {4, 4},   {7, 2},
                                     {1, 9}, {10, 1}, {33, 21}, {201, 131}};
    static const int images[][2] = {{16, 12}, {17, 13}, {1, 1}, {1, 19}, {23, 1}, {2, 3}, {64, 30}};
    for (size_t m = 0; m < COUNT(methods); ++m)
        for (int border = 0; border < 4; ++border)
            for (size_t k = 0; k < COUNT(kernels); ++k)
                for (size_t i = 0; i < COUNT(images); ++i) {
                    convolving c = {.name = "border",
                                    .width = images[i][0],
                                    .height = images[i][1],
                                    .kernel_width = kernels[k][0],
                                    .kernel_height = kernels[k][1],
                                    .settings =
                                        *ag_convolve_params(.method = methods[m], .border = border,
                                                            .correlate = (int)(i + k) % 2)};
                    table_row(t, &c);
                }
}

static void sweep_shapes(table *t)
{
    static const int shapes[][6] = {// image, kernel, method, border
                                    {1921, 1081, 65, 49, 2, 0}, {4000, 3, 191, 5, 2, 1},
                                    {3, 4000, 5, 191, 2, 2},    {8192, 4, 3, 3, 2, 3},
                                    {4, 8192, 3, 3, 2, 3},      {40, 30, 255, 255, 1, 3},
                                    {200, 150, 200, 150, 2, 0}, {100, 80, 5, 5, 0, 0},
                                    {100, 80, 31, 31, 0, 0}};
    for (size_t i = 0; i < COUNT(shapes); ++i) {
        const int *s = shapes[i];
        convolving c = {.name = "shape",
                        .width = s[0],
                        .height = s[1],
                        .kernel_width = s[2],
                        .kernel_height = s[3],
                        .kernel_format = i ? NULL : "r32f",
                        .settings = *ag_convolve_params(.method = s[4], .border = s[5])};
        table_row(t, &c);
    }
}

static void sweep_channels(table *t)
{
    static const char *const images[] = {"r32f", "rg32f", "rgba32f", "r11g11b10f"};
    static const char *const kernels[] = {"r32f", "rgba32f", "r11g11b10f"};
    for (size_t m = 0; m < COUNT(methods); ++m)
        for (size_t i = 0; i < COUNT(images); ++i)
            for (size_t k = 0; k < COUNT(kernels); ++k)
                for (int alpha = 0; alpha < 2; ++alpha) {
                    convolving c = {.name = "channels",
                                    .width = 37,
                                    .height = 29,
                                    .kernel_width = 6,
                                    .kernel_height = 9,
                                    .src_format = images[i],
                                    .kernel_format = kernels[k],
                                    .settings =
                                        *ag_convolve_params(.method = methods[m],
                                                            .border = AG_BORDER_CLAMP,
                                                            .alpha = alpha, .normalize = alpha)};
                    table_row(t, &c);
                }
}

// Every format into float32, float32 into every format, every format of a kernel.
static void sweep_formats(table *t)
{
    for (int i = 0; i < 3 * FRAME_FORMAT_COUNT; ++i)
        for (size_t m = 0; m < COUNT(methods); ++m) {
            const format_info *format = format_at(i / 3);
            convolving c = {.name = "format",
                            .width = 45,
                            .height = 22,
                            .kernel_width = 5,
                            .kernel_height = 8,
                            .settings =
                                *ag_convolve_params(.method = methods[m], .normalize = i % 3 == 1)};
            *(i % 3 == 0   ? &c.src_format
              : i % 3 == 1 ? &c.dst_format
                           : &c.kernel_format) = format->name;
            if (i % 3 < 2 || (format->channels != 2 && i / 3 < FORMAT_COUNT))
                table_row(t, &c);
        }
}

static void sweep_random(table *t)
{
    for (int i = 0; i < 100; ++i) {
        int least = i < 60 ? 1 : 20; // of compact spectra each size compiles programs of its own
        convolving c = {.width = rng_int(&t->r, least, 90),
                        .height = rng_int(&t->r, least, 90),
                        .kernel_width = rng_int(&t->r, 1, 60),
                        .kernel_height = rng_int(&t->r, 1, 60),
                        .kernel_format = i % 3 ? "rgba32f" : "r32f",
                        .settings = *ag_convolve_params(.method = rng_int(&t->r, 0, 2),
                                                        .border = rng_int(&t->r, 0, 3),
                                                        .normalize = rng_int(&t->r, 0, 1),
                                                        .correlate = rng_int(&t->r, 0, 1),
                                                        .alpha = rng_int(&t->r, 0, 1),
                                                        .storage = i < 60 ? AG_STORAGE_FULL
                                                                          : AG_STORAGE_COMPACT)};
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

// Compact spectra: sizes whose plans differ (lines a group, few and many row pairs, odd pairs, ends
// of tiles, long lines of one a group), every number of channels; images a few texels wide, most of
// whose columns are exact.
static void sweep_compact(table *t)
{
    static const struct {
        int width, height;
        const char *format;
    } shapes[] = {{1, 1, "r32f"},        {2, 3, "r32f"},       {37, 53, "rg32f"},
                  {30, 641, "rgba32f"},  {8192, 4, "r32f"},    {4, 8192, "r32f"},
                  {333, 181, "rgba32f"}, {1, 9, "rgba32f"},    {17, 13, "rgba32f"},
                  {64, 48, "rgba32f"},   {101, 77, "r32f"},    {250, 3, "rgba32f"},
                  {3, 250, "rg32f"},     {1200, 7, "rgba32f"}, {4096, 6, "r32f"},
                  {6, 4096, "r32f"}};
    for (size_t i = 0; i < 2 * COUNT(shapes); ++i) {
        int w = shapes[i / 2].width, h = shapes[i / 2].height, again = (int)(i % 2);
        bool longest = w > 8000 || h > 8000;
        convolving c = {.name = "shape",
                        .width = w,
                        .height = h,
                        .kernel_width = longest ? 1 : rng_int(&t->r, 1, 12),
                        .kernel_height = longest ? 1 : rng_int(&t->r, 1, 12),
                        .src_format = shapes[i / 2].format,
                        .dst_format = shapes[i / 2].format,
                        .kernel_format = again ? "rgba32f" : "r32f",
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                        .border = (int)i / 2 % 3 + again,
                                                        .correlate = again, .alpha = again,
                                                        .storage = AG_STORAGE_COMPACT)};
        table_row(t, &c);
    }
    for (int w = 1; w <= 9; ++w)
        for (int k = 1; k <= 12; ++k) {
            convolving c = {.name = "narrow",
                            .width = w,
                            .height = (int[]){9, 31, 250}[(w + k) % 3],
                            .kernel_width = k,
                            .kernel_height = 5,
                            .kernel_format = "r32f",
                            .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                            .border = AG_BORDER_CLAMP,
                                                            .storage = AG_STORAGE_COMPACT)};
            table_row(t, &c);
        }
}

static void test_sweep(void **state)
{
    table t = table_of(*state, "sweep", 6);
    t.share = sweep_start("sweep", 2000);
    sweep_borders(&t);
    sweep_shapes(&t);
    sweep_channels(&t);
    sweep_formats(&t);
    sweep_random(&t);
    sweep_sizes(&t);
    sweep_compact(&t);
    table_end(&t);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_borders),         FIXTURE_TEST(test_formats),
        FIXTURE_SWEEP(test_sweep),          FIXTURE_SWEEP(test_compact_scenes),
        FIXTURE_FULL(test_spots),           FIXTURE_TEST(test_compact_not_finite),
        FIXTURE_SWEEP(test_forms),          FIXTURE_SWEEP(test_form_lengths),
        FIXTURE_TEST(test_form_versions),   FIXTURE_SWEEP(test_identity),
        FIXTURE_TEST(test_scipy),           FIXTURE_TEST(test_energy),
        FIXTURE_TEST(test_places),          FIXTURE_TEST(test_levels),
        FIXTURE_SWEEP(test_bad_texels),     FIXTURE_TEST(test_no_scrub),
        FIXTURE_TEST(test_counter_goes_on), FIXTURE_TEST(test_shared_scratch),
        FIXTURE_TEST(test_texture_state),   FIXTURE_TEST(test_channel_at_a_time),
        FIXTURE_TEST(test_kernel_versions), FIXTURE_TEST(test_zero_sum),
        FIXTURE_SWEEP(test_halves),         FIXTURE_TEST(test_halves_alpha),
        FIXTURE_TEST(test_halves_ways),     FIXTURE_SWEEP(test_halves_scrub),
        FIXTURE_TEST(test_hidden_levels),   FIXTURE_TEST(test_lies),
        FIXTURE_TEST(test_mutable),         FIXTURE_TEST(test_plan_text),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
