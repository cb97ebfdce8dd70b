// downsample_values.c - what downsample makes of values: copies, single texels, constants, NaN and
// Inf
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "down_ref.h"

static const int any_ratio[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS};
enum { ANY_RATIO = 3 };

// Runs one job on textures that are made for it; the result's values (malloc), or its bytes in
// `bytes`.
static double *run_once(fixture *f, ag_pass *pass, const scale *c, uint8_t **bytes)
{
    texture src = texture_create(f, c->format, c->width, c->height, c->values);
    texture dst =
        texture_create(f, c->to ? c->to : c->format, c->sizes[0][0], c->sizes[0][1], NULL);
    ag_texture slots[] = {texture_view(&src), texture_view(&dst)};
    ag_job job = scale_job(slots, 1, &c->settings);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &dst, 0);
    if (bytes)
        *bytes = texture_read_bytes(f, &dst, 0);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
    return got;
}

// Equal sizes are a copy, to the bit: every format and method, filters, too.
void test_identity(void **state)
{
    fixture *f = *state;
    rng r = rng_start("identity", 230);
    ag_pass *pass = fixture_pass(f, "downsample");
    int copies = 0;
    sweep *share = sweep_start("identity", 4);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int way = i % 4; way < 8; way += 4) {
            if (!sweep_takes(share))
                continue;
            scale c = {
                .format = format_at(i)->name, .width = 64, .height = 64, .sizes = {{64, 64}}};
            c.settings = scale_defaults(f);
            c.settings.method = way < 4 ? AG_DOWN_TILE + way : AG_DOWN_AUTO;
            c.settings.filter = way < 4 ? AG_DOWN_AREA : AG_DOWN_NEAREST + way - 4;
            double *values = scale_noise(&r, c.format, 64 * 64, false);
            c.values = values;
            texture src = texture_create(f, c.format, 64, 64, values);
            uint8_t *want = texture_read_bytes(f, &src, 0), *got = NULL;
            free(run_once(f, pass, &c, &got));
            CHECK_F(memcmp(want, got, texture_byte_count(&src, 0)) == 0, "%s %s %s", c.format,
                    scale_filter(c.settings.filter), scale_method(c.settings.method));
            ++copies;
            free(want);
            free(got);
            free(values);
            texture_destroy(f, &src);
        }
    f->ag->pass_destroy(pass);
    printf("  ok    %d copies of 64 x 64, equal to the bit\n", copies);
}

// The example of the document: 4 x 4 texels, a ratio of 2, four threads. Its steps by hand, and
// what a GPU makes of the columns alone (a ratio of 1 across), and of both.
void test_worked_example(void **state)
{
    fixture *f = *state;
    static const double texels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const double columns[2][4] = {{6, 8, 10, 12}, {22, 24, 26, 28}}; // sums of two, down
    static const double sums[2][2] = {{14, 22}, {46, 54}}; // of two of those, across
    ag_pass *pass = fixture_pass(f, "downsample");
    for (int step = 0; step < 2; ++step)
        for (int method = AG_DOWN_TILE; method <= AG_DOWN_PARTIAL_SUMS; ++method) {
            int w = step ? 2 : 4;
            scale c = {
                .format = "r32f", .width = 4, .height = 4, .sizes = {{w, 2}}, .values = texels};
            c.settings = scale_defaults(f);
            c.settings.method = method;
            double *got = run_once(f, pass, &c, NULL);
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < w; ++x)
                    CHECK_F(got[y * w + x] == (step ? sums[y][x] / 4 : columns[y][x] / 2),
                            "%s: %g at %d, %d", scale_method(method), got[y * w + x], x, y);
            free(got);
        }
    f->ag->pass_destroy(pass);
    printf(
        "  ok    columns 6 8 10 12, 22 24 26 28 over 2; then 14 22, 46 54 over 4, by three methods\n");
}

// A texel of 1 among zeros, at each place: the outputs are its weights, which add up to what every
// texel counts.
void test_impulses(void **state)
{
    fixture *f = *state;
    static const int sizes[][4] = {{7, 5, 3, 4}, {9, 1, 5, 1}, {5, 4, 5, 3}, {3, 3, 1, 2}};
    ag_pass *pass = fixture_pass(f, "downsample");
    double worst = 0, unequal = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int i = 0; i < sizes[s][0] * sizes[s][1]; ++i) {
            int texels = sizes[s][0] * sizes[s][1], outputs = sizes[s][2] * sizes[s][3];
            double *values = check_doubles((size_t)texels), sum = 0;
            for (int k = 0; k < texels; ++k)
                values[k] = k == i;
            scale c = {.format = "r32f",
                       .width = sizes[s][0],
                       .height = sizes[s][1],
                       .sizes = {{sizes[s][2], sizes[s][3]}},
                       .values = values};
            c.settings = scale_defaults(f);
            c.settings.method = any_ratio[i % ANY_RATIO];
            double *got = run_once(f, pass, &c, NULL);
            for (int k = 0; k < outputs; ++k) {
                double want = down_ref_area(c.width, sizes[s][2], k % sizes[s][2], i % c.width) *
                              down_ref_area(c.height, sizes[s][3], k / sizes[s][2], i / c.width);
                worst = scale_worse(worst, fabs(got[k] - want));
                sum += got[k];
            }
            unequal = scale_worse(unequal, fabs(sum * texels / outputs - 1));
            free(got);
            free(values);
        }
    f->ag->pass_destroy(pass);
    CHECK_LIMIT("weights of single texels", worst, 4 * ldexp(1, -24));
    CHECK_LIMIT("each texel counts w h / W H, over that", unequal, 8 * ldexp(1, -24));
}

// Ones at every eighth texel, where a bilinear sampler at an eighth of the size never looks: it
// sees nothing at all. The mean is 1/64.
void test_lattice(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    double *values = check_doubles(256 * 128);
    for (int i = 0; i < 256 * 128; ++i)
        values[i] = i % 256 % 8 == 0 && i / 256 % 8 == 0;
    for (int filter = AG_DOWN_AREA; filter <= AG_DOWN_BICUBIC; ++filter) {
        scale c = {
            .format = "r32f", .width = 256, .height = 128, .sizes = {{32, 16}}, .values = values};
        c.settings = scale_defaults(f);
        c.settings.filter = filter;
        double *got = run_once(f, pass, &c, NULL), worst = 0, want = filter ? 0 : 1.0 / 64;
        for (int i = 0; i < 32 * 16; ++i)
            worst = scale_worse(worst, fabs(got[i] - want));
        CHECK_LIMIT(scale_filter(filter), worst, 0); // 1/64 is a float
        free(got);
    }
    printf(
        "  bilinear, bicubic and nearest see none of the lattice: an error of 100 %% of its mean\n");
    free(values);
    f->ag->pass_destroy(pass);
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
    GLuint shader = gl->CreateShader(GL_COMPUTE_SHADER), program = gl->CreateProgram();
    GLint linked = 0;
    gl->ShaderSource(shader, 1, &text, NULL);
    gl->CompileShader(shader);
    gl->AttachShader(program, shader);
    gl->LinkProgram(program);
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
    gl->DeleteShader(shader);
    texture_destroy(f, &dst);
    return got;
}

// At a half, bilinear is the mean of 2 x 2 texels: to 1/256 by a sampler, whose weights have eight
// bits; exactly here.
void test_half_of_the_sampler(void **state)
{
    fixture *f = *state;
    rng r = rng_start("half", 231);
    ag_pass *pass = fixture_pass(f, "downsample");
    double *values = check_doubles(64 * 48 * 4);
    rng_fill_uniform(&r, values, 64 * 48 * 4, 0, 1);
    texture_quantise("rgba32f", values, 64 * 48);
    scale c = {
        .format = "rgba32f", .width = 64, .height = 48, .sizes = {{32, 24}}, .values = values};
    c.settings = scale_defaults(f);
    double *area = run_once(f, pass, &c, NULL);
    c.settings.filter = AG_DOWN_BILINEAR;
    double *bilinear = run_once(f, pass, &c, NULL);
    texture src = texture_create(f, "rgba32f", 64, 48, values);
    double *sampled = sampler_half(f, &src, 32, 24);
    CHECK_LIMIT("a GL_LINEAR sampler at a half against the 2 x 2 mean",
                check_max_error(area, sampled, 32 * 24 * 4), 1.0 / 256);
    CHECK_LIMIT("filter=bilinear at a half against the 2 x 2 mean",
                check_max_error(area, bilinear, 32 * 24 * 4), 4 * ldexp(1, -24));
    free(area);
    free(bilinear);
    free(sampled);
    free(values);
    texture_destroy(f, &src);
    f->ag->pass_destroy(pass);
}

// One value everywhere stays itself: no edge takes in zeros, nothing overflows.
void test_constants(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *format;
        double value[4];
    } cases[] = {{"rgba8", {1, 0, 0, 1}},
                 {"srgb8", {1, 0, 0, 1}},
                 {"rgb10a2", {1, 0, 0, 1}},
                 {"rgba16f", {65504, 0, -65504, 1}},
                 {"r11g11b10f", {65024, 0, 64512, 1}},
                 {"rgba32f", {3e38, 0, -3e38, 0.1}}};
    ag_pass *pass = fixture_pass(f, "downsample");
    sweep *share = sweep_start("constants", 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (!sweep_takes(share))
            continue;
        int channels = format_named(cases[i].format)->channels, width = 529, height = 171;
        size_t texels = (size_t)(width * height);
        double *values = check_doubles(texels * (size_t)channels), off = 0;
        for (size_t k = 0; k < texels * (size_t)channels; ++k)
            values[k] = cases[i].value[k % (size_t)channels];
        texture_quantise(cases[i].format, values, texels);
        for (int k = 0; k < ANY_RATIO; ++k) {
            scale c = {
                .format = cases[i].format, .width = width, .height = height, .values = values};
            c.sizes[0][0] = k ? 17 : 211;
            c.sizes[0][1] = k ? 3 : 77;
            c.settings = scale_defaults(f);
            c.settings.method = any_ratio[k];
            double *got = run_once(f, pass, &c, NULL);
            for (int n = 0; n < c.sizes[0][0] * c.sizes[0][1] * channels; ++n) {
                double want = values[n % channels],
                       e = fabs(got[n] - want) / fmax(fabs(want), 1e-30);
                off = scale_worse(off, e);
            }
            free(got);
        }
        CHECK_LIMIT(cases[i].format, off,
                    strcmp(cases[i].format, "rgba32f") ? 0 : 8 * ldexp(1, -24));
        free(values);
    }
    f->ag->pass_destroy(pass);
}

// A checker of black and white is 188 in sRGB.
void test_checker(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    double values[64 * 64 * 4];
    for (int i = 0; i < 64 * 64 * 4; ++i)
        values[i] = i % 4 == 3 ? 1 : (i / 4 + i / 256) % 2;
    for (int k = 0; k < 4; ++k) {
        scale c = {
            .format = "srgb8", .width = 64, .height = 64, .sizes = {{8, 4}}, .values = values};
        c.settings = scale_defaults(f);
        c.settings.method = AG_DOWN_TILE + k;
        uint8_t *codes = NULL;
        free(run_once(f, pass, &c, &codes));
        for (int i = 0; i < 8 * 4 * 4; ++i)
            CHECK_EQ(codes[i], i % 4 == 3 ? 255 : 188);
        free(codes);
    }
    f->ag->pass_destroy(pass);
}

// NaN and Inf count as 0, and each once; without scrub what they touch is not finite, and nothing
// else.
void test_scrub(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba16f", "r32f", "rg32f", "r11g11b10f"};
    rng r = rng_start("scrub", 232);
    sweep *share = sweep_start("scrub", 8);
    for (int i = 0; i < 4 * 4 * 2; ++i) {
        if (!sweep_takes(share))
            continue;
        bool powers = i / 4 % 4 == 3, scrubs = i < 16 || i % 4 == 3; // NaN is 0 in 11 and 10 bits
        scale c = {.format = formats[i % 4], .width = powers ? 128 : 530, .height = 70 + i};
        c.settings = scale_defaults(f);
        c.settings.method = AG_DOWN_TILE + i / 4 % 4;
        c.settings.scrub = scrubs;
        c.sizes[0][0] = powers ? 32 : i % 3 ? 97 : 11;
        c.sizes[0][1] = powers ? 70 + i : 13 + i;
        int channels = format_named(c.format)->channels, texels = c.width * c.height;
        bool positive = format_named(c.format)->bits[0] == 11;
        double *values = scale_noise(&r, c.format, (size_t)texels, false);
        uint64_t bad = 0;
        for (int k = 0; k < texels; ++k) {
            if (rng_int(&r, 0, scrubs ? 8 : 400))
                continue;
            bool nan = rng_int(&r, 0, 1);
            double inf = rng_int(&r, 0, 1) || positive ? (double)INFINITY : -(double)INFINITY;
            values[k * channels + rng_int(&r, 0, channels - 1)] = nan ? (double)NAN : inf;
            ++bad;
        }
        c.values = values;
        ag_pass *pass = fixture_pass(f, "downsample");
        uint64_t before = fixture_scrubbed(f);
        double *got = run_once(f, pass, &c, NULL);
        uint64_t after = fixture_scrubbed(f);
        f->ag->pass_destroy(pass);
        for (int k = 0; k < texels && scrubs; ++k) { // what they are taken for
            bool finite = true;
            for (int n = 0; n < channels; ++n)
                finite &= isfinite(values[k * channels + n]) != 0;
            for (int n = 0; n < channels && !finite; ++n)
                values[k * channels + n] = 0;
        }
        char name[96];
        snprintf(name, sizeof name, "%s %s, %u of %d texels bad, scrub %d", c.format,
                 scale_method(c.settings.method), (unsigned)bad, texels, scrubs);
        if (scrubs) {
            CHECK_LIMIT(name, scale_error(&c, 0, got), 1);
            CHECK_EQ(after - before, bad);
        } else {
            size_t wrong = 0;
            for (int k = 0; k < c.sizes[0][0] * c.sizes[0][1] * channels; ++k) {
                int x = k / channels % c.sizes[0][0], y = k / channels / c.sizes[0][0];
                bool touched = false;
                for (int v = y * c.height / c.sizes[0][1]; v * c.sizes[0][1] < (y + 1) * c.height;
                     ++v)
                    for (int u = x * c.width / c.sizes[0][0]; u * c.sizes[0][0] < (x + 1) * c.width;
                         ++u)
                        touched |= !isfinite(values[(v * c.width + u) * channels + k % channels]);
                // Formats of halves make Inf their largest value; NaN stays.
                bool largest = fabs(got[k]) >= format_largest(format_named(c.format), k % channels);
                wrong += touched != (!isfinite(got[k]) || largest);
            }
            CHECK_LIMIT(name, (double)wrong, 0);
            CHECK_EQ(after - before, 0);
        }
        free(got);
        free(values);
    }
}
