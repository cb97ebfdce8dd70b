// test_depth_pyramid.c - every level against the definition, bit by bit: formats, samples, layers,
// odd sizes
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/depth_pyramid.h"
#include "afterglow/mipchain.h"
#include "mip_ref.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SRC, DST };

static const char *const formats[] = {"d16", "d24", "d32", "d32f", "d24s8", "d32fs8", "r32f"};

// ---- the definition ----------------------------------------------------------------------------

// The next level of one channel: every texel above that an output touches. NaN is skipped.
static double *next_level(const double *above, int width, int height, bool most)
{
    mip_ref ref = {1, most ? AG_MIP_MAX : AG_MIP_MIN, 0};
    size_t count = (size_t)(texture_level_size(width, 1) * texture_level_size(height, 1));
    double *out = check_doubles(count), *unused = check_doubles(count);
    mip_ref_level(&ref, above, above, width, height, false, out, unused);
    free(unused);
    return out;
}

// dst's first level is a copy of src, or half as large. Without a texture of the trial as src, its
// values are `user`.
static bool reduced(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_depth_pyramid_settings *s = t->settings;
    const ag_texture *src = &t->views[SRC];
    const texture *own = &t->textures[SRC];
    int above = t->views[DST].width < src->width || t->views[DST].height < src->height;
    if (s->levels && p->level >= s->levels)
        return false;
    for (int c = 0; c < p->channels; ++c) {
        int w = src->width, h = src->height;
        double *level = check_doubles((size_t)(w * h));
        memcpy(level, own->name ? t->held[SRC] + p->layer * w * h : t->user,
               sizeof *level * (size_t)(w * h));
        for (int k = 0; k < p->level + above; ++k) {
            double *next = next_level(level, w, h, s->reduce == AG_DEPTH_MAX || c == 1);
            free(level);
            level = next;
            w = texture_level_size(w, 1);
            h = texture_level_size(h, 1);
        }
        for (int i = 0; i < w * h; ++i)
            want[i * p->channels + c] = level[i];
        free(level);
    }
    // Fixed-point depths become floats in the sampler here, in glGetTexImage there.
    bool is_float = src->format == GL_R32F || src->format == GL_DEPTH_COMPONENT32F ||
                    src->format == GL_DEPTH32F_STENCIL8;
    for (int i = 0; i < p->width * p->height * p->channels; ++i)
        bound[i] = is_float ? 0 : ldexp(1, -23);
    return true;
}

typedef struct pyramid { // a case; what is 0 is the effect's default
    const char *format;
    int width, height, layers, reduce, levels;
    bool copy; // the first level is src
    bool bad;  // one texel of six is not finite
} pyramid;

static trial pyramid_of(fixture *f, const pyramid *c, const double *values,
                        ag_depth_pyramid_settings *s)
{
    trial t = trial_of(f, "depth_pyramid", c->copy ? "a copy and below" : "from the half on", s,
                       sizeof *s);
    int above = c->copy && c->width * c->height > 1 ? 0 : 1;
    int w = texture_level_size(c->width, above), h = texture_level_size(c->height, above);
    t.slots[SRC] = trial_image(c->format, c->width, c->height, values);
    t.slots[DST] = trial_image(c->reduce == AG_DEPTH_MINMAX ? "rg32f" : "r32f", w, h, NULL);
    t.slots[DST].levels = texture_full_levels(w, h);
    t.slots[SRC].layers = t.slots[DST].layers = c->layers;
    t.reference = reduced;
    s->reduce = c->reduce;
    s->levels = c->levels;
    return t;
}

// On noise. NaN is skipped and counted, Inf kept; counters are 0 again after each execute.
static bool pyramid_check(fixture *f, rng *r, const pyramid *c)
{
    ag_depth_pyramid_settings s;
    int height = c->height * (c->layers ? c->layers : 1);
    double *values = values_noise(r, c->format, c->width, height, 0, 1);
    uint64_t bad = c->bad ? values_spoil(r, values, (size_t)(c->width * height), 1, 6) : 0;
    for (int i = 0; i < c->width * height; ++i)
        bad -= isinf(values[i]) != 0;
    trial t = pyramid_of(f, c, values, &s);
    bool good = true;
    for (int again = 0; again <= c->bad; ++again) {
        uint64_t before = c->bad ? fixture_scrubbed(f) : 0;
        good = trial_check(&t) && good;
        if (c->bad)
            CHECK_EQ(fixture_scrubbed(f) - before, bad);
    }
    trial_free(&t);
    free(values);
    return good;
}

// ---- tests -------------------------------------------------------------------------------------

static void test_each(void **state)
{
    static const pyramid pyramids[] = {
        {"d24s8", 75, 38, 2, AG_DEPTH_MIN, 0, .copy = true},
        {"d32f", 75, 38, 0, AG_DEPTH_MAX, 2, .copy = false},
        {"r32f", 37, 20, 0, AG_DEPTH_MAX, 0, .bad = true},
        {"r32f", 37, 20, 0, AG_DEPTH_MINMAX, 0, .bad = true},
        {"d16", 1, 7, 0, AG_DEPTH_MINMAX, 0, .copy = true},
        {"d32fs8", 128, 64, 0, AG_DEPTH_MIN, 0, .copy = false},
    };
    rng r = rng_start("each", 81);
    bool good = true;
    for (size_t i = 0; i < COUNT(pyramids); ++i)
        good = pyramid_check(*state, &r, &pyramids[i]) && good;
    CHECK(good);
}

static void test_random(void **state)
{
    rng r = rng_start("random", 82);
    bool good = true;
    sweep *share = sweep_start("random", 60);
    for (int i = 0; i < 120; ++i) {
        pyramid c = {formats[i % (int)COUNT(formats)], (int)rng_hdr(&r, 1, 512),
                     (int)rng_hdr(&r, 1, 320),         rng_int(&r, 0, 2),
                     rng_int(&r, 0, AG_DEPTH_MINMAX),  .copy = rng_int(&r, 0, 1)};
        c.levels = c.width > 8 && rng_int(&r, 0, 1) ? rng_int(&r, 2, 3) : 0;
        c.bad = c.format == formats[COUNT(formats) - 1] && rng_int(&r, 0, 1);
        if (sweep_takes(share))
            good = pyramid_check(*state, &r, &c) && good;
    }
    CHECK(good);
}

static GLuint make_program(fixture *f)
{
    static const char *const texts[2] = {
        "#version 430 core\n"
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
        "                                 gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n",
        "#version 430 core\n"
        "void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
        "    gl_FragDepth = float((p.x * 7 + p.y * 13 + gl_SampleID * 29) % 64) / 64.0; }\n"};
    GLuint program = f->gl.CreateProgram();
    for (int i = 0; i < 2; ++i) {
        GLuint shader = f->gl.CreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        f->gl.ShaderSource(shader, 1, &texts[i], NULL);
        f->gl.CompileShader(shader);
        f->gl.AttachShader(program, shader);
        f->gl.DeleteShader(shader);
    }
    f->gl.LinkProgram(program);
    return program;
}

// Samples of a multisampled texel are reduced: a triangle that gives each of them a depth of its
// own.
static void test_samples(void **state)
{
    fixture *f = *state;
    enum { W = 21, H = 10 };
    GLint samples = 0;
    GLuint name = 0, framebuffer = 0, array = 0, program = make_program(f);
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, name);
    f->gl.TexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_DEPTH_COMPONENT32F, W, H,
                                  GL_TRUE);
    f->gl.GetTexLevelParameteriv(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, &samples);
    f->gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, 0);
    f->gl.GenFramebuffers(1, &framebuffer);
    f->gl.GenVertexArrays(1, &array);
    f->gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    f->gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D_MULTISAMPLE, name,
                               0);
    f->gl.DrawBuffer(GL_NONE);
    f->gl.ReadBuffer(GL_NONE);
    CHECK_EQ(f->gl.CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    f->gl.Viewport(0, 0, W, H);
    f->gl.Enable(GL_DEPTH_TEST);
    f->gl.DepthFunc(GL_ALWAYS);
    f->gl.BindVertexArray(array);
    fixture_own(f, NOTE_RECOMPILED); // for samples, at the draw
    f->gl.UseProgram(program);
    f->gl.DrawArrays(GL_TRIANGLES, 0, 3);
    f->gl.UseProgram(0);
    f->gl.BindVertexArray(0);
    f->gl.Disable(GL_DEPTH_TEST);
    f->gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    f->gl.Finish();
    fixture_own(f, 0);
    double values[W * H];
    bool good = true;
    printf("  %d samples\n", samples);
    CHECK(samples >= 2);
    for (int reduce = 0; reduce <= AG_DEPTH_MAX; ++reduce)
        for (int copy = 0; copy < 2; ++copy) {
            for (int i = 0; i < W * H; ++i)
                for (int k = 0; k < samples; ++k) {
                    double v = ((i % W * 7 + i / W * 13 + k * 29) % 64) / 64.0;
                    values[i] = !k                       ? v
                                : reduce == AG_DEPTH_MAX ? fmax(values[i], v)
                                                         : fmin(values[i], v);
                }
            const pyramid c = {NULL, W, H, 0, reduce, .copy = copy};
            ag_depth_pyramid_settings s;
            trial t = pyramid_of(f, &c, NULL, &s);
            t.user = values;
            t.views[SRC] = (ag_texture){.struct_size = sizeof(ag_texture),
                                        .name = name,
                                        .target = GL_TEXTURE_2D_MULTISAMPLE,
                                        .format = GL_DEPTH_COMPONENT32F,
                                        .width = W,
                                        .height = H,
                                        .layers = 1,
                                        .version = 1};
            good = trial_check(&t) && good;
            trial_free(&t);
        }
    f->gl.DeleteProgram(program);
    f->gl.DeleteVertexArrays(1, &array);
    f->gl.DeleteFramebuffers(1, &framebuffer);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    CHECK(good);
}

// The right result whatever the texture's own parameters are.
static void test_parameters(void **state)
{
    fixture *f = *state;
    static const pyramid c = {"d32f", 20, 9, .copy = false};
    rng r = rng_start("parameters", 85);
    double *values = values_noise(&r, "d32f", 20, 9, 0, 1);
    ag_depth_pyramid_settings s;
    trial t = pyramid_of(f, &c, values, &s);
    bool good = trial_check(&t); // reads what src holds while its parameters let it
    f->gl.BindTexture(GL_TEXTURE_2D, t.textures[SRC].name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ONE);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 3);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    good = trial_check(&t) && good;
    trial_free(&t);
    free(values);
    CHECK(good);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    static const pyramid c = {"d24", 20, 9, .copy = false};
    ag_depth_pyramid_settings s;
    trial t = pyramid_of(f, &c, NULL, &s);
    s.reduce = AG_DEPTH_MINMAX;
    bool good = trial_refused(&t, AG_E_FORMAT, "RG32F");
    s.reduce = AG_DEPTH_MIN;
    t.views[SRC].rect_width = 16;
    t.views[SRC].rect_height = 9;
    good = trial_refused(&t, AG_E_SIZE, "8x4") && good;
    t.views[SRC].rect_width = t.views[SRC].rect_height = 0;
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 20, 9, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                     NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    t.views[SRC].name = name;
    good = trial_refused(&t, AG_E_FORMAT, "glTexStorage") && good;
    host_log_clear(&f->host);
    trial_free(&t);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_each),       FIXTURE_SWEEP(test_random),  FIXTURE_TEST(test_samples),
        FIXTURE_TEST(test_parameters), FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
