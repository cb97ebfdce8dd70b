// fft.c - the effect "fft": the discrete Fourier transform of an image, and its inverse
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/fft/fft_shaders.h"
#include "effects/fft/ladder.h"
#include "effects/fft/transform.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface_transform.h"

#include <afterglow/fft.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_FFT_SRC,
    DST = AG_FFT_DST,
    SRC_IMAG = AG_FFT_SRC_IMAG,
    DST_IMAG = AG_FFT_DST_IMAG,
    SLOTS
};

static const uint32_t float_formats[] = {GL_R16F, GL_RG16F, GL_RGBA16F,
                                         GL_R32F, GL_RG32F, GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the input's real part", AG_READ),
    [DST] = AG_COLOUR_SLOT("dst", "the output's real part", AG_WRITE),
    [SRC_IMAG] = AG_SLOT("src_imag", "the input's imaginary part; empty: the input is real",
                         AG_READ | AG_OPTIONAL, float_formats),
    [DST_IMAG] =
        AG_SLOT("dst_imag", "the output's imaginary part; empty: only the real part is stored",
                AG_WRITE | AG_OPTIONAL, float_formats),
};

static const char *const directions[] = {"forward", "inverse"};
static const char *const norms[] = {"backward", "ortho", "forward"};
static const char *const spectra[] = {"full", "half"};
static const char *const origins[] = {"corner", "centered"};
static const char *const axes[] = {"both", "x", "y"};
static const char *const packings[] = {"planes", "rgba_rg"};
static const char *const methods[] = {"auto",          "tiled",          "multipass",
                                      "shared_radix2", "texture_radix2", "half_threads",
                                      "half_length"};

#define SETTINGS ag_fft_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(direction, "to frequencies, or back", directions, AG_PREPARE_PLAN),
    AG_CHOICE(norm, "which direction divides by the number of points; numpy.fft's names", norms,
              AG_PREPARE_PLAN),
    AG_CHOICE(spectrum, "all frequencies, or those of real data that mirror no other", spectra,
              AG_PREPARE_PLAN),
    AG_CHOICE(origin, "where the spectrum has frequency 0: at texel 0, or in the middle", origins,
              AG_PREPARE_PLAN),
    AG_CHOICE(axes, "which axes are transformed", axes, AG_PREPARE_PLAN),
    AG_CHOICE(packing, "the spectrum's real and imaginary parts: each a texture, or RGBA and RG",
              packings, AG_PREPARE_PLAN),
    AG_CHOICE(method, "how lines are transformed", methods, AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

AG_SETTINGS_OF(ag_fft_settings)

// ---- check -------------------------------------------------------------------------------------

// The sizes of src and dst; of the two, dst knows the parity of a line that half a spectrum gives.
static ag_status check_sizes(const ag_host *host, const ag_request *request)
{
    const ag_fft_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    int32_t in[2] = {src->rect_width, src->rect_height};
    int32_t out[2] = {dst->rect_width, dst->rect_height}, want[2] = {in[0], in[1]};
    int axis = s.axes == AG_FFT_Y;
    if (s.spectrum == AG_FFT_HALF && s.direction == AG_FFT_FORWARD)
        want[axis] = in[axis] / 2 + 1;
    if (s.spectrum == AG_FFT_HALF && s.direction == AG_FFT_INVERSE) {
        if (out[axis] / 2 + 1 != in[axis] || out[!axis] != in[!axis])
            return ag_fail(host, AG_E_SIZE,
                           "fft: dst's rectangle is %dx%d, src's %dx%d with half a spectrum; dst "
                           "must have %d or %d %s, and as many %s as src",
                           out[0], out[1], in[0], in[1], 2 * in[axis] - 2, 2 * in[axis] - 1,
                           axis ? "rows" : "columns", axis ? "columns" : "rows");
    } else if (out[0] != want[0] || out[1] != want[1]) {
        return ag_fail(host, AG_E_SIZE,
                       "fft: dst's rectangle is %dx%d, src's %dx%d; it must be "
                       "%dx%d",
                       out[0], out[1], in[0], in[1], want[0], want[1]);
    }
    ag_status status = ag_check_same_rect(host, request, SRC_IMAG, SRC);
    return status < 0 ? status : ag_check_same_rect(host, request, DST_IMAG, DST);
}

static int32_t channels_of(const ag_request *request)
{
    int32_t in = request->formats[SRC]->channels, out = request->formats[DST]->channels;
    return settings_of(request).packing == AG_FFT_RGBA_RG ? 3 : in < out ? in : out;
}

// packing rgba_rg: which slots hold the spectrum, and their channels.
static ag_status check_packing(const ag_host *host, const ag_request *request)
{
    const ag_fft_settings s = settings_of(request);
    bool inverse = s.direction == AG_FFT_INVERSE;
    int first = inverse ? SRC : DST, second = inverse ? SRC_IMAG : DST_IMAG;
    int other = inverse ? DST_IMAG : SRC_IMAG, real = inverse ? DST : SRC;
    if (!request->formats[second])
        return ag_fail(host, AG_E_ARG, "fft: slot %s is empty; packing rgba_rg needs it",
                       slots[second].name);
    if (request->formats[other])
        return ag_fail(host, AG_E_ARG,
                       "fft: slot %s is set; with packing rgba_rg the side that "
                       "is no spectrum is real, so leave it empty",
                       slots[other].name);
    if (request->formats[first]->channels != 4 || request->formats[second]->channels != 2 ||
        request->formats[real]->channels < 3)
        return ag_fail(host, AG_E_FORMAT,
                       "fft: packing rgba_rg takes a texture of 4 channels in "
                       "%s, of 2 in %s and of 3 or 4 in %s; they have %d, %d and %d",
                       slots[first].name, slots[second].name, slots[real].name,
                       request->formats[first]->channels, request->formats[second]->channels,
                       request->formats[real]->channels);
    return AG_OK;
}

static ag_status check_slots(const ag_host *host, const ag_request *request)
{
    const ag_fft_settings s = settings_of(request);
    bool half = s.spectrum == AG_FFT_HALF;
    if (half && s.direction == AG_FFT_FORWARD && request->formats[SRC_IMAG])
        return ag_fail(host, AG_E_ARG,
                       "fft: slot src_imag is set; spectrum half is that of a real "
                       "input, so leave it empty");
    if (half && s.direction == AG_FFT_INVERSE && request->formats[DST_IMAG])
        return ag_fail(host, AG_E_ARG,
                       "fft: slot dst_imag is set; the inverse of half a spectrum "
                       "is real, so leave it empty");
    if (s.packing == AG_FFT_RGBA_RG)
        return check_packing(host, request);
    int32_t channels = channels_of(request);
    for (uint32_t i = SRC_IMAG; i <= DST_IMAG; ++i)
        if (request->formats[i] && request->formats[i]->channels < channels)
            return ag_fail(host, AG_E_FORMAT,
                           "fft: slot %s has %d channels; %d are transformed, "
                           "and it must have as many or more",
                           slots[i].name, request->formats[i]->channels, channels);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_status status = check_slots(host, request);
    (void)shape;
    if (status >= 0)
        status = check_sizes(host, request);
    if (status >= 0 && ag_ladder_chosen(request))
        status = ag_ladder_check(host, request);
    for (int i = DST; i < SLOTS && status >= 0; ++i)
        status = ag_check_same_layers(host, request, i, SRC);
    return status;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_fft_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    int axis = s.axes == AG_FFT_Y;
    (void)slot;
    size[0] = src->rect_width;
    size[1] = src->rect_height;
    size[2] = src->layers;
    if (s.spectrum == AG_FFT_HALF && s.direction == AG_FFT_FORWARD)
        size[axis] = size[axis] / 2 + 1;
    else if (s.spectrum == AG_FFT_HALF)
        size[axis] = size[axis] > 1 ? 2 * (size[axis] - 1) : 1;
}

// ---- plan --------------------------------------------------------------------------------------

// The size of the image that is transformed: the side that is no half spectrum.
static const ag_texture *image_of(const ag_request *request)
{
    const ag_fft_settings s = settings_of(request);
    bool inverse_half = s.spectrum == AG_FFT_HALF && s.direction == AG_FFT_INVERSE;
    return &request->slots[inverse_half ? DST : SRC];
}

typedef struct fft_design { // one of the two
    ag_ladder ladder;
    ag_transform transform; // where ladder.method is 0
} fft_design;

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_fft_settings s = settings_of(request);
    const ag_texture *image = image_of(request);
    fft_design *d = out;
    ag_transform *p = &d->transform;
    *d = (fft_design){.ladder.method = 0};
    ag_transform_request want = {.width = image->rect_width,
                                 .height = image->rect_height,
                                 .channels = channels_of(request),
                                 .axes = s.axes,
                                 .multipass = s.method == AG_FFT_MULTIPASS,
                                 .only_tiled = s.method == AG_FFT_TILED,
                                 .hermitian = !request->formats[SRC_IMAG],
                                 .half_in =
                                     s.spectrum == AG_FFT_HALF && s.direction == AG_FFT_INVERSE,
                                 .spread_points = request->tuning.spread_points,
                                 .max_invocations = gl->max_invocations};
    want.hermitian = want.hermitian && !want.half_in;
    ag_status status = ag_units_check(host, gl, SLOTS, "fft", "its four slots");
    if (status < 0)
        return status;
    if (ag_ladder_chosen(request)) {
        ag_ladder_plan(request, &d->ladder);
        return AG_OK;
    }
    if (want.width > AG_TRANSFORM_MAX || want.height > AG_TRANSFORM_MAX)
        return ag_fail(host, AG_E_SIZE, "fft: %dx%d is transformed; the limit is %d", want.width,
                       want.height, AG_TRANSFORM_MAX);
    char error[160];
    if (!ag_transform_plan(&want, p, error, sizeof error))
        return ag_fail(host, AG_E_SIZE, "fft: %s", error);
    p->cell_bytes = ag_align_up(p->cell_bytes, gl->ssbo_alignment);
    if (p->buffers && p->cell_bytes > gl->max_ssbo_bytes)
        return ag_fail(host, AG_E_SIZE,
                       "fft: %dx%d with %d channels needs a block of %lld bytes; "
                       "this context's storage blocks hold %lld",
                       want.width, want.height, want.channels, (long long)p->cell_bytes,
                       (long long)gl->max_ssbo_bytes);
    return AG_OK;
}

// ---- frame -------------------------------------------------------------------------------------

static ag_shader *shader_of(ag_frame *f, const ag_transform *p, const ag_transform_pass *pass)
{
    static const char *const paths[] = {[AG_LINES_WHOLE] = "fft/lines.comp",
                                        [AG_LINES_SPREAD_IN] = "fft/spread_in.comp",
                                        [AG_LINES_SPREAD_OUT] = "fft/spread_out.comp",
                                        [AG_LINES_CHIRP] = "fft/lines_chirp.comp",
                                        [AG_LINES_PART] = "fft/lines_part.comp"};
    bool chirp = pass->kind == AG_LINES_CHIRP;
    ag_shader *shader = ag_line_shader(f, paths[pass->kind], &pass->line,
                                       chirp ? AG_LINE_FORWARD_AND_INVERSE : AG_LINE_FORWARD);
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return shader;
    const ag_request *request = ag_frame_request(f);
    const ag_fft_settings s = settings_of(request);
    const ag_format *imag_in = request->formats[SRC_IMAG], *imag_out = request->formats[DST_IMAG];
    bool inverse = s.direction == AG_FFT_INVERSE, packed = s.packing == AG_FFT_RGBA_RG;
    ag_define(defines, "CHANNELS", p->request.channels);
    ag_define(defines, "AXIS", pass->axis);
    ag_define(defines, "INVERSE", (pass->from < 0 || pass->to < 0) && inverse);
    ag_define(defines, "FROM_CELLS", pass->from >= 0);
    ag_define(defines, "TO_CELLS", pass->to >= 0);
    ag_define(defines, "HALF_IN", pass->half_in);
    if (pass->kind == AG_LINES_PART) {
        ag_define(defines, "SECOND_PART", pass->second);
        ag_define(defines, "PART_DOES", pass->does);
    }
    if (pass->from < 0) {
        ag_shader_reads(f, shader, SRC);
        ag_define(defines, "HAS_IMAG", imag_in != NULL);
        ag_define(defines, "PACKED_IN", packed && inverse);
        if (imag_in)
            ag_defines_add(defines, "#define IMAG_FORMAT %s\n", imag_in->glsl);
    }
    if (pass->to < 0) {
        ag_define(defines, "STORE", request->formats[DST]->store);
        ag_define(defines, "STORES_IMAG", imag_out != NULL);
        ag_define(defines, "PACKED_OUT", packed && !inverse);
        ag_define(defines, "HERMITIAN", p->request.hermitian);
        if (imag_out)
            ag_define(defines, "STORE_IMAG", imag_out->store);
    }
    return shader;
}

static void groups_of(const ag_transform_pass *pass, uint32_t groups[2])
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

static void bind(const ag_frame *f, const ag_transform_pass *pass, int32_t layer, ag_dispatch *d)
{
    const ag_request *request = ag_frame_request(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    if (pass->from < 0) {
        d->images[AG_IMAGE_SRC] = ag_packed_view(&src, AG_READ, layer);
        if (request->formats[SRC_IMAG])
            d->images[AG_IMAGE_SRC_IMAG] = ag_slot_view(SRC_IMAG, AG_READ, layer);
    }
    if (pass->to < 0) {
        d->images[AG_IMAGE_DST] = ag_slot_view(DST, AG_WRITE, layer);
        if (request->formats[DST_IMAG])
            d->images[AG_IMAGE_DST_IMAG] = ag_slot_view(DST_IMAG, AG_WRITE, layer);
    }
}

// Cells of a layer, and how many values of a line move: of a whole one those that it has.
static ag_block cells_of(const ag_transform *p, const ag_transform_pass *pass, int32_t layer,
                         ag_handle of, uint32_t access)
{
    uint64_t bytes = (uint64_t)p->cell_bytes;
    int64_t values = pass->parts > 1     ? pass->line.length
                     : access == AG_READ ? pass->length
                                         : pass->kept;
    return (ag_block){.of = of,
                      .access = access,
                      .at = bytes * (uint64_t)layer,
                      .bytes = bytes,
                      .moves = (uint64_t)(8 * values * pass->lines * p->request.channels)};
}

static void transform_frame(ag_frame *f, const ag_transform *p)
{
    static const char *const names[] = {"cells 0", "cells 1"};
    const int32_t layers = ag_frame_request(f)->slots[SRC].layers;
    if (ag_frame_is_planned(f)) {
        char lines[384];
        ag_transform_describe(p, lines, sizeof lines);
        ag_frame_text(f, "fft: %dx%d, %d channels; %s", p->request.width, p->request.height,
                      p->request.channels, lines);
    }
    ag_handle info = ag_frame_info(f), cells[2];
    for (int32_t i = 0; i < p->buffers; ++i)
        cells[i] = ag_scratch(f, names[i], (uint64_t)(p->cell_bytes * layers));
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_transform_pass *pass = &p->pass[i];
        ag_shader *shader = shader_of(f, p, pass);
        ag_handle twiddles = ag_frame_twiddles(f, &pass->line), factors = ag_frame_factors(f, pass);
        ag_uniform uniforms[UNIFORMS];
        uint32_t groups[2];
        uniforms_of(ag_frame_request(f), p, pass, uniforms);
        groups_of(pass, groups);
        ag_frame_step(f, pass->name);
        for (int32_t layer = 0; layer < layers; ++layer) {
            ag_dispatch d = {.shader = shader,
                             .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddles, AG_READ),
                             .ranges[AG_SSBO_FACTORS] = ag_all(factors, AG_READ),
                             .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                             .uniforms = uniforms,
                             .uniform_count = UNIFORMS,
                             .groups = {groups[0], groups[1], 1}};
            if (pass->from >= 0)
                d.ranges[AG_SSBO_CELLS_IN] = cells_of(p, pass, layer, cells[pass->from], AG_READ);
            if (pass->to >= 0)
                d.ranges[AG_SSBO_CELLS_OUT] = cells_of(p, pass, layer, cells[pass->to], AG_WRITE);
            bind(f, pass, layer, &d);
            ag_frame_dispatch(f, &d);
        }
    }
}

static void frame(ag_frame *f)
{
    const fft_design *d = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    if (!d->ladder.method) {
        transform_frame(f, &d->transform);
        return;
    }
    const ag_transform_request size = {.width = d->ladder.width, .height = d->ladder.height};
    ag_ladder_frame(f, &d->ladder, (float)scale_of(request, &size));
}

const ag_effect ag_effect_fft = {
    .info = AG_EFFECT_INFO("fft",
                           "the Fourier transform of an image and its inverse, as numpy.fft "
                           "has them",
                           SLOTS, 0),
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(fft_design),
};
