// cli/cmd_tune.c - `afterglow tune`: measures what `auto` should be on this GPU, and writes it
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "copy.h"
#include "effect.h"
#include "file.h"
#include "report.h"
#include "tune.h"
#include "view_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_OUTPUT, OPT_SECONDS, OPT_DEVICE, OPT_COUNT };

static const option options[OPT_COUNT] = {
    [OPT_OUTPUT] = {"-o", "FILE", "where to; default: standard output"},
    [OPT_SECONDS] = {"--seconds", "N",
                     "how long it may take, compiling included; default 240. Choices\n"
                     "that there was no time for keep their defaults"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const file_use uses[OPT_COUNT] = {[OPT_OUTPUT] = FILE_WRITE};

const command command_tune = {
    .name = "tune",
    .usage = "[-o FILE] [options]",
    .help = "measures which methods are fastest on this GPU, and writes a file that says so",
    .notes =
        "`afterglow run --tuning FILE` and ag_device_desc.tuning take the file; another GPU, driver or\n"
        "version of Afterglow refuses it. docs/memory.md has what is chosen, and by what.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .files = uses,
    .run = tune_command,
};

typedef struct tune_request {
    const char *output; // NULL: stdout
    double seconds;
    int device;
} tune_request;

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

static int open_device(tune *self, int index)
{
    char error[1024];
    int status = gpu_open(&self->gpu, index);
    if (status != STATUS_OK)
        return status;
    const ag_host host = {.struct_size = sizeof host,
                          .user = self->gpu.context,
                          .gl_proc = gl_proc,
                          .log = log_message};
    self->software = gpu_is_software(&self->gpu);
    if (self->api->device_create(&host, NULL, &self->device) < 0)
        return fail(STATUS_FAILED, "the device cannot be created");
    if (!gpu_timer_create(&self->gpu.gl, &self->timer, error, sizeof error))
        return fail(STATUS_FAILED, "%s", error);
    self->timer.warm_up_us = self->software ? 1 : 30e3;
    self->bench = (ways_bench){.api = self->api,
                               .gl = &self->gpu.gl,
                               .device = self->device,
                               .timer = &self->timer,
                               .samples = self->software ? 3 : 15,
                               .divisor = self->software ? 8 : 1};
    return copy_measure(&self->gpu, &self->speed);
}

static void close_device(tune *self)
{
    if (!self->gpu.context)
        return;
    gpu_timer_destroy(&self->timer);
    self->api->device_destroy(self->device, 0);
    gpu_close(&self->gpu);
}

static void write_choices(FILE *stream, const tune *self)
{
    const GladGLContext *gl = &self->gpu.gl;
    fprintf(stream, "afterglow tuning %d\nmodule %s\nrenderer %s\ndriver %s\n", AG_TUNED_VERSION,
            self->api->version, (const char *)gl->GetString(GL_RENDERER),
            ag_tuned_driver((const char *)gl->GetString(GL_VERSION)));
    if (self->software)
        fputs("# of a software renderer: its times mean nothing\n", stream);
    double mb_s = self->speed.gb_s * 1e3;
    fprintf(stream, "copy_speed %.0f\n", mb_s < 1 ? 1 : mb_s);
    fputs("# where methods change over\n", stream);
    for (const ag_tuned_key *key = ag_tuned_keys; key->name; key++) {
        int32_t value;
        memcpy(&value, (const char *)&self->chosen + key->offset, sizeof value);
        if (value) // else it was not measured
            fprintf(stream, "%s %d\n", key->name, (int)value);
    }
}

static void write_rates(FILE *stream, const tune *self)
{
    fputs("# of each effect us a dispatch and a megabyte; median error on what was timed\n",
          stream);
    for (int i = 0; i < self->count; i++) {
        bool known = false;
        cost_rates rates;
        for (int k = 0; k < i; k++)
            known |= strcmp(self->rows[k].effect, self->rows[i].effect) == 0;
        if (known || !cost_fit(self->rows, self->count, self->rows[i].effect, &rates))
            continue;
        fprintf(stream, "time.%s %.6g %.6g\n", self->rows[i].effect, rates.launch, rates.megabyte);
        fprintf(stream, "# time.%s: %.0f %%\n", self->rows[i].effect,
                100 * cost_error(self->rows, self->count, self->rows[i].effect, &rates));
    }
}

static int save(const tune *self, const char *path)
{
    file_writer writer;
    if (!path) {
        write_choices(stdout, self);
        write_rates(stdout, self);
        return STATUS_OK;
    }
    int status = file_begin(&writer, path);
    if (status != STATUS_OK)
        return status;
    write_choices(writer.stream, self);
    write_rates(writer.stream, self);
    return file_end(&writer, STATUS_OK);
}

static int parse(int argc, char **argv, tune_request *out)
{
    option_reader reader = option_begin(&command_tune, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        int status = STATUS_OK;
        switch (which) {
        case OPT_OUTPUT: out->output = reader.value; break;
        case OPT_SECONDS:
            if (!parse_double(reader.value, &out->seconds) || !(out->seconds >= 1) ||
                out->seconds > 86400)
                status = fail(STATUS_USAGE, "--seconds %s: expected 1 .. 86400", reader.value);
            break;
        case OPT_DEVICE: status = view_parse_device(reader.value, &out->device); break;
        case OPTION_INPUT:
            status = fail(STATUS_USAGE, "tune takes no input, got %s", reader.value);
            break;
        default: return STATUS_USAGE;
        }
        if (status != STATUS_OK)
            return status;
    }
    int status = out->output ? file_check_writable(out->output) : STATUS_OK;
    return status == STATUS_OK ? files_check() : status;
}

int tune_command(int argc, char **argv)
{
    tune_request wanted = {.seconds = 240};
    int status = parse(argc, argv, &wanted);
    if (status != STATUS_OK)
        return status;
    tune *self = calloc(1, sizeof *self);
    if (!self)
        return fail_memory();
    self->api = effect_api();
    self->deadline = tune_now() + wanted.seconds;
    status = self->api ? open_device(self, wanted.device) : STATUS_FAILED;
    if (status == STATUS_OK)
        status = tune_choose(self);
    if (status == STATUS_OK)
        status = save(self, wanted.output);
    if (status == STATUS_OK && self->skipped)
        note("%d choices keep their defaults: there was no time for them within --seconds %g",
             self->skipped, wanted.seconds);
    if (status == STATUS_OK && self->software)
        note("this renderer runs on the CPU: what was chosen means nothing");
    close_device(self);
    free(self);
    return status;
}
