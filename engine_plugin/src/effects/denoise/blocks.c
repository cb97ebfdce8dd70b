// blocks.c - the filter "blocks" of "denoise": stacks of like blocks, filtered together
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/checks.h"

enum { SRC = AG_DENOISE_SRC, BEFORE = 4 }; // texels at which reference blocks begin

typedef struct blocks {
    const ag_denoise *n;
    int32_t components, subgroups;
    ag_shader *begin, *match[2], *filter[2], *end[2];
    ag_handle planes, sums, matches;
} blocks;

// ---- plan --------------------------------------------------------------------------------------

static int32_t components_of(const ag_request *request)
{
    return ag_min(request->formats[SRC]->channels, AG_DENOISE_COMPONENTS);
}

static bool has_estimate(const ag_denoise_settings *s)
{
    return s->levels > 1;
}

// Of the planes of two images; of sums and weights.
static int64_t bytes_of(const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    return 8 * (int64_t)components_of(request) * src->rect_width * src->rect_height;
}

ag_status ag_blocks_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           int32_t *subgroups)
{
    *subgroups = ag_subgroups_of(gl, &request->tuning, &request->tuning.denoise_exchange);
    return ag_check_block(host, gl, request, SRC, bytes_of(request));
}

// Reference blocks; the first one begins before the first texel.
static int32_t blocks_across(const ag_denoise *n)
{
    return ag_div_up(n->shape.rect_width + BEFORE, AG_BLOCKS_STEP_X);
}

static int32_t blocks_down(const ag_denoise *n)
{
    return ag_div_up(n->shape.rect_height + BEFORE, AG_BLOCKS_STEP_Y);
}

// ---- shaders -----------------------------------------------------------------------------------

static ag_shader *shader_of(const blocks *b, const char *path)
{
    ag_shader *shader = ag_frame_shader(b->n->f, path);
    ag_denoise_define(b->n, shader, b->n->s.space, b->components);
    return shader;
}

static void name_shaders(blocks *b)
{
    const ag_denoise *n = b->n;
    b->begin = shader_of(b, "denoise/blocks_begin.comp");
    ag_shader_reads_picture(b->begin, &n->src);
    for (int32_t step = 0; step < 2; ++step) {
        bool last = step == has_estimate(&n->s);
        b->match[step] = shader_of(b, "denoise/blocks_match.comp");
        ag_shader_define(b->match[step], "ESTIMATE", step);
        b->filter[step] = shader_of(b, "denoise/blocks_filter.comp");
        ag_shader_define(b->filter[step], "WIENER", step);
        ag_shader_define(b->filter[step], "SUBGROUPS", b->subgroups);
        ag_defines *defines = ag_shader_defines(b->filter[step]);
        if (defines && b->subgroups == AG_SUBGROUPS_OF_DRIVER)
            ag_defines_add(defines, "%s", AG_SUBGROUPS_EXTENSIONS);
        b->end[step] = shader_of(b, "denoise/blocks_end.comp");
        ag_shader_define(b->end[step], "LAST", last);
        if (last) {
            ag_shader_reads_picture(b->end[step], &n->src);
            ag_shader_define(b->end[step], "STORE", n->dst.format->store);
            return;
        }
    }
}

// ---- dispatches --------------------------------------------------------------------------------

static void dispatch(const blocks *b, int32_t layer, ag_dispatch *d)
{
    const ag_denoise *n = b->n;
    ag_uniform uniforms[] = {
        [AG_DENOISE_UNIFORMS] = AG_INTS(AG_LOC_DENOISE_SETS, n->set, 0, 0, 0),
    };
    ag_denoise_uniforms(n, layer, uniforms);
    d->uniforms = uniforms;
    d->uniform_count = AG_DENOISE_UNIFORMS + 1;
    ag_frame_dispatch(n->f, d);
}

static void begin(const blocks *b, int32_t layer)
{
    const ag_denoise *n = b->n;
    ag_dispatch d = {.shader = b->begin,
                     .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, n->reading),
                     .ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD),
                     .ranges[AG_SSBO_DENOISE_FROM] = ag_all(b->planes, AG_WRITE),
                     .ranges[AG_SSBO_DENOISE_TO] = ag_all(b->sums, AG_WRITE),
                     .groups = {ag_groups(n->shape.rect_width, 16),
                                ag_groups(n->shape.rect_height, 16), 1}};
    ag_dispatch_reads_picture(&d, &n->src, layer);
    dispatch(b, layer, &d);
}

// Groups of `side` x `side` reference blocks.
static void groups_of(const blocks *b, int32_t side, uint32_t groups[3])
{
    groups[0] = ag_groups(blocks_across(b->n), side);
    groups[1] = ag_groups(blocks_down(b->n), side);
    groups[2] = 1;
}

static void match(const blocks *b, int32_t layer, int32_t step)
{
    ag_dispatch d = {.shader = b->match[step],
                     .ranges[AG_SSBO_DENOISE_FROM] = ag_all(b->planes, AG_READ),
                     .ranges[AG_SSBO_DENOISE_DETAILS] = ag_all(b->matches, AG_WRITE)};
    groups_of(b, AG_BLOCKS_MATCHING, d.groups);
    dispatch(b, layer, &d);
}

static void filter(const blocks *b, int32_t layer, int32_t step)
{
    ag_dispatch d = {.shader = b->filter[step],
                     .ranges[AG_SSBO_DENOISE_FROM] = ag_all(b->planes, AG_READ),
                     .ranges[AG_SSBO_DENOISE_TO] = ag_all(b->sums, AG_ADD),
                     .ranges[AG_SSBO_DENOISE_DETAILS] = ag_all(b->matches, AG_READ)};
    groups_of(b, AG_BLOCKS_FILTERING, d.groups);
    d.groups[2] = (uint32_t)b->components;
    dispatch(b, layer, &d);
}

static void end(const blocks *b, int32_t layer, int32_t step)
{
    const ag_denoise *n = b->n;
    bool last = step == has_estimate(&n->s);
    ag_dispatch d = {
        .shader = b->end[step],
        .ranges[AG_SSBO_DENOISE_TO] = ag_all(b->sums, last ? AG_READ : AG_READ | AG_WRITE),
        .groups = {ag_groups(n->shape.rect_width, 16), ag_groups(n->shape.rect_height, 16), 1}};
    if (last) {
        ag_dispatch_reads_picture(&d, &n->src, layer);
        d.images[AG_IMAGE_DST] = ag_picture_view(&n->dst, AG_WRITE, layer);
        d.ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, n->reading);
    } else {
        d.ranges[AG_SSBO_DENOISE_FROM] = ag_all(b->planes, AG_READ | AG_WRITE);
    }
    dispatch(b, layer, &d);
}

void ag_blocks_steps(const ag_denoise *n, int32_t subgroups)
{
    blocks b = {.n = n, .components = components_of(n->request), .subgroups = subgroups};
    uint64_t bytes = (uint64_t)bytes_of(n->request),
             stacks = (uint64_t)blocks_across(n) * (uint64_t)blocks_down(n);
    name_shaders(&b);
    b.planes = ag_scratch(n->f, "planes", bytes);
    b.sums = ag_scratch(n->f, "sums", bytes);
    b.matches = ag_scratch(n->f, "matches", 4 * AG_BLOCKS_STACK * stacks);
    for (int32_t layer = 0; layer < n->dst.shape->layers; ++layer) {
        ag_frame_step(n->f, "begin");
        begin(&b, layer);
        for (int32_t step = 0; step < 1 + has_estimate(&n->s); ++step) {
            ag_frame_step(n->f, step ? "match again" : "match");
            match(&b, layer, step);
            ag_frame_step(n->f, step ? "wiener" : "hard");
            filter(&b, layer, step);
            ag_frame_step(n->f, step == has_estimate(&n->s) ? "end" : "estimate");
            end(&b, layer, step);
        }
    }
}
