// render.c - a host of libobs without a window: a picture as a source, with the filter, read back
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. It links libobs, which is under the GNU GPL, version 2
// or later; the program is for tests and is not installed.
//
//   afterglow_obs_render PLUGIN STEP...
//
//   KIND,WIDTH,HEIGHT,FILE  the source's picture from now on. KIND is srgb (8-bit RGBA; the source
//                           draws as OBS asks it to), codes (the same; it draws codes whatever OBS
//                           asks for) or hdr (half floats, linear, in OBS's space for HDR)
//   NAME=VALUE              changes a setting of the filter
//   render=FILE             writes what OBS draws: 8-bit RGBA, or half floats of hdr
//   properties              prints the filter's properties and their ranges
//   unfiltered              the filter is not going to work: do not wait until it does
//
// The log goes to stderr. Fails if OBS counts an allocation that was not freed.
#include <obs.h>

#include <graphics/graphics.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <util/platform.h>
#include <util/threading.h>

static struct {
    enum { SRGB, CODES, HDR } kind;
    uint32_t width, height;
    gs_texture_t *texture;
} picture;

static volatile long prepared; // how often the filter said so
static volatile long ticks;    // of OBS's own thread, which hands settings to filters
static bool unfiltered;

static void print_log(int level, const char *format, va_list values, void *unused)
{
    char text[4096];
    (void)unused;
    vsnprintf(text, sizeof text, format, values);
    fprintf(stderr, "%s: %s\n",
            level <= LOG_ERROR     ? "error"
            : level <= LOG_WARNING ? "warning"
            : level <= LOG_INFO    ? "info"
                                   : "debug",
            text);
    if (strstr(text, " is prepared: "))
        os_atomic_inc_long(&prepared);
}

static void count_tick(void *unused, float seconds)
{
    (void)unused;
    (void)seconds;
    os_atomic_inc_long(&ticks);
}

static void wait_ticks(void)
{
    for (long before = os_atomic_load_long(&ticks); os_atomic_load_long(&ticks) < before + 3;)
        os_sleep_ms(5);
}

static void quit(const char *what, const char *which)
{
    fprintf(stderr, "afterglow_obs_render: %s %s\n", what, which);
    exit(2);
}

// ---- the source --------------------------------------------------------------------------------

static const char *get_name(void *unused)
{
    (void)unused;
    return "picture";
}

static void *create(obs_data_t *settings, obs_source_t *source)
{
    (void)settings;
    return source;
}

static void destroy(void *data)
{
    (void)data;
}

static uint32_t get_width(void *data)
{
    (void)data;
    return picture.width;
}

static uint32_t get_height(void *data)
{
    (void)data;
    return picture.height;
}

static enum gs_color_space get_space(void *data, size_t count, const enum gs_color_space *spaces)
{
    (void)data;
    (void)count;
    (void)spaces;
    return picture.kind == HDR ? GS_CS_709_EXTENDED : GS_CS_SRGB;
}

static void render(void *data, gs_effect_t *unused)
{
    gs_effect_t *effect = obs_get_base_effect(OBS_EFFECT_DEFAULT);
    gs_eparam_t *image = gs_effect_get_param_by_name(effect, "image");
    bool linear = picture.kind != CODES && gs_get_linear_srgb();
    bool former = gs_framebuffer_srgb_enabled();
    (void)data;
    (void)unused;
    gs_enable_framebuffer_srgb(linear);
    if (linear && picture.kind == SRGB)
        gs_effect_set_texture_srgb(image, picture.texture);
    else
        gs_effect_set_texture(image, picture.texture);
    gs_blend_state_push();
    gs_blend_function(GS_BLEND_ONE, GS_BLEND_INVSRCALPHA);
    while (gs_effect_loop(effect, "Draw"))
        gs_draw_sprite(picture.texture, 0, picture.width, picture.height);
    gs_blend_state_pop();
    gs_enable_framebuffer_srgb(former);
}

static struct obs_source_info info = {.type = OBS_SOURCE_TYPE_INPUT,
                                      .get_name = get_name,
                                      .create = create,
                                      .destroy = destroy,
                                      .get_width = get_width,
                                      .get_height = get_height,
                                      .video_render = render,
                                      .video_get_color_space = get_space};

static void load_picture(const char *step)
{
    char kind[8], path[512];
    unsigned width, height;
    if (sscanf(step, "%7[a-z],%u,%u,%511s", kind, &width, &height, path) != 4)
        quit("cannot read", step);
    picture.kind = strcmp(kind, "hdr") == 0 ? HDR : strcmp(kind, "codes") == 0 ? CODES : SRGB;
    picture.width = width;
    picture.height = height;
    size_t bytes = (size_t)width * height * (picture.kind == HDR ? 8 : 4);
    uint8_t *texels = malloc(bytes);
    FILE *file = fopen(path, "rb");
    if (!texels || !file || fread(texels, 1, bytes, file) != bytes)
        quit("cannot read", path);
    fclose(file);
    obs_enter_graphics();
    gs_texture_destroy(picture.texture);
    picture.texture = gs_texture_create(width, height, picture.kind == HDR ? GS_RGBA16F : GS_RGBA,
                                        1, (const uint8_t **)&texels, 0);
    obs_leave_graphics();
    free(texels);
}

// ---- what OBS draws ----------------------------------------------------------------------------

// Draws the source with its filter; writes the result if there is a file for it.
static void draw(obs_source_t *source, const char *path)
{
    enum gs_color_format format = picture.kind == HDR ? GS_RGBA16F : GS_RGBA;
    size_t row = picture.width * (picture.kind == HDR ? 8u : 4u);
    obs_enter_graphics();
    gs_texrender_t *target = gs_texrender_create(format, GS_ZS_NONE);
    struct vec4 black;
    vec4_zero(&black);
    gs_texrender_begin_with_color_space(target, picture.width, picture.height,
                                        picture.kind == HDR ? GS_CS_709_EXTENDED : GS_CS_SRGB);
    gs_clear(GS_CLEAR_COLOR, &black, 0, 0);
    gs_ortho(0, (float)picture.width, 0, (float)picture.height, -100, 100);
    gs_blend_state_push();
    gs_blend_function(GS_BLEND_ONE, GS_BLEND_ZERO);
    bool former = gs_set_linear_srgb(true);
    obs_source_video_render(source);
    gs_set_linear_srgb(former);
    gs_blend_state_pop();
    gs_texrender_end(target);
    if (path) {
        gs_stagesurf_t *stage = gs_stagesurface_create(picture.width, picture.height, format);
        uint8_t *data = NULL;
        uint32_t stride = 0;
        FILE *file = fopen(path, "wb");
        gs_stage_texture(stage, gs_texrender_get_texture(target));
        if (!file || !gs_stagesurface_map(stage, &data, &stride))
            quit("cannot write", path);
        for (uint32_t y = 0; y < picture.height; y++)
            fwrite(data + (size_t)y * stride, 1, row, file);
        gs_stagesurface_unmap(stage);
        gs_stagesurface_destroy(stage);
        fclose(file);
    }
    gs_texrender_destroy(target);
    obs_leave_graphics();
}

// Draws frames until the filter has prepared what changed.
static void wait_for(obs_source_t *source, long before)
{
    for (int i = 0; !unfiltered && os_atomic_load_long(&prepared) == before; i++) {
        if (i > 12000)
            quit("the filter was not prepared", "in 120 s");
        draw(source, NULL);
        os_sleep_ms(10);
    }
}

static void set(obs_source_t *filter, const char *step)
{
    char name[64], value[64], *end;
    if (sscanf(step, "%63[^=]=%63s", name, value) != 2)
        quit("cannot read", step);
    obs_data_t *data = obs_data_create();
    double number = strtod(value, &end);
    if (*end == '\0')
        obs_data_set_double(data, name, number);
    else
        obs_data_set_string(data, name, value);
    obs_source_update(filter, data);
    obs_data_release(data);
    wait_ticks();
}

static void print_properties(obs_source_t *filter)
{
    obs_properties_t *properties = obs_source_properties(filter);
    for (obs_property_t *p = obs_properties_first(properties); p; obs_property_next(&p)) {
        fprintf(stderr, "property %s", obs_property_name(p));
        if (obs_property_get_type(p) == OBS_PROPERTY_FLOAT)
            fprintf(stderr, " float %.9g %.9g", obs_property_float_min(p),
                    obs_property_float_max(p));
        else if (obs_property_get_type(p) == OBS_PROPERTY_INT)
            fprintf(stderr, " int %d %d", obs_property_int_min(p), obs_property_int_max(p));
        else if (obs_property_get_type(p) == OBS_PROPERTY_COLOR)
            fprintf(stderr, " color");
        else if (obs_property_get_type(p) == OBS_PROPERTY_LIST)
            for (size_t i = 0; i < obs_property_list_item_count(p); i++)
                fprintf(stderr, " %s", obs_property_list_item_string(p, i));
        fputc('\n', stderr);
    }
    obs_properties_destroy(properties);
}

int main(int argc, char **argv)
{
    base_set_log_handler(print_log, NULL);
    if (argc < 3 || !obs_startup("en-US", NULL, NULL))
        quit("usage:", "afterglow_obs_render PLUGIN STEP...");
    struct obs_video_info video = {.graphics_module = "libobs-opengl",
                                   .fps_num = 60,
                                   .fps_den = 1,
                                   .base_width = 64,
                                   .base_height = 64,
                                   .output_width = 64,
                                   .output_height = 64,
                                   .output_format = VIDEO_FORMAT_RGBA,
                                   .colorspace = VIDEO_CS_709,
                                   .range = VIDEO_RANGE_FULL,
                                   .gpu_conversion = true};
    if (obs_reset_video(&video) != OBS_VIDEO_SUCCESS)
        quit("no video:", "OBS needs a display, e.g. of xvfb-run");
    obs_add_tick_callback(count_tick, NULL);
    obs_module_t *module = NULL;
    bool loaded =
        obs_open_module(&module, argv[1], NULL) == MODULE_SUCCESS && obs_init_module(module);
    // Two sources, because a source's flags are those of its kind.
    obs_source_t *sources[2], *filters[2];
    for (int coded = 0; coded < 2; coded++) {
        info.id = coded ? "codes" : "picture";
        info.output_flags =
            OBS_SOURCE_VIDEO | OBS_SOURCE_CUSTOM_DRAW | (coded ? 0 : OBS_SOURCE_SRGB);
        obs_register_source(&info);
        sources[coded] = obs_source_create_private(info.id, info.id, NULL);
        filters[coded] =
            loaded ? obs_source_create_private("afterglow_bloom", "bloom", NULL) : NULL;
        if (filters[coded])
            obs_source_filter_add(sources[coded], filters[coded]);
        obs_source_inc_showing(sources[coded]); // so that it ticks
    }
    for (int i = 2; i < argc; i++) {
        obs_source_t *source = sources[picture.kind == CODES],
                     *filter = filters[picture.kind == CODES];
        long before = os_atomic_load_long(&prepared);
        if (strcmp(argv[i], "unfiltered") == 0) {
            unfiltered = true;
        } else if (strcmp(argv[i], "properties") == 0) {
            print_properties(filter);
        } else if (strncmp(argv[i], "render=", 7) == 0) {
            draw(source, argv[i] + 7);
        } else if (strchr(argv[i], ',')) {
            load_picture(argv[i]);
            wait_ticks(); // a source that has not ticked yet may draw nothing
            wait_for(sources[picture.kind == CODES], before);
        } else {
            set(filter, argv[i]);
            wait_for(source, before);
        }
    }
    for (int coded = 0; coded < 2; coded++) {
        obs_source_dec_showing(sources[coded]);
        obs_source_release(filters[coded]);
        obs_source_release(sources[coded]);
    }
    obs_remove_tick_callback(count_tick, NULL);
    obs_enter_graphics();
    gs_texture_destroy(picture.texture);
    obs_leave_graphics();
    obs_shutdown();
    long leaks = bnum_allocs();
    fprintf(stderr, "allocations that were not freed: %ld\n", leaks);
    return leaks ? 1 : 0;
}
