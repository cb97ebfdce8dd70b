// bloom.c - the effect "bloom": energy-conserving FFT bloom of an HDR frame
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/bloom_kernel.h"
#include "effects/fft/bloom_light.h"
#include "effects/fft/bloom_sizes.h"
#include "effects/fft/bloom_small.h"
#include "effects/fft/gaussian.h"
#include "effects/fft/lens.h"
#include "effects/fft/morph.h"
#include "effects/kit/tables.h"

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_BLOOM_SRC, KERNEL_IMAGE = AG_BLOOM_KERNEL_IMAGE, DST = AG_BLOOM_DST };

static const uint32_t exposure_formats[] = {GL_RGBA32F, GL_R32F};
static const ag_slot_info slots[] = {
    AG_FRAME_SLOT("src", "the frame, linear and HDR", AG_READ),
    AG_COLOUR_SLOT("kernel_image", "the kernel, for shape = texture", AG_READ | AG_OPTIONAL),
    AG_FRAME_SLOT("dst", "the result, of src's size", AG_WRITE),
    AG_COLOUR_SLOT("dirt", "what brightens the glow, stretched over the frame",
                   AG_READ | AG_OPTIONAL),
    AG_SLOT("exposure", "EV that threshold and clamp are measured in, as exposure keeps it",
            AG_READ | AG_OPTIONAL, exposure_formats),
};

static const char *const shapes[] = {"gaussian", "aperture", "texture", "star", "anamorphic"};
static const char *const fits[] = {"auto", "exact"};
static const char *const outputs[] = {"composite", "bloom_only", "add"};
static const char *const storages[] = {"full", "compact"};
static const char *const resolutions[] = {"full", "half", "quarter", "auto"};
static const char *const grids[] = {"frame", "fixed"};
static const char *const fireflies[] = {"off", "clamp", "karis"};
static const char *const transfers[] = {"linear", "srgb"};

#define SETTINGS ag_bloom_settings
static const ag_setting_info settings[] = {
    AG_REAL(intensity, "", "share of the light that is spread", 0, 1, 0.1),
    AG_REAL(size, "heights", "the kernel's full extent", 0, 2, 0.3, AG_PREPARE_PLAN),
    AG_CHOICE(shape, "what draws the kernel", shapes, AG_PREPARE_PLAN),
    AG_WHOLE(blades, "", "number of the iris's blades", 3, 16, 6, AG_PREPARE_KERNEL),
    AG_REAL(rotation, "degrees", "of the iris, or of the eye, from +x to +y", -360, 360, 0,
            AG_PREPARE_KERNEL),
    AG_REAL(threshold, "", "light below it does not bloom; 0 = off", 0, 65504, 0, AG_PREPARE_PLAN),
    AG_REAL(knee, "thresholds", "softness of the threshold", 0, 1, 0.5),
    AG_REAL(clamp, "", "brightest value that blooms; 0 = off", 0, 65504, 0, AG_PREPARE_PLAN),
    AG_REAL(exposure, "EV", "threshold and clamp are measured in src * 2^exposure", -32, 32, 0),
    AG_COLOUR(tint, "colour of the bloom", 16),
    AG_CHOICE(output, "the composite, the bloom alone, or added to dst", outputs, AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1,
              AG_PREPARE_KERNEL),
    AG_CHOICE(storage, "of spectra between passes; compact: 16 bits a component", storages,
              AG_PREPARE_PLAN),
    AG_REAL(roundness, "", "how curved the blades are: 0 = straight, 1 = a round iris", 0, 1, 0,
            AG_PREPARE_KERNEL),
    AG_REAL(dispersion, "", "size goes with wavelength^dispersion", 0, 2, 1, AG_PREPARE_PLAN),
    AG_REAL(dust, "", "particles on the lens, or in the eye", 0, 1, 0, AG_PREPARE_KERNEL),
    AG_REAL(scratches, "", "scratches on the lens", 0, 1, 0, AG_PREPARE_KERNEL),
    AG_WHOLE(seed, "", "which dust, scratches and lashes", 0, 65535, 1, AG_PREPARE_KERNEL),
    AG_REAL(eyelashes, "", "lashes before the pupil of shape = star", 0, 1, 0.5, AG_PREPARE_KERNEL),
    AG_REAL(stretch, "", "of the star along x, of shape = anamorphic", 1, 8, 2, AG_PREPARE_KERNEL),
    AG_REAL(streak, "", "the streak's share of blue light, of shape = anamorphic", 0, 1, 0.35,
            AG_PREPARE_KERNEL),
    AG_CHOICE(kernel_fit, "auto: centred by its light, black subtracted", fits, AG_PREPARE_PLAN),
    AG_REAL(dirt_intensity, "", "how much the mask in slot dirt brightens", 0, 16, 1),
    AG_WHOLE(ghosts, "", "reflections in the lens; 0 = off", 0, 8, 0, AG_PREPARE_PLAN),
    AG_REAL(ghost_intensity, "", "share of the light that a ghost has", 0, 1, 0.002),
    AG_WHOLE(transition, "frames", "a change of the kernel fades in; 0 = at once", 0, 240, 0,
             AG_PREPARE_PLAN),
    AG_CHOICE(resolution, "of the image that the FFT transforms", resolutions, AG_PREPARE_PLAN),
    AG_CHOICE(grid, "fixed: that image keeps its size when the frame's changes", grids,
              AG_PREPARE_PLAN),
    AG_CHOICE(firefly, "what single bright texels may spread", fireflies, AG_PREPARE_PLAN),
    AG_CHOICE(transfer, "srgb: src and dst hold codes of its curve", transfers, AG_PREPARE_PLAN),
    AG_REAL(gain, "", "how many times as bright white shines; 0: 100 with transfer = srgb, else 1",
            0, 256, 0, AG_PREPARE_PLAN),
};

extern const ag_effect ag_effect_bloom;
typedef struct bloom_plan {
    ag_fft_plan fft;
    int32_t kernel_width, kernel_height;
    int32_t max_width, max_height; // of kernels of all sizes planned for; 0: of this one alone
    ag_small_plan small;           // ratio_x 1: the FFT has the frame's resolution
} bloom_plan;

typedef struct bloom_state {
    ag_state base;
    ag_fft_steps convolution;
    GLuint kernel_texture;  // the host's, for forget()
    ag_bloom_drawer drawer; // its memory is kept for the next kernel
    ag_lens lens;
    ag_morph morph;
    int32_t shape; // of the kernel, whatever its spectrum holds at the moment
    float size;
    bool moving; // its settings have changed in motion
    int32_t kernel_width, kernel_height;
    ag_small_plan small_plan;
    ag_small_state small;
} bloom_state;

AG_SETTINGS_OF(ag_bloom_settings)

static int32_t colour_channels(const ag_format *format)
{
    return format->channels < 3 ? format->channels : 3;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const ag_texture *image = &request->slots[KERNEL_IMAGE];
    ag_bloom_settings s = settings_of(request);
    if (src->rect_width != dst->rect_width || src->rect_height != dst->rect_height)
        return ag_fail(host, AG_E_SIZE,
                       "bloom: dst's rectangle is %dx%d, src's %dx%d; they must be equal",
                       dst->rect_width, dst->rect_height, src->rect_width, src->rect_height);
    if (src->layers != dst->layers)
        return ag_fail(host, AG_E_ARG, "bloom: dst has %d layers, src %d; they must be equal",
                       dst->layers, src->layers);
    int32_t grid[2];
    ag_bloom_grid(request, &s, grid);
    ag_status status = ag_small_check(host, &s, src, grid);
    if (status >= 0)
        status = ag_bloom_light_check(host, request, &s);
    if (status < 0)
        return status;
    bool textured = s.shape == AG_BLOOM_TEXTURE;
    if (!textured) { // ignored, whatever it is
        request->slots[KERNEL_IMAGE] = (ag_texture){0};
        request->formats[KERNEL_IMAGE] = NULL;
    }
    if (textured && !request->formats[KERNEL_IMAGE])
        return ag_fail(host, AG_E_ARG, "bloom: shape is texture, but slot kernel_image is empty");
    if (textured && (image->layers != 1 || request->formats[KERNEL_IMAGE]->channels == 2))
        return ag_fail(host, AG_E_ARG,
                       "bloom: kernel_image must have one layer, and 1, 3 or 4 channels");
    int32_t plan[] = {(int32_t)src->format, (int32_t)dst->format, src->rect_width, src->rect_height,
                      src->layers, ag_float_bits(s.size), s.shape, s.storage, s.resolution, s.grid,
                      s.firefly != AG_BLOOM_FIREFLY_OFF, textured ? image->rect_width : 0,
                      textured ? image->rect_height : 0,
                      textured ? s.kernel_fit : 0, // another program measures the image
                      // decides whether a smaller image needs a core
                      s.resolution == AG_BLOOM_FULL ? 0 : ag_float_bits(s.dispersion),
                      request->plan_width, request->plan_height, ag_morph_serves(&s), s.transfer,
                      request->formats[SRC]->expands};
    memcpy(shape->plan, plan, sizeof plan);
    enum { PLAN = sizeof plan / sizeof *plan };
    _Static_assert(sizeof(int32_t) * AG_BLOOM_KERNEL_WORDS <= sizeof shape->kernel, "its words");
    ag_bloom_kernel_words(request, &s, shape->kernel);
    return ag_lens_check(host, request, &s, shape->plan + PLAN,
                         shape->kernel + AG_BLOOM_KERNEL_WORDS);
}

// ---- plan --------------------------------------------------------------------------------------

// Where the spectrum of a Gaussian, exp(-2 (pi sigma f)^2), has fallen to 2^-26, in cycles a texel:
// the columns above are not stored (docs/bloom.md). 0: all are stored. A shader from the host's
// folder may draw a kernel that is not band-limited, and a smaller image of planned sizes would
// need more columns.
static double band_of(const ag_request *request, const ag_bloom_settings *s, double sigma)
{
    const double pi = 3.14159265358979323846, ln2 = 0.69314718055994530942;
    bool ends = s->shape == AG_BLOOM_GAUSSIAN && !request->live && !ag_bloom_several(request, s);
    return ends ? sqrt(26 * ln2 / 2) / (pi * sigma) : 0;
}

// A Gaussian is the product of two lines. The centre weight, 1 / (2 pi sigma^2), is subtracted from
// that product again: where it is no small part, that would cost digits beside bright spots. A
// shader from the host's folder may draw something else.
static int32_t known_form(const ag_request *request, const ag_bloom_settings *s, double sigma)
{
    bool lines = s->shape == AG_BLOOM_GAUSSIAN && sigma >= 1 && !request->live;
    return lines                                          ? AG_KERNEL_LINES
           : ag_bloom_kernel_is_even(s) && !request->live ? AG_KERNEL_REAL
                                                          : AG_KERNEL_COMPLEX;
}

// Whether the CPU makes the spectrum. Smaller images of planned sizes may have a kernel that is no
// product, so there the programs that make any kernel's must be ready anyway.
static bool by_formula(const ag_request *request, const bloom_plan *p)
{
    ag_bloom_settings s = settings_of(request);
    return p->fft.request.kernel_form == AG_KERNEL_LINES && !ag_bloom_several(request, &s);
}

// The format that the convolution's part of the job writes: dst, or a glow for the lens.
static const ag_format *output_of(const ag_request *request, const ag_bloom_settings *s)
{
    return ag_lens_needed(request, s) ? ag_lens_glow(request) : request->formats[DST];
}

static ag_fft_steps_io io_of(const ag_request *request, const ag_bloom_settings *s,
                             const ag_small_plan *small)
{
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, true);
    io.dst = output_of(request, s);
    return small->ratio_x > 1 ? ag_small_io(small) : io;
}

// The convolution of a frame of this size. `ratio`, 1, 2 or 4: of the frame to the image that is
// transformed. `small` (zeroed): that image, if it is another.
static ag_fft_request request_of(const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, int32_t ratio, int32_t width,
                                 int32_t height, ag_small_plan *small)
{
    const ag_texture *src = &request->slots[SRC];
    int32_t own[2], frame[2] = {width, height}, grid[2] = {width, height};
    ag_bloom_grid(request, s, own);
    double sigma = ag_bloom_sigma(s, own[1]) / ratio;
    ag_fft_request fft = {.per_channel_pairs = request->tuning.per_channel_pairs,
                          .width = width,
                          .height = height,
                          .border = AG_BORDER_ZERO,
                          .channels = colour_channels(request->formats[SRC]),
                          .kernel_channels = s->shape == AG_BLOOM_GAUSSIAN ? 1 : 3,
                          .band = band_of(request, s, sigma),
                          .kernel_form = known_form(request, s, sigma),
                          .layers = src->layers,
                          .storage = s->storage,
                          .src_bytes = request->formats[SRC]->bytes,
                          .dst_bytes = output_of(request, s)->bytes,
                          .reads_src_again = 1,
                          .max_invocations = gl->max_invocations,
                          .max_block_bytes = gl->max_ssbo_bytes,
                          .alignment = gl->ssbo_alignment};
    if (s->grid == AG_BLOOM_FIXED)
        memcpy(grid, own, sizeof grid);
    ag_bloom_kernel_size(request, s, grid[1], &fft.kernel_width, &fft.kernel_height);
    small->ratio_x = ratio;
    if (ratio > 1) {
        small->fireflies = s->firefly != AG_BLOOM_FIREFLY_OFF;
        small->wide = request->formats[SRC]->store == AG_STORE_32F;
        ag_small_size(small, ratio, s->shape, frame, grid, fft.kernel_width, fft.kernel_height);
        if (fft.kernel_form != AG_KERNEL_LINES)
            ag_small_choose_split(small, s, request->live || ag_bloom_several(request, s));
        ag_small_request(small, &fft);
    }
    return fft;
}

// Plans the convolution at one ratio. Returns false with `why` if its lines or its memory do not
// fit.
static bool plan_ratio(const ag_gl *gl, const ag_request *request, const ag_bloom_settings *s,
                       int32_t ratio, bloom_plan *p, char *why, size_t why_size)
{
    const ag_texture *src = &request->slots[SRC];
    int32_t w = src->rect_width, h = src->rect_height;
    p->small = (ag_small_plan){0};
    ag_fft_request fft = request_of(gl, request, s, ratio, w, h, &p->small), largest;
    bool several = ag_bloom_several(request, s);
    if (several) {
        ag_small_plan most = {0};
        w = request->plan_width > w ? request->plan_width : w;
        h = request->plan_height > h ? request->plan_height : h;
        largest = request_of(gl, request, s, ratio, w, h, &most);
        ag_bloom_kernel_size(request, s, h, &p->max_width, &p->max_height);
        p->small.max_width = most.width;
        p->small.max_height = most.height;
    }
    return ag_fft_plan_make_within(several ? &largest : NULL, &fft, &p->fft, why, why_size);
}

// The same at the ratio that `resolution` names; of auto, before it is decided, at the first that
// fits. Refuses it with the resolution that would fit, if one does.
static ag_status plan_resolution(const ag_host *host, const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, bloom_plan *p)
{
    int32_t wanted = ag_small_ratio(request, s), ratio = wanted ? wanted : 1;
    char why[256], unused[256];
    if (plan_ratio(gl, request, s, ratio, p, why, sizeof why))
        return AG_OK;
    bool other = false;
    while (!other && ratio < 4)
        other = plan_ratio(gl, request, s, ratio *= 2, p, unused, sizeof unused);
    if (other && !wanted)
        return AG_OK;
    // auto is refused with what half may have, such as firefly
    const char *way = ratio == 2 ? "half or auto" : wanted == 1 ? "quarter or auto" : "quarter";
    const char *with = s->transition > 0 ? ", with transition = 0" : "";
    return other ? ag_fail(host, AG_E_SIZE, "bloom: %s; resolution = %s fits%s", why, way, with)
                 : ag_fail(host, AG_E_SIZE, "bloom: %s", why);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    ag_bloom_settings s = settings_of(request);
    int32_t grid[2];
    bloom_plan *p = out;
    memset(p, 0, sizeof *p);
    ag_bloom_grid(request, &s, grid);
    ag_bloom_kernel_size(request, &s, grid[1], &p->kernel_width, &p->kernel_height);
    if (p->kernel_width > gl->max_texture_size || p->kernel_height > gl->max_texture_size)
        return ag_fail(host, AG_E_SIZE,
                       "bloom: size %g makes a kernel of %dx%d; this context's textures end at %d",
                       (double)s.size, p->kernel_width, p->kernel_height, gl->max_texture_size);
    ag_status status = plan_resolution(host, gl, request, &s, p);
    if (status < 0)
        return status;
    bool smaller = p->small.ratio_x > 1;
    if (smaller && ag_small_check_units(host, gl, &p->small) < 0)
        return AG_E_ARG;
    if (smaller)
        ag_small_place_core(&p->small, &p->fft);
    ag_fft_steps_describe(&p->fft, s.shape == AG_BLOOM_TEXTURE && !smaller, DST, request,
                          &ag_effect_bloom.info, plan);
    if (smaller)
        ag_small_describe(&p->small, request, SRC, output_of(request, &s), plan);
    if (ag_morph_serves(&s)) // the kernel that is faded to, and the one that is being built
        plan->head.persistent_bytes += 2 * (uint64_t)p->fft.kernel_bytes;
    if (ag_lens_needed(request, &s))
        ag_lens_describe(request, &s, plan);
    ag_small_say(&p->small, request, SRC, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const bloom_plan *p = detail;
    ag_bloom_settings s = settings_of(request);
    ag_fft_steps_io io = io_of(request, &s, &p->small);
    bool formula = by_formula(request, p);
    ag_status status = ag_lens_programs(prep, request, &s, NULL);
    if (status >= 0 && p->small.ratio_x > 1)
        status = ag_small_programs(prep, &p->small, request, SRC, output_of(request, &s), !formula,
                                   NULL);
    if (status < 0)
        return status;
    if (formula)
        return ag_fft_steps_programs(prep, &p->fft, &io, NULL);
    status = ag_bloom_drawer_programs(prep, request, NULL);
    if (status >= 0 && ag_morph_serves(&s))
        status = ag_morph_programs(prep, NULL);
    return status < 0 ? status
                      : ag_fft_steps_programs(prep, &p->fft, &io, ag_format_find(GL_RGBA32F));
}

static ag_status prepare_kernel(const ag_preparation *prep, const ag_request *request,
                                const bloom_plan *p, const ag_fft_steps *former, bloom_state *state)
{
    ag_bloom_settings s = settings_of(request);
    const ag_bloom_drawer *drawer = &state->drawer;
    int32_t grid[2];
    ag_bloom_grid(request, &s, grid);
    ag_bloom_kernel_draw(prep, request, &s, ag_bloom_sigma(&s, grid[1]), p->kernel_width,
                         p->kernel_height, drawer, &state->base.info);
    ag_texture view = ag_bloom_drawer_view(drawer, p->kernel_width, p->kernel_height);
    ag_source_texture kernel = {view.name, view.name, 0, &view, ag_format_find(GL_RGBA32F), 0};
    bool textured = s.shape == AG_BLOOM_TEXTURE, smaller = p->small.ratio_x > 1;
    bool bypass = p->fft.kept == p->fft.columns && !smaller;
    uint32_t how =
        AG_SUM_NORMALIZE | (s.scrub ? AG_SUM_SCRUB : 0) | (textured ? AG_SUM_MAY_BE_ZERO : 0);
    // Finding a kernel's form waits for the GPU: not done for a kernel that is drawn anew for every
    // height.
    ag_status status =
        ag_kernel_sum(prep, &kernel, p->fft.request.kernel_channels, how, bypass ? 0 : INFINITY,
                      &state->base.info, textured && !smaller ? &state->convolution : NULL);
    if (status >= 0 && textured && prep->may_wait)
        status = ag_bloom_kernel_report(prep, request, &s, p->kernel_width, p->kernel_height,
                                        drawer, &state->base.info);
    if (status >= 0)
        status = ag_fft_steps_allocate_kernel(prep->gpu, former, &state->convolution);
    ag_texture rest;
    if (status >= 0 && smaller)
        kernel = ag_small_split(prep->gpu, &p->small, &state->small, &kernel,
                                &state->convolution.kernel, &state->base.info, &rest);
    if (status >= 0)
        ag_kernel_spectrum(prep, &state->convolution, &kernel, s.scrub, &state->base.info);
    return status;
}

static ag_kernel_source kernel_source(const ag_request *request, const bloom_plan *p,
                                      const ag_bloom_drawer *drawer)
{
    ag_bloom_settings s = settings_of(request);
    ag_kernel_source source = {.format = ag_format_find(GL_RGBA32F),
                               .drawn_by = drawer->draw,
                               .width = p->kernel_width,
                               .height = p->kernel_height};
    ag_bloom_kernel_words(request, &s, source.words);
    int32_t grid[2];
    ag_bloom_grid(request, &s, grid);
    source.words[AG_BLOOM_KERNEL_WORDS] = grid[1];
    source.words[AG_KERNEL_WORDS - 1] =
        p->small.ratio_x | p->small.ratio_y << 3 | p->small.core << 6 | p->small.roll_off << 7;
    ag_bloom_drawer_key(drawer, source.words + AG_BLOOM_KERNEL_WORDS + 1);
    return source;
}

// Whether the spectrum in use stays until a new one is made and faded to. Then it serves this job:
// all but the settings that decide about its texels is the same.
static bool moves(const ag_preparation *prep, const ag_request *request, const bloom_plan *p,
                  const bloom_state *former, const ag_kernel_source *source)
{
    ag_bloom_settings s = settings_of(request);
    const int32_t *had = former->convolution.key.words;
    enum { REST = AG_BLOOM_KERNEL_WORDS * sizeof(int32_t) };
    return ag_morph_serves(&s) && prep->may_wait && !p->max_width &&
           former->convolution.kernel.name &&
           !memcmp((const char *)had + REST, (const char *)source->words + REST,
                   sizeof source->words - REST) &&
           former->shape == s.shape && former->size == s.size;
}

// Goes on with a kernel that is made over several frames.
static void advance(const ag_preparation *prep, const ag_request *request, void *out)
{
    bloom_state *state = out;
    ag_bloom_settings s = settings_of(request);
    if (state->moving)
        ag_morph_advance(prep, request, &s, state->kernel_width, state->kernel_height,
                         &state->drawer, &state->base.info, &state->convolution, &state->morph);
}

static ag_status prepare_fft(const ag_preparation *prep, const ag_request *request,
                             const bloom_plan *p, bloom_state *former, bloom_state *state)
{
    ag_fft_steps *old = &former->convolution, *made = &state->convolution;
    ag_bloom_drawer *drawer = &state->drawer;
    ag_bloom_settings s = settings_of(request);
    ag_fft_steps_io io = io_of(request, &s, &p->small);
    bool formula = by_formula(request, p);
    ag_status status = formula ? AG_OK : ag_bloom_drawer_programs(prep, request, drawer);
    ag_kernel_source source = kernel_source(request, p, drawer);
    if (formula)
        source.format = NULL;
    bool moving = !formula && moves(prep, request, p, former, &source);
    int32_t wanted[AG_KERNEL_WORDS];
    memcpy(wanted, source.words, sizeof wanted);
    if (moving)
        memcpy(source.words, old->key.words, sizeof source.words);
    if (status >= 0 && ag_morph_serves(&s))
        status = ag_morph_programs(prep, &state->morph);
    if (status >= 0)
        status = ag_fft_steps_prepare(prep, &p->fft, &io, &source, old, made);
    if (status < 0)
        return status;
    state->small_plan = p->small;
    if (p->small.ratio_x > 1)
        status = ag_small_prepare(prep, &p->small, request, SRC, output_of(request, &s), !formula,
                                  made, &former->small, &state->small);
    if (status < 0) {
        ag_small_abandon(prep->gpu, &former->small, &state->small);
        ag_fft_steps_abandon(prep->gpu, old, made);
        return status;
    }
    if (moving && !made->spectrum_kept) { // another size, or another shader
        moving = false;
        memcpy(made->key.words, wanted, sizeof wanted);
    }
    if (made->spectrum_kept) {
        ag_bloom_drawer_keep(&former->drawer, drawer);
        if (moving) {
            status = ag_bloom_drawer_allocate(prep->gpu, request, p->kernel_width, p->kernel_height,
                                              0, 0, &former->drawer, drawer);
            if (status >= 0)
                status = ag_morph_reserve(prep, &made->plan, &former->morph, &state->morph);
        } else {
            ag_bloom_drawer_take(&former->drawer, drawer);
        }
    } else if (formula) {
        int32_t grid[2];
        ag_bloom_grid(request, &s, grid);
        ag_gaussian g = {ag_bloom_sigma(&s, grid[1]), p->kernel_width, p->kernel_height};
        status = ag_gaussian_write(prep, &g, p->small.ratio_x, old, made, &state->base.info);
    } else {
        status = ag_bloom_drawer_allocate(prep->gpu, request, p->kernel_width, p->kernel_height,
                                          p->max_width, p->max_height, &former->drawer, drawer);
        if (status >= 0)
            status = prepare_kernel(prep, request, p, old, state);
    }
    if (status < 0) {
        ag_bloom_drawer_free(prep->gpu, drawer, &former->drawer, true);
        ag_morph_free(prep->gpu, &state->morph, &former->morph, true);
        ag_small_abandon(prep->gpu, &former->small, &state->small);
        ag_fft_steps_abandon(prep->gpu, old, made);
        return status;
    }
    ag_bloom_drawer_free(prep->gpu, &former->drawer, drawer, true);
    ag_morph_free(prep->gpu, &former->morph, &state->morph, true);
    ag_small_commit(&former->small, &state->small);
    if (!old->kernel.name && !p->max_width) { // a pass that is prepared once needs it no more
        ag_bloom_drawer_free(prep->gpu, drawer, NULL, true);
        ag_small_free_kernel(prep->gpu, &state->small);
    }
    ag_fft_steps_commit(old, made);
    state->shape = s.shape;
    state->size = s.size;
    state->kernel_width = p->kernel_width;
    state->kernel_height = p->kernel_height;
    state->moving = moving;
    if (moving)
        advance(prep, request, state);
    return AG_OK;
}

static ag_status decide(const ag_preparation *prep, ag_request *request, ag_decision *decision)
{
    ag_bloom_settings s = settings_of(request);
    return s.resolution == AG_BLOOM_AUTO ? ag_small_decide(prep, request, &s, decision) : AG_OK;
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    bloom_state *state = out, *former = old;
    ag_bloom_settings s = settings_of(request);
    *state = (bloom_state){.kernel_texture = request->slots[KERNEL_IMAGE].name};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = ag_lens_prepare(prep, request, &s, &state->base.info, &former->lens, &state->lens);
    state->lens.step = plan->head.step_count - 1; // the last one, if it is needed
    if (status >= 0)
        status = prepare_fft(prep, request, detail, old, state);
    if (status < 0) {
        ag_lens_free(prep->gpu, &state->lens, &former->lens, true);
        ag_info_abandon(prep->gpu, old, &state->base);
        return status;
    }
    ag_lens_free(prep->gpu, &former->lens, &state->lens, true);
    ag_info_commit(old, &state->base);
    return AG_OK;
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    bloom_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_bloom_drawer_free(gpu, &state->drawer, NULL, with_gl);
    ag_lens_free(gpu, &state->lens, NULL, with_gl);
    ag_morph_free(gpu, &state->morph, NULL, with_gl);
    ag_small_free(gpu, &state->small, with_gl);
    ag_fft_steps_free(gpu, &state->convolution, with_gl);
}

static bool uses(const void *state, GLuint texture)
{
    const bloom_state *s = state;
    return s->kernel_texture == texture || s->lens.dirt_texture == texture;
}

// ---- execute -----------------------------------------------------------------------------------

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const bloom_state *state = out;
    ag_bloom_settings s = settings_of(request);
    ag_mix mix = ag_bloom_mix(&s), alone = mix;
    const ag_lens *lens = &state->lens;
    const ag_memory *info = &state->base.info;
    ag_texture shape;
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    src.highlights = ag_bloom_highlights(&s);
    ag_source_texture dst = lens->on ? ag_lens_target(request, lens, &shape)
                                     : ag_source_of(recording->gpu, request, DST);
    ag_fft_steps_io io = io_of(request, &s, &state->small_plan);
    if (ag_lens_expose(recording, request, lens, info))
        mix.filter[3] = alone.filter[3] = 2;
    for (int i = 0; i < 3 && lens->on; ++i) {
        alone.gain[i] = alone.direct[i] = 1;
        alone.self[i] = alone.keep[i] = 0;
    }
    const float firefly[2] = {s.firefly == AG_BLOOM_FIREFLY_KARIS, exp2f(s.exposure)};
    if (state->small_plan.ratio_x > 1)
        ag_small_record(recording, request, &state->small_plan, &state->small, &state->convolution,
                        &src, &dst, info, s.scrub, &alone, firefly);
    else
        ag_fft_steps_record(recording, request, &state->convolution, &src, &dst, &io, info, s.scrub,
                            &alone);
    if (lens->on)
        ag_lens_record(recording, request, lens, &s, &mix, info);
}

const ag_effect ag_effect_bloom = {
    .info = AG_EFFECT_INFO("bloom", "energy-conserving FFT bloom of an HDR frame",
                           AG_IMAGE_COUNT + 1, 0),
    .state_bytes = sizeof(bloom_state),
    .detail_bytes = sizeof(bloom_plan),
    .check = check,
    .decide = decide,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .advance = advance,
    .execute = execute,
    .free_state = free_state,
    .uses = uses,
};
