// box_blur.c - the effect "box_blur": the mean of a box of any size around every texel
// SPDX-License-Identifier: MIT
#include "effects/sat/box_blur.h"
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/sat_table.h"

#include <afterglow/box_blur.h>
#include <math.h>
#include <stddef.h>
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

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_format *table = request->formats[TABLE], *src = request->formats[SRC];
    AG_TRY(ag_check_same_rect(host, request, RADIUS, SRC));
    if (request->slots[RADIUS].layers != 1) // one serves all layers of src
        AG_TRY(ag_check_same_layers(host, request, RADIUS, SRC));
    AG_TRY(ag_check_same_size(host, request, TABLE, SRC));
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    AG_TRY(ag_box_check_size(host, request));
    if (table && table->channels != (src->channels == 3 ? 4 : src->channels))
        return ag_fail(host, AG_E_FORMAT, "box_blur: table is %s, src %s: channels differ",
                       table->text, src->text);
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
    if (!request->formats[TABLE])
        AG_TRY(ag_boxes_plan(host, gl, request, request->formats[SRC], first, false, &d->first));
    return s.iterations == 1 ? AG_OK
                             : ag_boxes_plan(host, gl, request, ag_format_find(GL_RGBA32F), later,
                                             false, &d->later);
}

// ---- which programs, over which blocks ---------------------------------------------------------

int32_t ag_blur_parts_ever(bool textured)
{
    int32_t any = 1 << AG_BLUR_CUT | 1 << AG_BLUR_BEYOND | 1 << AG_BLUR_SMALL;
    return textured ? any : any | 1 << AG_BLUR_WHOLE;
}

static ag_blur_area area_or_none(ag_blur_area a)
{
    return a.x0 < a.x1 && a.y0 < a.y1 ? a : (ag_blur_area){0, 0, 0, 0};
}

// Texels whose boxes lie at least one texel within the image: is_inside of shaders/sat/box.glsl.
static ag_blur_area texels_inside(const ag_blur_boxes *b)
{
    int32_t before = (int32_t)ceil(b->radius) + 1, after = (int32_t)floor(b->radius) + 1;
    return area_or_none((ag_blur_area){before, before, b->width - after, b->height - after});
}

ag_blur_area ag_blur_inside(const ag_blur_boxes *b)
{
    ag_blur_area t = texels_inside(b);
    return area_or_none((ag_blur_area){ag_div_up(t.x0, b->block.x), ag_div_up(t.y0, b->block.y),
                                       t.x1 / b->block.x, t.y1 / b->block.y});
}

int32_t ag_blur_parts(const ag_blur_boxes *b)
{
    if (b->textured)
        return ag_blur_parts_ever(true);
    if (b->radius < AG_BOX_DIRECT)
        return 1 << AG_BLUR_SMALL;
    int32_t inside = b->radius == floor(b->radius) ? AG_BLUR_WHOLE : AG_BLUR_CUT;
    return 1 << AG_BLUR_BEYOND | (texels_inside(b).x1 > 0 ? 1 << inside : 0);
}

int32_t ag_blur_blocks(const ag_blur_boxes *b)
{
    return ag_div_up(b->width, b->block.x) * ag_div_up(b->height, b->block.y);
}

void ag_blur_groups(const ag_blur_boxes *b, int32_t part, uint32_t groups[3])
{
    int32_t blocks = ag_blur_blocks(b);
    groups[0] = ag_groups(b->width, b->block.x);
    groups[1] = ag_groups(b->height, b->block.y);
    groups[2] = 1;
    if ((part == AG_BLUR_BEYOND || part == AG_BLUR_SMALL) && b->textured) {
        groups[0] = ag_groups(blocks, AG_BLUR_BLOCKS);
        groups[1] = 1;
    } else if (part == AG_BLUR_BEYOND) {
        ag_blur_area inside = ag_blur_inside(b);
        int32_t frame = blocks - (inside.x1 - inside.x0) * (inside.y1 - inside.y0);
        groups[0] = frame < AG_BLUR_ROW ? (uint32_t)frame : AG_BLUR_ROW;
        groups[1] = ag_groups(frame, AG_BLUR_ROW);
    }
}

// ---- frame -------------------------------------------------------------------------------------

typedef struct blur { // an iteration
    bool ready;       // it reads the host's table
    ag_table *made;   // unless ready
    ag_box_query table;
    ag_blur_boxes boxes;
    ag_picture src, dst;             // the host's; between iterations ours, of RGBA32F
    ag_shader *parts[AG_BLUR_PARTS]; // those of ag_blur_parts_ever
    ag_handle left;                  // see shaders/sat/blur.comp
} blur;

static ag_box_query ready_query(const ag_request *request)
{
    const ag_format *format = request->formats[TABLE];
    GLenum target = request->slots[SRC].target;
    bool viewed = request->sampled >> TABLE & 1 && request->slots[TABLE].target == target;
    return (ag_box_query){
        .storage = format->store == AG_STORE_32UI ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32,
        .query = ag_sat_query_ready(request->tuning.tables, viewed),
        .format = format,
        .target = target,
    };
}

// A program gets only the defines that it depends on, so that programs are shared.
static ag_shader *part_shader(ag_frame *f, const blur *b, int32_t part)
{
    const ag_request *request = ag_frame_request(f);
    const ag_format *radius = request->formats[RADIUS];
    ag_shader *shader = ag_frame_shader(f, "sat/blur.comp");
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return shader;
    if (part == AG_BLUR_SMALL) {
        ag_source_defines(b->src.format, AG_BY_IMAGE, defines);
        ag_define(defines, "SAT_CHANNELS", b->table.format->channels);
    } else {
        ag_box_defines(shader, &b->table);
    }
    ag_define(defines, "BOXES", part);
    if (part == AG_BLUR_SMALL || part == AG_BLUR_BEYOND)
        ag_define(defines, "BORDER", settings_of(request).border);
    ag_box_group_defines(shader, b->table.query);
    ag_defines_add(defines,
                   "#define STORE %d\n#define RADIUS %d\n#define RADIUS_FORMAT %s\n"
                   "#define RADIUS_CODES %d\n",
                   b->dst.format->store, radius != NULL, radius ? radius->glsl : "r32f",
                   radius && radius->read == GL_R32UI);
    return shader;
}

static void blur_part(ag_frame *f, const blur *b, int32_t part)
{
    const ag_request *request = ag_frame_request(f);
    const ag_box_blur_settings s = settings_of(request);
    const ag_texture *table = &request->slots[TABLE], *radius = &request->slots[RADIUS];
    const int32_t w = b->src.shape->rect_width, h = b->src.shape->rect_height;
    ag_blur_area in = ag_blur_inside(&b->boxes);
    float units = s.fraction_bits < 0 || !b->ready ? 255.0f : ldexpf(1, s.fraction_bits);
    bool inside = part == AG_BLUR_WHOLE || part == AG_BLUR_CUT;
    bool reads_table = part != AG_BLUR_SMALL;
    // A plan for any radius counts the image, too.
    bool reads_image = !reads_table || (ag_frame_is_planned(f) && !inside);
    for (int32_t layer = 0; layer < b->src.shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = ag_layer_uniform(AG_LOC_DST_RECT, &b->dst, layer),
            AG_INTS(AG_LOC_BOX_TABLE, table->rect_x, table->rect_y, layer,
                    table->first_layer + layer),
            AG_INTS(AG_LOC_BOX_SIZE, w, h, 2 * layer * ag_blur_blocks(&b->boxes), 0),
            AG_FLOATS(AG_LOC_BOX_UNITS, units, units * units, 0, 0),
            AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            AG_INTS(AG_LOC_BOX_RADIUS, radius->rect_x, radius->rect_y, 0, 0),
            AG_INTS(AG_LOC_BOX_INSIDE, in.x0, in.y0, in.x1, in.y1),
        };
        ag_read_uniforms(uniforms, &b->src, 4, s.scrub, layer);
        ag_dispatch d = {.shader = b->parts[part],
                         .images[AG_IMAGE_SRC] =
                             ag_picture_view(&b->src, reads_image ? AG_READ : 0, layer),
                         .images[AG_IMAGE_DST] = ag_picture_view(&b->dst, AG_WRITE, layer),
                         AG_UNIFORMS(uniforms)};
        if (reads_table && !b->ready)
            uniforms[3] = ag_boxes_bind(b->made, layer, &d);
        else if (reads_table)
            *(b->table.query == AG_QUERY_TEXTURE ? &d.textures[0] : &d.images[AG_IMAGE_TABLE]) =
                ag_slot_view(TABLE, AG_READ, layer);
        ag_blur_groups(&b->boxes, part, d.groups);
        if (b->boxes.textured) {
            // Each mark belongs to one dispatch that reads and clears it, as if it added
            // atomically.
            d.ranges[AG_SSBO_LEFT] = ag_all(b->left, inside ? AG_WRITE : AG_ADD);
            d.images[AG_IMAGE_RADIUS] =
                ag_slot_view(RADIUS, AG_READ, radius->layers > 1 ? layer : 0);
        }
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
    ag_frame_text(f, "box_blur: %dx%d, %d iterations; table ", request->slots[SRC].rect_width,
                  request->slots[SRC].rect_height, iterations);
    ag_frame_text(f, "%s", ready ? "ready made" : stored[r->storage]);
    if (!ready) {
        ag_frame_text(f, ", ");
        ag_boxes_say(f, &d->first);
    }
    const char *later = iterations > 1 ? ag_sat_query_text(l, l->query) : "";
    if (*later && (ready || strcmp(ag_sat_query_text(r, r->query), later) != 0))
        ag_frame_text(f, ", later ones by %s", later);
}

// Two marks a block and layer, of the iteration with the most blocks: later ones are like the
// second.
static uint64_t left_bytes(const blur *blurs, int32_t iterations, int32_t layers)
{
    int32_t first = ag_blur_blocks(&blurs[0].boxes),
            later = iterations > 1 ? ag_blur_blocks(&blurs[1].boxes) : 0;
    return 8 * (uint64_t)ag_max(first, later) * (uint64_t)layers;
}

static void frame(ag_frame *f)
{
    static const char *const names[] = {"first", "second", "third", "fourth"};
    static const char *const images[] = {"between 0", "between 1"};
    const ag_request *request = ag_frame_request(f);
    const ag_box_blur_settings s = settings_of(request);
    const blur_design *d = ag_frame_design(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    const int32_t w = src.shape->rect_width, h = src.shape->rect_height;
    const bool ready = request->formats[TABLE], textured = request->formats[RADIUS],
               single = s.iterations == 1;
    const ag_texture shape = {.rect_width = w, .rect_height = h, .layers = src.shape->layers};
    const ag_handle info = ag_frame_info(f);
    ag_picture between[2];
    ag_table first, later;
    text(f, d);
    for (int32_t i = 0; i < 2 && i < s.iterations - 1; ++i)
        between[i] = ag_boxes_picture(f, images[i], GL_RGBA32F, &shape);
    if (!ready)
        ag_boxes_begin(f, &d->first, &src, info, false, &first);
    if (!single)
        ag_boxes_begin(f, &d->later, &between[0], info, true, &later);
    blur blurs[most_iterations];
    for (int32_t i = 0; i < s.iterations; ++i) {
        blur *b = &blurs[i];
        bool last = i == s.iterations - 1;
        *b = (blur){.ready = i == 0 && ready,
                    .made = i ? &later : &first,
                    .src = i ? between[(i - 1) % 2] : src,
                    .dst = last ? ag_slot_picture(f, DST) : between[i % 2]};
        b->table = b->ready ? ready_query(request) : ag_boxes_query(b->made);
        b->boxes =
            (ag_blur_boxes){w, h, textured, (double)s.radius, ag_box_group_of(b->table.query)};
        for (int32_t part = 0; part < AG_BLUR_PARTS; ++part)
            if (ag_blur_parts_ever(textured) >> part & 1)
                b->parts[part] = part_shader(f, b, part);
    }
    ag_handle left = {0};
    if (textured)
        left = ag_own_memory(f, &(ag_own){.name = "left",
                                          .bytes = left_bytes(blurs, s.iterations, shape.layers)});

    for (int32_t i = 0; i < s.iterations; ++i) {
        blur *b = &blurs[i];
        b->left = left;
        if (!single) // an iteration is a step, with its table
            ag_frame_step(f, names[i]);
        if (i)
            later.io.src = b->src;
        if (!b->ready)
            ag_table_steps(f, b->made, s.scrub, single);
        if (single)
            ag_frame_step(f, "blur");
        // The radius may change later: a plan states what any radius needs.
        int32_t parts = !ag_frame_is_planned(f) || textured
                            ? ag_blur_parts(&b->boxes)
                            : 1 << AG_BLUR_WHOLE | 1 << AG_BLUR_BEYOND;
        for (int32_t part = 0; part < AG_BLUR_PARTS; ++part)
            if (parts >> part & 1)
                blur_part(f, b, part);
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
