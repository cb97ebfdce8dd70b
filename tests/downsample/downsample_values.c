// downsample_values.c - downsample beside a sampler, NaN without scrub, and the refused jobs
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <math.h>
#include <stdlib.h>

static const int any_ratio[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS};

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

// Without scrub what bad texels touch is not finite, and nothing else.
void test_unscrubbed(void **state)
{
    static const char *const formats[] = {"rgba16f", "r32f", "rg32f"};
    rng r = rng_start("unscrubbed", 232);
    bool good = true;
    for (size_t i = 0; i < (check_tier_now() == CHECK_QUICK ? 1 : 3 * COUNT(any_ratio)); ++i) {
        scale c = {formats[i % 3], NULL, 530, 87, .sizes = {{97, 13}}, .method = any_ratio[i / 3]};
        int channels = format_named(c.format)->channels;
        double *values = values_hdr(&r, c.format, 530, 87, 0.01, 100, true);
        values_spoil(&r, values, 530 * 87, channels, 400);
        ag_downsample_settings s;
        trial t = scale_of(*state, NULL, &c, values, &s);
        s.scrub = 0;
        uint64_t before = fixture_scrubbed(t.f);
        trial_run(&t);
        CHECK_EQ(fixture_scrubbed(t.f) - before, 0);
        good = check_limit("texels wrongly finite, or not", wrongly_finite(&t), 0) && good;
        trial_free(&t);
        free(values);
    }
    CHECK(good);
}

void test_refusals(void **state)
{
    static const struct {
        scale c;
        const char *second; // the format of a second target
        ag_status status;
        const char *word;
    } cases[] = {
        {{"rgba16f", NULL, 60, 40, .sizes = {{61, 40}}},
         NULL,
         AG_E_ARG,
         "dst0 is 61x40, src 60x40; area only makes images smaller"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}, {20, 20}}},
         "rgba8",
         AG_E_FORMAT,
         "dst1 is RGBA8, dst0 RGBA16F"},
        {{"rgba16f", NULL, 59, 41, .sizes = {{20, 20}}, .method = AG_DOWN_BLOCKS},
         NULL,
         AG_E_ARG,
         "src is 59x41; blocks takes targets whose sizes"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}}, .method = AG_DOWN_TILE,
          .filter = AG_DOWN_NEAREST},
         NULL,
         AG_E_ARG,
         "method is tile with filter nearest"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}}, .filter = AG_DOWN_NEAREST,
          .weight = AG_DOWN_WEIGHT_KARIS},
         NULL,
         AG_E_ARG,
         "weight is karis with filter nearest; it needs area"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{1, 1}}, .filter = AG_DOWN_LANCZOS},
         NULL,
         AG_E_ARG,
         "lanczos takes ratios up to 16"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}}, .filter = AG_DOWN_LANCZOS, .radius = 4},
         NULL,
         AG_E_ARG,
         "radius"},
        {{"rgba16f", NULL, 60, 130, .sizes = {{60, 2}}, .method = AG_DOWN_TILE},
         NULL,
         AG_E_ARG,
         "tile takes ratios up to 64"},
        {{"r16f", "rgba16f", 60, 40, {{1, 1}}, .weight = AG_DOWN_WEIGHT_ALPHA},
         NULL,
         AG_E_FORMAT,
         "weight is alpha and src R16F"},
    };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    ag_downsample_settings s;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        trial t = scale_of(f, pass, &cases[i].c, NULL, &s);
        if (cases[i].second)
            t.slots[DST + 1].format = cases[i].second;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    scale c = {"rgba16f", NULL, 60, 40, .sizes = {{20, 20}, {9, 9}, {9, 8}, {9, 7}}};
    trial t = scale_of(f, pass, &c, NULL, &s);
    trial_make(&t);
    t.views[SRC].width = t.views[SRC].height = 20000;
    good = trial_refused(&t, AG_E_SIZE, "src is 20000x20000; the limit is 16384") && good;
    trial_free(&t);
    f->ag->pass_destroy(pass);
    // Four targets take five image units.
    ag_device *device = NULL, *own = f->device;
    ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = 5};
    CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &device), AG_OK);
    f->device = device;
    t = scale_of(f, NULL, &c, NULL, &s);
    good = trial_refused(&t, AG_E_ARG, "this many targets need 5") && good;
    t.views[DST + 2] = t.views[DST + 3] = texture_no_view();
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
    trial_free(&t);
    f->ag->device_destroy(device, 0);
    f->device = own;
    host_log_clear(&f->host);
    CHECK(good);
}
