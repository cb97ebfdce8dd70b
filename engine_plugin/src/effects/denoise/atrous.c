// atrous.c - the filter "atrous" of "denoise": edge-avoiding a-trous wavelets
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/tables.h"

enum {
    SRC = AG_DENOISE_SRC,
    DST = AG_DENOISE_DST,
    ALBEDO = AG_DENOISE_ALBEDO,
    NORMAL = AG_DENOISE_NORMAL,
    DEPTH = AG_DENOISE_DEPTH
};

typedef struct atrous {
    ag_shader *begin, *counter, *level, *last;
    ag_picture colours[3]; // [0]: from begin to the end; the others by turns
    ag_picture guides;
    bool guided;
} atrous;

// Halves are as exact as the formats that need no more, but for logarithms.
static const ag_format *format_of(const ag_denoise *n)
{
    bool wide = n->request->formats[SRC]->store == AG_STORE_32F ||
                n->request->formats[DST]->store == AG_STORE_32F || n->s.space == AG_DENOISE_LOG;
    return ag_format_find(wide ? GL_RGBA32F : GL_RGBA16F);
}

// ---- shaders -----------------------------------------------------------------------------------

// Of shaders that filter channels as they are, in a scale.
static void define_scale(ag_shader *shader, int32_t space)
{
    ag_shader_define(shader, "SPACE", space);
    ag_shader_define(shader, "CURVE", 0);
    ag_shader_define(shader, "COLOUR", 0);
    ag_shader_define(shader, "COMPONENTS", 3);
}

static ag_shader *begin_shader(const ag_denoise *n, const ag_format *format)
{
    const ag_format *const *slots = n->request->formats;
    ag_shader *shader = ag_frame_shader(n->f, "denoise/begin.comp");
    ag_shader_reads_picture(shader, &n->src);
    define_scale(shader, n->s.space);
    ag_shader_define(shader, "STORE", format->store);
    ag_shader_define(shader, "GUIDES", ag_denoise_guided(n->request));
    ag_shader_define_format(shader, "ALBEDO_FORMAT", slots[ALBEDO]);
    ag_shader_define_format(shader, "NORMAL_FORMAT", slots[NORMAL]);
    ag_shader_define_format(shader, "DEPTH_FORMAT", slots[DEPTH]);
    return shader;
}

// The next shader, which reads what another one stored, as src is read.
static ag_shader *reading_shader(const ag_denoise *n, const char *path, const ag_format *format)
{
    ag_shader *shader = ag_frame_shader(n->f, path);
    ag_shader_reads_picture(shader, &(ag_picture){.format = format, .reading = n->src.reading});
    return shader;
}

// Sigma of what begin stored, which is in the chosen scale already.
static ag_shader *counter_shader(const ag_denoise *n, const ag_format *format)
{
    int32_t channels = n->request->formats[SRC]->channels;
    ag_shader *shader = reading_shader(n, "denoise/statistics.comp", format);
    ag_denoise_define(n, shader, AG_DENOISE_LINEAR, channels < 3 ? channels : 3);
    ag_shader_define(shader, "LEVELS", 3);
    ag_shader_define(shader, "TILE", AG_DENOISE_TILE);
    ag_shader_define(shader, "STATISTICS", AG_DENOISE_SIGMAS);
    return shader;
}

static ag_shader *level_shader(const ag_denoise *n, const ag_format *format, bool last)
{
    const ag_format *const *slots = n->request->formats;
    ag_shader *shader = reading_shader(n, "denoise/atrous.comp", format);
    define_scale(shader, last ? n->s.space : AG_DENOISE_LINEAR);
    ag_shader_define(shader, "STORE", last ? slots[DST]->store : format->store);
    ag_shader_define(shader, "LAST", last);
    ag_shader_define(shader, "GUIDES", ag_denoise_guided(n->request));
    ag_shader_define(shader, "HAS_NORMAL", slots[NORMAL] != NULL);
    ag_shader_define(shader, "HAS_DEPTH", slots[DEPTH] != NULL);
    if (last) {
        ag_shader_define_format(shader, "FIRST_FORMAT", format);
        ag_shader_define_format(shader, "ALBEDO_FORMAT", slots[ALBEDO]);
    }
    return shader;
}

// ---- dispatches --------------------------------------------------------------------------------

static ag_uniform corners(const ag_denoise *n, int32_t location, int first, int second)
{
    const ag_texture *a = &n->request->slots[first], *b = &n->request->slots[second];
    return (ag_uniform)AG_INTS(location, a->rect_x, a->rect_y, b->rect_x, b->rect_y);
}

static void read_slot(const ag_denoise *n, int slot, int32_t layer, ag_view *view)
{
    if (n->request->formats[slot])
        *view = ag_slot_view(slot, AG_READ, layer);
}

static void begin(const ag_denoise *n, const atrous *a, int32_t layer)
{
    ag_uniform uniforms[7] = {[2] = ag_rect_uniform(AG_LOC_DST_RECT, &n->shape),
                              [3] = corners(n, AG_LOC_DENOISE_PLACES, NORMAL, DEPTH),
                              [4] = ag_denoise_space(n),
                              [5] = corners(n, AG_LOC_DENOISE_ALBEDO, ALBEDO, ALBEDO),
                              [6] = AG_FLOATS(AG_LOC_DENOISE_FIREFLY, n->s.firefly, 0, 0, 0)};
    ag_read_uniforms(uniforms, &n->src, n->src.format->channels, n->s.scrub, layer);
    ag_dispatch d = {.shader = a->begin,
                     .images[AG_IMAGE_DST] = ag_picture_view(&a->colours[0], AG_WRITE, 0),
                     .ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD),
                     AG_UNIFORMS(uniforms),
                     .groups = {ag_groups(n->shape.rect_width, 16),
                                ag_groups(n->shape.rect_height, 16), 1}};
    ag_dispatch_reads_picture(&d, &n->src, layer);
    if (a->guided)
        d.images[AG_IMAGE_GUIDE] = ag_picture_view(&a->guides, AG_WRITE, 0);
    read_slot(n, ALBEDO, layer, &d.images[AG_IMAGE_ALBEDO]);
    read_slot(n, NORMAL, layer, &d.images[AG_IMAGE_NORMAL]);
    read_slot(n, DEPTH, layer, &d.images[AG_IMAGE_DEPTH]);
    ag_frame_dispatch(n->f, &d);
}

static void count(const ag_denoise *n, const atrous *a)
{
    const ag_picture *src = &a->colours[0];
    const int32_t *every = ((const ag_denoise_design *)ag_frame_design(n->f))->haar.every;
    uint32_t across = ag_groups(n->shape.rect_width, AG_DENOISE_TILE * every[0]),
             down = ag_groups(n->shape.rect_height, AG_DENOISE_TILE * every[1]);
    ag_uniform uniforms[5] = {[2] = AG_FLOATS(AG_LOC_DENOISE_RULE, 1, 1, 1, 0),
                              [3] = AG_FLOATS(AG_LOC_DENOISE_STATISTICS, 1, (float)(across * down),
                                              (float)every[0], (float)every[1]),
                              // the noise of most texels
                              [4] = AG_INTS(AG_LOC_DENOISE_SETS, 0, 0, 50, 0)};
    ag_read_uniforms(uniforms, src, src->format->channels, false, 0);
    ag_dispatch d = {.shader = a->counter,
                     .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, AG_WRITE),
                     .ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD),
                     AG_UNIFORMS(uniforms),
                     .groups = {across, down, 1}};
    ag_dispatch_reads_picture(&d, src, 0);
    ag_frame_dispatch(n->f, &d);
}

static void filter(const ag_denoise *n, const atrous *a, int32_t layer, int32_t level)
{
    const ag_texture *t = &n->shape;
    bool last = level == n->s.levels - 1;
    int32_t stride = 1 << level;
    int32_t run = level < AG_ATROUS_MAX_RUN ? level : AG_ATROUS_MAX_RUN;
    const ag_picture *src = &a->colours[level == 0 ? 0 : 2 - level % 2],
                     *next = &a->colours[2 - (level + 1) % 2];
    float strength = n->s.strength > 1e-6f ? n->s.strength : 1e-6f;
    ag_uniform uniforms[7] = {[2] = ag_rect_uniform(AG_LOC_DST_RECT, n->dst.shape),
                              [3] = AG_INTS(AG_LOC_DENOISE_STRIDE, level, run, 0, 0),
                              [4] = AG_FLOATS(AG_LOC_DENOISE_EDGES, (float)stride / strength,
                                              n->s.sigma, n->s.edge_normal, 1 / n->s.edge_depth),
                              [5] = ag_denoise_space(n),
                              [6] = corners(n, AG_LOC_DENOISE_ALBEDO, ALBEDO, ALBEDO)};
    ag_read_uniforms(uniforms, src, src->format->channels, false, 0);
    // Tiles of the largest phase, which is the first, for each phase (in x: for runs of phases).
    int32_t wide = AG_ATROUS_TILE_X << (level - run), high = AG_ATROUS_TILE_Y << level;
    ag_dispatch d = {.shader = last ? a->last : a->level,
                     .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, AG_READ),
                     AG_UNIFORMS(uniforms),
                     .groups = {ag_groups(t->rect_width, wide) << (level - run),
                                ag_groups(t->rect_height, high) << level, 1}};
    ag_dispatch_reads_picture(&d, src, 0);
    if (a->guided)
        d.images[AG_IMAGE_GUIDE] = ag_picture_view(&a->guides, AG_READ, 0);
    if (last) {
        d.images[AG_IMAGE_DST] = ag_picture_view(&n->dst, AG_WRITE, layer);
        d.images[AG_IMAGE_FIRST] = ag_picture_view(&a->colours[0], AG_READ, 0);
        read_slot(n, ALBEDO, layer, &d.images[AG_IMAGE_ALBEDO]);
    } else {
        d.images[AG_IMAGE_DST] = ag_picture_view(next, AG_WRITE, 0);
    }
    ag_frame_dispatch(n->f, &d);
}

void ag_atrous_steps(const ag_denoise *n)
{
    static const char *const names[] = {"level 0", "levels 1, 3, 5", "levels 2, 4"};
    const ag_format *format = format_of(n);
    bool estimated = !(n->s.sigma > 0);
    atrous a = {.guided = ag_denoise_guided(n->request)};
    a.begin = begin_shader(n, format);
    if (estimated)
        a.counter = counter_shader(n, format);
    if (n->s.levels > 1)
        a.level = level_shader(n, format, false);
    a.last = level_shader(n, format, true);
    for (int i = 0; i < 3 && i < n->s.levels; ++i)
        a.colours[i] = ag_denoise_texture(n, names[i], format->name, true);
    if (a.guided)
        a.guides = ag_denoise_texture(n, "guides", GL_RG32UI, false);

    ag_frame_step(n->f, "atrous");
    for (int32_t layer = 0; layer < n->dst.shape->layers; ++layer) {
        begin(n, &a, layer);
        if (estimated)
            count(n, &a);
        for (int32_t l = 0; l < n->s.levels; ++l)
            filter(n, &a, layer, l);
    }
}
