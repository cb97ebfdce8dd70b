// bloom.c - the effect "bloom": energy-conserving FFT bloom of an HDR frame
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/bloom/bloom_light.h"
#include "effects/bloom/bloom_reduced.h"
#include "effects/bloom/bloom_sizes.h"
#include "effects/bloom/gaussian.h"
#include "effects/bloom/lens.h"
#include "effects/bloom/morph.h"
#include "effects/kit/tables.h"

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
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

AG_SETTINGS(bloom, BLOOM)

typedef struct bloom_design {
    ag_fft_plan fft;
    int32_t kernel_width, kernel_height;
    int32_t max_width, max_height; // of kernels of all sizes planned for; 0: of this one alone
    ag_reduced reduced;            // ratio_x 1: the FFT has the frame's resolution
} bloom_design;

typedef struct bloom_facts {
    ag_kernel_facts kernel;
    ag_morph morph;
    bool has_kernel;
    ag_hash128 rest; // of what the kernel was made of beside its settings
    int32_t shape;   // of the kernel, whatever its spectrum holds at the moment
    float size;
} bloom_facts;
_Static_assert(sizeof(bloom_facts) <= AG_MAX_FACTS, "room for its facts");

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
    ag_status status = ag_reduced_check(host, &s, src, grid);
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
static bool by_formula(const ag_request *request, const bloom_design *p)
{
    ag_bloom_settings s = settings_of(request);
    return p->fft.request.kernel_form == AG_KERNEL_LINES && !ag_bloom_several(request, &s);
}

// The format that the convolution's part of the job writes: dst, or a glow for the lens.
static const ag_format *output_of(const ag_request *request, const ag_bloom_settings *s)
{
    return ag_lens_needed(request, s) ? ag_lens_glow(request) : request->formats[DST];
}

// The convolution of a frame of this size. `ratio`, 1, 2 or 4: of the frame to the image that is
// transformed. `small` (zeroed): that image, if it is another.
static ag_fft_request request_of(const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, int32_t ratio, int32_t width,
                                 int32_t height, ag_reduced *small)
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
        ag_reduced_size(small, ratio, s->shape, frame, grid, fft.kernel_width, fft.kernel_height);
        if (fft.kernel_form != AG_KERNEL_LINES)
            ag_reduced_choose_split(small, s, request->live || ag_bloom_several(request, s));
        ag_reduced_request(small, &fft);
    }
    return fft;
}

// Plans the convolution at one ratio. Returns false with `why` if its lines or its memory do not
// fit.
static bool plan_ratio(const ag_gl *gl, const ag_request *request, const ag_bloom_settings *s,
                       int32_t ratio, bloom_design *p, char *why, size_t why_size)
{
    const ag_texture *src = &request->slots[SRC];
    int32_t w = src->rect_width, h = src->rect_height;
    p->reduced = (ag_reduced){0};
    ag_fft_request fft = request_of(gl, request, s, ratio, w, h, &p->reduced), largest;
    bool several = ag_bloom_several(request, s);
    if (several) {
        ag_reduced most = {0};
        w = request->plan_width > w ? request->plan_width : w;
        h = request->plan_height > h ? request->plan_height : h;
        largest = request_of(gl, request, s, ratio, w, h, &most);
        ag_bloom_kernel_size(request, s, h, &p->max_width, &p->max_height);
        p->reduced.max_width = most.width;
        p->reduced.max_height = most.height;
    }
    return ag_fft_plan_make_within(several ? &largest : NULL, &fft, &p->fft, why, why_size);
}

// The same at the ratio that `resolution` names; of auto, before it is decided, at the first that
// fits. Refuses it with the resolution that would fit, if one does.
static ag_status plan_resolution(const ag_host *host, const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, bloom_design *p)
{
    int32_t wanted = ag_reduced_ratio(request, s), ratio = wanted ? wanted : 1;
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

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    ag_bloom_settings s = settings_of(request);
    int32_t grid[2];
    bloom_design *p = out;
    memset(p, 0, sizeof *p);
    ag_bloom_grid(request, &s, grid);
    ag_bloom_kernel_size(request, &s, grid[1], &p->kernel_width, &p->kernel_height);
    if (p->kernel_width > gl->max_texture_size || p->kernel_height > gl->max_texture_size)
        return ag_fail(host, AG_E_SIZE,
                       "bloom: size %g makes a kernel of %dx%d; this context's textures end at %d",
                       (double)s.size, p->kernel_width, p->kernel_height, gl->max_texture_size);
    ag_status status = plan_resolution(host, gl, request, &s, p);
    if (status >= 0)
        status = ag_lens_fits(host, gl, request);
    if (status < 0)
        return status;
    if (p->reduced.ratio_x == 1)
        return AG_OK;
    if (ag_reduced_check_units(host, gl, &p->reduced) < 0)
        return AG_E_ARG;
    ag_reduced_place_core(&p->reduced, &p->fft);
    return AG_OK;
}

// ---- the kernel, in a prepare ------------------------------------------------------------------

typedef struct rest_key { // what a kernel is made of beside its settings
    int32_t grid_height, split[4];
} rest_key;

typedef struct made_key { // what its spectrum is made of
    int32_t words[AG_BLOOM_KERNEL_WORDS];
    rest_key rest;
    int32_t plan[12]; // radices, threads and layout follow from the lengths
} made_key;

static rest_key rest_key_of(const ag_request *request, const bloom_design *d,
                            const ag_bloom_settings *s)
{
    const ag_reduced *r = &d->reduced;
    int32_t grid[2];
    ag_bloom_grid(request, s, grid);
    return (rest_key){grid[1], {r->ratio_x, r->ratio_y, r->core, r->roll_off}};
}

static made_key made_key_of(const bloom_design *d, const rest_key *rest, const int32_t *words)
{
    const ag_fft_plan *p = &d->fft;
    const ag_fft_request *r = &p->request;
    made_key key = {.rest = *rest,
                    .plan = {p->x.line.length, p->y.line.length, p->x.reach_low, p->x.reach_high,
                             p->y.reach_low, p->y.reach_high, r->kernel_width, r->kernel_height,
                             r->kernel_channels, r->kernel_form, p->kept, r->storage}};
    memcpy(key.words, words, sizeof key.words);
    return key;
}

typedef struct kernel_work { // shaders of `make`, in their order
    ag_shader *dirt;
    ag_bloom_drawer drawer;
    ag_morph_work morph;
    ag_split split;
    ag_kernel_sums sums;
    ag_kernel_transform transform;
} kernel_work;

static void begin_kernel(ag_frame *f, const bloom_design *d, const ag_bloom_settings *s,
                         kernel_work *work)
{
    const ag_request *request = ag_frame_request(f);
    int32_t grid[2];
    ag_bloom_grid(request, s, grid);
    *work = (kernel_work){.drawer = {.settings = *s,
                                     .sigma = ag_bloom_sigma(s, grid[1]),
                                     .width = d->kernel_width,
                                     .height = d->kernel_height}};
    work->dirt = ag_lens_dirt_shader(f);
    if (by_formula(request, d))
        return;
    bool smaller = d->reduced.ratio_x > 1, textured = s->shape == AG_BLOOM_TEXTURE;
    ag_bloom_drawer_begin(f, &work->drawer);
    if (ag_morph_serves(s))
        ag_morph_begin(f, &work->morph);
    if (smaller)
        ag_split_begin(f, &d->reduced, &work->split);
    // Finding a kernel's form waits for the GPU: not done for a kernel that is drawn anew for every
    // height.
    const ag_format *floats = ag_format_find(GL_RGBA32F);
    work->sums = ag_kernel_sums_begin(f, floats, textured && !smaller);
    work->transform = ag_kernel_transform_begin(f, &d->fft, floats);
}

// Draws K, sums it, and transforms it or what is left of it for a smaller image.
static void make_drawn(ag_frame *f, const bloom_design *d, kernel_work *work, ag_handle info,
                       ag_kernel_facts *facts)
{
    const ag_bloom_settings *s = &work->drawer.settings;
    bool textured = s->shape == AG_BLOOM_TEXTURE, smaller = d->reduced.ratio_x > 1;
    bool bypass = d->fft.kept == d->fft.columns && !smaller;
    ag_fft_plan plan = d->fft;
    ag_bloom_drawer_memory(f, d->max_width, d->max_height, &work->drawer);
    ag_bloom_kernel_begin(f, &work->drawer, info);
    ag_bloom_kernel_rows(f, &work->drawer, 0, d->kernel_height, info);
    ag_kernel kernel = {.source = work->drawer.kernel,
                        .channels = plan.request.kernel_channels,
                        .how = AG_SUM_NORMALIZE | (s->scrub ? AG_SUM_SCRUB : 0) |
                               (textured ? AG_SUM_MAY_BE_ZERO : 0),
                        .bypass_share = bypass ? 0 : INFINITY};
    ag_kernel_sums_make(f, &work->sums, &kernel, info, work->sums.shape ? facts : NULL);
    if (textured)
        ag_bloom_kernel_report(f, &work->drawer, info);
    if (work->sums.shape && facts->known)
        ag_fft_plan_kernel(&plan, facts->form);
    ag_handle spectrum = ag_kernel_memory(f, &plan);
    if (smaller) {
        ag_split_memory(f, &work->split);
        ag_split_make(
            f, &work->split, &work->drawer.kernel,
            ag_block_of(spectrum, AG_WRITE, (uint64_t)d->reduced.core_offset, AG_CORE_BYTES), info);
        kernel.source = work->split.result;
    }
    ag_kernel_transform_make(f, &work->transform, &plan, &kernel.source, s->scrub, info,
                             "rows of the kernel", spectrum);
}

static void make_formula(ag_frame *f, const bloom_design *d, const ag_bloom_drawer *drawer,
                         ag_handle info)
{
    ag_gaussian g = {drawer->sigma, d->kernel_width, d->kernel_height};
    ag_gaussian_make(f, &g, d->reduced.ratio_x, &d->fft, ag_kernel_memory(f, &d->fft), info);
}

// Goes on with a kernel that is made over several frames.
static void go_on(ag_frame *f, const bloom_design *d, const ag_bloom_settings *s, kernel_work *work,
                  bloom_facts *facts)
{
    ag_bloom_drawer_memory(f, 0, 0, &work->drawer);
    ag_morph_memory(f, &d->fft, &work->morph);
    ag_morph_kernel kernel = {.plan = &d->fft,
                              .drawer = &work->drawer,
                              .transform = &work->transform,
                              .spectrum = ag_kernel_memory(f, &d->fft),
                              .info = ag_frame_info(f)};
    ag_morph_share(f, &kernel, &work->morph, s, &facts->morph);
    const rest_key rest = rest_key_of(ag_frame_request(f), d, s);
    const made_key shown = made_key_of(d, &rest, facts->morph.shown);
    ag_frame_now_made(f, &shown, sizeof shown);
}

static void make(ag_frame *f)
{
    const bloom_design *d = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    const ag_bloom_settings s = settings_of(request);
    bloom_facts *facts = ag_frame_facts(f);
    kernel_work work;
    begin_kernel(f, d, &s, &work);
    if (ag_frame_goes_on(f)) {
        go_on(f, d, &s, &work, facts);
        return;
    }
    ag_handle info = ag_frame_info(f);
    ag_lens_dirt_make(f, work.dirt, info);

    int32_t wanted[AG_BLOOM_KERNEL_WORDS];
    ag_bloom_kernel_words(request, &s, wanted);
    const rest_key rest = rest_key_of(request, d, &s);
    const ag_hash128 rest_hash = ag_hash128_of(&rest, sizeof rest);
    const made_key key = made_key_of(d, &rest, wanted),
                   shown = made_key_of(d, &rest, facts->morph.shown);
    bool formula = by_formula(request, d);
    // The spectrum in use stays until a new one is made and faded to, if it serves this job: all
    // but the settings that decide about its texels is the same.
    bool moving = ag_morph_serves(&s) && ag_frame_may_wait(f) && !d->max_width && !formula &&
                  facts->has_kernel && ag_hash128_equal(facts->rest, rest_hash) &&
                  facts->shape == s.shape && facts->size == s.size &&
                  ag_frame_is_made(f, &shown, sizeof shown);
    if (moving) {
        ag_fft_plan plan = d->fft;
        ag_bloom_drawer_memory(f, 0, 0, &work.drawer);
        ag_morph_memory(f, &plan, &work.morph);
    } else {
        facts->morph = (ag_morph){0};
        if (!ag_frame_is_made(f, &key, sizeof key)) {
            facts->kernel = (ag_kernel_facts){0};
            if (formula)
                make_formula(f, d, &work.drawer, info);
            else
                make_drawn(f, d, &work, info, &facts->kernel);
        }
        memcpy(facts->morph.shown, wanted, sizeof wanted);
    }
    ag_frame_leave(f, moving);
    facts->has_kernel = true;
    facts->rest = rest_hash;
    facts->shape = s.shape;
    facts->size = s.size;
}

// ---- frame -------------------------------------------------------------------------------------

static void say(ag_frame *f, const bloom_design *d, const ag_bloom_settings *s)
{
    const ag_reduced *r = &d->reduced;
    const ag_texture *src = &ag_frame_request(f)->slots[SRC];
    double texels = (double)src->rect_width * src->rect_height * src->layers;
    char fft[AG_CONVOLUTION_WORDS], small[64] = "full resolution";
    if (!ag_frame_is_planned(f))
        return;
    if (r->ratio_x > 1)
        snprintf(small, sizeof small, "%s resolution, %dx%d, %s",
                 r->ratio_x == 2 ? "half" : "quarter", r->width, r->height,
                 r->core ? "core 5x5" : "no core");
    ag_convolution_words(&d->fft, s->shape == AG_BLOOM_TEXTURE && r->ratio_x == 1, fft);
    ag_frame_text(f, "%s: %d dispatches, %.1f bytes a texel of the frame; %.*s", small,
                  (int)ag_frame_planned_dispatches(f), (double)ag_frame_planned_bytes(f) / texels,
                  (int)sizeof fft - 112, fft);
}

static void frame(ag_frame *f)
{
    const bloom_design *d = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    const ag_bloom_settings s = settings_of(request);
    const bloom_facts *facts = ag_frame_facts(f);
    bool smaller = d->reduced.ratio_x > 1;
    ag_picture src = ag_slot_picture(f, SRC), dst = ag_slot_picture(f, DST);
    src.highlights = ag_bloom_highlights(&s);
    ag_lens lens;
    ag_lens_begin(f, &s, &lens);
    if (lens.on)
        dst.format = ag_lens_glow(request);
    ag_reduction r;
    if (smaller)
        ag_reduction_begin(f, &d->reduced, SRC, &src, &dst, &r);
    ag_handle info = ag_frame_info(f);
    ag_lens_memory(f, info, &lens);
    if (lens.on)
        dst = lens.glow;
    ag_fft_io io = {src.format, dst.format, ag_reading_of(request, SRC), true};
    if (smaller) {
        r.dst = dst;
        ag_reduction_memory(f, info, &r);
        io = (ag_fft_io){r.light.format, r.light.format, AG_BY_IMAGE, false};
    }
    ag_convolution c;
    ag_convolution_begin(f, &d->fft, smaller ? NULL : &facts->kernel, smaller ? &r.light : &src,
                         smaller ? &r.bloom : &dst, &io, &c);

    ag_mix mix = ag_bloom_mix(&s), alone = mix;
    if (lens.exposes)
        mix.filter[3] = alone.filter[3] = 2;
    for (int i = 0; i < 3 && lens.on; ++i) {
        alone.gain[i] = alone.direct[i] = 1;
        alone.self[i] = alone.keep[i] = 0;
    }
    ag_lens_expose(f, &lens);
    if (smaller) {
        const float firefly[2] = {s.firefly == AG_BLOOM_FIREFLY_KARIS, exp2f(s.exposure)};
        ag_reduction_down(f, &r, s.scrub, &alone, firefly);
        ag_convolution_steps(f, &c, false, &ag_reduction_mix);
        ag_reduction_up(f, &r, c.kernel, s.scrub, &alone);
    } else {
        ag_convolution_steps(f, &c, s.scrub, &alone);
    }
    if (lens.on)
        ag_lens_step(f, &lens, &s, &mix);
    say(f, d, &s);
}

const ag_effect ag_effect_bloom = {
    .info = AG_EFFECT_INFO("bloom", "energy-conserving FFT bloom of an HDR frame",
                           AG_IMAGE_COUNT + 1, 0),
    .check = check,
    .states_shape = true,
    .contents = 1u << KERNEL_IMAGE | 1u << AG_BLOOM_DIRT,
    .design = design,
    .question = &ag_bloom_auto,
    .make = make,
    .frame = frame,
    .design_bytes = sizeof(bloom_design),
    .facts_bytes = sizeof(bloom_facts),
};
