// denoise.c - the effect "denoise": wavelet thresholds, with noise that the GPU estimates itself
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/denoise/filters.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

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
    [NORMAL] = AG_SLOT("normal", "atrous, history: normals of surfaces, of any length",
                       AG_READ | AG_OPTIONAL, normal_formats),
    [DEPTH] =
        AG_SLOT("depth", "atrous, history: linear depth", AG_READ | AG_OPTIONAL, depth_formats),
};

// Shaders do not include public headers: they take the numbers from interface.h.
_Static_assert(AG_DENOISE_SHRINK_SOFT == (int)AG_DENOISE_SOFT &&
                   AG_DENOISE_SHRINK_HARD == (int)AG_DENOISE_HARD &&
                   AG_DENOISE_SHRINK_GARROTE == (int)AG_DENOISE_GARROTE &&
                   AG_DENOISE_SHRINK_FIRM == (int)AG_DENOISE_FIRM &&
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

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    for (int i = DST; i < SLOTS; ++i)
        AG_TRY(ag_check_same_size(host, request, i, SRC));
    if (ag_slot_texels(request, SRC) > 1u << 31)
        return ag_fail(host, AG_E_SIZE,
                       "denoise: src has %dx%d texels in %d layers; the limit is 2147483648 in all",
                       src->rect_width, src->rect_height, src->layers);
    if (request->formats[MOTION] && !request->formats[HISTORY])
        return ag_fail(host, AG_E_ARG, "denoise: slot motion is given, but slot history is empty");
    if (request->formats[HISTORY] && src->layers != 1)
        return ag_fail(host, AG_E_ARG, "denoise: src has %d layers; with history it must have 1",
                       src->layers);
    for (int i = ALBEDO; i <= DEPTH && s.filter != AG_DENOISE_ATROUS; ++i)
        if (request->formats[i] && (i == ALBEDO || !request->formats[HISTORY]))
            return ag_fail(host, AG_E_ARG,
                           "denoise: slot %s is given, but only filter = atrous%s reads it",
                           slots[i].name, i == ALBEDO ? "" : " or a history");
    return AG_OK;
}

// A plan depends on whether sigma is given; and on the wavelet, if there is one.
static void shape(const ag_request *request, ag_shape *shape)
{
    ag_request copy = *request;
    ag_denoise_settings s = settings_of(request);
    s.sigma = s.sigma > 0;
    if (s.filter != AG_DENOISE_DWT)
        s.wavelet = 0;
    memcpy(&copy.settings, &s, sizeof s);
    ag_shape_by_tables(&copy, shape);
}

// ---- for the filters ---------------------------------------------------------------------------

bool ag_denoise_guided(const ag_request *request)
{
    return request->formats[NORMAL] || request->formats[DEPTH];
}

ag_picture ag_denoise_texture(const ag_denoise *n, const char *name, GLenum format, bool packed)
{
    bool array = n->src.reading == AG_BY_TEXTURE_ARRAY;
    ag_own own = {.name = name,
                  .format = format,
                  .width = n->shape.rect_width,
                  .height = n->shape.rect_height,
                  .target = array ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                  .packed = packed};
    ag_picture picture = ag_own_picture(n->f, &own, &n->shape);
    picture.reading = packed ? n->src.reading : AG_BY_IMAGE;
    return picture;
}

bool ag_denoise_has_curve(const ag_denoise_settings *s)
{
    return s->space == AG_DENOISE_LINEAR && !(s->sigma > 0) && s->filter != AG_DENOISE_ATROUS;
}

void ag_denoise_define(const ag_denoise *n, ag_shader *shader, int32_t space, int32_t components)
{
    int32_t channels = n->request->formats[SRC]->channels;
    ag_shader_define(shader, "SPACE", space);
    ag_shader_define(shader, "CURVE", ag_denoise_has_curve(&n->s));
    ag_shader_define(shader, "COLOUR", channels > 2);
    ag_shader_define(shader, "COMPONENTS", components);
    ag_shader_define(shader, "IMAGE_CHANNELS", channels);
}

ag_uniform ag_denoise_space(const ag_denoise *n)
{
    float gain = n->s.gain;
    return (ag_uniform)AG_FLOATS(AG_LOC_DENOISE_SPACE, n->s.amount, gain,
                                 0.375f * gain * gain + n->s.offset, 1 / gain);
}

void ag_denoise_uniforms(const ag_denoise *n, int32_t layer, ag_uniform *u)
{
    double texels = (double)n->shape.rect_width * n->shape.rect_height;
    // T over sigma; 0 where the rule takes variances, -1 where it depends on the level.
    float factor = n->s.rule == AG_DENOISE_GIVEN   ? 1
                   : n->s.rule == AG_DENOISE_NOISE ? -1
                   : n->s.rule == AG_DENOISE_VISU  ? (float)sqrt(2 * log(texels))
                                                   : 0;
    ag_read_uniforms(u, &n->src, n->src.format->channels, n->s.scrub, layer);
    u[2] = ag_rect_uniform(AG_LOC_DST_RECT, n->dst.shape);
    u[3] =
        (ag_uniform)AG_FLOATS(AG_LOC_DENOISE_RULE, factor, n->s.strength, n->s.chroma, n->s.sigma);
    u[4] = ag_denoise_space(n);
}

// ---- frame -------------------------------------------------------------------------------------

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_denoise_settings s = settings_of(request);
    ag_denoise_design *d = out;
    *d = (ag_denoise_design){.alignment = gl->ssbo_alignment};
    if (request->formats[HISTORY])
        AG_TRY(ag_units_check(
            host, gl, ag_denoise_guided(request) ? AG_DENOISE_GUIDED_IMAGES : AG_DENOISE_IMAGES,
            "denoise", "frames"));
    AG_TRY(ag_haar_design(host, gl, request, &d->haar));
    if (s.filter == AG_DENOISE_ATROUS)
        return ag_units_check(host, gl, AG_DENOISE_ATROUS_IMAGES, "denoise", "guides");
    if (s.filter == AG_DENOISE_BLOCKS)
        return ag_blocks_design(host, gl, request, &d->subgroups);
    return s.filter == AG_DENOISE_DWT ? ag_dwt_design(host, gl, request, &d->dwt) : AG_OK;
}

static void describe(const ag_denoise *n, const ag_haar *haar, int32_t subgroups)
{
    const ag_texture *src = &n->request->slots[SRC];
    const ag_denoise_settings *s = &n->s;
    bool atrous = s->filter == AG_DENOISE_ATROUS, blocks = s->filter == AG_DENOISE_BLOCKS;
    bool estimated = atrous ? !(s->sigma > 0) : haar->statistics & AG_DENOISE_SIGMAS;
    const char *beside = !haar->statistics || s->filter == AG_DENOISE_DWT ? ""
                         : s->exact ? "; statistics before each execute"
                                    : "; statistics beside it, for the next execute";
    ag_frame_text(n->f, "denoise: %dx%d, %d layers; %s", src->rect_width, src->rect_height,
                  src->layers, filters[s->filter]);
    if (s->filter == AG_DENOISE_DWT)
        ag_frame_text(n->f, " of %s", wavelets[s->wavelet]);
    if (blocks)
        ag_frame_text(n->f, ", %s%s", s->levels > 1 ? "two steps" : "one step",
                      subgroups == AG_SUBGROUPS_NONE ? "" : ", by subgroups");
    else
        ag_frame_text(n->f, ", %d levels", s->levels);
    if (s->filter == AG_DENOISE_DWT)
        ag_frame_text(n->f, ", two dispatches a level");
    else if (!atrous && !blocks)
        ag_frame_text(n->f, ", in tiles of %dx%d", haar->tile[0], haar->tile[1]);
    if (atrous)
        ag_frame_text(n->f, "%s", ag_denoise_guided(n->request) ? "; guided" : "");
    else if (!blocks)
        ag_frame_text(n->f, "; threshold %s, rule %s", thresholds[s->threshold], rules[s->rule]);
    ag_frame_text(n->f, "%s%s%s", estimated ? "; sigma is estimated" : "", beside,
                  n->request->formats[HISTORY] ? "; of the mean of frames" : "");
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
        .frame = ag_slot_picture(f, SRC),
        .dst = ag_slot_picture(f, DST),
        .shape = {.rect_width = src->rect_width, .rect_height = src->rect_height, .layers = 1},
        .info = ag_frame_info(f),
        .statistics = statistics_of(f),
        .reading = AG_READ,
        .set = facts->set};
    describe(&n, &d->haar, d->subgroups);
    if (request->formats[HISTORY])
        ag_history_steps(&n);
    if (n.s.filter == AG_DENOISE_ATROUS) {
        ag_atrous_steps(&n);
        return;
    }
    if (d->haar.statistics)
        ag_haar_count(&n, &d->haar);
    if (n.s.filter == AG_DENOISE_BLOCKS)
        ag_blocks_steps(&n, d->subgroups);
    else if (n.s.filter == AG_DENOISE_DWT)
        ag_dwt_steps(&n, d);
    else
        ag_haar_steps(&n, &d->haar);
}

const ag_effect ag_effect_denoise = {
    .info = AG_EFFECT_INFO("denoise",
                           "removes noise by wavelet thresholds that the GPU estimates itself",
                           AG_DENOISE_GUIDED_IMAGES, 2),
    .samples = 1u << SRC | 1u << HISTORY,
    .check = check,
    .shape = shape,
    .design = design,
    .make = make,
    .frame = frame,
    .design_bytes = sizeof(ag_denoise_design),
    .facts_bytes = sizeof(ag_denoise_facts),
};
