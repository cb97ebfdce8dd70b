// downsample_values.c - what downsample makes of values: copies, worked examples, constants, NaN
// and Inf
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int any_ratio[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS};

static bool copied(trial *t, const trial_part *p, double *want, double *bound)
{
    double *src = trial_input(t, SRC, p->layer);
    for (int i = 0; i < p->width * p->height * p->channels; ++i) {
        want[i] = src[i];
        bound[i] = 0;
    }
    free(src);
    return true;
}

// Equal sizes are a copy, to the bit: every format and method, filters, too.
void test_identity(void **state)
{
    static const int methods[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS,
                                  AG_DOWN_BLOCKS};
    fixture *f = *state;
    rng r = rng_start("identity", 230);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("identity", 4);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int way = i % 4; way < 8; way += 4) {
            if (!sweep_takes(share))
                continue;
            scale c = {format_at(i)->name, NULL, 64, 64, .sizes = {{64, 64}}};
            c.method = way < 4 ? methods[way] : AG_DOWN_AUTO;
            c.filter = way < 4 ? AG_DOWN_AREA : AG_DOWN_NEAREST + way - 4;
            double *values = values_hdr(&r, c.format, 64, 64, 0.01, 100, true);
            ag_downsample_settings s;
            trial t = scale_of(f, pass, &c, values, &s);
            t.reference = copied;
            good = trial_check(&t) && good;
            trial_free(&t);
            free(values);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static bool given(trial *t, const trial_part *p, double *want, double *bound)
{
    const double *values = t->user;
    for (int i = 0; i < p->width * p->height; ++i) {
        want[i] = values[i];
        bound[i] = 0;
    }
    return true;
}

// The example of the document: 4 x 4 texels, a ratio of 2. Its steps by hand, and what a GPU makes
// of the columns alone (a ratio of 1 across), and of both.
void test_worked_example(void **state)
{
    static const double texels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static double columns[] = {3, 4, 5, 6, 11, 12, 13, 14}; // sums of two, down: 6 8 10 12, 22 ...
    static double both[] = {3.5, 5.5, 11.5, 13.5};          // 14 22, 46 54
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    for (int step = 0; step < 2; ++step)
        for (size_t k = 0; k < COUNT(any_ratio); ++k) {
            scale c = {"r32f", NULL, 4, 4, .sizes = {{step ? 2 : 4, 2}}, .method = any_ratio[k]};
            ag_downsample_settings s;
            trial t = scale_of(f, pass, &c, texels, &s);
            t.name = "the document's example";
            t.reference = given;
            t.user = step ? both : columns;
            good = trial_check(&t) && good;
            trial_free(&t);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static bool even(trial *t, const trial_part *p, double *want, double *bound)
{
    (void)bound;
    for (int i = 0; i < p->width * p->height * p->channels; ++i)
        want[i] = *(const double *)t->user;
    return true;
}

// Ones at every eighth texel, where a bilinear sampler at an eighth of the size never looks: it
// sees nothing at all, as do bicubic and nearest. The mean is 1/64.
void test_lattice(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    double *values = check_doubles(256 * 128);
    bool good = true;
    for (int i = 0; i < 256 * 128; ++i)
        values[i] = i % 256 % 8 == 0 && i / 256 % 8 == 0;
    for (int filter = AG_DOWN_AREA; filter <= AG_DOWN_BICUBIC; ++filter) {
        scale c = {"r32f", NULL, 256, 128, .sizes = {{32, 16}}, .filter = filter};
        double mean = filter ? 0 : 1.0 / 64; // a float
        ag_downsample_settings s;
        trial t = scale_of(f, pass, &c, values, &s);
        t.name = "a lattice";
        t.reference = even;
        t.user = &mean;
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    free(values);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// What a GL_LINEAR sampler makes of a texture at half its size, by a compute shader of the test's
// own.
static double *sampler_half(fixture *f, const texture *src, int w, int h)
{
    static const char *const text =
        "#version 430 core\nlayout(local_size_x = 8, local_size_y = 8) in;\n"
        "layout(binding = 0) uniform sampler2D t;\nlayout(binding = 0) writeonly uniform image2D i;\n"
        "layout(location = 0) uniform ivec2 size;\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "    if (all(lessThan(p, size)))\n"
        "        imageStore(i, p, textureLod(t, (vec2(p) + 0.5) / vec2(size), 0.0)); }\n";
    const GladGLContext *gl = &f->gl;
    GLuint program = gl->CreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text);
    GLint linked = 0;
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked);
    texture dst = texture_create(f, "rgba32f", w, h, NULL);
    gl->BindTexture(GL_TEXTURE_2D, src->name);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->BindImageTexture(0, dst.name, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    gl->UseProgram(program);
    gl->ProgramUniform2i(program, 0, w, h);
    gl->DispatchCompute((GLuint)(w + 7) / 8, (GLuint)(h + 7) / 8, 1);
    gl->MemoryBarrier(GL_ALL_BARRIER_BITS);
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    double *got = texture_read(f, &dst, 0);
    gl->DeleteProgram(program);
    texture_destroy(f, &dst);
    return got;
}

static bool means_of_four(trial *t, const trial_part *p, double *want, double *bound)
{
    for (int i = 0; i < p->width * p->height * 4; ++i) {
        const double *at =
            t->held[SRC] + (i / 4 / p->width * 4 * p->width + i / 4 % p->width * 2) * 4;
        at += i % 4;
        want[i] = (at[0] + at[4] + at[8 * p->width] + at[8 * p->width + 4]) / 4;
        bound[i] = 4 * ldexp(1, -24);
    }
    return true;
}

// At a half, bilinear is the mean of 2 x 2 texels: to 1/256 by a sampler, whose weights have eight
// bits; exactly here.
void test_half_of_the_sampler(void **state)
{
    fixture *f = *state;
    rng r = rng_start("half", 231);
    double *values = values_noise(&r, "rgba32f", 64, 48, 0, 1);
    scale c = {"rgba32f", NULL, 64, 48, .sizes = {{32, 24}}, .filter = AG_DOWN_BILINEAR};
    ag_downsample_settings s;
    trial t = scale_of(f, NULL, &c, values, &s);
    t.name = "bilinear at a half";
    t.reference = means_of_four;
    CHECK(trial_check(&t));
    double *sampled = sampler_half(f, &t.textures[SRC], 32, 24);
    CHECK_LIMIT("a GL_LINEAR sampler at a half", check_max_error(t.got[DST], sampled, 32 * 24 * 4),
                1.0 / 256);
    free(sampled);
    free(values);
    trial_free(&t);
}

// One value everywhere stays itself: no edge takes in zeros, nothing overflows. And a checker of
// black and white is 188 in sRGB.
void test_constants(void **state)
{
    static const struct {
        const char *format;
        double value[4];
    } cases[] = {{"rgba8", {1, 0, 0, 1}},
                 {"srgb8", {1, 0, 0, 1}},
                 {"rgb10a2", {1, 0, 0, 1}},
                 {"rgba16f", {65504, 0, -65504, 1}},
                 {"r11g11b10f", {65024, 0, 64512, 1}},
                 {"rgba32f", {3e38, 0, -3e38, 0.1}}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("constants", 6);
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (size_t k = 0; k < COUNT(any_ratio); ++k) {
            if (!sweep_takes(share))
                continue;
            scale c = {cases[i].format, NULL, 529, 171, .sizes = {{k ? 17 : 211, k ? 3 : 77}}};
            c.method = any_ratio[k];
            double *values = values_even(c.format, 529, 171, 0);
            int channels = format_named(c.format)->channels;
            for (int n = 0; n < 529 * 171 * channels; ++n)
                values[n] = cases[i].value[n % channels];
            ag_downsample_settings s;
            trial t = scale_of(f, pass, &c, values, &s);
            t.name = "a constant";
            good = trial_check(&t) && good;
            trial_free(&t);
            free(values);
        }
    double *values = values_even("srgb8", 64, 64, 1);
    for (int i = 0; i < 64 * 64 * 4; ++i)
        values[i] = i % 4 == 3 ? 1 : (i / 4 + i / 256) % 2;
    for (size_t k = 0; k < COUNT(any_ratio); ++k) {
        scale c = {"srgb8", NULL, 64, 64, .sizes = {{8, 4}}, .method = any_ratio[k]};
        ag_downsample_settings s;
        trial t = scale_of(f, pass, &c, values, &s);
        trial_run(&t);
        uint8_t *codes = texture_read_bytes(f, &t.textures[DST], 0);
        for (int i = 0; i < 8 * 4 * 4; ++i)
            CHECK_EQ(codes[i], i % 4 == 3 ? 255 : 188);
        free(codes);
        trial_free(&t);
    }
    free(values);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The outputs that are finite although a texel under them is not, or the other way round.
static int wrongly_finite(const trial *t)
{
    const texture *src = &t->textures[SRC], *dst = &t->textures[DST];
    int channels = src->format->channels, w = dst->width, h = dst->height, wrong = 0;
    for (int k = 0; k < w * h * channels; ++k) {
        int x = k / channels % w, y = k / channels / w;
        bool touched = false;
        for (int v = y * src->height / h; v * h < (y + 1) * src->height; ++v)
            for (int u = x * src->width / w; u * w < (x + 1) * src->width; ++u)
                touched |= !isfinite(t->held[SRC][(v * src->width + u) * channels + k % channels]);
        // Formats of halves make Inf their largest value; NaN stays.
        bool largest = fabs(t->got[DST][k]) >= format_largest(dst->format, k % channels);
        wrong += touched != (!isfinite(t->got[DST][k]) || largest);
    }
    return wrong;
}

// NaN and Inf count as 0, and each once; without scrub what they touch is not finite, and nothing
// else.
void test_scrub(void **state)
{
    static const char *const formats[] = {"rgba16f", "r32f", "rg32f", "r11g11b10f"};
    static const int methods[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS,
                                  AG_DOWN_BLOCKS};
    fixture *f = *state;
    rng r = rng_start("scrub", 232);
    bool good = true;
    sweep *share = sweep_start("scrub", 8);
    for (int i = 0; i < 4 * 4 * 2; ++i) {
        bool whole = i / 4 % 4 == 3, scrubs = i < 16 || i % 4 == 3; // NaN is 0 in 11 and 10 bits
        if (!sweep_takes(share))
            continue;
        scale c = {formats[i % 4], NULL, whole ? 128 : 530, 70 + i, .method = methods[i / 4 % 4]};
        c.sizes[0][0] = whole ? 32 : i % 3 ? 97 : 11;
        c.sizes[0][1] = whole ? 70 + i : 13 + i;
        int channels = format_named(c.format)->channels;
        double *values = values_hdr(&r, c.format, c.width, c.height, 0.01, 100, true);
        uint64_t bad =
            values_spoil(&r, values, (size_t)(c.width * c.height), channels, scrubs ? 9 : 400);
        for (int n = 0; n < c.width * c.height * channels; ++n) // 11 bits have no -Inf
            values[n] = i % 4 == 3 && isinf(values[n]) ? fabs(values[n]) : values[n];
        ag_downsample_settings s;
        trial t = scale_of(f, NULL, &c, values, &s);
        t.name = "bad texels";
        s.scrub = scrubs;
        uint64_t before = fixture_scrubbed(f);
        if (scrubs)
            good = trial_check(&t) && good;
        else
            trial_run(&t);
        CHECK_EQ(fixture_scrubbed(f) - before, scrubs ? bad : 0);
        CHECK(scrubs || check_limit("    without scrub: texels wrongly finite, or not",
                                    wrongly_finite(&t), 0));
        trial_free(&t);
        free(values);
    }
    CHECK(good);
}
