// fft.c - the effect "fft": the discrete Fourier transform of an image, and its inverse
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/transform_record.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/kit/units.h"

#include <afterglow/fft.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
    const ag_texture *src = &request->slots[SRC];
    ag_fft_settings s = settings_of(request);
    ag_status status = check_slots(host, request);
    if (status >= 0)
        status = check_sizes(host, request);
    if (status >= 0 && ag_ladder_chosen(request))
        status = ag_ladder_check(host, request);
    for (int i = DST; i < SLOTS && status >= 0; ++i)
        status = ag_check_same_layers(host, request, i, SRC);
    s.scrub = 0; // not structural
    int32_t plan[4 + SLOTS] = {request->slots[DST].rect_width, request->slots[DST].rect_height,
                               src->rect_width, src->layers};
    for (int i = 0; i < SLOTS; ++i)
        plan[4 + i] = request->formats[i] ? (int32_t)request->formats[i]->name : 0;
    memcpy(shape->plan, plan, sizeof plan);
    memcpy(shape->plan + AG_COUNT_OF(plan), &s, sizeof s);
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

static void describe_steps(const ag_request *request, const ag_transform *p, ag_pass_plan *plan)
{
    uint64_t layers = (uint64_t)request->slots[SRC].layers;
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_transform_pass *pass = &p->pass[i];
        uint64_t lines = (uint64_t)pass->lines, channels = (uint64_t)p->request.channels;
        uint64_t values = lines * (uint64_t)pass->line.length * channels * layers;
        uint64_t transforms = pass->kind == AG_LINES_CHIRP ? 2 : 1;
        uint32_t groups[2];
        ag_transform_groups(pass, groups);
        plan->steps[i] = (ag_step){
            .name = pass->name,
            .dispatches = (uint32_t)layers,
            .groups = {groups[0], groups[1], 1},
            .shared_bytes = (uint32_t)ag_fft_shared_bytes(&pass->line),
            .bytes =
                (pass->from < 0 ? ag_slot_bytes(request, SRC) + ag_slot_bytes(request, SRC_IMAG)
                                : 8 * values) +
                (pass->to < 0 ? ag_slot_bytes(request, DST) + ag_slot_bytes(request, DST_IMAG)
                              : 8 * values),
            .instructions =
                transforms * (uint64_t)pass->line.instructions * lines * channels * layers};
    }
    plan->head.step_count = (uint32_t)p->passes;
}

static void describe(const ag_request *request, const ag_transform *p, ag_pass_plan *plan)
{
    uint32_t last = (uint32_t)p->passes - 1;
    describe_steps(request, p, plan);
    if (p->buffers)
        ag_plan_scratch(plan, (uint64_t)(p->cell_bytes * p->buffers * request->slots[SRC].layers),
                        last);
    for (int i = 0; i < SLOTS; ++i)
        ag_plan_slot(plan, request, i, i % 2 ? last : 0, i % 2 ? last : 0);
    plan->head.persistent_bytes = AG_INFO_BYTES;
    for (int32_t i = 0; i < p->passes; ++i)
        plan->head.persistent_bytes += 16 * (uint64_t)ag_fft_twiddle_count(&p->pass[i].line, true) +
                                       8 * (uint64_t)ag_factors_of(&p->pass[i]).count;
    int used = snprintf(plan->head.text, sizeof plan->head.text, "fft: %dx%d, %d channels; ",
                        p->request.width, p->request.height, p->request.channels);
    ag_transform_describe(p, plan->head.text + used, sizeof plan->head.text - (size_t)used);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_fft_settings s = settings_of(request);
    const ag_texture *image = image_of(request);
    ag_transform_detail *detail = out;
    ag_transform *p = &detail->transform;
    *detail = (ag_transform_detail){.ladder.method = 0};
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
        ag_ladder_plan(request, &detail->ladder);
        ag_ladder_describe(request, &detail->ladder, plan);
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
    describe(request, p, plan);
    return AG_OK;
}

const ag_effect ag_effect_fft = {
    .info = AG_EFFECT_INFO("fft",
                           "the Fourier transform of an image and its inverse, as numpy.fft "
                           "has them",
                           SLOTS, 0),
    .state_bytes = sizeof(ag_transform_state),
    .detail_bytes = sizeof(ag_transform_detail),
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = ag_transform_programs,
    .prepare = ag_transform_prepare,
    .execute = ag_transform_execute,
    .free_state = ag_transform_free,
};
