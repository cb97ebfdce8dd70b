// convolve_objects.c - mutable textures; texts of plans
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

GLuint mutable_texture(fixture *f, GLint format, int width, int height, const double *values)
{
    GLuint name;
    float *pixels = check_allocate((size_t)(width * height) * 4 * sizeof *pixels);
    for (int i = 0; i < 4 * width * height; ++i)
        pixels[i] = (float)values[i];
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, GL_RGBA, GL_FLOAT, pixels);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(pixels);
    return name;
}

// A texture made by glTexImage works where image units can read it. Where a view is needed, it is
// refused, and the message says why.
void test_mutable(void **state)
{
    static const GLint formats[] = {GL_RGBA32F, GL_SRGB8_ALPHA8, GL_R11F_G11F_B10F};
    fixture *f = *state;
    rng r = rng_start("mutable", 92);
    scene s = scene_of(&r);
    ag_convolve_settings settings = AG_CONVOLVE_DEFAULTS;
    trial t = scene_trial(f, "a texture by glTexImage", &s, &settings);
    GLuint names[3];
    trial_make(&t);
    for (int i = 0; i < 3; ++i)
        names[i] = mutable_texture(f, formats[i], W, H, s.src);
    const ag_texture viewed = t.views[SRC];
    t.views[SRC].name = names[0];
    bool good = trial_check(&t);
    for (int i = 1; i < 3; ++i) {
        t.views[SRC].name = names[i];
        t.views[SRC].format = (uint32_t)formats[i];
        ag_status status = f->ag->prepare(t.pass, &t.job);
        good =
            check_case(i == 1 ? "sRGB is refused" : "R11F_G11F_B10F is refused to be read",
                       status == AG_E_FORMAT && host_log_error(&f->host, status, "glTexStorage")) &&
            good;
    }
    t.views[SRC] = viewed;
    t.views[SRC].name = names[0];
    t.views[SRC].version += 1; // its parameters change
    f->gl.BindTexture(GL_TEXTURE_2D, names[0]);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 5);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    ag_status status = f->ag->prepare(t.pass, &t.job);
    good = check_case("a level below BASE_LEVEL is refused",
                      status == AG_E_ARG && host_log_error(&f->host, status, "BASE_LEVEL")) &&
           good;
    for (int i = 0; i < 3; ++i)
        f->ag->forget(f->device, names[i]);
    f->gl.DeleteTextures(3, names);
    trial_free(&t);
    scene_free(&s);
    CHECK(good);
}

// Of lines that no FFT holds, `auto` takes the method that is possible; the other one is refused
// with the reason.
void test_plan_text(void **state)
{
    rng r = rng_start("long", 93);
    double *src = values_noise(&r, "r32f", 10000, 4, -1, 1);
    double *kernel = values_noise(&r, "r32f", 5, 5, -1, 1);
    ag_convolve_settings s = *ag_convolve_params(.method = AG_CONVOLVE_FFT);
    trial t =
        convolving_of(*state, "long", trial_image("r32f", 10000, 4, src),
                      trial_image("r32f", 5, 5, kernel), trial_image("r32f", 10000, 4, NULL), &s);
    CHECK(trial_refused(&t, AG_E_SIZE, "8192"));
    s.method = AG_CONVOLVE_AUTO;
    CHECK(trial_check(&t));
    trial_free(&t);
    free(src);
    free(kernel);
}
