// convolve_objects.c - textures that differ from what the host says, mutable textures, hidden
// levels; texts of plans
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

// A level outside BASE_LEVEL..MAX_LEVEL is invalid for image access, unless a view selects it.
void test_hidden_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("hidden levels", 90);
    scene s = scene_of(&r);
    ag_convolve_settings settings = AG_CONVOLVE_DEFAULTS;
    trial t = scene_trial(f, "level 0 below BASE_LEVEL", &s, &settings);
    trial_make(&t);
    for (int i = SRC; i <= DST; i += DST - SRC) {
        texture_destroy(f, &t.textures[i]);
        t.textures[i] = texture_create_array(f, "rgba32f", W, H, 0, 4, i == SRC ? s.src : NULL);
        t.views[i] = texture_view(&t.textures[i]);
        f->gl.BindTexture(GL_TEXTURE_2D, t.textures[i].name);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    }
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    trial_run(&t);
    double *hidden = t.got[DST];
    t.got[DST] = NULL;
    trial_free(&t);
    double *want = trial_take(&t, DST);
    CHECK(check_case("level 0 below BASE_LEVEL", values_same(hidden, want, 4 * TEXELS)));
    free(hidden);
    free(want);
    scene_free(&s);
}

// What the host says of its objects is compared with what GL says of them.
void test_lies(void **state)
{
    fixture *f = *state;
    rng r = rng_start("lies", 91);
    scene s = scene_of(&r);
    ag_convolve_settings settings = AG_CONVOLVE_DEFAULTS;
    trial t = scene_trial(f, "lies", &s, &settings);
    trial_make(&t);
    const ag_texture truth = t.views[SRC];
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
    for (size_t i = 0; i < COUNT(cases); ++i) {
        t.views[SRC] = cases[i].lie;
        t.views[DST].rect_width = i == 1 ? W - 1 : 0; // so that only the value under test is wrong
        t.views[DST].rect_height = i == 1 ? H : 0;
        ag_status got = f->ag->prepare(t.pass, &t.job);
        bool refused =
            got == AG_E_ARG && (!cases[i].part || host_log_error(&f->host, got, cases[i].part));
        good = check_case(cases[i].name, cases[i].part ? refused : got == AG_OK) && good;
    }
    t.views[DST].rect_width = t.views[DST].rect_height = 0;
    GLuint buffer;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, 4096, NULL, GL_DYNAMIC_COPY);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    for (int own = 0; own < 2; ++own) {
        t.job.scratch = (ag_buffer){sizeof(ag_buffer), own ? buffer : 88888, 0, 1 << 30};
        good = check_case(own ? "scratch longer than its buffer" : "scratch that is no buffer",
                          f->ag->prepare(t.pass, &t.job) == AG_E_ARG) &&
               good;
    }
    f->gl.DeleteBuffers(1, &buffer);
    trial_free(&t);
    scene_free(&s);
    CHECK(good);
}

static GLuint mutable_texture(fixture *f, GLint format, const double *values)
{
    GLuint name;
    float *pixels = check_allocate((size_t)TEXELS * 4 * sizeof *pixels);
    for (int i = 0; i < 4 * TEXELS; ++i)
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
    static const GLint formats[] = {GL_RGBA32F, GL_SRGB8_ALPHA8, GL_R11F_G11F_B10F};
    fixture *f = *state;
    rng r = rng_start("mutable", 92);
    scene s = scene_of(&r);
    ag_convolve_settings settings = AG_CONVOLVE_DEFAULTS;
    trial t = scene_trial(f, "a texture by glTexImage", &s, &settings);
    GLuint names[3];
    trial_make(&t);
    for (int i = 0; i < 3; ++i)
        names[i] = mutable_texture(f, formats[i], s.src);
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

static ag_texture declared(uint32_t format, int width, int height)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .target = GL_TEXTURE_2D,
                        .format = format,
                        .width = width,
                        .height = height,
                        .version = 1};
}

// A plan is made before the taps are read: its text says what it assumes, and that the memory may
// be less. `auto` takes the method that is possible; the other one is refused with the reason.
void test_plan_text(void **state)
{
    fixture *f = *state;
    ag_convolve_settings s;
    trial t = trial_of(f, "convolve", "text", &s, sizeof s);
    const ag_plan *plan = NULL;
    trial_make(&t);
    t.views[KERNEL] = declared(GL_R32F, 11, 11);
    t.views[SRC] = t.views[DST] = declared(GL_RGBA16F, 64, 48);
    s.method = AG_CONVOLVE_FFT;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
    CHECK_HAS(plan->text,
              "kernel spectrum counted as complex, less if prepare finds its taps symmetric");
    t.views[SRC] = t.views[DST] = declared(GL_R32F, 10000, 4);
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "8192"));
    s.method = AG_CONVOLVE_AUTO;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
    CHECK_HAS(plan->text, "direct");
    trial_free(&t);
}
