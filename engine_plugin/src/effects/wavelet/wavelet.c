// wavelet.c - the effect "wavelet": the wavelet transform of an image, and its inverse
// SPDX-License-Identifier: MIT
//
// It has two forms: in tiles, and the stationary transform.
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "effects/wavelet/wave_plan.h"

#include <afterglow/wavelet.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_WAVELET_SRC, DST = AG_WAVELET_DST, TAPS = AG_WAVELET_TAPS, SLOTS };

static const uint32_t taps_formats[] = {GL_R32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image; inverse: coefficients, of a float format", AG_READ),
    [DST] = AG_COLOUR_SLOT("dst", "coefficients, of a float format; inverse: the image", AG_WRITE),
    [TAPS] = AG_SLOT("taps", "of custom: low filters of analysis and synthesis, a row each",
                     AG_READ | AG_OPTIONAL, taps_formats),
};

AG_SETTINGS(wavelet, WAVELET)
_Static_assert((int)most_levels == AG_WAVE_MAX_LEVELS, "plans have room for so many");
static const char *const borders[] = {AG_WAVELET_BORDER(AG_NAME)};
static const char *const layouts[] = {AG_WAVELET_LAYOUT(AG_NAME)};
static const char *const directions[] = {AG_WAVELET_DIRECTION(AG_NAME)};
static const char *const wavelets[] = {AG_WAVELET_FILTER(AG_NAME)};

// ---- check -------------------------------------------------------------------------------------

// Of the image. R11F_G11F_B10F has three, and its alpha is 1.
static int32_t channels_of(const ag_format *f)
{
    return f->channels == 3 ? 4 : f->channels;
}

static void plan_of(const ag_request *request, const ag_texture *image, ag_wave_plan *plan)
{
    const ag_wavelet_settings s = settings_of(request);
    const int32_t size[2] = {image->rect_width, image->rect_height};
    int32_t taps =
        s.wavelet == AG_WAVELET_CUSTOM ? request->slots[TAPS].rect_width : ag_wave_taps(s.wavelet);
    if (s.stationary)
        ag_wave_plan_stationary(size, s.levels, taps, plan);
    else
        ag_wave_plan_make(size, s.levels, taps, s.border, s.layout == AG_WAVELET_BANDS, plan);
}

static ag_status check_image(const ag_host *host, const ag_request *request, int slot)
{
    const ag_wavelet_settings s = settings_of(request);
    const ag_texture *image = &request->slots[slot];
    const int32_t size[2] = {image->rect_width, image->rect_height};
    AG_TRY(ag_check_limit(host, request, slot, AG_WAVE_MAX_SIZE));
    if (s.levels > ag_wave_max_levels(size))
        return ag_fail(host, AG_E_ARG, "wavelet: levels is %d; an image of %dx%d has at most %d",
                       s.levels, size[0], size[1], ag_wave_max_levels(size));
    int32_t multiple = 1 << s.levels;
    if (s.stationary && (size[0] % multiple || size[1] % multiple))
        return ag_fail(host, AG_E_SIZE,
                       "wavelet: %s is %dx%d; stationary with %d levels takes multiples of %d",
                       slots[slot].name, size[0], size[1], s.levels, multiple);
    return AG_OK;
}

static ag_status check_taps(const ag_host *host, ag_request *request)
{
    const ag_wavelet_settings s = settings_of(request);
    ag_texture *t = &request->slots[TAPS];
    if (s.wavelet != AG_WAVELET_CUSTOM) { // ignored, whatever it is
        *t = (ag_texture){0};
        request->formats[TAPS] = NULL;
        return AG_OK;
    }
    if (!request->formats[TAPS])
        return ag_fail(host, AG_E_ARG,
                       "wavelet: taps is empty; wavelet custom reads its filters there");
    if (t->rect_width < 2 || t->rect_width > AG_WAVELET_MAX_TAPS || t->rect_width % 2 ||
        t->rect_height > 2 || t->layers != 1)
        return ag_fail(
            host, AG_E_SIZE,
            "wavelet: taps is %dx%d with %d layers; it takes an even width of 2 to %d, a "
            "height of 1 or 2, one layer",
            t->rect_width, t->rect_height, t->layers, AG_WAVELET_MAX_TAPS);
    return AG_OK;
}

static ag_status check_settings(const ag_host *host, const ag_request *request)
{
    const ag_wavelet_settings s = settings_of(request);
    if (s.stationary && s.border != AG_WAVELET_PERIODIZATION)
        return ag_fail(host, AG_E_ARG,
                       "wavelet: border is %s with stationary; it takes periodization",
                       borders[s.border]);
    if (s.stationary && s.layout != AG_WAVELET_BANDS)
        return ag_fail(host, AG_E_ARG, "wavelet: layout is %s with stationary; it takes bands",
                       layouts[s.layout]);
    return AG_OK;
}

static ag_status check_coefficients(const ag_host *host, const ag_request *request, int slot)
{
    const ag_format *format = request->formats[slot], *other = request->formats[SRC + DST - slot];
    if (format->store != AG_STORE_16F && format->store != AG_STORE_32F)
        return ag_fail(host, AG_E_FORMAT,
                       "wavelet: %s is %s; coefficients have a sign, so it takes R16F RG16F "
                       "RGBA16F R32F RG32F RGBA32F",
                       slots[slot].name, format->text);
    if (format->channels != channels_of(other))
        return ag_fail(host, AG_E_FORMAT,
                       "wavelet: %s is %s with %d channels; %s is %s, whose coefficients have %d",
                       slots[slot].name, format->text, format->channels,
                       slots[SRC + DST - slot].name, other->text, channels_of(other));
    return AG_OK;
}

// Sizes of both, after the checks of src alone: an output may be missing for slot_size.
static ag_status check_sizes(const ag_host *host, const ag_request *request, int image,
                             int coefficients)
{
    const ag_texture *i = &request->slots[image], *c = &request->slots[coefficients];
    ag_wave_plan plan;
    plan_of(request, i, &plan);
    if (c->rect_width != plan.whole[0] || c->rect_height != plan.whole[1] ||
        c->layers != plan.layers * i->layers)
        return ag_fail(host, AG_E_SIZE,
                       "wavelet: %s is %dx%d with %d layers; the coefficients of %dx%d with %d "
                       "layers are %dx%d with %d",
                       slots[coefficients].name, c->rect_width, c->rect_height, c->layers,
                       i->rect_width, i->rect_height, i->layers, plan.whole[0], plan.whole[1],
                       plan.layers * i->layers);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_wavelet_settings s = settings_of(request);
    bool inverse = s.direction == AG_WAVELET_INVERSE;
    int image = inverse ? DST : SRC, coefficients = inverse ? SRC : DST;
    AG_TRY(check_settings(host, request));
    AG_TRY(check_taps(host, request));
    AG_TRY(check_image(host, request, image));
    AG_TRY(check_coefficients(host, request, coefficients));
    return check_sizes(host, request, image, coefficients);
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_wavelet_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    (void)slot;
    if (s.direction == AG_WAVELET_INVERSE) { // odd and even images have coefficients of one size
        size[0] = size[1] = 0;
        size[2] = s.layout == AG_WAVELET_BANDS ? src->layers / (3 * s.levels + 1) : src->layers;
        return;
    }
    ag_wave_plan plan;
    plan_of(request, src, &plan);
    size[0] = plan.whole[0];
    size[1] = plan.whole[1];
    size[2] = plan.layers * src->layers;
}

// ---- plan --------------------------------------------------------------------------------------

typedef struct wave_design { // computed once a plan
    ag_wave_plan plan;
    int32_t layers;    // of the image
    int32_t channels;  // of samples between levels: 1, 2 or 4
    int64_t alignment; // of blocks of scratch
} wave_design;

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_wavelet_settings s = settings_of(request);
    const bool inverse = s.direction == AG_WAVELET_INVERSE;
    const ag_texture *image = &request->slots[inverse ? DST : SRC];
    wave_design *d = out;
    *d = (wave_design){.layers = image->layers,
                       .channels = channels_of(request->formats[SRC]),
                       .alignment = gl->ssbo_alignment};
    plan_of(request, image, &d->plan);
    AG_TRY(ag_units_check(host, gl, AG_WAVELET_IMAGES, "wavelet", "four bands"));
    int64_t values = d->plan.stationary   ? 2 * ag_wave_texels(&d->plan, 0) // two planes
                     : d->plan.levels > 1 ? ag_wave_texels(&d->plan, 1)
                                          : 0;
    return ag_check_block(host, gl, request, inverse ? DST : SRC, 4 * d->channels * values);
}

static void describe(ag_frame *f, const wave_design *d, const ag_wavelet_settings *s)
{
    const ag_wave_plan *p = &d->plan;
    const char *form = p->stationary ? "stationary" : borders[s->border];
    ag_frame_text(f, "wavelet: %s, %s, %d taps, %s; %dx%d, %d levels", directions[s->direction],
                  wavelets[s->wavelet], p->taps, form, p->sizes[0][0], p->sizes[0][1], p->levels);
    if (p->stationary)
        ag_frame_text(f, ", %d layers of coefficients; two dispatches a level",
                      p->layers * d->layers);
    else
        ag_frame_text(f,
                      ", coefficients %dx%d with %d layers; a dispatch a level, groups of 128 "
                      "threads for %dx%d",
                      p->whole[0], p->whole[1], p->layers * d->layers,
                      AG_WAVELET_TILE_WIDTH(p->taps), AG_WAVELET_TILE_HEIGHT);
}

// ---- frame -------------------------------------------------------------------------------------

enum { TAPS_BYTES = 2 * AG_WAVELET_MAX_TAPS * 2 * 4 };

typedef struct samples { // in scratch, of each layer of the image
    ag_handle of;        // 0: there are none
    uint64_t bytes, stride;
} samples;

typedef struct wave { // what the dispatches of a frame share
    ag_frame *f;
    const wave_design *d;
    const ag_wave_plan *p;
    const ag_wavelet_settings *s;
    bool inverse;
    ag_picture src, dst;
    ag_handle info, taps;      // taps: the filters of custom; else 0
    ag_shader *first, *others; // of the step that reads the image, or LL of src; of other steps
    ag_shader *second;         // of the second half of a step
    ag_shader *custom;
} wave;

static const char *const step_names[AG_WAVE_MAX_LEVELS + 1] = {
    "",        "level 1", "level 2",  "level 3",  "level 4",  "level 5",  "level 6", "level 7",
    "level 8", "level 9", "level 10", "level 11", "level 12", "level 13", "level 14"};

// The level of a step: from 1 on, or from the last one down.
static int32_t level_of(const wave *w, int32_t step)
{
    return w->inverse ? w->p->levels - step : 1 + step;
}

static samples samples_of(const wave *w, const char *name, int64_t count)
{
    int64_t bytes = 4 * w->d->channels * count, stride = ag_align_up(bytes, w->d->alignment);
    return (samples){ag_scratch(w->f, name, (uint64_t)(stride * w->d->layers)), (uint64_t)bytes,
                     (uint64_t)stride};
}

static ag_block block_of(const samples *s, uint32_t access, int32_t layer)
{
    return ag_block_of(s->of, access, (uint64_t)layer * s->stride, s->bytes);
}

// The defines of shaders that filter.
static ag_shader *with_defines(const wave *w, ag_shader *shader)
{
    ag_shader_define(shader, "FILTER", w->s->wavelet);
    ag_shader_define(shader, "CHANNELS", w->d->channels);
    if (w->s->wavelet == AG_WAVELET_CUSTOM)
        ag_shader_define(shader, "TAPS", w->p->taps);
    return shader;
}

static void name_levels(wave *w, const char *path)
{
    ag_shader **shaders[] = {&w->first, &w->others};
    for (int other = 0; other < (w->p->levels > 1 ? 2 : 1); ++other) {
        ag_shader *shader = *shaders[other] = ag_frame_shader(w->f, path);
        if (!other || w->inverse)
            ag_shader_reads_picture(shader, &w->src);
        ag_shader_define(shader, "FROM_BUFFER", other);
        ag_shader_define(shader, "INVERSE", w->inverse);
        // An inverse of several levels stores nothing in dst in its first step.
        bool stores = !w->inverse || other || w->p->levels == 1;
        if (w->p->stationary)
            ag_shader_define(shader, "SECOND", 0);
        else
            ag_shader_define(shader, "STORE", stores ? w->dst.format->store : AG_STORE_32F);
        with_defines(w, shader);
    }
}

// The shader that copies the filters of custom, and where they are.
static void name_taps(wave *w)
{
    if (w->s->wavelet != AG_WAVELET_CUSTOM)
        return;
    w->custom = ag_frame_shader(w->f, "wavelet/taps.comp");
    ag_shader_define(w->custom, "TAPS", w->p->taps);
    w->taps = ag_scratch(w->f, "filters", TAPS_BYTES);
}

// In the first step.
static void copy_taps(const wave *w)
{
    ag_picture taps = ag_slot_picture(w->f, TAPS);
    ag_uniform uniforms[2];
    if (!w->custom)
        return;
    ag_read_uniforms(uniforms, &taps, 1, false, 0);
    ag_frame_dispatch(w->f,
                      &(ag_dispatch){.shader = w->custom,
                                     .images[AG_IMAGE_SRC] = ag_picture_view(&taps, AG_READ, 0),
                                     .ranges[AG_SSBO_WAVELET_TAPS] = ag_all(w->taps, AG_WRITE),
                                     .uniforms = uniforms,
                                     .uniform_count = 1,
                                     .groups = {1, 1, 1}});
}

// ---- parts of a dispatch -----------------------------------------------------------------------

static ag_uniform size_uniform(const wave *w, int32_t level)
{
    const ag_wave_plan *p = w->p;
    return (ag_uniform)AG_INTS(AG_LOC_WAVELET_SIZE, p->sizes[level - 1][0], p->sizes[level - 1][1],
                               p->sizes[level][0], p->sizes[level][1]);
}

static ag_uniform dst_uniform(const wave *w)
{
    const ag_texture *t = w->dst.shape;
    return (ag_uniform)AG_INTS(AG_LOC_DST_RECT, t->rect_x, t->rect_y,
                               w->inverse ? t->rect_width : 0, w->inverse ? t->rect_height : 0);
}

static void reads_image(const wave *w, int32_t layer, ag_uniform uniforms[2], ag_dispatch *d)
{
    ag_read_uniforms(uniforms, &w->src, w->src.format->channels, w->s->scrub, layer);
    d->uniform_count += 2;
    d->ranges[AG_SSBO_INFO] = ag_all(w->info, AG_ADD);
    ag_dispatch_reads_picture(d, &w->src, layer);
}

// The bands of a level, of a layer of the image. LL only where it is in the texture.
static void bind_bands(const wave *w, const ag_picture *t, uint32_t access, int32_t level,
                       int32_t layer, ag_dispatch *d)
{
    const ag_wave_plan *p = w->p;
    int32_t first = layer * p->layers, lh = first + ag_wave_layer(p, level);
    int32_t layers[] = {first, p->bands ? lh + 1 : lh, lh, p->bands ? lh + 2 : lh};
    for (int band = level == p->levels ? 0 : 1; band < 4; ++band) { // LL, HL, LH, HH
        ag_view *view = &d->images[AG_IMAGE_LL + band];
        *view = ag_picture_view(t, access, layers[band]);
        view->bytes = (uint64_t)(ag_wave_texels(p, level) * t->format->bytes);
    }
}

// Takes three uniforms.
static void reads_bands(const wave *w, int32_t level, int32_t layer, ag_uniform uniforms[3],
                        ag_dispatch *d)
{
    const ag_wave_plan *p = w->p;
    int32_t first = w->src.shape->first_layer + layer * p->layers;
    ag_read_uniforms(uniforms, &w->src, w->src.format->channels, w->s->scrub, 0);
    uniforms[2] = (ag_uniform)AG_INTS(AG_LOC_WAVELET_LAYERS, first, first + ag_wave_layer(p, level),
                                      p->bands, 0);
    d->uniform_count += 3;
    d->ranges[AG_SSBO_INFO] = ag_all(w->info, AG_ADD);
    if (w->src.reading == AG_BY_IMAGE) {
        bind_bands(w, &w->src, AG_READ, level, layer, d);
        return;
    }
    d->textures[0] = ag_slot_view(SRC, AG_READ, layer);
    d->textures[0].bytes =
        (uint64_t)(ag_wave_texels(p, level) * w->src.format->bytes * (level == p->levels ? 4 : 3));
}

static void add_dispatch(const wave *w, ag_dispatch *d)
{
    d->ranges[AG_SSBO_WAVELET_TAPS] = ag_all(w->taps, AG_READ);
    ag_frame_dispatch(w->f, d);
}

// ---- tiles: a dispatch a level -----------------------------------------------------------------

// `from`, `to`: the approximations before and after this level, unless textures have them.
static void tile_forward(const wave *w, const samples *from, const samples *to, int32_t level,
                         int32_t layer)
{
    const ag_wave_plan *p = w->p;
    int32_t fill[4][2]; // of LL, HL, LH, HH
    for (int band = 0; band < 4; ++band)
        ag_wave_fill(p, level, band, fill[band]);
    ag_uniform uniforms[7] = {
        size_uniform(w, level),
        AG_INTS(AG_LOC_WAVELET_MODE, p->extend, level == p->levels, p->details[level][0],
                p->details[level][1]),
        AG_INTS(AG_LOC_WAVELET_FILL_LL_HH, fill[0][0], fill[0][1], fill[3][0], fill[3][1]),
        AG_INTS(AG_LOC_WAVELET_FILL_HL_LH, fill[1][0], fill[1][1], fill[2][0], fill[2][1]),
        dst_uniform(w),
    };
    ag_dispatch d = {.shader = level == 1 ? w->first : w->others,
                     .ranges[AG_SSBO_WAVELET_FROM] = block_of(from, AG_READ, layer),
                     .ranges[AG_SSBO_WAVELET_TO] = block_of(to, AG_WRITE, layer),
                     .uniforms = uniforms,
                     .uniform_count = 5};
    if (level == 1)
        reads_image(w, layer, uniforms + 5, &d);
    bind_bands(w, &w->dst, AG_WRITE, level, layer, &d);
    ag_wave_groups(p, level, false, d.groups);
    add_dispatch(w, &d);
}

static void tile_inverse(const wave *w, const samples *from, const samples *to, int32_t level,
                         int32_t layer)
{
    const ag_wave_plan *p = w->p;
    ag_uniform uniforms[6] = {
        size_uniform(w, level),
        AG_INTS(AG_LOC_WAVELET_MODE, p->extend, level == 1, p->details[level][0],
                p->details[level][1]),
        dst_uniform(w),
    };
    ag_dispatch d = {.shader = level == p->levels ? w->first : w->others,
                     .images[AG_IMAGE_DST] = ag_picture_view(&w->dst, AG_WRITE, layer),
                     .ranges[AG_SSBO_WAVELET_FROM] = block_of(from, AG_READ, layer),
                     .ranges[AG_SSBO_WAVELET_TO] = block_of(to, AG_WRITE, layer),
                     .uniforms = uniforms,
                     .uniform_count = 3};
    if (level > 1)
        d.images[AG_IMAGE_DST].access = 0;
    reads_bands(w, level, layer, uniforms + 3, &d);
    ag_wave_groups(p, level, true, d.groups);
    add_dispatch(w, &d);
}

static void tile_frame(wave *w)
{
    const ag_wave_plan *p = w->p;
    name_levels(w, w->inverse ? "wavelet/inverse.comp" : "wavelet/forward.comp");
    name_taps(w);
    samples between[AG_WAVE_MAX_LEVELS + 1]; // approximations; those of the ends are in textures
    between[0] = between[p->levels] = (samples){0};
    for (int32_t l = 1; l < p->levels; ++l)
        between[l] = samples_of(w, step_names[l], ag_wave_texels(p, l));
    for (int32_t step = 0; step < p->levels; ++step) {
        int32_t level = level_of(w, step);
        const samples *finer = &between[level - 1], *coarser = &between[level];
        ag_frame_step(w->f, step_names[level]);
        if (step == 0)
            copy_taps(w);
        for (int32_t layer = 0; layer < w->d->layers; ++layer)
            if (w->inverse)
                tile_inverse(w, coarser, finer, level, layer);
            else
                tile_forward(w, finer, coarser, level, layer);
    }
}

// ---- stationary: two dispatches a level --------------------------------------------------------
//
//   forward   image or LL -> columns -> planes L, H -> rows -> LL, and HL, LH, HH into dst
//   inverse   LL, HL, LH, HH -> rows -> planes L, H -> columns -> LL or image

// `ll`: the approximation between levels.
static void half_level(const wave *w, bool second, const samples *planes, const samples *ll,
                       int32_t level, int32_t layer)
{
    const ag_wave_plan *p = w->p;
    bool reads_first = level == (w->inverse ? p->levels : 1);
    bool writes_last = level == (w->inverse ? 1 : p->levels);
    ag_uniform uniforms[6] = {size_uniform(w, level),
                              AG_INTS(AG_LOC_WAVELET_MODE, p->extend, second && writes_last, 0, 0),
                              AG_INTS(AG_LOC_WAVELET_GAP, 1 << (level - 1), 0, 0, 0)};
    ag_dispatch d = {.uniforms = uniforms, .uniform_count = 3};
    if (second) {
        d.shader = w->second;
        d.ranges[AG_SSBO_WAVELET_FROM] = block_of(planes, AG_READ, layer);
        if (!writes_last)
            d.ranges[AG_SSBO_WAVELET_TO] = block_of(ll, AG_WRITE, layer);
        else if (w->inverse)
            d.images[AG_IMAGE_DST] = ag_picture_view(&w->dst, AG_WRITE, layer);
        if (!w->inverse)
            bind_bands(w, &w->dst, AG_WRITE, level, layer, &d);
        uniforms[d.uniform_count++] = dst_uniform(w);
    } else {
        d.shader = reads_first ? w->first : w->others;
        if (!reads_first)
            d.ranges[AG_SSBO_WAVELET_FROM] = block_of(ll, AG_READ, layer);
        d.ranges[AG_SSBO_WAVELET_TO] = block_of(planes, AG_WRITE, layer);
        if (w->inverse)
            reads_bands(w, level, layer, uniforms + 3, &d);
        else if (reads_first)
            reads_image(w, layer, uniforms + 3, &d);
    }
    ag_wave_groups(p, level, false, d.groups);
    add_dispatch(w, &d);
}

static void stationary_frame(wave *w)
{
    const ag_wave_plan *p = w->p;
    name_levels(w, "wavelet/stationary.comp");
    w->second = with_defines(w, ag_frame_shader(w->f, "wavelet/stationary.comp"));
    ag_shader_define(w->second, "INVERSE", w->inverse);
    ag_shader_define(w->second, "SECOND", 1);
    ag_shader_define(w->second, "FROM_BUFFER", 1);
    ag_shader_define(w->second, "STORE", w->dst.format->store);
    name_taps(w);
    samples planes = samples_of(w, "planes", 2 * ag_wave_texels(p, 0)), ll = {0};
    if (p->levels > 1)
        ll = samples_of(w, "approximation", ag_wave_texels(p, 0));
    for (int32_t step = 0; step < p->levels; ++step) {
        int32_t level = level_of(w, step);
        ag_frame_step(w->f, step_names[level]);
        if (step == 0)
            copy_taps(w);
        for (int32_t layer = 0; layer < w->d->layers; ++layer)
            for (int second = 0; second < 2; ++second)
                half_level(w, second, &planes, &ll, level, layer);
    }
}

static void frame(ag_frame *f)
{
    const wave_design *d = ag_frame_design(f);
    const ag_wavelet_settings s = settings_of(ag_frame_request(f));
    wave w = {.f = f,
              .d = d,
              .p = &d->plan,
              .s = &s,
              .inverse = s.direction == AG_WAVELET_INVERSE,
              .src = ag_slot_picture(f, SRC),
              .dst = ag_slot_picture(f, DST),
              .info = ag_frame_info(f)};
    describe(f, d, &s);
    if (d->plan.stationary)
        stationary_frame(&w);
    else
        tile_frame(&w);
}

const ag_effect ag_effect_wavelet = {
    .info = AG_EFFECT_INFO(
        "wavelet", "the wavelet transform of an image into bands of coefficients, and its inverse",
        AG_WAVELET_IMAGES, 1),
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(wave_design),
};
