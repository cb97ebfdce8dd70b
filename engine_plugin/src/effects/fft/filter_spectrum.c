// filter_spectrum.c - the effect "filter_spectrum": weights the frequencies of an image
// SPDX-License-Identifier: MIT
//
// It is convolve's FFT with a kernel that only has a spectrum: a formula or a mask writes it, real
// and even, where convolve transforms taps.
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface_filter.h"

#include <afterglow/filter_spectrum.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

_Static_assert(AG_SHAPE_LOWPASS == (int)AG_FILTER_SPECTRUM_LOWPASS &&
                   AG_SHAPE_HIGHPASS == (int)AG_FILTER_SPECTRUM_HIGHPASS &&
                   AG_SHAPE_BANDPASS == (int)AG_FILTER_SPECTRUM_BANDPASS &&
                   AG_ROLL_OFF_IDEAL == (int)AG_PROFILE_IDEAL &&
                   AG_ROLL_OFF_GAUSSIAN == (int)AG_PROFILE_GAUSSIAN,
               "shaders do not include public headers");

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_FILTER_SPECTRUM_SRC,
    MASK = AG_FILTER_SPECTRUM_MASK_IMAGE,
    DST = AG_FILTER_SPECTRUM_DST
};

static const ag_slot_info slots[] = {
    AG_FRAME_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("mask", "weights of frequencies, 0 in the middle, for shape = mask",
                   AG_READ | AG_OPTIONAL),
    AG_FRAME_SLOT("dst", "the result, of src's size", AG_WRITE),
};

static const char *const shapes[] = {"lowpass", "highpass", "bandpass", "notch", "mask"};
static const char *const profiles[] = {"ideal", "gaussian", "butterworth"};
static const char *const borders[] = {"zero", "clamp", "mirror", "wrap"};

#define SETTINGS ag_filter_spectrum_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(shape, "which frequencies pass", shapes, AG_PREPARE_PLAN),
    AG_CHOICE_FROM(profile, "how the filter falls off at its cut-offs", profiles,
                   AG_PROFILE_GAUSSIAN, AG_PREPARE_KERNEL),
    AG_WHOLE(order, "", "of the profile butterworth", 1, 16, 2, AG_PREPARE_KERNEL),
    AG_REAL(cutoff, "cycles/texel", "of lowpass and highpass", 0.0005, 1, 0.1, AG_PREPARE_PLAN),
    AG_REAL(low, "cycles/texel", "lower cut-off of bandpass and notch", 0.0005, 1, 0.1,
            AG_PREPARE_PLAN),
    AG_REAL(high, "cycles/texel", "upper cut-off of bandpass and notch", 0.0005, 1, 0.2,
            AG_PREPARE_PLAN),
    AG_CHOICE_FROM(border, "what lies outside the image", borders, AG_BORDER_MIRROR,
                   AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1,
              AG_PREPARE_KERNEL),
};

typedef struct filter_state {
    ag_state base;
    ag_fft_steps filter;
    GLuint mask_texture; // the host's, for forget()
} filter_state;

AG_SETTINGS_OF(ag_filter_spectrum_settings)

static bool has_band(const ag_filter_spectrum_settings *s)
{
    return s->shape == AG_FILTER_SPECTRUM_BANDPASS || s->shape == AG_FILTER_SPECTRUM_NOTCH;
}

// All that decides about H: of a mask its texture, else the formula's values. The same for the
// shape of a plan and for the key of a spectrum.
enum { WORDS = 9 };

static void words_of(const ag_request *request, int32_t words[WORDS])
{
    const ag_texture *mask = &request->slots[MASK];
    ag_filter_spectrum_settings s = settings_of(request);
    bool band = has_band(&s);
    int32_t formula[WORDS] = {s.shape, s.profile, s.profile == AG_PROFILE_BUTTERWORTH ? s.order : 0,
                              ag_float_bits(band ? s.low : s.cutoff),
                              band ? ag_float_bits(s.high) : 0};
    int32_t texture[WORDS] = {
        s.shape,     (int32_t)mask->name, (int32_t)mask->version, (int32_t)(mask->version >> 32),
        mask->level, mask->first_layer,   mask->rect_x,           mask->rect_y,
        s.scrub};
    bool masked = s.shape == AG_FILTER_SPECTRUM_MASK;
    memcpy(words, masked ? texture : formula, sizeof formula);
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const ag_texture *mask = &request->slots[MASK];
    ag_filter_spectrum_settings s = settings_of(request);
    bool masked = s.shape == AG_FILTER_SPECTRUM_MASK;
    ag_status status = ag_check_same_size(host, request, DST, SRC);
    if (status < 0)
        return status;
    if (has_band(&s) && !(s.low < s.high))
        return ag_fail(host, AG_E_ARG,
                       "filter_spectrum: setting low is %g and high %g; low must be below high",
                       (double)s.low, (double)s.high);
    if (!masked) { // ignored, whatever it is
        request->slots[MASK] = (ag_texture){0};
        request->formats[MASK] = NULL;
    }
    if (masked && !request->formats[MASK])
        return ag_fail(host, AG_E_ARG, "filter_spectrum: shape is mask, but slot mask is empty");
    if (masked && mask->layers != 1)
        return ag_fail(host, AG_E_ARG,
                       "filter_spectrum: mask has %d layers; one serves all layers of src",
                       mask->layers);
    if (masked && request->formats[MASK]->channels == 2)
        return ag_fail(host, AG_E_FORMAT,
                       "filter_spectrum: mask has 2 channels (%s); it takes 1, 3 or 4",
                       request->formats[MASK]->text);
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)dst->format,
                      (int32_t)mask->format,
                      (int32_t)src->target, // a texture unit's programs are of one target
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      mask->rect_width,
                      mask->rect_height,
                      s.border,
                      masked ? 0 : ag_float_bits(has_band(&s) ? s.high - s.low : s.cutoff),
                      masked};
    memcpy(shape->plan, plan, sizeof plan);
    words_of(request, shape->kernel);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// Texels around the image on an axis, as taps of a kernel so wide that convolve's plan has room for
// them. The narrower the step of H, the further it reaches.
static int32_t reach_of(const ag_filter_spectrum_settings *s, int32_t size, bool row, int32_t most)
{
    if (s->border == AG_BORDER_WRAP && ag_fft_has_line(size, row, most))
        return 0; // the image is its own canvas
    double step = has_band(s) ? (double)s->high - (double)s->low : (double)s->cutoff;
    double wanted = s->shape == AG_FILTER_SPECTRUM_MASK ? 0.5 * size : ceil(3 / step);
    double room =
        s->border == AG_BORDER_ZERO ? AG_FFT_MAX_LENGTH - size : 0.5 * (AG_FFT_MAX_LENGTH - size);
    double reach = fmin(fmin(wanted, size), floor(room));
    return reach > 0 ? (int32_t)reach : 0;
}

// Three channels, RGBA16F to RGBA16F: dst needs only the alpha of src (convolve.c).
static bool has_plain_output(const ag_request *request)
{
    const ag_format *src = request->formats[SRC], *dst = request->formats[DST];
    return src->channels == 4 && src->hold == AG_TEXEL_HALF4 && dst->store == AG_STORE_16F &&
           dst->channels == 4;
}

extern const ag_effect ag_effect_filter_spectrum;

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    ag_filter_spectrum_settings s = settings_of(request);
    ag_fft_plan *p = out;
    memset(p, 0, sizeof *p);
    if (src->rect_width > AG_FFT_MAX_LENGTH || src->rect_height > AG_FFT_MAX_LENGTH)
        return ag_fail(host, AG_E_SIZE, "filter_spectrum: src is %dx%d; the limit is %d",
                       src->rect_width, src->rect_height, AG_FFT_MAX_LENGTH);
    int32_t channels = request->formats[SRC]->channels < 3 ? request->formats[SRC]->channels : 3;
    bool masked = s.shape == AG_FILTER_SPECTRUM_MASK;
    bool one = !masked || request->formats[MASK]->channels == 1;
    int32_t most = gl->max_invocations;
    ag_fft_request fft = {.per_channel_pairs = request->tuning.per_channel_pairs,
                          .width = src->rect_width,
                          .height = src->rect_height,
                          .kernel_width = 2 * reach_of(&s, src->rect_width, true, most) + 1,
                          .kernel_height = 2 * reach_of(&s, src->rect_height, false, most) + 1,
                          .border = s.border,
                          .channels = channels,
                          .kernel_channels = one ? 1 : 3,
                          .kernel_form = masked ? AG_KERNEL_REAL : AG_KERNEL_MIRRORED,
                          .layers = src->layers,
                          .src_bytes = request->formats[SRC]->bytes,
                          .dst_bytes = request->formats[DST]->bytes,
                          .reads_src_again = 1,
                          .plain_output = has_plain_output(request),
                          .max_invocations = most,
                          .max_block_bytes = gl->max_ssbo_bytes,
                          .alignment = gl->ssbo_alignment};
    char why[256];
    if (!ag_fft_plan_make(&fft, p, why, sizeof why))
        return ag_fail(host, AG_E_SIZE, "filter_spectrum: %s", why);
    // The borders of both sides meet in the middle of what the image leaves of its canvas.
    p->x.reach_low = (p->x.line.length - src->rect_width) / 2;
    p->y.reach_low = (p->y.line.length - src->rect_height) / 2;
    ag_fft_steps_describe(p, false, DST, request, &ag_effect_filter_spectrum.info, plan);
    char x[66], y[66];
    ag_fft_describe(&p->x.line, x, sizeof x);
    ag_fft_describe(&p->y.line, y, sizeof y);
    snprintf(plan->head.text, sizeof plan->head.text,
             "fft: %dx%d in a canvas of %dx%d; rows %s; columns %s; H %s", src->rect_width,
             src->rect_height, p->x.line.length, p->y.line.length, x, y,
             masked ? "from the mask" : "from a formula");
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

// The program that writes H.
static ag_status filter_program(const ag_preparation *prep, const ag_request *request,
                                const ag_program **program)
{
    ag_defines defines = {0};
    if (settings_of(request).shape != AG_FILTER_SPECTRUM_MASK)
        return ag_program_get(prep, "fft/filter_shape.comp", &defines, program);
    ag_source_defines(request->formats[MASK], AG_BY_IMAGE, &defines);
    return ag_program_get(prep, "fft/filter_mask.comp", &defines, program);
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, false);
    ag_status status = filter_program(prep, request, NULL);
    return status < 0 ? status : ag_fft_steps_programs(prep, detail, &io, NULL);
}

static void write_filter(const ag_preparation *prep, const ag_request *request,
                         const ag_program *program, const filter_state *state)
{
    const ag_fft_plan *p = &state->filter.plan;
    ag_filter_spectrum_settings s = settings_of(request);
    bool masked = s.shape == AG_FILTER_SPECTRUM_MASK, band = has_band(&s);
    int32_t rows = masked ? p->y.line.length : p->y.line.length / 2 + 1;
    // Each inverse transform multiplies by its length, and unpacking doubles the image.
    double scale = 0.5 / ((double)p->x.line.length * p->y.line.length);
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_POINTS, p->x.line.length, p->y.line.length, p->y.line.lines, 0),
        AG_FLOATS(AG_LOC_CUTOFFS, band ? s.low : s.cutoff, s.high, (float)scale, 0),
        AG_INTS(AG_LOC_FILTER_KIND, s.shape, s.profile, s.order, 0), // a formula has so many
        AG_INTS(AG_LOC_KERNEL, 0, 0, 0, (int32_t)(p->kernel_channel_bytes / 8)),
        AG_INTS(0, 0, 0, 0, 0),
    };
    ag_gl_dispatch d = {.program = program,
                        .ranges[AG_SSBO_KERNEL_REAL] = {state->filter.kernel.name, 0,
                                                        (uint64_t)p->kernel_bytes},
                        .uniforms = uniforms,
                        .uniform_count = 3,
                        .groups = {ag_groups(rows, 64), (uint32_t)p->kept, 1}};
    if (masked) {
        ag_source_texture mask = ag_source_of(prep->gpu, request, MASK);
        ag_uniform source[2];
        ag_source_uniforms(source, &mask, p->request.kernel_channels, s.scrub, 0);
        uniforms[2] = source[0];
        uniforms[4] = source[1];
        d.uniform_count = 5;
        d.images[AG_IMAGE_SRC] = ag_read_image(&mask, 0);
        d.ranges[AG_SSBO_INFO] = ag_whole(&state->base.info);
    }
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow filter spectrum");
    ag_record_step(&recording, 0, "filter", false);
    ag_record(&recording, &d);
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

static ag_status prepare_filter(const ag_preparation *prep, const ag_request *request,
                                const ag_fft_plan *plan, filter_state *old, filter_state *state)
{
    ag_fft_steps *former = &old->filter, *made = &state->filter; // former: may be all zero
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, false);
    ag_kernel_source source = {.format = NULL}; // no taps are transformed
    const ag_texture *mask = &request->slots[MASK];
    words_of(request, source.words);
    source.words[WORDS] = (int32_t)mask->format;
    source.words[WORDS + 1] = mask->rect_width;
    source.words[WORDS + 2] = mask->rect_height;
    ag_status status = filter_program(prep, request, &source.drawn_by);
    if (status >= 0)
        status = ag_fft_steps_prepare(prep, plan, &io, &source, former, made);
    if (status < 0)
        return status;
    made->small_centre = made->centre_known = true; // no centre weight: nothing bypasses the FFT
    if (!made->spectrum_kept)
        status = ag_fft_steps_allocate_kernel(prep->gpu, former, made);
    if (status < 0) {
        ag_fft_steps_abandon(prep->gpu, former, made);
        return status;
    }
    if (!made->spectrum_kept)
        write_filter(prep, request, source.drawn_by, state);
    ag_fft_steps_commit(former, made);
    return AG_OK;
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    filter_state *state = out;
    (void)plan;
    *state = (filter_state){.mask_texture = request->slots[MASK].name};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = prepare_filter(prep, request, detail, old, state);
    if (status < 0)
        ag_info_abandon(prep->gpu, old, &state->base);
    else
        ag_info_commit(old, &state->base);
    return status;
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    filter_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_fft_steps_free(gpu, &state->filter, with_gl);
}

static bool uses(const void *state, GLuint texture)
{
    return ((const filter_state *)state)->mask_texture == texture;
}

// ---- execute -----------------------------------------------------------------------------------

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const filter_state *state = out;
    int32_t channels = state->filter.plan.request.channels;
    ag_mix mix = {0};
    for (int i = 0; i < 4; ++i) {
        mix.gain[i] = i < channels ? 1.0f : 0.0f;
        mix.keep[i] = 1 - mix.gain[i]; // alpha
    }
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, false);
    ag_fft_steps_record(recording, request, &state->filter, &src, &dst, &io, &state->base.info,
                        settings_of(request).scrub, &mix);
}

const ag_effect ag_effect_filter_spectrum = {
    .info = AG_EFFECT_INFO("filter_spectrum",
                           "weights the frequencies of an image: lowpass, highpass, band, mask",
                           AG_IMAGE_COUNT, 1),
    .state_bytes = sizeof(filter_state),
    .detail_bytes = sizeof(ag_fft_plan),
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
    .uses = uses,
    .samples = 1u << SRC,
    .samples_format = ag_fft_steps_samples,
};
