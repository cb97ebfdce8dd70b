// bloom.c - the effect "bloom": energy-conserving FFT bloom of an HDR frame
// SPDX-License-Identifier: MIT
#include "effects/bloom/bloom.h"
#include "base/float_bits.h"
#include "base/log.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <math.h>
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

ag_bloom_settings ag_bloom_settings_of(const ag_request *request)
{
    return settings_of(request);
}

// k of docs/bloom.md, HIGHLIGHTS of shaders/fft/source.glsl: 1 - 1 / gain; 0: nothing is expanded.
// With a gain of 100 lamps of a street at night have stars in a frame that ends at white, as they
// have in the HDR frame.
static float highlights(const ag_bloom_settings *s)
{
    float gain = s->gain > 0 ? s->gain : s->transfer == AG_BLOOM_SRGB ? 100.0f : 1.0f;
    return gain > 1 ? 1 - 1 / gain : 0;
}

// Makes src and dst formats of light, as transfer and gain say.
static ag_status check_light(const ag_host *host, ag_request *request, const ag_bloom_settings *s)
{
    bool srgb = s->transfer == AG_BLOOM_SRGB, expands = highlights(s) > 0;
    if (!srgb && !expands)
        return AG_OK;
    for (int i = 0; i < 2; ++i) {
        const ag_format **format = &request->formats[i ? DST : SRC];
        const ag_format *light = ag_format_light(*format, srgb, expands);
        if (!light)
            return ag_fail(host, AG_E_FORMAT,
                           "bloom: %s is %s; with transfer = srgb src and dst must be R8, RG8, "
                           "RGBA8, SRGB8_ALPHA8, RGB10_A2 or RGBA16",
                           i ? "dst" : "src", (*format)->text);
        *format = light;
    }
    return AG_OK;
}

// The size that the smaller image and K belong to: the frame's, or the largest that is planned for.
static void find_grid(const ag_request *request, const ag_bloom_settings *s, int32_t grid[2])
{
    const ag_texture *src = &request->slots[SRC];
    bool fixed = s->grid == AG_BLOOM_FIXED;
    int32_t width = fixed ? request->plan_width : 0, height = fixed ? request->plan_height : 0;
    grid[0] = width > src->rect_width ? width : src->rect_width;
    grid[1] = height > src->rect_height ? height : src->rect_height;
}

// Refuses settings that need a smaller image without one, and frames too small for their grid.
static ag_status check_resolution(const ag_host *host, const ag_request *request,
                                  const ag_bloom_settings *s)
{
    const ag_texture *src = &request->slots[SRC];
    int32_t grid[2];
    find_grid(request, s, grid);
    bool fixed = s->grid == AG_BLOOM_FIXED;
    bool reduced = s->resolution != AG_BLOOM_FULL && s->resolution != AG_BLOOM_AUTO;
    bool firefly = s->firefly != AG_BLOOM_FIREFLY_OFF;
    if (!reduced && (fixed || firefly || s->steady > 0))
        return ag_fail(host, AG_E_ARG,
                       "bloom: %s needs resolution half, quarter or eighth; it is %s",
                       fixed     ? "grid = fixed"
                       : firefly ? "firefly"
                                 : "steady",
                       s->resolution == AG_BLOOM_AUTO ? "auto" : "full");
    if (s->resolution != AG_BLOOM_FULL && s->transition > 0)
        return ag_fail(host, AG_E_ARG,
                       "bloom: transition is %d; with a resolution other than full it must be 0",
                       s->transition);
    if (2 * src->rect_width < grid[0] || 2 * src->rect_height < grid[1])
        return ag_fail(host, AG_E_SIZE,
                       "bloom: grid = fixed: src is %dx%d; plan_width x plan_height of %dx%d "
                       "serves frames of half of it and more",
                       src->rect_width, src->rect_height, grid[0], grid[1]);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_texture *image = &request->slots[KERNEL_IMAGE];
    ag_bloom_settings s = settings_of(request);
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    AG_TRY(check_resolution(host, request, &s));
    AG_TRY(check_light(host, request, &s));
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
    return ag_lens_check(host, request, &s);
}

// Finer than the tables: only what the shape in use reads counts.
static void shape(const ag_request *request, ag_shape *shape)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const ag_texture *image = &request->slots[KERNEL_IMAGE];
    const ag_bloom_settings s = settings_of(request);
    bool textured = s.shape == AG_BLOOM_TEXTURE;
    const int32_t plan[] = {(int32_t)src->format, (int32_t)dst->format, src->rect_width,
                            src->rect_height, src->layers, ag_float_bits(s.size), s.shape,
                            s.storage, s.resolution, s.grid, s.firefly != AG_BLOOM_FIREFLY_OFF,
                            s.steady > 0, image->rect_width, image->rect_height,
                            textured ? s.kernel_fit : 0, // another program measures the image
                            // decides whether a smaller image needs a core
                            s.resolution == AG_BLOOM_FULL ? 0 : ag_float_bits(s.dispersion),
                            request->plan_width, request->plan_height, ag_bloom_moves(&s),
                            s.transfer, request->formats[SRC]->expands};
    enum { PLAN = sizeof plan / sizeof *plan, KERNEL = sizeof(ag_kernel_id) / sizeof(int32_t) };
    const ag_kernel_id kernel = ag_bloom_kernel_id(request, &s);
    memcpy(shape->plan, plan, sizeof plan);
    memcpy(shape->kernel, &kernel, sizeof kernel);
    _Static_assert(4 * (KERNEL + AG_TEXEL_WORDS) <= sizeof shape->kernel, "its words");
    ag_lens_shape(request, &s, shape->plan + PLAN, shape->kernel + KERNEL);
}

// ---- sizes -------------------------------------------------------------------------------------

bool ag_bloom_several(const ag_request *request, const ag_bloom_settings *s)
{
    return request->plan_width && s->grid == AG_BLOOM_FRAME;
}

// An odd number of texels.
static int32_t odd_extent(double texels)
{
    return 2 * (int32_t)floor(texels / 2) + 1;
}

ag_kernel_size ag_bloom_kernel_size(const ag_request *request, const ag_bloom_settings *s,
                                    int32_t height)
{
    double extent = (double)s->size * height, width = extent;
    const ag_texture *image = &request->slots[KERNEL_IMAGE];
    if (s->shape == AG_BLOOM_TEXTURE) // its height is the extent; its aspect ratio is kept
        width = fmin(extent * image->rect_width / image->rect_height, 1e6);
    return (ag_kernel_size){odd_extent(width), odd_extent(extent), fmax(extent / 12, 1e-3)};
}

void ag_bloom_own_image(ag_frame *f, const ag_own *own, int32_t width, int32_t height,
                        ag_bloom_image *image)
{
    ag_own texture = *own;
    texture.width = own->width > width ? own->width : width;
    texture.height = own->height > height ? own->height : height;
    image->shape = (ag_texture){.target = own->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                                .layers = own->layers,
                                .rect_width = width,
                                .rect_height = height};
    image->picture = (ag_picture){.of = ag_own_memory(f, &texture),
                                  .shape = &image->shape,
                                  .format = ag_format_find(own->format)};
}

// ---- plan --------------------------------------------------------------------------------------

// The convolution of a frame of this size. `reduced` becomes the smaller images, if there are any.
static ag_fft_request request_of(const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, const ag_bloom_design *d,
                                 const ag_octaves *octaves, const int32_t frame[2],
                                 ag_reduced *reduced)
{
    const double pi = 3.14159265358979323846, ln2 = 0.69314718055994530942;
    const ag_format *src = request->formats[SRC];
    const int32_t *grid = s->grid == AG_BLOOM_FIXED ? d->grid : frame;
    const ag_kernel_size kernel = ag_bloom_kernel_size(request, s, grid[1]);
    double sigma = d->kernel.sigma / (1 << octaves->levels);
    // A shader from the host's folder may draw anything.
    bool gaussian = s->shape == AG_BLOOM_GAUSSIAN && !request->live;
    bool even = ag_pupil_makes(s->shape) && !request->live;
    // A Gaussian is the product of two lines. The centre weight, 1 / (2 pi sigma^2), is subtracted
    // from that product again: where it is no small part, that would cost digits beside bright
    // spots.
    int32_t form = gaussian && sigma >= 1 ? AG_KERNEL_LINES
                   : even                 ? AG_KERNEL_REAL
                                          : AG_KERNEL_COMPLEX;
    // Where the spectrum of a Gaussian, exp(-2 (pi sigma f)^2), has fallen to 2^-26, in cycles a
    // texel: the columns above are not stored (docs/bloom.md). 0: all are stored. A smaller image
    // of planned sizes would need more columns.
    double band = gaussian && !ag_bloom_several(request, s) ? sqrt(26 * ln2 / 2) / (pi * sigma) : 0;
    ag_fft_request fft = {.per_channel_pairs =
                              ag_tuned(&request->tuning, &request->tuning.per_channel_pairs),
                          .width = frame[0],
                          .height = frame[1],
                          .kernel_width = kernel.width,
                          .kernel_height = kernel.height,
                          .border = AG_BORDER_ZERO,
                          .channels = src->channels < 3 ? src->channels : 3,
                          .kernel_channels = s->shape == AG_BLOOM_GAUSSIAN ? 1 : 3,
                          .band = band,
                          .kernel_form = form,
                          .layers = request->slots[SRC].layers,
                          .storage = s->storage,
                          .src_bytes = src->bytes,
                          .dst_bytes = ag_lens_output(request, s)->bytes,
                          .reads_src_again = 1,
                          .max_invocations = gl->max_invocations,
                          .max_block_bytes = gl->max_ssbo_bytes,
                          .alignment = gl->ssbo_alignment};
    *reduced = (ag_reduced){.step_x = 1};
    if (octaves->levels)
        *reduced = ag_reduced_plan(request, s, octaves, grid, &fft);
    return fft;
}

static const char *const levels[] = {"full", "half", "quarter", "eighth"};

// Plans the convolution. Returns false with `why` if its lines or its memory do not fit.
static bool plan_octaves(const ag_gl *gl, const ag_request *request, const ag_bloom_settings *s,
                         int32_t decision, ag_bloom_design *d, char *why, size_t why_size)
{
    const ag_octaves octaves = ag_octaves_of(request, s, d->kernel.height, decision);
    const ag_texture *src = &request->slots[SRC];
    const int32_t frame[2] = {src->rect_width, src->rect_height};
    ag_fft_request fft = request_of(gl, request, s, d, &octaves, frame, &d->reduced), largest;
    bool several = ag_bloom_several(request, s);
    if (several) {
        int32_t w = request->plan_width, h = request->plan_height;
        const int32_t most[2] = {w > frame[0] ? w : frame[0], h > frame[1] ? h : frame[1]};
        ag_reduced at_most;
        largest = request_of(gl, request, s, d, &octaves, most, &at_most);
        const ag_kernel_size kernel = ag_bloom_kernel_size(request, s, most[1]);
        d->max_width = kernel.width;
        d->max_height = kernel.height;
        memcpy(d->reduced.max_sizes, at_most.sizes, sizeof d->reduced.max_sizes);
    }
    return ag_fft_plan_make_within(several ? &largest : NULL, &fft, &d->fft, why, why_size);
}

// The same at the resolution that is set, or of auto at what was decided; before that, at the first
// that fits. Refuses it with those that would fit.
static ag_status plan_resolution(const ag_host *host, const ag_gl *gl, const ag_request *request,
                                 const ag_bloom_settings *s, ag_bloom_design *d)
{
    bool is_auto = s->resolution == AG_BLOOM_AUTO, decided = request->decision > 0;
    char why[256], unused[256], fits[64] = "";
    int32_t decision = decided ? request->decision : 1;
    if (plan_octaves(gl, request, s, decision, d, why, sizeof why))
        return AG_OK;
    while (is_auto && !decided && decision < AG_DECISIONS)
        if (plan_octaves(gl, request, s, ++decision, d, unused, sizeof unused))
            return AG_OK;
    ag_bloom_settings other = *s;
    other.resolution = is_auto ? AG_BLOOM_FULL : s->resolution;
    while (++other.resolution < AG_BLOOM_AUTO)
        if (plan_octaves(gl, request, &other, 0, d, unused, sizeof unused)) {
            size_t end = strlen(fits);
            snprintf(fits + end, sizeof fits - end, "%s, ", levels[other.resolution]);
        }
    if (!fits[0])
        return ag_fail(host, AG_E_SIZE, "bloom: %s", why);
    fits[strlen(fits) - 2] = 0;
    return ag_fail(host, AG_E_SIZE, "bloom: %s; set resolution to %s%s%s", why, fits,
                   is_auto ? "" : " or auto", s->transition > 0 ? ", with transition = 0" : "");
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    ag_bloom_settings s = settings_of(request);
    ag_bloom_design *d = out;
    memset(d, 0, sizeof *d);
    find_grid(request, &s, d->grid);
    d->kernel = ag_bloom_kernel_size(request, &s, d->grid[1]);
    if (d->kernel.width > gl->max_texture_size || d->kernel.height > gl->max_texture_size)
        return ag_fail(host, AG_E_SIZE,
                       "bloom: size %g makes a kernel of %dx%d; this context's textures end at %d",
                       (double)s.size, d->kernel.width, d->kernel.height, gl->max_texture_size);
    ag_status status = plan_resolution(host, gl, request, &s, d);
    if (status >= 0)
        status = ag_lens_fits(host, gl, request);
    if (status >= 0 && d->reduced.steady && ag_steady_bytes(&d->reduced) > gl->max_ssbo_bytes)
        return ag_fail(host, AG_E_SIZE,
                       "bloom: steady needs %lld bytes; this context's storage blocks hold %lld",
                       (long long)ag_steady_bytes(&d->reduced), (long long)gl->max_ssbo_bytes);
    // Smaller images of planned sizes may have a kernel that is no product of lines, so there the
    // programs that make any kernel's spectrum must be ready anyway.
    d->formula = d->fft.request.kernel_form == AG_KERNEL_LINES && !ag_bloom_several(request, &s);
    const ag_octaves *o = &d->reduced.octaves;
    if (status < 0 || !ag_octave_taps(o))
        return status;
    // Behind the kernel's spectrum, whose buffer becomes larger.
    d->reduced.taps_offset = d->fft.kernel_channel_bytes * d->fft.request.kernel_channels;
    d->fft.kernel_bytes = d->reduced.taps_offset + ag_tap_bytes(o);
    return d->reduced.fireflies && o->taps[0]
               ? ag_units_check(host, gl, AG_IMAGE_LIGHT + 1, "bloom", "firefly and direct taps")
               : AG_OK;
}

// ---- frame -------------------------------------------------------------------------------------

// With C = T conv (K without its centre) and k0 = the centre weight, tint t and intensity I:
//   composite   src + I (t (C + k0 T) - T)
//   bloom_only  I t (C + k0 T), alpha copied
static ag_mix mix_of(const ag_bloom_settings *s, bool exposed)
{
    ag_mix mix = {.keep = {1, 1, 1, 1}};
    float unexposed = exp2f(-s->exposure);
    for (int i = 0; i < 3; ++i) {
        mix.gain[i] = mix.direct[i] = s->intensity * s->tint[i];
        if (s->output == AG_BLOOM_ONLY)
            mix.keep[i] = 0;
        else if (s->output == AG_BLOOM_COMPOSITE)
            mix.self[i] = -s->intensity;
    }
    mix.filter[0] = s->threshold * unexposed;
    mix.filter[1] = s->threshold * s->knee * unexposed;
    mix.filter[2] = s->clamp > 0 ? s->clamp * unexposed : INFINITY;
    mix.filter[3] = exposed ? 2.0f : s->threshold > 0 || s->clamp > 0 ? 1.0f : 0.0f;
    return mix;
}

static void say(ag_frame *f, const ag_bloom_design *d, const ag_bloom_settings *s)
{
    const ag_reduced *r = &d->reduced;
    const ag_octaves *o = &r->octaves;
    double texels = (double)ag_slot_texels(ag_frame_request(f), SRC);
    char fft[AG_CONVOLUTION_WORDS], resolution[128];
    if (!ag_frame_is_planned(f))
        return;
    bool falls = s->resolution == AG_BLOOM_EIGHTH && o->levels < AG_BLOOM_EIGHTH;
    int at = snprintf(resolution, sizeof resolution, "%s resolution%s", levels[o->levels],
                      falls ? " (rays too thin for an eighth)" : "");
    if (o->levels)
        at += snprintf(resolution + at, sizeof resolution - (size_t)at, ", %dx%d",
                       r->sizes[o->levels][0], r->sizes[o->levels][1]);
    for (int32_t l = 0; l < o->levels; ++l)
        if (o->taps[l])
            at += snprintf(resolution + at, sizeof resolution - (size_t)at, ", %dx%d taps of %s",
                           o->taps[l], o->taps[l], levels[l]);
    ag_convolution_words(&d->fft, s->shape == AG_BLOOM_TEXTURE && !o->levels, fft);
    ag_frame_text(f, "%s: %d dispatches, %.1f bytes a texel of the frame; %.*s", resolution,
                  (int)ag_frame_planned_dispatches(f), (double)ag_frame_planned_bytes(f) / texels,
                  (int)sizeof fft - 112, fft);
}

static void frame(ag_frame *f)
{
    const ag_bloom_design *d = ag_frame_design(f);
    const ag_bloom_settings s = settings_of(ag_frame_request(f));
    const ag_bloom_facts *facts = ag_frame_facts(f);
    ag_picture src = ag_slot_picture(f, SRC), dst = ag_slot_picture(f, DST);
    src.highlights = highlights(&s);
    ag_lens lens;
    ag_lens_begin(f, &s, &lens);
    ag_mix mix = mix_of(&s, lens.exposes), alone = mix;
    if (lens.on)
        dst = lens.glow.picture;
    for (int i = 0; i < 3 && lens.on; ++i) {
        alone.gain[i] = alone.direct[i] = 1;
        alone.self[i] = alone.keep[i] = 0;
    }
    if (d->reduced.octaves.levels) {
        ag_reduced_steps(f, d, &s, &src, &dst, &alone);
    } else {
        const ag_fft_io io = {src.format, dst.format, AG_BY_IMAGE, true};
        ag_convolution c;
        ag_convolution_begin(f, &d->fft, &facts->kernel, &src, &dst, &io, &c);
        ag_convolution_steps(f, &c, s.scrub, &alone);
    }
    if (lens.on)
        ag_lens_step(f, &lens, &s, &src, &mix);
    say(f, d, &s);
}

_Static_assert(sizeof(ag_bloom_facts) <= AG_MAX_FACTS, "room for its facts");
const ag_effect ag_effect_bloom = {
    .info = AG_EFFECT_INFO("bloom", "energy-conserving FFT bloom of an HDR frame",
                           AG_IMAGE_LIGHT + 1, 0),
    .check = check,
    .shape = shape,
    .contents = 1u << KERNEL_IMAGE | 1u << AG_BLOOM_DIRT,
    .design = design,
    .question = &ag_bloom_auto,
    .make = ag_bloom_make,
    .frame = frame,
    .design_bytes = sizeof(ag_bloom_design),
    .facts_bytes = sizeof(ag_bloom_facts),
};
