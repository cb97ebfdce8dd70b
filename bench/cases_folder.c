// cases_folder.c - one dispatch, built in and as a pass from a folder: docs/passes.md
// SPDX-License-Identifier: MIT
#include "effects.h"

#include <stdio.h>
#include <stdlib.h>
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

enum { BUILT_IN, FOLDER, WAYS };
enum { CALLS = 2000, CALLS_A_FINISH = 20 }; // so that no queue is full

static double difference(double *of[WAYS])
{
    return bench_median(of[FOLDER], CALLS) - bench_median(of[BUILT_IN], CALLS);
}

// The CPU time of execute, in turn, so that both have the clock of the moment.
static double compare_calls(bench *self, const pass_case timed[WAYS])
{
    pass open[WAYS];
    double *times[WAYS];
    for (int k = 0; k < WAYS; k++) {
        pass_open(self, &timed[k], 1, &open[k]);
        times[k] = need_memory(CALLS * sizeof *times[k]);
    }
    for (int i = 0; i < CALLS; i++) {
        if (i % CALLS_A_FINISH == 0) {
            self->gpu.gl.Finish();
            bench_frame(self);
        }
        for (int k = 0; k < WAYS; k++) {
            double begin = bench_now_us();
            must(pass_record(&open[k], 0), "execute failed");
            times[k][i] = bench_now_us() - begin;
        }
    }
    double more = difference(times);
    for (int k = 0; k < WAYS; k++) {
        free(times[k]);
        pass_close(&open[k]);
    }
    return more;
}

// Without scrub both keep NaNs; with it only the folder's, whose shader may make them.
static void compare(bench *self, bench_size size, const ag_effect_info *loaded, bool scrub)
{
    report_row rows[WAYS] = {{.effect = "folder"}, {.effect = "folder"}};
    pass_case timed[WAYS];
    for (int k = 0; k < WAYS; k++) {
        bool folder = k == FOLDER;
        timed[k] = (pass_case){.effect = "downsample",
                               .loaded = folder ? loaded : NULL,
                               .settings = folder  ? scrub ? "scrub=on" : "scrub=off"
                                           : scrub ? "filter=nearest"
                                                   : "filter=nearest scrub=off",
                               .width = size.width,
                               .height = size.height,
                               .slots = {{"src", GL_RGBA16F, .make = picture_scene},
                                         {folder ? "dst" : "dst0", GL_RGBA16F}}};
        snprintf(rows[k].variant, sizeof rows[k].variant, "nearest, %s%s",
                 folder ? "a folder" : "built in", scrub ? "" : ", scrub off");
        pass_bench(self, &timed[k], NULL, &rows[k]);
    }
    printf("a pass from a folder: GPU %+.2f us, CPU of execute, called in turn, %+.2f us\n",
           rows[FOLDER].times.hot.median - rows[BUILT_IN].times.hot.median,
           compare_calls(self, timed));
}

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
    for (int i = 0; i < 2 * count; i++)
        compare(self, chosen[i / 2], loaded, i % 2 == 0);
    folder_drop(folder);
}

const bench_effect bench_folder = {"folder", .run = run_folder};
