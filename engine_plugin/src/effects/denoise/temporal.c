// temporal.c - the part of "denoise" that accumulates frames before they are filtered
// SPDX-License-Identifier: MIT
#include "effects/denoise/temporal.h"
#include "base/rounding.h"
#include "effects/denoise/atrous.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "shaders/denoise/interface.h"
#include "shaders/denoise/interface_atrous.h"

enum { FRAMES_BYTES = 2 };

uint64_t ag_temporal_bytes(const ag_request *request, const ag_temporal_slots *slots)
{
    const ag_format *format = request->formats[slots->history];
    return format ? ag_slot_texels(request, slots->src) * ((uint64_t)format->bytes + FRAMES_BYTES)
                  : 0;
}

ag_status ag_temporal_programs(const ag_preparation *prep, const ag_request *request,
                               const ag_temporal_slots *slots, ag_temporal *t)
{
    const ag_format *history = request->formats[slots->history];
    const ag_format *motion = request->formats[slots->motion];
    if (!history)
        return AG_OK;
    ag_defines defines = {0}, keep = {0};
    ag_source_defines(request->formats[slots->src], ag_reading_of(request, slots->src), &defines);
    ag_define(&defines, "STORE", history->store);
    ag_defines_add(&defines, "#define MOTION %d\n#define HISTORY_FORMAT %s\n", motion != NULL,
                   history->glsl);
    if (motion)
        ag_defines_add(&defines, "#define MOTION_FORMAT %s\n", motion->glsl);
    ag_defines_add(&keep, "#define HISTORY_FORMAT %s\n", history->glsl);
    ag_status status =
        ag_program_get(prep, "denoise/accumulate.comp", &defines, t ? &t->accumulate : NULL);
    return status < 0 ? status
                      : ag_program_get(prep, "denoise/keep.comp", &keep, t ? &t->keep : NULL);
}

ag_status ag_temporal_prepare(const ag_preparation *prep, const ag_request *request,
                              const ag_temporal_slots *slots, ag_temporal *t)
{
    const ag_format *format = request->formats[slots->history];
    const ag_texture *src = &request->slots[slots->src];
    if (!format)
        return AG_OK;
    t->shape = (ag_texture){.rect_width = src->rect_width,
                            .rect_height = src->rect_height,
                            .width = src->rect_width,
                            .height = src->rect_height,
                            .target = ag_denoise_target(request),
                            .layers = 1};
    ag_status status = ag_temporal_programs(prep, request, slots, t);
    if (status >= 0)
        status = ag_gpu_texture_of(prep->gpu, "afterglow mean of frames", format->name,
                                   format->bytes, src->rect_width, src->rect_height, &t->mean);
    if (status >= 0)
        status = ag_gpu_view(prep->gpu, "afterglow mean of frames", t->shape.target,
                             format->texture, &t->mean, &t->view);
    if (status >= 0)
        status = ag_gpu_texture_of(prep->gpu, "afterglow frames", GL_R16F, FRAMES_BYTES,
                                   src->rect_width, src->rect_height, &t->frames);
    return status;
}

void ag_temporal_free(ag_gpu *gpu, ag_temporal *t, bool with_gl)
{
    ag_gpu_free_texture(gpu, &t->view, with_gl);
    ag_gpu_free_texture(gpu, &t->mean, with_gl);
    ag_gpu_free_texture(gpu, &t->frames, with_gl);
}

ag_source_texture ag_temporal_source(const ag_request *request, const ag_temporal_slots *slots,
                                     const ag_temporal *t)
{
    ag_source_texture mean = ag_own_texture(&t->mean, request->formats[slots->history], &t->shape);
    mean.texels = t->view.name;
    return mean;
}

static void groups_of(const ag_texture *t, uint32_t groups[3])
{
    groups[0] = (uint32_t)ag_div_up(t->rect_width, 16);
    groups[1] = (uint32_t)ag_div_up(t->rect_height, 16);
    groups[2] = 1;
}

static ag_image_binding binding(const ag_memory *texture, GLenum access, GLenum format)
{
    return (ag_image_binding){texture->name, 0, 0, access, format, false};
}

static void record_accumulate(ag_recording *recording, const ag_request *request,
                              const ag_temporal_slots *slots, const ag_temporal_settings *s,
                              const ag_temporal *t, const ag_memory *info)
{
    ag_source_texture src = ag_source_of(recording->gpu, request, slots->src);
    ag_source_texture history = ag_source_of(recording->gpu, request, slots->history);
    const ag_texture *motion = &request->slots[slots->motion];
    ag_uniform uniforms[5] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, 0, 0, t->shape.rect_width, t->shape.rect_height),
        [3] = AG_INTS(AG_LOC_DENOISE_HISTORY, history.texture->rect_x, history.texture->rect_y,
                      motion->rect_x, motion->rect_y),
        [4] = AG_FLOATS(AG_LOC_DENOISE_FRAMES, s->frames, s->clamp,
                        request->flags & AG_JOB_RESET ? 1.0f : 0.0f, 0),
    };
    ag_source_uniforms(uniforms, &src, src.format->channels, s->scrub, 0);
    ag_gl_dispatch d = {.program = t->accumulate,
                        .ranges[AG_SSBO_INFO] = ag_whole(info),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms)};
    ag_bind_source(&d, request, slots->src, &src, 0);
    d.images[AG_IMAGE_DST] = binding(&t->mean, GL_WRITE_ONLY, history.format->image);
    d.images[AG_IMAGE_HISTORY] = ag_read_image(&history, 0);
    d.images[AG_IMAGE_FRAMES] = binding(&t->frames, GL_WRITE_ONLY, GL_R16F);
    if (request->formats[slots->motion]) {
        ag_source_texture moved = ag_source_of(recording->gpu, request, slots->motion);
        d.images[AG_IMAGE_MOTION] = ag_read_image(&moved, 0);
    }
    groups_of(src.texture, d.groups);
    ag_record(recording, &d);
}

void ag_temporal_record(ag_recording *recording, const ag_request *request,
                        const ag_temporal_slots *slots, const ag_temporal_settings *settings,
                        const ag_temporal *t, const ag_memory *info)
{
    ag_source_texture history = ag_source_of(recording->gpu, request, slots->history);
    const ag_texture *h = history.texture;
    // The history, which the last execute stored: what the host uses it for next need not order
    // this. And the textures of this part, which that execute may still read.
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    record_accumulate(recording, request, slots, settings, t, info);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    ag_uniform to = AG_INTS(AG_LOC_DST_RECT, h->rect_x, h->rect_y, h->rect_width, h->rect_height);
    ag_gl_dispatch d = {.program = t->keep, .uniforms = &to, .uniform_count = 1};
    d.images[AG_IMAGE_HISTORY] = binding(&t->mean, GL_READ_ONLY, history.format->read);
    d.images[AG_IMAGE_FRAMES] = binding(&t->frames, GL_READ_ONLY, GL_R16F);
    d.images[AG_IMAGE_DST] = ag_write_image(&history, 0);
    groups_of(h, d.groups);
    ag_record(recording, &d);
}
