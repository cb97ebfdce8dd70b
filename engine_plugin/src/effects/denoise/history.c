// history.c - frames that "denoise" accumulates before it filters their mean
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/tables.h"

enum {
    MOTION = AG_DENOISE_MOTION,
    HISTORY = AG_DENOISE_HISTORY,
    NORMAL = AG_DENOISE_NORMAL,
    DEPTH = AG_DENOISE_DEPTH,
    GROUP = 16
};

typedef struct history {
    ag_picture host, motion, depth, normal;
    ag_picture mean, states[2]; // what accumulate.comp keeps of each texel, by turns
    const ag_format *state;
    int32_t turn; // the state that is written
} history;

static ag_shader *accumulate_shader(const ag_denoise *n, const history *h)
{
    ag_shader *shader = ag_frame_shader(n->f, "denoise/accumulate.comp");
    ag_shader_reads_picture(shader, &n->src);
    ag_shader_define(shader, "KEEP", 0);
    ag_shader_define(shader, "STORE", h->host.format->store);
    ag_shader_define(shader, "MOTION", h->motion.format != NULL);
    ag_shader_define_format(shader, "HISTORY_FORMAT", h->host.format);
    ag_shader_define_format(shader, "STATE_FORMAT", h->state);
    ag_shader_define(shader, "HISTORY_UNIT", h->host.reading);
    ag_shader_define(shader, "HISTORY_PACKING", h->host.format->words);
    ag_shader_define_format(shader, "MOTION_FORMAT", h->motion.format);
    ag_shader_define_format(shader, "DEPTH_FORMAT", h->depth.format);
    ag_shader_define_format(shader, "NORMAL_FORMAT", h->normal.format);
    return shader;
}

static ag_shader *keep_shader(const ag_denoise *n, const history *h)
{
    ag_shader *shader = ag_frame_shader(n->f, "denoise/accumulate.comp");
    ag_shader_define(shader, "KEEP", 1);
    ag_shader_define(shader, "STORE", h->host.format->store);
    ag_shader_define_format(shader, "HISTORY_FORMAT", h->host.format);
    ag_shader_define_format(shader, "STATE_FORMAT", h->state);
    return shader;
}

static void read_picture(const ag_picture *picture, ag_view *view)
{
    if (picture->format)
        *view = ag_picture_view(picture, AG_READ, 0);
}

static void accumulate(const ag_denoise *n, const history *h, ag_shader *shader)
{
    const ag_texture *host = h->host.shape, *motion = h->motion.shape;
    const ag_texture *depth = h->depth.shape, *normal = h->normal.shape;
    const float reset = n->request->flags & AG_JOB_RESET ? 1.0f : 0.0f;
    ag_uniform uniforms[6] = {
        [2] = ag_rect_uniform(AG_LOC_DST_RECT, &n->shape),
        [3] = AG_INTS(AG_LOC_DENOISE_HISTORY, host->rect_x, host->rect_y, motion->rect_x,
                      motion->rect_y),
        [4] = AG_FLOATS(AG_LOC_DENOISE_FRAMES, n->s.frames, n->s.clamp, reset, n->s.edge_depth),
        [5] = AG_INTS(AG_LOC_DENOISE_SURFACES, depth->rect_x, depth->rect_y, normal->rect_x,
                      normal->rect_y),
    };
    ag_read_uniforms(uniforms, &n->src, n->src.format->channels, n->s.scrub, 0);
    ag_dispatch d = {.shader = shader,
                     .images[AG_IMAGE_DST] = ag_picture_view(&h->mean, AG_WRITE, 0),
                     .images[AG_IMAGE_STATE] = ag_picture_view(&h->states[h->turn], AG_WRITE, 0),
                     .images[AG_IMAGE_OLD] = ag_picture_view(&h->states[1 - h->turn], AG_READ, 0),
                     .ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD),
                     AG_UNIFORMS(uniforms),
                     .groups = {ag_groups(n->shape.rect_width, GROUP),
                                ag_groups(n->shape.rect_height, GROUP), 1}};
    ag_dispatch_reads_picture(&d, &n->src, 0);
    *(h->host.reading == AG_BY_IMAGE ? &d.images[AG_IMAGE_HISTORY] : &d.textures[1]) =
        ag_picture_view(&h->host, AG_READ, 0);
    read_picture(&h->motion, &d.images[AG_IMAGE_MOTION]);
    read_picture(&h->depth, &d.images[AG_IMAGE_HISTORY_DEPTH]);
    read_picture(&h->normal, &d.images[AG_IMAGE_HISTORY_NORMAL]);
    ag_frame_dispatch(n->f, &d);
}

// A dispatch of its own: accumulate reads the former history around each texel.
static void keep(const ag_denoise *n, const history *h, ag_shader *shader)
{
    ag_uniform to[] = {ag_rect_uniform(AG_LOC_DST_RECT, h->host.shape)};
    ag_dispatch d = {.shader = shader,
                     .images[AG_IMAGE_HISTORY] = ag_picture_view(&h->mean, AG_READ, 0),
                     .images[AG_IMAGE_STATE] = ag_picture_view(&h->states[h->turn], AG_READ, 0),
                     .images[AG_IMAGE_DST] = ag_picture_view(&h->host, AG_WRITE, 0),
                     AG_UNIFORMS(to),
                     .groups = {ag_groups(n->shape.rect_width, GROUP),
                                ag_groups(n->shape.rect_height, GROUP), 1}};
    ag_frame_dispatch(n->f, &d);
}

void ag_history_steps(ag_denoise *n)
{
    ag_denoise_facts *facts = ag_frame_facts(n->f);
    const GLenum state = ag_denoise_guided(n->request) ? GL_RG32UI : GL_R32UI;
    history h = {.host = ag_slot_picture(n->f, HISTORY),
                 .motion = ag_slot_picture(n->f, MOTION),
                 .depth = ag_slot_picture(n->f, DEPTH),
                 .normal = ag_slot_picture(n->f, NORMAL),
                 .state = ag_format_find(state),
                 .turn = 1 - facts->turn};
    ag_shader *accumulates = accumulate_shader(n, &h), *keeps = keep_shader(n, &h);
    h.mean = ag_denoise_texture(n, "mean of frames", h.host.format->name, true);
    h.states[0] = ag_denoise_texture(n, "frames and variance", state, false);
    h.states[1] = ag_denoise_texture(n, "frames and variance, by turns", state, false);
    ag_frame_step(n->f, "accumulate");
    accumulate(n, &h, accumulates);
    keep(n, &h, keeps);
    if (ag_frame_is_recorded(n->f))
        facts->turn = h.turn;
    n->src = h.mean;
    n->frames = h.states[h.turn];
}
