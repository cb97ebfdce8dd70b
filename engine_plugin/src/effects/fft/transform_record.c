// transform_record.c - programs, state and dispatches of the effect "fft"
// SPDX-License-Identifier: MIT
#include "effects/fft/transform_record.h"
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "effects/kit/settings.h"
#include "effects/kit/textures.h"
#include "shaders/fft/interface_transform.h"

#include <afterglow/fft.h>
#include <math.h>

enum { SRC = AG_FFT_SRC, DST = AG_FFT_DST, SRC_IMAG = AG_FFT_SRC_IMAG, DST_IMAG = AG_FFT_DST_IMAG };

AG_SETTINGS_OF(ag_fft_settings)

static bool inverse(const ag_request *request)
{
    return settings_of(request).direction == AG_FFT_INVERSE;
}

static bool packed(const ag_request *request)
{
    return settings_of(request).packing == AG_FFT_RGBA_RG;
}

// ---- programs ----------------------------------------------------------------------------------

static ag_status program_of(const ag_preparation *prep, const ag_request *request,
                            const ag_transform *p, const ag_transform_pass *pass,
                            const ag_program **program)
{
    static const char *const paths[] = {[AG_LINES_WHOLE] = "fft/lines.comp",
                                        [AG_LINES_SPREAD_IN] = "fft/spread_in.comp",
                                        [AG_LINES_SPREAD_OUT] = "fft/spread_out.comp",
                                        [AG_LINES_CHIRP] = "fft/lines_chirp.comp",
                                        [AG_LINES_PART] = "fft/lines_part.comp"};
    bool textures = pass->from < 0 || pass->to < 0;
    const ag_format *imag_in = request->formats[SRC_IMAG], *imag_out = request->formats[DST_IMAG];
    ag_defines defines = {0};
    ag_line_defines(&pass->line,
                    pass->kind == AG_LINES_CHIRP ? AG_LINE_FORWARD_AND_INVERSE : AG_LINE_FORWARD,
                    &defines);
    ag_define(&defines, "CHANNELS", p->request.channels);
    ag_define(&defines, "AXIS", pass->axis);
    ag_define(&defines, "INVERSE", textures && inverse(request));
    ag_define(&defines, "FROM_CELLS", pass->from >= 0);
    ag_define(&defines, "TO_CELLS", pass->to >= 0);
    ag_define(&defines, "HALF_IN", pass->half_in);
    if (pass->kind == AG_LINES_PART) {
        ag_define(&defines, "SECOND_PART", pass->second);
        ag_define(&defines, "PART_DOES", pass->does);
    }
    if (pass->from < 0) {
        ag_source_defines(request->formats[SRC], AG_BY_IMAGE, &defines);
        ag_define(&defines, "HAS_IMAG", imag_in != NULL);
        ag_define(&defines, "PACKED_IN", packed(request) && inverse(request));
        if (imag_in)
            ag_defines_add(&defines, "#define IMAG_FORMAT %s\n", imag_in->glsl);
    }
    if (pass->to < 0) {
        ag_define(&defines, "STORE", request->formats[DST]->store);
        ag_define(&defines, "STORES_IMAG", imag_out != NULL);
        ag_define(&defines, "PACKED_OUT", packed(request) && !inverse(request));
        ag_define(&defines, "HERMITIAN", p->request.hermitian);
        if (imag_out)
            ag_define(&defines, "STORE_IMAG", imag_out->store);
    }
    return ag_program_get(prep, paths[pass->kind], &defines, program);
}

ag_status ag_transform_programs(const ag_preparation *prep, const ag_request *request,
                                const void *detail)
{
    const ag_transform *p = &((const ag_transform_detail *)detail)->transform;
    const ag_ladder *ladder = &((const ag_transform_detail *)detail)->ladder;
    ag_status status = AG_OK;
    if (ladder->method)
        return ag_ladder_programs(prep, ladder, NULL);
    for (int32_t i = 0; i < p->passes && status >= 0; ++i)
        status = program_of(prep, request, p, &p->pass[i], NULL);
    return status;
}

ag_status ag_transform_prepare(const ag_preparation *prep, const ag_request *request,
                               const void *detail, const ag_pass_plan *plan, void *old, void *out)
{
    ag_transform_state *state = out;
    const ag_transform *p = &((const ag_transform_detail *)detail)->transform;
    const ag_ladder *ladder = &((const ag_transform_detail *)detail)->ladder;
    (void)plan;
    *state = (ag_transform_state){.plan = *p};
    ag_status status = ladder->method ? ag_ladder_prepare(prep, ladder, &state->ladder) : AG_OK;
    for (int32_t i = 0; i < p->passes && status >= 0; ++i) {
        const ag_transform_pass *pass = &p->pass[i];
        status = program_of(prep, request, p, pass, &state->programs[i]);
        if (status >= 0)
            status = ag_line_twiddles(prep->gpu, &pass->line, &state->twiddles[i]);
        if (status >= 0)
            status = ag_factors_get(prep->gpu, pass, &state->factors[i]);
    }
    if (status >= 0)
        status = ag_info_make(prep->gpu, old, &state->base);
    if (status < 0)
        ag_ladder_free(prep->gpu, &state->ladder, true);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

void ag_transform_free(ag_gpu *gpu, void *out, bool with_gl)
{
    ag_transform_state *state = out;
    ag_ladder_free(gpu, &state->ladder, with_gl);
    ag_info_free(gpu, &state->base, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

void ag_transform_groups(const ag_transform_pass *pass, uint32_t groups[2])
{
    enum { MOST = 32768 }; // GL promises 65535
    uint32_t all = ag_groups(pass->lines, pass->grouped);
    groups[0] = all < MOST ? all : MOST;
    groups[1] = (all + groups[0] - 1) / groups[0];
}

// A factor of NumPy's: 1, 1 / n or 1 / sqrt(n) of the points that are transformed together.
static double scale_of(const ag_request *request, const ag_transform_request *r)
{
    const ag_fft_settings s = settings_of(request);
    double n = (s.axes == AG_FFT_Y ? 1.0 : r->width) * (s.axes == AG_FFT_X ? 1.0 : r->height);
    if (s.norm == AG_FFT_NORM_ORTHO)
        return 1 / sqrt(n);
    return (s.norm == AG_FFT_NORM_FORWARD) == (s.direction == AG_FFT_FORWARD) ? 1 / n : 1;
}

static ag_range cells_of(const ag_request *request, const ag_transform *p, int32_t layer,
                         int32_t buffer)
{
    return buffer < 0 ? (ag_range){0}
                      : ag_part(request->scratch,
                                (uint64_t)(p->cell_bytes * (layer * p->buffers + buffer)),
                                (uint64_t)p->cell_bytes);
}

enum { UNIFORMS = 10 };

static void uniforms_of(const ag_request *request, const ag_transform *p,
                        const ag_transform_pass *pass, ag_uniform *u)
{
    const ag_fft_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const ag_texture *imag_in = &request->slots[SRC_IMAG], *imag_out = &request->slots[DST_IMAG];
    bool x = s.axes != AG_FFT_Y, y = s.axes != AG_FFT_X, centered = s.origin == AG_FFT_CENTERED;
    bool half = s.spectrum == AG_FFT_HALF;
    int32_t shift_x = centered && x && !half ? p->request.width / 2 : 0;
    int32_t shift_y = centered && y && !(half && !x) ? p->request.height / 2 : 0;
    // A real output is a picture, so its missing alpha is 1.
    bool real = s.direction == AG_FFT_INVERSE && !request->formats[DST_IMAG];
    ag_factors f = ag_factors_of(pass);
    const ag_uniform values[UNIFORMS] = {
        AG_INTS(AG_LOC_SRC_RECT, src->rect_x, src->rect_y, src->rect_width, src->rect_height),
        AG_INTS(AG_LOC_SRC_MODE, p->request.channels, 0, s.scrub, 0),
        AG_INTS(AG_LOC_DST_RECT, dst->rect_x, dst->rect_y, dst->rect_width, dst->rect_height),
        AG_INTS(AG_LOC_LINES, pass->lines, pass->length, pass->parts, 0),
        AG_INTS(AG_LOC_CELLS, p->rows, pass->kept, real, 0),
        AG_INTS(AG_LOC_EXTENT, p->request.width, p->request.height, shift_x, shift_y),
        AG_INTS(AG_LOC_OUTPUT, dst->rect_width, dst->rect_height, x, y),
        AG_INTS(AG_LOC_IMAG_RECTS, imag_in->rect_x, imag_in->rect_y, imag_out->rect_x,
                imag_out->rect_y),
        AG_FLOATS(AG_LOC_TRANSFORM_SCALE, (float)scale_of(request, &p->request), 0, 0, 0),
        AG_INTS(AG_LOC_FACTORS, f.chirp, f.product, f.twiddle, 0),
    };
    for (int i = 0; i < UNIFORMS; ++i)
        u[i] = values[i];
}

static void bind_textures(const ag_gpu *gpu, const ag_request *request, int32_t layer, bool in,
                          ag_gl_dispatch *d)
{
    int real = in ? SRC : DST, imag = in ? SRC_IMAG : DST_IMAG;
    ag_source_texture t = ag_source_of(gpu, request, real);
    d->images[in ? AG_IMAGE_SRC : AG_IMAGE_DST] =
        in ? ag_read_packed(&t, layer) : ag_write_image(&t, layer);
    if (!request->formats[imag])
        return;
    t = ag_source_of(gpu, request, imag);
    d->images[in ? AG_IMAGE_SRC_IMAG : AG_IMAGE_DST_IMAG] =
        in ? ag_read_image(&t, layer) : ag_write_image(&t, layer);
}

void ag_transform_execute(ag_recording *recording, const ag_request *request, void *out)
{
    const ag_transform_state *state = out;
    const ag_transform *p = &state->plan;
    if (state->ladder.plan.method) {
        const ag_ladder *ladder = &state->ladder.plan;
        const ag_transform_request size = {.width = ladder->width, .height = ladder->height};
        ag_ladder_record(recording, request, &state->ladder, &state->base.info,
                         (float)scale_of(request, &size));
        return;
    }
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_transform_pass *pass = &p->pass[i];
        ag_uniform uniforms[UNIFORMS];
        uint32_t groups[2];
        uniforms_of(request, p, pass, uniforms);
        ag_transform_groups(pass, groups);
        ag_record_step(recording, (uint32_t)i, pass->name, i > 0);
        for (int32_t layer = 0; layer < request->slots[SRC].layers; ++layer) {
            ag_gl_dispatch d = {.program = state->programs[i],
                                .ranges[AG_SSBO_CELLS_IN] = cells_of(request, p, layer, pass->from),
                                .ranges[AG_SSBO_CELLS_OUT] = cells_of(request, p, layer, pass->to),
                                .ranges[AG_SSBO_TWIDDLE] = ag_whole(state->twiddles[i]),
                                .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                                .uniforms = uniforms,
                                .uniform_count = UNIFORMS,
                                .groups = {groups[0], groups[1], 1}};
            if (state->factors[i])
                d.ranges[AG_SSBO_FACTORS] = ag_whole(state->factors[i]);
            if (pass->from < 0)
                bind_textures(recording->gpu, request, layer, true, &d);
            if (pass->to < 0)
                bind_textures(recording->gpu, request, layer, false, &d);
            ag_record(recording, &d);
        }
    }
}
