// denoise.c - the effect "denoise": wavelet thresholds, with noise that the GPU estimates itself
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "core/frame.h"
#include "effects/denoise/filters.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/units.h"
#include "shaders/denoise/interface_atrous.h"
#include "shaders/denoise/interface_counts.h"
#include "shaders/denoise/interface_tiles.h"

#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_DENOISE_SRC,
    DST = AG_DENOISE_DST,
    MOTION = AG_DENOISE_MOTION,
    HISTORY = AG_DENOISE_HISTORY,
    ALBEDO = AG_DENOISE_ALBEDO,
    NORMAL = AG_DENOISE_NORMAL,
    DEPTH = AG_DENOISE_DEPTH,
    SLOTS
};

static const uint32_t motion_formats[] = {GL_RG16F, GL_RG32F, GL_RGBA16F, GL_RGBA32F};
static const uint32_t history_formats[] = {GL_RGBA16F, GL_RGBA32F};
static const uint32_t albedo_formats[] = {GL_RGBA8, GL_RGBA16F, GL_RGBA32F};
static const uint32_t normal_formats[] = {GL_RGBA16F, GL_RGBA32F};
static const uint32_t depth_formats[] = {GL_R16F, GL_R32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [DST] = AG_COLOUR_SLOT("dst", "the image without noise", AG_WRITE),
    [MOTION] = AG_SLOT("motion", "texels that each surface has moved since the last frame",
                       AG_READ | AG_OPTIONAL, motion_formats),
    [HISTORY] = AG_SLOT("history", "mean of former frames, and of how many",
                        AG_READ | AG_WRITE | AG_STATE | AG_OPTIONAL, history_formats),
    [ALBEDO] = AG_SLOT("albedo", "atrous: by which light is divided while it is filtered",
                       AG_READ | AG_OPTIONAL, albedo_formats),
    [NORMAL] = AG_SLOT("normal", "atrous: normals of surfaces, of any length",
                       AG_READ | AG_OPTIONAL, normal_formats),
    [DEPTH] = AG_SLOT("depth", "atrous: linear depth", AG_READ | AG_OPTIONAL, depth_formats),
};

// Shaders do not include public headers: they take the numbers from interface.h.
_Static_assert(AG_DENOISE_SHRINK_SOFT == (int)AG_DENOISE_SOFT &&
                   AG_DENOISE_SHRINK_HARD == (int)AG_DENOISE_HARD &&
                   AG_DENOISE_SHRINK_GARROTE == (int)AG_DENOISE_GARROTE &&
                   AG_DENOISE_SHRINK_FIRM == (int)AG_DENOISE_FIRM &&
                   AG_DENOISE_SHRINK_GROUP == (int)AG_DENOISE_GROUP &&
                   AG_DENOISE_IN_LINEAR == (int)AG_DENOISE_LINEAR &&
                   AG_DENOISE_IN_LOG == (int)AG_DENOISE_LOG &&
                   AG_DENOISE_IN_ANSCOMBE == (int)AG_DENOISE_ANSCOMBE,
               "settings have one set of numbers");

AG_SETTINGS(denoise, DENOISE)
_Static_assert(most_levels == AG_DENOISE_MAX_LEVELS, "shaders have room for so many");
static const char *const filters[] = {AG_DENOISE_FILTER(AG_NAME)};
static const char *const thresholds[] = {AG_DENOISE_THRESHOLD(AG_NAME)};
static const char *const rules[] = {AG_DENOISE_RULE(AG_NAME)};
static const char *const wavelets[] = {AG_DENOISE_WAVELET(AG_NAME)};

static ag_status check_size(const ag_host *host, const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    ag_status status = ag_check_same_size(host, request, DST, SRC);
    if (status >= 0 && ag_slot_texels(request, SRC) > 1u << 31)
        return ag_fail(host, AG_E_SIZE,
                       "denoise: src has %dx%d texels in %d layers; the limit is 2147483648 in all",
                       src->rect_width, src->rect_height, src->layers);
    return status;
}

static ag_status check_temporal(const ag_host *host, const ag_request *request)
{
    if (request->formats[MOTION] && !request->formats[HISTORY])
        return ag_fail(host, AG_E_ARG, "denoise: slot motion is given, but slot history is empty");
    if (request->formats[HISTORY] && request->slots[SRC].layers != 1)
        return ag_fail(host, AG_E_ARG, "denoise: src has %d layers; with history it must have 1",
                       request->slots[SRC].layers);
    ag_status status = ag_check_same_size(host, request, MOTION, SRC);
    return status < 0 ? status : ag_check_same_size(host, request, HISTORY, SRC);
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_denoise_settings s = settings_of(request);
    ag_status status = check_size(host, request);
    if (status >= 0)
        status = check_temporal(host, request);
    if (status < 0)
        return status;
    if (s.filter != AG_DENOISE_ATROUS)
        for (int i = ALBEDO; i <= DEPTH; ++i)
            if (request->formats[i])
                return ag_fail(host, AG_E_ARG,
                               "denoise: slot %s is given, but only filter = atrous reads it",
                               slots[i].name);
    for (int i = ALBEDO; i <= DEPTH && status >= 0; ++i)
        status = ag_check_same_size(host, request, i, SRC);
    if (status < 0)
        return status;
    if (s.filter == AG_DENOISE_DWT && s.rule == AG_DENOISE_BAYES_LOCAL)
        return ag_fail(host, AG_E_ARG,
                       "denoise: rule = bayes_local needs tiles; filter = dwt has "
                       "none: take bayes, visu or given");
    if (s.filter != AG_DENOISE_ATROUS && s.rule == AG_DENOISE_BAYES_LOCAL &&
        s.levels > AG_DENOISE_TI_FINE)
        return ag_fail(
            host, AG_E_ARG,
            "denoise: levels is %d; rule = bayes_local takes 1 .. %d, because tiles have "
            "too few coefficients of coarser ones",
            s.levels, AG_DENOISE_TI_FINE);
    (void)shape;
    return AG_OK;
}

// A plan depends on whether sigma is given; and on the wavelet, if there is one.
static void same_plan(void *copy)
{
    ag_denoise_settings *s = copy;
    s->sigma = s->sigma > 0;
    if (s->filter != AG_DENOISE_DWT)
        s->wavelet = 0;
}

// ---- for the filters ---------------------------------------------------------------------------

ag_picture ag_denoise_texture(const ag_denoise *n, const char *name, const ag_format *format,
                              bool packed)
{
    bool array = ag_reading_of(n->request, SRC) == AG_BY_TEXTURE_ARRAY;
    ag_own own = {.name = name,
                  .format = format->name,
                  .width = n->shape.rect_width,
                  .height = n->shape.rect_height,
                  .target = array ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                  .packed = packed};
    return (ag_picture){ag_own_memory(n->f, &own), &n->shape, format, 0};
}

void ag_denoise_define(const ag_denoise *n, ag_shader *shader, int32_t space, int32_t components)
{
    int32_t channels = n->request->formats[SRC]->channels;
    ag_shader_define(shader, "SPACE", space);
    ag_shader_define(shader, "COLOUR", channels > 2);
    ag_shader_define(shader, "COMPONENTS", components);
    ag_shader_define(shader, "CHANNELS", channels);
}

void ag_denoise_define_format(ag_shader *shader, const char *name, const ag_format *format)
{
    ag_defines *defines = ag_shader_defines(shader);
    if (defines && format)
        ag_defines_add(defines, "#define %s %s\n", name, format->glsl);
}

ag_uniform ag_denoise_space(const ag_denoise *n)
{
    float gain = n->s.gain;
    return (ag_uniform)AG_FLOATS(AG_LOC_DENOISE_SPACE, n->s.amount, gain,
                                 0.375f * gain * gain + n->s.offset, 1 / gain);
}

ag_uniform ag_denoise_dst_rect(const ag_texture *t)
{
    return (ag_uniform)AG_INTS(AG_LOC_DST_RECT, t->rect_x, t->rect_y, t->rect_width,
                               t->rect_height);
}

float ag_denoise_factor(const ag_denoise *n)
{
    double texels = (double)n->shape.rect_width * n->shape.rect_height;
    return n->s.rule == AG_DENOISE_GIVEN  ? 1
           : n->s.rule == AG_DENOISE_VISU ? (float)sqrt(2 * log(texels))
                                          : 0;
}

// ---- frame -------------------------------------------------------------------------------------

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_denoise_settings s = settings_of(request);
    ag_denoise_design *d = out;
    *d = (ag_denoise_design){.alignment = gl->ssbo_alignment};
    ag_status status = AG_OK;
    if (request->formats[HISTORY])
        status = ag_units_check(host, gl, AG_DENOISE_IMAGES, "denoise", "frames");
    if (status >= 0 && s.filter == AG_DENOISE_ATROUS)
        return ag_units_check(host, gl, AG_DENOISE_ATROUS_IMAGES, "denoise", "guides");
    if (status >= 0)
        status = ag_haar_design(host, gl, request, &d->haar);
    if (status >= 0 && s.filter == AG_DENOISE_DWT)
        status = ag_dwt_design(host, gl, request, &d->dwt);
    return status;
}

static void describe(const ag_denoise *n, const ag_haar *haar)
{
    const ag_texture *src = &n->request->slots[SRC];
    const ag_denoise_settings *s = &n->s;
    int32_t w = src->rect_width, h = src->rect_height, layers = src->layers;
    const char *mean = n->request->formats[HISTORY] ? "; of the mean of frames" : "";
    bool estimated =
        s->filter == AG_DENOISE_ATROUS ? !(s->sigma > 0) : haar->statistics & AG_DENOISE_HISTOGRAM;
    const char *sigma = estimated ? "; sigma is estimated" : "";
    if (s->filter == AG_DENOISE_ATROUS)
        ag_frame_text(n->f, "denoise: %dx%d, %d layers; atrous, %d levels%s%s%s", w, h, layers,
                      s->levels, ag_atrous_guided(n->request) ? "; guided" : "", sigma, mean);
    else if (s->filter == AG_DENOISE_DWT)
        ag_frame_text(n->f,
                      "denoise: %dx%d, %d layers; dwt of %s, %d levels, two dispatches a level; "
                      "threshold %s, rule %s%s%s",
                      w, h, layers, wavelets[s->wavelet], s->levels, thresholds[s->threshold],
                      rules[s->rule], sigma, mean);
    else
        ag_frame_text(n->f,
                      "denoise: %dx%d, %d layers; %s, %d levels, in tiles of %dx%d; threshold %s, "
                      "rule %s%s%s%s",
                      w, h, layers, filters[s->filter], s->levels, haar->tile[0], haar->tile[1],
                      thresholds[s->threshold], rules[s->rule], sigma,
                      !haar->statistics ? ""
                      : s->exact        ? "; statistics before each execute"
                                        : "; statistics beside it, for the next execute",
                      mean);
}

static void fill_zeros(const void *context, void *bytes)
{
    static const uint32_t zeros[AG_DENOISE_WORDS];
    (void)context;
    memcpy(bytes, zeros, sizeof zeros);
}

static ag_handle statistics_of(ag_frame *f)
{
    return ag_own_memory(
        f, &(ag_own){.name = "statistics", .bytes = 4 * AG_DENOISE_WORDS, .fill = fill_zeros});
}

// A new plan has statistics of its own, and the former ones serve on if a prepare fails.
static void make(ag_frame *f)
{
    *(ag_denoise_facts *)ag_frame_facts(f) = (ag_denoise_facts){0};
    statistics_of(f);
}

static void frame(ag_frame *f)
{
    const ag_denoise_design *d = ag_frame_design(f);
    const ag_denoise_facts *facts = ag_frame_facts(f);
    const ag_request *request = ag_frame_request(f);
    const ag_texture *src = &request->slots[SRC];
    ag_denoise n = {
        .f = f,
        .request = request,
        .s = settings_of(request),
        .src = ag_slot_picture(f, SRC),
        .dst = ag_slot_picture(f, DST),
        .shape = {.rect_width = src->rect_width, .rect_height = src->rect_height, .layers = 1},
        .info = ag_frame_info(f),
        .statistics = statistics_of(f),
        .reading = AG_READ,
        .set = facts->set};
    describe(&n, &d->haar);
    if (request->formats[HISTORY])
        ag_temporal_steps(&n);
    if (n.s.filter == AG_DENOISE_ATROUS) {
        ag_atrous_steps(&n);
        return;
    }
    if (d->haar.statistics)
        ag_haar_count(&n, &d->haar);
    if (n.s.filter == AG_DENOISE_DWT)
        ag_dwt_steps(&n, d);
    else
        ag_haar_steps(&n, &d->haar);
}

const ag_effect ag_effect_denoise = {
    .info = AG_EFFECT_INFO("denoise",
                           "removes noise by wavelet thresholds that the GPU estimates itself",
                           AG_DENOISE_ATROUS_IMAGES, 1),
    .samples = 1u << SRC,
    .check = check,
    .same_plan = same_plan,
    .design = design,
    .make = make,
    .frame = frame,
    .design_bytes = sizeof(ag_denoise_design),
    .facts_bytes = sizeof(ag_denoise_facts),
};
