// main.c - `afterglow-bench`: reads the options, opens the device, runs the benches of the effects
// SPDX-License-Identifier: MIT
#include "bench.h"
#include "cli/effect.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/words.h"
#include "compile/compile.h"
#include "memory/memory.h"

#include <stdio.h>
#include <string.h>

#define BENCH_POINTER(bench) &bench,
static const bench_effect *const effects[] = {BENCH_EFFECTS(BENCH_POINTER)};
enum { EFFECTS = sizeof effects / sizeof *effects };

enum {
    SAMPLES = 50,
    SOFTWARE_SAMPLES = 5, // its times mean nothing anyway
    COPY_SIZE = 8192,
    SOFTWARE_COPY_SIZE = 512,
};
static const double cold_bytes = 256e6, software_cold_bytes = 4e6;

typedef struct bench_options {
    const char *effect, *json; // NULL: all; none
    const char *shaders;       // NULL: embedded
    bench_size only;           // width 0: all
    bool quick, smallest, ladder;
    const char *methods;    // NULL: not given
    int device, warm_up_ms; // 0: the timer's own
} bench_options;

enum {
    OPT_JSON,
    OPT_QUICK,
    OPT_SMALLEST,
    OPT_SIZE,
    OPT_SHADERS,
    OPT_DEVICE,
    OPT_LADDER,
    OPT_WARM_UP,
    OPT_METHODS,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_JSON] = {"--json", "FILE", "also write the figures to FILE"},
    [OPT_QUICK] = {"--quick", NULL, "only the smaller sizes"},
    [OPT_SMALLEST] = {"--smallest", NULL, "only the smallest size of each effect"},
    [OPT_SIZE] = {"--size", "WxH", "only this size"},
    [OPT_SHADERS] = {"--shaders", "DIR", "read shaders from DIR instead of the embedded ones"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
    [OPT_LADDER] = {"--ladder", NULL, "of fft: one change at a time, as fft_ladder"},
    [OPT_WARM_UP] = {"--warm-up", "MS", "of work before each measurement; default 120"},
    [OPT_METHODS] = {"--methods", "LIST",
                     "of sat: its methods side by side: all, or lookback,tiles"},
};

static const command description = {.name = "afterglow-bench", // for messages
                                    .options = options,
                                    .option_count = OPT_COUNT};

static void print_help(void)
{
    printf(
        "usage: afterglow-bench [EFFECT] [options]\n\n"
        "Measures the GPU time and the error of each effect. The time is compared with the time\n"
        "to copy as many bytes on this GPU, and with baselines.\n\nEffects:");
    for (int named = 0; named < 2; named++) { // tests/tools/check_bench.py reads this line
        printf("%s", named ? "; only when named:" : "");
        for (int i = 0; i < EFFECTS; i++)
            if (effects[i]->only_named == named)
                printf(" %s", effects[i]->name);
    }
    puts("\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        char name[32];
        const char *value = options[i].value ? options[i].value : "";
        snprintf(name, sizeof name, "%s %s", options[i].name, value);
        printf("  %-16s %s\n", name, options[i].help);
    }
    puts("\nafterglow-bench compile --help: what programs cost until they run.\n"
         "afterglow-bench memory --help: the documents' rules of GPU memory, measured here.\n"
         "bench/run does all of it, with the CUDA baselines where there is nvcc.");
}

// ---- what to run -------------------------------------------------------------------------------

int bench_sizes(const bench *self, const bench_size *all, int count, int quick_count,
                bench_size out[BENCH_MAX_SIZES])
{
    if (self->only.width) {
        out[0] = self->only;
        return 1;
    }
    if (self->smallest)
        count = 1;
    else if (self->quick && count > quick_count)
        count = quick_count;
    for (int i = 0; i < count; i++) {
        out[i] = all[i];
        if (self->software) { // an eighth of the size: a 64th of the work
            out[i].width /= 8;
            out[i].height /= 8;
        }
    }
    return count;
}

static int check_effect(const char *name)
{
    char known[256];
    words names = words_begin(known, sizeof known, " ");
    for (int i = 0; i < EFFECTS; i++) {
        if (strcmp(effects[i]->name, name) == 0)
            return STATUS_OK;
        words_add(&names, effects[i]->name);
    }
    return fail(STATUS_USAGE, "there is no bench of an effect %s; expected one of: %s", name,
                known);
}

static int parse(int argc, char **argv, bench_options *out)
{
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        int status = STATUS_OK;
        switch (which) {
        case OPT_JSON: out->json = reader.value; break;
        case OPT_QUICK: out->quick = true; break;
        case OPT_SMALLEST: out->smallest = true; break;
        case OPT_LADDER: out->ladder = true; break;
        case OPT_METHODS: out->methods = reader.value; break;
        case OPT_SHADERS: out->shaders = reader.value; break;
        case OPT_SIZE:
            if (!parse_size(reader.value, &out->only.width, &out->only.height, NULL))
                status = fail(STATUS_USAGE, "--size %s: expected WxH", reader.value);
            break;
        case OPT_DEVICE:
            if (!parse_int(reader.value, 0, 1000, &out->device))
                status = fail(STATUS_USAGE, "--device %s: expected an index", reader.value);
            break;
        case OPT_WARM_UP:
            if (!parse_int(reader.value, 1, 10000, &out->warm_up_ms))
                status = fail(STATUS_USAGE, "--warm-up %s: expected 1 to 10000", reader.value);
            break;
        case OPTION_INPUT:
            if (out->effect)
                status = fail(STATUS_USAGE, "one effect at most, got %s too", reader.value);
            else
                status = check_effect(reader.value);
            out->effect = reader.value;
            break;
        default: return STATUS_USAGE;
        }
        if (status != STATUS_OK)
            return status;
    }
    if (out->ladder && (!out->effect || strcmp(out->effect, "fft") != 0))
        return fail(STATUS_USAGE, "--ladder is of fft");
    if (out->ladder)
        out->effect = "fft_ladder";
    if (out->methods && (!out->effect || strcmp(out->effect, "sat") != 0))
        return fail(STATUS_USAGE, "--methods is of sat");
    if (out->methods)
        out->effect = "sat_methods";
    return STATUS_OK;
}

// ---- the device --------------------------------------------------------------------------------

static void *gl_proc(void *user, const char *name)
{
    return headless_proc(user, name);
}

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    if (message->level <= AG_LOG_WARNING)
        note("%s", message->text);
}

static void copy_text(char out[REPORT_TEXT], const GladGLContext *gl, GLenum name)
{
    const GLubyte *text = gl->GetString(name);
    snprintf(out, REPORT_TEXT, "%s", text ? (const char *)text : "unknown");
}

static int open_device(bench *self, const bench_options *wanted)
{
    char error[1024] = "";
    int status = gpu_open(&self->gpu, wanted->device);
    if (status != STATUS_OK)
        return status;
    const GladGLContext *gl = &self->gpu.gl;
    const ag_host host = {.struct_size = sizeof host,
                          .user = self->gpu.context,
                          .gl_proc = gl_proc,
                          .log = log_message};
    const ag_device_desc device = {.struct_size = sizeof device, .shader_dir = wanted->shaders};
    self->software = gpu_is_software(&self->gpu);
    self->samples = self->software ? SOFTWARE_SAMPLES : SAMPLES;
    self->cold_bytes = self->software ? software_cold_bytes : cold_bytes;
    if (self->api->device_create(&host, &device, &self->device) < 0)
        return fail(STATUS_FAILED, "the device cannot be created");
    if (!gpu_timer_create(gl, &self->timer, error, sizeof error) ||
        !copy_speed_measure(&self->timer, self->software ? SOFTWARE_COPY_SIZE : COPY_SIZE,
                            &self->speed, error, sizeof error))
        return fail(STATUS_FAILED, "%s", error);
    if (wanted->warm_up_ms)
        self->timer.warm_up_us = wanted->warm_up_ms * 1e3;
    report *r = &self->report;
    copy_text(r->renderer, gl, GL_RENDERER);
    copy_text(r->vendor, gl, GL_VENDOR);
    copy_text(r->driver, gl, GL_VERSION);
    snprintf(r->module, sizeof r->module, "%s", self->api->version);
    r->software = self->software;
    r->speed = self->speed;
    return STATUS_OK;
}

static void close_device(bench *self)
{
    gpu_timer_destroy(&self->timer);
    self->api->device_destroy(self->device, 0);
    gpu_close(&self->gpu);
}

static int run(const bench_options *wanted)
{
    bench self = {.api = effect_api(),
                  .quick = wanted->quick,
                  .smallest = wanted->smallest,
                  .only = wanted->only,
                  .methods =
                      wanted->methods && strcmp(wanted->methods, "all") ? wanted->methods : NULL};
    if (!self.api)
        return STATUS_FAILED;
    int status = open_device(&self, wanted);
    self.report.json = wanted->json;
    if (status == STATUS_OK)
        status = report_begin(&self.report);
    for (int i = 0; i < EFFECTS && status == STATUS_OK; i++)
        if (wanted->effect ? strcmp(wanted->effect, effects[i]->name) == 0
                           : !effects[i]->only_named)
            status = effects[i]->run(&self);
    report_free(&self.report);
    close_device(&self);
    return status;
}

int main(int argc, char **argv)
{
    bench_options wanted = {0};
    bool compiles = argc > 1 && strcmp(argv[1], "compile") == 0;
    bool memory = argc > 1 && strcmp(argv[1], "memory") == 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            (compiles ? compile_help : memory ? memory_help : print_help)();
            return STATUS_OK;
        }
    }
    if (compiles)
        return compile_main(argc - 1, argv + 1);
    if (memory)
        return memory_main(argc - 1, argv + 1);
    int status = parse(argc, argv, &wanted);
    return status == STATUS_OK ? run(&wanted) : status;
}
