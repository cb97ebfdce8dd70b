// convolve_contract_objects.c - textures that differ from what the host says, mutable textures,
// levels, small values
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_convolve_contract.h"

enum { W = CONVOLVE_WIDTH, H = CONVOLVE_HEIGHT, TAPS = CONVOLVE_TAPS };

// A level outside BASE_LEVEL..MAX_LEVEL is invalid for image access, unless a view selects it.
void test_hidden_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("hidden levels", 90);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    contract plain, c;
    contract_open(f, &plain, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
    double *want = contract_run(f, pass, &plain);
    texture levelled = texture_create_array(f, "rgba32f", W, H, 0, 4, src);
    contract_adopt(&c, levelled, texture_create(f, "r32f", TAPS, TAPS, kernel),
                   texture_create_array(f, "rgba32f", W, H, 0, 4, NULL));
    const texture *both[] = {&c.src, &c.dst};
    for (int i = 0; i < 2; ++i) {
        f->gl.BindTexture(GL_TEXTURE_2D, both[i]->name);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    }
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    double *got = contract_run(f, pass, &c);
    CHECK(check_case("level 0 below BASE_LEVEL", !memcmp(got, want, sizeof *got * W * H * 4)));
    contract_close(f, &c);
    contract_close(f, &plain);
    f->ag->pass_destroy(pass);
    free(src);
    free(kernel);
    free(want);
    free(got);
}

// What the host says of its objects is compared with what GL says of them.
void test_lies(void **state)
{
    fixture *f = *state;
    rng r = rng_start("lies", 91);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *kernel = contract_noise(&r, TAPS, TAPS, 1);
    contract c;
    contract_open(f, &c, "rgba32f", NULL, "rgba32f", TAPS, TAPS, kernel);
    const ag_texture truth = c.slots[0];
    struct {
        const char *name, *part;
        ag_texture lie;
    } cases[] = {{"a deleted name", "name", truth},
                 {"a smaller size", "90x54", truth},
                 {"another format", "is not RGBA16F", truth},
                 {"a level that is not there", "level", truth},
                 {"a newer version, still true", NULL, truth}};
    cases[0].lie.name = 77777;
    cases[1].lie.width = W - 1;
    cases[1].lie.rect_width = 0;
    cases[2].lie.format = GL_RGBA16F;
    cases[3].lie.level = 1;
    cases[4].lie.version = truth.version + 1;
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        c.slots[0] = cases[i].lie;
        c.slots[2].rect_width = i == 1 ? W - 1 : 0; // so that only the value under test is wrong
        c.slots[2].rect_height = i == 1 ? H : 0;
        ag_status got = f->ag->prepare(pass, &c.job);
        bool refused =
            got == AG_E_ARG && (!cases[i].part || host_log_error(&f->host, got, cases[i].part));
        good = check_case(cases[i].name, cases[i].part ? refused : got == AG_OK) && good;
    }
    c.slots[2].rect_width = c.slots[2].rect_height = 0;
    c.job.scratch = (ag_buffer){sizeof(ag_buffer), 88888, 0, 1 << 30};
    good =
        check_case("scratch that is no buffer", f->ag->prepare(pass, &c.job) == AG_E_ARG) && good;
    GLuint buffer;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, 4096, NULL, GL_DYNAMIC_COPY);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    c.job.scratch.name = buffer;
    good = check_case("scratch longer than its buffer", f->ag->prepare(pass, &c.job) == AG_E_ARG) &&
           good;
    f->gl.DeleteBuffers(1, &buffer);
    f->ag->pass_destroy(pass);
    contract_close(f, &c);
    free(kernel);
    CHECK(good);
}

static GLuint mutable_texture(fixture *f, GLint format, const double *values)
{
    GLuint name;
    float *pixels = calloc((size_t)W * H * 4, sizeof *pixels);
    for (size_t i = 0; values && i < (size_t)W * H * 4; ++i)
        pixels[i] = (float)values[i];
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, format, W, H, 0, GL_RGBA, GL_FLOAT, pixels);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(pixels);
    return name;
}

// A texture made by glTexImage works where image units can read it. Where a view is needed, it is
// refused, and the message says why.
void test_mutable(void **state)
{
    fixture *f = *state;
    rng r = rng_start("mutable", 92);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    contract c;
    contract_open(f, &c, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
    double *want = contract_run(f, pass, &c);
    GLuint names[] = {mutable_texture(f, GL_RGBA32F, src),
                      mutable_texture(f, GL_SRGB8_ALPHA8, NULL),
                      mutable_texture(f, GL_R11F_G11F_B10F, NULL)};
    texture_poison(f, &c.dst);
    c.slots[0].name = names[0];
    double *got = contract_run(f, pass, &c);
    bool good =
        check_case("rgba32f gives the same bits", !memcmp(got, want, sizeof *got * W * H * 4));
    static const uint32_t formats[] = {GL_RGBA32F, GL_SRGB8_ALPHA8, GL_R11F_G11F_B10F};
    for (int i = 1; i < 3; ++i) {
        c.slots[0].name = names[i];
        c.slots[0].format = formats[i];
        ag_status status = f->ag->prepare(pass, &c.job);
        good =
            check_case(i == 1 ? "sRGB is refused" : "R11F_G11F_B10F is refused to be read",
                       status == AG_E_FORMAT && host_log_error(&f->host, status, "glTexStorage")) &&
            good;
    }
    c.slots[0].name = names[0];
    c.slots[0].format = GL_RGBA32F;
    c.slots[0].version += 1; // its parameters change
    f->gl.BindTexture(GL_TEXTURE_2D, names[0]);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 5);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    ag_status status = f->ag->prepare(pass, &c.job);
    good = check_case("a level below BASE_LEVEL is refused",
                      status == AG_E_ARG && host_log_error(&f->host, status, "BASE_LEVEL")) &&
           good;
    for (int i = 0; i < 3; ++i)
        f->ag->forget(f->device, names[i]);
    f->gl.DeleteTextures(3, names);
    f->ag->pass_destroy(pass);
    contract_close(f, &c);
    free(src);
    free(kernel);
    free(want);
    free(got);
    CHECK(good);
}

// Rounding is systematic where the image is flat: errors add up instead of cancelling.
void test_flat(void **state)
{
    fixture *f = *state;
    rng r = rng_start("flat", 93);
    ag_pass *pass = fixture_pass(f, "convolve");
    static double src[W * H], kernel[16 * 16];
    double worst = 0;
    for (int i = 0; i < 24; ++i) {
        double level = (double)(float)rng_uniform(&r, 0.1, 1);
        for (int k = 0; k < W * H; ++k)
            src[k] = level;
        for (int k = 0; k < 16 * 16; ++k)
            kernel[k] = 1;
        contract c;
        contract_open(f, &c, "r32f", src, "r32f", 16, 16, kernel);
        c.settings =
            *ag_convolve_params(.method = 1 + i % 2, .border = AG_BORDER_CLAMP, .scrub = 1);
        double *got = contract_run(f, pass, &c);
        for (int k = 0; k < W * H; ++k)
            worst = check_worse(worst, fabs(got[k] - 256 * level) / (256 * level));
        free(got);
        contract_close(f, &c);
    }
    f->ag->pass_destroy(pass);
    CHECK_LIMIT("flat images under a 16x16 box, both methods", worst, 1e-6);
}

// Copied alpha is equal to the source's, for any other values of the texel.
void test_copied_alpha(void **state)
{
    fixture *f = *state;
    rng r = rng_start("copied alpha", 94);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    bool good = true;
    src[4 * 1234 + 3] = INFINITY;
    for (int method = 1; method < 3; ++method) {
        contract c;
        contract_open(f, &c, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
        c.settings.method = method;
        c.settings.scrub = 0;
        double *got = contract_run(f, pass, &c);
        bool same = true;
        for (size_t i = 0; i < (size_t)W * H; ++i)
            same = same && got[4 * i + 3] == src[4 * i + 3];
        good = check_case(method == 1 ? "direct" : "fft", same) && good;
        free(got);
        contract_close(f, &c);
    }
    f->ag->pass_destroy(pass);
    free(src);
    free(kernel);
    CHECK(good);
}

// A plan is made before the taps are read. Its text says what it assumes, and that the memory may
// be less.
void test_kernel_packed(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    ag_texture slots[3] = {{sizeof(ag_texture), 0, GL_TEXTURE_2D, GL_RGBA16F, 64, 48, .version = 1},
                           {sizeof(ag_texture), 0, GL_TEXTURE_2D, GL_R32F, 11, 11, .version = 1},
                           {sizeof(ag_texture), 0, GL_TEXTURE_2D, GL_RGBA16F, 64, 48,
                            .version = 1}};
    ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .scrub = 0);
    ag_job job = convolving_job(slots, &settings);
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    CHECK_HAS(plan->text,
              "kernel spectrum counted as complex, less if prepare finds its taps symmetric");
    f->ag->pass_destroy(pass);
}

// `auto` takes the method that is possible. The other method is refused with the reason.
void test_auto_falls_back(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    ag_texture slots[3] = {{sizeof(ag_texture), 0, GL_TEXTURE_2D, GL_R32F, 10000, 4, .version = 1},
                           {sizeof(ag_texture), 0, GL_TEXTURE_2D, GL_R32F, 11, 11, .version = 1},
                           {sizeof(ag_texture), 0, GL_TEXTURE_2D, GL_R32F, 10000, 4, .version = 1}};
    ag_convolve_settings settings = *ag_convolve_params(.scrub = 1);
    ag_job job = convolving_job(slots, &settings);
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    CHECK_HAS(plan->text, "direct");
    settings.method = AG_CONVOLVE_FFT;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "8192"));
    f->ag->pass_destroy(pass);
}
