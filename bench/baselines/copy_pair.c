// copy_pair.c - copies between the source and the target of a pass, measured beside it
// SPDX-License-Identifier: MIT
#include "copy_pair.h"

#include "cli/format.h"

#include <stdio.h>

static bool record(void *user, int set)
{
    const way *self = user;
    way_bind(self, set);
    way_dispatch(self, self->programs[0], (self->width + 31) / 32, (self->height + 15) / 16, 1,
                 GL_TEXTURE_FETCH_BARRIER_BIT);
    return true;
}

int copy_pair_bench(bench *owner, int width, int height, const copy_pair *pair)
{
    way self;
    report_row row = {.subject = "copy", .launches = 1};
    row.bytes =
        (uint64_t)width * (uint64_t)height *
        (uint64_t)(format_by_enum(pair->from)->texel_bytes + format_by_enum(pair->to)->texel_bytes);
    snprintf(row.effect, sizeof row.effect, "%s", pair->effect);
    snprintf(row.variant, sizeof row.variant, "%s", pair->variant);
    snprintf(row.plan, sizeof row.plan, "texelFetch and imageStore, 16x8 threads of 2x2 texels");
    way_begin(&self, owner, bench_picture(owner, picture_scene, width, height), pair->from,
              pair->to, (double)row.bytes);
    way_program(&self, "copy_pair.comp", "\n");
    return way_end(&self, &row, record, NULL);
}
