// test_spectrum.c - the effect "spectrum" against FFTW in double, and what it promises beside
// numbers
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/spectrum.h>

#include "fixture.h"
#include "random.h"
#include "spectrum_ref.h"
#include "texture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct spectral { // what to run; NULL formats are rgba32f
    const char *name;
    int width, height;
    const char *src_format, *dst_format;
    const double *src; // as many channels as the format
    ag_spectrum_settings settings;
} spectral;

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

static ag_spectrum_settings defaults(fixture *f)
{
    ag_spectrum_settings s;
    CHECK_STATUS(f->ag->defaults("spectrum", &s, sizeof s), AG_OK);
    return s;
}

static spectral linear(fixture *f, const char *name, int width, int height, const double *src)
{
    spectral c = {
        .name = name, .width = width, .height = height, .src = src, .settings = defaults(f)};
    c.settings.log = 0;
    return c;
}

// Random texels in low..high, rounded to the format. malloc.
static double *noise(rng *r, const char *format, int width, int height, double low, double high)
{
    size_t texels = (size_t)(width * height);
    size_t count = texels * (size_t)format_named(or_float(format))->channels;
    double *values = check_doubles(count);
    rng_fill_uniform(r, values, count, low, high);
    texture_quantise(or_float(format), values, texels);
    return values;
}

static ag_job job_of(const ag_texture slots[2], const ag_spectrum_settings *settings)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = 2,
                    .settings = settings,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
}

// Prepares and executes: the values of dst (malloc), and the points that the plan's text states.
static double *run(fixture *f, ag_pass *pass, const spectral *c, int points[2])
{
    texture t[2] = {texture_create(f, or_float(c->src_format), c->width, c->height, c->src),
                    texture_create(f, or_float(c->dst_format), c->width, c->height, NULL)};
    ag_texture slots[2] = {texture_view(&t[0]), texture_view(&t[1])};
    ag_job job = job_of(slots, &c->settings);
    fixture_run(f, pass, &job);
    const ag_plan *plan;
    int width, height, p[2];
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    CHECK_F(sscanf(plan->text, "fft: %dx%d in %dx%d points", &width, &height, &p[0], &p[1]) == 4,
            "%s", plan->text);
    CHECK(width == c->width && height == c->height && p[0] >= width && p[1] >= height);
    if (points)
        memcpy(points, p, sizeof p);
    double *got = texture_read(f, &t[1], 0);
    for (int i = 0; i < 2; ++i) {
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
    return got;
}

// What afterglow/spectrum.h promises of a run. The logarithm is checked between those of the
// largest and the smallest magnitude within the bound.
static bool check_run(fixture *f, ag_pass *pass, const spectral *c)
{
    const format_info *in = format_named(or_float(c->src_format));
    const format_info *out = format_named(or_float(c->dst_format));
    const ag_spectrum_settings *s = &c->settings;
    size_t texels = (size_t)(c->width * c->height), channels = (size_t)out->channels;
    int points[2];
    double *got = run(f, pass, c, points), *want = check_doubles(texels * 3);
    spectrum_ref ref = {c->src, c->width, c->height, in->channels, points[0], points[1], s};
    spectrum_ref_run(&ref, want);
    double peak = 0, error = 0, units = 0, db = 0, signal = 0, power = 0;
    for (size_t i = 0; i < texels * (size_t)in->channels; ++i)
        peak = fmax(peak, in->channels == 4 && i % 4 == 3 ? 0 : fabs(c->src[i]));
    double gain = pow(10, (double)s->gain / 20), bound = 1e-6 * peak * gain;
    for (size_t i = 0; i < texels * channels; ++i) {
        size_t channel = i % channels;
        double m = channel < 3 ? want[i / channels * 3 + channel] : 1;
        double low = m, high = m, exact = m, allowed = channel < 3 ? bound : 0;
        if (s->log && channel < 3) {
            low = spectrum_ref_shown(s, m - bound);
            high = spectrum_ref_shown(s, m + bound);
            double off = got[i] < low ? low - got[i] : got[i] > high ? got[i] - high : 0;
            db = !(off * (double)s->range <= db) ? off * (double)s->range : db;
            exact = 0.5 * (low + high);
            allowed = 0.5 * (high - low) + 0.001 / (double)s->range;
        } else if (channel < 3) {
            double e = got[i] - m;
            signal += m * m;
            power += e * e;
            error = !(fabs(e) <= error) ? fabs(e) : error;
        }
        double u = format_error_units(out, (int)channel, exact, got[i], allowed);
        units = !(u <= units) ? u : units;
        if (isnan(got[i]))
            units = (double)NAN;
    }
    bool full = out->kind == FORMAT_FLOAT && out->bits[0] == 32;
    double relative = peak > 0 ? error / (peak * gain) : 0;
    double snr = power > 0 ? 10 * log10(signal / power) : 999;
    bool good = units <= 0.51 && (!full || (s->log ? db <= 0.001 : relative <= 1e-6 && snr >= 120));
    printf("  %-5s %s: %dx%d in %dx%d, %s -> %s: ", good ? "ok" : "WRONG", c->name, c->width,
           c->height, points[0], points[1], in->name, out->name);
    if (!full)
        printf("%.3f units <= 0.51\n", units);
    else if (s->log)
        printf("%.2g dB <= 0.001\n", db);
    else
        printf("%.1f dB >= 120, error %.2g <= 1e-06 of max|src|\n", snr, relative);
    free(got);
    free(want);
    return good;
}

// ---- numbers -----------------------------------------------------------------------------------

// Every size in four of its settings, with positive values and with values around 0 (no mean).
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{64, 48}, {48, 45},  {45, 35}, {1, 1},   {2, 2},
                                   {1, 50},  {49, 1},   {3, 2},   {61, 37}, {127, 96},
                                   {331, 1}, {1, 1021}, {97, 360}};
    fixture *f = *state;
    rng r = rng_start("sizes", 61);
    ag_pass *pass = fixture_pass(f, "spectrum");
    bool good = true;
    sweep *share = sweep_start("sizes", 8);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k < 4; ++k) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            double *src = noise(&r, NULL, w, h, k % 2 ? -3 : 0, 3);
            spectral c = linear(f, k < 2 ? "plain" : "dB", w, h, src);
            c.settings.log = k >= 2;
            c.settings.window = k == 1 || k == 2;
            c.settings.centred = k != 1;
            c.settings.range = k == 3 ? 150 : 100;
            good = check_run(f, pass, &c) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Sizes for which the header promises the exact DFT, and sizes with longer lines.
static void test_points(void **state)
{
    static const int cases[][4] = {{640, 360, 1, 1}, {45, 35, 2, 1},  {1, 1, 2, 2},
                                   {4095, 2, 0, 1},  {3645, 5, 2, 1}, {61, 37, 0, 0}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "spectrum");
    ag_spectrum_settings s = defaults(f);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const int *c = cases[i];
        ag_texture t = {.struct_size = sizeof t,
                        .target = GL_TEXTURE_2D,
                        .format = GL_R16F,
                        .width = c[0],
                        .height = c[1]};
        ag_texture slots[2] = {t, t};
        ag_job job = job_of(slots, &s);
        const ag_plan *plan;
        int p[2], size[2];
        CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
        CHECK_EQ(sscanf(plan->text, "fft: %dx%d in %dx%d", &size[0], &size[1], &p[0], &p[1]), 4);
        printf("  %dx%d in %dx%d points\n", c[0], c[1], p[0], p[1]);
        for (int k = 0; k < 2; ++k)
            CHECK(c[2 + k] ? p[k] == c[k] * c[2 + k] : p[k] > c[k] && p[k] <= c[k] * 9 / 8 + 8);
    }
    f->ag->pass_destroy(pass);
}

static void test_formats(void **state)
{
    enum { W = 48, H = 45 };
    fixture *f = *state;
    rng r = rng_start("formats", 62);
    ag_pass *pass = fixture_pass(f, "spectrum");
    bool good = true;
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int luminance = 0; luminance < 2; ++luminance) {
            const char *name = format_at(i)->name;
            double *in = noise(&r, name, W, H, 0, 1), *out = noise(&r, NULL, W, H, 0, 1);
            spectral c = linear(f, luminance ? "luminance of" : "from", W, H, in);
            c.src_format = name;
            c.settings.window = luminance;
            c.settings.channels = luminance ? AG_SPECTRUM_LUMINANCE : AG_SPECTRUM_EACH;
            good = check_run(f, pass, &c) && good;
            spectral d = linear(f, luminance ? "dB into" : "into", W, H, out);
            d.dst_format = name;
            d.settings.log = luminance;
            d.settings.gain = luminance ? 3 : 40;
            good = check_run(f, pass, &d) && good;
            free(in);
            free(out);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_gain(void **state)
{
    static const float gains[] = {-200, -20, 6, 200}, ranges[] = {1, 20, 250, 400};
    fixture *f = *state;
    rng r = rng_start("gain", 63);
    ag_pass *pass = fixture_pass(f, "spectrum");
    double *src = noise(&r, NULL, 48, 45, 0, 1);
    bool good = true;
    for (int i = 0; i < 8; ++i) {
        spectral c = linear(f, "gain", 48, 45, src);
        c.settings.gain = gains[i % 4];
        c.settings.range = ranges[i % 4];
        c.settings.log = i >= 4;
        good = check_run(f, pass, &c) && good;
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Long lines: three channels, as rows and as columns.
static void test_long(void **state)
{
    fixture *f = *state;
    rng r = rng_start("long", 64);
    ag_pass *pass = fixture_pass(f, "spectrum");
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        int w = i ? 6 : 8192, h = i ? 8192 : 6;
        double *src = noise(&r, NULL, w, h, -1, 1);
        spectral c = linear(f, "long", w, h, src);
        good = check_run(f, pass, &c) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- laws --------------------------------------------------------------------------------------

// Texels of a channel that are further than 1e-6 from what `expected` says.
static int strays(const double *got, int width, int height, int channel,
                  double (*expected)(int u, int v, const int *wave), const int *wave)
{
    int count = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double want = expected(x - width / 2, y - height / 2, wave);
            count += !(fabs(got[4 * (y * width + x) + channel] - want) <= 1e-6);
        }
    return count;
}

static double two_points(int u, int v, const int *wave)
{
    bool there = (u == wave[0] && v == wave[1]) || (u == -wave[0] && v == -wave[1]);
    return there ? 0.5 : 0;
}

static double one_point(int u, int v, const int *unused)
{
    (void)unused;
    return u == 0 && v == 0 ? 0.75 : 0;
}

static double hann_points(int u, int v, const int *unused)
{
    (void)unused;
    return abs(u) > 1 || abs(v) > 1 ? 0 : 0.75 * (u ? 0.5 : 1) * (v ? 0.5 : 1);
}

// A wave of its own in each channel: two points each, half its height.
static void test_waves(void **state)
{
    static const int sizes[][2] = {{48, 40}, {45, 35}, {64, 27}};
    static const int waves[3][2] = {{3, 5}, {-7, 4}, {0, 11}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "spectrum");
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        int w = sizes[i][0], h = sizes[i][1];
        double *src = check_doubles((size_t)(4 * w * h));
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x)
                for (int c = 0; c < 4; ++c)
                    src[4 * (y * w + x) + c] =
                        c == 3 ? 9
                               : cos(6.283185307179586 * ((double)waves[c][0] * x / w +
                                                          (double)waves[c][1] * y / h + 0.1));
        spectral s = linear(f, "waves", w, h, src);
        double *got = run(f, pass, &s, NULL);
        for (int c = 0; c < 3; ++c)
            CHECK_EQ(strays(got, w, h, c, two_points, waves[c]), 0);
        for (int t = 0; t < w * h; ++t)
            CHECK(got[4 * t + 3] == 1);
        free(got);
        s.settings.centred = 0; // the red wave's points: at its own place, and opposite of it
        got = run(f, pass, &s, NULL);
        CHECK_LIMIT("at (3, 5)", fabs(got[4 * (5 * w + 3)] - 0.5), 1e-6);
        CHECK_LIMIT("at (-3, -5)", fabs(got[4 * ((h - 5) * w + w - 3)] - 0.5), 1e-6);
        free(got);
        free(src);
    }
    f->ag->pass_destroy(pass);
}

static void test_constant(void **state)
{
    static const int sizes[][2] = {{48, 40}, {45, 35}, {1, 1}, {1, 27}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "spectrum");
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        int w = sizes[i][0], h = sizes[i][1];
        double *src = check_doubles((size_t)(4 * w * h));
        for (int t = 0; t < 4 * w * h; ++t)
            src[t] = 0.75;
        spectral s = linear(f, "constant", w, h, src);
        double *got = run(f, pass, &s, NULL);
        for (int c = 0; c < 3; ++c)
            CHECK_EQ(strays(got, w, h, c, one_point, NULL), 0);
        free(got);
        s.settings.window = AG_WINDOW_HANN;
        got = run(f, pass, &s, NULL);
        for (int c = 0; c < 3; ++c)
            CHECK_EQ(strays(got, w, h, c, hann_points, NULL), 0);
        free(got);
        free(src);
    }
    f->ag->pass_destroy(pass);
}

// Real images have F(-k) = conj F(k): the picture is point symmetric, bit for bit, padded or not.
static void test_symmetry(void **state)
{
    static const int sizes[][2] = {{48, 40}, {45, 35}, {61, 37}, {94, 53}};
    fixture *f = *state;
    rng r = rng_start("symmetry", 65);
    ag_pass *pass = fixture_pass(f, "spectrum");
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        int w = sizes[i][0], h = sizes[i][1], wrong = 0;
        double *src = noise(&r, NULL, w, h, 0, 1);
        spectral s = linear(f, "symmetry", w, h, src);
        double *got = run(f, pass, &s, NULL);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                int mx = 2 * (w / 2) - x, my = 2 * (h / 2) - y;
                if (mx < w && my < h)
                    wrong += memcmp(got + 4 * (y * w + x), got + 4 * (my * w + mx), 32) != 0;
            }
        CHECK_EQ(wrong, 0);
        free(got);
        free(src);
    }
    f->ag->pass_destroy(pass);
}

// ---- contract ----------------------------------------------------------------------------------

static void test_scrub(void **state)
{
    enum { W = 61, H = 45 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("scrub", 66);
    ag_pass *pass = fixture_pass(f, "spectrum");
    double *src = noise(&r, NULL, W, H, 0, 1), *clean = check_doubles(4 * W * H);
    memcpy(clean, src, sizeof *clean * 4 * W * H);
    for (int i = 0; i < 9; ++i) { // one channel of each: the whole texel counts as 0
        int texel = i == 0 ? 0 : i == 1 ? W * H - 1 : 301 * i;
        src[4 * texel + i % 4] = bad[i % 3];
        memset(clean + 4 * texel, 0, 4 * sizeof *clean);
    }
    for (int window = 0; window < 2; ++window) {
        spectral a = linear(f, "bad", W, H, src), b = linear(f, "clean", W, H, clean);
        a.settings.window = b.settings.window = window;
        uint64_t before = fixture_scrubbed(f);
        double *x = run(f, pass, &a, NULL);
        uint64_t counted = fixture_scrubbed(f) - before;
        double *y = run(f, pass, &b, NULL);
        CHECK(check_case("NaN and Inf count as 0, bit for bit",
                         memcmp(x, y, sizeof *x * 4 * W * H) == 0));
        CHECK_EQ(counted, 9);
        CHECK_EQ(fixture_scrubbed(f) - before, 9);
        free(x);
        free(y);
    }
    free(src);
    free(clean);
    f->ag->pass_destroy(pass);
}

// Rectangles inside layers of arrays, with scratch of the host's at an offset: each layer is what
// its rectangle alone gives, and outside dst's rectangle nothing is written.
static void test_rects_and_layers(void **state)
{
    enum { W = 30, H = 21, BW = 41, BH = 40, LAYERS = 3, SX = 8, SY = 5, DX = 11, DY = 19 };
    fixture *f = *state;
    rng r = rng_start("layers", 67);
    ag_pass *pass = fixture_pass(f, "spectrum");
    double *big = noise(&r, NULL, BW, BH * LAYERS, 0, 1);
    texture src = texture_create_array(f, "rgba32f", BW, BH, LAYERS, 1, big);
    texture dst = texture_create_array(f, "rgba32f", BW, BH, LAYERS, 1, NULL);
    ag_texture slots[2] = {texture_view(&src), texture_view(&dst)};
    for (int i = 0; i < 2; ++i) {
        slots[i].rect_x = i ? DX : SX;
        slots[i].rect_y = i ? DY : SY;
        slots[i].rect_width = W;
        slots[i].rect_height = H;
    }
    spectral c = linear(f, "rectangle", W, H, NULL);
    ag_job job = job_of(slots, &c.settings);
    const ag_plan *plan;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    GLuint buffer;
    uint64_t offset = 16 * plan->scratch_alignment;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(offset + plan->scratch_bytes), NULL,
                     GL_STREAM_COPY);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    job.scratch.name = buffer;
    job.scratch.offset = offset;
    job.scratch.bytes = plan->scratch_bytes;
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &dst, 0), *part = check_doubles(4 * W * H);
    for (int layer = 0; layer < LAYERS; ++layer) {
        for (int y = 0; y < H; ++y)
            memcpy(part + 4 * y * W, big + 4 * ((layer * BH + SY + y) * BW + SX),
                   sizeof *part * 4 * W);
        c.src = part;
        double *want = run(f, pass, &c, NULL);
        for (int y = 0; y < H; ++y)
            CHECK(memcmp(got + 4 * ((layer * BH + DY + y) * BW + DX), want + 4 * y * W,
                         sizeof *got * 4 * W) == 0);
        free(want);
    }
    CHECK_EQ(texture_poison_count(f, &dst, 0, 0, 0, 0, 0), (BW * BH - W * H) * LAYERS);
    free(got);
    free(part);
    free(big);
    f->ag->pass_destroy(pass);
    f->gl.DeleteBuffers(1, &buffer);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
}

// No setting is structural: all of them may change between frames.
static void test_settings(void **state)
{
    fixture *f = *state;
    rng r = rng_start("settings", 68);
    ag_pass *pass = fixture_pass(f, "spectrum"), *fresh = fixture_pass(f, "spectrum");
    double *values = noise(&r, NULL, 30, 21, 0, 1);
    texture src = texture_create(f, "rgba32f", 30, 21, values);
    texture dst = texture_create(f, "rgba32f", 30, 21, NULL);
    ag_texture slots[2] = {texture_view(&src), texture_view(&dst)};
    ag_spectrum_settings s = defaults(f);
    CHECK(s.channels == AG_SPECTRUM_EACH && s.window == AG_WINDOW_NONE && s.log == 1 &&
          s.range == 100 && s.gain == 0 && s.centred == 1 && s.scrub == 1);
    ag_job job = job_of(slots, &s);
    fixture_run(f, pass, &job);
    for (int i = 0; i < 16; ++i) {
        s = *ag_spectrum_params(.channels = i & 1, .window = i >> 1 & 1, .log = i >> 2 & 1,
                                .range = 50, .gain = 10, .centred = i >> 3 & 1);
        CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_OK);
        double *a = texture_read(f, &dst, 0);
        fixture_run(f, fresh, &job);
        double *b = texture_read(f, &dst, 0);
        CHECK(memcmp(a, b, sizeof *a * 4 * 30 * 21) == 0);
        free(a);
        free(b);
    }
    free(values);
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(fresh);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "spectrum");
    ag_spectrum_settings s = defaults(f);
    const ag_plan *plan;
    ag_texture t = {.struct_size = sizeof t,
                    .target = GL_TEXTURE_2D,
                    .format = GL_R16F,
                    .width = 8193,
                    .height = 4};
    ag_texture slots[2] = {t, t};
    ag_job job = job_of(slots, &s);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "8193x4") && host_log_has(&f->host, "8192"));
    slots[0].width = 64;
    slots[1].width = 63;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "63x4") && host_log_has(&f->host, "64x4"));
    host_log_clear(&f->host);
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),   FIXTURE_TEST(test_points),
        FIXTURE_TEST(test_formats),  FIXTURE_TEST(test_gain),
        FIXTURE_FULL(test_long),     FIXTURE_TEST(test_waves),
        FIXTURE_TEST(test_constant), FIXTURE_TEST(test_symmetry),
        FIXTURE_TEST(test_scrub),    FIXTURE_TEST(test_rects_and_layers),
        FIXTURE_TEST(test_settings), FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
