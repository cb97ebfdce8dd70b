// dwt.c - the filter "dwt" of "denoise": thresholds of a wavelet transform, a dispatch a level
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <afterglow/wavelet.h>

enum { SRC = AG_DENOISE_SRC, MAX_LEVELS = AG_DENOISE_MAX_LEVELS };

_Static_assert(AG_FILTER_HAAR == (int)AG_WAVELET_HAAR && AG_FILTER_CDF53 == (int)AG_WAVELET_CDF53 &&
                   AG_FILTER_CDF97 == (int)AG_WAVELET_CDF97,
               "settings have one set of numbers");

AG_SETTINGS_OF(ag_denoise_settings)

// ---- noise gains -------------------------------------------------------------------------------

// Of white noise of sigma 1 a coefficient of level l has the sigma gain(x) gain(y): the length of
// the filter that makes it of the image, along each axis. Orthonormal wavelets have 1 throughout.
typedef struct gain {
    float low, high; // along an axis
} gain;

static gain gain_of(int32_t wavelet, int32_t level)
{
    static const gain cdf53[AG_DENOISE_MAX_LEVELS] = {
        {1.19895788f, 0.866025404f}, {1.31843894f, 1.15582763f}, {1.38429035f, 1.32637753f},
        {1.42014081f, 1.41885626f},  {1.43954753f, 1.46884025f}, {1.45005698f, 1.49577846f}};
    static const gain cdf97[AG_DENOISE_MAX_LEVELS] = {
        {1.02001763f, 0.991440193f}, {0.996898522f, 1.05765871f},  {0.985323811f, 1.02191866f},
        {0.98150204f, 1.00184916f},  {0.980409647f, 0.995013277f}, {0.980116944f, 0.993035414f}};
    return wavelet == AG_WAVELET_CDF53   ? cdf53[level - 1]
           : wavelet == AG_WAVELET_CDF97 ? cdf97[level - 1]
                                         : (gain){1, 1};
}

// ---- plan --------------------------------------------------------------------------------------

static int32_t components_of(const ag_request *request)
{
    return ag_min(request->formats[SRC]->channels, 3);
}

// Of bands of a level of a layer between dispatches: a plane of floats each and a component.
static int64_t band_bytes(const ag_request *request, const ag_wave_plan *plan, int32_t level,
                          int32_t bands)
{
    return (int64_t)sizeof(float) * bands * components_of(request) * ag_wave_texels(plan, level);
}

ag_status ag_dwt_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        ag_wave_plan *plan)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    const int32_t size[2] = {src->rect_width, src->rect_height};
    ag_wave_plan_make(size, s.levels, ag_wave_taps(s.wavelet), AG_EXTEND_SYMMETRIC, true, plan);
    return ag_check_block(host, gl, request, SRC, band_bytes(request, plan, 1, 4));
}

// ---- shaders and memory ------------------------------------------------------------------------

typedef struct dwt {
    const ag_denoise *n;
    const ag_wave_plan *plan;
    int32_t layers;
    ag_shader *first, *forward;  // of level 1, of others
    ag_shader *inverse, *result; // to a level above 0, to the image
    // Of each level: planes of LL, then of its details, of all layers
    // (shaders/denoise/dwt_forward.comp). What is removed of LL takes its place.
    ag_handle bands[MAX_LEVELS + 1];
    int64_t alignment;
} dwt;

static ag_shader *shader_of(const dwt *t, const char *path, bool reads_image)
{
    const ag_denoise *n = t->n;
    int32_t channels = n->request->formats[SRC]->channels;
    ag_shader *shader = ag_frame_shader(n->f, path);
    if (reads_image)
        ag_shader_reads_picture(shader, &n->src);
    ag_shader_define(shader, "SPACE", reads_image ? n->s.space : AG_DENOISE_LINEAR);
    ag_shader_define(shader, "CURVE", reads_image && ag_denoise_has_curve(&n->s));
    ag_shader_define(shader, "COLOUR", channels > 2);
    ag_shader_define(shader, "COMPONENTS", components_of(n->request));
    ag_shader_define(shader, "IMAGE_CHANNELS", channels);
    ag_shader_define(shader, "CHANNELS", 1); // a component at a time
    ag_shader_define(shader, "FILTER", n->s.wavelet);
    return shader;
}

static bool adds_energies(const ag_denoise *n)
{
    return n->s.rule == AG_DENOISE_BAYES;
}

static ag_shader *forward_shader(const dwt *t, bool first)
{
    ag_shader *shader = shader_of(t, "denoise/dwt_forward.comp", first);
    ag_shader_define(shader, "FROM_BUFFER", !first);
    ag_shader_define(shader, "ENERGIES", adds_energies(t->n));
    return shader;
}

static ag_shader *inverse_shader(const dwt *t, bool result)
{
    ag_shader *shader = shader_of(t, "denoise/dwt_inverse.comp", result);
    ag_shader_define(shader, "TO_IMAGE", result);
    ag_shader_define(shader, "THRESHOLD", t->n->s.threshold);
    if (result)
        ag_shader_define(shader, "STORE", t->n->dst.format->store);
    return shader;
}

static int64_t stride_of(const dwt *t, int32_t level) // from layer to layer
{
    return ag_align_up(band_bytes(t->n->request, t->plan, level, 4), t->alignment);
}

// LL alone, or all bands.
static ag_block block_of(const dwt *t, uint32_t access, int32_t bands, int32_t level, int32_t layer)
{
    return ag_block_of(t->bands[level], access, (uint64_t)(layer * stride_of(t, level)),
                       (uint64_t)band_bytes(t->n->request, t->plan, level, bands));
}

static void name_memory(dwt *t)
{
    static const char *const names[] = {"bands 1", "bands 2", "bands 3",
                                        "bands 4", "bands 5", "bands 6"};
    for (int32_t l = 1; l <= t->plan->levels; ++l) {
        t->bands[l] = ag_scratch(t->n->f, names[l - 1], (uint64_t)(stride_of(t, l) * t->layers));
    }
}

// ---- steps -------------------------------------------------------------------------------------

static void forward_groups(const ag_wave_plan *plan, int32_t level, uint32_t groups[3])
{
    groups[0] = ag_groups(plan->sizes[level][0], AG_WAVELET_TILE_WIDTH(plan->taps));
    groups[1] = ag_groups(plan->sizes[level][1], AG_WAVELET_TILE_HEIGHT);
    groups[2] = 1;
}

// All layers of a level.
static void level_dispatches(const dwt *t, bool inverse, int32_t level)
{
    const ag_denoise *n = t->n;
    const ag_wave_plan *plan = t->plan;
    const gain of_level = gain_of(n->s.wavelet, level);
    bool last = level == plan->levels;
    int32_t from = inverse ? level : level - 1, to = inverse ? level - 1 : level;
    uint32_t arriving[3];
    forward_groups(plan, plan->levels, arriving);
    ag_uniform uniforms[] = {
        [AG_DENOISE_UNIFORMS] =
            AG_FLOATS(AG_LOC_DENOISE_STATISTICS, 1,
                      (float)(arriving[0] * arriving[1]) * (float)t->layers, 0, 0),
        AG_INTS(AG_LOC_WAVELET_SIZE, plan->sizes[level - 1][0], plan->sizes[level - 1][1],
                plan->sizes[level][0], plan->sizes[level][1]),
        AG_FLOATS(AG_LOC_DENOISE_DWT_BAND, of_level.low * of_level.high,
                  of_level.high * of_level.high, (float)level, last ? 1.0f : 0.0f),
    };
    // Layers add up energies together, and wait for sigma before.
    uint32_t statistics = inverse ? AG_READ : adds_energies(n) ? AG_WRITE : 0;
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_dispatch d = {
            .shader = inverse      ? level == 1 ? t->result : t->inverse
                      : level == 1 ? t->first
                                   : t->forward,
            .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, statistics),
            .ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD),
            .ranges[AG_SSBO_DENOISE_FROM] = block_of(t, AG_READ, inverse ? 4 : 1, from, layer),
            .ranges[AG_SSBO_DENOISE_TO] = block_of(t, AG_WRITE, inverse ? 1 : 4, to, layer),
            AG_UNIFORMS(uniforms)};
        ag_denoise_uniforms(n, layer, uniforms);
        if (level == 1)
            ag_dispatch_reads_picture(&d, &n->src, layer);
        if (level == 1 && inverse)
            d.images[AG_IMAGE_DST] = ag_picture_view(&n->dst, AG_WRITE, layer);
        if (inverse)
            ag_wave_groups(plan, level, true, d.groups);
        else
            forward_groups(plan, level, d.groups);
        ag_frame_dispatch(n->f, &d);
    }
}

void ag_dwt_steps(const ag_denoise *n, const ag_denoise_design *d)
{
    int32_t levels = d->dwt.levels;
    dwt t = {.n = n, .plan = &d->dwt, .layers = n->dst.shape->layers, .alignment = d->alignment};
    t.first = forward_shader(&t, true);
    if (levels > 1) {
        t.forward = forward_shader(&t, false);
        t.inverse = inverse_shader(&t, false);
    }
    t.result = inverse_shader(&t, true);
    name_memory(&t);
    ag_frame_step(n->f, "forward");
    for (int32_t level = 1; level <= levels; ++level)
        level_dispatches(&t, false, level);
    ag_frame_step(n->f, "inverse");
    for (int32_t level = levels; level > 0; --level)
        level_dispatches(&t, true, level);
}
