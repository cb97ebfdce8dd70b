// downsample.c - the effect "downsample": an image at another size
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/downsample/down_plan.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"

#include <afterglow/downsample.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_DOWNSAMPLE_SRC, DST = AG_DOWNSAMPLE_DST0, SLOTS = AG_DOWNSAMPLE_DST3 + 1 };

static const ag_slot_info slots[SLOTS] = {
    AG_COLOUR_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("dst0", "src at this texture's size", AG_WRITE),
    AG_COLOUR_SLOT("dst1", "and at this one's, of dst0's format", AG_WRITE | AG_OPTIONAL),
    AG_COLOUR_SLOT("dst2", "and at this one's", AG_WRITE | AG_OPTIONAL),
    AG_COLOUR_SLOT("dst3", "and at this one's", AG_WRITE | AG_OPTIONAL),
};

AG_SETTINGS(downsample, DOWNSAMPLE)
static const char *const filters[] = {AG_DOWN_FILTER(AG_NAME)};
static const char *const weights[] = {AG_DOWN_WEIGHT(AG_NAME)};
static const char *const methods[] = {AG_DOWN_METHOD(AG_NAME)};

// ---- check -------------------------------------------------------------------------------------

// Refuses a slot whose size goes wrong with a setting, and says why.
static ag_status refuse_size(const ag_host *host, const ag_request *request, int slot,
                             const char *why)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[slot];
    return ag_fail(host, AG_E_ARG, "downsample: %s is %dx%d, src %dx%d; %s", slots[slot].name,
                   dst->rect_width, dst->rect_height, src->rect_width, src->rect_height, why);
}

static bool exceeds(const ag_texture *src, const ag_texture *dst, int64_t ratio)
{
    return dst->rect_width * ratio < src->rect_width || dst->rect_height * ratio < src->rect_height;
}

_Static_assert(AG_DOWN_MAX_LANCZOS == 16 && AG_DOWN_MAX_TILE == 64, "as the messages say");

static ag_status check_target(const ag_host *host, const ag_request *request, int slot)
{
    const ag_downsample_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[slot];
    AG_TRY(ag_check_same_layers(host, request, slot, SRC));
    AG_TRY(ag_check_limit(host, request, slot, AG_DOWN_MAX_SIZE));
    if (request->formats[slot] != request->formats[DST])
        return ag_fail(host, AG_E_FORMAT,
                       "downsample: %s is %s, dst0 %s; targets have one and the same format",
                       slots[slot].name, request->formats[slot]->text, request->formats[DST]->text);
    bool enlarges = dst->rect_width > src->rect_width || dst->rect_height > src->rect_height;
    if (s.filter == AG_DOWN_AREA && enlarges)
        return refuse_size(host, request, slot,
                           "area only makes images smaller: for larger ones take bilinear, bicubic "
                           "or lanczos");
    if (s.filter == AG_DOWN_LANCZOS && exceeds(src, dst, AG_DOWN_MAX_LANCZOS))
        return refuse_size(host, request, slot, "lanczos takes ratios up to 16");
    // A thread would read a cell of thousands of texels all alone.
    if (s.method == AG_DOWN_TILE && exceeds(src, dst, AG_DOWN_MAX_TILE))
        return refuse_size(host, request, slot,
                           "tile takes ratios up to 64, columns and partial_sums any");
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_downsample_settings s = settings_of(request);
    if (s.filter != AG_DOWN_AREA && s.weight != AG_DOWN_WEIGHT_NONE)
        return ag_fail(host, AG_E_ARG, "downsample: weight is %s with filter %s; it needs area",
                       weights[s.weight], filters[s.filter]);
    if (s.filter != AG_DOWN_AREA && s.method != AG_DOWN_AUTO)
        return ag_fail(host, AG_E_ARG, "downsample: method is %s with filter %s; it needs area",
                       methods[s.method], filters[s.filter]);
    if (s.weight == AG_DOWN_WEIGHT_ALPHA && request->formats[SRC]->channels != 4)
        return ag_fail(host, AG_E_FORMAT,
                       "downsample: weight is alpha and src %s; it takes RGBA8 SRGB8_ALPHA8 "
                       "RGB10_A2 RGBA16F RGBA32F",
                       request->formats[SRC]->text);
    AG_TRY(ag_check_limit(host, request, SRC, AG_DOWN_MAX_SIZE));
    for (int slot = DST; slot < SLOTS; ++slot)
        if (request->formats[slot])
            AG_TRY(check_target(host, request, slot));
    return AG_OK;
}

// Any size will do.
static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    (void)slot;
    size[2] = request->slots[SRC].layers;
}

// ---- design ------------------------------------------------------------------------------------

typedef struct down_design {
    ag_down_plan plan;              // its method is tile unless the filter is area
    int32_t slots[AG_DOWN_TARGETS]; // of its targets
} down_design;

static int64_t part_bytes(const ag_downsample_settings *s) // of a partial sum
{
    return s->weight == AG_DOWN_WEIGHT_NONE ? 32 : 64;
}

static int64_t rows_bytes(const ag_down_target *t) // that lanczos leaves of a layer
{
    return 16 * (int64_t)t->axes[0].outputs * t->axes[1].size;
}

static ag_status check_method(const ag_host *host, const ag_request *request, const down_design *d)
{
    const ag_texture *src = &request->slots[SRC];
    if (d->plan.method == AG_DOWN_BLOCKS && !d->plan.blocks.cells[0])
        return ag_fail(
            host, AG_E_ARG,
            "downsample: src is %dx%d; blocks takes targets whose sizes divide it, whose "
            "ratios have a common multiple of 64 at most, and of whose common divisor "
            "each way a block has 64 to 256; auto and partial_sums take any",
            src->rect_width, src->rect_height);
    return AG_OK;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_downsample_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    const int32_t source[2] = {src->rect_width, src->rect_height};
    down_design *d = out;
    int32_t count = 0, sizes[AG_DOWN_TARGETS][2];
    for (int slot = DST; slot < SLOTS; ++slot) {
        if (!request->formats[slot])
            continue;
        sizes[count][0] = request->slots[slot].rect_width;
        sizes[count][1] = request->slots[slot].rect_height;
        d->slots[count++] = slot;
    }
    ag_down_plan_make(source, count, (const int32_t(*)[2])sizes,
                      s.filter == AG_DOWN_AREA ? s.method : AG_DOWN_TILE, &request->tuning,
                      &d->plan);
    AG_TRY(check_method(host, request, d));
    // One dispatch reads the source for all targets.
    bool at_once = d->plan.method == AG_DOWN_PARTIAL_SUMS || d->plan.method == AG_DOWN_BLOCKS;
    int32_t units = ag_max(AG_IMAGE_TARGET + (at_once ? count : 1), AG_IMAGE_COUNT);
    AG_TRY(ag_units_check(host, gl, (GLuint)units, "downsample", "this many targets"));
    int64_t largest = part_bytes(&s) * d->plan.entries;
    for (int32_t i = 0; i < count && s.filter == AG_DOWN_LANCZOS; ++i)
        largest = ag_max64(largest, rows_bytes(&d->plan.targets[i]));
    return ag_check_block(host, gl, request, SRC, largest * src->layers);
}

// ---- a dispatch --------------------------------------------------------------------------------

typedef struct work { // what all dispatches of a frame have in common
    ag_frame *f;
    const down_design *design;
    const ag_down_plan *plan;
    ag_downsample_settings s;
    ag_picture src;
    int32_t layers;
    ag_handle info; // once all shaders are named
} work;

// `reads`: the source; else what another shader left.
static ag_shader *shader_of(const work *w, const char *path, bool reads, int32_t targets)
{
    ag_shader *shader = ag_frame_shader(w->f, path);
    if (reads)
        ag_shader_reads_picture(shader, &w->src);
    ag_shader_define(shader, "SRC_STORE", w->src.format->store);
    ag_shader_define(shader, "COUNTS", reads && ag_has_infinity(w->src.format));
    ag_shader_define(shader, "STORE", ag_frame_request(w->f)->formats[DST]->store);
    bool weighted = w->s.weight != AG_DOWN_WEIGHT_NONE;
    bool negative = w->s.filter == AG_DOWN_BICUBIC || w->s.filter == AG_DOWN_LANCZOS;
    if (w->s.filter == AG_DOWN_AREA || w->s.filter == AG_DOWN_LANCZOS) // by downsample/sum.glsl
        ag_shader_define(shader, "WEIGHTED", weighted);
    ag_shader_define(shader, "EXCEEDS", weighted || negative);
    ag_shader_define(shader, "TARGETS", targets);
    return shader;
}

enum { OF_TARGET = 4, OF_ALL = 6 }; // uniforms

typedef struct call { // a dispatch being put together
    const work *work;
    int32_t layer;
    ag_uniform uniforms[OF_ALL + OF_TARGET * AG_DOWN_TARGETS];
    ag_dispatch dispatch;
} call;

static void add(call *c, ag_uniform uniform)
{
    c->uniforms[c->dispatch.uniform_count++] = uniform;
}

static void add_ints(call *c, int32_t location, int32_t x, int32_t y, int32_t z, int32_t w)
{
    add(c, (ag_uniform)AG_INTS(location, x, y, z, w));
}

// A dispatch of a layer; what it reads and its targets are added next.
static void begin(call *c, const work *w, ag_shader *shader, int32_t layer)
{
    *c = (call){.work = w, .layer = layer, .dispatch = {.shader = shader, .uniform_count = 2}};
    ag_read_uniforms(c->uniforms, &w->src, w->src.format->channels, w->s.scrub, layer);
    if (w->s.weight)
        add_ints(c, AG_LOC_DOWN_MODE, w->s.weight == AG_DOWN_WEIGHT_KARIS, 0, 0, 0);
}

// The source, of which `bytes` move; 0: all of it.
static void add_source(call *c, uint64_t bytes)
{
    ag_dispatch_reads_picture(&c->dispatch, &c->work->src, c->layer)->bytes = bytes;
    if (ag_has_infinity(c->work->src.format))
        c->dispatch.ranges[AG_SSBO_INFO] = ag_all(c->work->info, AG_ADD);
}

// Where 1 / (W W') of the weights' sums is split in two floats, and where weights become floats
// below 1.
static ag_uniform scale_of(int32_t target, const ag_down_axis axes[2])
{
    int ex, ey;
    frexp((double)axes[0].from - 0.5, &ex); // 2^ex >= from > 2^(ex - 1)
    frexp((double)axes[1].from - 0.5, &ey);
    double all = ldexp(1, ex + ey) / ((double)axes[0].from * (double)axes[1].from);
    float high = (float)all, low = (float)(all - (double)high);
    return (ag_uniform)AG_FLOATS(AG_LOC_DOWN_SCALE + target, high, low, (float)ldexp(1, -ex),
                                 (float)ldexp(1, -ey));
}

// Where target number `index` of the plan lies, as number `as` of the dispatch.
static void add_place(call *c, int32_t index, int32_t as)
{
    const ag_down_plan *p = c->work->plan;
    const ag_down_target *t = &p->targets[index];
    const ag_texture *dst = &ag_frame_request(c->work->f)->slots[c->work->design->slots[index]];
    const ag_down_axis *x = &t->axes[0], *y = &t->axes[1];
    int32_t lanes = p->method == AG_DOWN_BLOCKS ? t->block_lanes : t->lanes;
    add_ints(c, AG_LOC_DOWN_AXES + as, x->from, x->to, y->from, y->to);
    add(c, ag_rect_uniform(AG_LOC_DOWN_DST + as, dst));
    add_ints(c, AG_LOC_DOWN_SHARE + as, lanes, t->begin, t->cells[0], t->cells[1]);
    add(c, scale_of(as, t->axes));
}

static void add_target(call *c, int32_t index, int32_t as)
{
    add_place(c, index, as);
    c->dispatch.images[AG_IMAGE_TARGET + as] =
        ag_slot_view(c->work->design->slots[index], AG_WRITE, c->layer);
}

static void end(call *c, int32_t x, int32_t y)
{
    c->dispatch.uniforms = c->uniforms;
    c->dispatch.groups[0] = (uint32_t)x;
    c->dispatch.groups[1] = (uint32_t)y;
    c->dispatch.groups[2] = 1;
    ag_frame_dispatch(c->work->f, &c->dispatch);
}

// ---- the methods -------------------------------------------------------------------------------

// Taps read what they use, at most all.
static uint64_t tapped_bytes(const work *w, const ag_down_target *t, int32_t taps)
{
    int64_t all = (int64_t)t->axes[0].size * t->axes[1].size;
    int64_t used = (int64_t)taps * taps * t->axes[0].outputs * t->axes[1].outputs;
    return (uint64_t)(used < all ? used : all) * (uint64_t)w->src.format->bytes;
}

// A target by itself: tile, columns, and the samplers' filters.
static void make_alone(work *w)
{
    static const int32_t sides[] = {
        [AG_DOWN_NEAREST] = 1, [AG_DOWN_BILINEAR] = 2, [AG_DOWN_BICUBIC] = 4};
    static const char *const paths[] = {
        [AG_DOWN_TILE] = "downsample/tile.comp", [AG_DOWN_COLUMNS] = "downsample/columns.comp"};
    const ag_down_plan *p = w->plan;
    bool area = w->s.filter == AG_DOWN_AREA;
    int32_t taps = area ? 0 : sides[w->s.filter];
    ag_shader *shaders[AG_DOWN_TARGETS];
    for (int32_t i = 0; i < p->count; ++i) {
        shaders[i] = shader_of(w, area ? paths[p->method] : "downsample/taps.comp", true, 1);
        if (p->method == AG_DOWN_TILE)
            ag_shader_define(shaders[i], "TAPS", area ? p->targets[i].taps : taps);
    }
    w->info = ag_frame_info(w->f);

    ag_frame_step(w->f, area ? methods[p->method] : filters[w->s.filter]);
    for (int32_t i = 0; i < p->count; ++i)
        for (int32_t layer = 0; layer < w->layers; ++layer) {
            const ag_down_target *t = &p->targets[i];
            const ag_down_axis *x = &t->axes[0], *y = &t->axes[1];
            const ag_down_columns *cut = &t->columns;
            call c;
            begin(&c, w, shaders[i], layer);
            add_source(&c, area ? 0 : tapped_bytes(w, t, taps));
            add_target(&c, i, 0);
            if (p->method == AG_DOWN_COLUMNS) {
                add_ints(&c, AG_LOC_DOWN_TILE, cut->outputs, cut->sharing, cut->lanes, cut->runs);
                end(&c, cut->groups[0], cut->groups[1]);
            } else {
                end(&c, ag_div_up(x->outputs, AG_DOWN_TILE_WIDTH),
                    ag_div_up(y->outputs, AG_DOWN_TILE_HEIGHT));
            }
        }
}

static void make_blocks(work *w)
{
    const ag_down_plan *p = w->plan;
    const ag_down_blocks *b = &p->blocks;
    ag_shader *shader = shader_of(w, "downsample/blocks.comp", true, p->count);
    ag_shader_define(shader, "FIRST_X", b->first[0]);
    ag_shader_define(shader, "FIRST_Y", b->first[1]);
    w->info = ag_frame_info(w->f);

    ag_frame_step(w->f, "blocks");
    for (int32_t layer = 0; layer < w->layers; ++layer) {
        call c;
        begin(&c, w, shader, layer);
        add_source(&c, 0);
        for (int32_t i = 0; i < p->count; ++i)
            add_target(&c, i, i);
        add_ints(&c, AG_LOC_DOWN_TILE, b->cells[0], b->cells[1], b->larger, 0);
        end(&c, b->groups[0], b->groups[1]);
    }
}

// Of the outputs whose cells lie in several tiles: each has a partial sum in two tiles at least.
static uint64_t cut_bytes(const work *w, const ag_down_target *t)
{
    int64_t all = (int64_t)t->axes[0].outputs * t->axes[1].outputs, cut = t->entries / 2;
    return (uint64_t)(cut < all ? cut : all) *
           (uint64_t)ag_frame_request(w->f)->formats[DST]->bytes;
}

// Tiles add up the parts of cells that they have. Cells that lie in several are finished then.
static void make_sums(work *w)
{
    const ag_down_plan *p = w->plan;
    const int64_t part = part_bytes(&w->s);
    bool finishes = p->entries > 0;
    ag_shader *shader = shader_of(w, "downsample/sums.comp", true, p->count), *finish = NULL;
    ag_shader_define(shader, "FINISHES", 0);
    if (finishes) {
        finish = shader_of(w, "downsample/sums.comp", false, 1);
        ag_shader_define(finish, "FINISHES", 1);
    }
    w->info = ag_frame_info(w->f);
    uint64_t bytes = (uint64_t)(part * p->entries * w->layers);
    ag_handle partials = ag_scratch(w->f, "partials", bytes ? bytes : 16); // something is bound

    ag_frame_step(w->f, "sums");
    for (int32_t layer = 0; layer < w->layers; ++layer) {
        call c;
        begin(&c, w, shader, layer);
        add_source(&c, 0);
        for (int32_t i = 0; i < p->count; ++i)
            add_target(&c, i, i);
        add_ints(&c, AG_LOC_DOWN_TILE, p->rows, p->tiles[0], p->tiles[1],
                 (int32_t)(layer * p->entries));
        c.dispatch.ranges[AG_SSBO_PARTIALS] =
            (ag_block){.of = partials, .access = AG_WRITE, .moves = (uint64_t)(part * p->entries)};
        end(&c, p->tiles[0], p->tiles[1]);
    }
    if (!finishes)
        return;
    ag_frame_step(w->f, "finish");
    for (int32_t i = 0; i < p->count; ++i)
        for (int32_t layer = 0; layer < w->layers && p->targets[i].finishes; ++layer) {
            const ag_down_target *t = &p->targets[i];
            call c;
            begin(&c, w, finish, layer);
            add_target(&c, i, 0);
            c.dispatch.images[AG_IMAGE_TARGET].bytes = cut_bytes(w, t);
            add_ints(&c, AG_LOC_DOWN_TILE, p->rows, p->tiles[0], p->tiles[1],
                     (int32_t)(layer * p->entries));
            add_ints(&c, AG_LOC_DOWN_FINISH, t->finish_lanes, 0, 0, 0);
            c.dispatch.ranges[AG_SSBO_PARTIALS] = (ag_block){
                .of = partials, .access = AG_READ, .moves = (uint64_t)(part * t->entries)};
            end(&c, ag_div_up(t->axes[0].outputs, AG_DOWN_LANES / t->finish_lanes),
                t->axes[1].outputs);
        }
}

typedef struct lanczos_taps {
    ag_down_axis axis;
    int32_t radius;
} lanczos_taps;

static void fill_taps(const void *context, float *values)
{
    const lanczos_taps *taps = context;
    ag_down_lanczos_weights(&taps->axis, taps->radius, values);
}

// Weights are the same for all passes of a ratio.
static ag_handle taps_of(const work *w, const ag_down_axis *axis)
{
    const lanczos_taps taps = {*axis, w->s.radius};
    const int32_t key[8] = {0x4c414e43 /* LANC */, axis->from, axis->to, w->s.radius};
    size_t count = (size_t)axis->to * (size_t)ag_down_lanczos_taps(axis, w->s.radius);
    return ag_shared_constants(w->f, "afterglow lanczos", key, count, fill_taps, &taps);
}

// Rows of the source, filtered to the width of a target; then columns of these.
static void make_lanczos(work *w)
{
    static const char *const names[SLOTS] = {NULL, "rows of dst0", "rows of dst1", "rows of dst2",
                                             "rows of dst3"};
    const ag_down_plan *p = w->plan;
    ag_shader *shaders[2];
    for (int columns = 0; columns < 2; ++columns) {
        shaders[columns] = shader_of(w, "downsample/lanczos.comp", !columns, columns);
        ag_shader_define(shaders[columns], "COLUMNS", columns);
    }
    ag_handle rows[AG_DOWN_TARGETS], taps[AG_DOWN_TARGETS][2];
    w->info = ag_frame_info(w->f);
    for (int32_t i = 0; i < p->count; ++i) {
        const ag_down_target *t = &p->targets[i];
        rows[i] =
            ag_scratch(w->f, names[w->design->slots[i]], (uint64_t)(rows_bytes(t) * w->layers));
        for (int axis = 0; axis < 2; ++axis)
            taps[i][axis] = taps_of(w, &t->axes[axis]);
    }

    for (int columns = 0; columns < 2; ++columns) {
        ag_frame_step(w->f, columns ? "columns" : "rows");
        for (int32_t i = 0; i < p->count; ++i)
            for (int32_t layer = 0; layer < w->layers; ++layer) {
                const ag_down_axis *axes = p->targets[i].axes;
                int64_t bytes = rows_bytes(&p->targets[i]);
                call c;
                begin(&c, w, shaders[columns], layer);
                if (columns) {
                    add_target(&c, i, 0);
                } else {
                    add_source(&c, 0);
                    add_place(&c, i, 0);
                }
                add_ints(&c, AG_LOC_DOWN_TILE, 0, 0, 0, (int32_t)(layer * bytes / 16));
                add_ints(&c, AG_LOC_DOWN_TAPS, axes[0].size, axes[1].size,
                         ag_down_lanczos_taps(&axes[columns], w->s.radius), w->s.radius);
                c.dispatch.ranges[AG_SSBO_PARTIALS] =
                    (ag_block){.of = rows[i],
                               .access = columns ? AG_READ : AG_WRITE,
                               .moves = (uint64_t)bytes};
                c.dispatch.ranges[AG_SSBO_TAPS] = ag_all(taps[i][columns], AG_READ);
                end(&c, ag_div_up(axes[0].outputs, 32),
                    ag_div_up(columns ? axes[1].outputs : axes[1].size, 4));
            }
    }
}

// ---- frame -------------------------------------------------------------------------------------

static void say(const work *w)
{
    const ag_down_plan *p = w->plan;
    const ag_down_columns *cut = &p->targets[0].columns;
    ag_frame *f = w->f;
    ag_frame_text(f, "downsample: %s, %dx%d to", filters[w->s.filter], p->targets[0].axes[0].size,
                  p->targets[0].axes[1].size);
    for (int32_t i = 0; i < p->count; ++i)
        ag_frame_text(f, " %dx%d", p->targets[i].axes[0].outputs, p->targets[i].axes[1].outputs);
    if (w->s.filter != AG_DOWN_AREA)
        return;
    ag_frame_text(f, "; %s", methods[p->method]);
    if (p->method == AG_DOWN_PARTIAL_SUMS)
        ag_frame_text(f, " of %dx%d tiles of %dx%d", p->tiles[0], p->tiles[1], AG_DOWN_SUMS_WIDTH,
                      p->rows);
    if (p->method == AG_DOWN_BLOCKS)
        ag_frame_text(f, " of %dx%d cells of %dx%d", p->blocks.cells[0], p->blocks.cells[1],
                      p->blocks.first[0], p->blocks.first[1]);
    if (p->method == AG_DOWN_COLUMNS)
        ag_frame_text(f, ", %dx%d outputs a group", cut->outputs, 4 / cut->sharing);
}

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const down_design *d = ag_frame_design(f);
    work w = {.f = f,
              .design = d,
              .plan = &d->plan,
              .s = settings_of(request),
              .src = ag_slot_picture(f, SRC),
              .layers = request->slots[SRC].layers};
    say(&w);
    if (w.s.filter == AG_DOWN_LANCZOS)
        make_lanczos(&w);
    else if (d->plan.method == AG_DOWN_PARTIAL_SUMS)
        make_sums(&w);
    else if (d->plan.method == AG_DOWN_BLOCKS)
        make_blocks(&w);
    else
        make_alone(&w);
}

const ag_effect ag_effect_downsample = {
    .info =
        AG_EFFECT_INFO("downsample",
                       "an image at a smaller size: exact area averages, or a sampler's filters",
                       AG_DOWN_IMAGES, 1),
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(down_design),
};
