// wave_stationary.c - records the stationary transform: two dispatches a level
// SPDX-License-Identifier: MIT
//
//   forward   image or LL -> columns -> planes L, H -> rows -> LL, and HL, LH, HH into dst
//   inverse   LL, HL, LH, HH -> rows -> planes L, H -> columns -> LL or image
#include "effects/wavelet/wavelet.h"

AG_SETTINGS_OF(ag_wavelet_settings)

enum { SRC = AG_WAVELET_SRC, DST = AG_WAVELET_DST, MAX_UNIFORMS = 7 };

typedef struct call { // a dispatch being put together
    ag_uniform uniforms[MAX_UNIFORMS];
    ag_gl_dispatch dispatch;
} call;

static void add(call *c, ag_uniform uniform)
{
    c->uniforms[c->dispatch.uniform_count++] = uniform;
}

// The planes within a level (1), or the approximation between two (2).
static ag_range part(const ag_request *request, const ag_wave_detail *d, int which, int32_t layer)
{
    uint64_t plane = 4 * (uint64_t)d->channels * (uint64_t)ag_wave_texels(&d->plan, 0);
    return ag_part(request->scratch, (uint64_t)(layer * d->layer_bytes + d->begin[which]),
                   which == 1 ? 2 * plane : plane);
}

// `last`: the second half stores into a texture, not into scratch.
static void begin(call *c, const ag_wave_plan *p, const ag_program *program, int32_t level,
                  bool last)
{
    *c = (call){.dispatch.program = program};
    add(c, ag_wave_size(p, level));
    add(c, (ag_uniform)AG_INTS(AG_LOC_WAVELET_MODE, p->extend, last, 0, 0));
    add(c, (ag_uniform)AG_INTS(AG_LOC_WAVELET_GAP, 1 << (level - 1), 0, 0, 0));
}

static void end(call *c, ag_recording *recording, const ag_request *request,
                const ag_wave_detail *d)
{
    c->dispatch.ranges[AG_SSBO_WAVELET_TAPS] = ag_wave_taps_range(request, d);
    c->dispatch.uniforms = c->uniforms;
    ag_wave_groups(&d->plan, 1, false, c->dispatch.groups);
    ag_record(recording, &c->dispatch);
}

// How a shader reads src; `image`: as an image, not as bands.
static void add_source(call *c, ag_recording *recording, const ag_request *request,
                       const ag_wave_state *state, bool image, int32_t level, int32_t layer)
{
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_source_uniforms(c->uniforms + c->dispatch.uniform_count, &src, src.format->channels,
                       settings_of(request).scrub, image ? layer : 0);
    c->dispatch.uniform_count += 2;
    c->dispatch.ranges[AG_SSBO_INFO] = ag_whole(&state->base.info);
    if (ag_reading_of(request, SRC) != AG_BY_IMAGE)
        c->dispatch.textures[0] = (ag_texture_binding){src.texels, src.texture->target};
    else if (image)
        c->dispatch.images[AG_IMAGE_SRC] = ag_read_image(&src, layer);
    else
        ag_wave_bind_bands(&c->dispatch, &state->detail.plan, &src, false, level, layer);
    if (!image)
        add(c, ag_wave_layers(&state->detail.plan, &src, level, layer));
}

static void record_forward(ag_recording *recording, const ag_request *request,
                           const ag_wave_state *state, int32_t level, int32_t layer)
{
    const ag_wave_detail *d = &state->detail;
    const ag_wave_plan *p = &d->plan;
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    call c;
    begin(&c, p, level == 1 ? state->first : state->others, level, false);
    if (level == 1)
        add_source(&c, recording, request, state, true, level, layer);
    else
        c.dispatch.ranges[AG_SSBO_WAVELET_FROM] = part(request, d, 2, layer);
    c.dispatch.ranges[AG_SSBO_WAVELET_TO] = part(request, d, 1, layer);
    end(&c, recording, request, d);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    begin(&c, p, state->second, level, level == p->levels);
    add(&c, (ag_uniform)AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y, 0, 0));
    c.dispatch.ranges[AG_SSBO_WAVELET_FROM] = part(request, d, 1, layer);
    if (level != p->levels)
        c.dispatch.ranges[AG_SSBO_WAVELET_TO] = part(request, d, 2, layer);
    ag_wave_bind_bands(&c.dispatch, p, &dst, true, level, layer);
    end(&c, recording, request, d);
}

static void record_inverse(ag_recording *recording, const ag_request *request,
                           const ag_wave_state *state, int32_t level, int32_t layer)
{
    const ag_wave_detail *d = &state->detail;
    const ag_wave_plan *p = &d->plan;
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    call c;
    begin(&c, p, level == p->levels ? state->first : state->others, level, false);
    add_source(&c, recording, request, state, false, level, layer);
    if (level != p->levels)
        c.dispatch.ranges[AG_SSBO_WAVELET_FROM] = part(request, d, 2, layer);
    c.dispatch.ranges[AG_SSBO_WAVELET_TO] = part(request, d, 1, layer);
    end(&c, recording, request, d);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    begin(&c, p, state->second, level, level == 1);
    add(&c, (ag_uniform)AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y,
                                dst.texture->rect_width, dst.texture->rect_height));
    c.dispatch.ranges[AG_SSBO_WAVELET_FROM] = part(request, d, 1, layer);
    if (level == 1)
        c.dispatch.images[AG_IMAGE_DST] = ag_write_image(&dst, layer);
    else
        c.dispatch.ranges[AG_SSBO_WAVELET_TO] = part(request, d, 2, layer);
    end(&c, recording, request, d);
}

void ag_wave_record_stationary(ag_recording *recording, const ag_request *request,
                               const ag_wave_state *state, int32_t level, int32_t layer)
{
    if (state->detail.settings.direction == AG_WAVELET_INVERSE)
        record_inverse(recording, request, state, level, layer);
    else
        record_forward(recording, request, state, level, layer);
}
