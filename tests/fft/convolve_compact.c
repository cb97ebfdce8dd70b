// convolve_compact.c - storage compact: its error over scenes and kernels; spots
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

// ---- scenes and kernels that lose digits in a shared scale --------------------------------------

static void hdr(rng *r, double *src, int width, int height, int channels)
{
    rng_fill_hdr(r, src, (size_t)(width * height * channels), 1e-3, 6e4);
}

// A few bright texels in the dark.
static void stars(rng *r, double *src, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        src[i] = rng_int(r, 0, 999) == 0 ? rng_uniform(r, 100, 60000) : rng_uniform(r, 0, 0.1);
    src[width * height / 2 * channels] = 60000;
}

static void point(rng *r, double *src, int width, int height, int channels)
{
    (void)r;
    for (int i = 0; i < width * height * channels; ++i)
        src[i] = i / channels == (height / 3) * width + width / 3;
}

static void line(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = i / channels / width == height / 2 ? 1.0 / width : 0;
}

static void corner(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = i < channels;
}

static void glare(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i) {
        double x = i / channels % width - width / 2, y = i / channels / width - height / 2;
        kernel[i] = 1 / pow(1 + x * x + y * y, 1.5);
    }
}

// 0.99 of the sum in the centre, the rest at random.
static void mostly_centre(double *kernel, int width, int height, int channels)
{
    for (int c = 0; c < channels; ++c) {
        double sum = 0;
        int centre = (height / 2 * width + width / 2) * channels + c;
        kernel[centre] = 0;
        for (int i = c; i < width * height * channels; i += channels) {
            kernel[i] = fabs(kernel[i]);
            sum += kernel[i];
        }
        kernel[centre] = 99.5 * sum;
    }
}

static void (*const scenes[])(rng *, double *, int, int, int) = {NULL, hdr, stars, point};
static const struct {
    const char *name;
    void (*reshape)(double *, int, int, int);
    double least;
} kernels[] = {{"random", NULL, 90},
               {"line", line, 90},
               {"corner", corner, 90},
               {"glare", glare, 90},
               {"mostly centre", mostly_centre, 105}};

// Odd heights that fill a line, too: the last pair has one row, and the place of the other must not
// change the result.
void test_compact_scenes(void **state)
{
    static const int odd[][5] = {{36, 25, 43, 14, AG_BORDER_WRAP},
                                 {600, 7, 7, 1, AG_BORDER_MIRROR}};
    enum { SCENES = COUNT(scenes), KERNELS = COUNT(kernels) };
    table t = table_of(*state, "compact scenes", 91);
    bool quick = check_tier_now() == CHECK_QUICK; // of one size and format, whose programs it has
    sweep *share = sweep_start("compact scenes", 5);
    for (int i = -3; i < SCENES * KERNELS; ++i) {
        convolving c = {.name = "compact",
                        .width = W,
                        .height = H,
                        .kernel_width = TAPS,
                        .kernel_height = TAPS,
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                        .border = AG_BORDER_CLAMP,
                                                        .storage = AG_STORAGE_COMPACT)};
        if (i == -3 || i == -2) {
            c.width = odd[i + 3][0];
            c.height = odd[i + 3][1];
            c.kernel_width = odd[i + 3][2];
            c.kernel_height = odd[i + 3][3];
            c.settings.border = odd[i + 3][4];
        } else if (i >= 0) {
            c.name = kernels[i % KERNELS].name;
            c.reshape = kernels[i % KERNELS].reshape;
            c.paint = scenes[i / KERNELS];
            c.min_snr = kernels[i % KERNELS].least;
        }
        if (i >= 0 && !quick) {
            c.width = 320;
            c.height = 180;
            c.kernel_width = 41;
            c.kernel_height = 33;
            c.src_format = c.dst_format = c.kernel_format = "r32f";
        }
        t.share = i < -1 || i >= 0 ? share : NULL;
        table_row(&t, &c);
    }
    table_end(&t);
}

// ---- spots -------------------------------------------------------------------------------------

enum { SW = 320, SH = 180, SK = 41 };

// A spot of 60000 in a scene of 0.02 .. 0.4, and a kernel with this share of its sum in the centre.
// The rms error of dark texels, relative to their exact values: of texels in the spot's rows, and
// of the others.
static void check_spot(fixture *f, int storage, double in_centre, double rows_limit, double limit)
{
    rng r = rng_start("spot", 94);
    double *src = values_hdr(&r, "r32f", SW, SH, 0.02, 0.4, false), *want = check_doubles(SW * SH);
    double kernel[SK * SK], rest = 0, error[2] = {0}, level[2] = {0};
    for (int y = 88; y < 91; ++y)
        for (int x = 150; x < 153; ++x)
            src[y * SW + x] = 60000;
    for (int i = 0; i < SK * SK; ++i) {
        double x = i % SK - SK / 2, y = i / SK - SK / 2;
        kernel[i] = i == SK * SK / 2 ? 0 : exp(-(x * x + y * y) / 80);
        rest += kernel[i];
    }
    kernel[SK * SK / 2] = in_centre > 0 ? rest * in_centre / (1 - in_centre) : 1;
    texture_quantise("r32f", kernel, SK * SK);
    convolve_ref ref = {.src = src,
                        .width = SW,
                        .height = SH,
                        .channels = 1,
                        .kernel = kernel,
                        .kernel_width = SK,
                        .kernel_height = SK,
                        .kernel_channels = 1,
                        .normalize = 1};
    CHECK(convolve_ref_run(&ref, want));
    ag_convolve_settings s =
        *ag_convolve_params(.method = AG_CONVOLVE_FFT, .normalize = 1, .storage = storage);
    trial t =
        convolving_of(f, "spot", trial_image("r32f", SW, SH, src),
                      trial_image("r32f", SK, SK, kernel), trial_image("r32f", SW, SH, NULL), &s);
    double *got = trial_take(&t, DST);
    for (int y = 0; y < SH; ++y)
        for (int x = 0; x < SW; ++x)
            if (abs(x - 151) > 30 || abs(y - 89) > 30) { // dark: out of the kernel's reach
                int other = abs(y - 89) > 1;
                error[other] += pow(got[y * SW + x] - want[y * SW + x], 2);
                level[other] += pow(want[y * SW + x], 2);
            }
    for (int other = 0; other < 2; ++other) {
        char name[128];
        snprintf(name, sizeof name, "%s spot of 60000, centre %g: rms error of %s over their rms",
                 storage == AG_STORAGE_COMPACT ? "compact" : "full", in_centre,
                 other ? "dark texels of other rows" : "the spot's rows");
        CHECK_LIMIT(name, sqrt(error[other] / level[other]), other ? limit : rows_limit);
    }
    free(src);
    free(want);
    free(got);
}

void test_spots(void **state)
{
    check_spot(*state, AG_STORAGE_FULL, 0.99, 1e-5, 1e-5);
    check_spot(*state, AG_STORAGE_COMPACT, 0.99, 5e-4, 2e-4);
    check_spot(*state, AG_STORAGE_COMPACT, 0, 0.05, 0.02);
}
