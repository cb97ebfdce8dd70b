// levels.c - a chain of levels as mipchain and depth_pyramid make it
// SPDX-License-Identifier: MIT
#include "effects/mip/levels.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"

int32_t ag_levels_held_channels(const ag_format *format)
{
    return format->channels == 3 ? 4 : format->channels;
}

bool ag_levels_counts(const ag_format *format)
{
    bool fixed = format->name == GL_DEPTH_COMPONENT16 || format->name == GL_DEPTH_COMPONENT24 ||
                 format->name == GL_DEPTH_COMPONENT32 || format->name == GL_DEPTH24_STENCIL8;
    return !fixed && ag_has_infinity(format);
}

static const ag_texture *source_of(const ag_levels_io *io)
{
    return &io->request->slots[io->src];
}

static const ag_format *dst_format(const ag_levels_io *io)
{
    return io->request->formats[io->dst];
}

static int32_t written(const ag_mip_dispatch *d)
{
    return d->first.levels + d->second.levels;
}

// Whether a texture unit reads the source, and so no image unit.
static bool sampled(const ag_levels_io *io)
{
    return io->request->formats[io->src]->depth || io->request->sampled >> io->src & 1;
}

// Whether it reads packed texels (common/gather.glsl).
static bool reads_packed(const ag_levels_io *io)
{
    return sampled(io) && !io->request->formats[io->src]->depth;
}

// Image units of the first dispatch before its levels.
static int32_t units_before(const ag_levels_io *io)
{
    return !sampled(io) + io->copy;
}

ag_status ag_levels_plan(const ag_host *host, const ag_gl *gl, const ag_levels_io *io,
                         int32_t levels, ag_levels_design *out)
{
    int32_t units = (int32_t)ag_image_units(gl, AG_IMAGE_MAX);
    // Beside images a program has storage blocks: hand-over, counters, and in the first one the
    // info.
    int32_t other = gl->max_outputs - 2;
    int32_t first = other - ag_levels_counts(io->request->formats[io->src]);
    // The plan must also fit a source that no texture unit can read, which takes an image unit.
    first = ag_min(first, units) - io->copy + io->request->formats[io->src]->depth;
    ag_mip_request r = {.width = source_of(io)->rect_width,
                        .height = source_of(io)->rect_height,
                        .levels = levels,
                        .units = ag_min(other, units),
                        .units_first = first,
                        .shared = AG_MIP_REGION};
    if (!ag_mip_plan_make(&r, &out->plan))
        return ag_fail(host, AG_E_SIZE, "%s: %d levels of %dx%d need more than %d dispatches",
                       io->request->info->id, levels, r.width, r.height, AG_MIP_DISPATCHES);
    out->handover = 4 * (uint64_t)ag_levels_held_channels(dst_format(io)) *
                    (uint64_t)out->plan.handover * (uint64_t)source_of(io)->layers;
    if (!out->handover) // a chain of one stage needs none, but something must be bound
        out->handover = 16;
    // Reductions that need four texels at once read them from shared memory.
    bool joins = io->reduce != AG_REDUCE_FIRST && io->weight < AG_WEIGHT_ALPHA;
    out->subgroups =
        joins ? ag_subgroups_of(gl, &io->request->tuning, &io->request->tuning.mip_exchange)
              : AG_SUBGROUPS_NONE;
    return ag_check_block(host, gl, io->request, io->src, (int64_t)out->handover);
}

// ---- shaders -----------------------------------------------------------------------------------

// Texels of level 1 that a tile holds with AG_RUNS_SUMS: one more column than its own.
static int32_t sums_region(const ag_mip_stage *stage, int32_t odd_x)
{
    return (stage->region[0] + odd_x) * stage->region[1];
}

// How the threads of an odd tile read the source. Sums must be one vec4, and add texels in another
// order: not means of codes, which may lie on the edge between two codes (docs/decisions.md, D32).
static int32_t runs(const ag_levels_io *io, const ag_mip_stage *stage, int32_t odd_x)
{
    const ag_texture *t = source_of(io);
    bool mean = io->reduce == AG_REDUCE_MEAN && io->weight == AG_WEIGHT_NONE &&
                ag_has_infinity(dst_format(io));
    bool extreme = io->reduce != AG_REDUCE_MEAN && io->reduce != AG_REDUCE_FIRST;
    if (!reads_packed(io) || t->rect_width == 1 || t->rect_height == 1)
        return AG_RUNS_NONE;
    bool fits = sums_region(stage, odd_x) <= AG_MIP_REGION;
    return (mean || extreme) && fits ? AG_RUNS_SUMS : AG_RUNS_TEXELS;
}

// REGION of a dispatch's tiles (mip/stages.glsl), rounded up, so that sizes share programs.
static int32_t region_of(const ag_mip_dispatch *d, int32_t read_by, int32_t odd_x)
{
    int32_t most = ag_max(ag_mip_region(&d->first), ag_mip_region(&d->second));
    if (read_by == AG_RUNS_SUMS)
        most = ag_max(most, sums_region(&d->first, odd_x));
    return ag_div_up(most, 256) * 256;
}

// The number of batches in which a thread of an even tile loads its texels: each takes some 32
// registers.
static int32_t batches(const ag_format *in, bool words)
{
    if (words)
        return in->words == AG_PACKING_FLOATS && in->channels == 4 ? 2 : 1;
    return in->channels < 3 ? 1 : 2;
}

// Image units of the copy and the eight levels, as literals. Unused ones get any valid unit.
static void define_units(ag_defines *defines, int32_t before)
{
    for (int32_t i = 0; i <= AG_IMAGE_MAX; ++i) {
        int32_t unit = before + i - 1, last = AG_IMAGE_MAX - 1;
        ag_defines_add(defines, "#define UNIT%d %d\n", i, unit < 0 ? 0 : unit < last ? unit : last);
    }
}

// How the first dispatch reads its source.
static void define_source(ag_defines *defines, const ag_levels_io *io)
{
    const ag_format *in = io->request->formats[io->src];
    const ag_texture *t = source_of(io);
    bool packed = reads_packed(io);
    if (!in->depth)
        ag_source_defines(in,
                          ag_is_array(t) ? (packed ? AG_BY_TEXTURE_LAYERS : AG_BY_IMAGE_LAYERS)
                                         : (packed ? AG_BY_TEXTURE : AG_BY_IMAGE),
                          defines);
    else // a sampler of depth
        ag_defines_add(defines, "#define SRC_KIND sampler2D%s%s\n#define SAMPLES %d\n",
                       ag_is_multisampled(t) ? "MS" : "", ag_is_array(t) ? "Array" : "",
                       ag_is_multisampled(t));
    ag_defines_add(defines, "#define DEPTH %d\n#define COUNTS %d\n", in->depth ? 2 : io->pyramid,
                   ag_levels_counts(in));
}

// Levels that even.comp makes, which halve exactly; 0: another program makes the first dispatch.
// Even tiles take 12 KiB, and the rest of a chain 5/4 of its region; GL promises 32 KiB.
static int32_t even_levels(const ag_mip_request *r, const ag_mip_dispatch *d)
{
    bool fits = !d->second.levels || ag_mip_finishes(r, d);
    return d->from < 0 && fits ? ag_mip_even(r, &d->first) : 0;
}

// The program of a dispatch: even.comp and odd.comp read the source, tail.comp goes on.
static ag_shader *shader_of(ag_frame *f, const ag_levels_io *io, const ag_levels_design *design,
                            const ag_mip_dispatch *d)
{
    const ag_format *in = io->request->formats[io->src], *out = dst_format(io);
    const ag_texture *t = source_of(io);
    const ag_mip_request *r = &design->plan.request;
    bool first = d->from < 0;
    int32_t odd_x = ag_mip_is_odd(ag_mip_size(t->rect_width, d->first.source));
    int32_t odd_y = ag_mip_is_odd(ag_mip_size(t->rect_height, d->first.source));
    int32_t region = region_of(d, AG_RUNS_NONE, odd_x), even = even_levels(r, d);
    int32_t second = d->second.levels ? AG_SECOND_TILES : AG_SECOND_NONE;
    if (even && second) {
        second = AG_SECOND_REST;
        region = ag_div_up(ag_mip_region(&d->second), 256) * 256;
    } else if (first && second && ag_mip_even(r, &d->first)) {
        region = AG_MIP_REGION;
    }
    int32_t read_by = first && !even ? runs(io, &d->first, odd_x) : AG_RUNS_NONE;
    if (read_by == AG_RUNS_SUMS)
        region = ag_max(region, region_of(d, read_by, odd_x));
    int32_t pass_on = even > 1 ? design->subgroups : AG_SUBGROUPS_NONE;
    ag_shader *shader = ag_frame_shader(f, !first ? "mip/tail.comp"
                                           : even ? "mip/even.comp"
                                                  : "mip/odd.comp");
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return shader;
    ag_defines_add(defines,
                   "%s#define LEVELS %d\n#define SECOND %d\n#define COPY %d\n"
                   "#define CHANNELS %d\n#define ARRAY %d\n#define STORE %d\n"
                   "#define REDUCE %d\n#define WEIGHT %d\n",
                   pass_on == AG_SUBGROUPS_OF_DRIVER ? AG_SUBGROUPS_EXTENSIONS : "", written(d),
                   second, first && io->copy, ag_levels_held_channels(out), ag_is_array(t),
                   out->store, io->reduce, io->weight);
    define_units(defines, first ? units_before(io) : 0);
    bool alone = !first && ag_mip_alone(d), rest = second == AG_SECOND_REST;
    if (!even || rest)
        ag_define(defines, "REGION", region);
    if (alone || rest) {
        const ag_mip_stage *stage = rest ? &d->second : &d->first;
        ag_define(defines, "HALVES", ag_mip_even(r, stage) == stage->levels);
    }
    if (!first) {
        ag_define(defines, "ALONE", alone);
        return shader;
    }
    define_source(defines, io);
    if (even || read_by != AG_RUNS_NONE)
        ag_define(defines, "BATCHES", batches(in, reads_packed(io)));
    if (even)
        ag_defines_add(defines, "#define EVEN %d\n#define SUBGROUPS %d\n", even, pass_on);
    else
        ag_defines_add(defines, "#define ODD_X %d\n#define ODD_Y %d\n#define RUNS %d\n", odd_x,
                       odd_y, read_by);
    return shader;
}

// ---- steps -------------------------------------------------------------------------------------

static const char *const step_names[AG_MIP_DISPATCHES] = {"tiles",  "tail",   "tail 2", "tail 3",
                                                          "tail 4", "tail 5", "tail 6", "tail 7"};

ag_view ag_levels_view(const ag_frame *f, int slot, uint32_t access, int32_t level)
{
    return (ag_view){.of = ag_slot(slot),
                     .access = access,
                     .level = level,
                     .layered = ag_is_array(&ag_frame_request(f)->slots[slot])};
}

static void say(ag_frame *f, const ag_levels_design *design)
{
    const ag_mip_plan *p = &design->plan;
    for (int32_t i = 0; i < p->count; ++i) {
        const ag_mip_stage *first = &p->dispatches[i].first, *second = &p->dispatches[i].second;
        ag_frame_text(f, "%s%d levels by %dx%d tiles", i ? "; " : "", first->levels,
                      first->tiles[0], first->tiles[1]);
        if (second->levels)
            ag_frame_text(f, ", %d more by the last of %dx%d", second->levels, second->tiles[0],
                          second->tiles[1]);
    }
    if (design->subgroups != AG_SUBGROUPS_NONE && even_levels(&p->request, p->dispatches) > 1)
        ag_frame_text(f, "; by subgroups");
}

static void add_textures(const ag_frame *f, const ag_levels_io *io, const ag_mip_dispatch *m,
                         ag_dispatch *d)
{
    bool first = m->from < 0;
    int32_t unit = 0;
    if (first && sampled(io))
        d->textures[0] = ag_levels_view(f, io->src, AG_READ, 0);
    else if (first)
        d->images[unit++] = ag_levels_view(f, io->src, AG_READ, 0);
    if (first && io->copy)
        d->images[unit++] = ag_levels_view(f, io->dst, AG_WRITE, 0);
    for (int32_t i = 1; i <= written(m); ++i)
        d->images[unit++] = ag_levels_view(f, io->dst, AG_WRITE, m->first.source + i - io->above);
}

void ag_levels_make(ag_frame *f, const ag_levels_io *io, const ag_levels_design *design,
                    ag_handle scratch, ag_handle info)
{
    const ag_mip_plan *p = &design->plan;
    const ag_texture *src = source_of(io), *dst = &io->request->slots[io->dst];
    say(f, design);
    ag_shader *shaders[AG_MIP_DISPATCHES];
    for (int32_t i = 0; i < p->count; ++i)
        shaders[i] = shader_of(f, io, design, &p->dispatches[i]);
    ag_handle counters = {0}; // each execute leaves them at 0
    if (p->counters)
        counters =
            ag_own_memory(f, &(ag_own){.name = "counters",
                                       .bytes = 4 * (uint64_t)p->counters * (uint64_t)src->layers});

    for (int32_t i = 0; i < p->count; ++i) {
        const ag_mip_dispatch *m = &p->dispatches[i];
        uint32_t access = (m->from >= 0 || m->second.levels ? AG_READ : 0) |
                          (m->first_at >= 0 || m->from < 0 ? AG_WRITE : 0);
        const ag_uniform uniforms[] = {
            ag_rect_uniform(AG_LOC_SRC_RECT, src),
            AG_INTS(AG_LOC_DST_RECT, dst->rect_x << io->above, dst->rect_y << io->above,
                    dst->width << io->above, dst->height << io->above),
            AG_INTS(AG_LOC_SRC_MODE, 0, 0, 0, src->first_layer),
            AG_INTS(AG_LOC_TEXTURE, ag_frame_samples(f, io->src), src->level, dst->first_layer, 0),
            AG_INTS(AG_LOC_STAGE, m->first.source, p->handover, 0, io->scrub),
            AG_INTS(AG_LOC_HANDOVER, m->from, m->first_at, m->second_at, 0),
            AG_INTS(AG_LOC_SECOND, m->second.tiles[0], m->second.tiles[1], m->second.halo[0],
                    m->second.halo[1]),
            AG_INTS(AG_LOC_LEVELS, m->first.levels, m->second.levels, m->first.tile, 0),
        };
        ag_dispatch d = {.shader = shaders[i],
                         .ranges[AG_SSBO_HANDOVER] =
                             ag_block_of(scratch, access, 0, design->handover),
                         AG_UNIFORMS(uniforms),
                         .groups = {(uint32_t)m->first.tiles[0], (uint32_t)m->first.tiles[1],
                                    (uint32_t)src->layers}};
        add_textures(f, io, m, &d);
        if (m->second.levels)
            d.ranges[AG_SSBO_COUNTERS] = ag_all(counters, AG_READ | AG_WRITE);
        if (m->from < 0 && ag_levels_counts(io->request->formats[io->src]))
            d.ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD);
        ag_frame_step(f, step_names[i]);
        ag_frame_dispatch(f, &d);
    }
}
