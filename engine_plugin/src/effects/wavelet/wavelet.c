// wavelet.c - the effect "wavelet": the wavelet transform of an image, and its inverse
// SPDX-License-Identifier: MIT
#include "effects/wavelet/wavelet.h"
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/tables.h"
#include "effects/kit/checks.h"

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

static const char *const directions[] = {"forward", "inverse"};
static const char *const wavelets[] = {"haar",  "db2",   "db4",   "sym4",
                                       "coif1", "cdf53", "cdf97", "custom"};
static const char *const borders[] = {"periodization", "symmetric", "reflect", "zero"};
static const char *const layouts[] = {"pyramid", "bands"};

static const char *const methods[] = {"auto", "tile", "periodic_strided"};

#define SETTINGS ag_wavelet_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(direction, "image to coefficients, or back", directions, AG_PREPARE_PLAN),
    AG_CHOICE(wavelet, "the filters; cdf53 and cdf97 are biorthogonal; custom: from the slot taps",
              wavelets, AG_PREPARE_PLAN),
    AG_CHOICE(border, "what lies outside of the image; reflect is the mirror of other effects",
              borders, AG_PREPARE_PLAN),
    AG_WHOLE(levels, "", "how often the approximation is split again", 1, AG_WAVE_MAX_LEVELS, 1,
             AG_PREPARE_PLAN),
    AG_CHOICE(layout, "of coefficients: one picture, or an array layer a band", layouts,
              AG_PREPARE_PLAN),
    AG_SWITCH(stationary, "keep every coefficient of each level: bands as large as the image", 0,
              AG_PREPARE_PLAN),
    AG_CHOICE(method, "how it is computed; periodic_strided: the document's kernel", methods,
              AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

AG_SETTINGS_OF(ag_wavelet_settings)

// ---- check -------------------------------------------------------------------------------------

static bool has_sign(const ag_format *f)
{
    return f->store == AG_STORE_16F || f->store == AG_STORE_32F;
}

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
    if (size[0] > AG_WAVE_MAX_SIZE || size[1] > AG_WAVE_MAX_SIZE)
        return ag_fail(host, AG_E_SIZE, "wavelet: %s is %dx%d; the limit is %d", slots[slot].name,
                       size[0], size[1], AG_WAVE_MAX_SIZE);
    if (s.levels > ag_wave_max_levels(size))
        return ag_fail(host, AG_E_ARG, "wavelet: levels is %d; an image of %dx%d has at most %d",
                       s.levels, size[0], size[1], ag_wave_max_levels(size));
    int32_t multiple = 1 << s.levels;
    if (s.stationary && (size[0] % multiple || size[1] % multiple))
        return ag_fail(host, AG_E_SIZE,
                       "wavelet: %s is %dx%d; stationary with %d levels takes multiples of %d",
                       slots[slot].name, size[0], size[1], s.levels, multiple);
    bool powers = !(size[0] & (size[0] - 1)) && !(size[1] & (size[1] - 1));
    if (s.method == AG_WAVELET_PERIODIC_STRIDED &&
        (!powers || size[0] < multiple || size[1] < multiple))
        return ag_fail(host, AG_E_SIZE,
                       "wavelet: %s is %dx%d; periodic_strided with %d levels takes powers of two "
                       "from %d on",
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
    if (s.method != AG_WAVELET_AUTO && s.stationary)
        return ag_fail(host, AG_E_ARG, "wavelet: method is %s with stationary; it takes auto",
                       methods[s.method]);
    if (s.method == AG_WAVELET_PERIODIC_STRIDED &&
        (s.border != AG_WAVELET_PERIODIZATION || s.layout != AG_WAVELET_PYRAMID))
        return ag_fail(host, AG_E_ARG,
                       "wavelet: method is periodic_strided with border %s, layout %s; it takes "
                       "periodization, pyramid",
                       borders[s.border], layouts[s.layout]);
    return AG_OK;
}

static ag_status check_coefficients(const ag_host *host, const ag_request *request, int slot)
{
    const ag_format *format = request->formats[slot], *other = request->formats[SRC + DST - slot];
    if (!has_sign(format))
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

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_wavelet_settings s = settings_of(request);
    bool inverse = s.direction == AG_WAVELET_INVERSE;
    int image = inverse ? DST : SRC, coefficients = inverse ? SRC : DST;
    ag_status status = check_settings(host, request);
    if (status >= 0)
        status = check_taps(host, request);
    if (status >= 0)
        status = check_image(host, request, image);
    if (status >= 0)
        status = check_coefficients(host, request, coefficients);
    if (status >= 0)
        status = check_sizes(host, request, image, coefficients);
    (void)shape;
    return status;
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

// ---- frame -------------------------------------------------------------------------------------

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_wavelet_settings s = settings_of(request);
    const ag_texture *image = &request->slots[s.direction == AG_WAVELET_INVERSE ? DST : SRC];
    ag_wave_design *d = out;
    *d = (ag_wave_design){.layers = image->layers,
                          .channels = channels_of(request->formats[SRC]),
                          .alignment = gl->ssbo_alignment};
    plan_of(request, image, &d->plan);
    if (ag_units_check(host, gl, AG_WAVELET_IMAGES, "wavelet", "four bands") < 0)
        return AG_E_ARG;
    bool planes = d->plan.stationary || s.method == AG_WAVELET_PERIODIC_STRIDED; // two
    int64_t values = planes               ? 2 * ag_wave_texels(&d->plan, 0)
                     : d->plan.levels > 1 ? ag_wave_texels(&d->plan, 1)
                                          : 0;
    int64_t largest = 4 * d->channels * values;
    if (largest <= gl->max_ssbo_bytes)
        return AG_OK;
    return ag_fail(host, AG_E_SIZE,
                   "wavelet: %dx%d needs %lld bytes between its levels; this context's storage "
                   "blocks hold %lld",
                   image->rect_width, image->rect_height, (long long)largest,
                   (long long)gl->max_ssbo_bytes);
}

static void describe(ag_frame *f, const ag_wave_design *d, const ag_wavelet_settings *s)
{
    const ag_wave_plan *p = &d->plan;
    const char *direction = directions[s->direction], *wavelet = wavelets[s->wavelet];
    if (s->method == AG_WAVELET_PERIODIC_STRIDED)
        ag_frame_text(f,
                      "wavelet: %s, %s, %d taps, periodic_strided; %dx%d, %d levels; four "
                      "dispatches a level",
                      direction, wavelet, p->taps, p->sizes[0][0], p->sizes[0][1], p->levels);
    else if (p->stationary)
        ag_frame_text(f,
                      "wavelet: %s, %s, %d taps, stationary; %dx%d, %d levels, %d layers of "
                      "coefficients; two dispatches a level",
                      direction, wavelet, p->taps, p->sizes[0][0], p->sizes[0][1], p->levels,
                      p->layers * d->layers);
    else
        ag_frame_text(f,
                      "wavelet: %s, %s, %d taps, %s; %dx%d, %d levels, coefficients %dx%d with %d "
                      "layers; a dispatch a level, groups of 256 threads for %dx%d",
                      direction, wavelet, p->taps, borders[s->border], p->sizes[0][0],
                      p->sizes[0][1], p->levels, p->whole[0], p->whole[1], p->layers * d->layers,
                      AG_WAVELET_TILE_WIDTH(p->taps), AG_WAVELET_TILE_HEIGHT);
}

static void frame(ag_frame *f)
{
    const ag_wave_design *d = ag_frame_design(f);
    const ag_wavelet_settings s = settings_of(ag_frame_request(f));
    describe(f, d, &s);
    ag_wave_frame(f, d, &s);
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
    .design_bytes = sizeof(ag_wave_design),
};
