// test_convolve_contract.c - what "convolve" promises beside its error: identities and properties
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convolve_ref.h"
#include "test_convolve_contract.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = CONVOLVE_WIDTH, H = CONVOLVE_HEIGHT, TAPS = CONVOLVE_TAPS };
static const int methods[] = {AG_CONVOLVE_DIRECT, AG_CONVOLVE_FFT};
static const char *const method_names[] = {"auto", "direct", "fft"};
static const char *const border_names[] = {"zero", "clamp", "mirror", "wrap"};

// ---- shared with convolve_contract_frames.c and convolve_contract_regions.c --------------------

void contract_adopt(contract *c, texture src, texture kernel, texture dst)
{
    *c = (contract){
        .src = src, .kernel = kernel, .dst = dst, .settings = *ag_convolve_params(.scrub = 1)};
    c->slots[0] = texture_view(&c->src);
    c->slots[1] = texture_view(&c->kernel);
    c->slots[2] = texture_view(&c->dst);
    c->job = convolving_job(c->slots, &c->settings);
}

void contract_open(fixture *f, contract *c, const char *src_format, const double *src,
                   const char *dst_format, int kernel_width, int kernel_height,
                   const double *kernel)
{
    contract_adopt(c, texture_create(f, src_format, W, H, src),
                   texture_create(f, "r32f", kernel_width, kernel_height, kernel),
                   texture_create(f, dst_format, W, H, NULL));
}

void contract_close(fixture *f, contract *c)
{
    texture *all[] = {&c->src, &c->kernel, &c->dst};
    for (int i = 0; i < 3; ++i) { // GL reuses names of deleted textures
        f->ag->forget(f->device, all[i]->name);
        texture_destroy(f, all[i]);
    }
}

double *contract_run(fixture *f, ag_pass *pass, contract *c)
{
    fixture_run(f, pass, &c->job);
    return texture_read(f, &c->dst, 0);
}

double *contract_noise(rng *r, int width, int height, int channels)
{
    size_t count = (size_t)(width * height * channels);
    double *values = malloc(count * sizeof *values);
    CHECK(values != NULL);
    rng_fill_uniform(r, values, count, -1, 1);
    texture_quantise("r32f", values, count);
    return values;
}

uint32_t contract_dispatches(fixture *f)
{
    uint32_t count = gl_trace_calls(&f->host.trace, "glDispatchCompute");
    gl_trace_reset(&f->host.trace);
    return count;
}

// ---- identities --------------------------------------------------------------------------------

static double *one_tap(int width, int height, int x, int y)
{
    double *kernel = calloc((size_t)(width * height), sizeof *kernel);
    CHECK(kernel != NULL);
    kernel[y * width + x] = 1;
    return kernel;
}

static bool check_identity(fixture *f, ag_pass *pass, const char *format, const double *src,
                           int method, int border, int kw, int kh)
{
    double *kernel = one_tap(kw, kh, kw / 2, kh / 2);
    contract c;
    contract_open(f, &c, format, src, format, kw, kh, kernel);
    c.settings.method = method;
    c.settings.border = border;
    c.settings.alpha = AG_ALPHA_CONVOLVE;
    fixture_run(f, pass, &c.job);
    uint8_t *a = texture_read_bytes(f, &c.src, 0), *b = texture_read_bytes(f, &c.dst, 0);
    bool good = memcmp(a, b, texture_byte_count(&c.src, 0)) == 0;
    char name[128];
    snprintf(name, sizeof name, "identity %dx%d, %s, %s, %s: every bit", kw, kh, format,
             method_names[method], border_names[border]);
    check_case(name, good);
    free(a);
    free(b);
    free(kernel);
    contract_close(f, &c);
    return good;
}

// A large centre weight bypasses the FFT, so the identity kernel copies texels bit for bit.
static void test_identity(void **state)
{
    fixture *f = *state;
    rng r = rng_start("identity", 61);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("identity", 8); // of four a format: each about once
    for (int i = 0; i < FRAME_FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        size_t count = (size_t)(W * H * format->channels);
        double *src = malloc(count * sizeof *src);
        bool is_signed = format->kind == FORMAT_FLOAT && format->bits[0] >= 16;
        for (size_t k = 0; k < count; ++k)
            src[k] = format->kind != FORMAT_FLOAT
                         ? rng_uniform(&r, 0, 1)
                         : rng_hdr(&r, 1e-7, 60000) * (is_signed && rng_int(&r, 0, 1) ? -1 : 1);
        texture_quantise(format->name, src, W * H);
        for (size_t m = 0; m < COUNT(methods); ++m) {
            for (int border = 0; border < (i == FORMAT_COUNT - 1 ? 4 : 1); ++border) // rgba32f
                if (sweep_takes(share))
                    good = check_identity(f, pass, format->name, src, methods[m], border, TAPS,
                                          TAPS) &&
                           good;
        }
        if (sweep_takes(share))
            good = check_identity(f, pass, format->name, src, AG_CONVOLVE_FFT, 0, TAPS - 1,
                                  TAPS - 1) &&
                   good;
        if (sweep_takes(share))
            good = check_identity(f, pass, format->name, src, AG_CONVOLVE_AUTO, 0, 1, 1) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A single tap beside the centre shifts the image. The texels that enter are those of the border.
static double shift_error(fixture *f, ag_pass *pass, const double *src, int kw, int kh, int x,
                          int y, const ag_convolve_settings *settings)
{
    double *kernel = one_tap(kw, kh, x, y), worst = 0;
    contract c;
    contract_open(f, &c, "r32f", src, "r32f", kw, kh, kernel);
    c.settings = *settings;
    double *got = contract_run(f, pass, &c);
    int sign = settings->correlate ? 1 : -1, dx = sign * (x - kw / 2), dy = sign * (y - kh / 2);
    for (int i = 0; i < W * H; ++i) {
        int sx = convolve_ref_border(i % W + dx, W, settings->border);
        int sy = convolve_ref_border(i / W + dy, H, settings->border);
        double error = fabs(got[i] - (sx < 0 || sy < 0 ? 0 : src[sy * W + sx]));
        worst = error <= worst ? worst : error;
    }
    free(kernel);
    free(got);
    contract_close(f, &c);
    return worst;
}

static void test_shifts(void **state)
{
    // the last is larger than the image: its corners lie beyond it
    static const int kernels[][2] = {{TAPS, TAPS}, {TAPS - 1, TAPS - 1}, {201, 131}};
    fixture *f = *state;
    rng r = rng_start("shifts", 62);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 1);
    bool good = true;
    sweep *share = sweep_start("shifts", 24);
    for (size_t k = 0; k < COUNT(kernels); ++k)
        for (size_t m = 0; m < COUNT(methods); ++m)
            for (int border = 0; border < 4; ++border) {
                if (!sweep_takes(share))
                    continue;
                double worst = 0;
                int kw = kernels[k][0], kh = kernels[k][1];
                for (int corner = 0; corner < 4; ++corner) {
                    ag_convolve_settings s =
                        *ag_convolve_params(.method = methods[m], .border = border, .scrub = 1,
                                            .correlate = corner % 2 != (border > 1));
                    double error = shift_error(f, pass, src, kw, kh, corner % 2 * (kw - 1),
                                               corner / 2 * (kh - 1), &s);
                    worst = error <= worst ? worst : error;
                }
                char name[96];
                snprintf(name, sizeof name, "tap in each corner of %dx%d, %s, %s", kw, kh,
                         method_names[methods[m]], border_names[border]);
                // Everything beyond the border is zero, so the result is exactly 0.
                bool exact = methods[m] == AG_CONVOLVE_DIRECT || (kw > W && border == 0);
                good = check_limit(name, worst, exact ? 0 : 1e-6) && good;
            }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Small integers, computed by scipy.ndimage.convolve and correlate 1.17.1: modes constant, nearest,
// mirror, wrap. These are the only expected values here that this project did not compute.
static void test_scipy(void **state)
{
    static const double src[12] = {1, 2, 3, 4, 5, 6, 40, 8, 9, 10, 11, 12},
                        kernel[6] = {1, 2, 3, 4, 5, 6};
    static const double want[4][2][12] = {
        {{29, 95, 149, 174, 77, 278, 332, 337, 85, 148, 163, 126},
         {17, 32, 47, 32, 69, 304, 292, 211, 133, 289, 277, 160}},
        {{50, 95, 149, 198, 134, 278, 332, 381, 194, 206, 227, 243},
         {30, 46, 67, 79, 90, 304, 292, 271, 174, 289, 277, 256}},
        {{59, 95, 149, 226, 143, 278, 332, 508, 179, 215, 269, 346},
         {59, 169, 157, 226, 95, 304, 292, 460, 179, 289, 277, 346}},
        {{77, 95, 149, 183, 161, 278, 332, 366, 173, 158, 179, 180},
         {93, 94, 115, 100, 105, 304, 292, 244, 189, 289, 277, 229}},
    };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    for (int i = 0; i < 16; ++i) {
        contract c;
        contract_adopt(&c, texture_create(f, "r32f", 4, 3, src),
                       texture_create(f, "r32f", 3, 2, kernel),
                       texture_create(f, "r32f", 4, 3, NULL));
        c.settings.border = i / 4;
        c.settings.correlate = i / 2 % 2;
        c.settings.method = methods[i % 2];
        double *got = contract_run(f, pass, &c);
        char name[96];
        snprintf(name, sizeof name, "scipy.ndimage.%s, %s, %s",
                 i / 2 % 2 ? "correlate" : "convolve", border_names[i / 4],
                 method_names[methods[i % 2]]);
        good = check_limit(name, check_max_error(got, want[i / 4][i / 2 % 2], 12),
                           i % 2 ? 1e-6 * 40 * 21 : 0) &&
               good;
        free(got);
        contract_close(f, &c);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- properties --------------------------------------------------------------------------------

// With wrap and normalize no light is lost, whatever the kernel's own sum.
static void test_energy(void **state)
{
    fixture *f = *state;
    rng r = rng_start("energy", 63);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = malloc(sizeof *src * W * H), kernel[TAPS * TAPS];
    rng_fill_hdr(&r, src, W * H, 0.01, 1000);
    rng_fill_uniform(&r, kernel, COUNT(kernel), 0, 77);
    texture_quantise("r32f", src, W * H);
    for (size_t m = 0; m < COUNT(methods); ++m) {
        contract c;
        contract_open(f, &c, "r32f", src, "r32f", TAPS, TAPS, kernel);
        c.settings = *ag_convolve_params(.method = methods[m], .border = AG_BORDER_WRAP,
                                         .normalize = AG_NORMALIZE_SUM, .scrub = 1);
        double *got = contract_run(f, pass, &c), before = 0, after = 0;
        for (int i = 0; i < W * H; ++i) {
            before += src[i];
            after += got[i];
        }
        char name[64];
        snprintf(name, sizeof name, "change of the sum, wrap, normalized, %s",
                 method_names[methods[m]]);
        CHECK_LIMIT(name, fabs(after / before - 1), 1e-6);
        free(got);
        contract_close(f, &c);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

static void test_linearity(void **state)
{
    fixture *f = *state;
    rng r = rng_start("linearity", 64);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src[3] = {contract_noise(&r, W, H, 4), contract_noise(&r, W, H, 4), NULL}, *got[3];
    double *kernel = contract_noise(&r, TAPS, TAPS, 1), scale = 0;
    src[2] = malloc(sizeof **src * 4 * W * H);
    for (int i = 0; i < 4 * W * H; ++i) // exact in float32: steps of 2^-24 and powers of two
        src[2][i] = 0.5 * src[0][i] - 0.25 * src[1][i];
    texture_quantise("rgba32f", src[2], W * H);
    for (int i = 0; i < TAPS * TAPS; ++i)
        scale += fabs(kernel[i]);
    for (size_t m = 0; m < COUNT(methods); ++m) {
        for (int i = 0; i < 3; ++i) {
            contract c;
            contract_open(f, &c, "rgba32f", src[i], "rgba32f", TAPS, TAPS, kernel);
            c.settings =
                *ag_convolve_params(.method = methods[m], .alpha = AG_ALPHA_CONVOLVE, .scrub = 1);
            got[i] = contract_run(f, pass, &c);
            contract_close(f, &c);
        }
        double worst = 0;
        for (int i = 0; i < 4 * W * H; ++i) {
            double error = fabs(got[2][i] - (0.5 * got[0][i] - 0.25 * got[1][i]));
            worst = error <= worst ? worst : error;
        }
        char name[64];
        snprintf(name, sizeof name, "K(a/2 - b/4) - (K a/2 - K b/4), %s", method_names[methods[m]]);
        CHECK_LIMIT(name, worst / scale,
                    1.75e-6); // three results, each within 1e-6 of its own scale
        for (int i = 0; i < 3; ++i)
            free(got[i]);
    }
    for (int i = 0; i < 3; ++i)
        free(src[i]);
    free(kernel);
    f->ag->pass_destroy(pass);
}

// The two methods against each other, on the same bits.
static void test_methods_agree(void **state)
{
    static const int kernels[][2] = {{TAPS, TAPS}, {TAPS - 1, TAPS}, {TAPS, TAPS - 1}};
    fixture *f = *state;
    rng r = rng_start("methods agree", 65);
    ag_pass *pass = fixture_pass(f, "convolve");
    double worst = 0;
    sweep *share = sweep_start("methods agree", 6);
    for (int i = 0; i < 24; ++i) {
        if (!sweep_takes(share))
            continue;
        int kw = kernels[i % 3][0], kh = kernels[i % 3][1];
        double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, kw, kh, 1), *got[2];
        double sum = 0, peak = 0;
        for (int k = 0; k < kw * kh; ++k)
            sum += fabs(kernel[k]);
        for (int k = 0; k < 4 * W * H; ++k)
            peak = fmax(peak, fabs(src[k]));
        for (size_t m = 0; m < 2; ++m) {
            contract c;
            contract_open(f, &c, "rgba32f", src, "rgba32f", kw, kh, kernel);
            c.settings = *ag_convolve_params(.method = methods[m], .border = i % 4, .scrub = 1,
                                             .correlate = i / 4 % 2, .alpha = i / 8 % 2);
            got[m] = contract_run(f, pass, &c);
            contract_close(f, &c);
        }
        double error = check_max_error(got[0], got[1], 4 * W * H) / (sum * peak);
        if (!(error <= worst))
            worst = error;
        free(got[0]);
        free(got[1]);
        free(src);
        free(kernel);
    }
    CHECK_LIMIT("direct against fft, 24 cases, of max|src| sum|kernel|", worst, 1e-6);
    f->ag->pass_destroy(pass);
}

static void test_mixed_formats(void **state)
{
    const convolving cases[] = {
        {"hdr target", W, H, TAPS, TAPS, "rgba16f", "r32f", "r11g11b10f",
         *ag_convolve_params(.method = 2, .normalize = 1, .scrub = 1), 60000, NULL, NULL, 0},
        {"hdr target", W, H, TAPS, TAPS, "rgba16f", "r32f", "r11g11b10f",
         *ag_convolve_params(.method = 1, .normalize = 1, .scrub = 1), 60000, NULL, NULL, 0},
        {"to screen", W, H, TAPS, TAPS, "rgba16f", "r32f", "srgb8",
         *ag_convolve_params(.method = 2, .normalize = 1, .scrub = 1), 0, NULL, NULL, 0},
        {"from screen", W, H, TAPS, TAPS, "srgb8", "r32f", "rgba16f",
         *ag_convolve_params(.method = 2, .normalize = 1, .scrub = 1), 0, NULL, NULL, 0},
    };
    fixture *f = *state;
    rng r = rng_start("mixed formats", 66);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i)
        good = convolving_check(f, pass, &cases[i], &r) && good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_identity),       FIXTURE_SWEEP(test_shifts),
        FIXTURE_TEST(test_scipy),           FIXTURE_TEST(test_energy),
        FIXTURE_TEST(test_linearity),       FIXTURE_SWEEP(test_methods_agree),
        FIXTURE_TEST(test_mixed_formats),   FIXTURE_TEST(test_rects),
        FIXTURE_TEST(test_layers),          FIXTURE_TEST(test_levels),
        FIXTURE_TEST(test_bad_texels),      FIXTURE_TEST(test_no_scrub),
        FIXTURE_TEST(test_counter_goes_on), FIXTURE_TEST(test_bad_kernel),
        FIXTURE_SWEEP(test_halves),         FIXTURE_TEST(test_alpha_apart),
        FIXTURE_TEST(test_halves_ways),     FIXTURE_SWEEP(test_halves_scrub),
        FIXTURE_TEST(test_halves_targets),  FIXTURE_TEST(test_halves_storages),
        FIXTURE_TEST(test_shared_scratch),  FIXTURE_TEST(test_scratch_limits),
        FIXTURE_TEST(test_texture_state),   FIXTURE_TEST(test_channel_at_a_time),
        FIXTURE_TEST(test_kernel_versions), FIXTURE_TEST(test_zero_sum),
        FIXTURE_TEST(test_resize),          FIXTURE_TEST(test_barriers),
        FIXTURE_TEST(test_hidden_levels),   FIXTURE_TEST(test_lies),
        FIXTURE_TEST(test_mutable),         FIXTURE_TEST(test_flat),
        FIXTURE_TEST(test_copied_alpha),    FIXTURE_TEST(test_kernel_packed),
        FIXTURE_TEST(test_auto_falls_back),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
