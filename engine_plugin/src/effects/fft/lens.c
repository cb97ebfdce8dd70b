// lens.c - bloom's lens: a dirt mask, ghosts, an exposure from a texture, output added to a target
// SPDX-License-Identifier: MIT
#include "effects/fft/lens.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/bloom_light.h"
#include "shaders/fft/interface_lens.h"

#include <string.h>

enum { SRC = AG_BLOOM_SRC, DST = AG_BLOOM_DST, DIRT = AG_BLOOM_DIRT, EXPOSURE = AG_BLOOM_EXPOSURE };

// ---- the job -----------------------------------------------------------------------------------

bool ag_lens_needed(const ag_request *request, const ag_bloom_settings *s)
{
    return s->output == AG_BLOOM_ADD || s->ghosts > 0 || request->formats[DIRT];
}

const ag_format *ag_lens_glow(const ag_request *request)
{
    int32_t store = request->formats[DST]->store; // what is finer than a half float
    bool exact = store == AG_STORE_32F || store == AG_STORE_UNORM16 || store == AG_STORE_SRGB16;
    return ag_format_find(exact ? GL_RGBA32F : GL_RGBA16F);
}

ag_status ag_lens_check(const ag_host *host, ag_request *request, const ag_bloom_settings *s,
                        int32_t *plan, int32_t *state)
{
    const ag_texture *dirt = &request->slots[DIRT], *exposure = &request->slots[EXPOSURE];
    bool filters = s->threshold > 0 || s->clamp > 0;
    if (!filters) { // nothing is measured in it
        request->slots[EXPOSURE] = (ag_texture){0};
        request->formats[EXPOSURE] = NULL;
    }
    if (request->formats[EXPOSURE] &&
        (exposure->rect_width != 1 || exposure->rect_height != 1 || exposure->layers != 1))
        return ag_fail(host, AG_E_SIZE,
                       "bloom: exposure's rectangle is %dx%d with %d layers; it must be one texel",
                       exposure->rect_width, exposure->rect_height, exposure->layers);
    if (request->formats[DIRT] && (dirt->layers != 1 || request->formats[DIRT]->channels == 2))
        return ag_fail(host, AG_E_ARG, "bloom: dirt must have one layer, and 1, 3 or 4 channels");
    bool needed = ag_lens_needed(request, s);
    if (needed && request->slots[SRC].layers != 1)
        return ag_fail(
            host, AG_E_ARG,
            "bloom: src has %d layers; with dirt, ghosts or output = add it must have one",
            request->slots[SRC].layers);
    if (s->output == AG_BLOOM_ADD && request->formats[DST]->read != request->formats[DST]->image)
        return ag_fail(host, AG_E_FORMAT,
                       "bloom: output = add reads dst, which it cannot in format %s",
                       request->formats[DST]->text);
    bool has_dirt = request->formats[DIRT] != NULL;
    int32_t of_plan[] = {needed, s->output == AG_BLOOM_ADD, has_dirt ? (int32_t)dirt->format : 0,
                         request->formats[EXPOSURE] ? (int32_t)exposure->format : 0};
    memcpy(plan, of_plan, sizeof of_plan);
    if (has_dirt) {
        int32_t of_state[] = {
            (int32_t)dirt->name, (int32_t)dirt->version, (int32_t)(dirt->version >> 32),
            dirt->level,         dirt->first_layer,      dirt->rect_x,
            dirt->rect_y,        dirt->rect_width,       dirt->rect_height};
        memcpy(state, of_state, sizeof of_state);
    }
    return AG_OK;
}

static uint64_t bytes_of(const ag_request *request, int slot)
{
    const ag_texture *t = &request->slots[slot];
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height *
           (uint64_t)request->formats[slot]->bytes;
}

static uint64_t dirt_bytes(const ag_request *request)
{
    const ag_texture *t = &request->slots[DIRT];
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height * 8;
}

void ag_lens_describe(const ag_request *request, const ag_bloom_settings *s, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    uint64_t texels = (uint64_t)src->rect_width * (uint64_t)src->rect_height;
    uint64_t glow = texels * (uint64_t)ag_lens_glow(request)->bytes;
    bool adds = s->output == AG_BLOOM_ADD;
    uint32_t step = plan->head.step_count;
    plan->steps[step] =
        (ag_step){.name = "lens",
                  .dispatches = 1,
                  .groups = {ag_groups(src->rect_width, 8), ag_groups(src->rect_height, 8), 1},
                  .bytes = glow + bytes_of(request, adds ? DST : SRC) + bytes_of(request, DST) +
                           (request->formats[DIRT] ? dirt_bytes(request) : 0)};
    plan->head.step_count = step + 1;
    plan->head.persistent_bytes += glow + (request->formats[DIRT] ? dirt_bytes(request) : 0);
    for (uint32_t i = 0; i < plan->head.resource_count; ++i) {
        ag_resource *r = &plan->resources[i];
        bool dst = !strcmp(r->name, "dst");
        if (dst || (!strcmp(r->name, "src") && !adds) || !strcmp(r->name, "dirt"))
            r->last_step = step;
        if (dst) {
            r->first_step = step;
            r->access = adds ? AG_READ | AG_WRITE : AG_WRITE;
        }
    }
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status program(const ag_preparation *prep, const char *path, const ag_format *source,
                         const char *more, const ag_program **made)
{
    ag_defines defines = {0};
    ag_source_defines(source, AG_BY_IMAGE, &defines);
    ag_defines_add(&defines, "%s", more);
    return ag_program_get(prep, path, &defines, made);
}

ag_status ag_lens_programs(const ag_preparation *prep, const ag_request *request,
                           const ag_bloom_settings *s, ag_lens *made)
{
    ag_status status = AG_OK;
    if (ag_lens_needed(request, s)) {
        ag_defines more = {0};
        int base = s->output == AG_BLOOM_ADD ? DST : SRC;
        ag_define(&more, "FILTERABLE", 1);
        ag_composite_defines(request->formats[DST], &more);
        ag_defines_add(&more, "#define GLOW_FORMAT %s\n", ag_lens_glow(request)->glsl);
        status = program(prep, "fft/lens.comp", request->formats[base], more.text,
                         made ? &made->composite : NULL);
    }
    if (status >= 0 && request->formats[DIRT])
        status = program(prep, "fft/lens_dirt.comp", request->formats[DIRT], "",
                         made ? &made->copy_dirt : NULL);
    if (status >= 0 && request->formats[EXPOSURE])
        status = program(prep, "fft/lens_exposure.comp", request->formats[EXPOSURE], "",
                         made ? &made->expose : NULL);
    return status;
}

static void copy_dirt(const ag_preparation *prep, const ag_request *request, const ag_memory *info,
                      const ag_lens *lens)
{
    ag_source_texture mask = ag_source_of(prep->gpu, request, DIRT);
    ag_uniform uniforms[2];
    ag_source_uniforms(uniforms, &mask, mask.format->channels, true, 0);
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow bloom dirt");
    ag_record(&recording,
              &(ag_gl_dispatch){.program = lens->copy_dirt,
                                .images[AG_IMAGE_SRC] = ag_read_image(&mask, 0),
                                .ranges[AG_SSBO_INFO] = ag_whole(info),
                                .ranges[AG_SSBO_DIRT] = ag_whole(&lens->dirt),
                                .uniforms = uniforms,
                                .uniform_count = 2,
                                .groups = {ag_groups(mask.texture->rect_width, 8),
                                           ag_groups(mask.texture->rect_height, 8), 1}});
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

// A texture that is large enough is kept: sizes that change on every frame must not allocate.
static ag_status make_glow(ag_gpu *gpu, const ag_request *request, const ag_lens *old,
                           ag_lens *made)
{
    const ag_texture *src = &request->slots[SRC];
    const ag_format *format = ag_lens_glow(request);
    int32_t w = src->rect_width, h = src->rect_height;
    made->glow_format = format->name;
    if (old->glow.name && old->glow_format == format->name && old->width >= w && old->height >= h &&
        (uint64_t)old->width * (uint64_t)old->height <= 8 * (uint64_t)w * (uint64_t)h) {
        made->glow = old->glow;
        made->width = old->width;
        made->height = old->height;
        return AG_OK;
    }
    made->width = request->plan_width > w ? request->plan_width : w;
    made->height = request->plan_height > h ? request->plan_height : h;
    return ag_gpu_texture_of(gpu, "afterglow bloom glow", format->name, format->bytes, made->width,
                             made->height, &made->glow);
}

ag_status ag_lens_prepare(const ag_preparation *prep, const ag_request *request,
                          const ag_bloom_settings *s, const ag_memory *info, const ag_lens *old,
                          ag_lens *made)
{
    *made = (ag_lens){.on = ag_lens_needed(request, s)};
    ag_status status = ag_lens_programs(prep, request, s, made);
    if (status >= 0 && made->on)
        status = make_glow(prep->gpu, request, old, made);
    if (status >= 0 && request->formats[DIRT]) {
        if ((int64_t)dirt_bytes(request) > prep->gpu->gl.max_ssbo_bytes)
            return ag_fail(&prep->gpu->host, AG_E_SIZE,
                           "bloom: dirt needs %llu bytes; this context's storage blocks hold %lld",
                           (unsigned long long)dirt_bytes(request),
                           (long long)prep->gpu->gl.max_ssbo_bytes);
        status = ag_gpu_buffer_again(prep->gpu, "afterglow bloom dirt", dirt_bytes(request),
                                     &old->dirt, &made->dirt);
        made->dirt_texture = request->slots[DIRT].name;
        if (status >= 0)
            copy_dirt(prep, request, info, made);
    }
    return status;
}

void ag_lens_free(ag_gpu *gpu, ag_lens *lens, const ag_lens *other, bool with_gl)
{
    if (!other || lens->glow.name != other->glow.name)
        ag_gpu_free_texture(gpu, &lens->glow, with_gl);
    if (!other || lens->dirt.name != other->dirt.name)
        ag_gpu_free_buffer(gpu, &lens->dirt, with_gl);
    lens->glow = lens->dirt = (ag_memory){0};
}

// ---- every frame -------------------------------------------------------------------------------

bool ag_lens_expose(ag_recording *recording, const ag_request *request, const ag_lens *lens,
                    const ag_memory *info)
{
    if (!lens->expose || !request->formats[EXPOSURE])
        return false;
    ag_source_texture texel = ag_source_of(recording->gpu, request, EXPOSURE);
    ag_uniform uniforms[2];
    ag_source_uniforms(uniforms, &texel, texel.format->channels, false, 0);
    ag_record(recording, &(ag_gl_dispatch){.program = lens->expose,
                                           .images[AG_IMAGE_SRC] = ag_read_image(&texel, 0),
                                           .ranges[AG_SSBO_INFO] = ag_whole(info),
                                           .uniforms = uniforms,
                                           .uniform_count = 2,
                                           .groups = {1, 1, 1}});
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    return true;
}

ag_source_texture ag_lens_target(const ag_request *request, const ag_lens *lens, ag_texture *shape)
{
    const ag_texture *src = &request->slots[SRC];
    *shape = (ag_texture){.name = lens->glow.name,
                          .target = 0x0DE1, // GL_TEXTURE_2D
                          .format = lens->glow_format,
                          .width = lens->width,
                          .height = lens->height,
                          .layers = 1,
                          .rect_width = src->rect_width,
                          .rect_height = src->rect_height};
    return ag_own_texture(&lens->glow, ag_format_find(lens->glow_format), shape);
}

void ag_lens_record(ag_recording *recording, const ag_request *request, const ag_lens *lens,
                    const ag_bloom_settings *s, const ag_mix *mix, const ag_memory *info)
{
    bool adds = s->output == AG_BLOOM_ADD, dirty = request->formats[DIRT] != NULL;
    ag_source_texture base = ag_source_of(recording->gpu, request, adds ? DST : SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    base.highlights = ag_bloom_highlights(s);
    const ag_texture *src = &request->slots[SRC], *mask = &request->slots[DIRT];
    int32_t w = src->rect_width, h = src->rect_height;
    const float *f = mix->filter, *g = mix->gain;
    ag_uniform uniforms[] = {
        {0}, // of the source
        {0},
        AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y, w, h),
        AG_FLOATS(AG_LOC_FILTER, f[0], f[1], f[2], f[3]),
        AG_FLOATS(AG_LOC_GAIN, g[0], g[1], g[2], s->dirt_intensity),
        AG_FLOATS(AG_LOC_SELF, mix->self[0], mix->self[1], mix->self[2], 0),
        AG_FLOATS(AG_LOC_KEEP, mix->keep[0], mix->keep[1], mix->keep[2], 1),
        AG_INTS(AG_LOC_LENS, w, h, s->ghosts, dirty),
        AG_INTS(AG_LOC_DIRT, mask->rect_width, mask->rect_height, 0, 0),
        AG_FLOATS(AG_LOC_GHOSTS, s->ghost_intensity, 0, 0, 0),
    };
    ag_source_uniforms(uniforms, &base, base.format->channels, s->scrub, 0);
    ag_record_step(recording, lens->step, "lens", false);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_record(recording,
              &(ag_gl_dispatch){.program = lens->composite,
                                .images[AG_IMAGE_SRC] = ag_read_packed(&base, 0),
                                .images[AG_IMAGE_DST] = ag_write_packed(&dst, 0),
                                .images[AG_IMAGE_GLOW] = {lens->glow.name, 0, 0, GL_READ_ONLY,
                                                          lens->glow_format, false},
                                .ranges[AG_SSBO_INFO] = ag_whole(info),
                                .ranges[AG_SSBO_DIRT] = ag_whole(dirty ? &lens->dirt : info),
                                .uniforms = uniforms,
                                .uniform_count = sizeof uniforms / sizeof *uniforms,
                                .groups = {ag_groups(w, 8), ag_groups(h, 8), 1}});
}
