// reloading.c - a device on a folder of shaders, a small convolution on it, and edits of the folder
// SPDX-License-Identifier: MIT
#include "reloading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader/embedded.h"

enum { FRAME_NS = 10000000, MIN_FRAMES = 30, MAX_FRAMES = 20000 };

const ag_embedded_file *reloading_embedded(const char *name)
{
    const ag_embedded_file *file = ag_embedded_shaders;
    while (file->path && strcmp(file->path, name) != 0)
        ++file;
    CHECK_F(file->path != NULL, "no shader %s", name);
    return file;
}

folder reloading_folder(void)
{
    folder d = folder_create();
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file)
        folder_put_bytes(&d, file->path, file->text, file->length);
    return d;
}

uint32_t reloading_line(const char *name, const char *text)
{
    const char *from = reloading_embedded(name)->text, *at = strstr(from, text);
    uint32_t line = 1;
    CHECK_F(at != NULL, "%s has no \"%s\"", name, text);
    for (; from < at; ++from)
        line += *from == '\n';
    return line;
}

char *reloading_text(const char *name, const char *from, const char *to)
{
    const ag_embedded_file *file = reloading_embedded(name);
    const char *at = strstr(file->text, from);
    CHECK_F(at != NULL, "%s has no \"%s\"", name, from);
    char *text = malloc(file->length + strlen(to) + 1);
    CHECK(text != NULL);
    sprintf(text, "%.*s%s%s", (int)(at - file->text), file->text, to, at + strlen(from));
    return text;
}

void reloading_edit(folder *d, const char *name, const char *from, const char *to)
{
    char *text = reloading_text(name, from, to);
    folder_put(d, name, text);
    free(text);
}

void reloading_brighten(folder *d, int factor)
{
    char to[64];
    snprintf(to, sizeof to, "%d.0 * u_gain * total", factor);
    reloading_edit(d, DIRECT, "u_gain * total", to);
}

reloading *reloading_open(const char *hide, uint32_t budget)
{
    reloading *r = calloc(1, sizeof *r);
    CHECK(r != NULL);
    r->f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    if (!r->f)
        exit(77);
    r->f->host.trace.hide_extensions = hide;
    r->f->host.trace.patient = true;
    r->d = reloading_folder();
    r->frame_ns = FRAME_NS;
    r->desc = (ag_device_desc){.struct_size = sizeof r->desc,
                               .shader_dir = r->d.path,
                               .frame_budget = budget};
    fixture_device(r->f, &r->desc);
    r->pass = fixture_pass(r->f, "convolve");
    job_create(r->f, "convolve", 9, 7, &r->j);
    job_set(&r->j, "method", 0, 1);
    fixture_run(r->f, r->pass, &r->j.job);
    r->plain = reloading_picture(r, r->pass, &r->j);
    return r;
}

void reloading_close(reloading *r)
{
    job_destroy(r->f, &r->j);
    CHECK(fixture_close(r->f));
    folder_destroy(&r->d);
    free(r->plain);
    free(r);
}

void reloading_frame(reloading *r)
{
    r->f->host.clock += r->frame_ns;
    fixture_ignore(r->f, true); // the driver's debug output reports a failed compile too
    CHECK_STATUS(r->f->ag->frame(r->f->device, 0), AG_OK);
    fixture_ignore(r->f, false);
}

ag_reload reloading_status(reloading *r)
{
    ag_reload status = {.struct_size = sizeof status};
    CHECK_STATUS(r->f->ag->reload_status(r->f->device, &status), AG_OK);
    return status;
}

int reloading_settle(reloading *r)
{
    int frames = 0;
    do {
        reloading_frame(r);
        CHECK_F(++frames < MAX_FRAMES, "%u still pending", reloading_status(r).pending);
    } while (frames < MIN_FRAMES || reloading_status(r).pending);
    return frames;
}

double *reloading_picture(reloading *r, ag_pass *pass, test_job *j)
{
    job_tune(r->f->device, j);
    texture_poison(r->f, job_output(j));
    CHECK_STATUS(r->f->ag->execute(pass, &j->job, NULL), AG_OK);
    return texture_read(r->f, job_output(j), 0);
}

int reloading_factor_of(reloading *r, ag_pass *pass, test_job *j, const double *plain)
{
    double *got = reloading_picture(r, pass, j);
    size_t count = texture_value_count(job_output(j), 0);
    int factor = 0;
    for (int guess = 1; guess <= 64 && !factor; ++guess) {
        factor = guess;
        for (size_t i = 0; i < count && factor; ++i) {
            double want = i % 4 == 3 ? plain[i] : (float)(guess * plain[i]); // alpha is copied
            if (got[i] != want)
                factor = 0;
        }
    }
    free(got);
    return factor;
}

int reloading_factor(reloading *r)
{
    return reloading_factor_of(r, r->pass, &r->j, r->plain);
}
