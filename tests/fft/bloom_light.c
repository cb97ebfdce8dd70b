// bloom_light.c - bloom of codes and of frames that end at white: transfer and gain, against double
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

// ---- the definition of bloom.h in double -------------------------------------------------------

static float gain_of(const ag_bloom_settings *s)
{
    return s->gain > 0 ? s->gain : s->transfer == AG_BLOOM_SRGB ? 100.0f : 1.0f;
}

// 1 - 1/g as a float has it: that of 256 has four digits less than a double.
static double k_of(const ag_bloom_settings *s)
{
    float gain = gain_of(s);
    return gain > 1 ? (double)(1 - 1 / gain) : 0;
}

// The light of a colour that holds values of its format: texels of sRGB formats are light already.
static void light_of(const ag_bloom_settings *s, bool codes, int channels, const double *values,
                     double *light)
{
    int colours = channels < 3 ? channels : 3;
    double m = 0;
    for (int c = 0; c < channels; ++c)
        light[c] = codes && c < 3 ? format_srgb_decode(values[c]) : values[c];
    for (int c = 0; c < colours; ++c)
        m = fmax(m, light[c]);
    for (int c = 0; c < colours; ++c)
        light[c] /= 1 - k_of(s) * fmin(m, 1);
}

// What a format of `encoded` channels holds of a light, not rounded.
static void code_of(const ag_bloom_settings *s, bool encoded, int channels, const double *light,
                    double *code)
{
    int colours = channels < 3 ? channels : 3;
    double m = 0, k = k_of(s);
    for (int c = 0; c < colours; ++c)
        m = fmax(m, light[c]);
    for (int c = 0; c < channels; ++c) {
        double value = c < 3 ? light[c] / (1 + k * fmin(m, 1 / (1 - k))) : light[c];
        code[c] = encoded && c < 3 ? format_srgb_encode(fmin(fmax(value, 0), 1)) : value;
    }
}

// ---- one run -----------------------------------------------------------------------------------

// The largest distance of a stored code from what the definition gives of lights within `error` of
// the exact one, in units of the format; NaN where a value is.
static double measure(const trial *t, const double *want, const double *got, double error)
{
    const format_info *in = format_named(t->slots[SRC].format);
    const format_info *out = format_named(t->slots[DST].format);
    const ag_bloom_settings *s = t->settings;
    bool srgb = out->kind == FORMAT_SRGB, encoded = srgb || s->transfer == AG_BLOOM_SRGB;
    int channels = in->channels < out->channels ? in->channels : out->channels;
    double worst = 0;
    for (int i = 0; i < t->slots[SRC].width * t->slots[SRC].height; ++i) {
        double low[4], high[4], a[4], b[4];
        for (int k = 0; k < in->channels; ++k) {
            low[k] = want[i * in->channels + k] - (k < 3 ? error : 0);
            high[k] = want[i * in->channels + k] + (k < 3 ? error : 0);
        }
        code_of(s, encoded, in->channels, low, a);
        code_of(s, encoded, in->channels, high, b);
        for (int k = 0; k < channels; ++k) {
            double stored = got[i * out->channels + k];
            stored = srgb && k < 3 ? format_srgb_encode(stored) : stored;
            // brighter neighbours darken a channel: the order is not known
            double least = fmin(a[k], b[k]), most = fmax(a[k], b[k]), unit;
            if (out->kind == FORMAT_FLOAT) {
                unit = format_unit(out, k, most);
            } else {
                unit = 1.0 / ((1 << out->bits[k]) - 1);
                least = fmin(fmax(least, 0), 1);
                most = fmin(fmax(most, 0), 1);
            }
            double off = fmax(least - stored, stored - most) / unit;
            worst = check_worse(worst, off);
        }
    }
    return worst;
}

typedef struct light_case {
    const char *src, *dst;
    int width, height, transfer;
    float gain, size, threshold, clamp, intensity;
    int output, ghosts, resolution, firefly;
    bool dirty; // some texels are NaN or infinite
} light_case;

// Random colours: most dark, some at white, as in a street at night.
static double *scene(rng *r, const char *format, int width, int height)
{
    double *values = blooming_scene(r, format, width, height, 0.01, 1);
    int channels = format_named(format)->channels;
    for (int i = 0; i < width * height; i += 1 + (int)rng_uniform(r, 0, 40))
        for (int c = 0; c < channels && c < 3; ++c)
            values[i * channels + c] = 1;
    return values;
}

// What the effect gives of the light that the definition above makes of the frame, as floats of
// gain 1. The lens adds nothing here. malloc.
static double *lit(fixture *f, ag_pass *pass, const ag_bloom_settings *of_codes, bool codes,
                   const light_case *t, const double *src, const double *onto)
{
    const format_info *in = format_named(t->src);
    size_t texels = (size_t)(t->width * t->height), channels = (size_t)in->channels;
    static const char *const floats[] = {"", "r32f", "rg32f", "rgba32f", "rgba32f"};
    size_t wide = channels == 3 ? 4 : channels;
    double *light = check_doubles(texels * wide), base[4];
    ag_bloom_settings s = *of_codes;
    bool added = s.output == AG_BLOOM_ADD;
    s.transfer = AG_BLOOM_LINEAR;
    s.gain = 1;
    s.ghosts = 0;
    s.output = added ? AG_BLOOM_ONLY : s.output;
    for (size_t i = 0; i < texels; ++i) {
        light[i * wide + wide - 1] = 1;
        light_of(of_codes, codes, in->channels, src + i * channels, light + i * wide);
    }
    double *got = bloom_run(f, pass, floats[channels], t->width, t->height, light, &s);
    double *want = check_doubles(texels * channels);
    for (size_t i = 0; i < texels; ++i) {
        if (added) // formats of src and dst are the same here
            light_of(of_codes, codes, in->channels, onto + i * channels, base);
        for (size_t k = 0; k < channels; ++k)
            want[i * channels + k] = added && k == 3 ? base[k]
                                     : added         ? got[i * wide + k] + base[k]
                                                     : got[i * wide + k];
    }
    free(light);
    free(got);
    return want;
}

// Limits: the convolution's error, of the largest light. The lens's glow is stored in half floats,
// but for an RGBA16 dst. At a smaller resolution that image, its convolution and what fireflies
// leave are half floats, each with an error of up to 2^-12 of itself, 2.4e-4. The GPU's pow() is a
// part of a unit of 16 bits off.
static bool check_light(fixture *f, ag_pass *pass, rng *r, const light_case *t)
{
    const format_info *in = format_named(t->src);
    bool added = t->output == AG_BLOOM_ADD, lens = added || t->ghosts;
    bool codes = t->transfer == AG_BLOOM_SRGB && in->kind != FORMAT_SRGB;
    size_t texels = (size_t)(t->width * t->height), channels = (size_t)in->channels;
    double *src = scene(r, t->src, t->width, t->height);
    double *given = check_doubles(texels * channels);
    for (size_t i = 0; t->dirty && i < texels; i += 37)
        memset(src + i * channels, 0, channels * sizeof *src);
    memcpy(given, src, texels * channels * sizeof *src);
    for (size_t i = 0; t->dirty && i < texels; i += 37)
        given[i * channels + i % 3] = i % 2 ? (double)NAN : (double)INFINITY;
    double *onto = added ? scene(r, t->dst, t->width, t->height) : NULL;
    ag_bloom_settings s;
    trial c = blooming_of(f, "light", t->width, t->height, given, &s);
    c.pass = pass;
    c.slots[SRC].format = t->src;
    c.slots[DST].format = t->dst;
    c.slots[DST].values = onto;
    s.transfer = t->transfer;
    s.gain = t->gain;
    s.size = t->size;
    s.output = t->output;
    s.threshold = t->threshold;
    s.clamp = t->clamp;
    s.intensity = t->intensity;
    s.ghosts = t->ghosts;
    s.ghost_intensity = 0;
    s.resolution = t->resolution;
    s.firefly = t->firefly;
    double *want = lit(f, pass, &s, codes, t, src, onto);
    bool halves = lens && strcmp(t->dst, "rgba16") != 0;
    double error = (t->resolution ? 6e-4 : halves ? 0x1p-11 : 1e-6) * (double)gain_of(&s);
    double *got = trial_take(&c, DST), units = measure(&c, want, got, error);
    double limit = t->transfer == AG_BLOOM_SRGB && format_named(t->dst)->bits[0] == 16 ? 0.6 : 0.51;
    bool good = units <= limit;
    printf("  %-5s %dx%d %s -> %s, transfer %d, gain %g, output %d, ghosts %d, resolution %d: %.3f "
           "units <= %g\n",
           good ? "ok" : "WRONG", t->width, t->height, t->src, t->dst, t->transfer, (double)t->gain,
           t->output, t->ghosts, t->resolution, units, limit);
    free(src);
    free(given);
    free(onto);
    free(want);
    free(got);
    return good;
}

// ---- tests -------------------------------------------------------------------------------------

// Highlights are expanded by each shader that reads the frame: rows, what makes a smaller image,
// fireflies, and the composite with its core or the lens.
void test_light(void **state)
{
    enum { LINEAR = AG_BLOOM_LINEAR, SRGB = AG_BLOOM_SRGB, ONLY = AG_BLOOM_ONLY };
    enum { ADD = AG_BLOOM_ADD, KARIS = AG_BLOOM_FIREFLY_KARIS };
    static const light_case cases[] = {
        {"rgba8", "rgba8", W, H, SRGB, 0, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"srgb8", "srgb8", W, H, LINEAR, 16, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"rgba8", "rgba16", W, H, SRGB, 16, 0.35f, 0, 0, 0.5f, 0, 0, 2, 0, false},
        {"rgba8", "rgba8", 37, 23, SRGB, 1, 0.5f, 0, 0, 1, 0, 0, 0, 0, false},
        {"srgb8", "srgb8", 1, 1, SRGB, 4, 2, 0, 0, 1, 0, 0, 0, 0, false},
        {"rgba8", "srgb8", 1, 29, SRGB, 8, 0.5f, 0, 0, 0.5f, 0, 0, 0, 0, false},
        {"rgba8", "rgb10a2", 37, 23, SRGB, 256, 0.5f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"rgba16", "rgba16", W, H, SRGB, 0, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"srgb8", "rgba16", 37, 23, SRGB, 0, 0.5f, 0, 0, 0.3f, ONLY, 0, 0, 0, false},
        {"r8", "r8", W, H, SRGB, 0, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"rg8", "rg8", W, H, SRGB, 3, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"rgba16f", "rgba16f", W, H, LINEAR, 8, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, true},
        {"rgba8", "rgba8", W, H, SRGB, 0, 0.35f, 1, 12, 0.5f, 0, 1, 0, 0, false},
        {"r11g11b10f", "r11g11b10f", W, H, LINEAR, 2, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, false},
        {"rgba8", "rgba8", W, H, SRGB, 0, 0.35f, 2, 10, 0.5f, 0, 0, 0, 0, false},
        {"rgba8", "rgba8", W, H, SRGB, 0, 0.35f, 0, 0, 0.5f, ADD, 0, 0, 0, false},
        {"srgb8", "srgb8", W, H, SRGB, 0, 0.35f, 0, 0, 0.5f, ADD, 0, 0, 0, false},
        {"rgba32f", "rgba8", W, H, LINEAR, 100, 0.35f, 0, 0, 0.3f, 0, 0, 0, 0, true},
        {"rgba16", "rgba16", 37, 23, LINEAR, 6, 0.5f, 0, 0, 0.5f, ADD, 0, 0, 0, false},
        {"rgba8", "rgba16", W, H, SRGB, 16, 0.6f, 0, 0, 0.5f, 0, 0, 1, KARIS, false},
        {"rgba8", "rgba16", W, H, SRGB, 16, 0.6f, 0, 0, 1, ONLY, 0, 1, 1, false},
    };
    fixture *f = *state;
    rng r = rng_start("light", 371);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("light", 10);
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i)
        if (sweep_takes(share))
            good = check_light(f, pass, &r, &cases[i]) && good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Codes are refused of formats of floats; and AG_BLOOM_SDR is what docs/bloom.md says.
void test_light_refusals(void **state)
{
    static const char *const formats[][2] = {{"rgba16f", "rgba8"},
                                             {"rgba8", "rgba32f"},
                                             {"r11g11b10f", "rgba8"}};
    const ag_bloom_settings sdr = *ag_bloom_params(AG_BLOOM_SDR);
    const ag_bloom_settings said =
        *ag_bloom_params(.intensity = 0.3f, .size = 0.5f, .shape = AG_BLOOM_APERTURE,
                         .transfer = AG_BLOOM_SRGB);
    fixture *f = *state;
    CHECK(memcmp(&said, &sdr, sizeof sdr) == 0);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        ag_bloom_settings s;
        trial t = blooming_of(f, "refused", 8, 8, NULL, &s);
        t.slots[SRC].format = formats[i][0];
        t.slots[DST].format = formats[i][1];
        s.transfer = AG_BLOOM_SRGB;
        CHECK(trial_refused(&t, AG_E_FORMAT, "with transfer = srgb"));
        trial_free(&t);
    }
}
