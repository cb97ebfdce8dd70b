// convolve_kernels.c - kernels whose spectrum is cheap: even, mirrored, products of lines; near
// misses
// SPDX-License-Identifier: MIT
//
// The memory of a kernel's spectrum shows which symmetry the module has found.
#include "core/device.h"
#include "effects/fft/fft_plan.h"
#include "shaders/common/interface.h"
#include "test_convolve.h"

static const char *const form_names[] = {"complex", "real", "mirrored", "lines"};

// ---- kernels -----------------------------------------------------------------------------------

static bool is_lonely(int x, int y, int width,
                      int height) // of an even size: without a mirror image
{
    return (width % 2 == 0 && x == 0) || (height % 2 == 0 && y == 0);
}

// Each tap is that of the place opposite, or of the first quadrant.
static void fold(double *kernel, int width, int height, int channels, bool quadrants)
{
    int cx = width / 2, cy = height / 2;
    for (int y = height - 1; y >= 0; --y) // the quadrant of the first texel comes last
        for (int x = width - 1; x >= 0; --x) {
            int ox = quadrants ? cx - abs(x - cx) : y > cy || (y == cy && x > cx) ? 2 * cx - x : x;
            int oy = quadrants ? cy - abs(y - cy) : y > cy ? 2 * cy - y : y;
            for (int c = 0; c < channels; ++c)
                kernel[(y * width + x) * channels + c] =
                    is_lonely(x, y, width, height) ? 0 : kernel[(oy * width + ox) * channels + c];
        }
}

static void even(double *kernel, int width, int height, int channels)
{
    fold(kernel, width, height, channels, false);
}

static void mirrored(double *kernel, int width, int height, int channels)
{
    fold(kernel, width, height, channels, true);
}

// Different in each channel, and in x and y.
static void gaussian(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i) {
        double x = i / channels % width - width / 2, y = i / channels / width - height / 2;
        bool lonely = is_lonely(i / channels % width, i / channels / width, width, height);
        double w = (x * x / (width * width) + 2 * y * y / (height * height));
        kernel[i] = lonely ? 0 : exp(-w * (8 + 3 * (i % channels)));
    }
}

// A tap that differs by the factor 1 + 2^-20 breaks the symmetry, here beside the centre.
// Differences of up to one unit in the last place of all taps do not.
static void off_by_one_tap(double *kernel, int width, int height, int channels)
{
    kernel[((height / 2 - 1) * width + width / 2 - 1) * channels] *= 1 + 0x1p-20;
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
    even(kernel, width, height, channels);
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
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = (i / channels % width == width / 2 ? 1 : 0x1p-7) *
                    (i / channels / width == height / 2 ? 1 : 0x1p-7);
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

// The form of the kernel's spectrum follows from the bytes of the pass beyond `base`, the bytes of
// one that has no form.
static int form_of(fixture *f, const convolving *c, int64_t bytes)
{
    const ag_gl *gl = &f->device->gpu.gl; // the limits that the module has read
    ag_fft_request q = {.width = c->width,
                        .height = c->height,
                        .kernel_width = c->kernel_width,
                        .kernel_height = c->kernel_height,
                        .border = c->settings.border,
                        .correlate = c->settings.correlate,
                        .channels = c->src_format ? 1 : 3,
                        .kernel_channels = c->kernel_format ? 1 : 3,
                        .layers = 1,
                        .max_invocations = gl->max_invocations,
                        .max_block_bytes = 1 << 27,
                        .alignment = gl->ssbo_alignment};
    ag_fft_plan p;
    char error[256];
    CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
    int64_t complex_bytes = p.kernel_bytes;
    for (int form = AG_KERNEL_LINES; form >= AG_KERNEL_COMPLEX; --form) {
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
    bool odd; // of odd sizes alone: even ones would need another tap
} shaped;

static const shaped shapes[] = {
    {"any", NULL, AG_KERNEL_COMPLEX, false},
    {"even", even, AG_KERNEL_REAL, false},
    {"mirrored", mirrored, AG_KERNEL_MIRRORED, false},
    {"gaussian", gaussian, AG_KERNEL_LINES, false},
    {"one tap not even", near_even, AG_KERNEL_COMPLEX, true},
    {"even but for rounding", about_even, AG_KERNEL_REAL, false},
    {"one tap not mirrored", near_mirrored, AG_KERNEL_REAL, true},
    {"one tap no product", near_lines, AG_KERNEL_MIRRORED, true},
    {"a product but for rounding", about_lines, AG_KERNEL_LINES, false},
    {"a product, mostly centre", narrow, AG_KERNEL_MIRRORED, true},
    {"a product with negative taps", signed_lines, AG_KERNEL_MIRRORED, true},
    {"one channel not even", one_channel_odd, AG_KERNEL_COMPLEX, true},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

// Without negative texels: a kernel larger than the image is nearly even where it wraps, and would
// cancel them, so that decibels say nothing.
static void paint_positive(rng *r, double *src, int width, int height, int channels)
{
    (void)r;
    for (int i = 0; i < width * height * channels; ++i)
        src[i] = fabs(src[i]);
}

// All shapes on one size; of even sizes those that leave out the taps without a mirror image.
static bool check_shapes(table *t, convolving c)
{
    fixture *f = t->f;
    uint64_t base = 0, held;
    bool odd = c.kernel_width % 2 && c.kernel_height % 2, good = true;
    c.held = &held;
    c.min_snr = 125;
    c.paint = paint_positive;
    for (int i = -2; i < SHAPES; ++i) {
        const shaped *s = &shapes[i < 0 ? 0 : i];
        if (s->odd && !odd)
            continue;
        uint64_t before = held_bytes(f);
        c.name = s->name;
        c.reshape = s->reshape;
        good = convolving_check(f, NULL, &c, &t->r) && good;
        if (i < 0) { // makes the tables, then counts the bytes without them
            base = held - before;
            continue;
        }
        int form = form_of(f, &c, (int64_t)(held - before - base));
        char name[96];
        snprintf(name, sizeof name, "%s is %s, expected %s", s->name, form_names[form],
                 form_names[s->form]);
        good = check_case(name, form == s->form) && good;
    }
    return good;
}

void test_forms(void **state)
{
    static const convolving cases[] = {
        {.width = W, .height = H, .kernel_width = TAPS, .kernel_height = TAPS},
        {.width = 37, .height = 53, .kernel_width = 8, .kernel_height = 6},
        {.width = 12, .height = 9, .kernel_width = 31, .kernel_height = 25}}; // cut at the image
    table t = table_of(*state, "forms", 81);
    sweep *share = sweep_start("forms", 6);
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int rgb = 1; rgb >= 0; --rgb) {
            convolving c = cases[i];
            c.src_format = c.dst_format = c.kernel_format = rgb ? NULL : "r32f";
            c.settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                             .border = rgb ? AG_BORDER_ZERO : AG_BORDER_WRAP,
                                             .correlate = rgb);
            if (sweep_takes(share))
                t.good = check_shapes(&t, c) && t.good;
        }
    table_end(&t);
}

// Lengths with one line and with several lines a group, odd last radices, and the shortest lengths.
void test_form_lengths(void **state)
{
    static const int sizes[][2] = {{2, 1},  {1, 2},   {2, 3},    {6, 25},   {250, 5},
                                   {4, 81}, {8, 343}, {6, 1250}, {4, 4096}, {2, 6750}};
    static const int picked[] = {1, 2, 4};
    table t = table_of(*state, "form lengths", 82);
    t.share = sweep_start("form lengths", 30);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (size_t s = 0; s < COUNT(picked); ++s) {
            convolving c = {.name = shapes[picked[s]].name,
                            .width = sizes[i][0],
                            .height = sizes[i][1],
                            .kernel_width = 2 * rng_int(&t.r, 0, 3) + 1,
                            .kernel_height = 2 * rng_int(&t.r, 0, 8) + 1,
                            .src_format = "r32f",
                            .dst_format = "r32f",
                            .kernel_format = "r32f",
                            .reshape = shapes[picked[s]].reshape,
                            .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                            .border = i % 2 ? AG_BORDER_WRAP
                                                                            : AG_BORDER_CLAMP,
                                                            .normalize = s == 2)};
            table_row(&t, &c);
        }
    table_end(&t);
}

// Another image size keeps what is known of a kernel; another version of the kernel is examined
// again: lines, the same in a smaller image, changed, changed back, and with a tap that is not
// finite, which counts as 0, so that the kernel is not even.
void test_form_versions(void **state)
{
    fixture *f = *state;
    rng r = rng_start("versions", 84);
    scene s = scene_of(&r);
    ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT);
    gaussian(s.kernel, TAPS, TAPS, 1);
    texture_quantise("r32f", s.kernel, TAPS * TAPS);
    trial t = scene_trial(f, "versions", &s, &settings);
    double former = s.kernel[3];
    bool good = true;
    trial_make(&t);
    for (int step = 0; step < 5; ++step) {
        if (step > 1) {
            s.kernel[3] = step == 2 ? 1 : former;
            s.kernel[TAPS * TAPS / 2 + 1] = step == 4 ? (double)NAN : s.kernel[TAPS * TAPS / 2 - 1];
            texture_upload(f, &t.textures[KERNEL], 0, s.kernel);
            ++t.views[KERNEL].version;
        }
        free(t.held[KERNEL]);
        t.held[KERNEL] = NULL; // read again
        for (int slot = SRC; slot <= DST; slot += DST - SRC) {
            t.views[slot].rect_width = W;
            t.views[slot].rect_height = step == 1 ? H - 8 : H;
        }
        good = trial_check(&t) && good;
    }
    trial_free(&t);
    scene_free(&s);
    CHECK(good);
}
