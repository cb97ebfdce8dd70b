// filter.c - the filter "Afterglow bloom": a source's frame in linear light, bloomed, and drawn
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. A plugin that is built of it links libobs, which is
// under the GNU GPL, version 2 or later, so the built plugin is distributed under those terms.
//
//   SDR: target --(draws)--> codes, 8 bits --(expand)--> linear, RGBA16F --(Afterglow)--> bloomed,
//        RGBA16F --(compress)--> linear --(draws)--> OBS
//   HDR: target --(draws)--> linear --(Afterglow)--> bloomed --(draws)--> OBS
//
// expand.c has the curve by which highlights of SDR get the brightness that they were cut at.
#include "filter.h"

#include <graphics/graphics.h>
#include <string.h>

enum { TEXTURE_2D = 0x0DE1, RGBA16F = 0x881A }; // GL_TEXTURE_2D, GL_RGBA16F

typedef struct bloom_filter {
    obs_source_t *source;
    const obs_device *shared; // NULL: the filter does nothing
    const ag_effect_info *effect;
    ag_pass *pass;
    ag_texture *slots;
    uint32_t src, dst;    // among them
    void *wanted, *drawn; // settings: as the user has chosen them; of the prepared plan
    bool changed;         // `wanted` is not prepared yet
    bool drawable;        // `drawn` is prepared for these textures
    float highlights;     // white of SDR becomes this bright
    gs_effect_t *curve;   // the shaders of expand.c
    gs_texrender_t *codes, *linear;
    gs_texture_t *bloomed;
    gs_texture_t
        *shown; // this frame's result, which OBS draws once for each view of it; NULL: none
    uint32_t width, height;
    uint64_t version, frame;
    uint64_t key; // of the plan
} bloom_filter;

// ---- the pass ----------------------------------------------------------------------------------

static uint32_t gl_name(gs_texture_t *texture)
{
    return *(const uint32_t *)gs_texture_get_obj(texture);
}

static void free_textures(bloom_filter *f)
{
    for (uint32_t i = 0; f->pass && i < f->effect->slot_count; i++)
        if (f->slots[i].name)
            f->shared->ag->forget(f->shared->device, f->slots[i].name);
    gs_texrender_destroy(f->codes);
    gs_texrender_destroy(f->linear);
    gs_texture_destroy(f->bloomed);
    f->codes = f->linear = NULL;
    f->bloomed = f->shown = NULL;
    f->drawable = false;
}

static bool make_textures(bloom_filter *f, uint32_t width, uint32_t height)
{
    if (f->bloomed && f->width == width && f->height == height)
        return true;
    free_textures(f);
    f->codes = gs_texrender_create(GS_RGBA, GS_ZS_NONE);
    f->linear = gs_texrender_create(GS_RGBA16F, GS_ZS_NONE);
    f->bloomed = gs_texture_create(width, height, GS_RGBA16F, 1, NULL, GS_RENDER_TARGET);
    f->width = width;
    f->height = height;
    f->version++; // GL reuses the names of deleted textures
    f->changed = true;
    return f->codes && f->linear && f->bloomed;
}

static ag_texture describe(const bloom_filter *f, gs_texture_t *texture)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .name = gl_name(texture),
                        .target = TEXTURE_2D,
                        .format = RGBA16F,
                        .width = (int32_t)f->width,
                        .height = (int32_t)f->height,
                        .version = f->version};
}

// A line in OBS's log for each new plan, with lengths and memory; for other settings one that OBS
// Studio leaves out, because sliders make many.
static void log_plan(bloom_filter *f, const ag_job *job)
{
    const ag_plan *plan;
    if (f->shared->ag->declare(f->pass, job, &plan) < 0)
        return;
    blog(plan->key != f->key ? LOG_INFO : LOG_DEBUG, "[afterglow] '%s' is prepared: %s",
         obs_source_get_name(f->source), plan->text);
    f->key = plan->key;
}

// linear -> bloomed. False: bloomed has no picture.
static bool bloom(bloom_filter *f)
{
    const ag_api *ag = f->shared->ag;
    f->slots[f->src] = describe(f, gs_texrender_get_texture(f->linear));
    f->slots[f->dst] = describe(f, f->bloomed);
    ag_job job = {.struct_size = sizeof job,
                  // OBS keeps in mind which program and textures it has bound. And it must not miss
                  // frames while the driver compiles.
                  .flags = AG_JOB_RESTORE | AG_JOB_BACKGROUND,
                  .slots = f->slots,
                  .slot_count = f->effect->slot_count,
                  .settings = f->wanted,
                  .frame = f->frame,
                  .next_use = AG_USE_SAMPLE};
    ag->frame(f->shared->device, f->frame++);
    ag_status status = ag->prepare(f->pass, &job);
    if (status == AG_PENDING) {
        if (!f->drawable)
            return false;
        job.settings = f->drawn; // the former plan serves meanwhile
    } else if (status < 0) {
        return false; // the log has the reason
    } else if (f->changed) {
        memcpy(f->drawn, f->wanted, f->effect->settings_size);
        f->changed = false;
        f->drawable = true;
        log_plan(f, &job);
    }
    return ag->execute(f->pass, &job, NULL) >= 0;
}

// ---- drawing -----------------------------------------------------------------------------------

static void draw_target(obs_source_t *filter, obs_source_t *target)
{
    obs_source_t *parent = obs_filter_get_parent(filter);
    uint32_t flags = obs_source_get_output_flags(target);
    if (target == parent && !(flags & (OBS_SOURCE_CUSTOM_DRAW | OBS_SOURCE_ASYNC)))
        obs_source_default_render(target);
    else
        obs_source_video_render(target);
}

static bool begin(gs_texrender_t *texture, uint32_t width, uint32_t height,
                  enum gs_color_space space)
{
    struct vec4 black;
    vec4_zero(&black);
    gs_texrender_reset(texture);
    if (!gs_texrender_begin_with_color_space(texture, width, height, space))
        return false;
    gs_clear(GS_CLEAR_COLOR, &black, 0, 0);
    gs_ortho(0, (float)width, 0, (float)height, -100, 100);
    return true;
}

static void draw_texture(const bloom_filter *f, gs_texture_t *texture)
{
    gs_effect_t *effect = obs_get_base_effect(OBS_EFFECT_DEFAULT);
    gs_effect_set_texture(gs_effect_get_param_by_name(effect, "image"), texture);
    while (gs_effect_loop(effect, "Draw"))
        gs_draw_sprite(texture, 0, f->width, f->height);
}

// target -> linear -> bloomed -> shown, or NULL
static gs_texture_t *render(bloom_filter *f, obs_source_t *target, enum gs_color_space space)
{
    bool sdr = space == GS_CS_SRGB;
    gs_texrender_t *first = sdr ? f->codes : f->linear;
    if (!begin(first, f->width, f->height, space))
        return NULL;
    bool former = gs_set_linear_srgb(true);
    draw_target(f->source, target);
    gs_set_linear_srgb(former);
    gs_texrender_end(first);
    if (sdr) {
        if (!begin(f->linear, f->width, f->height, GS_CS_SRGB_16F))
            return NULL;
        curve_expand(f->curve, gs_texrender_get_texture(f->codes), f->highlights);
        gs_texrender_end(f->linear);
    }
    if (!bloom(f))
        return NULL;
    if (!sdr)
        return f->bloomed;
    if (!begin(f->linear, f->width, f->height, GS_CS_SRGB_16F))
        return NULL;
    curve_compress(f->curve, f->bloomed, f->highlights);
    gs_texrender_end(f->linear);
    return gs_texrender_get_texture(f->linear);
}

// The space that the target's frame is in.
static enum gs_color_space space_of(obs_source_t *target)
{
    static const enum gs_color_space spaces[] = {GS_CS_SRGB, GS_CS_SRGB_16F, GS_CS_709_EXTENDED};
    return obs_source_get_color_space(target, sizeof spaces / sizeof *spaces, spaces);
}

static void video_render(void *data, gs_effect_t *effect)
{
    bloom_filter *f = data;
    obs_source_t *target = obs_filter_get_target(f->source);
    uint32_t width = target ? obs_source_get_base_width(target) : 0;
    uint32_t height = target ? obs_source_get_base_height(target) : 0;
    (void)effect;
    if (!f->pass || !f->curve || !width || !height || !obs_filter_get_parent(f->source)) {
        obs_source_skip_video_filter(f->source);
        return;
    }
    if (!f->shown && make_textures(f, width, height)) {
        gs_blend_state_push();
        gs_blend_function(GS_BLEND_ONE, GS_BLEND_ZERO);
        f->shown = render(f, target, space_of(target));
        gs_blend_state_pop();
    }
    if (!f->shown) {
        obs_source_skip_video_filter(f->source);
        return;
    }
    // Linear light: an 8-bit target encodes it, one of floats takes it as it is.
    bool former = gs_framebuffer_srgb_enabled();
    gs_enable_framebuffer_srgb(true);
    gs_blend_state_push();
    gs_blend_function(GS_BLEND_ONE, GS_BLEND_INVSRCALPHA);
    draw_texture(f, f->shown);
    gs_blend_state_pop();
    gs_enable_framebuffer_srgb(former);
}

static void video_tick(void *data, float seconds)
{
    bloom_filter *f = data;
    (void)seconds;
    f->shown = NULL;
}

static enum gs_color_space video_get_color_space(void *data, size_t count,
                                                 const enum gs_color_space *preferred)
{
    bloom_filter *f = data;
    obs_source_t *target = obs_filter_get_target(f->source);
    (void)count;
    (void)preferred;
    return target ? space_of(target) : GS_CS_SRGB;
}

// ---- the source --------------------------------------------------------------------------------

static const ag_effect_info *bloom_info(void)
{
    char why[MODULE_WHY];
    return module_effect(module_open(why), "bloom", why); // the plugin was loaded, so it is there
}

static const char *get_name(void *unused)
{
    (void)unused;
    return "Afterglow bloom";
}

// OBS calls it on its graphics thread, between frames.
static void update(void *data, obs_data_t *settings)
{
    char why[MODULE_WHY];
    bloom_filter *f = data;
    properties_read(module_open(why), f->effect, settings, f->wanted);
    f->highlights = (float)obs_data_get_double(settings, CURVE_SETTING);
    f->changed = true;
}

static void *create(obs_data_t *settings, obs_source_t *source)
{
    bloom_filter *f = bzalloc(sizeof *f);
    f->source = source;
    f->effect = bloom_info();
    f->wanted = bzalloc(f->effect->settings_size);
    f->drawn = bzalloc(f->effect->settings_size);
    f->slots = bzalloc(f->effect->slot_count * sizeof *f->slots);
    module_is_filter(f->effect, &f->src, &f->dst);
    obs_enter_graphics();
    f->shared = device_acquire();
    if (f->shared && f->shared->ag->pass_create(f->shared->device, "bloom", &f->pass) < 0)
        f->pass = NULL; // the log has the reason
    f->curve = curve_create();
    obs_leave_graphics();
    update(f, settings);
    return f;
}

static void destroy(void *data)
{
    bloom_filter *f = data;
    obs_enter_graphics();
    free_textures(f);
    gs_effect_destroy(f->curve);
    if (f->shared) {
        f->shared->ag->pass_destroy(f->pass);
        device_release();
    }
    obs_leave_graphics();
    bfree(f->slots);
    bfree(f->drawn);
    bfree(f->wanted);
    bfree(f);
}

static obs_properties_t *get_properties(void *data)
{
    obs_properties_t *properties = obs_properties_create();
    (void)data;
    obs_property_t *highlights =
        obs_properties_add_float_slider(properties, CURVE_SETTING, "Highlights", 1, CURVE_MOST, 1);
    obs_property_set_long_description(
        highlights, "How bright white was before it was cut at 1; not for HDR sources");
    properties_add(bloom_info(), properties);
    return properties;
}

static void get_defaults(obs_data_t *settings)
{
    char why[MODULE_WHY];
    obs_data_set_default_double(settings, CURVE_SETTING, CURVE_DEFAULT);
    properties_defaults(module_open(why), bloom_info(), settings);
}

struct obs_source_info afterglow_bloom = {
    .id = "afterglow_bloom",
    .type = OBS_SOURCE_TYPE_FILTER,
    .output_flags = OBS_SOURCE_VIDEO | OBS_SOURCE_SRGB,
    .get_name = get_name,
    .create = create,
    .destroy = destroy,
    .update = update,
    .get_defaults = get_defaults,
    .get_properties = get_properties,
    .video_tick = video_tick,
    .video_render = video_render,
    .video_get_color_space = video_get_color_space,
};
