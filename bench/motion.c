// motion.c - `afterglow-bench motion`: what a frame of bloom costs while its kernel's settings move
// SPDX-License-Identifier: MIT
//
// A frame is prepare and execute, between two timestamps, on a GPU that is busy before it. Steady:
// nothing changes. Moving: the iris turns by a degree a frame, with a transition of 8 frames. At
// once: the same without a transition, as prepare did it before there was one.
#include "effects.h"
#include "flags.h"
#include "subcommands.h"

#include <afterglow/bloom.h>
#include <stdio.h>

enum { MOST_FRAMES = 2000, WARM_UP = 20 };
static const char *const ways[] = {"steady", "moving", "at once"};
static const struct {
    const char *name;
    int32_t shape;
} shapes[] = {{"aperture", AG_BLOOM_APERTURE},
              {"star", AG_BLOOM_STAR},
              {"anamorphic", AG_BLOOM_ANAMORPHIC}};

typedef struct wishes {
    bench_size size;
    int frames, device;
} wishes;

#define WISH(kind, member) FLAG_INTO(wishes, kind, member)
static const flag flags[] = {{"--size", "WxH", "size of the frame; default 1920x1080",
                              WISH(SIZE, size)},
                             {"--frames", "N", "of each way; default 240", WISH(INT, frames),
                              .least = 2, .most = MOST_FRAMES},
                             FLAG_DEVICE(wishes),
                             {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench motion",
    .usage = "[options]",
    .help = "Measures a frame of bloom, prepare and execute together, while its kernel's settings\n"
            "move.\n",
    .flags = flags};

typedef struct motion {
    bench bench;
    pass scene;
    GLuint queries[2];
} motion;

// The time of one frame, in microseconds.
static double one_frame(motion *s, ag_pass *on)
{
    const GladGLContext *gl = &s->bench.gpu.gl;
    const ag_job *job = &s->scene.sets[0].job;
    uint64_t begin = 0, end = 0;
    gpu_timer_busy(&s->bench.timer);
    gl->QueryCounter(s->queries[0], GL_TIMESTAMP);
    bench_check(&s->bench, s->bench.api->prepare(on, job), "prepare");
    bench_check(&s->bench, s->bench.api->execute(on, job, NULL), "execute");
    gl->QueryCounter(s->queries[1], GL_TIMESTAMP);
    gl->Finish();
    gl->GetQueryObjectui64v(s->queries[0], GL_QUERY_RESULT, &begin);
    gl->GetQueryObjectui64v(s->queries[1], GL_QUERY_RESULT, &end);
    return (double)(end - begin) / 1000;
}

// Prints the median and the greatest of a way's frames. `steady`: the median of the first way.
static void measure_way(motion *s, const wishes *w, int shape, int way, double *steady)
{
    static double us[MOST_FRAMES];
    ag_pass *on = NULL;
    ag_bloom_settings *look = s->scene.settings;
    bench_check(&s->bench, s->bench.api->pass_create(s->bench.device, "bloom", &on), "pass_create");
    *look = *ag_bloom_params(.intensity = 0.1f, .size = 0.3f, .shape = shapes[shape].shape,
                             .transition = way == 2 ? 0 : 8);
    for (int i = 0; i < WARM_UP + w->frames; i++) {
        if (way)
            look->rotation = (float)(i % 300);
        us[i < WARM_UP ? 0 : i - WARM_UP] = one_frame(s, on);
        bench_frame(&s->bench);
    }
    s->bench.api->pass_destroy(on);
    double median = bench_median(us, w->frames), most = us[w->frames - 1];
    double p99 = us[w->frames * 99 / 100];
    *steady = way ? *steady : median;
    printf("%-10s  %-8s  %9.1f  %9.1f  %9.1f  %+9.1f\n", shapes[shape].name, ways[way], median, p99,
           most, most - *steady);
}

void motion_main(int argc, char **argv)
{
    wishes w = {.size = {1920, 1080}, .frames = 240};
    motion s = {0};
    flags_read(&description, argc, argv, &w);
    const pass_case desc = bloom_case(w.size, NULL);
    bench_open(&s.bench, w.device);
    bench_device(&s.bench, NULL, NULL);
    bench_timer(&s.bench);
    pass_make(&s.bench, &desc, 1, &s.scene);
    s.bench.gpu.gl.GenQueries(2, s.queries);
    report_print_names(&s.bench.report.names);
    printf("bloom %dx%d, GPU microseconds a frame (prepare and execute)\n"
           "shape       way          median        p99       most   most - steady's median\n",
           w.size.width, w.size.height);
    double steady = 0;
    for (int i = 0; i < COUNT(shapes) * COUNT(ways); i++)
        measure_way(&s, &w, i / COUNT(ways), i % COUNT(ways), &steady);
    s.bench.gpu.gl.DeleteQueries(2, s.queries);
    pass_close(&s.scene);
    bench_close(&s.bench);
}
