// wave_record.c - records the dispatches of the effect "wavelet"
// SPDX-License-Identifier: MIT
#include "effects/wavelet/wavelet.h"

AG_SETTINGS_OF(ag_wavelet_settings)

enum { SRC = AG_WAVELET_SRC, DST = AG_WAVELET_DST };
#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *ag_wave_step_name(int32_t level)
{
    static const char *const names[AG_WAVE_MAX_LEVELS + 1] = {
        "",        "level 1", "level 2",  "level 3",  "level 4",  "level 5",  "level 6", "level 7",
        "level 8", "level 9", "level 10", "level 11", "level 12", "level 13", "level 14"};
    return names[level];
}

int32_t ag_wave_level(const ag_wave_detail *d, int32_t step)
{
    return d->settings.direction == AG_WAVELET_INVERSE ? d->plan.levels - step : 1 + step;
}

// The approximation of a level between two dispatches, or nothing where textures have it.
static ag_range approximation(const ag_request *request, const ag_wave_detail *d, int32_t level,
                              int32_t layer)
{
    if (level == 0 || level == d->plan.levels)
        return (ag_range){0};
    uint64_t bytes = 4 * (uint64_t)d->channels * (uint64_t)ag_wave_texels(&d->plan, level);
    return ag_part(request->scratch, (uint64_t)(layer * d->layer_bytes + d->begin[level]), bytes);
}

ag_range ag_wave_taps_range(const ag_request *request, const ag_wave_detail *d)
{
    if (d->settings.wavelet != AG_WAVELET_CUSTOM)
        return (ag_range){0};
    return ag_part(request->scratch, (uint64_t)d->taps_begin, AG_WAVE_TAPS_BYTES);
}

void ag_wave_record_taps(ag_recording *recording, const ag_request *request,
                         const ag_wave_state *state)
{
    ag_source_texture taps = ag_source_of(recording->gpu, request, AG_WAVELET_TAPS);
    ag_uniform uniforms[2];
    ag_source_uniforms(uniforms, &taps, 1, false, 0);
    ag_gl_dispatch dispatch = {.program = state->taps,
                               .images[AG_IMAGE_SRC] = ag_read_image(&taps, 0),
                               .ranges[AG_SSBO_WAVELET_TAPS] =
                                   ag_wave_taps_range(request, &state->detail),
                               .uniforms = uniforms,
                               .uniform_count = 1,
                               .groups = {1, 1, 1}};
    ag_record(recording, &dispatch);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

ag_uniform ag_wave_size(const ag_wave_plan *p, int32_t level)
{
    return (ag_uniform)AG_INTS(AG_LOC_WAVELET_SIZE, p->sizes[level - 1][0], p->sizes[level - 1][1],
                               p->sizes[level][0], p->sizes[level][1]);
}

void ag_wave_bind_bands(ag_gl_dispatch *dispatch, const ag_wave_plan *p, const ag_source_texture *t,
                        bool write, int32_t level, int32_t layer)
{
    int32_t first = layer * p->layers, lh = first + ag_wave_layer(p, level);
    int32_t layers[] = {first, p->bands ? lh + 1 : lh, lh, p->bands ? lh + 2 : lh};
    for (int band = 0; band < 4; ++band) // LL, HL, LH, HH
        if (band || level == p->levels)
            dispatch->images[AG_IMAGE_LL + band] =
                write ? ag_write_image(t, layers[band]) : ag_read_image(t, layers[band]);
}

ag_uniform ag_wave_layers(const ag_wave_plan *p, const ag_source_texture *t, int32_t level,
                          int32_t layer)
{
    int32_t first = t->texture->first_layer + layer * p->layers;
    return (ag_uniform)AG_INTS(AG_LOC_WAVELET_LAYERS, first, first + ag_wave_layer(p, level),
                               p->bands, 0);
}

static void record_forward(ag_recording *recording, const ag_request *request,
                           const ag_wave_state *state, int32_t level, int32_t layer)
{
    const ag_wave_detail *d = &state->detail;
    const ag_wave_plan *p = &d->plan;
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    int32_t ll[2], hl[2], lh[2], hh[2];
    ag_wave_fill(p, level, 0, ll);
    ag_wave_fill(p, level, 1, hl);
    ag_wave_fill(p, level, 2, lh);
    ag_wave_fill(p, level, 3, hh);
    ag_uniform uniforms[] = {
        ag_wave_size(p, level),
        AG_INTS(AG_LOC_WAVELET_MODE, p->extend, level == p->levels, p->details[level][0],
                p->details[level][1]),
        AG_INTS(AG_LOC_WAVELET_FILL_LL_HH, ll[0], ll[1], hh[0], hh[1]),
        AG_INTS(AG_LOC_WAVELET_FILL_HL_LH, hl[0], hl[1], lh[0], lh[1]),
        AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y, 0, 0),
        {0},
        {0},
    };
    ag_gl_dispatch dispatch = {
        .program = level == 1 ? state->first : state->others,
        .ranges[AG_SSBO_WAVELET_FROM] = approximation(request, d, level - 1, layer),
        .ranges[AG_SSBO_WAVELET_TO] = approximation(request, d, level, layer),
        .uniforms = uniforms,
        .uniform_count = COUNT(uniforms) - 2};
    if (level == 1) {
        ag_source_uniforms(uniforms + dispatch.uniform_count, &src, src.format->channels,
                           settings_of(request).scrub, layer);
        dispatch.uniform_count += 2;
        dispatch.ranges[AG_SSBO_INFO] = ag_whole(&state->base.info);
        if (ag_reading_of(request, SRC) == AG_BY_IMAGE)
            dispatch.images[AG_IMAGE_SRC] = ag_read_image(&src, layer);
        else
            dispatch.textures[0] = (ag_texture_binding){src.texels, src.texture->target};
    }
    ag_wave_bind_bands(&dispatch, p, &dst, true, level, layer);
    dispatch.ranges[AG_SSBO_WAVELET_TAPS] = ag_wave_taps_range(request, d);
    ag_wave_groups(p, level, false, dispatch.groups);
    ag_record(recording, &dispatch);
}

static void record_inverse(ag_recording *recording, const ag_request *request,
                           const ag_wave_state *state, int32_t level, int32_t layer)
{
    const ag_wave_detail *d = &state->detail;
    const ag_wave_plan *p = &d->plan;
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    ag_uniform uniforms[] = {
        ag_wave_size(p, level),
        AG_INTS(AG_LOC_WAVELET_MODE, p->extend, level == 1, p->details[level][0],
                p->details[level][1]),
        ag_wave_layers(p, &src, level, layer),
        AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y, dst.texture->rect_width,
                dst.texture->rect_height),
        {0},
        {0},
    };
    ag_source_uniforms(uniforms + 4, &src, src.format->channels, settings_of(request).scrub, 0);
    ag_gl_dispatch dispatch = {
        .program = level == p->levels ? state->first : state->others,
        .ranges[AG_SSBO_WAVELET_FROM] = approximation(request, d, level, layer),
        .ranges[AG_SSBO_WAVELET_TO] = approximation(request, d, level - 1, layer),
        .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
        .images[AG_IMAGE_DST] = ag_write_image(&dst, layer),
        .uniforms = uniforms,
        .uniform_count = COUNT(uniforms)};
    if (ag_reading_of(request, SRC) == AG_BY_IMAGE)
        ag_wave_bind_bands(&dispatch, p, &src, false, level, layer);
    else
        dispatch.textures[0] = (ag_texture_binding){src.texels, src.texture->target};
    dispatch.ranges[AG_SSBO_WAVELET_TAPS] = ag_wave_taps_range(request, d);
    ag_wave_groups(p, level, true, dispatch.groups);
    ag_record(recording, &dispatch);
}

void ag_wave_record(ag_recording *recording, const ag_request *request, const ag_wave_state *state)
{
    const ag_wave_detail *d = &state->detail;
    if (d->settings.method == AG_WAVELET_PERIODIC_STRIDED) {
        ag_wave_record_strided(recording, request, state);
        return;
    }
    for (int32_t step = 0; step < d->plan.levels; ++step) {
        int32_t level = ag_wave_level(d, step);
        ag_record_step(recording, (uint32_t)step, ag_wave_step_name(level), step > 0);
        if (step == 0 && d->settings.wavelet == AG_WAVELET_CUSTOM)
            ag_wave_record_taps(recording, request, state);
        for (int32_t layer = 0; layer < d->layers; ++layer) {
            if (d->plan.stationary)
                ag_wave_record_stationary(recording, request, state, level, layer);
            else if (d->settings.direction == AG_WAVELET_INVERSE)
                record_inverse(recording, request, state, level, layer);
            else
                record_forward(recording, request, state, level, layer);
        }
    }
}
