// bench_soft_shadow.c - the effect "soft_shadow": maps of 2048 x 2048 and 4096 x 4096, with frames
// of 15/16 of the map's width, and of twice that
// SPDX-License-Identifier: MIT
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{2048, 2048}, {4096, 4096}}; // of the map
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

// Pillars over a floor, as a light sees them; or the floor, as a camera looks along it.
static picture depths(bool map, int width, int height)
{
    picture out = {width, height, malloc((size_t)width * (size_t)height * 4 * sizeof(float))};
    for (int i = 0; out.texels && i < width * height; i++) {
        double x = (double)(i % width) / width, y = (double)(i / width) / height;
        bool pillar = map && sin(60 * x) > 0.6 && sin(50 * y) > 0.6;
        out.texels[4 * i] = (float)(pillar ? 0.3 + 0.4 * x : 0.8);
        out.texels[4 * i + 1] = out.texels[4 * i + 2] = 0;
        out.texels[4 * i + 3] = 1;
    }
    return out;
}

static int measure_frame(bench *owner, const picture *map, int width, int height, const char *angle)
{
    const pass_expected unchecked = {0};
    const GladGLContext *gl = &owner->gpu.gl;
    picture frame = depths(false, width, height);
    if (!frame.texels)
        return fail_memory();
    GLuint depth = picture_texture(gl, GL_R32F, width, height, &frame);
    const pass_case timed = {.effect = "soft_shadow",
                             .settings = {angle},
                             .source = map,
                             .source_format = GL_R32F,
                             .target_format = GL_R8,
                             .exact_format = GL_R32F,
                             .target_width = width,
                             .target_height = height,
                             .kernel_slot = "depth",
                             .kernel = depth,
                             .kernel_format = GL_R32F,
                             .kernel_width = width,
                             .kernel_height = height};
    report_row row = {.effect = "soft_shadow",
                      .subject = "afterglow",
                      .width = map->width,
                      .height = map->height};
    snprintf(row.variant, sizeof row.variant, "frame %dx%d, %s", width, height, angle);
    int status = depth ? pass_bench(owner, &timed, &unchecked, &row)
                       : fail(STATUS_FAILED, "GL has no memory for depths");
    owner->api->forget(owner->device, depth);
    gl->DeleteTextures(1, &depth);
    picture_free(&frame);
    return status;
}

static int run(bench *self)
{
    static const char *const angles[] = {"light_angle=0.53", "light_angle=5"};
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        picture map = depths(true, chosen[i].width, chosen[i].height);
        status = map.texels ? STATUS_OK : fail_memory();
        for (int k = 0; k < 4 && status == STATUS_OK; k++) {
            int scale = 1 + k / 2; // a map of 2048: 1920 x 1080, 3840 x 2160
            status = measure_frame(self, &map, scale * chosen[i].width * 15 / 16,
                                   scale * chosen[i].height * 135 / 256, angles[k % 2]);
        }
        picture_free(&map);
    }
    return status;
}

const bench_effect bench_soft_shadow = {"soft_shadow", run, false};
