// spectrum.c - the effect "spectrum": magnitudes of the Fourier transform as a picture
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"

#include <afterglow/spectrum.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_SPECTRUM_SRC, DST = AG_SPECTRUM_DST };

static const ag_slot_info slots[] = {
    AG_COLOUR_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("dst", "its spectrum, of src's size", AG_WRITE),
};

static const char *const channel_names[] = {"each", "luminance"};
static const char *const windows[] = {"none", "hann"};

#define SETTINGS ag_spectrum_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(channels, "a spectrum for each channel, or one of luminance", channel_names),
    AG_CHOICE(window, "fade the image out towards its edges first", windows),
    AG_SWITCH(log, "a scale in dB instead of plain magnitudes", 1),
    AG_REAL(range, "dB", "from 0 to 1 on that scale", 1, 400, 100),
    AG_REAL(gain, "dB", "of the magnitudes, before the scale", -200, 200, 0),
    AG_SWITCH(centred, "frequency 0 in the middle instead of at texel 0,0", 1),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

enum { MAX_CHANNELS = 3 }; // colour; alpha has none

typedef struct spectrum_plan {
    ag_fft_line x, y;
    int32_t channels, pairs;
    // Of a channel: what rows write and columns read; what columns write and the view reads.
    // Scratch holds, for layer after layer, all of the first and then all of the second.
    int64_t rows_bytes, columns_bytes;
    int64_t scratch_bytes;
} spectrum_plan;

typedef struct spectrum_state {
    ag_state base;
    spectrum_plan plan;
    const ag_program *rows, *columns, *view;
    const ag_memory *twiddle_x, *twiddle_y; // of the device
} spectrum_state;

AG_SETTINGS_OF(ag_spectrum_settings)

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    int32_t plan[] = {(int32_t)src->format, (int32_t)dst->format, src->rect_width, src->rect_height,
                      src->layers};
    memcpy(shape->plan, plan, sizeof plan);
    return ag_check_same_size(host, request, DST, SRC);
}

// ---- plan --------------------------------------------------------------------------------------

// A line whose frequencies include those of `size` points: as long, or twice as long (for odd rows,
// and for 1). Else any line that is long enough.
static bool plan_axis(int32_t size, bool row, int32_t max_invocations, ag_fft_line *line)
{
    return ag_fft_plan_line(size, row, max_invocations, line) ||
           (size % 2 && ag_fft_plan_line(2 * size, row, max_invocations, line)) ||
           ag_fft_plan_line(ag_fft_good_length(size, row, max_invocations), row, max_invocations,
                            line);
}

static void describe(const ag_request *request, const spectrum_plan *p, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    int32_t columns = p->x.length / 2 + 1;
    uint64_t layers = (uint64_t)src->layers, channels = (uint64_t)p->channels;
    uint64_t texels = ag_slot_texels(request, SRC);
    uint64_t half = (uint64_t)columns * 8 * channels * layers; // bytes a row
    uint64_t rows = half * (uint64_t)src->rect_height, frequencies = half * (uint64_t)p->y.length;
    plan->steps[0] = (ag_step){.name = "rows",
                               .dispatches = (uint32_t)layers,
                               .groups = {ag_groups(p->pairs, p->x.lines), 1, 1},
                               .shared_bytes = (uint32_t)ag_fft_shared_bytes(&p->x),
                               .bytes = texels * (uint64_t)request->formats[SRC]->bytes + rows,
                               .instructions = (uint64_t)p->x.instructions * (uint64_t)p->pairs *
                                               channels * layers};
    plan->steps[1] = (ag_step){.name = "columns",
                               .dispatches = (uint32_t)(channels * layers),
                               .groups = {ag_groups(columns, p->y.lines), 1, 1},
                               .shared_bytes = (uint32_t)ag_fft_shared_bytes(&p->y),
                               .bytes = rows + frequencies,
                               .instructions = (uint64_t)p->y.instructions * (uint64_t)columns *
                                               channels * layers};
    plan->steps[2] =
        (ag_step){.name = "view",
                  .dispatches = (uint32_t)layers,
                  .groups = {ag_groups(src->rect_width, 16), ag_groups(src->rect_height, 16), 1},
                  .bytes = texels * (uint64_t)request->formats[DST]->bytes + frequencies,
                  .instructions = texels * (20 + 20 * channels)};
    plan->head.step_count = 3;
    ag_plan_scratch(plan, (uint64_t)p->scratch_bytes, 2);
    ag_plan_slot(plan, request, SRC, 0, 0);
    ag_plan_slot(plan, request, DST, 2, 2);
    plan->head.persistent_bytes =
        AG_INFO_BYTES +
        16 * (uint64_t)(ag_fft_twiddle_count(&p->x, true) + ag_fft_twiddle_count(&p->y, true));
    char x[128], y[128];
    ag_fft_describe(&p->x, x, sizeof x);
    ag_fft_describe(&p->y, y, sizeof y);
    snprintf(plan->head.text, sizeof plan->head.text,
             "fft: %dx%d in %dx%d points; rows %s; columns %s", src->rect_width, src->rect_height,
             p->x.length, p->y.length, x, y);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    spectrum_plan *p = out;
    memset(p, 0, sizeof *p);
    if (src->rect_width > AG_FFT_MAX_LENGTH || src->rect_height > AG_FFT_MAX_LENGTH)
        return ag_fail(host, AG_E_SIZE, "spectrum: src is %dx%d; the limit is %d", src->rect_width,
                       src->rect_height, AG_FFT_MAX_LENGTH);
    if (!plan_axis(src->rect_width, true, gl->max_invocations, &p->x) ||
        !plan_axis(src->rect_height, false, gl->max_invocations, &p->y))
        return ag_fail(host, AG_E_SIZE, "spectrum: %dx%d needs more than %d threads a group",
                       src->rect_width, src->rect_height, gl->max_invocations);
    int32_t channels = request->formats[SRC]->channels, columns = p->x.length / 2 + 1;
    p->channels = channels < MAX_CHANNELS ? channels : MAX_CHANNELS;
    p->pairs = ag_div_up(src->rect_height, 2);
    p->rows_bytes =
        ag_align_up((int64_t)ag_div_up(columns, AG_FFT_TILE) * AG_FFT_TILE * 16 * p->pairs,
                    gl->ssbo_alignment);
    p->columns_bytes =
        ag_align_up((int64_t)ag_div_up(columns, p->y.lines) * p->y.lines * 8 * p->y.length,
                    gl->ssbo_alignment);
    p->scratch_bytes = (p->rows_bytes + p->columns_bytes) * p->channels * src->layers;
    int64_t largest = p->rows_bytes > p->columns_bytes ? p->rows_bytes : p->columns_bytes;
    if (largest > gl->max_ssbo_bytes)
        return ag_fail(
            host, AG_E_SIZE,
            "spectrum: %dx%d needs %lld bytes a channel; this context's storage blocks hold %lld",
            src->rect_width, src->rect_height, (long long)largest, (long long)gl->max_ssbo_bytes);
    describe(request, p, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status rows_program(const ag_preparation *prep, const ag_request *request,
                              const spectrum_plan *p, const ag_program **program)
{
    ag_defines defines = {0};
    ag_line_defines(&p->x, AG_LINE_FORWARD, &defines);
    ag_source_defines(request->formats[SRC], AG_BY_IMAGE, &defines);
    ag_define(&defines, "CHANNELS", p->channels);
    ag_define(&defines, "BAND_LIMITED", 0);
    ag_define(&defines, "NARROW", 0);
    return ag_program_get(prep, "fft/spectrum_rows.comp", &defines, program);
}

static ag_status columns_program(const ag_preparation *prep, const spectrum_plan *p,
                                 const ag_program **program)
{
    ag_defines defines = {0};
    ag_line_defines(&p->y, AG_LINE_FORWARD, &defines);
    ag_define(&defines, "BORDERED", 0);
    ag_define(&defines, "PADDED", 2 * p->pairs != p->y.length);
    return ag_program_get(prep, "fft/kernel_columns.comp", &defines, program);
}

static ag_status view_program(const ag_preparation *prep, const ag_request *request,
                              const ag_program **program)
{
    ag_defines defines = {0};
    ag_define(&defines, "STORE", request->formats[DST]->store);
    return ag_program_get(prep, "fft/spectrum_view.comp", &defines, program);
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const spectrum_plan *p = detail;
    ag_status status = rows_program(prep, request, p, NULL);
    if (status >= 0)
        status = columns_program(prep, p, NULL);
    return status < 0 ? status : view_program(prep, request, NULL);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    spectrum_state *state = out;
    const spectrum_plan *p = detail;
    (void)plan;
    *state = (spectrum_state){.plan = *p};
    ag_status status = rows_program(prep, request, p, &state->rows);
    if (status >= 0)
        status = columns_program(prep, p, &state->columns);
    if (status >= 0)
        status = view_program(prep, request, &state->view);
    if (status >= 0)
        status = ag_line_twiddles(prep->gpu, &p->x, &state->twiddle_x);
    if (status >= 0)
        status = ag_line_twiddles(prep->gpu, &p->y, &state->twiddle_y);
    if (status >= 0)
        status = ag_info_make(prep->gpu, old, &state->base);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    spectrum_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

// What rows wrote for a channel of a layer.
static ag_range rows_range(const ag_request *request, const spectrum_state *state, int32_t layer,
                           int32_t channel)
{
    const spectrum_plan *p = &state->plan;
    int64_t at = (p->rows_bytes + p->columns_bytes) * p->channels * layer + p->rows_bytes * channel;
    return ag_part(request->scratch, (uint64_t)at, (uint64_t)p->rows_bytes);
}

static ag_range columns_range(const ag_request *request, const spectrum_state *state, int32_t layer,
                              int32_t channel)
{
    const spectrum_plan *p = &state->plan;
    ag_range range = rows_range(request, state, layer, p->channels);
    range.offset += (uint64_t)(p->columns_bytes * channel);
    range.bytes = (uint64_t)p->columns_bytes;
    return range;
}

static void record_rows(ag_recording *recording, const ag_request *request,
                        const spectrum_state *state)
{
    const spectrum_plan *p = &state->plan;
    ag_spectrum_settings s = settings_of(request);
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    const ag_texture *t = src.texture;
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
        AG_INTS(AG_LOC_SRC_MODE, p->channels, 0, s.scrub, 0),
        AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->x.length / 2 + 1, 0, 0),
        AG_INTS(AG_LOC_WINDOW, s.window, 0, 0, 0),
    };
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_gl_dispatch d = {.program = state->rows,
                            .images[AG_IMAGE_SRC] = ag_read_packed(&src, layer),
                            .ranges[AG_SSBO_TWIDDLE] = ag_whole(state->twiddle_x),
                            .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                            .uniforms = uniforms,
                            .uniform_count = AG_COUNT_OF(uniforms),
                            .groups = {ag_groups(p->pairs, p->x.lines), 1, 1}};
        for (int32_t i = 0; i < 4; ++i)
            d.ranges[AG_SSBO_SPECTRUM + i] =
                rows_range(request, state, layer, i < p->channels ? i : 0);
        ag_record(recording, &d);
    }
}

// The sum of a window's weights over a line: of sin^2(pi (x + 1/2) / n), n / 2 but for n = 1.
static double window_sum(int32_t window, int32_t size)
{
    return window == AG_WINDOW_NONE || size == 1 ? size : 0.5 * size;
}

static void record_columns(ag_recording *recording, const ag_request *request,
                           const spectrum_state *state)
{
    const spectrum_plan *p = &state->plan;
    const ag_texture *src = &request->slots[SRC];
    int32_t window = settings_of(request).window, columns = p->x.length / 2 + 1;
    // Rows leave twice the spectrum.
    double scale =
        0.5 / (window_sum(window, src->rect_width) * window_sum(window, src->rect_height));
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_SPECTRUM, p->pairs, columns, 0, 0),
        AG_INTS(AG_LOC_CHANNELS, 1, 1, 0, 0),
        AG_INTS(AG_LOC_KERNEL, 0, 0, AG_KERNEL_COMPLEX, 0),
        AG_FLOATS(AG_LOC_SCALE, (float)scale, 0, 0, 0),
    };
    for (int32_t layer = 0; layer < src->layers; ++layer)
        for (int32_t i = 0; i < p->channels; ++i)
            ag_record(
                recording,
                &(ag_gl_dispatch){.program = state->columns,
                                  .ranges[AG_SSBO_SPECTRUM] = rows_range(request, state, layer, i),
                                  .ranges[AG_SSBO_KERNEL] = columns_range(request, state, layer, i),
                                  .ranges[AG_SSBO_TWIDDLE] = ag_whole(state->twiddle_y),
                                  .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                                  .uniforms = uniforms,
                                  .uniform_count = AG_COUNT_OF(uniforms),
                                  .groups = {ag_groups(columns, p->y.lines), 1, 1}});
}

static void record_view(ag_recording *recording, const ag_request *request,
                        const spectrum_state *state)
{
    const spectrum_plan *p = &state->plan;
    ag_spectrum_settings s = settings_of(request);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    const ag_texture *t = dst.texture;
    bool one = p->channels == 1;
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_DST_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
        AG_INTS(AG_LOC_VIEW, p->x.length, p->y.length, p->y.lines, s.centred),
        AG_INTS(AG_LOC_CHANNELS, p->channels, 0, 0, 0),
        AG_FLOATS(AG_LOC_GAIN, one ? 1.0f : 0.2126f, 0.7152f, 0.0722f, 0),
        AG_FLOATS(AG_LOC_VIEW_SCALE, (float)pow(10, (double)s.gain / 20), s.log ? s.range : 0,
                  s.channels == AG_SPECTRUM_LUMINANCE, 0),
    };
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_gl_dispatch d = {.program = state->view,
                            .images[AG_IMAGE_DST] = ag_write_image(&dst, layer),
                            .uniforms = uniforms,
                            .uniform_count = AG_COUNT_OF(uniforms),
                            .groups = {ag_groups(t->rect_width, 16), ag_groups(t->rect_height, 16),
                                       1}};
        for (int32_t i = 0; i < MAX_CHANNELS; ++i)
            d.ranges[AG_SSBO_SPECTRUM + i] =
                columns_range(request, state, layer, i < p->channels ? i : 0);
        ag_record(recording, &d);
    }
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const spectrum_state *state = out;
    ag_record_step(recording, 0, "rows", false);
    record_rows(recording, request, state);
    ag_record_step(recording, 1, "columns", true);
    record_columns(recording, request, state);
    ag_record_step(recording, 2, "view", true);
    record_view(recording, request, state);
}

const ag_effect ag_effect_spectrum = {
    .info = AG_EFFECT_INFO("spectrum", "magnitudes of an image's Fourier transform, in dB",
                           AG_IMAGE_COUNT, 0),
    .state_bytes = sizeof(spectrum_state),
    .detail_bytes = sizeof(spectrum_plan),
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
