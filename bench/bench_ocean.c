// bench_ocean.c - the effect "ocean": a frame of all cascades, at several sizes
// SPDX-License-Identifier: MIT
//
// It reads no texture, so "cold" changes the outputs alone. tests/fft/test_ocean.c checks results.
#include "bench.h"
#include "cli/effect.h"
#include "cli/report.h"

#include <afterglow/ocean.h>
#include <stdio.h>

static const bench_size sizes[] = {{256, 256}, {512, 512}, {1024, 1024}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 2, MAX_SETS = MEASURE_MAX_SETS };

typedef struct ocean_run {
    bench *owner;
    ag_pass *pass;
    ag_ocean_settings settings;
    GLenum format;
    int sets;
    ag_texture slots[MAX_SETS][2];
    ag_job jobs[MAX_SETS];
    uint64_t frame;
} ocean_run;

static ag_texture make_texture(const GladGLContext *gl, GLenum format, int size, int layers)
{
    ag_texture t = {.struct_size = sizeof t,
                    .target = GL_TEXTURE_2D_ARRAY,
                    .format = format,
                    .width = size,
                    .height = size,
                    .layers = layers,
                    .version = 1};
    gl->GenTextures(1, &t.name);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, t.name);
    gl->TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, size, size, layers);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, 0);
    return t;
}

static bool record(void *user, int set)
{
    ocean_run *self = user;
    self->settings.time += 1.0f / 60; // another sea each frame, as in a game
    return self->owner->api->execute(self->pass, &self->jobs[set], NULL) >= 0;
}

static void next_frame(void *user)
{
    ocean_run *self = user;
    self->owner->api->frame(self->owner->device, ++self->frame);
}

static int prepare_sets(ocean_run *self)
{
    const ag_api *api = self->owner->api;
    int size = 32 << self->settings.size;
    for (int i = 0; i < self->sets; i++) {
        for (int k = 0; k < 2; k++)
            self->slots[i][k] =
                make_texture(&self->owner->gpu.gl, self->format, size, self->settings.cascades);
        self->jobs[i] = (ag_job){.struct_size = sizeof(ag_job),
                                 .slots = self->slots[i],
                                 .slot_count = 2,
                                 .settings = &self->settings,
                                 .next_use = AG_USE_SAMPLE};
        if (api->prepare(self->pass, &self->jobs[i]) < 0)
            return fail(STATUS_FAILED, "ocean: prepare failed");
    }
    return STATUS_OK;
}

static int measure_one(bench *owner, int size, GLenum format, const char *name)
{
    static ocean_run self; // large
    int index = 0;
    while (32 << index < size)
        index++;
    self = (ocean_run){.owner = owner, .settings = AG_OCEAN_DEFAULTS, .format = format};
    self.settings.size = index;
    double texel = format == GL_RGBA16F ? 8 : 16;
    self.sets = measure_sets(2 * texel * size * size * self.settings.cascades, owner->cold_bytes);
    self.sets = self.sets > MAX_SETS ? MAX_SETS : self.sets;
    report_row row = {.effect = "ocean", .subject = "afterglow", .width = size, .height = size};
    snprintf(row.variant, sizeof row.variant, "3 cascades, %s", name);
    const ag_plan *plan = NULL;
    int status = owner->api->pass_create(owner->device, "ocean", &self.pass) < 0
                     ? fail(STATUS_FAILED, "ocean: pass_create failed")
                     : prepare_sets(&self);
    if (status == STATUS_OK && owner->api->declare(self.pass, &self.jobs[0], &plan) < 0)
        status = fail(STATUS_FAILED, "ocean: declare failed");
    if (status == STATUS_OK) {
        snprintf(row.plan, sizeof row.plan, "%s", plan->text);
        for (uint32_t i = 0; i < plan->step_count; i++) {
            const ag_step *step =
                (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
            row.bytes += step->bytes;
            row.dispatches += (int)step->dispatches;
            row.launches++;
        }
        const measure_work work = {record, next_frame, &self, self.sets};
        status = measure(&owner->timer, &work, owner->samples, &row.times)
                     ? report_add(&owner->report, &row)
                     : fail(STATUS_FAILED, "ocean: execute failed while it was measured");
    }
    if (self.pass)
        owner->api->pass_destroy(self.pass);
    for (int i = 0; i < self.sets; i++)
        for (int k = 0; k < 2; k++) {
            owner->api->forget(owner->device, self.slots[i][k].name); // GL reuses names
            owner->gpu.gl.DeleteTextures(1, &self.slots[i][k].name);
        }
    return status;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        int size = 32; // a software renderer's sizes are no powers of two
        while (2 * size <= chosen[i].width && size < 1024)
            size *= 2;
        status = measure_one(self, size, GL_RGBA16F, "rgba16f");
        if (status == STATUS_OK)
            status = measure_one(self, size, GL_RGBA32F, "rgba32f");
    }
    return status;
}

const bench_effect bench_ocean = {"ocean", run, false};
