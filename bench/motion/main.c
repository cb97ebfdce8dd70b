// main.c - `afterglow-bench-motion`: what a frame of bloom costs while its kernel's settings move
// SPDX-License-Identifier: MIT
//
// A frame is prepare and execute, between two timestamps, on a GPU that is busy before it. Steady:
// nothing changes. Moving: the iris turns by a degree a frame, with a transition of 8 frames. At
// once: the same without a transition, as prepare did it before there was one.
#include "gpu.h"
#include "gpu_time.h"
#include "options.h"
#include "report.h"

#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FRAMES = 2000, WARM_UP = 20, WAYS = 3, SHAPES = 3 };
static const char *const ways[WAYS] = {"steady", "moving", "at once"};
static const struct {
    const char *name;
    int32_t shape;
} shapes[SHAPES] = {{"aperture", AG_BLOOM_APERTURE},
                    {"star", AG_BLOOM_STAR},
                    {"anamorphic", AG_BLOOM_ANAMORPHIC}};

enum { OPT_SIZE, OPT_KERNEL, OPT_FRAMES, OPT_DEVICE, OPT_COUNT };
static const option options[OPT_COUNT] = {
    [OPT_SIZE] = {"--size", "WxH", "size of the frame; default 1920x1080"},
    [OPT_KERNEL] = {"--kernel", "HEIGHTS", "bloom's setting size; default 0.3"},
    [OPT_FRAMES] = {"--frames", "N", "of each way; default 240"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};
static const command description = {.name = "afterglow-bench-motion",
                                    .options = options,
                                    .option_count = OPT_COUNT};

typedef struct wanted {
    int width, height, frames, device;
    double kernel;
} wanted;

typedef struct self {
    gpu gpu;
    gpu_timer timer;
    const ag_api *api;
    ag_device *device;
    ag_texture slots[3];
    ag_bloom_settings look;
    ag_job job;
    GLuint queries[2];
} self;

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    if (message->level <= AG_LOG_WARNING)
        note("%s", message->text);
}

static ag_texture make_texture(const GladGLContext *gl, int width, int height)
{
    ag_texture t = {.struct_size = sizeof t,
                    .target = GL_TEXTURE_2D,
                    .format = GL_RGBA16F,
                    .width = width,
                    .height = height};
    gl->GenTextures(1, &t.name);
    gl->BindTexture(GL_TEXTURE_2D, t.name);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, width, height);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return t;
}

static int check(const self *s, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s", what, s->api->status_text(status));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The time of one frame, in microseconds.
static int one_frame(self *s, ag_pass *pass, double *us)
{
    const GladGLContext *gl = &s->gpu.gl;
    uint64_t begin = 0, end = 0;
    gpu_timer_busy(&s->timer);
    gl->QueryCounter(s->queries[0], GL_TIMESTAMP);
    int status = check(s, s->api->prepare(pass, &s->job), "prepare");
    if (status == STATUS_OK)
        status = check(s, s->api->execute(pass, &s->job, NULL), "execute");
    gl->QueryCounter(s->queries[1], GL_TIMESTAMP);
    gl->Finish();
    gl->GetQueryObjectui64v(s->queries[0], GL_QUERY_RESULT, &begin);
    gl->GetQueryObjectui64v(s->queries[1], GL_QUERY_RESULT, &end);
    *us = (double)(end - begin) / 1000;
    return status;
}

// Prints the median and the greatest of a way's frames. `steady`: the median of the first way.
static int measure(self *s, const wanted *w, int shape, int way, double *steady)
{
    static double us[MOST_FRAMES];
    ag_pass *pass = NULL;
    int status = check(s, s->api->pass_create(s->device, "bloom", &pass), "pass_create");
    s->look = (ag_bloom_settings)AG_BLOOM_DEFAULTS;
    s->look.shape = shapes[shape].shape;
    s->look.size = (float)w->kernel;
    s->look.transition = way == 2 ? 0 : 8;
    double ignored = 0;
    for (int i = 0; i < WARM_UP + w->frames && status == STATUS_OK; i++) {
        if (way)
            s->look.rotation = (float)(i % 300);
        status = one_frame(s, pass, i < WARM_UP ? &ignored : &us[i - WARM_UP]);
        s->api->frame(s->device, (uint64_t)i + 1);
    }
    if (pass)
        s->api->pass_destroy(pass);
    if (status != STATUS_OK)
        return status;
    qsort(us, (size_t)w->frames, sizeof *us, compare);
    double median = us[w->frames / 2], most = us[w->frames - 1];
    double p99 = us[w->frames * 99 / 100];
    *steady = way ? *steady : median;
    printf("%-10s  %-8s  %9.1f  %9.1f  %9.1f  %+9.1f\n", shapes[shape].name, ways[way], median, p99,
           most, most - *steady);
    return STATUS_OK;
}

static int run(self *s, const wanted *w)
{
    const ag_host host = {.struct_size = sizeof host,
                          .user = s->gpu.context,
                          .gl_proc = headless_proc,
                          .log = log_message};
    char error[256];
    int status = check(s, s->api->device_create(&host, NULL, &s->device), "device_create");
    if (status == STATUS_OK && !gpu_timer_create(&s->gpu.gl, &s->timer, error, sizeof error))
        status = fail(STATUS_FAILED, "%s", error);
    if (status != STATUS_OK)
        return status;
    s->slots[0] = make_texture(&s->gpu.gl, w->width, w->height);
    s->slots[1] = (ag_texture){.struct_size = sizeof s->slots[1]};
    s->slots[2] = make_texture(&s->gpu.gl, w->width, w->height);
    s->job = (ag_job){.struct_size = sizeof s->job,
                      .slots = s->slots,
                      .slot_count = 3,
                      .settings = &s->look,
                      .next_use = AG_USE_SAMPLE};
    s->gpu.gl.GenQueries(2, s->queries);
    printf("bloom %dx%d, kernel %g of the height, GPU microseconds a frame (prepare and execute)\n"
           "shape       way          median        p99       most   most - steady's median\n",
           w->width, w->height, w->kernel);
    for (int shape = 0; shape < SHAPES && status == STATUS_OK; shape++) {
        double steady = 0;
        for (int way = 0; way < WAYS && status == STATUS_OK; way++)
            status = measure(s, w, shape, way, &steady);
    }
    return status;
}

static int parse(int argc, char **argv, wanted *w)
{
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        const char *value = reader.value;
        bool good = true;
        switch (which) {
        case OPT_SIZE: good = parse_size(value, &w->width, &w->height, NULL); break;
        case OPT_KERNEL:
            good = parse_double(value, &w->kernel) && w->kernel >= 0 && w->kernel <= 2;
            break;
        case OPT_FRAMES: good = parse_int(value, 2, MOST_FRAMES, &w->frames); break;
        case OPT_DEVICE: good = parse_int(value, 0, 255, &w->device); break;
        case OPTION_INPUT: good = false; break;
        default: return STATUS_USAGE;
        }
        if (!good)
            return fail(STATUS_USAGE,
                        "%s: expected --size WxH, --kernel 0..2, --frames 2..%d or --device N",
                        value, MOST_FRAMES);
    }
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    wanted w = {.width = 1920, .height = 1080, .frames = 240, .kernel = 0.3};
    self s = {.api = ag_entry_v1(AG_ABI_MINOR)};
    int status = parse(argc, argv, &w);
    if (status == STATUS_OK)
        status = gpu_open(&s.gpu, w.device);
    if (status != STATUS_OK)
        return status;
    status = run(&s, &w);
    s.gpu.gl.DeleteQueries(2, s.queries);
    for (int i = 0; i < 3; i++)
        s.gpu.gl.DeleteTextures(1, &s.slots[i].name);
    gpu_timer_destroy(&s.timer);
    if (s.device)
        s.api->device_destroy(s.device, 0);
    gpu_close(&s.gpu);
    return status;
}
