// convolve.c - the effect "convolve": exact convolution with a kernel texture, direct or by FFT
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "shaders/common/interface_border.h"

#include <afterglow/convolve.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_CONVOLVE_SRC, KERNEL = AG_CONVOLVE_KERNEL, DST = AG_CONVOLVE_DST };
enum { DIRECT_LIMIT = 255 }; // taps a side: beyond it a frame could take longer than drivers allow

static const ag_slot_info slots[] = {
    AG_FRAME_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("kernel", "the kernel: 1, 3 or 4 channels", AG_READ),
    AG_FRAME_SLOT("dst", "the result, of src's size", AG_WRITE),
};

static const char *const methods[] = {"auto", "direct", "fft"};
static const char *const borders[] = {"zero", "clamp", "mirror", "wrap"};
static const char *const normalizations[] = {"none", "sum"};
static const char *const alphas[] = {"copy", "convolve"};

static const char *const storages[] = {"full", "compact"};
static const char *const operations[] = {"convolve", "deconvolve"};
static const char *const edges[] = {"taper", "border"};

#define SETTINGS ag_convolve_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(method, "the algorithm; all give the same result", methods, AG_PREPARE_PLAN),
    AG_CHOICE(border, "what lies outside the image", borders, AG_PREPARE_PLAN),
    AG_CHOICE(normalize, "divide the kernel by each channel's sum", normalizations,
              AG_PREPARE_KERNEL),
    AG_SWITCH(correlate, "correlate instead of convolve", 0, AG_PREPARE_PLAN),
    AG_CHOICE(alpha, "copy alpha, or convolve it too", alphas, AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1,
              AG_PREPARE_KERNEL),
    AG_CHOICE(storage, "of spectra between the passes: compact is 16 bits a component", storages,
              AG_PREPARE_PLAN),
    AG_CHOICE(operation, "blur, or undo a known blur by Wiener's filter", operations,
              AG_PREPARE_PLAN),
    AG_REAL(noise, "", "of deconvolve: how much noise there is in the image", 0, 1e6, 0.1,
            AG_PREPARE_KERNEL),
    AG_CHOICE(edges, "of deconvolve: what lies outside is unknown, or is as border says", edges,
              AG_PREPARE_PLAN),
};

extern const ag_effect ag_effect_convolve;

typedef struct convolve_plan {
    bool direct;
    bool filter_taps; // the kernel of the FFT is Wiener's filter itself, of taps as src has texels
    ag_fft_plan fft;  // unless direct
} convolve_plan;

typedef struct convolve_state {
    ag_state base;
    convolve_plan plan;
    ag_fft_steps convolution;
    const ag_program *direct;
    GLuint kernel_texture; // the host's, for forget()
} convolve_state;

AG_SETTINGS_OF(ag_convolve_settings)

// Channels that are convolved: colour always, alpha when asked for and when the kernel serves it.
static int32_t convolved_channels(const ag_request *request, const ag_convolve_settings *s)
{
    int32_t src = request->formats[SRC]->channels, kernel = request->formats[KERNEL]->channels;
    bool alpha = src == 4 && s->alpha == AG_ALPHA_CONVOLVE && kernel != 3;
    return src == 4 && !alpha ? 3 : src;
}

static int32_t kernel_channels(const ag_request *request, int32_t channels)
{
    int32_t kernel = request->formats[KERNEL]->channels;
    return kernel == 1 ? 1 : channels < 3 ? 3 : channels;
}

static bool deconvolves(const ag_convolve_settings *s)
{
    return s->operation == AG_OPERATION_DECONVOLVE;
}

static bool tapers(const ag_convolve_settings *s)
{
    return deconvolves(s) && s->edges == AG_EDGES_TAPER;
}

static ag_status check_deconvolution(const ag_host *host, const ag_request *request,
                                     const ag_convolve_settings *s)
{
    const ag_texture *src = &request->slots[SRC], *kernel = &request->slots[KERNEL];
    if (!(s->noise > 0))
        return ag_fail(host, AG_E_ARG,
                       "convolve: setting noise is %g; to deconvolve it must be above 0",
                       (double)s->noise);
    if (tapers(s) && s->border != AG_BORDER_ZERO)
        return ag_fail(host, AG_E_ARG,
                       "convolve: setting border is %s; to deconvolve with it set edges to border",
                       borders[s->border]);
    if (s->method == AG_CONVOLVE_DIRECT)
        return ag_fail(
            host, AG_E_ARG,
            "convolve: setting method is direct; operation deconvolve takes fft or auto");
    if (s->storage != AG_STORAGE_FULL)
        return ag_fail(
            host, AG_E_ARG,
            "convolve: setting storage is compact; operation deconvolve takes storage full");
    if (kernel->rect_width > src->rect_width || kernel->rect_height > src->rect_height)
        return ag_fail(host, AG_E_SIZE,
                       "convolve: the kernel is %dx%d and src %dx%d; to deconvolve the kernel must "
                       "be no larger",
                       kernel->rect_width, kernel->rect_height, src->rect_width, src->rect_height);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_texture *src = &request->slots[SRC], *kernel = &request->slots[KERNEL],
                     *dst = &request->slots[DST];
    ag_convolve_settings s = settings_of(request);
    ag_status status = ag_check_same_size(host, request, DST, SRC);
    if (status < 0)
        return status;
    if (kernel->layers != 1)
        return ag_fail(host, AG_E_ARG,
                       "convolve: kernel has %d layers; one serves all layers of src",
                       kernel->layers);
    if (request->formats[KERNEL]->channels == 2)
        return ag_fail(host, AG_E_FORMAT,
                       "convolve: kernel has 2 channels (%s); it takes 1, 3 or 4",
                       request->formats[KERNEL]->text);
    if (deconvolves(&s))
        status = check_deconvolution(host, request, &s);
    if (status < 0)
        return status;
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)dst->format,
                      (int32_t)kernel->format,
                      (int32_t)src->target, // a texture unit's programs are of one target
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      kernel->rect_width,
                      kernel->rect_height,
                      s.method,
                      s.border,
                      s.correlate,
                      s.alpha,
                      s.storage,
                      s.operation,
                      tapers(&s),
                      request->plan_width,
                      request->plan_height};
    int32_t which[] = {(int32_t)kernel->name,
                       (int32_t)kernel->version,
                       (int32_t)(kernel->version >> 32),
                       kernel->level,
                       kernel->first_layer,
                       kernel->rect_x,
                       kernel->rect_y,
                       s.normalize,
                       s.scrub,
                       deconvolves(&s) ? ag_float_bits(s.noise) : 0};
    memcpy(shape->plan, plan, sizeof plan);
    memcpy(shape->kernel, which, sizeof which);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// auto: most taps of `direct`, by border. docs/convolve.md 1 has the measurements: an H200, 1920 x
// 1080 and 3840 x 2160.
static const int32_t direct_taps[] = {[AG_BORDER_ZERO] = 3 * 3,
                                      [AG_BORDER_CLAMP] = 5 * 5,
                                      [AG_BORDER_MIRROR] = 4 * 4,
                                      [AG_BORDER_WRAP] = 3 * 3};

static bool choose_direct(const ag_request *request, const ag_convolve_settings *s)
{
    const ag_texture *kernel = &request->slots[KERNEL];
    if (s->method != AG_CONVOLVE_AUTO || deconvolves(s))
        return s->method == AG_CONVOLVE_DIRECT;
    int32_t tuned = request->tuning.direct_taps[s->border],
            most = tuned ? tuned : direct_taps[s->border];
    return (int64_t)kernel->rect_width * kernel->rect_height <= most;
}

static void describe_direct(const ag_request *request, int32_t channels, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC], *kernel = &request->slots[KERNEL];
    uint64_t texels = ag_slot_texels(request, SRC);
    uint64_t taps = (uint64_t)kernel->rect_width * (uint64_t)kernel->rect_height;
    ag_step step = {.name = "direct",
                    .dispatches = (uint32_t)src->layers,
                    .groups = {ag_groups(src->rect_width, 16), ag_groups(src->rect_height, 16), 1},
                    .shared_bytes = (31 * 31 + 16 * 16) * 16,
                    .bytes = texels * (uint64_t)(request->formats[SRC]->bytes +
                                                 request->formats[DST]->bytes),
                    .instructions = texels * taps * (uint64_t)channels};
    plan->steps[0] = step;
    plan->head.step_count = 1;
    for (int i = 0; i < 3; ++i)
        ag_plan_slot(plan, request, i, 0, 0);
    plan->head.persistent_bytes = AG_INFO_BYTES;
    snprintf(plan->head.text, sizeof plan->head.text,
             "direct: %d x %d taps, %d channels, 16 x 16 tiles", kernel->rect_width,
             kernel->rect_height, channels);
}

static bool direct_can(const ag_gl *gl, const ag_texture *src, const ag_texture *kernel)
{
    return kernel->rect_width <= DIRECT_LIMIT && kernel->rect_height <= DIRECT_LIMIT &&
           ag_div_up(src->rect_width, 16) <= gl->max_groups[0] &&
           ag_div_up(src->rect_height, 16) <= gl->max_groups[1];
}

static ag_status plan_direct(const ag_request *request, int32_t channels, convolve_plan *p,
                             ag_pass_plan *plan)
{
    p->direct = true;
    describe_direct(request, channels, plan);
    return AG_OK;
}

// Three channels, RGBA16F to RGBA16F, alpha copied: then dst needs only the alpha of src, unless
// the centre weight is large, and alpha is stored beside the spectra.
static bool has_plain_output(const ag_request *request, int32_t channels)
{
    const ag_format *src = request->formats[SRC], *dst = request->formats[DST];
    return channels == 3 && src->channels == 4 && src->hold == AG_TEXEL_HALF4 &&
           dst->store == AG_STORE_16F && dst->channels == 4;
}

// What fills the rest of a line.
static int32_t outside(const ag_convolve_settings *s)
{
    return tapers(s) ? AG_OUTSIDE_RAMP : s->border;
}

// To deconvolve what wraps with a size that has no FFT: its filter has no fewer taps than texels.
static bool has_filter_taps(const ag_convolve_settings *s, const ag_fft_request *fft)
{
    return deconvolves(s) && outside(s) == AG_BORDER_WRAP &&
           !(ag_fft_has_line(fft->width, true, fft->max_invocations) &&
             ag_fft_has_line(fft->height, false, fft->max_invocations));
}

// Taps that the plan leaves room for on an axis. Wiener's filter reaches further than the kernel
// that it undoes, and rings where the canvas has a step. With mirror the canvas is a whole period
// of the mirrored image, where it fits, and has none; else there is room for the kernel twice.
static int32_t planned_taps(const ag_convolve_settings *s, const ag_fft_request *fft, bool row)
{
    int32_t size = row ? fft->width : fft->height;
    int32_t taps = row ? fft->kernel_width : fft->kernel_height;
    if (has_filter_taps(s, fft))
        return size;
    if (!deconvolves(s) || outside(s) == AG_BORDER_WRAP)
        return taps;
    bool whole = outside(s) == AG_BORDER_MIRROR && 2 * size <= AG_FFT_MAX_LENGTH;
    return whole && size > 2 * taps + 1 ? size : 2 * taps + 1;
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC], *kernel = &request->slots[KERNEL];
    ag_convolve_settings s = settings_of(request);
    convolve_plan *p = out;
    int32_t channels = convolved_channels(request, &s);
    *p = (convolve_plan){0};
    if (choose_direct(request, &s)) {
        if (direct_can(gl, src, kernel))
            return plan_direct(request, channels, p, plan);
        return ag_fail(
            host, AG_E_SIZE,
            "convolve: method direct takes kernels up to %dx%d and %dx%d work groups of 16x16 texels, "
            "not a kernel of %dx%d on %dx%d",
            DIRECT_LIMIT, DIRECT_LIMIT, gl->max_groups[0], gl->max_groups[1], kernel->rect_width,
            kernel->rect_height, src->rect_width, src->rect_height);
    }
    ag_fft_request fft = {.per_channel_pairs = request->tuning.per_channel_pairs,
                          .width = src->rect_width,
                          .height = src->rect_height,
                          .kernel_width = kernel->rect_width,
                          .kernel_height = kernel->rect_height,
                          .border = outside(&s),
                          .correlate = s.correlate,
                          .channels = channels,
                          .kernel_channels = kernel_channels(request, channels),
                          .layers = src->layers,
                          .storage = s.storage,
                          .src_bytes = request->formats[SRC]->bytes,
                          .dst_bytes = request->formats[DST]->bytes,
                          .reads_src_again = 1,
                          .plain_output = has_plain_output(request, channels),
                          .max_invocations = gl->max_invocations,
                          .max_block_bytes = gl->max_ssbo_bytes,
                          .alignment = gl->ssbo_alignment};
    char why[256];
    if (kernel->rect_width > AG_FFT_MAX_LENGTH || kernel->rect_height > AG_FFT_MAX_LENGTH)
        return ag_fail(host, AG_E_SIZE, "convolve: the kernel is %dx%d; the limit is %d",
                       kernel->rect_width, kernel->rect_height, AG_FFT_MAX_LENGTH);
    p->filter_taps = has_filter_taps(&s, &fft);
    if (p->filter_taps && (fft.width > AG_FFT_MAX_LENGTH / 2 || fft.height > AG_FFT_MAX_LENGTH / 2))
        return ag_fail(host, AG_E_SIZE,
                       "convolve: src is %dx%d; to deconvolve with border wrap it has at most %d "
                       "texels an axis, or no prime factor above 7 and an even width",
                       fft.width, fft.height, AG_FFT_MAX_LENGTH / 2);
    int32_t taps[2] = {planned_taps(&s, &fft, true), planned_taps(&s, &fft, false)};
    fft.kernel_width = taps[0];
    fft.kernel_height = taps[1];
    ag_fft_request largest = fft;
    if (s.border != AG_BORDER_WRAP && request->plan_width > fft.width)
        largest.width = request->plan_width;
    if (s.border != AG_BORDER_WRAP && request->plan_height > fft.height)
        largest.height = request->plan_height;
    const ag_fft_request *most = request->plan_width ? &largest : NULL;
    if (!ag_fft_plan_make_within(most, &fft, &p->fft, why, sizeof why)) {
        if (s.method == AG_CONVOLVE_AUTO && !deconvolves(&s) && direct_can(gl, src, kernel))
            return plan_direct(request, channels, p, plan);
        return ag_fail(host, AG_E_SIZE, "convolve: %s", why);
    }
    // What both sides lead to meets in the middle of the padding.
    bool fills = deconvolves(&s) && !p->filter_taps;
    if (fills && !p->fft.x.periodic)
        p->fft.x.reach_low = (p->fft.x.line.length - src->rect_width) / 2;
    if (fills && !p->fft.y.periodic)
        p->fft.y.reach_low = (p->fft.y.line.length - src->rect_height) / 2;
    ag_fft_steps_describe(&p->fft, true, DST, request, &ag_effect_convolve.info, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status direct_program(const ag_preparation *prep, const ag_request *request,
                                const ag_program **program)
{
    ag_defines defines = {0};
    ag_defines_add(&defines,
                   "#define KERNEL_FORMAT %s\n#define KERNEL_CODES %d\n#define STORE %d\n",
                   request->formats[KERNEL]->glsl, request->formats[KERNEL]->read == GL_R32UI,
                   request->formats[DST]->store);
    ag_source_defines(request->formats[SRC], AG_BY_IMAGE, &defines);
    return ag_program_get(prep, "fft/direct.comp", &defines, program);
}

// Of the texture that the FFT takes as its kernel.
static const ag_format *fft_kernel_format(const ag_request *request, const convolve_plan *plan)
{
    return plan->filter_taps ? ag_format_find(GL_RGBA32F) : request->formats[KERNEL];
}

// What makes Wiener's filter of a kernel, if it is made; else NULL.
static ag_status filter_program(const ag_preparation *prep, const ag_request *request,
                                const convolve_plan *plan, const ag_program **program)
{
    ag_convolve_settings s = settings_of(request);
    if (plan->filter_taps)
        return ag_wiener_taps_program(prep, request->formats[KERNEL], program);
    return deconvolves(&s) ? ag_wiener_program(prep, program) : AG_OK;
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const convolve_plan *plan = detail;
    const ag_format *kernel = request->formats[KERNEL];
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, false);
    ag_status status = AG_OK;
    if (!plan->direct) {
        status = filter_program(prep, request, plan, NULL);
        if (status >= 0 && plan->filter_taps)
            status = ag_kernel_sum_program(prep, kernel, NULL);
        return status < 0
                   ? status
                   : ag_fft_steps_programs(prep, &plan->fft, &io, fft_kernel_format(request, plan));
    }
    status = direct_program(prep, request, NULL);
    return status < 0 ? status : ag_kernel_sum_program(prep, kernel, NULL);
}

// A large centre weight bypasses the FFT, so that texels beside bright ones keep their digits.
// Compact spectra have fewer digits to lose (docs/convolve.md 5).
static ag_status sum_kernel(const ag_preparation *prep, const ag_request *request,
                            const ag_memory *info, ag_fft_steps *made)
{
    ag_convolve_settings s = settings_of(request);
    ag_source_texture kernel = ag_source_of(prep->gpu, request, KERNEL);
    int32_t channels = convolved_channels(request, &s);
    uint32_t how = s.scrub ? AG_SUM_SCRUB : 0;
    if (s.normalize == AG_NORMALIZE_SUM)
        how |= AG_SUM_NORMALIZE | AG_SUM_MAY_BE_ZERO;
    float bypass_share = s.storage == AG_STORAGE_COMPACT ? 1.0f / 64 : 1.0f / 4;
    if (deconvolves(&s)) { // the inverse of a product of lines is none, and has no centre weight
        how |= AG_SUM_HAS_TAPS | AG_SUM_NO_LINES;
        bypass_share = INFINITY;
    }
    return ag_kernel_sum(prep, &kernel, kernel_channels(request, channels) == 1 ? 1 : channels, how,
                         bypass_share, info, made);
}

static ag_kernel_source kernel_source(const ag_request *request, const convolve_plan *plan)
{
    const ag_texture *t = &request->slots[KERNEL];
    ag_convolve_settings s = settings_of(request);
    const ag_texture *of = plan->filter_taps ? &request->slots[SRC] : t; // whose size the taps have
    return (ag_kernel_source){
        .format = fft_kernel_format(request, plan),
        .width = of->rect_width,
        .height = of->rect_height,
        .words = {(int32_t)t->name, (int32_t)t->version, (int32_t)(t->version >> 32),
                  (int32_t)t->format, t->level, t->first_layer, t->rect_x, t->rect_y, s.normalize,
                  s.scrub, convolved_channels(request, &s), t->rect_width, t->rect_height,
                  s.operation, deconvolves(&s) ? ag_float_bits(s.noise) : 0, plan->filter_taps,
                  of->rect_width, of->rect_height}};
}

// Wiener's filter in `taps`, as a kernel that `info` and `made` know.
static ag_status make_filter_taps(const ag_preparation *prep, const ag_request *request,
                                  const ag_program *program, const ag_memory *info, ag_memory *taps,
                                  ag_texture *shape, ag_fft_steps *made)
{
    ag_convolve_settings s = settings_of(request);
    ag_source_texture kernel = ag_source_of(prep->gpu, request, KERNEL);
    ag_wiener_canvas canvas = {{made->plan.request.width, made->plan.request.height},
                               made->plan.request.kernel_channels,
                               s.scrub,
                               (double)s.noise};
    ag_status status = sum_kernel(prep, request, info, NULL);
    if (status >= 0)
        status = ag_wiener_taps(prep, &kernel, &canvas, program, info, taps);
    if (status < 0)
        return status;
    *shape = ag_wiener_taps_shape(&canvas, taps);
    ag_source_texture filter = ag_own_texture(taps, ag_format_find(GL_RGBA32F), shape);
    return ag_kernel_sum(prep, &filter, canvas.channels, AG_SUM_NO_LINES, INFINITY, info, made);
}

static ag_status prepare_fft(const ag_preparation *prep, const ag_request *request,
                             convolve_state *old, convolve_state *state)
{
    ag_fft_steps *former = &old->convolution,
                 *made = &state->convolution; // former: may be all zero
    ag_kernel_source source = kernel_source(request, &state->plan);
    ag_source_texture kernel = ag_source_of(prep->gpu, request, KERNEL);
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, false);
    ag_convolve_settings s = settings_of(request);
    bool filter_taps = state->plan.filter_taps;
    ag_memory taps = {0};
    ag_texture shape;
    ag_status status = filter_program(prep, request, &state->plan, &source.drawn_by);
    if (status >= 0)
        status = ag_fft_steps_prepare(prep, &state->plan.fft, &io, &source, former, made);
    if (status < 0)
        return status;
    if (!made->spectrum_kept)
        status = filter_taps ? make_filter_taps(prep, request, source.drawn_by, &state->base.info,
                                                &taps, &shape, made)
                             : sum_kernel(prep, request, &state->base.info, made);
    if (status >= 0 && !made->spectrum_kept)
        status = ag_fft_steps_allocate_kernel(prep->gpu, former, made);
    if (status < 0) {
        ag_gpu_free_texture(prep->gpu, &taps, true);
        ag_fft_steps_abandon(prep->gpu, former, made);
        return status;
    }
    if (filter_taps)
        kernel = ag_own_texture(&taps, source.format, &shape);
    if (!made->spectrum_kept)
        ag_kernel_spectrum(prep, made, &kernel, s.scrub, &state->base.info);
    if (!made->spectrum_kept && deconvolves(&s) && !filter_taps)
        ag_wiener_spectrum(prep, made, source.drawn_by, (double)s.noise);
    ag_gpu_free_texture(prep->gpu, &taps, true);
    ag_fft_steps_commit(former, made);
    return AG_OK;
}

static ag_status prepare_direct(const ag_preparation *prep, const ag_request *request,
                                convolve_state *state)
{
    ag_status status = sum_kernel(prep, request, &state->base.info, NULL);
    return status < 0 ? status : direct_program(prep, request, &state->direct);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    convolve_state *state = out;
    (void)plan;
    *state = (convolve_state){.plan = *(const convolve_plan *)detail,
                              .kernel_texture = request->slots[KERNEL].name};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = state->plan.direct ? prepare_direct(prep, request, state)
                                    : prepare_fft(prep, request, old, state);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    convolve_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_fft_steps_free(gpu, &state->convolution, with_gl);
}

static bool uses(const void *state, GLuint texture)
{
    return ((const convolve_state *)state)->kernel_texture == texture;
}

// ---- execute -----------------------------------------------------------------------------------

static void direct_line(ag_uniform *u, int32_t location, int32_t size, int32_t border)
{
    // Places are texels, also negative ones: nothing is split (common/border.glsl).
    u[0] = (ag_uniform)AG_INTS(location, size, INT32_MAX, 0, border);
    u[1] = (ag_uniform)AG_INTS(location + 1, INT32_MIN, 1, 0, 0);
}

static void record_direct(ag_recording *recording, const ag_request *request,
                          const convolve_state *state, const ag_convolve_settings *s,
                          int32_t channels, const ag_mix *mix)
{
    const ag_gpu *gpu = recording->gpu;
    ag_source_texture src = ag_source_of(gpu, request, SRC), dst = ag_source_of(gpu, request, DST),
                      kernel = ag_source_of(gpu, request, KERNEL);
    const ag_texture *t = src.texture, *k = kernel.texture, *d = dst.texture;
    ag_uniform uniforms[] = {
        [4] = AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
        AG_INTS(AG_LOC_SRC_MODE, src.format->channels, 0, s->scrub, 0),
        AG_INTS(AG_LOC_DST_RECT, d->rect_x, d->rect_y, d->rect_width, d->rect_height),
        AG_INTS(AG_LOC_CHANNELS, channels, kernel_channels(request, channels), 0, 0),
        AG_INTS(AG_LOC_DIRECT_MODE, s->correlate, kernel.format->srgb, 0, 0),
        AG_INTS(AG_LOC_KERNEL, k->rect_width / 2, k->rect_height / 2, 0, 0),
        AG_INTS(AG_LOC_KERNEL_RECT, k->rect_x, k->rect_y, k->rect_width, k->rect_height),
        AG_FLOATS(AG_LOC_GAIN, mix->gain[0], mix->gain[1], mix->gain[2], mix->gain[3]),
        AG_FLOATS(AG_LOC_KEEP, mix->keep[0], mix->keep[1], mix->keep[2], mix->keep[3]),
    };
    direct_line(uniforms, AG_LOC_LINE_X, t->rect_width, s->border);
    direct_line(uniforms + 2, AG_LOC_LINE_Y, t->rect_height, s->border);
    ag_record_step(recording, 0, "direct", false);
    for (int32_t layer = 0; layer < t->layers; ++layer)
        ag_record(recording, &(ag_gl_dispatch){.program = state->direct,
                                               .images[AG_IMAGE_SRC] = ag_read_image(&src, layer),
                                               .images[AG_IMAGE_DST] = ag_write_image(&dst, layer),
                                               .images[AG_IMAGE_KERNEL] = ag_read_image(&kernel, 0),
                                               .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                                               .uniforms = uniforms,
                                               .uniform_count = AG_COUNT_OF(uniforms),
                                               .groups = {ag_groups(t->rect_width, 16),
                                                          ag_groups(t->rect_height, 16), 1}});
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const convolve_state *state = out;
    const ag_gpu *gpu = recording->gpu;
    ag_convolve_settings s = settings_of(request);
    int32_t channels = convolved_channels(request, &s);
    ag_mix mix = {0};
    for (int i = 0; i < 4; ++i) {
        bool convolved = i < channels;
        mix.gain[i] = mix.direct[i] = convolved ? 1.0f : 0.0f;
        mix.keep[i] = convolved ? 0.0f : 1.0f; // alpha, and channels that src does not have
    }
    if (state->plan.direct) {
        record_direct(recording, request, state, &s, channels, &mix);
        return;
    }
    ag_source_texture src = ag_source_of(gpu, request, SRC), dst = ag_source_of(gpu, request, DST);
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, false);
    ag_fft_steps_record(recording, request, &state->convolution, &src, &dst, &io, &state->base.info,
                        s.scrub, &mix);
}

const ag_effect ag_effect_convolve = {
    .info =
        AG_EFFECT_INFO("convolve", "exact 2D convolution with a kernel texture", AG_IMAGE_COUNT, 1),
    .state_bytes = sizeof(convolve_state),
    .detail_bytes = sizeof(convolve_plan),
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
