// test_convolve_kernels.c - kernels whose spectrum is cheap: even, mirrored, products of lines;
// near misses
// SPDX-License-Identifier: MIT
//
// The memory of a kernel's spectrum shows which symmetry the module has found.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <afterglow/convolve.h>

#include "convolve_ref.h"
#include "convolving.h"
#include "core/device.h"
#include "effects/fft/fft_plan.h"
#include "shaders/common/interface.h"

static const char *const form_names[] = {"complex", "real", "mirrored", "lines"};

// ---- kernels -----------------------------------------------------------------------------------

static void even(double *kernel, int width, int height, int channels)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int ox = width / 2 * 2 - x, oy = height / 2 * 2 - y;
            bool inside = ox < width && oy < height;
            for (int c = 0; c < channels; ++c)
                kernel[(y * width + x) * channels + c] =
                    inside ? kernel[(oy * width + ox) * channels + c] : 0;
        }
}

static void mirrored(double *kernel, int width, int height, int channels)
{
    int cx = width / 2, cy = height / 2;
    for (int y = height - 1; y >= 0; --y) // the quadrant of the first texel comes last
        for (int x = width - 1; x >= 0; --x) {
            bool lonely = (width % 2 == 0 && x == 0) || (height % 2 == 0 && y == 0);
            int from = (cy - abs(y - cy)) * width + cx - abs(x - cx);
            for (int c = 0; c < channels; ++c)
                kernel[(y * width + x) * channels + c] = lonely ? 0 : kernel[from * channels + c];
        }
}

// Different in each channel, and in x and y.
static void gaussian(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height; ++i)
        for (int c = 0; c < channels; ++c) {
            double x = i % width - width / 2, y = i / width - height / 2;
            bool lonely = (width % 2 == 0 && i % width == 0) || (height % 2 == 0 && i < width);
            double w = (x * x / (width * width) + 2 * y * y / (height * height)) * (8 + 3 * c);
            kernel[i * channels + c] = lonely ? 0 : exp(-w);
        }
}

static void radial(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height; ++i)
        for (int c = 0; c < channels; ++c) {
            double x = i % width - width / 2, y = i / width - height / 2;
            kernel[i * channels + c] = 1 / pow(1 + (x * x + y * y) / 9, 1.5 + 0.1 * c);
        }
}

static void box(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = 0.25;
}

// A tap that differs by the factor 1 + 2^-20 breaks the symmetry. Differences of up to one unit in
// the last place of all taps do not.
static void off_by_one_tap(double *kernel, int width, int height, int channels)
{
    kernel[((height / 2 - 1) * width + width / 2 - 1) * channels] *=
        1 + 0x1p-20; // beside the centre
}

static void off_by_rounding(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] *= 1 + (i % 3 - 1) * 0x1p-25;
}

static void near_even(double *kernel, int width, int height, int channels)
{
    even(kernel, width, height, channels);
    off_by_one_tap(kernel, width, height, channels);
}

static void about_even(double *kernel, int width, int height, int channels)
{
    even(kernel, width, height, channels);
    off_by_rounding(kernel, width, height, channels);
}

// Even, but one pair of taps breaks the mirror.
static void near_mirrored(double *kernel, int width, int height, int channels)
{
    mirrored(kernel, width, height, channels);
    off_by_one_tap(kernel, width, height, channels);
    for (int c = 0; c < channels; ++c) { // its image about the centre too
        int i = (height / 2 - 1) * width + width / 2 - 1,
            o = (height / 2 + 1) * width + width / 2 + 1;
        kernel[o * channels + c] = kernel[i * channels + c];
    }
}

// Mirrored, but one tap and its images are no product.
static void near_lines(double *kernel, int width, int height, int channels)
{
    gaussian(kernel, width, height, channels);
    off_by_one_tap(kernel, width, height, channels);
    mirrored(kernel, width, height, channels);
}

static void about_lines(double *kernel, int width, int height, int channels)
{
    gaussian(kernel, width, height, channels);
    off_by_rounding(kernel, width, height, channels);
}

// A product of lines whose centre is larger than all other taps together; or with a negative tap.
static void narrow(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height; ++i)
        for (int c = 0; c < channels; ++c)
            kernel[i * channels + c] =
                (i % width == width / 2 ? 1 : 0x1p-7) * (i / width == height / 2 ? 1 : 0x1p-7);
}

static void signed_lines(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = i / channels % width % 2 == width / 2 % 2 ? 1 : -0.5;
}

// Only the last channel that is convolved is not even.
static void one_channel_odd(double *kernel, int width, int height, int channels)
{
    gaussian(kernel, width, height, channels);
    kernel[channels * (width * height - 1) + (channels < 3 ? channels : 3) - 1] *= 2;
}

// ---- what was found ----------------------------------------------------------------------------

static uint64_t held_bytes(fixture *f)
{
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);
    return health.persistent_bytes;
}

// Runs a case on a pass of its own, and returns the form of the kernel's spectrum. It follows from
// the bytes of the pass, beside `base`, the bytes with a spectrum of no form.
static int form_of(fixture *f, const convolving *c, rng *r, uint64_t base, convolved *m)
{
    ag_pass *pass = fixture_pass(f, "convolve");
    uint64_t before = held_bytes(f);
    *m = convolving_run(f, pass, c, r);
    int64_t bytes = (int64_t)(m->held - before) - (int64_t)base;
    f->ag->pass_destroy(pass);
    int channels = c->src_format ? 1 : 3;
    ag_fft_request q = {.width = c->width,
                        .height = c->height,
                        .kernel_width = c->kernel_width,
                        .kernel_height = c->kernel_height,
                        .border = c->settings.border,
                        .correlate = c->settings.correlate,
                        .channels = channels,
                        .kernel_channels = c->kernel_format ? 1 : 3,
                        .layers = 1,
                        .max_invocations = 1024,
                        .max_block_bytes = 1 << 27,
                        .alignment = 256};
    const ag_gl *gl = &f->device->gpu.gl; // the limits that the module has read
    q.alignment = gl->ssbo_alignment;
    q.max_invocations = gl->max_invocations;
    ag_fft_plan p;
    char error[256];
    CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
    int64_t complex_bytes = p.kernel_bytes;
    for (int form = 3; form >= 0; --form) {
        ag_fft_plan_kernel(&p, form);
        if (bytes == p.kernel_bytes - complex_bytes)
            return form;
    }
    check_fail(__FILE__, __LINE__, "form_of", "%lld bytes are of no form", (long long)bytes);
    return -1;
}

typedef struct shaped {
    const char *name;
    void (*reshape)(double *kernel, int width, int height, int channels);
    int form;
} shaped;

static const shaped shapes[] = {
    {"any", NULL, AG_KERNEL_COMPLEX},
    {"even", even, AG_KERNEL_REAL},
    {"mirrored", mirrored, AG_KERNEL_MIRRORED},
    {"radial", radial, AG_KERNEL_MIRRORED},
    {"gaussian", gaussian, AG_KERNEL_LINES},
    {"box", box, AG_KERNEL_LINES},
    {"one tap not even", near_even, AG_KERNEL_COMPLEX},
    {"even but for rounding", about_even, AG_KERNEL_REAL},
    {"one tap not mirrored", near_mirrored, AG_KERNEL_REAL},
    {"one tap no product", near_lines, AG_KERNEL_MIRRORED},
    {"a product but for rounding", about_lines, AG_KERNEL_LINES},
    {"a product, mostly centre", narrow, AG_KERNEL_MIRRORED},
    {"a product with negative taps", signed_lines, AG_KERNEL_MIRRORED},
    {"one channel not even", one_channel_odd, AG_KERNEL_COMPLEX},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

// All shapes on one size; of even sizes those that leave out the taps without a mirror image.
static bool check_shapes(fixture *f, convolving c, rng *r)
{
    bool good = true;
    uint64_t base = 0;
    for (int i = -1; i < SHAPES; ++i) {
        const shaped *s = &shapes[i < 0 ? 0 : i];
        bool odd = c.kernel_width % 2 && c.kernel_height % 2;
        if (!odd && (s->reshape == radial || s->reshape == box || s->reshape == signed_lines ||
                     s->reshape == narrow || s->reshape == near_even || s->reshape == near_lines ||
                     s->reshape == near_mirrored || s->reshape == one_channel_odd))
            continue; // even sizes would need another tap
        convolved m;
        c.reshape = s->reshape;
        if (i < 0) { // makes the tables, then counts the bytes without them
            for (int again = 0; again < 2; ++again) {
                ag_pass *pass = fixture_pass(f, "convolve");
                uint64_t before = held_bytes(f);
                base = convolving_run(f, pass, &c, r).held - before;
                f->ag->pass_destroy(pass);
            }
            continue;
        }
        int form = form_of(f, &c, r, base, &m);
        bool right = form == s->form && m.snr >= 125 && m.relative <= 1e-6;
        printf(
            "  %-5s %dx%d, kernel %dx%d %s: %s, expected %s; %.1f dB >= 125, error %.2g <= 1e-06\n",
            right ? "ok" : "WRONG", c.width, c.height, c.kernel_width, c.kernel_height, s->name,
            form_names[form], form_names[s->form], m.snr, m.relative);
        good = good && right;
    }
    return good;
}

static void test_shapes(void **state)
{
    static const convolving cases[] = {
        {.width = 64, .height = 48, .kernel_width = 15, .kernel_height = 11},
        {.width = 37, .height = 53, .kernel_width = 8, .kernel_height = 6},
        {.width = 12,
         .height = 9,
         .kernel_width = 31,
         .kernel_height = 25}, // cut at the image's size
    };
    fixture *f = *state;
    rng r = rng_start("shapes", 81);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int rgb = 0; rgb < 2; ++rgb) {
            convolving c = cases[i];
            c.src_format = rgb ? NULL : "r32f";
            c.dst_format = c.src_format;
            c.kernel_format = c.src_format;
            c.settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                             .border = rgb ? AG_BORDER_ZERO : AG_BORDER_WRAP,
                                             .correlate = rgb, .scrub = 1);
            good = check_shapes(f, c, &r) && good;
        }
    CHECK(good);
}

// Lengths with one line and with several lines a group, odd last radices, and the shortest lengths.
static void test_lengths(void **state)
{
    static const int sizes[][2] = {{2, 1},  {1, 2},   {2, 3},    {6, 25},   {250, 5},
                                   {4, 81}, {8, 343}, {6, 1250}, {4, 4096}, {2, 6750}};
    static const int picked[] = {1, 2, 4};
    fixture *f = *state;
    rng r = rng_start("lengths", 82);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("lengths", 12);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (size_t s = 0; s < sizeof picked / sizeof *picked; ++s) {
            if (!sweep_takes(share))
                continue;
            convolving c = {.name = shapes[picked[s]].name,
                            .width = sizes[i][0],
                            .height = sizes[i][1],
                            .kernel_width = 2 * rng_int(&r, 0, 3) + 1,
                            .kernel_height = 2 * rng_int(&r, 0, 8) + 1,
                            .src_format = "r32f",
                            .dst_format = "r32f",
                            .kernel_format = "r32f",
                            .reshape = shapes[picked[s]].reshape,
                            .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                            .border = i % 2 ? AG_BORDER_WRAP
                                                                            : AG_BORDER_CLAMP,
                                                            .normalize = s == 2, .scrub = 1)};
            good = convolving_check(f, pass, &c, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void one_bad_tap(double *kernel, int width, int height, int channels)
{
    gaussian(kernel, width, height, channels);
    kernel[(height / 2 * width + 1) * channels] = (double)NAN;
}

static double largest_difference(fixture *f, const texture *a, const texture *b)
{
    double *x = texture_read(f, a, 0), *y = texture_read(f, b, 0), worst = 0;
    size_t count = (size_t)(a->width * a->height * a->format->channels);
    for (size_t i = 0; i < count; ++i)
        if (!(fabs(x[i] - y[i]) <= worst))
            worst = fabs(x[i] - y[i]);
    free(x);
    free(y);
    return worst;
}

// A tap that is not finite counts as 0, so the kernel is not even, with `scrub` or without.
static void test_bad_tap(void **state)
{
    enum { W = 40, H = 30, K = 9 };
    fixture *f = *state;
    rng r = rng_start("bad tap", 83);
    double src[W * H], kernel[2][K * K];
    rng_fill_uniform(&r, src, W * H, 0, 1);
    one_bad_tap(kernel[0], K, K, 1);
    for (int i = 0; i < K * K; ++i)
        kernel[1][i] = isnan(kernel[0][i]) ? 0 : kernel[0][i];
    texture s = texture_create(f, "r32f", W, H, src), dst[2];
    for (int i = 0; i < 2; ++i) {
        texture k = texture_create(f, "r32f", K, K, kernel[i]);
        dst[i] = texture_create(f, "r32f", W, H, NULL);
        ag_texture slots[3] = {texture_view(&s), texture_view(&k), texture_view(&dst[i])};
        ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .scrub = 1);
        ag_job job = convolving_job(slots, &settings);
        ag_pass *pass = fixture_pass(f, "convolve");
        fixture_run(f, pass, &job);
        f->ag->pass_destroy(pass);
        f->ag->forget(f->device, k.name);
        texture_destroy(f, &k);
    }
    CHECK_LIMIT("a bad tap against a tap of 0", largest_difference(f, &dst[0], &dst[1]), 0);
    texture_destroy(f, &s);
    texture_destroy(f, &dst[0]);
    texture_destroy(f, &dst[1]);
}

// Another image size keeps what is known of a kernel. Another version of the kernel is examined
// again.
static void test_other_versions(void **state)
{
    enum { W = 48, H = 40, K = 11 };
    fixture *f = *state;
    rng r = rng_start("versions", 84);
    double src[W * H], kernel[K * K], want[W * H];
    rng_fill_uniform(&r, src, W * H, -1, 1);
    gaussian(kernel, K, K, 1);
    texture_quantise("r32f", kernel, K * K);
    texture_quantise("r32f", src, W * H);
    texture t[3] = {texture_create(f, "r32f", W, H, src), texture_create(f, "r32f", K, K, kernel),
                    texture_create(f, "r32f", W, H, NULL)};
    ag_pass *pass = fixture_pass(f, "convolve");
    for (int step = 0; step < 4;
         ++step) { // lines, the same in a smaller image, changed, changed back
        if (step > 1) {
            float taps[K * K];
            kernel[3] = step == 2 ? 1 : kernel[K * K - 4];
            for (int i = 0; i < K * K; ++i)
                taps[i] = (float)kernel[i];
            f->gl.BindTexture(GL_TEXTURE_2D, t[1].name);
            f->gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, K, K, GL_RED, GL_FLOAT, taps);
            f->gl.BindTexture(GL_TEXTURE_2D, 0);
        }
        ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
        slots[1].version = step > 1 ? (uint64_t)step : 1;
        int h = step == 1 ? H / 2 : H;
        slots[0].rect_height = slots[2].rect_height = h;
        slots[0].rect_width = slots[2].rect_width = W;
        ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .scrub = 1);
        ag_job job = convolving_job(slots, &settings);
        fixture_run(f, pass, &job);
        convolve_ref ref = {.src = src,
                            .width = W,
                            .height = h,
                            .channels = 1,
                            .kernel = kernel,
                            .kernel_width = K,
                            .kernel_height = K,
                            .kernel_channels = 1};
        CHECK(convolve_ref_run(&ref, want));
        double *got = texture_read(f, &t[2], 0);
        char name[64];
        snprintf(name, sizeof name, "step %d, of max|src| sum|kernel|", step);
        CHECK_LIMIT(name, check_max_error(got, want, (size_t)(W * h)) / convolve_ref_scale(&ref),
                    1e-6);
        free(got);
    }
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &t[i]);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_shapes),
        FIXTURE_SWEEP(test_lengths),
        FIXTURE_TEST(test_bad_tap),
        FIXTURE_TEST(test_other_versions),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
