// bloom.c - the effect "bloom": energy-conserving FFT bloom of an HDR frame
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/bloom_small.h"
#include "effects/fft/fft_steps.h"
#include "effects/fft/gaussian.h"
#include "effects/kit/settings.h"

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_BLOOM_SRC, KERNEL_IMAGE = AG_BLOOM_KERNEL_IMAGE, DST = AG_BLOOM_DST };

static const ag_slot_info slots[] = {
    {"src", "the frame, linear and HDR", AG_READ, AG_COLOUR_FORMATS, ag_colour_formats},
    {"kernel_image", "the kernel, for shape = texture", AG_READ | AG_OPTIONAL, AG_COLOUR_FORMATS,
     ag_colour_formats},
    {"dst", "the result, of src's size", AG_WRITE, AG_COLOUR_FORMATS, ag_colour_formats},
};

static const char *const shapes[] = {"gaussian", "aperture", "texture"};
static const char *const outputs[] = {"composite", "bloom_only"};

static const char *const storages[] = {"full", "compact"};
static const char *const resolutions[] = {"full", "half", "quarter", "auto"};
static const char *const grids[] = {"frame", "fixed"};
static const char *const fireflies[] = {"off", "clamp", "karis"};

#define SETTINGS ag_bloom_settings
static const ag_setting_info settings[] = {
    AG_REAL(intensity, "", "share of the light that is spread", 0, 1, 0.1),
    AG_REAL(size, "heights", "the kernel's full extent", 0, 2, 0.3),
    AG_CHOICE(shape, "the kernel", shapes),
    AG_WHOLE(blades, "", "corners of the aperture", 3, 16, 6),
    AG_REAL(rotation, "degrees", "of the aperture", -360, 360, 0),
    AG_REAL(threshold, "", "light below it does not bloom; 0 = off", 0, 65504, 0),
    AG_REAL(knee, "thresholds", "softness of the threshold", 0, 1, 0.5),
    AG_REAL(clamp, "", "brightest value that blooms; 0 = off", 0, 65504, 0),
    AG_REAL(exposure, "EV", "threshold and clamp are measured after it", -32, 32, 0),
    AG_COLOUR(tint, "colour of the bloom", 16),
    AG_CHOICE(output, "the composite, or the bloom alone", outputs),
    AG_SWITCH(scrub, "count non-finite texels as 0", 1),
    AG_CHOICE(storage, "of spectra between the passes: compact is 16 bits a component", storages),
    AG_CHOICE(resolution, "of the image that the FFT transforms", resolutions),
    AG_CHOICE(grid, "fixed: that image keeps its size when the frame's changes", grids),
    AG_CHOICE(firefly, "what single bright texels may spread", fireflies),
};

extern const ag_effect ag_effect_bloom;

typedef struct bloom_plan {
    ag_fft_plan fft;
    int32_t kernel_width, kernel_height;
    int32_t max_width, max_height; // of kernels of all sizes planned for; 0: of this one alone
    ag_small_plan small;           // ratio 1: the FFT has the frame's resolution
} bloom_plan;

typedef struct bloom_state {
    ag_state base;
    ag_fft_steps convolution;
    GLuint kernel_texture; // the host's, for forget()
    ag_memory drawn;       // the kernel's texels while its spectrum is made; kept for the next one
    int32_t drawn_width, drawn_height;
    ag_small_plan small_plan;
    ag_small_state small;
} bloom_state;

AG_SETTINGS_OF(ag_bloom_settings)

static int32_t float_bits(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// An odd number of texels, so that the kernel has a centre.
static int32_t odd_extent(double texels)
{
    return 2 * (int32_t)floor(texels / 2) + 1;
}

// For an image so many texels high.
static void kernel_size(const ag_request *request, const ag_bloom_settings *s, int32_t image_height,
                        int32_t *width, int32_t *height)
{
    double extent = (double)s->size * image_height;
    const ag_texture *image = &request->slots[KERNEL_IMAGE];
    *width = *height = odd_extent(extent);
    if (s->shape == AG_BLOOM_TEXTURE) // its height is the extent; its aspect ratio is kept
        *width = odd_extent(fmin(extent * image->rect_width / image->rect_height, 1e6));
}

// The size that the smaller image and K belong to: the frame's, or the largest planned.
static void grid_of(const ag_request *request, const ag_bloom_settings *s, int32_t grid[2])
{
    const ag_texture *src = &request->slots[SRC];
    bool fixed = s->grid == AG_BLOOM_FIXED;
    int32_t width = fixed ? request->plan_width : 0, height = fixed ? request->plan_height : 0;
    grid[0] = width > src->rect_width ? width : src->rect_width;
    grid[1] = height > src->rect_height ? height : src->rect_height;
}

static int32_t grid_height(const ag_request *request, const ag_bloom_settings *s)
{
    int32_t grid[2];
    grid_of(request, s, grid);
    return grid[1];
}

// Whether a plan serves frames of several sizes by several kernels.
static bool several(const ag_request *request)
{
    return request->plan_width && settings_of(request).grid == AG_BLOOM_FRAME;
}

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
    grid_of(request, &s, grid);
    ag_status status = ag_small_check(host, &s, src, grid);
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
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)dst->format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      float_bits(s.size),
                      s.shape,
                      s.storage,
                      s.resolution,
                      s.grid,
                      s.firefly != AG_BLOOM_FIREFLY_OFF,
                      textured ? image->rect_width : 0,
                      textured ? image->rect_height : 0,
                      request->plan_width,
                      request->plan_height};
    memcpy(shape->plan, plan, sizeof plan);
    int32_t which[] = {s.shape, float_bits(s.size), s.blades, float_bits(s.rotation)};
    memcpy(shape->kernel, which, sizeof which);
    if (textured) {
        int32_t texture[] = {(int32_t)image->name,
                             (int32_t)image->version,
                             (int32_t)(image->version >> 32),
                             (int32_t)image->format,
                             image->level,
                             image->first_layer,
                             image->rect_x,
                             image->rect_y,
                             s.scrub};
        memcpy(shape->kernel + 4, texture, sizeof texture);
    }
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static double sigma_of(const ag_request *request, const ag_bloom_settings *s)
{
    return fmax((double)s->size * grid_height(request, s) / 12, 1e-3);
}

// Where the spectrum of a Gaussian, exp(-2 (pi sigma f)^2), has fallen to 2^-26, in cycles a texel:
// the columns above are not stored (docs/bloom.md). 0: all are stored. A shader from the host's
// folder may draw a kernel that is not band-limited, and a smaller image of planned sizes would
// need more columns.
static double band_of(const ag_request *request, const ag_bloom_settings *s, double sigma)
{
    const double pi = 3.14159265358979323846, ln2 = 0.69314718055994530942;
    bool ends = s->shape == AG_BLOOM_GAUSSIAN && !request->live && !several(request);
    return ends ? sqrt(26 * ln2 / 2) / (pi * sigma) : 0;
}

// A Gaussian is the product of two lines. The centre weight, 1 / (2 pi sigma^2), is subtracted from
// that product again: where it is no small part, that would cost digits beside bright spots. A
// shader from the host's folder may draw something else.
static int32_t known_form(const ag_request *request, const ag_bloom_settings *s, double sigma)
{
    bool lines = s->shape == AG_BLOOM_GAUSSIAN && sigma >= 1 && !request->live;
    return lines ? AG_KERNEL_LINES : AG_KERNEL_COMPLEX;
}

// Whether the CPU makes the spectrum. Smaller images of planned sizes may have a kernel that is no
// product, so there the programs that make any kernel's must be ready anyway.
static bool by_formula(const ag_request *request, const bloom_plan *p)
{
    return p->fft.request.kernel_form == AG_KERNEL_LINES && !several(request);
}

// The convolution of a frame of this size. `small` (zeroed): the smaller image instead, if any.
static ag_fft_request request_of(const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, int32_t width, int32_t height,
                                 ag_small_plan *small)
{
    const ag_texture *src = &request->slots[SRC];
    int32_t ratio = ag_small_ratio(request, s);
    double sigma = sigma_of(request, s) / ratio;
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
                          .dst_bytes = request->formats[DST]->bytes,
                          .reads_src_again = 1,
                          .max_invocations = gl->max_invocations,
                          .max_block_bytes = gl->max_ssbo_bytes,
                          .alignment = gl->ssbo_alignment};
    int32_t frame[2] = {width, height}, grid[2] = {width, height};
    if (s->grid == AG_BLOOM_FIXED)
        grid_of(request, s, grid);
    kernel_size(request, s, grid[1], &fft.kernel_width, &fft.kernel_height);
    small->ratio = ratio;
    if (ratio > 1) {
        small->fireflies = s->firefly != AG_BLOOM_FIREFLY_OFF;
        // A core has the frame's texels, so it would change with the frame's size.
        small->core = fft.kernel_form != AG_KERNEL_LINES && s->grid == AG_BLOOM_FRAME;
        small->wide = request->formats[SRC]->store == AG_STORE_32F;
        ag_small_size(small, ratio, frame, grid, fft.kernel_width, fft.kernel_height);
        ag_small_request(small, &fft);
    }
    return fft;
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    ag_bloom_settings s = settings_of(request);
    bloom_plan *p = out;
    memset(p, 0, sizeof *p);
    kernel_size(request, &s, grid_height(request, &s), &p->kernel_width, &p->kernel_height);
    if (p->kernel_width > gl->max_texture_size || p->kernel_height > gl->max_texture_size)
        return ag_fail(host, AG_E_SIZE,
                       "bloom: size %g makes a kernel of %dx%d; this context's textures end at %d",
                       (double)s.size, p->kernel_width, p->kernel_height, gl->max_texture_size);
    ag_fft_request fft = request_of(gl, request, &s, src->rect_width, src->rect_height, &p->small);
    char why[256];
    ag_fft_request largest;
    if (several(request)) {
        int32_t w = src->rect_width, h = src->rect_height;
        ag_small_plan most = {0};
        w = request->plan_width > w ? request->plan_width : w;
        h = request->plan_height > h ? request->plan_height : h;
        largest = request_of(gl, request, &s, w, h, &most);
        kernel_size(request, &s, h, &p->max_width, &p->max_height);
        p->small.max_width = most.width;
        p->small.max_height = most.height;
    }
    const ag_fft_request *most = several(request) ? &largest : NULL;
    if (!ag_fft_plan_make_within(most, &fft, &p->fft, why, sizeof why))
        return ag_fail(host, AG_E_SIZE, "bloom: %s", why);
    bool smaller = p->small.ratio > 1;
    if (smaller)
        ag_small_place_core(&p->small, &p->fft);
    ag_fft_steps_describe(&p->fft, s.shape == AG_BLOOM_TEXTURE && !smaller, DST, request,
                          &ag_effect_bloom.info, plan);
    if (smaller)
        ag_small_describe(&p->small, &p->fft, request, SRC, DST, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status draw_program(const ag_preparation *prep, const ag_request *request,
                              const ag_program **program)
{
    ag_defines defines = {0};
    bool textured = settings_of(request).shape == AG_BLOOM_TEXTURE;
    ag_source_defines(textured ? request->formats[KERNEL_IMAGE] : ag_format_find(GL_R32F),
                      AG_BY_IMAGE, &defines);
    return ag_program_get(prep, "fft/bloom_kernel.comp", &defines, program);
}

static ag_fft_steps_io io_of(const ag_request *request, const bloom_plan *p)
{
    return p->small.ratio > 1 ? ag_small_io(&p->small)
                              : ag_fft_steps_io_of(request, SRC, DST, true);
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const bloom_plan *p = detail;
    ag_fft_steps_io io = io_of(request, p);
    bool formula = by_formula(request, p);
    ag_status status = AG_OK;
    if (p->small.ratio > 1)
        status = ag_small_programs(prep, &p->small, request, SRC, DST, !formula, NULL);
    if (status >= 0 && formula)
        return ag_fft_steps_programs(prep, &p->fft, &io, NULL);
    if (status >= 0)
        status = draw_program(prep, request, NULL);
    return status < 0 ? status
                      : ag_fft_steps_programs(prep, &p->fft, &io, ag_format_find(GL_RGBA32F));
}

// A texture to draw K into: the former one where that serves, as of ag_gpu_buffer_again.
static ag_status make_texture(ag_gpu *gpu, const bloom_plan *p, const bloom_state *former,
                              bloom_state *state)
{
    int32_t w = p->kernel_width, h = p->kernel_height;
    int32_t had_w = former->drawn_width, had_h = former->drawn_height;
    bool planned = p->max_width > 0;
    state->drawn = former->drawn;
    state->drawn_width = had_w;
    state->drawn_height = had_h;
    if (had_w >= w && had_h >= h &&
        (planned || ag_memory_serves(&former->drawn, (uint64_t)w * (uint64_t)h * 16)))
        return AG_OK;
    if (planned) {
        w = p->max_width;
        h = p->max_height;
    } else if (former->drawn.name && (had_w < w || had_h < h)) {
        int32_t most = gpu->gl.max_texture_size;
        w = w + w / 8 < most ? w + w / 8 : most;
        h = h + h / 8 < most ? h + h / 8 : most;
    }
    state->drawn = (ag_memory){0};
    state->drawn_width = w;
    state->drawn_height = h;
    return ag_gpu_texture(gpu, "afterglow bloom kernel", w, h, &state->drawn);
}

// Draws K, one corner of it at texel 0, 0.
static void draw_kernel(ag_gpu *gpu, const ag_request *request, const ag_bloom_settings *s,
                        const bloom_plan *p, const ag_program *program, const bloom_state *state)
{
    const ag_memory *info = &state->base.info;
    bool textured = s->shape == AG_BLOOM_TEXTURE;
    ag_source_texture image = ag_source_of(gpu, request, textured ? KERNEL_IMAGE : SRC);
    const ag_texture *t = image.texture;
    double sigma = sigma_of(request, s);
    double rotation = (double)s->rotation * 3.14159265358979323846 / 180;
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
        AG_INTS(AG_LOC_SRC_MODE, image.format->channels, 0, s->scrub, 0),
        AG_INTS(AG_LOC_DST_RECT, 0, 0, p->kernel_width, p->kernel_height),
        AG_FLOATS(AG_LOC_SHAPE, (float)sigma, (float)rotation, (float)p->kernel_height / 2, 0),
        AG_INTS(AG_LOC_SHAPE_MODE, s->shape, s->blades, 0, 0),
    };
    ag_dispatch d = {.program = program,
                     .images[AG_IMAGE_DST] = {state->drawn.name, 0, 0, GL_WRITE_ONLY, GL_RGBA32F},
                     .ranges[AG_SSBO_INFO] = ag_whole(info),
                     .uniforms = uniforms,
                     .uniform_count = sizeof uniforms / sizeof *uniforms,
                     .groups = {ag_groups(p->kernel_width, 8), ag_groups(p->kernel_height, 8), 1}};
    if (textured)
        d.images[AG_IMAGE_SRC] = ag_read_image(&image, 0);
    ag_recording recording;
    ag_record_begin_prepare(&recording, gpu, "afterglow bloom kernel");
    ag_record(&recording, &d);
    ag_record_end(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

static ag_texture view_of_drawn(const bloom_plan *p, const bloom_state *state)
{
    return (ag_texture){.name = state->drawn.name,
                        .target = GL_TEXTURE_2D,
                        .format = GL_RGBA32F,
                        .width = state->drawn_width,
                        .height = state->drawn_height,
                        .layers = 1,
                        .rect_width = p->kernel_width,
                        .rect_height = p->kernel_height};
}

static ag_status prepare_kernel(const ag_preparation *prep, const ag_request *request,
                                const bloom_plan *p, const ag_program *drawing,
                                const ag_fft_steps *former, bloom_state *state)
{
    ag_bloom_settings s = settings_of(request);
    draw_kernel(prep->gpu, request, &s, p, drawing, state);
    ag_texture view = view_of_drawn(p, state);
    GLuint name = view.name;
    ag_source_texture kernel = {name, name, 0, &view, ag_format_find(GL_RGBA32F)};
    bool textured = s.shape == AG_BLOOM_TEXTURE, smaller = p->small.ratio > 1;
    bool bypass = p->fft.kept == p->fft.columns && !smaller;
    uint32_t how =
        AG_SUM_NORMALIZE | (s.scrub ? AG_SUM_SCRUB : 0) | (textured ? AG_SUM_MAY_BE_ZERO : 0);
    // Finding a kernel's form waits for the GPU: not done for a kernel that is drawn anew for every
    // height.
    ag_status status =
        ag_kernel_sum(prep, &kernel, p->fft.request.kernel_channels, how, bypass ? 0 : INFINITY,
                      &state->base.info, textured && !smaller ? &state->convolution : NULL);
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

static ag_kernel_source kernel_source(const ag_request *request)
{
    const ag_texture *t = &request->slots[KERNEL_IMAGE]; // all zero unless it is used
    ag_bloom_settings s = settings_of(request);
    return (ag_kernel_source){
        .format = ag_format_find(GL_RGBA32F),
        .words = {s.shape, float_bits(s.size), s.blades, float_bits(s.rotation),
                  grid_height(request, &s), s.shape == AG_BLOOM_TEXTURE ? s.scrub : 0,
                  (int32_t)t->name, (int32_t)t->version, (int32_t)(t->version >> 32),
                  (int32_t)t->format, t->level, t->first_layer, t->rect_x, t->rect_y, t->rect_width,
                  t->rect_height, ag_small_ratio(request, &s)}};
}

static ag_status prepare_fft(const ag_preparation *prep, const ag_request *request,
                             const bloom_plan *p, bloom_state *former, bloom_state *state)
{
    ag_fft_steps *old = &former->convolution, *made = &state->convolution;
    ag_kernel_source source = kernel_source(request);
    ag_fft_steps_io io = io_of(request, p);
    source.width = p->kernel_width;
    source.height = p->kernel_height;
    bool formula = by_formula(request, p);
    if (formula)
        source.format = NULL;
    ag_status status = formula ? AG_OK : draw_program(prep, request, &source.drawn_by);
    if (status >= 0)
        status = ag_fft_steps_prepare(prep, &p->fft, &io, &source, old, made);
    if (status < 0)
        return status;
    state->small_plan = p->small;
    if (p->small.ratio > 1)
        status = ag_small_prepare(prep, &p->small, request, SRC, DST, !formula, made,
                                  &former->small, &state->small);
    if (status < 0) {
        ag_small_abandon(prep->gpu, &former->small, &state->small);
        ag_fft_steps_abandon(prep->gpu, old, made);
        return status;
    }
    if (made->spectrum_kept) {
        state->drawn = former->drawn;
        state->drawn_width = former->drawn_width;
        state->drawn_height = former->drawn_height;
    } else if (formula) {
        ag_bloom_settings s = settings_of(request);
        ag_gaussian g = {sigma_of(request, &s), p->kernel_width, p->kernel_height};
        status = ag_gaussian_write(prep, &g, p->small.ratio, old, made, &state->base.info);
    } else {
        status = make_texture(prep->gpu, p, former, state);
        if (status >= 0)
            status = prepare_kernel(prep, request, p, source.drawn_by, old, state);
    }
    if (status < 0) {
        if (state->drawn.name != former->drawn.name)
            ag_gpu_free_texture(prep->gpu, &state->drawn, true);
        ag_small_abandon(prep->gpu, &former->small, &state->small);
        ag_fft_steps_abandon(prep->gpu, old, made);
        return status;
    }
    if (state->drawn.name == former->drawn.name)
        former->drawn = (ag_memory){0};
    ag_small_commit(&former->small, &state->small);
    if (!old->kernel.name && !p->max_width) { // a pass that is prepared once needs it no more
        ag_gpu_free_texture(prep->gpu, &state->drawn, true);
        state->drawn_width = state->drawn_height = 0;
        ag_small_free_kernel(prep->gpu, &state->small);
    }
    ag_fft_steps_commit(old, made);
    return AG_OK;
}

// For resolution = auto: draws K as prepare will, of the largest size planned for.
static ag_status decide(const ag_preparation *prep, ag_request *request)
{
    ag_bloom_settings s = settings_of(request);
    ag_gpu *gpu = prep->gpu;
    if (s.resolution != AG_BLOOM_AUTO)
        return AG_OK;
    const ag_texture *src = &request->slots[SRC];
    bloom_plan p = {0};
    bloom_state state = {0}, none = {0};
    int32_t h = request->plan_height > src->rect_height ? request->plan_height : src->rect_height;
    kernel_size(request, &s, h, &p.kernel_width, &p.kernel_height);
    if (s.shape == AG_BLOOM_GAUSSIAN) {
        double sigma = sigma_of(request, &s) * h / src->rect_height;
        request->decision = ag_small_decide_gaussian(&gpu->host, &s, sigma, p.kernel_height / 2);
        return AG_OK;
    }
    const ag_program *program;
    ag_status status = draw_program(prep, request, &program);
    if (status >= 0)
        status = ag_info_make(gpu, &none.base, &state.base);
    if (status >= 0)
        status = make_texture(gpu, &p, &none, &state);
    if (status >= 0) {
        draw_kernel(gpu, request, &s, &p, program, &state);
        ag_texture view = view_of_drawn(&p, &state);
        ag_source_texture kernel = {view.name, view.name, 0, &view, ag_format_find(GL_RGBA32F)};
        status = ag_small_decide(prep, &s, &kernel, &state.base.info, &request->decision);
    }
    ag_gpu_free_texture(gpu, &state.drawn, true);
    ag_info_free(gpu, &state.base, true);
    return status;
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    bloom_state *state = out;
    (void)plan;
    *state = (bloom_state){.kernel_texture = request->slots[KERNEL_IMAGE].name};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = prepare_fft(prep, request, detail, old, state);
    if (status < 0)
        ag_info_abandon(prep->gpu, old, &state->base);
    else
        ag_info_commit(old, &state->base);
    return status;
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    bloom_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_gpu_free_texture(gpu, &state->drawn, with_gl);
    ag_small_free(gpu, &state->small, with_gl);
    ag_fft_steps_free(gpu, &state->convolution, with_gl);
}

static bool uses(const void *state, GLuint texture)
{
    return ((const bloom_state *)state)->kernel_texture == texture;
}

// ---- execute -----------------------------------------------------------------------------------

// With C = T conv (K without its centre) and k0 = the centre weight, tint t and intensity I:
//   composite   src + I (t (C + k0 T) - T)
//   bloom_only  I t (C + k0 T), alpha copied
static ag_mix mix_of(const ag_bloom_settings *s)
{
    ag_mix mix = {.keep = {1, 1, 1, 1}};
    float unexposed = exp2f(-s->exposure);
    for (int i = 0; i < 3; ++i) {
        mix.gain[i] = mix.direct[i] = s->intensity * s->tint[i];
        if (s->output == AG_BLOOM_ONLY)
            mix.keep[i] = 0;
        else
            mix.self[i] = -s->intensity;
    }
    mix.filter[0] = s->threshold * unexposed;
    mix.filter[1] = s->threshold * s->knee * unexposed;
    mix.filter[2] = s->clamp > 0 ? s->clamp * unexposed : INFINITY;
    mix.filter[3] = s->threshold > 0 || s->clamp > 0 ? 1.0f : 0.0f;
    return mix;
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const bloom_state *state = out;
    ag_bloom_settings s = settings_of(request);
    ag_mix mix = mix_of(&s);
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    const ag_memory *info = &state->base.info;
    if (state->small_plan.ratio > 1) {
        const float firefly[2] = {s.firefly == AG_BLOOM_FIREFLY_KARIS, exp2f(s.exposure)};
        ag_small_record(recording, request, &state->small_plan, &state->small, &state->convolution,
                        &src, &dst, info, s.scrub, &mix, firefly);
        return;
    }
    ag_fft_steps_io io = ag_fft_steps_io_of(request, SRC, DST, true);
    ag_fft_steps_record(recording, request, &state->convolution, &src, &dst, &io, info, s.scrub,
                        &mix);
}

const ag_effect ag_effect_bloom = {
    .info = {.struct_size = sizeof(ag_effect_info),
             .settings_size = sizeof(ag_bloom_settings),
             .id = "bloom",
             .help = "energy-conserving FFT bloom of an HDR frame",
             .slots = slots,
             .slot_count = 3,
             .slot_stride = sizeof *slots,
             .settings = settings,
             .setting_count = sizeof settings / sizeof *settings,
             .setting_stride = sizeof *settings,
             .image_units = AG_IMAGE_COUNT + 1,
             .ssbos = AG_SSBO_COUNT},
    .state_bytes = sizeof(bloom_state),
    .detail_bytes = sizeof(bloom_plan),
    .check = check,
    .decide = decide,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
    .uses = uses,
};
