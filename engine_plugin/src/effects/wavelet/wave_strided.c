// wave_strided.c - records the document's method: a kernel a line of each axis, on an array
// SPDX-License-Identifier: MIT
//
//   load    src -> a, scratch = 0
//   level l rows, then columns (inverse: the other way): a -> scratch; scratch -> a, scratch = 0
//   store   a -> dst
#include "base/rounding.h"
#include "effects/wavelet/wavelet.h"

AG_SETTINGS_OF(ag_wavelet_settings)

enum { SRC = AG_WAVELET_SRC, DST = AG_WAVELET_DST };

static ag_gl_dispatch begin(const ag_request *request, const ag_wave_detail *d,
                            const ag_program *program, const ag_uniform *uniforms, uint32_t count,
                            int32_t layer)
{
    return (ag_gl_dispatch){.program = program,
                            .ranges[AG_SSBO_WAVELET_TO] =
                                ag_part(request->scratch, (uint64_t)(layer * d->layer_bytes),
                                        (uint64_t)d->layer_bytes),
                            .ranges[AG_SSBO_WAVELET_TAPS] = ag_wave_taps_range(request, d),
                            .uniforms = uniforms,
                            .uniform_count = count};
}

static void end(ag_recording *recording, ag_gl_dispatch *dispatch, int32_t x, int32_t y)
{
    dispatch->groups[0] = ag_groups(x, AG_WAVELET_COLUMNS);
    dispatch->groups[1] = ag_groups(y, AG_WAVELET_SEGMENTS);
    dispatch->groups[2] = 1;
    ag_record(recording, dispatch);
}

static void record_load(ag_recording *recording, const ag_request *request,
                        const ag_wave_state *state, int32_t layer)
{
    const ag_wave_detail *d = &state->detail;
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_uniform uniforms[3] = {[2] = ag_wave_size(&d->plan, 1)};
    ag_source_uniforms(uniforms, &src, src.format->channels, settings_of(request).scrub, layer);
    ag_gl_dispatch dispatch = begin(request, d, state->first, uniforms, 3, layer);
    dispatch.ranges[AG_SSBO_INFO] = ag_whole(&state->base.info);
    if (ag_reading_of(request, SRC) == AG_BY_IMAGE)
        dispatch.images[AG_IMAGE_SRC] = ag_read_image(&src, layer);
    else
        dispatch.textures[0] = (ag_texture_binding){src.texels, src.texture->target};
    end(recording, &dispatch, d->plan.sizes[0][0], d->plan.sizes[0][1]);
}

static void record_store(ag_recording *recording, const ag_request *request,
                         const ag_wave_state *state, int32_t layer)
{
    const ag_wave_detail *d = &state->detail;
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    bool image = d->settings.direction == AG_WAVELET_INVERSE;
    ag_uniform uniforms[] = {ag_wave_size(&d->plan, 1),
                             AG_INTS(AG_LOC_WAVELET_MODE, 0, image, 0, 0),
                             AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y,
                                     dst.texture->rect_width, dst.texture->rect_height)};
    ag_gl_dispatch dispatch = begin(request, d, state->store, uniforms, 3, layer);
    dispatch.images[AG_IMAGE_DST] = ag_write_image(&dst, layer);
    end(recording, &dispatch, d->plan.sizes[0][0], d->plan.sizes[0][1]);
}

// One axis of the part of a that is a level's approximation.
static void record_axis(ag_recording *recording, const ag_request *request,
                        const ag_wave_state *state, int32_t level, int axis)
{
    const ag_wave_detail *d = &state->detail;
    const int32_t *size = d->plan.sizes[level - 1], width = d->plan.sizes[0][0];
    bool inverse = d->settings.direction == AG_WAVELET_INVERSE;
    ag_uniform uniforms[] = {ag_wave_size(&d->plan, 1),
                             AG_INTS(AG_LOC_WAVELET_GAP, size[axis], size[!axis], axis ? width : 1,
                                     axis ? 1 : width)};
    for (int take = 0; take < 2; ++take) {
        for (int32_t layer = 0; layer < d->layers; ++layer) {
            ag_gl_dispatch dispatch =
                begin(request, d, take ? state->second : state->others, uniforms, 2, layer);
            end(recording, &dispatch, take || inverse ? size[axis] : size[axis] / 2, size[!axis]);
        }
        ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    }
}

void ag_wave_record_strided(ag_recording *recording, const ag_request *request,
                            const ag_wave_state *state)
{
    const ag_wave_detail *d = &state->detail;
    bool inverse = d->settings.direction == AG_WAVELET_INVERSE;
    ag_record_step(recording, 0, "load", false);
    if (d->settings.wavelet == AG_WAVELET_CUSTOM)
        ag_wave_record_taps(recording, request, state);
    for (int32_t layer = 0; layer < d->layers; ++layer)
        record_load(recording, request, state, layer);
    for (int32_t step = 0; step < d->plan.levels; ++step) {
        int32_t level = ag_wave_level(d, step);
        ag_record_step(recording, (uint32_t)step + 1, ag_wave_step_name(level), step == 0);
        for (int axis = 0; axis < 2; ++axis)
            record_axis(recording, request, state, level, inverse ? !axis : axis);
    }
    ag_record_step(recording, (uint32_t)d->plan.levels + 1, "store", false);
    for (int32_t layer = 0; layer < d->layers; ++layer)
        record_store(recording, request, state, layer);
}
