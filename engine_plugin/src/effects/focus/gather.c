// gather.c - method = gather of depth_of_field: layers of half resolution, sampled on rings
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/focus/focus.h"
#include "effects/kit/checks.h"
#include "effects/kit/settings.h"
#include "effects/kit/textures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SRC = AG_DEPTH_OF_FIELD_SRC, DEPTH = AG_DEPTH_OF_FIELD_DEPTH, DST = AG_DEPTH_OF_FIELD_DST };

AG_SETTINGS_OF(ag_depth_of_field_settings)

// ---- the opening -------------------------------------------------------------------------------

#define PI 3.14159265358979

typedef struct opening { // a key: no padding
    int32_t blades;
    float roundness, rotation, squeeze;
} opening;

static opening opening_of(const ag_request *request)
{
    const ag_depth_of_field_settings s = settings_of(request);
    return (opening){s.blades, s.roundness, s.rotation, s.squeeze};
}

static double blade_of(const opening *o)
{
    return o->blades ? 2 * PI / o->blades : 0;
}

// How far it reaches at an angle, before the squeeze: shaders/focus/gather_opening.glsl.
static double edge_at(const opening *o, double angle)
{
    double part = blade_of(o), round = (double)o->roundness, straight = 1 - round;
    if (part <= 0)
        return 1;
    angle = (angle - (double)o->rotation * PI / 180) / part;
    double off = part * (angle - floor(angle) - 0.5);
    return (round + straight * cos(part / 2)) / (round + straight * cos(off));
}

static double reach_towards(const opening *o, double x, double y)
{
    double wide = x * (double)o->squeeze, d = hypot(x, y);
    return d > 0 ? edge_at(o, atan2(y, wide)) * d / hypot(wide, y) : 1;
}

// Of a radius of 1; and what the variance of an edge, across it, adds to any radius: along the
// radius the edge is wider by the slope of the opening's.
static void put_area(const opening *o, float *at)
{
    enum { STEPS = 1440 };
    double area = 0, edge = 0, step = 1e-6;
    for (int i = 0; i < STEPS; ++i) {
        double angle = 2 * PI * (i + 0.5) / STEPS, next = angle + step;
        double reach = reach_towards(o, cos(angle), sin(angle));
        double slope = (reach_towards(o, cos(next), sin(next)) / reach - 1) / step;
        area += reach * reach;
        edge += 1 + slope * slope;
    }
    at[0] = (float)(PI * area / STEPS);
    at[1] = (float)(PI * edge / STEPS);
}

// A middle and `rings` rings of 4, 8 ... samples, `wide` apart, of a radius of 1: ring k has its
// samples at the root mean square of its edges, (k - 1/2) wide and (k + 1/2) wide.
static void put_samples(const opening *o, int rings, float (*at)[4])
{
    double wide = 1 / (rings + 0.5);
    (*at)[2] = 0.25f;
    ++at;
    for (int k = 1; k <= rings; ++k) {
        double rho = wide * sqrt(k * k + 0.25), square = 0, turn = (k % 2) * 0.5 + 0.25 * (k - 1);
        for (int i = 0; i < 4 * k; ++i)
            square += pow(edge_at(o, 2 * PI * (i + turn) / (4 * k)), 2) / (4 * k);
        for (int i = 0; i < 4 * k; ++i, ++at) {
            double angle = 2 * PI * (i + turn) / (4 * k), edge = edge_at(o, angle);
            (*at)[0] = (float)(rho * edge * cos(angle) / (double)o->squeeze);
            (*at)[1] = (float)(rho * edge * sin(angle));
            (*at)[2] = (float)(edge * edge / square / 2);
            (*at)[3] = (float)k;
        }
    }
}

typedef struct place { // of the window
    int x, y;
    double from; // the radius from which on a disc reaches it, less that of its edge
} place;

static int by_radius(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->y != q->y ? p->y - q->y : p->x - q->x;
}

// How much of a disc of radius r falls on the place (x, y).
static double part_at(const opening *o, int x, int y, double r)
{
    double smooth = sqrt(fmax(r * r, 0.25) - 0.2); // of a disc with an edge one texel wide
    return fmin(fmax(smooth * reach_towards(o, x, y) - hypot(x, y) + 0.5, 0), 1);
}

static void put_window(const opening *o, float (*at)[4], float (*radii)[4])
{
    enum { REACH = AG_GATHER_REACH };
    place window[AG_GATHER_WINDOW];
    int count = 0;
    for (int y = -REACH; y <= REACH; ++y)
        for (int x = -REACH; x <= REACH; ++x) {
            double d = hypot(x, y), widest = fmax(reach_towards(o, x, y), reach_towards(o, -x, -y));
            if (d < 3.7)
                window[count++] = (place){x, y, (d - 0.5) / widest};
        }
    qsort(window, AG_GATHER_WINDOW, sizeof *window, by_radius);
    for (int i = 0; i < AG_GATHER_WINDOW; ++i) {
        const place *p = &window[i];
        at[i][0] = (float)reach_towards(o, p->x, p->y);
        at[i][1] = (float)reach_towards(o, -p->x, -p->y);
        at[i][2] = (float)(0.5 - hypot(p->x, p->y));
        at[i][3] = (float)(p->y * AG_GATHER_APRON + p->x);
    }
    for (int i = 0; i < AG_GATHER_STEPS; ++i) {
        double r = i / 8.0, area = 0;
        int used = 0;
        for (int y = -REACH - 1; y <= REACH + 1; ++y)
            for (int x = -REACH - 1; x <= REACH + 1; ++x)
                area += part_at(o, x, y, r);
        while (used < AG_GATHER_WINDOW && window[used].from < sqrt(fmax(r * r, 0.25) - 0.2))
            ++used;
        radii[i][0] = (float)(1 / area);
        radii[i][1] = (float)used;
    }
}

static void fill_opening(const void *context, void *bytes)
{
    const opening *o = context;
    float(*values)[4] = bytes;
    memset(bytes, 0, 16 * AG_GATHER_VALUES);
    put_window(o, values, values + AG_GATHER_AT_RADII);
    put_samples(o, 2, values + AG_GATHER_AT_FEW);
    put_samples(o, 3, values + AG_GATHER_AT_MANY);
    put_area(o, values[AG_GATHER_AT_AREA]);
}

// ---- frame -------------------------------------------------------------------------------------

enum { OUTPUTS = 11 }; // of split: six images, five blocks

bool ag_gather_fits(const ag_gl *gl)
{
    return gl->max_outputs >= OUTPUTS;
}

ag_status ag_gather_design(const ag_host *host, const ag_gl *gl, const ag_request *request)
{
    enum { LAYERS = 1024 }; // two each, of the 2048 that GL 4.3 has at least
    const ag_texture *src = &request->slots[SRC];
    if (!ag_gather_fits(gl))
        return ag_fail(host, AG_E_ARG,
                       "depth_of_field: method = gather has a program of %d images and storage "
                       "blocks; this context allows %d: set auto or tables",
                       OUTPUTS, gl->max_outputs);
    if (src->layers > LAYERS)
        return ag_fail(host, AG_E_SIZE, "depth_of_field: src has %d layers; the limit is %d",
                       src->layers, LAYERS);
    return ag_check_block(host, gl, request, SRC,
                          (int64_t)ag_focus_tiles(src).bytes * AG_GATHER_LAMPS);
}

typedef struct gather {
    ag_focus_grid grid;
    ag_handle layers, radii, blurred, tiles[2], lamps, work, opening;
    ag_block focus;
    ag_shader *split, *spread[2], *blur, *compose;
} gather;

// `wide`: texels a tile.
static ag_handle half_texture(ag_frame *f, const gather *c, const char *name, GLenum format,
                              int32_t wide)
{
    return ag_own_memory(f, &(ag_own){.name = name,
                                      .format = format,
                                      .width = c->grid.across * wide,
                                      .height = c->grid.down * AG_FOCUS_TILE / 2,
                                      .layers = 2 * ag_frame_request(f)->slots[SRC].layers,
                                      .target = GL_TEXTURE_2D_ARRAY,
                                      .filtered = true});
}

// Texels of a tile: of both layers with all levels; of both blurred ones; of the fill.
enum { LAYER_TEXELS = 2 * (64 + 16 + 4 + 1), BLURRED_TEXELS = 2 * 64, FILL_TEXELS = 16 + 4 };

// All layers; of a tile so many bytes move.
static ag_view whole(const gather *c, ag_handle of, uint32_t access, GLenum format, uint64_t bytes)
{
    return (ag_view){.of = of,
                     .access = access,
                     .format = format,
                     .layered = true,
                     .bytes = bytes * (uint64_t)c->grid.across * (uint64_t)c->grid.down};
}

// Of lamps, few tiles have any: one of eight moves.
static ag_block lamps_of(const gather *c, uint32_t access)
{
    return (ag_block){.of = c->lamps, .access = access, .moves = c->grid.bytes};
}

static uint64_t work_bytes(const ag_focus_grid *grid)
{
    return 4 * (AG_GATHER_WORK_HEAD + 3 * (uint64_t)grid->tiles);
}

// That share a list.
static uint32_t work_groups(uint32_t entries)
{
    return entries < AG_GATHER_GROUPS ? entries : AG_GATHER_GROUPS;
}

static ag_uniform layer_uniform(const ag_request *request, int32_t layer)
{
    return (ag_uniform)AG_INTS(AG_LOC_GATHER_LAYER, 2 * layer,
                               ag_float_bits(settings_of(request).max_radius), 0, 0);
}

static void split(ag_frame *f, const gather *c, int32_t layer)
{
    const ag_request *request = ag_frame_request(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    ag_uniform uniforms[5 + AG_LENS_UNIFORMS] = {
        [2] = ag_focus_tile_uniform(request, &c->grid, layer),
        [3] = layer_uniform(request, layer),
        [4] = ag_rect_uniform(AG_LOC_DST_RECT, &request->slots[DST]),
    };
    ag_read_uniforms(uniforms, &src, 4, settings_of(request).scrub, layer);
    ag_lens_uniforms(uniforms + 5, request, layer);
    ag_view dst = ag_slot_view(DST, AG_WRITE, layer);
    dst.bytes = 1; // a tile moves once, here or in compose, where all are counted
    ag_dispatch d = {.shader = c->split,
                     .images[AG_IMAGE_SRC] = ag_picture_view(&src, AG_READ, layer),
                     .images[AG_IMAGE_GATHER_LAYERS] =
                         whole(c, c->layers, AG_WRITE, GL_RG32UI, 8 * (LAYER_TEXELS + FILL_TEXELS)),
                     .images[AG_IMAGE_GATHER_RADII] =
                         whole(c, c->radii, AG_WRITE, GL_R16UI, 2 * LAYER_TEXELS),
                     .images[AG_IMAGE_GATHER_BLURRED] =
                         whole(c, c->blurred, AG_WRITE, GL_RG32UI, 8 * BLURRED_TEXELS),
                     .images[AG_IMAGE_DST] = dst,
                     .ranges[AG_SSBO_GATHER_WORK] = ag_all(c->work, AG_WRITE),
                     .ranges[AG_SSBO_FOCUS_TILES] = ag_all(c->tiles[0], AG_WRITE),
                     .ranges[AG_SSBO_GATHER_LAMPS] = lamps_of(c, AG_WRITE),
                     .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
                     AG_UNIFORMS(uniforms),
                     .groups = {(uint32_t)c->grid.across, (uint32_t)c->grid.down, 1}};
    ag_focus_bind_depth(f, layer, c->focus, &d);
    ag_frame_dispatch(f, &d);
}

static void blur(ag_frame *f, const gather *c, int32_t layer)
{
    const ag_request *request = ag_frame_request(f);
    const ag_uniform uniforms[] = {ag_focus_tile_uniform(request, &c->grid, layer),
                                   layer_uniform(request, layer)};
    ag_frame_dispatch(
        f, &(ag_dispatch){.shader = c->blur,
                          .images[AG_IMAGE_GATHER_BLURRED] =
                              whole(c, c->blurred, AG_WRITE, GL_RG32UI, 8 * BLURRED_TEXELS),
                          .textures[AG_TEXTURE_GATHER_LAYERS] =
                              whole(c, c->layers, AG_READ, 0, 8 * LAYER_TEXELS),
                          .textures[AG_TEXTURE_GATHER_RADII] =
                              whole(c, c->radii, AG_READ, 0, 2 * LAYER_TEXELS),
                          .ranges[AG_SSBO_FOCUS_TILES] = ag_all(c->tiles[0], AG_READ),
                          .ranges[AG_SSBO_GATHER_OPENING] = ag_all(c->opening, AG_READ),
                          .ranges[AG_SSBO_GATHER_WORK] = ag_all(c->work, AG_READ),
                          AG_UNIFORMS(uniforms),
                          .groups = {work_groups(2 * c->grid.tiles), 1, 1}});
}

static void compose(ag_frame *f, const gather *c, int32_t layer)
{
    const ag_request *request = ag_frame_request(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    const opening o = opening_of(request);
    ag_uniform uniforms[6 + AG_LENS_UNIFORMS] = {
        [2] = ag_rect_uniform(AG_LOC_DST_RECT, &request->slots[DST]),
        [3] = ag_focus_tile_uniform(request, &c->grid, layer),
        [4] = layer_uniform(request, layer),
        [5] = AG_FLOATS(AG_LOC_GATHER_OPENING, (float)blade_of(&o), o.roundness,
                        (float)((double)o.rotation * PI / 180), o.squeeze),
    };
    ag_read_uniforms(uniforms, &src, 4, settings_of(request).scrub, layer);
    ag_lens_uniforms(uniforms + 6, request, layer);
    ag_dispatch d = {
        .shader = c->compose,
        .images[AG_IMAGE_SRC] = ag_picture_view(&src, AG_READ, layer),
        .images[AG_IMAGE_DST] = ag_slot_view(DST, AG_WRITE, layer),
        .textures[AG_TEXTURE_GATHER_LAYERS] = whole(c, c->layers, AG_READ, 0, 8 * FILL_TEXELS),
        .textures[AG_TEXTURE_GATHER_BLURRED] = whole(c, c->blurred, AG_READ, 0, 8 * BLURRED_TEXELS),
        .ranges[AG_SSBO_FOCUS_TILES] = ag_all(c->tiles[0], AG_READ),
        .ranges[AG_SSBO_GATHER_LAMPS] = lamps_of(c, AG_READ),
        .ranges[AG_SSBO_GATHER_OPENING] = ag_all(c->opening, AG_READ),
        .ranges[AG_SSBO_GATHER_WORK] = ag_all(c->work, AG_READ),
        AG_UNIFORMS(uniforms),
        .groups = {work_groups(c->grid.tiles), 1, 1}};
    ag_focus_bind_depth(f, layer, c->focus, &d);
    ag_frame_dispatch(f, &d);
}

void ag_gather_frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *src = &request->slots[SRC];
    const ag_format *format = request->formats[SRC];
    const opening o = opening_of(request);
    ag_frame_text(f, "depth_of_field: %dx%d, gather; near and far layer at half resolution, ",
                  src->rect_width, src->rect_height);
    if (o.blades)
        ag_frame_text(f, "%d blades", o.blades);
    else
        ag_frame_text(f, "a round opening");
    gather c = {.grid = ag_focus_tiles(src)};
    c.layers = half_texture(f, &c, "layers", GL_RGBA16F, 16);
    c.radii = half_texture(f, &c, "radii", GL_R16F, 16);
    c.blurred = half_texture(f, &c, "blurred layers", GL_RGBA16F, 8);
    c.tiles[0] = ag_scratch(f, "tiles", c.grid.bytes);
    c.tiles[1] = ag_scratch(f, "spread tiles", c.grid.bytes);
    c.work = ag_scratch(f, "work", work_bytes(&c.grid) * (uint64_t)src->layers);
    c.lamps = ag_scratch(f, "lamps", c.grid.bytes * AG_GATHER_LAMPS);
    c.opening = ag_own_memory(f, &(ag_own){.name = "opening",
                                           .bytes = 16 * AG_GATHER_VALUES,
                                           .fill = fill_opening,
                                           .context = &o,
                                           .key = &o,
                                           .key_bytes = sizeof o});
    c.focus = ag_autofocus_step(f);
    c.split = ag_picture_shader(f, "focus/gather_layers.comp", format);
    ag_focus_depth_defines(f, c.split);
    ag_shader_define(c.split, "STORE", request->formats[DST]->store);
    for (int columns = 0; columns < 2; ++columns) {
        c.spread[columns] = ag_frame_shader(f, "focus/spread.comp");
        ag_shader_define(c.spread[columns], "LISTS", columns);
    }
    c.blur = ag_frame_shader(f, "focus/gather_blur.comp");
    c.compose = ag_picture_shader(f, "focus/gather_compose.comp", format);
    ag_focus_depth_defines(f, c.compose);
    ag_shader_define(c.compose, "FEW_BLADES", o.blades == 3 || o.blades == 4);
    ag_shader_define(c.compose, "STORE", request->formats[DST]->store);

    ag_frame_step(f, "layers");
    for (int32_t i = 0; i < src->layers; ++i)
        split(f, &c, i);
    ag_frame_step(f, "spread");
    ag_focus_spread(f, c.spread, &c.grid, c.tiles, c.work);
    ag_frame_step(f, "blur");
    for (int32_t i = 0; i < src->layers; ++i)
        blur(f, &c, i);
    ag_frame_step(f, "compose");
    for (int32_t i = 0; i < src->layers; ++i)
        compose(f, &c, i);
}
