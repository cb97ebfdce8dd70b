// convolve_contract.c - what "convolve" promises beside its error: identities, rectangles, layers,
// levels, and texels that are not numbers
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

static const int methods[] = {AG_CONVOLVE_DIRECT, AG_CONVOLVE_FFT};

// ---- identities --------------------------------------------------------------------------------

// A large centre weight bypasses the FFT, so a kernel of one tap copies texels bit for bit.
void test_identity(void **state)
{
    fixture *f = *state;
    rng r = rng_start("identity", 61);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("identity", 35);
    for (int i = 0; i < FRAME_FORMAT_COUNT; ++i) {
        const char *format = format_at(i)->name;
        double *src = values_hdr(&r, format, W, H, 1e-7, 60000, true);
        for (int k = 0; k < (i % 4 ? 3 : 8); ++k) {
            if (!sweep_takes(share))
                continue;
            int taps = k == 2 ? TAPS - 1 : TAPS; // one of an even kernel is off its middle
            double *kernel = values_even("r32f", taps, taps, 0);
            kernel[taps / 2 * taps + taps / 2] = 1;
            ag_convolve_settings s = *ag_convolve_params(.method = 1 + k % 2, .border = k / 2,
                                                         .alpha = AG_ALPHA_CONVOLVE);
            trial t = convolving_of(f, "identity", trial_image(format, W, H, src),
                                    trial_image("r32f", taps, taps, kernel),
                                    trial_image(format, W, H, NULL), &s);
            t.pass = pass;
            t.reference = trial_unchanged;
            good = trial_check(&t) && good;
            trial_free(&t);
            free(kernel);
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static bool by_scipy(trial *t, const trial_part *p, double *want, double *bound)
{
    (void)bound;
    memcpy(want, t->user, sizeof *want * (size_t)(p->width * p->height));
    return true;
}

// Small integers, computed by scipy.ndimage.convolve and correlate 1.17.1: modes constant, nearest,
// mirror, wrap. These are the only expected values here that this project did not compute.
void test_scipy(void **state)
{
    static const double src[12] = {1, 2, 3, 4, 5, 6, 40, 8, 9, 10, 11, 12},
                        kernel[6] = {1, 2, 3, 4, 5, 6};
    static double want[4][2][12] = {
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
    sweep *share = sweep_start("scipy", 8);
    for (int i = 0; i < 16; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_convolve_settings s =
            *ag_convolve_params(.method = methods[i % 2], .border = i / 4, .correlate = i / 2 % 2);
        trial t =
            convolving_of(f, "scipy.ndimage", trial_image("r32f", 4, 3, src),
                          trial_image("r32f", 3, 2, kernel), trial_image("r32f", 4, 3, NULL), &s);
        t.pass = pass;
        t.reference = by_scipy;
        t.user = want[i / 4][i / 2 % 2];
        t.limit = i % 2 ? 1e-6 * 40 * 21 : 0;
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- rectangles, layers, levels ----------------------------------------------------------------

// `layers` images of bw x bh that are huge or no numbers, but for the part (x, y, w, h) of each.
static double *surrounded(rng *r, int channels, int x, int y, int w, int h, int bw, int bh,
                          int layers)
{
    int count = bw * bh * channels * layers;
    double *big = check_doubles((size_t)count);
    for (int i = 0; i < count; ++i) {
        int texel = i / channels % (bw * bh), px = texel % bw - x, py = texel / bw - y;
        bool inside = px >= 0 && py >= 0 && px < w && py < h;
        big[i] = inside ? (double)(float)rng_uniform(r, -1, 1) : i % 3 ? 60000 : (double)NAN;
    }
    return big;
}

// Layers 1 and 2 of four into layers 2 and 3, with a kernel from a layer of an array; rectangles of
// all three. No texel outside the rectangles of src and kernel is read, none outside that of dst is
// written, and the border begins where src's rectangle ends.
void test_places(void **state)
{
    enum { BW = W + 21, BH = H + 13, KW = TAPS + 5, KH = TAPS + 9 };
    fixture *f = *state;
    rng r = rng_start("places", 71);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = surrounded(&r, 4, 8, 5, W, H, BW, BH, 4);
    double *kernel = surrounded(&r, 1, 3, 7, TAPS, TAPS, KW, KH, 3);
    uint64_t before = fixture_scrubbed(f);
    bool good = true;
    sweep *share = sweep_start("places", 7);
    for (int i = 0; i < 8; ++i) {
        if (i != 3 && !sweep_takes(share)) // clamp by the FFT, in every run
            continue;
        ag_convolve_settings s = *ag_convolve_params(.method = 1 + i % 2, .border = i / 2);
        trial_slot slots[] = {{"rgba32f", BW, BH, 4, 1, src, 8, 5, W, H, 1, 2, 0, NULL},
                              {"r32f", KW, KH, 3, 1, kernel, 3, 7, TAPS, TAPS, 2, 1, 0, NULL},
                              {"rgba32f", BW, BH, 4, 1, NULL, 21, 13, W, H, 2, 2, 0, NULL}};
        trial t = convolving_of(f, "places", slots[0], slots[1], slots[2], &s);
        t.pass = pass;
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    CHECK_LIMIT("bad texels counted, all of them outside", (double)(fixture_scrubbed(f) - before),
                0);
    f->ag->pass_destroy(pass);
    free(src);
    free(kernel);
    CHECK(good);
}

// Level 1 of src, 2 of the kernel, 1 of dst: the other levels are neither read nor written.
void test_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("levels", 73);
    scene s = scene_of(&r);
    bool good = true;
    for (int method = 1; method < 3; ++method) {
        ag_convolve_settings settings = *ag_convolve_params(.method = method);
        trial t = scene_trial(f, "levels", &s, &settings);
        for (int i = SRC; i <= DST; ++i) {
            int base = i == KERNEL ? 2 : 1;
            t.slots[i].base = base;
            t.slots[i].levels = i == DST ? base + 1 : base + 2;
            t.slots[i].width = (t.slots[i].width << base) + base;
            t.slots[i].height <<= base;
        }
        good = trial_check(&t) && good;
        CHECK_EQ(texture_poison_count(f, &t.textures[DST], 0, 0, 0, 0, 0), (2 * W + 1) * 2 * H);
        trial_free(&t);
    }
    scene_free(&s);
    CHECK(good);
}

// ---- bad texels --------------------------------------------------------------------------------

static void spoil(double *src, int count)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < count; ++i) { // the corners first: borders repeat them
        int texel = i == 0 ? 0 : i == 1 ? TEXELS - 1 : i == 2 ? W - 1 : 1 + 331 * i;
        src[4 * texel + i % 4] = bad[i % 3];
    }
    src[4 * (20 * W + 7) + 1] = 65504; // large, but finite
}

// One, then ten texels that are not finite, which count as zeros. Each execute counts each of them
// once, even if a border repeats it or several tiles read it. Of a kernel prepare counts them.
void test_bad_texels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("bad texels", 74);
    bool good = true;
    sweep *share = sweep_start("bad texels", 7);
    for (int i = 0; i < 20; ++i) {
        if (!sweep_takes(share))
            continue;
        bool taps = i >= 16;
        int count = taps ? 3 : i / 8 ? 10 : 1;
        scene s = scene_of(&r);
        ag_convolve_settings settings =
            *ag_convolve_params(.method = 1 + i % 2, .border = i / 2 % 4, .normalize = i >= 18);
        if (taps) {
            rng_fill_uniform(&r, s.kernel, TAPS * TAPS, 0, 1);
            s.kernel[0] = (double)NAN;
            s.kernel[TAPS * TAPS / 2] = (double)INFINITY; // the centre, which may bypass the FFT
            s.kernel[TAPS * TAPS - 3] = -(double)INFINITY;
        } else
            spoil(s.src, count);
        trial t = scene_trial(f, taps ? "bad taps" : "bad texels", &s, &settings);
        t.slots[SRC].format = i % 3 ? "rgba32f" : "rgba16f";
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK); // a second frame
        CHECK_EQ(fixture_scrubbed(f) - before, taps ? 3 : 2 * count);
        trial_free(&t);
        scene_free(&s);
    }
    CHECK(good);
}

// With scrub off, texels that are not finite pass through the arithmetic, and are not counted; a
// copied alpha stays what it is. By an FFT one makes every texel NaN or infinite, in both storages.
void test_no_scrub(void **state)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("no scrub", 76);
    bool good = true;
    uint64_t before = fixture_scrubbed(f);
    for (int i = 0; i < 5; ++i) {
        scene s = scene_of(&r);
        bool direct = i == 0;
        s.src[4 * (W * 7 + 11)] = bad[i % 3];
        s.src[4 * 1234 + 3] = i < 2 ? INFINITY : 1; // with another texel's alpha
        ag_convolve_settings settings =
            *ag_convolve_params(.method = direct ? AG_CONVOLVE_DIRECT : AG_CONVOLVE_FFT, .scrub = 0,
                                .storage = i < 2 ? AG_STORAGE_FULL : AG_STORAGE_COMPACT);
        trial t = scene_trial(f, "scrub off", &s, &settings);
        t.snr = 0; // of sums with infinity
        t.left_out = 0.75;
        good = trial_check(&t) && good;
        int finite = 0;
        for (int k = 0; k < 4 * TEXELS; k += 4)
            finite += isfinite(t.got[DST][k]);
        CHECK(direct || finite == 0);
        trial_free(&t);
        scene_free(&s);
    }
    CHECK_EQ(fixture_scrubbed(f) - before, 0);
    CHECK(good);
}
