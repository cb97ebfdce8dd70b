// bench_box_blur.c - the effect "box_blur" on whole frames, and a copy of the frame
// SPDX-License-Identifier: MIT
#include "baselines/copy_pair.h"
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

static const copy_pair frame = {"box_blur", "rgba16f to rgba16f", GL_RGBA16F, GL_RGBA16F, 8, 8};

// Fractional radii of up to 32 texels that change slowly, as for depth of field.
static picture radii(int width, int height)
{
    picture out = {width, height, malloc((size_t)width * (size_t)height * 4 * sizeof(float))};
    for (int i = 0; out.texels && i < width * height; i++) {
        double x = (double)(i % width) / width, y = (double)(i / width) / height;
        out.texels[4 * i] = (float)(16.1 + 16 * sin(9 * x) * cos(7 * y));
        out.texels[4 * i + 1] = out.texels[4 * i + 2] = 0;
        out.texels[4 * i + 3] = 1;
    }
    return out;
}

static int measure_one(bench *owner, const picture *source, const char *variant, const char *radius,
                       const char *storage, int32_t tables, GLuint radius_texture)
{
    const pass_case timed = {.effect = "box_blur",
                             .settings = {radius, storage},
                             .tuning = {.tables = tables},
                             .source = source,
                             .source_format = GL_RGBA16F,
                             .target_format = GL_RGBA16F,
                             .target_width = source->width,
                             .target_height = source->height,
                             .kernel_slot = radius_texture ? "radius" : NULL,
                             .kernel = radius_texture,
                             .kernel_format = GL_R16F,
                             .kernel_width = source->width,
                             .kernel_height = source->height};
    const pass_expected unchecked = {0};
    report_row row = {.effect = "box_blur",
                      .subject = "afterglow",
                      .width = source->width,
                      .height = source->height};
    snprintf(row.variant, sizeof row.variant, "%s", variant);
    return pass_bench(owner, &timed, &unchecked, &row);
}

// Every way to query a table; NULL: the default.
static int measure_ways(bench *owner, const picture *source, GLuint radii_texture)
{
    static const char *const ways[] = {[AG_TABLES_IMAGE] = "image",
                                       [AG_TABLES_TEXTURE] = "texture",
                                       [AG_TABLES_BUFFER] = "buffer"};
    static const struct {
        const char *variant, *radius;
        bool by_texture;
    } cases[] = {{"radius a texel", "radius=1", true},
                 {"radius 24", "radius=24", false},
                 {"radius 24.5", "radius=24.5", false}};
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = AG_TABLES_AUTO; k <= AG_TABLES_BUFFER && status == STATUS_OK; k++) {
            char variant[64];
            snprintf(variant, sizeof variant, "%s%s%s", cases[i].variant, ways[k] ? ", by " : "",
                     ways[k] ? ways[k] : "");
            status = measure_one(owner, source, variant, cases[i].radius, "storage=float32", k,
                                 cases[i].by_texture ? radii_texture : 0);
        }
    return status;
}

static int measure_size(bench *owner, bench_size size)
{
    const GladGLContext *gl = &owner->gpu.gl;
    picture source = picture_scene(size.width, size.height);
    picture radius = radii(size.width, size.height);
    int status = source.texels && radius.texels ? STATUS_OK : fail_memory();
    GLuint texture = 0;
    if (status == STATUS_OK) {
        texture = picture_texture(gl, GL_R16F, size.width, size.height, &radius);
        status = texture ? copy_pair_bench(owner, &source, &frame)
                         : fail(STATUS_FAILED, "GL has no memory for radii");
    }
    if (status == STATUS_OK)
        status = measure_ways(owner, &source, texture);
    if (status == STATUS_OK)
        status = measure_one(owner, &source, "radius 24, double_float", "radius=24",
                             "storage=double_float", AG_TABLES_AUTO, 0);
    owner->api->forget(owner->device, texture);
    gl->DeleteTextures(1, &texture);
    picture_free(&source);
    picture_free(&radius);
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

const bench_effect bench_box_blur = {"box_blur", run, false};
