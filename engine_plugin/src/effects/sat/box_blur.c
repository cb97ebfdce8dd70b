// box_blur.c - the effect "box_blur": the mean of a box of any size around every texel
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/blur_parts.h"
#include "effects/sat/box_table.h"

#include <afterglow/box_blur.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_BOX_BLUR_SRC,
    RADIUS = AG_BOX_BLUR_RADIUS,
    TABLE = AG_BOX_BLUR_TABLE,
    DST = AG_BOX_BLUR_DST,
    SLOTS
};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [RADIUS] =
        AG_COLOUR_SLOT("radius", "radius of each texel, in units of the setting (first channel)",
                       AG_READ | AG_OPTIONAL),
    [TABLE] = AG_SLOT("table", "src's table, ready made by the effect sat (float32 or uint32)",
                      AG_READ | AG_OPTIONAL, ag_table_formats),
    [DST] = AG_COLOUR_SLOT("dst", "src, blurred", AG_WRITE),
};

AG_SETTINGS(box_blur, BOX_BLUR)

typedef struct blur_design {  // tables
    ag_sat_plan first, later; // of the first iteration, unless ready; of the others, if any
} blur_design;

// ---- check -------------------------------------------------------------------------------------

static bool is_integer(const ag_format *f)
{
    return f->store == AG_STORE_32UI;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_status status = AG_OK;
    for (int i = RADIUS; i < SLOTS && status >= 0; ++i) {
        bool one_for_all = i == RADIUS && request->slots[i].layers == 1;
        status = one_for_all ? ag_check_same_rect(host, request, i, SRC)
                             : ag_check_same_size(host, request, i, SRC);
    }
    if (status >= 0)
        status = ag_box_check_size(host, request);
    if (status < 0)
        return status;
    int32_t channels = request->formats[SRC]->channels;
    if (request->formats[TABLE] &&
        request->formats[TABLE]->channels != (channels == 3 ? 4 : channels))
        return ag_fail(host, AG_E_FORMAT, "box_blur: table is %s, src %s: channels differ",
                       request->formats[TABLE]->text, request->formats[SRC]->text);
    (void)shape;
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// Integers are exact for 8-bit images as long as the whole image stays below 2^32.
static int32_t storage_of(const ag_request *request, const ag_box_blur_settings *s)
{
    const ag_texture *src = &request->slots[SRC];
    bool codes = request->formats[SRC]->store == AG_STORE_UNORM8;
    if (s->storage == AG_BOX_STORAGE_DOUBLE_FLOAT)
        return AG_TABLE_DOUBLE;
    if (s->storage == AG_BOX_STORAGE_AUTO && codes &&
        (int64_t)src->rect_width * src->rect_height * 255 < INT64_C(1) << 32)
        return AG_TABLE_UINT32;
    return AG_TABLE_FLOAT32;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_box_blur_settings s = settings_of(request);
    blur_design *d = out;
    int32_t first = storage_of(request, &s);
    int32_t later = first == AG_TABLE_DOUBLE ? first : AG_TABLE_FLOAT32;
    *d = (blur_design){0};
    ag_status status = AG_OK;
    if (!request->formats[TABLE])
        status = ag_boxes_plan(host, gl, request, request->formats[SRC], first, false, &d->first);
    if (status >= 0 && s.iterations > 1)
        status =
            ag_boxes_plan(host, gl, request, ag_format_find(GL_RGBA32F), later, false, &d->later);
    return status;
}

// ---- frame -------------------------------------------------------------------------------------

typedef struct blur {        // an iteration
    bool first, last, ready; // ready: it reads the host's table
    const ag_boxes *made;    // unless ready
    ag_box_query table;
    ag_blur_boxes boxes;
    ag_picture src, dst;             // the host's; between iterations ours: RGBA32F, stacked
    ag_shader *parts[AG_BLUR_PARTS]; // those of ag_blur_parts_ever
} blur;

typedef struct memory {
    ag_handle info, left, between[2]; // left: see shaders/sat/blur_blocks.glsl
    ag_texture shape;                 // of `between`
} memory;

static ag_picture image_of(const ag_frame *f, const memory *m, int32_t iteration, int slot)
{
    if (iteration < 0)
        return ag_slot_picture(f, slot);
    return (ag_picture){m->between[iteration % 2], &m->shape, ag_format_find(GL_RGBA32F), 0};
}

static ag_box_query ready_query(const ag_request *request)
{
    const ag_format *format = request->formats[TABLE];
    GLenum target = request->slots[SRC].target;
    bool viewed = request->sampled >> TABLE & 1 && request->slots[TABLE].target == target;
    return (ag_box_query){
        .storage = is_integer(format) ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32,
        .query = ag_sat_query_ready(request->tuning.tables, viewed),
        .format = format,
        .target = target,
    };
}

static const char *blur_shader(int32_t part, int32_t border)
{
    if (part == AG_BLUR_SMALL)
        return "sat/blur_small.comp";
    if (part == AG_BLUR_BEYOND)
        return border == AG_BORDER_MIRROR ? "sat/blur_mirror.comp" : "sat/blur_edges.comp";
    return "sat/blur_inside.comp";
}

// A program gets only the defines that it depends on, so that programs are shared.
static ag_shader *part_shader(ag_frame *f, const blur *b, int32_t part)
{
    const ag_request *request = ag_frame_request(f);
    const ag_format *radius = request->formats[RADIUS];
    int32_t border = settings_of(request).border;
    ag_shader *shader = ag_frame_shader(f, blur_shader(part, border));
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return shader;
    if (part == AG_BLUR_SMALL) {
        ag_source_defines(b->src.format, AG_BY_IMAGE, defines);
        ag_define(defines, "SAT_CHANNELS", b->table.format->channels);
    } else {
        ag_box_defines(shader, &b->table);
    }
    if (part == AG_BLUR_WHOLE || part == AG_BLUR_CUT)
        ag_define(defines, "EDGES_WHOLE", part == AG_BLUR_WHOLE);
    else if (part == AG_BLUR_SMALL || border != AG_BORDER_MIRROR)
        ag_define(defines, "BORDER", border);
    ag_box_group_defines(shader, b->table.query);
    ag_defines_add(defines,
                   "#define STORE %d\n#define RADIUS %d\n#define RADIUS_FORMAT %s\n"
                   "#define RADIUS_CODES %d\n",
                   b->dst.format->store, radius != NULL, radius ? radius->glsl : "r32f",
                   radius && radius->read == GL_R32UI);
    return shader;
}

static void begin_blur(ag_frame *f, const memory *m, const ag_boxes *made, int32_t i, blur *b)
{
    const ag_request *request = ag_frame_request(f);
    const ag_box_blur_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    bool textured = request->formats[RADIUS] != NULL;
    b->first = i == 0;
    b->last = i == s.iterations - 1;
    b->ready = b->first && request->formats[TABLE];
    b->made = made;
    b->table = b->ready ? ready_query(request) : ag_boxes_query(made);
    b->src = image_of(f, m, i - 1, SRC);
    b->dst = image_of(f, m, b->last ? -1 : i, DST);
    b->boxes = (ag_blur_boxes){src->rect_width, src->rect_height, textured, (double)s.radius,
                               ag_box_group_of(b->table.query)};
    for (int32_t part = 0; part < AG_BLUR_PARTS; ++part)
        if (ag_blur_parts_ever(textured) >> part & 1)
            b->parts[part] = part_shader(f, b, part);
}

static void blur_part(ag_frame *f, const blur *b, const memory *m, int32_t part)
{
    const ag_request *request = ag_frame_request(f);
    const ag_box_blur_settings s = settings_of(request);
    const ag_texture *table = &request->slots[TABLE], *radius = &request->slots[RADIUS];
    const ag_texture *src = b->src.shape, *dst = b->dst.shape;
    const int32_t w = src->rect_width, h = src->rect_height;
    ag_blur_area in = ag_blur_inside(&b->boxes);
    float units = s.fraction_bits < 0 || !b->ready ? 255.0f : ldexpf(1, s.fraction_bits);
    bool inside = part == AG_BLUR_WHOLE || part == AG_BLUR_CUT;
    bool reads_table = part != AG_BLUR_SMALL;
    // A plan for any radius counts the image, too.
    bool reads_image = !reads_table || (ag_frame_is_planned(f) && !inside);
    for (int32_t layer = 0; layer < src->layers; ++layer) {
        int32_t x = 0, y = 0, z = 0, down = layer * h; // of the table
        ag_dispatch d = {.shader = b->parts[part],
                         .images[AG_IMAGE_SRC] = ag_picture_view(&b->src, reads_image ? AG_READ : 0,
                                                                 b->first ? layer : 0),
                         .images[AG_IMAGE_DST] =
                             ag_picture_view(&b->dst, AG_WRITE, b->last ? layer : 0)};
        d.images[AG_IMAGE_DST].bytes = (uint64_t)w * (uint64_t)h * (uint64_t)b->dst.format->bytes;
        if (reads_table && !b->ready) {
            y = ag_boxes_bind(b->made, layer, &d);
        } else if (reads_table) {
            x = table->rect_x;
            y = table->rect_y;
            z = table->first_layer + layer;
            ag_view *view =
                b->table.query == AG_QUERY_TEXTURE ? &d.textures[0] : &d.images[AG_IMAGE_TABLE];
            *view = ag_slot_view(TABLE, AG_READ, layer);
        }
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_SRC_RECT, src->rect_x, src->rect_y + (b->first ? 0 : down), w, h),
            AG_INTS(AG_LOC_SRC_MODE, 4, 0, s.scrub, 0),
            AG_INTS(AG_LOC_DST_RECT, dst->rect_x, dst->rect_y + (b->last ? 0 : down), w, h),
            AG_INTS(AG_LOC_BOX_TABLE, x, y, layer, z),
            AG_INTS(AG_LOC_BOX_SIZE, w, h, 2 * layer * ag_blur_blocks(&b->boxes), 0),
            AG_FLOATS(AG_LOC_BOX_UNITS, units, units * units, 0, 0),
            AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            AG_INTS(AG_LOC_BOX_RADIUS, radius->rect_x, radius->rect_y, 0, 0),
            AG_INTS(AG_LOC_BOX_INSIDE, in.x0, in.y0, in.x1, in.y1),
        };
        d.uniforms = uniforms;
        d.uniform_count = AG_COUNT_OF(uniforms);
        ag_blur_groups(&b->boxes, part, d.groups);
        // Each mark belongs to one dispatch that reads and clears it, as if it added atomically.
        if (b->boxes.textured)
            d.ranges[AG_SSBO_LEFT] = ag_all(m->left, inside ? AG_WRITE : AG_ADD);
        if (b->boxes.textured)
            d.images[AG_IMAGE_RADIUS] =
                ag_slot_view(RADIUS, AG_READ, radius->layers > 1 ? layer : 0);
        if (ag_frame_is_planned(f) && !inside) // the programs share out the image: it counts once
            d.groups[0] = 0;
        ag_frame_dispatch(f, &d);
    }
}

static void text(ag_frame *f, const blur_design *d)
{
    static const char *const stored[] = {"float32 less the mean", "", "double_float", "uint32"};
    const ag_request *request = ag_frame_request(f);
    const ag_sat_request *r = &d->first.request, *l = &d->later.request;
    const int32_t iterations = settings_of(request).iterations;
    const bool ready = request->formats[TABLE];
    char how[AG_BOXES_TEXT] = "ready made";
    if (!ag_frame_is_planned(f))
        return;
    const char *later = iterations > 1 ? ag_sat_query_text(l, l->query) : "";
    if (!ready)
        ag_boxes_text(f, &d->first, how);
    bool differ = *later && (ready || strcmp(ag_sat_query_text(r, r->query), later) != 0);
    ag_frame_text(f, "box_blur: %dx%d, %d iterations; table %s%s%s%s%s",
                  request->slots[SRC].rect_width, request->slots[SRC].rect_height, iterations,
                  ready ? "" : stored[r->storage], ready ? "" : ", ", how,
                  differ ? ", later ones by " : "", differ ? later : "");
}

// Two marks a block and layer, of the iteration with the most blocks: later ones are like the
// second.
static uint64_t left_bytes(const blur *blurs, int32_t iterations, int32_t layers)
{
    int32_t most = ag_blur_blocks(&blurs[0].boxes);
    if (iterations > 1 && ag_blur_blocks(&blurs[1].boxes) > most)
        most = ag_blur_blocks(&blurs[1].boxes);
    return 8 * (uint64_t)most * (uint64_t)layers;
}

static void frame(ag_frame *f)
{
    static const char *const names[] = {"first", "second", "third", "fourth"};
    static const char *const images[] = {"between 0", "between 1"};
    const ag_request *request = ag_frame_request(f);
    const ag_box_blur_settings s = settings_of(request);
    const blur_design *d = ag_frame_design(f);
    const ag_texture *src = &request->slots[SRC];
    const bool ready = request->formats[TABLE], single = s.iterations == 1;
    memory m = {.info = ag_frame_info(f),
                .shape = {.rect_width = src->rect_width,
                          .rect_height = src->rect_height,
                          .layers = src->layers}};
    text(f, d);
    for (int32_t i = 0; i < 2 && i < s.iterations - 1; ++i)
        m.between[i] = ag_own_memory(f, &(ag_own){.name = images[i],
                                                  .format = GL_RGBA32F,
                                                  .width = src->rect_width,
                                                  .height = src->rect_height * src->layers});
    ag_boxes first, later;
    ag_table_source from = ag_table_source_of(f);
    if (!ready)
        ag_boxes_begin(f, &d->first, &from, m.info, false, &first);
    from = (ag_table_source){.picture = image_of(f, &m, 0, SRC), .stacked = true};
    if (!single)
        ag_boxes_begin(f, &d->later, &from, m.info, true, &later);
    blur blurs[most_iterations];
    for (int32_t i = 0; i < s.iterations; ++i)
        begin_blur(f, &m, i ? &later : &first, i, &blurs[i]);
    const ag_blur_boxes *boxes = &blurs[0].boxes;
    if (boxes->textured)
        m.left = ag_own_memory(f, &(ag_own){.name = "left",
                                            .bytes = left_bytes(blurs, s.iterations, src->layers)});

    for (int32_t i = 0; i < s.iterations; ++i) {
        blur *b = &blurs[i];
        if (!single) // an iteration is a step, with its table
            ag_frame_step(f, names[i]);
        if (i)
            later.table.io.src.picture = b->src;
        if (!b->ready)
            ag_table_steps(f, &b->made->table, s.scrub, single);
        if (single)
            ag_frame_step(f, "blur");
        // The radius may change later: a plan states what any radius needs.
        int32_t parts = !ag_frame_is_planned(f) || boxes->textured
                            ? ag_blur_parts(&b->boxes)
                            : 1 << AG_BLUR_WHOLE | 1 << AG_BLUR_BEYOND;
        for (int32_t part = 0; part < AG_BLUR_PARTS; ++part)
            if (parts >> part & 1)
                blur_part(f, b, &m, part);
    }
}

const ag_effect ag_effect_box_blur = {
    .info =
        AG_EFFECT_INFO("box_blur", "mean of a box around every texel; any radius, also one a texel",
                       AG_IMAGE_TABLES, 1),
    .samples = 1u << SRC | 1u << TABLE,
    .check = check,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(blur_design),
};
