// cases_folder.c - one dispatch, built in and as a pass from a folder: docs/passes.md
// SPDX-License-Identifier: MIT
#include "effects.h"

#include <stdio.h>
#include <string.h>

// What shaders/downsample/taps.comp does with filter = nearest: two texels a thread, 8 rows apart,
// each at the point that its centre falls on.
static const char text[] =
    "//! pass nearest \"as downsample with filter = nearest\"\n"
    "//! slot src read rgba16f \"the image\"\n"
    "//! slot dst write rgba16f size any \"the same, of another size\"\n"
    "//! step nearest src -> dst group 16x8 tile 16x16\n"
    "#include \"pass.glsl\"\n"
    "void main()\n"
    "{\n"
    "    ivec2 to = ivec2(gl_WorkGroupID.xy) * 16 + ivec2(gl_LocalInvocationID.xy);\n"
    "    ivec2 below = to + ivec2(0, 8), from = size_of(src), by = 2 * size_of(dst);\n"
    "    vec4 first = load(src, (2 * to + 1) * from / by);\n"
    "    vec4 second = load(src, (2 * below + 1) * from / by);\n"
    "    store(dst, to, first);\n"
    "    store(dst, below, second);\n"
    "}\n";

static void run_folder(bench *self)
{
    static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, COUNT(sizes), 1, chosen);
    char folder[FOLDER_PATH];
    const ag_effect_info *loaded = NULL;
    folder_make(folder);
    folder_put(folder, "pass.comp", text, strlen(text));
    bench_check(self, self->api->pass_load(self->device, folder, &loaded), "pass_load");
    for (int i = 0; i < count; i++) {
        report_row rows[2] = {{.variant = "nearest, built in"}, {.variant = "nearest, a folder"}};
        for (int k = 0; k < 2; k++) {
            const pass_case timed = {.effect = "downsample",
                                     .loaded = k ? loaded : NULL,
                                     .settings = k ? NULL : "filter=nearest",
                                     .width = chosen[i].width,
                                     .height = chosen[i].height,
                                     .slots = {{"src", GL_RGBA16F, .make = picture_scene},
                                               {k ? "dst" : "dst0", GL_RGBA16F}}};
            snprintf(rows[k].effect, sizeof rows[k].effect, "folder");
            pass_bench(self, &timed, NULL, &rows[k]);
        }
        printf("a pass from a folder: GPU %+.2f us, CPU of execute %+.2f us\n",
               rows[1].times.hot.median - rows[0].times.hot.median,
               rows[1].times.hot.cpu_median - rows[0].times.hot.cpu_median);
    }
    folder_drop(folder);
}

const bench_effect bench_folder = {"folder", .run = run_folder};
