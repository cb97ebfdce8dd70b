// wavelet.c - the effect "wavelet": the wavelet transform of an image, and its inverse
// SPDX-License-Identifier: MIT
#include "effects/wavelet/wavelet.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/units.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_WAVELET_SRC, DST = AG_WAVELET_DST, TAPS = AG_WAVELET_TAPS, SLOTS };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const uint32_t taps_formats[] = {GL_R32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = {"src", "the image; inverse: coefficients, of a float format", AG_READ,
             AG_COLOUR_FORMATS, ag_colour_formats},
    [DST] = {"dst", "coefficients, of a float format; inverse: the image", AG_WRITE,
             AG_COLOUR_FORMATS, ag_colour_formats},
    [TAPS] = {"taps", "of custom: low filters of analysis and synthesis, a row each",
              AG_READ | AG_OPTIONAL, COUNT(taps_formats), taps_formats},
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
    const ag_texture *i = &request->slots[image], *src = &request->slots[SRC];
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)request->slots[DST].format,
                      (int32_t)src->target,
                      i->rect_width,
                      i->rect_height,
                      i->layers,
                      s.direction,
                      s.wavelet,
                      s.border,
                      s.levels,
                      s.layout,
                      s.stationary,
                      s.method,
                      request->slots[TAPS].rect_width};
    memcpy(shape->plan, plan, sizeof plan);
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

// ---- plan --------------------------------------------------------------------------------------

// Places of the approximations between levels, in the scratch of a layer.
static int64_t plan_scratch(const ag_gl *gl, ag_wave_detail *d)
{
    int64_t bytes = 0, plane = 4 * d->channels * ag_wave_texels(&d->plan, 0);
    if (d->settings.method == AG_WAVELET_PERIODIC_STRIDED) { // the array, and as much again
        d->layer_bytes = ag_align_up(2 * plane, gl->ssbo_alignment);
        return d->layer_bytes * d->layers;
    }
    if (d->plan.stationary) {
        d->begin[2] = ag_align_up(2 * plane, gl->ssbo_alignment);
        d->layer_bytes =
            ag_align_up(d->begin[2] + (d->plan.levels > 1 ? plane : 0), gl->ssbo_alignment);
        return d->layer_bytes * d->layers;
    }
    for (int32_t l = 1; l < d->plan.levels; ++l) {
        d->begin[l] = bytes = ag_align_up(bytes, gl->ssbo_alignment);
        bytes += 4 * d->channels * ag_wave_texels(&d->plan, l);
    }
    d->layer_bytes = ag_align_up(bytes, gl->ssbo_alignment);
    return d->layer_bytes * d->layers;
}

static void describe_steps(const ag_request *request, const ag_wave_detail *d, ag_pass_plan *plan)
{
    const ag_wave_plan *p = &d->plan;
    bool inverse = d->settings.direction == AG_WAVELET_INVERSE;
    const ag_format *image = request->formats[inverse ? DST : SRC];
    const ag_format *coefficients = request->formats[inverse ? SRC : DST];
    uint64_t layers = (uint64_t)d->layers, between = 4 * (uint64_t)d->channels;
    for (int32_t step = 0; step < p->levels; ++step) {
        int32_t level = ag_wave_level(d, step);
        uint64_t samples = (uint64_t)ag_wave_texels(p, level - 1) * layers;
        uint64_t band = (uint64_t)ag_wave_texels(p, level) * layers;
        ag_step *out = &plan->steps[step];
        *out = (ag_step){.name = ag_wave_step_name(level),
                         .dispatches = (uint32_t)(d->layers * (p->stationary ? 2 : 1)),
                         .shared_bytes = p->stationary
                                             ? 0
                                             : 4 * (uint32_t)d->channels * 2 *
                                                   AG_WAVELET_TILE_HEIGHT * AG_WAVELET_COLUMNS,
                         .instructions = samples * (uint64_t)(2 * p->taps * d->channels)};
        out->bytes = samples * (level == 1 ? (uint64_t)image->bytes : between) +
                     3 * band * (uint64_t)coefficients->bytes +
                     band * (level == p->levels ? (uint64_t)coefficients->bytes : between);
        out->bytes += p->stationary ? 4 * samples * between : 0;
        ag_wave_groups(p, level, inverse, out->groups);
    }
    plan->head.step_count = (uint32_t)p->levels;
}

static void describe_strided(const ag_request *request, const ag_wave_detail *d, ag_pass_plan *plan)
{
    const ag_wave_plan *p = &d->plan;
    uint64_t layers = (uint64_t)d->layers, each = 4 * (uint64_t)d->channels;
    uint64_t texels = (uint64_t)ag_wave_texels(p, 0) * layers;
    uint32_t count = (uint32_t)p->levels + 2;
    for (uint32_t step = 0; step < count; ++step) {
        bool load = step == 0, store = step == count - 1;
        int32_t level = load || store ? 1 : ag_wave_level(d, (int32_t)step - 1);
        uint64_t samples = (uint64_t)ag_wave_texels(p, level - 1) * layers;
        uint64_t file = (uint64_t)request->formats[load ? SRC : DST]->bytes;
        // A level: each axis is read, added into scratch, taken over, and scratch is zeroed.
        plan->steps[step] =
            (ag_step){.name = load    ? "load"
                              : store ? "store"
                                      : ag_wave_step_name(level),
                      .dispatches = (uint32_t)d->layers * (load || store ? 1 : 4),
                      .groups = {ag_groups(p->sizes[level - 1][0], AG_WAVELET_COLUMNS),
                                 ag_groups(p->sizes[level - 1][1], AG_WAVELET_SEGMENTS), 1},
                      .bytes = load    ? texels * (file + 2 * each)
                               : store ? texels * (file + each)
                                       : 2 * samples * each * 6,
                      .instructions =
                          load || store ? texels : samples * (uint64_t)(4 * p->taps * d->channels)};
    }
    plan->head.step_count = count;
}

static void describe(const ag_request *request, const ag_wave_detail *d, uint64_t scratch,
                     ag_pass_plan *plan)
{
    const ag_wave_plan *p = &d->plan;
    bool strided = d->settings.method == AG_WAVELET_PERIODIC_STRIDED;
    if (strided)
        describe_strided(request, d, plan);
    else
        describe_steps(request, d, plan);
    const uint32_t last = plan->head.step_count - 1;
    if (scratch)
        plan->resources[plan->head.resource_count++] = (ag_resource){.name = "scratch",
                                                                     .kind = AG_RESOURCE_SCRATCH,
                                                                     .access = AG_READ | AG_WRITE,
                                                                     .last_step = last,
                                                                     .bytes = scratch};
    if (request->formats[TAPS])
        plan->resources[plan->head.resource_count++] =
            (ag_resource){.name = slots[TAPS].name,
                          .access = AG_READ,
                          .bytes =
                              4 * (uint64_t)p->taps * (uint64_t)request->slots[TAPS].rect_height};
    for (int slot = 0; slot < TAPS; ++slot) {
        const ag_texture *t = &request->slots[slot];
        bool is_image = slot == (d->settings.direction == AG_WAVELET_INVERSE ? DST : SRC);
        bool is_src = slot == SRC;
        plan->resources[plan->head.resource_count++] =
            (ag_resource){.name = slots[slot].name,
                          .access = is_src ? AG_READ : AG_WRITE,
                          .first_step = is_image && !is_src ? last : 0,
                          .last_step = is_image && is_src ? 0 : last,
                          .bytes = (uint64_t)t->rect_width * (uint64_t)t->rect_height *
                                   (uint64_t)t->layers * (uint64_t)request->formats[slot]->bytes};
    }
    plan->head.scratch_bytes = scratch;
    plan->head.persistent_bytes = AG_INFO_BYTES;
    if (strided)
        snprintf(plan->head.text, sizeof plan->head.text,
                 "wavelet: %s, %s, %d taps, periodic_strided; %dx%d, %d levels; four dispatches a "
                 "level",
                 directions[d->settings.direction], wavelets[d->settings.wavelet], p->taps,
                 p->sizes[0][0], p->sizes[0][1], p->levels);
    else if (p->stationary)
        snprintf(plan->head.text, sizeof plan->head.text,
                 "wavelet: %s, %s, %d taps, stationary; %dx%d, %d levels, %d layers of "
                 "coefficients; two dispatches a level",
                 directions[d->settings.direction], wavelets[d->settings.wavelet], p->taps,
                 p->sizes[0][0], p->sizes[0][1], p->levels, p->layers * d->layers);
    else
        snprintf(
            plan->head.text, sizeof plan->head.text,
            "wavelet: %s, %s, %d taps, %s; %dx%d, %d levels, coefficients %dx%d with %d layers; a "
            "dispatch a level, groups of 256 threads for %dx%d",
            directions[d->settings.direction], wavelets[d->settings.wavelet], p->taps,
            borders[d->settings.border], p->sizes[0][0], p->sizes[0][1], p->levels, p->whole[0],
            p->whole[1], p->layers * d->layers, AG_WAVELET_TILE_WIDTH(p->taps),
            AG_WAVELET_TILE_HEIGHT);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    ag_wave_detail *d = out;
    *d = (ag_wave_detail){.settings = settings_of(request)};
    const ag_texture *image =
        &request->slots[d->settings.direction == AG_WAVELET_INVERSE ? DST : SRC];
    plan_of(request, image, &d->plan);
    d->layers = image->layers;
    d->channels = channels_of(request->formats[SRC]);
    if (ag_units_check(host, gl, AG_WAVELET_IMAGES, "wavelet", "four bands") < 0)
        return AG_E_ARG;
    int64_t scratch = plan_scratch(gl, d);
    d->taps_begin = scratch;
    if (d->settings.wavelet == AG_WAVELET_CUSTOM)
        scratch += AG_WAVE_TAPS_BYTES;
    bool strided = d->settings.method == AG_WAVELET_PERIODIC_STRIDED;
    int64_t largest = strided              ? d->layer_bytes
                      : d->plan.stationary ? 8 * d->channels * ag_wave_texels(&d->plan, 0)
                      : d->plan.levels > 1 ? 4 * d->channels * ag_wave_texels(&d->plan, 1)
                                           : 0;
    if (largest > gl->max_ssbo_bytes)
        return ag_fail(host, AG_E_SIZE,
                       "wavelet: %dx%d needs %lld bytes between its levels; this context's "
                       "storage blocks hold %lld",
                       image->rect_width, image->rect_height, (long long)largest,
                       (long long)gl->max_ssbo_bytes);
    describe(request, d, (uint64_t)scratch, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

// `first`: of the step that reads no approximation of another step.
static void define(const ag_request *request, const ag_wave_detail *d, bool first,
                   ag_defines *defines)
{
    if (first || d->settings.direction == AG_WAVELET_INVERSE)
        ag_source_defines(request->formats[SRC], ag_reading_of(request, SRC), defines);
    ag_define(defines, "FROM_BUFFER", !first);
}

static ag_status get(const ag_preparation *prep, const ag_request *request, const ag_wave_detail *d,
                     const char *path, ag_defines *defines, const ag_program **program)
{
    ag_define(defines, "STORE", request->formats[DST]->store);
    ag_define(defines, "FILTER", d->settings.wavelet);
    ag_define(defines, "CHANNELS", d->channels);
    if (d->settings.wavelet == AG_WAVELET_CUSTOM)
        ag_define(defines, "TAPS", d->plan.taps);
    return ag_program_get(prep, path, defines, program);
}

static ag_status get_taps(const ag_preparation *prep, const ag_wave_detail *d, ag_wave_state *state)
{
    ag_defines defines = {0};
    if (d->settings.wavelet != AG_WAVELET_CUSTOM)
        return AG_OK;
    ag_define(&defines, "TAPS", d->plan.taps);
    return ag_program_get(prep, "wavelet/taps.comp", &defines, state ? &state->taps : NULL);
}

static ag_status get_strided(const ag_preparation *prep, const ag_request *request,
                             const ag_wave_detail *d, ag_wave_state *state)
{
    bool inverse = d->settings.direction == AG_WAVELET_INVERSE;
    const char *step = inverse ? "wavelet/ladder/inverse.comp" : "wavelet/ladder/forward.comp";
    ag_defines load = {0}, forward = {0}, take = {0}, store = {0};
    ag_source_defines(request->formats[SRC], ag_reading_of(request, SRC), &load);
    ag_status status =
        get(prep, request, d, "wavelet/ladder/load.comp", &load, state ? &state->first : NULL);
    if (status >= 0)
        status = get(prep, request, d, step, &forward, state ? &state->others : NULL);
    if (status >= 0)
        status =
            get(prep, request, d, "wavelet/ladder/take.comp", &take, state ? &state->second : NULL);
    if (status >= 0)
        status = get(prep, request, d, "wavelet/ladder/store.comp", &store,
                     state ? &state->store : NULL);
    return status < 0 ? status : get_taps(prep, d, state);
}

static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const ag_wave_detail *d, ag_wave_state *state)
{
    static const char *const firsts[2][2] = {{"wavelet/forward.comp", "wavelet/inverse.comp"},
                                             {"wavelet/stationary_columns.comp",
                                              "wavelet/stationary_back_rows.comp"}};
    static const char *const seconds[] = {"wavelet/stationary_rows.comp",
                                          "wavelet/stationary_back_columns.comp"};
    bool inverse = d->settings.direction == AG_WAVELET_INVERSE, stationary = d->plan.stationary;
    ag_status status = AG_OK;
    if (d->settings.method == AG_WAVELET_PERIODIC_STRIDED)
        return get_strided(prep, request, d, state);
    for (int32_t other = 0; other < (d->plan.levels > 1 ? 2 : 1) && status >= 0; ++other) {
        ag_defines defines = {0};
        define(request, d, !other, &defines);
        status = get(prep, request, d, firsts[stationary][inverse], &defines,
                     !state  ? NULL
                     : other ? &state->others
                             : &state->first);
    }
    ag_defines defines = {0};
    if (status >= 0 && stationary)
        status = get(prep, request, d, seconds[inverse], &defines, state ? &state->second : NULL);
    return status < 0 ? status : get_taps(prep, d, state);
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    return get_programs(prep, request, detail, NULL);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    ag_wave_state *state = out;
    (void)plan;
    *state = (ag_wave_state){.detail = *(const ag_wave_detail *)detail};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = get_programs(prep, request, &state->detail, state);
    if (status < 0)
        ag_info_abandon(prep->gpu, old, &state->base);
    else
        ag_info_commit(old, &state->base);
    return status;
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    ag_wave_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
}

static void execute(ag_recording *recording, const ag_request *request, void *state)
{
    ag_wave_record(recording, request, state);
}

const ag_effect ag_effect_wavelet = {
    .info = {.struct_size = sizeof(ag_effect_info),
             .settings_size = sizeof(ag_wavelet_settings),
             .id = "wavelet",
             .help =
                 "the wavelet transform of an image into bands of coefficients, and its inverse",
             .slots = slots,
             .slot_count = SLOTS,
             .slot_stride = sizeof *slots,
             .settings = settings,
             .setting_count = COUNT(settings),
             .setting_stride = sizeof *settings,
             .image_units = AG_WAVELET_IMAGES,
             .ssbos = AG_SSBO_COUNT,
             .texture_units = 1},
    .state_bytes = sizeof(ag_wave_state),
    .detail_bytes = sizeof(ag_wave_detail),
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
