// test_filter_spectrum.c - the effect "filter_spectrum" against FFTW in double, and closed forms
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_spectrum_ref.h"
#include "reloading.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC = AG_FILTER_SPECTRUM_SRC, MASK = AG_FILTER_SPECTRUM_MASK_IMAGE };
enum { DST = AG_FILTER_SPECTRUM_DST };

// The canvas that the plan's text states.
static void canvas_of(const trial *t, int canvas[2])
{
    const ag_plan *plan;
    int w, h;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    CHECK_F(sscanf(plan->text, "fft: %dx%d in a canvas of %dx%d", &w, &h, &canvas[0], &canvas[1]) ==
                4,
            "%s", plan->text);
    CHECK(w == t->views[SRC].width && h == t->views[SRC].height && canvas[0] >= w &&
          canvas[1] >= h);
}

// As afterglow/filter_spectrum.h promises: an error of 2e-6 of max|src| max(1, max|mask|), and
// noise 120 dB below src times that, which is another ratio to the result.
static bool filtered(trial *t, const trial_part *p, double *want, double *bound)
{
    const texture *mask = &t->textures[MASK];
    int channels = trial_channels(t, SRC), texels = p->width * p->height, canvas[2];
    double *src = trial_input(t, SRC, 0), peak = 0, gain = 1, given = 0, left = 0;
    double *exact = check_doubles((size_t)(texels * channels));
    // Of an alpha that is copied: a GPU may round codes as it reads them.
    bool codes = t->textures[SRC].format->kind != FORMAT_FLOAT;
    canvas_of(t, canvas);
    values_scrub(src, (size_t)texels, channels);
    for (int i = 0; i < texels * channels; ++i)
        if (i % channels < 3) {
            peak = fmax(peak, fabs(src[i]));
            given += src[i] * src[i];
        }
    filter_spectrum_ref ref = {src,           p->width,
                               p->height,     channels,
                               canvas[0],     canvas[1],
                               t->held[MASK], mask->width,
                               mask->height,  mask->name ? mask->format->channels : 0,
                               t->settings};
    for (size_t i = 0; mask->name && i < texture_value_count(mask, 0); ++i)
        gain = fmax(gain, fabs(t->held[MASK][i]));
    filter_spectrum_ref_run(&ref, exact);
    for (int i = 0; i < texels * p->channels; ++i) {
        int c = i % p->channels;
        if (c < channels)
            want[i] = exact[i / p->channels * channels + c];
        bound[i] = c < 3 && c < channels ? 2e-6 * peak * gain : codes ? 0x1p-22 : 6e-8;
        left += want[i] * want[i];
    }
    bool wide = format_named(t->slots[DST].format)->bits[0] == 32;
    t->snr = wide && left > 0 ? 120 + 10 * log10(left / (given * gain * gain)) : 0;
    free(src);
    free(exact);
    return true;
}

// From and into these formats; the effect's defaults.
static trial filtering_of(fixture *f, const char *name, const char *from, const char *into,
                          int width, int height, const double *src, ag_filter_spectrum_settings *s)
{
    trial t = trial_of(f, "filter_spectrum", name, s, sizeof *s);
    t.slots[SRC] = trial_image(from, width, height, src);
    t.slots[DST] = trial_image(into, width, height, NULL);
    t.reference = filtered;
    return t;
}

// ---- against the reference ---------------------------------------------------------------------

// Every shape, of them masks of any size and format.
static void test_shapes(void **state)
{
    static const int sizes[][2] = {{64, 48}, {61, 45},  {1, 1},    {1, 40},  {37, 1},
                                   {2, 3},   {150, 98}, {3, 1200}, {2500, 2}};
    static const int masks[][2] = {{64, 48}, {1, 1}, {7, 4}, {33, 91}};
    static const char *const formats[] = {"r32f", "rgba32f", "r16f", "rgba8"};
    enum { KINDS = 3 * AG_FILTER_SPECTRUM_MASK + COUNT(masks) };
    fixture *f = *state;
    rng r = rng_start("shapes", 701);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("shapes", 112);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int kind = 0; kind < (int)KINDS; ++kind)
            for (int border = 0; border < 4; ++border) {
                int w = sizes[i][0], h = sizes[i][1], m = kind - 3 * AG_FILTER_SPECTRUM_MASK;
                if (!sweep_takes(share))
                    continue;
                double *src = values_noise(&r, "rgba32f", w, h, -1, 1), *mask = NULL;
                ag_filter_spectrum_settings s;
                trial t = filtering_of(f, "shapes", "rgba32f", "rgba32f", w, h, src, &s);
                s.shape = m < 0 ? kind / 3 : AG_FILTER_SPECTRUM_MASK;
                s.profile = kind % 3;
                s.border = border;
                s.order = rng_int(&r, 1, 16);
                s.cutoff = (float)rng_hdr(&r, 0.01, 0.7);
                s.low = (float)rng_hdr(&r, 0.01, 0.3);
                s.high = s.low + (float)rng_uniform(&r, 0.02, 0.3);
                if (m >= 0) {
                    const char *format = formats[(m + border + (int)i) % 4];
                    mask = values_noise(&r, format, masks[m][0], masks[m][1], 0, 1);
                    t.slots[MASK] = trial_image(format, masks[m][0], masks[m][1], mask);
                }
                good = trial_check_and_free(&t, pass) && good;
                free(src);
                free(mask);
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Frequencies that are a cut-off exactly belong to `ideal`, also where neither of their parts is
// one of binary fractions: (9/60)^2 + (12/60)^2 = (15/60)^2. Others just miss one.
static void test_cutoffs(void **state)
{
    static const struct {
        int width, height;
        float cut[2]; // cut[0]: also the only one
    } cases[] = {{60, 60, {0.125f, 0.25f}},     {60, 60, {0.25f, 0.375f}},
                 {120, 60, {0.25f, 0.5f}},      {336, 48, {0.0625f, 0.3125f}},
                 {64, 48, {0.25f, 0.2500001f}}, {64, 48, {0.2499999f, 0.25f}},
                 {60, 48, {0.1f, 0.2f}},        {420, 105, {0.25f, 0.4f}}};
    fixture *f = *state;
    rng r = rng_start("cut-offs", 708);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("cut-offs", 28);
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int shape = 0; shape < AG_FILTER_SPECTRUM_MASK; ++shape) {
            if ((i != 1 || shape < 2) &&
                !sweep_takes(share)) // in every run: (9, 12) / 60 is .25, too
                continue;
            int w = cases[i].width, h = cases[i].height;
            double *src = values_noise(&r, "rgba32f", w, h, -1, 1);
            ag_filter_spectrum_settings s;
            trial t = filtering_of(f, "cut-offs", "rgba32f", "rgba32f", w, h, src, &s);
            s.border = AG_BORDER_WRAP;
            s.profile = AG_PROFILE_IDEAL;
            s.shape = shape;
            s.cutoff = s.low = cases[i].cut[0];
            s.high = cases[i].cut[1];
            good = trial_check_and_free(&t, pass) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- contract ----------------------------------------------------------------------------------

// NaN and Inf count as 0 and are counted. abi/test_scrub.c holds it for a mask.
static void test_scrub(void **state)
{
    enum { W = 64, H = 48 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("scrub", 706);
    double *src = values_noise(&r, "rgba32f", W, H, 0, 1);
    for (int i = 0; i < 9; ++i)
        src[4 * (i == 0 ? 0 : i == 1 ? W * H - 1 : 301 * i) + i % 4] = bad[i % 3];
    ag_filter_spectrum_settings s;
    trial t = filtering_of(f, "scrub", "rgba32f", "rgba32f", W, H, src, &s);
    s.border = AG_BORDER_ZERO; // each texel is read once
    uint64_t before = fixture_scrubbed(f);
    bool good = trial_check(&t);
    CHECK_EQ(fixture_scrubbed(f) - before, 9);
    trial_free(&t);
    free(src);
    CHECK(good);
}

static void test_refusals(void **state)
{
    static const struct {
        int width, dst_width, shape;
        const char *mask, *word;
        ag_status status;
    } rows[] = {{8193, 8193, 0, NULL, "8192", AG_E_SIZE},
                {64, 63, 0, NULL, "63x4", AG_E_SIZE},
                {64, 64, AG_FILTER_SPECTRUM_NOTCH, NULL, "below high", AG_E_ARG},
                {64, 64, AG_FILTER_SPECTRUM_MASK, NULL, "slot mask is empty", AG_E_ARG},
                {64, 64, AG_FILTER_SPECTRUM_MASK, "rg16f", "2 channels", AG_E_FORMAT}};
    bool good = true;
    for (size_t i = 0; i < COUNT(rows); ++i) {
        ag_filter_spectrum_settings s;
        trial t = filtering_of(*state, "refused", "r16f", "r16f", rows[i].width, 4, NULL, &s);
        t.slots[DST].width = rows[i].dst_width;
        if (rows[i].mask)
            t.slots[MASK] = trial_image(rows[i].mask, 64, 4, NULL);
        s.shape = rows[i].shape;
        s.low = s.high = 0.2f;
        good = trial_refused(&t, rows[i].status, rows[i].word) && good;
        host_log_clear(&t.f->host);
        trial_free(&t);
    }
    CHECK(good);
}

// The shader of a mask, which prepare runs, is edited: the picture follows. An edit that does not
// compile keeps the mask that was good.
static void test_reload_mask(void **state)
{
    enum { W = 20, H = 12, VALUES = 4 * W * H };
    static const char mask_shader[] = "fft/filter.comp", stored[] = "= value[c];";
    double ones[VALUES], worst = 0;
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    test_job j;
    job_create(r->f, "filter_spectrum", W, H, &j);
    for (int i = 0; i < VALUES; ++i)
        ones[i] = 1;
    uint32_t slot = job_slot(&j, "mask");
    j.textures[slot] = texture_create(r->f, "rgba32f", W, H, ones);
    j.slots[slot] = texture_view(&j.textures[slot]);
    job_set(&j, "shape", 0, AG_FILTER_SPECTRUM_MASK);
    job_set(&j, "border", 0, AG_BORDER_WRAP);
    ag_pass *pass = fixture_pass(r->f, "filter_spectrum");
    fixture_run(r->f, pass, &j.job);
    double *plain = texture_read(r->f, job_output(&j), 0);
    reloading_edit(&r->d, mask_shader, stored, "= 4.0 * value[c];");
    reloading_settle(r);
    double *bright = reloading_picture(r, pass, &j);
    for (int i = 0; i < VALUES; ++i) // alpha is copied
        worst = check_worse(worst, fabs(bright[i] - (i % 4 < 3 ? 4 : 1) * plain[i]));
    CHECK_LIMIT("four times as bright after the edit", worst, 0);
    reloading_edit(&r->d, mask_shader, stored, "= value[c] + no_such_mask;");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 1);
    double *kept = reloading_picture(r, pass, &j);
    CHECK(values_same(kept, bright, VALUES));
    free(plain);
    free(bright);
    free(kept);
    r->f->ag->pass_destroy(pass);
    job_destroy(r->f, &j);
    reloading_close(r);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_shapes),  FIXTURE_SWEEP(test_cutoffs), FIXTURE_TEST(test_scrub),
        FIXTURE_TEST(test_refusals), UNIT_TEST(test_reload_mask),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
