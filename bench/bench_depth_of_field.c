// bench_depth_of_field.c - the effect "depth_of_field" on whole frames: every shape, and discs of
// up to 4, 32 and 128 texels, beside "box_blur" with a radius a texel
// SPDX-License-Identifier: MIT
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

typedef enum field { MIXED, FAR, SHARP, FIELDS } field;

// In metres, in front of and behind 4. MIXED: blurs that change slowly, from the largest near one
// to the largest far one; FAR: all as large as they may be; SHARP: all in focus. As a radius: 0..1.
static picture values_of(field what, bool radius, int width, int height)
{
    picture out = {width, height, malloc((size_t)width * (size_t)height * 4 * sizeof(float))};
    for (int i = 0; out.texels && i < width * height; i++) {
        double x = (double)(i % width) / width, y = (double)(i / width) / height;
        double blur = what == FAR ? 1 : what == SHARP ? 0 : sin(9 * x) * cos(7 * y);
        out.texels[4 * i] = (float)(radius ? fabs(blur) : 4 / (1 - 0.9 * blur));
        out.texels[4 * i + 1] = out.texels[4 * i + 2] = 0;
        out.texels[4 * i + 3] = 1;
    }
    return out;
}

static int measure_case(bench *owner, const picture *source, pass_case *timed, const char *variant,
                        const char *slot, GLuint texture, GLenum format)
{
    const pass_expected unchecked = {0};
    report_row row = {.effect = "depth_of_field",
                      .subject = "afterglow",
                      .width = source->width,
                      .height = source->height};
    snprintf(row.variant, sizeof row.variant, "%s", variant);
    timed->source = source;
    timed->source_format = timed->target_format = GL_RGBA16F;
    timed->target_width = timed->kernel_width = source->width;
    timed->target_height = timed->kernel_height = source->height;
    timed->kernel_slot = slot;
    timed->kernel = texture;
    timed->kernel_format = format;
    return pass_bench(owner, timed, &unchecked, &row);
}

static int measure_lens(bench *owner, const picture *source, field what, const char *shape,
                        int most, GLuint depth)
{
    static const char *const names[] = {"", ", all far", ", all in focus"};
    // The lens that gives radii up to `most`: 0.9 K / (4 - F), F = 0.1.
    double number = 0.01 * source->height / (2 * 0.024) / 3.9 * 0.9 / most;
    char variant[64], kind[32], radius[32], lens[32];
    snprintf(variant, sizeof variant, "%s to %d%s", shape, most, names[what]);
    snprintf(kind, sizeof kind, "shape=%s", shape);
    snprintf(radius, sizeof radius, "max_radius=%d", most);
    snprintf(lens, sizeof lens, "f_number=%.4f", number > 0.5 ? number : 0.5);
    pass_case timed = {.effect = "depth_of_field",
                       .settings = {kind, radius, lens, "focal_length=100", "encoding=linear",
                                    "focus_distance=4"}};
    return measure_case(owner, source, &timed, variant, "depth", depth, GL_R32F);
}

static int measure_size(bench *owner, bench_size size)
{
    static const struct {
        field what;
        const char *shape;
        int most;
    } cases[] = {{MIXED, "box", 32},  {MIXED, "smooth", 32}, {MIXED, "disc", 4},
                 {MIXED, "disc", 32}, {MIXED, "disc", 128},  {FAR, "disc", 32},
                 {SHARP, "disc", 32}};
    const GladGLContext *gl = &owner->gpu.gl;
    picture source = picture_scene(size.width, size.height);
    GLuint depths[FIELDS] = {0}, radius = 0;
    int status = source.texels ? STATUS_OK : fail_memory();
    for (int i = 0; i <= FIELDS && status == STATUS_OK; i++) {
        picture values =
            values_of(i < FIELDS ? (field)i : MIXED, i == FIELDS, size.width, size.height);
        if (!values.texels)
            status = fail_memory();
        else if (i < FIELDS)
            depths[i] = picture_texture(gl, GL_R32F, size.width, size.height, &values);
        else
            radius = picture_texture(gl, GL_R16F, size.width, size.height, &values);
        picture_free(&values);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases && status == STATUS_OK; i++)
        status = measure_lens(owner, &source, cases[i].what, cases[i].shape, cases[i].most,
                              depths[cases[i].what]);
    pass_case blur = {.effect = "box_blur", .settings = {"radius=32", "storage=float32"}};
    if (status == STATUS_OK)
        status = measure_case(owner, &source, &blur, "box_blur, a radius a texel to 32", "radius",
                              radius, GL_R16F);
    for (int i = 0; i <= FIELDS; i++) {
        owner->api->forget(owner->device, i < FIELDS ? depths[i] : radius);
        gl->DeleteTextures(1, i < FIELDS ? &depths[i] : &radius);
    }
    picture_free(&source);
    return status;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = measure_size(self, chosen[i]);
    return status;
}

const bench_effect bench_depth_of_field = {"depth_of_field", run, false};
