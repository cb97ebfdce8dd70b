// bench_ocean.c - the effect "ocean": a frame of all cascades, at several sizes
// SPDX-License-Identifier: MIT
//
// It reads no texture, so "cold" changes the outputs alone. tests/fft/test_ocean.c checks results.
#include "cli/report.h"
#include "effects.h"

#include <afterglow/ocean.h>
#include <stdio.h>

static const bench_size sizes[] = {{256, 256}, {512, 512}, {1024, 1024}};
enum { CASCADES = 3 };

static bool record(void *user, int set)
{
    pass *self = user;
    ((ag_ocean_settings *)self->settings)->time += 1.0f / 60; // another sea each frame
    return pass_record(self, set);
}

static int measure_one(bench *owner, int size, GLenum format, const char *name)
{
    char settings[32];
    pass self;
    const pass_case timed = {.effect = "ocean",
                             .settings = settings,
                             .width = size,
                             .height = size,
                             .slots = {{"displacement", format, .layers = CASCADES},
                                       {"derivatives", format, .layers = CASCADES}}};
    report_row row = {.effect = "ocean", .subject = "afterglow", .width = size, .height = size};
    snprintf(settings, sizeof settings, "size=%d", size);
    snprintf(row.variant, sizeof row.variant, "%d cascades, %s", CASCADES, name);
    int status = pass_open(owner, &timed, 0, &self);
    if (status == STATUS_OK)
        status = pass_declare(&self, &row);
    const measure_work work = {record, pass_next_frame, &self, self.set_count};
    if (status == STATUS_OK && !measure(&owner->timer, &work, owner->samples, &row.times))
        status = fail(STATUS_FAILED, "ocean: execute failed while it was measured");
    pass_close(&self);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

static int measure_size(bench *self, int width, int height)
{
    int size = 32; // a software renderer's sizes are no powers of two
    (void)height;
    while (2 * size <= width && size < 1024)
        size *= 2;
    int status = measure_one(self, size, GL_RGBA16F, "rgba16f");
    return status == STATUS_OK ? measure_one(self, size, GL_RGBA32F, "rgba32f") : status;
}

const bench_effect bench_ocean = {"ocean", .sizes = sizes, .size_count = COUNT(sizes),
                                  .quick_count = 2, .after = measure_size};
