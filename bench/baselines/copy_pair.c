// copy_pair.c - copies between the source and the target of a pass, measured beside it
// SPDX-License-Identifier: MIT
#include "cli/format.h"
#include "way.h"

#include <stdio.h>

static bool record(void *user, int set)
{
    const way *self = user;
    way_bind(self, set);
    way_dispatch(self, self->programs[0], (self->width + 31) / 32, (self->height + 15) / 16, 1,
                 GL_TEXTURE_FETCH_BARRIER_BIT);
    return true;
}

void copy_bench(bench *owner, int width, int height, const char *effect, GLenum from, GLenum to)
{
    way self;
    const format_info *in = format_by_enum(from), *out = format_by_enum(to);
    report_row row = {.subject = "copy",
                      .plan = "texelFetch and imageStore, 16x8 threads of 2x2 texels",
                      .launches = 1};
    row.bytes = (uint64_t)width * (uint64_t)height * (uint64_t)(in->texel_bytes + out->texel_bytes);
    snprintf(row.effect, sizeof row.effect, "%s", effect);
    snprintf(row.variant, sizeof row.variant, "%s to %s", in->name, out->name);
    way_begin(&self, owner, bench_picture(owner, picture_scene, width, height), from, to,
              (double)row.bytes);
    way_program(&self, "copy_pair.comp", "\n");
    way_end(&self, &row, record, NULL);
}
