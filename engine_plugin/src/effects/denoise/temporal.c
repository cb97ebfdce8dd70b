// temporal.c - the part of "denoise" that accumulates frames before they are filtered
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/tables.h"
#include "shaders/denoise/interface_atrous.h"

enum { SRC = AG_DENOISE_SRC, MOTION = AG_DENOISE_MOTION, HISTORY = AG_DENOISE_HISTORY };

void ag_temporal_steps(ag_denoise *n)
{
    const ag_texture *t = n->src.shape;
    ag_picture history = ag_slot_picture(n->f, HISTORY), motion = ag_slot_picture(n->f, MOTION);
    const ag_texture *h = history.shape;
    ag_shader *accumulate = ag_frame_shader(n->f, "denoise/accumulate.comp");
    ag_shader_reads(n->f, accumulate, SRC);
    ag_shader_define(accumulate, "STORE", history.format->store);
    ag_shader_define(accumulate, "MOTION", motion.format != NULL);
    ag_denoise_define_format(accumulate, "HISTORY_FORMAT", history.format);
    ag_denoise_define_format(accumulate, "MOTION_FORMAT", motion.format);
    ag_shader *keep = ag_frame_shader(n->f, "denoise/keep.comp");
    ag_denoise_define_format(keep, "HISTORY_FORMAT", history.format);
    ag_picture mean = ag_denoise_texture(n, "mean of frames", history.format, true),
               frames = ag_denoise_texture(n, "frames", ag_format_find(GL_R16F), false);
    const uint32_t groups[3] = {ag_groups(t->rect_width, 16), ag_groups(t->rect_height, 16), 1};

    ag_frame_step(n->f, "accumulate");
    ag_uniform uniforms[5] = {
        [2] = ag_denoise_dst_rect(&n->shape),
        [3] = AG_INTS(AG_LOC_DENOISE_HISTORY, h->rect_x, h->rect_y, motion.shape->rect_x,
                      motion.shape->rect_y),
        [4] = AG_FLOATS(AG_LOC_DENOISE_FRAMES, n->s.frames, n->s.clamp,
                        n->request->flags & AG_JOB_RESET ? 1.0f : 0.0f, 0),
    };
    ag_read_uniforms(uniforms, &n->src, n->src.format->channels, n->s.scrub, 0);
    ag_dispatch d = {.shader = accumulate,
                     .images[AG_IMAGE_DST] = ag_picture_view(&mean, AG_WRITE, 0),
                     .images[AG_IMAGE_HISTORY] = ag_picture_view(&history, AG_READ, 0),
                     .images[AG_IMAGE_FRAMES] = ag_picture_view(&frames, AG_WRITE, 0),
                     .ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD),
                     .uniforms = uniforms,
                     .uniform_count = AG_COUNT_OF(uniforms),
                     .groups = {groups[0], groups[1], 1}};
    ag_dispatch_reads(n->f, &d, SRC, 0);
    if (motion.format)
        d.images[AG_IMAGE_MOTION] = ag_picture_view(&motion, AG_READ, 0);
    ag_frame_dispatch(n->f, &d);

    ag_uniform to = ag_denoise_dst_rect(h);
    ag_frame_dispatch(
        n->f, &(ag_dispatch){.shader = keep,
                             .images[AG_IMAGE_HISTORY] = ag_picture_view(&mean, AG_READ, 0),
                             .images[AG_IMAGE_FRAMES] = ag_picture_view(&frames, AG_READ, 0),
                             .images[AG_IMAGE_DST] = ag_picture_view(&history, AG_WRITE, 0),
                             .uniforms = &to,
                             .uniform_count = 1,
                             .groups = {groups[0], groups[1], 1}});
    n->src = mean;
}
