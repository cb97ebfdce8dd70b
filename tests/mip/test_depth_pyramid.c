// test_depth_pyramid.c - every level against the definition, bit by bit: formats, samples, layers,
// odd sizes
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/depth_pyramid.h"
#include "fixture.h"
#include "random.h"
#include "texture.h"

typedef struct depth_format {
    const char *name;
    GLenum internal, base, type;
} depth_format;

static const depth_format formats[] = {
    {"d16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_FLOAT},
    {"d24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_FLOAT},
    {"d32", GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT, GL_FLOAT},
    {"d32f", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
    {"d24s8", GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT, GL_FLOAT},
    {"d32fs8", GL_DEPTH32F_STENCIL8, GL_DEPTH_COMPONENT, GL_FLOAT},
    {"r32f", GL_R32F, GL_RED, GL_FLOAT},
};
enum { FORMATS = sizeof formats / sizeof *formats };

// ---- textures ----------------------------------------------------------------------------------

typedef struct depth_texture {
    GLuint name;
    GLenum target;
    const depth_format *format;
    int width, height, layers; // layers 0: no array
    float *values;             // as GL gives them back, all layers
} depth_texture;

static size_t texels_of(const depth_texture *t)
{
    return (size_t)(t->width * t->height * (t->layers ? t->layers : 1));
}

// Uploads what `values` holds, and reads it back as the format has it.
static void fill(fixture *f, depth_texture *t)
{
    f->gl_transfer = true;
    f->gl.BindTexture(t->target, t->name);
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    f->gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    if (t->layers)
        f->gl.TexSubImage3D(t->target, 0, 0, 0, 0, t->width, t->height, t->layers, t->format->base,
                            t->format->type, t->values);
    else
        f->gl.TexSubImage2D(t->target, 0, 0, 0, t->width, t->height, t->format->base,
                            t->format->type, t->values);
    f->gl.GetTexImage(t->target, 0, t->format->base, t->format->type, t->values);
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    f->gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
    f->gl.BindTexture(t->target, 0);
    f->gl_transfer = false;
}

static depth_texture depth_create(fixture *f, rng *r, const depth_format *format, int width,
                                  int height, int layers)
{
    depth_texture t = {
        0, layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D, format, width, height, layers, NULL};
    f->gl.GenTextures(1, &t.name);
    f->gl.BindTexture(t.target, t.name);
    if (layers)
        f->gl.TexStorage3D(t.target, 1, format->internal, width, height, layers);
    else
        f->gl.TexStorage2D(t.target, 1, format->internal, width, height);
    t.values = check_allocate(texels_of(&t) * sizeof *t.values);
    for (size_t i = 0; i < texels_of(&t); ++i)
        t.values[i] = (float)rng_uniform(r, 0, 1);
    fill(f, &t);
    return t;
}

static void depth_destroy(fixture *f, depth_texture *t)
{
    f->ag->forget(f->device, t->name);
    f->gl.DeleteTextures(1, &t->name);
    free(t->values);
}

static ag_texture view_of(const depth_texture *t)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .name = t->name,
                        .target = t->target,
                        .format = t->format->internal,
                        .width = t->width,
                        .height = t->height,
                        .layers = t->layers ? t->layers : 1,
                        .version = 1};
}

static ag_job job_of(const ag_texture slots[2], const ag_depth_pyramid_settings *s)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = 2,
                    .settings = s,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
}

// ---- the definition ----------------------------------------------------------------------------

static double pick(bool most, double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return most ? fmax(a, b) : fmin(a, b);
}

// The next level of one layer: every texel above that an output touches. `stride` channels.
static double *next_level(const double *above, int width, int height, bool most)
{
    int w = texture_level_size(width, 1), h = texture_level_size(height, 1);
    double *out = check_allocate((size_t)(w * h) * sizeof *out);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            double v = (double)NAN;
            // touches [x width / w, (x + 1) width / w)
            for (int j = y * height / h; j * h < (y + 1) * height; ++j)
                for (int i = x * width / w; i * w < (x + 1) * width; ++i)
                    v = pick(most, v, above[j * width + i]);
            out[y * w + x] = v;
        }
    return out;
}

// Counts wrong texels of dst. `base`: level 0 of the chain, one layer.
static size_t wrong_texels(fixture *f, const texture *dst, int layer, const double *base, int width,
                           int height, int above, int levels, int channel, bool most, double slack)
{
    size_t wrong = 0;
    int channels = dst->format->channels;
    double *level = check_allocate((size_t)(width * height) * sizeof *level);
    memcpy(level, base, (size_t)(width * height) * sizeof *level);
    for (int k = 0; k - above < levels; ++k) {
        int w = texture_level_size(width, k), h = texture_level_size(height, k);
        if (k >= above) {
            double *got = texture_read(f, dst, k - above);
            for (int i = 0; i < w * h; ++i) {
                double g =
                    got[((size_t)(layer * w * h) + (size_t)i) * (size_t)channels + (size_t)channel];
                wrong += !(fabs(g - level[i]) <= slack || g == level[i] ||
                           (isnan(g) && isnan(level[i])));
            }
            free(got);
        }
        double *next = next_level(level, w, h, most);
        free(level);
        level = next;
    }
    free(level);
    return wrong;
}

// Runs a case and checks all of dst. Returns whether it was right.
static bool check_case_of(fixture *f, const depth_texture *src, int reduce, bool copy, int levels)
{
    ag_depth_pyramid_settings s;
    CHECK_STATUS(f->ag->defaults("depth_pyramid", &s, sizeof s), AG_OK);
    s.reduce = reduce;
    s.levels = levels;
    int above = copy && src->width * src->height > 1 ? 0 : 1;
    int w = texture_level_size(src->width, above), h = texture_level_size(src->height, above);
    int all = texture_full_levels(w, h), made = levels && levels < all ? levels : all;
    texture dst = texture_create_array(f, reduce == AG_DEPTH_MINMAX ? "rg32f" : "r32f", w, h,
                                       src->layers, all, NULL);
    ag_texture slots[2] = {view_of(src), texture_view(&dst)};
    ag_job job = job_of(slots, &s);
    ag_pass *pass = fixture_pass(f, "depth_pyramid");
    fixture_run(f, pass, &job);
    fixture_run(f, pass, &job); // counters must be 0 again
    size_t wrong = 0, texels = (size_t)(src->width * src->height);
    double *base = check_allocate(texels * sizeof *base);
    // Fixed-point depths become floats in the sampler here, in glGetTexImage there.
    GLenum internal = src->format->internal;
    bool fixed = internal == GL_DEPTH_COMPONENT16 || internal == GL_DEPTH_COMPONENT24 ||
                 internal == GL_DEPTH_COMPONENT32 || internal == GL_DEPTH24_STENCIL8;
    double slack = fixed ? ldexp(1, -23) : 0;
    for (int layer = 0; layer < (src->layers ? src->layers : 1); ++layer) {
        for (size_t i = 0; i < texels; ++i)
            base[i] = (double)src->values[(size_t)layer * texels + i];
        for (int c = 0; c < dst.format->channels; ++c)
            wrong += wrong_texels(f, &dst, layer, base, src->width, src->height, above, made, c,
                                  reduce == AG_DEPTH_MAX || c == 1, slack);
    }
    for (int k = made; k < all; ++k)
        CHECK_EQ(texture_poison_count(f, &dst, k, 0, 0, 0, 0), texture_level_size(w, k) *
                                                                   texture_level_size(h, k) *
                                                                   (src->layers ? src->layers : 1));
    char name[128];
    snprintf(name, sizeof name, "%s %dx%d, %d layers, reduce %d, %s, %d levels: %zu wrong",
             src->format->name, src->width, src->height, src->layers, reduce,
             above ? "half" : "copy", made, wrong);
    free(base);
    f->ag->pass_destroy(pass);
    f->ag->forget(f->device, dst.name);
    texture_destroy(f, &dst);
    return check_case(name, wrong == 0);
}

// ---- tests -------------------------------------------------------------------------------------

static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 81);
    bool good = true;
    for (int i = 0; i < FORMATS; ++i)
        for (int reduce = 0; reduce <= AG_DEPTH_MINMAX; ++reduce) {
            depth_texture src = depth_create(f, &r, &formats[i], 75, 38, i % 3 ? 0 : 2);
            good &= check_case_of(f, &src, reduce, false, 0);
            good &= check_case_of(f, &src, reduce, true, 0);
            depth_destroy(f, &src);
        }
    CHECK(good);
}

static void test_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{1, 1},   {2, 1},   {3, 3},     {1, 7},     {64, 64},
                                   {65, 63}, {255, 9}, {128, 256}, {320, 180}, {511, 257}};
    static const int kinds[] = {4, 3, 6}; // of formats
    rng r = rng_start("sizes", 82);
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        depth_texture src =
            depth_create(f, &r, &formats[kinds[i % 3]], sizes[i][0], sizes[i][1], 0);
        good &= check_case_of(f, &src, (int)i % 3, i % 2 == 0, 0);
        good &= check_case_of(f, &src, AG_DEPTH_MAX, i % 2 == 1, 2);
        depth_destroy(f, &src);
    }
    CHECK(good);
}

// NaN is skipped and counted, Inf kept.
static void test_nan(void **state)
{
    fixture *f = *state;
    rng r = rng_start("nan", 83);
    depth_texture src = depth_create(f, &r, &formats[6], 37, 20, 0);
    uint64_t bad = 0;
    for (int i = 0; i < 37 * 20; ++i) {
        int what = rng_int(&r, 0, 9);
        src.values[i] = what == 0   ? NAN
                        : what == 1 ? INFINITY
                        : what == 2 ? -INFINITY
                                    : src.values[i];
        bad += what == 0;
    }
    fill(f, &src);
    for (int reduce = 0; reduce <= AG_DEPTH_MINMAX; ++reduce)
        CHECK(check_case_of(f, &src, reduce, reduce == 1, 0));
    ag_depth_pyramid_settings s;
    CHECK_STATUS(f->ag->defaults("depth_pyramid", &s, sizeof s), AG_OK);
    texture dst = texture_create_array(f, "r32f", 18, 10, 0, 5, NULL);
    ag_texture slots[2] = {view_of(&src), texture_view(&dst)};
    ag_job job = job_of(slots, &s);
    ag_pass *pass = fixture_pass(f, "depth_pyramid");
    uint64_t before = fixture_scrubbed(f);
    fixture_run(f, pass, &job);
    CHECK_EQ(fixture_scrubbed(f) - before, bad);
    f->ag->pass_destroy(pass);
    f->ag->forget(f->device, dst.name);
    texture_destroy(f, &dst);
    depth_destroy(f, &src);
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
    float values[W * H];
    printf("  %d samples\n", samples);
    CHECK(samples >= 2);
    for (int reduce = 0; reduce <= AG_DEPTH_MAX; ++reduce) {
        for (int i = 0; i < W * H; ++i)
            for (int k = 0; k < samples; ++k) {
                float v = (float)((i % W * 7 + i / W * 13 + k * 29) % 64) / 64;
                values[i] = !k ? v : reduce ? fmaxf(values[i], v) : fminf(values[i], v);
            }
        depth_texture src = {name, GL_TEXTURE_2D_MULTISAMPLE, &formats[3], W, H, 0, values};
        CHECK(check_case_of(f, &src, reduce, true, 0));
        CHECK(check_case_of(f, &src, reduce, false, 0));
    }
    f->gl.DeleteProgram(program);
    f->gl.DeleteVertexArrays(1, &array);
    f->gl.DeleteFramebuffers(1, &framebuffer);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
}

// The texture unit and its sampler: left 0, as `restore` says, or as glGet found them.
static void test_texture_unit(void **state)
{
    fixture *f = *state;
    enum { UNIT = 5 };
    rng r = rng_start("unit", 85);
    depth_texture src = depth_create(f, &r, &formats[3], 20, 9, 0);
    texture dst = texture_create_array(f, "r32f", 10, 4, 0, 4, NULL);
    ag_device *own = f->device, *device = NULL;
    ag_device_desc desc = {.struct_size = sizeof desc, .texture_unit_base = UNIT};
    CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &device), AG_OK);
    f->device = device;
    ag_depth_pyramid_settings s;
    CHECK_STATUS(f->ag->defaults("depth_pyramid", &s, sizeof s), AG_OK);
    ag_texture slots[2] = {view_of(&src), texture_view(&dst)};
    ag_job job = job_of(slots, &s);
    ag_pass *pass = fixture_pass(f, "depth_pyramid");
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    GLuint sampler = 0;
    f->gl.GenSamplers(1, &sampler);
    const ag_gl_state restore = {.struct_size = sizeof restore,
                                 .active_texture = GL_TEXTURE0 + 2,
                                 .textures[0] = {.texture = dst.name, .sampler = sampler}};
    for (int mode = 0; mode < 3; ++mode) {
        f->gl.ActiveTexture(GL_TEXTURE0 + UNIT);
        f->gl.BindTexture(GL_TEXTURE_2D, src.name);
        f->gl.BindSampler(UNIT, sampler);
        f->gl.ActiveTexture(GL_TEXTURE0 + 3);
        job.flags = mode == 1 ? AG_JOB_RESTORE : 0;
        job.restore = mode == 2 ? &restore : NULL;
        CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_OK);
        GLint active = 0, bound_texture = 0, bound = 0;
        f->gl.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
        f->gl.ActiveTexture(GL_TEXTURE0 + UNIT);
        f->gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound_texture);
        f->gl.GetIntegerv(GL_SAMPLER_BINDING, &bound);
        CHECK_EQ(active, GL_TEXTURE0 + (mode == 1 ? 3 : mode == 2 ? 2 : 0));
        CHECK_EQ(bound_texture, mode == 1 ? src.name : mode == 2 ? dst.name : 0);
        CHECK_EQ(bound, mode ? sampler : 0);
    }
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    f->gl.BindSampler(UNIT, 0);
    f->gl.ActiveTexture(GL_TEXTURE0);
    f->gl.DeleteSamplers(1, &sampler);
    // The right result through another unit, whatever the texture's own parameters are.
    f->gl.BindTexture(GL_TEXTURE_2D, src.name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ONE);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 3);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    CHECK(check_case_of(f, &src, AG_DEPTH_MIN, true, 0));
    f->ag->device_destroy(device, 0);
    f->device = own;
    texture_destroy(f, &dst);
    depth_destroy(f, &src);
}

static void expect_refusal(fixture *f, ag_pass *pass, const ag_texture slots[2],
                           const ag_depth_pyramid_settings *s, ag_status status, const char *part)
{
    ag_job job = job_of(slots, s);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), status);
    CHECK_F(host_log_error(&f->host, status, part), "no \"%s\" in \"%s\"", part,
            host_log_last(&f->host));
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    rng r = rng_start("refusals", 86);
    depth_texture src = depth_create(f, &r, &formats[1], 20, 9, 0);
    texture dst = texture_create_array(f, "r32f", 10, 4, 0, 4, NULL);
    ag_pass *pass = fixture_pass(f, "depth_pyramid");
    ag_depth_pyramid_settings s;
    CHECK_STATUS(f->ag->defaults("depth_pyramid", &s, sizeof s), AG_OK);
    ag_texture slots[2] = {view_of(&src), texture_view(&dst)};
    s.reduce = AG_DEPTH_MINMAX;
    expect_refusal(f, pass, slots, &s, AG_E_FORMAT, "RG32F");
    s.reduce = AG_DEPTH_MIN;
    slots[0].rect_width = 16;
    slots[0].rect_height = 9;
    expect_refusal(f, pass, slots, &s, AG_E_SIZE, "8x4");
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 20, 9, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                     NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    slots[0] = view_of(&src);
    slots[0].name = name;
    expect_refusal(f, pass, slots, &s, AG_E_FORMAT, "glTexStorage");
    host_log_clear(&f->host);
    f->ag->pass_destroy(pass);
    f->ag->forget(f->device, name);
    f->ag->forget(f->device, dst.name);
    f->gl.DeleteTextures(1, &name);
    texture_destroy(f, &dst);
    depth_destroy(f, &src);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_formats), FIXTURE_TEST(test_sizes),        FIXTURE_TEST(test_nan),
        FIXTURE_TEST(test_samples), FIXTURE_TEST(test_texture_unit), FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
