// spectrum.c - the effect "spectrum": magnitudes of the Fourier transform as a picture
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/fft/fft_shaders.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <afterglow/spectrum.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_SPECTRUM_SRC, DST = AG_SPECTRUM_DST };

static const ag_slot_info slots[] = {
    AG_COLOUR_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("dst", "its spectrum, of src's size", AG_WRITE),
};

AG_SETTINGS(spectrum, SPECTRUM)

enum { MAX_CHANNELS = 3 }; // colour; alpha has none

static ag_status check(const ag_host *host, ag_request *request)
{
    return ag_check_same_size(host, request, DST, SRC);
}

// ---- plan --------------------------------------------------------------------------------------

typedef struct spectrum_design {
    ag_fft_line x, y;
    int32_t channels, pairs, columns;
    // Of a channel: what rows write and columns read; what columns write and the view reads.
    int64_t rows_bytes, columns_bytes;
} spectrum_design;

// A line whose frequencies include those of `size` points: as long, or twice as long (for odd rows,
// and for 1). Else any line that is long enough.
static bool plan_axis(int32_t size, bool row, int32_t max_invocations, ag_fft_line *line)
{
    return ag_fft_plan_line(size, row, max_invocations, line) ||
           (size % 2 && ag_fft_plan_line(2 * size, row, max_invocations, line)) ||
           ag_fft_plan_line(ag_fft_good_length(size, row, max_invocations), row, max_invocations,
                            line);
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_texture *src = &request->slots[SRC];
    spectrum_design *d = out;
    AG_TRY(ag_check_limit(host, request, SRC, AG_FFT_MAX_LENGTH));
    *d = (spectrum_design){.channels = ag_min(request->formats[SRC]->channels, MAX_CHANNELS)};
    if (!plan_axis(src->rect_width, true, gl->max_invocations, &d->x) ||
        !plan_axis(src->rect_height, false, gl->max_invocations, &d->y))
        return ag_fail(host, AG_E_SIZE, "spectrum: %dx%d needs more than %d threads a group",
                       src->rect_width, src->rect_height, gl->max_invocations);
    d->columns = d->x.length / 2 + 1;
    d->pairs = ag_div_up(src->rect_height, 2);
    d->rows_bytes =
        ag_align_up(ag_align_up(d->columns, AG_FFT_TILE) * 16 * d->pairs, gl->ssbo_alignment);
    d->columns_bytes =
        ag_align_up(ag_align_up(d->columns, d->y.lines) * 8 * d->y.length, gl->ssbo_alignment);
    return ag_check_block(host, gl, request, SRC, ag_max64(d->rows_bytes, d->columns_bytes));
}

// ---- frame -------------------------------------------------------------------------------------

// A channel of a layer. Shaders have bindings for more channels than there may be.
static ag_block part(const spectrum_design *d, ag_handle of, uint32_t access, int64_t bytes,
                     int32_t layer, int32_t channel)
{
    bool has = channel < d->channels;
    int64_t number = (int64_t)layer * d->channels + (has ? channel : 0);
    return ag_block_of(of, has ? access : 0, (uint64_t)(number * bytes), (uint64_t)bytes);
}

static void rows(ag_frame *f, const spectrum_design *d, ag_handle info, ag_handle lines)
{
    const ag_spectrum_settings s = settings_of(ag_frame_request(f));
    const ag_picture src = ag_slot_picture(f, SRC);
    ag_shader *shader = ag_line_shader(f, "fft/spectrum_rows.comp", &d->x, AG_LINE_FORWARD);
    ag_shader_reads_packed(shader, &src);
    ag_shader_define(shader, "CHANNELS", d->channels);
    ag_shader_define(shader, "BAND_LIMITED", 0);
    ag_shader_define(shader, "NARROW", 0);
    ag_handle twiddles = ag_frame_twiddles(f, &d->x);
    ag_uniform uniforms[] = {
        [2] = AG_INTS(AG_LOC_SPECTRUM, d->pairs, d->columns, 0, 0),
        AG_INTS(AG_LOC_WINDOW, s.window, 0, 0, 0),
    };
    ag_read_uniforms(uniforms, &src, d->channels, s.scrub, 0);
    ag_frame_step(f, "rows");
    for (int32_t layer = 0; layer < src.shape->layers; ++layer) {
        ag_dispatch dispatch = {.shader = shader,
                                .images[AG_IMAGE_SRC] = ag_packed_view(&src, AG_READ, layer),
                                .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddles, AG_READ),
                                .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                                AG_UNIFORMS(uniforms),
                                .groups = {ag_groups(d->pairs, d->x.lines), 1, 1}};
        for (int32_t i = 0; i < 4; ++i)
            dispatch.ranges[AG_SSBO_SPECTRUM + i] =
                part(d, lines, AG_WRITE, d->rows_bytes, layer, i);
        ag_frame_dispatch(f, &dispatch);
    }
}

// The sum of a window's weights over a line: of sin^2(pi (x + 1/2) / n), n / 2 but for n = 1.
static double window_sum(int32_t window, int32_t size)
{
    return window == AG_WINDOW_NONE || size == 1 ? size : 0.5 * size;
}

static void columns(ag_frame *f, const spectrum_design *d, ag_handle info, ag_handle lines,
                    ag_handle spectra)
{
    const ag_texture *src = &ag_frame_request(f)->slots[SRC];
    int32_t window = settings_of(ag_frame_request(f)).window;
    ag_shader *shader = ag_line_shader(f, "fft/kernel_columns.comp", &d->y, AG_LINE_FORWARD);
    ag_shader_define(shader, "BORDERED", 0);
    ag_shader_define(shader, "PADDED", 2 * d->pairs != d->y.length);
    ag_handle twiddles = ag_frame_twiddles(f, &d->y);
    // Rows leave twice the spectrum.
    double scale =
        0.5 / (window_sum(window, src->rect_width) * window_sum(window, src->rect_height));
    const ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_SPECTRUM, d->pairs, d->columns, 0, 0),
        AG_INTS(AG_LOC_CHANNELS, 1, 1, 0, 0),
        AG_INTS(AG_LOC_KERNEL, 0, 0, AG_KERNEL_COMPLEX, 0),
        AG_FLOATS(AG_LOC_SCALE, (float)scale, 0, 0, 0),
    };
    ag_frame_step(f, "columns");
    for (int32_t layer = 0; layer < src->layers; ++layer)
        for (int32_t i = 0; i < d->channels; ++i)
            ag_frame_dispatch(
                f, &(ag_dispatch){.shader = shader,
                                  .ranges[AG_SSBO_SPECTRUM] =
                                      part(d, lines, AG_READ, d->rows_bytes, layer, i),
                                  .ranges[AG_SSBO_KERNEL] =
                                      part(d, spectra, AG_WRITE, d->columns_bytes, layer, i),
                                  .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddles, AG_READ),
                                  .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ),
                                  AG_UNIFORMS(uniforms),
                                  .groups = {ag_groups(d->columns, d->y.lines), 1, 1}});
}

static void view(ag_frame *f, const spectrum_design *d, ag_handle spectra)
{
    const ag_spectrum_settings s = settings_of(ag_frame_request(f));
    const ag_picture dst = ag_slot_picture(f, DST);
    const ag_texture *t = dst.shape;
    ag_shader *shader = ag_frame_shader(f, "fft/spectrum_view.comp");
    ag_shader_define(shader, "STORE", dst.format->store);
    const ag_uniform uniforms[] = {
        ag_rect_uniform(AG_LOC_DST_RECT, t),
        AG_INTS(AG_LOC_VIEW, d->x.length, d->y.length, d->y.lines, s.centred),
        AG_INTS(AG_LOC_CHANNELS, d->channels, 0, 0, 0),
        AG_FLOATS(AG_LOC_GAIN, d->channels == 1 ? 1.0f : 0.2126f, 0.7152f, 0.0722f, 0),
        AG_FLOATS(AG_LOC_VIEW_SCALE, (float)pow(10, (double)s.gain / 20), s.log ? s.range : 0,
                  s.channels == AG_SPECTRUM_LUMINANCE, 0),
    };
    ag_frame_step(f, "view");
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_dispatch dispatch = {.shader = shader,
                                .images[AG_IMAGE_DST] = ag_picture_view(&dst, AG_WRITE, layer),
                                AG_UNIFORMS(uniforms),
                                .groups = {ag_groups(t->rect_width, 16),
                                           ag_groups(t->rect_height, 16), 1}};
        for (int32_t i = 0; i < MAX_CHANNELS; ++i)
            dispatch.ranges[AG_SSBO_SPECTRUM + i] =
                part(d, spectra, AG_READ, d->columns_bytes, layer, i);
        ag_frame_dispatch(f, &dispatch);
    }
}

static void frame(ag_frame *f)
{
    const spectrum_design *d = ag_frame_design(f);
    const ag_texture *src = &ag_frame_request(f)->slots[SRC];
    ag_frame_text(f, "fft: %dx%d in %dx%d points", src->rect_width, src->rect_height, d->x.length,
                  d->y.length);
    ag_lines_say(f, &d->x, &d->y);
    int64_t channels = (int64_t)d->channels * src->layers;
    ag_handle info = ag_frame_info(f);
    ag_handle lines = ag_scratch(f, "rows", (uint64_t)(d->rows_bytes * channels));
    ag_handle spectra = ag_scratch(f, "spectra", (uint64_t)(d->columns_bytes * channels));
    rows(f, d, info, lines);
    columns(f, d, info, lines, spectra);
    view(f, d, spectra);
}

const ag_effect ag_effect_spectrum = {
    .info = AG_EFFECT_INFO("spectrum", "magnitudes of an image's Fourier transform, in dB",
                           AG_IMAGE_COUNT, 0),
    .check = check,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(spectrum_design),
};
