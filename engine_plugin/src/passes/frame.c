// frame.c - a pass from a folder as an effect: its description, interpreted
// SPDX-License-Identifier: MIT
#include "core/frame.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/checks.h"
#include "passes/description.h"
#include "shaders/pass/interface.h"

#include <string.h>

enum { MOST_GROUPS = 65535 }; // of a dispatch in x and y: what GL promises

static const ag_description *description_of(const ag_request *request)
{
    return (const ag_description *)request->info; // the first member of its first member
}

// ---- sizes -------------------------------------------------------------------------------------

void ag_pass_size_of(const ag_request *request, const ag_pass_size *size, int32_t out[2])
{
    out[0] = size->width;
    out[1] = size->height;
    if (size->slot < 0)
        return;
    const ag_texture *t = &request->slots[size->slot];
    int64_t w = (int64_t)t->rect_width * size->times, h = (int64_t)t->rect_height * size->times;
    out[0] = (int32_t)((w + size->over - 1) / size->over);
    out[1] = (int32_t)((h + size->over - 1) / size->over);
}

void ag_pass_texture_size(const ag_description *d, const ag_request *request, int32_t texture,
                          int32_t level, int32_t size[2])
{
    ag_pass_size_of(request, &d->textures[texture].size, size);
    for (int i = 0; i < 2; ++i)
        size[i] = (int32_t)(((int64_t)size[i] + (1 << level) - 1) >> level);
}

int32_t ag_pass_texel_bytes(const ag_format *f)
{
    bool floats = f->store == AG_STORE_32F && f->channels != 3;
    bool halves = f->store == AG_STORE_16F && f->channels != 1;
    bool words = f->name == GL_RGBA8 || f->name == GL_R32UI;
    return floats || halves || words ? f->bytes : 0;
}

int32_t ag_pass_value(const ag_request *request, ag_pass_number n, int32_t round)
{
    return n.number + (n.setting ? request->settings.words[n.setting] : 0) + (n.round ? round : 0);
}

void ag_pass_slot_size_of(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_description *d = description_of(request);
    ag_pass_size_of(request, &d->sizes[slot], size);
    size[2] = request->slots[0].layers ? request->slots[0].layers : 1;
    if (d->slots[slot].access & AG_STATE) // one for all layers, unless it is as large as they are
        size[2] = d->sizes[slot].slot < 0 ? 1 : size[2];
}

// ---- check -------------------------------------------------------------------------------------

static bool is_empty(const ag_request *request, const ag_pass_use *use)
{
    return use->slot >= 0 && !request->formats[use->slot];
}

bool ag_pass_step_works(const ag_pass_step *step, const ag_request *request)
{
    bool writes = false;
    for (int32_t i = 0; i < step->use_count; ++i)
        writes = writes || (step->uses[i].access & AG_WRITE && !is_empty(request, &step->uses[i]));
    return writes && (step->over < 0 || !is_empty(request, &step->uses[step->over]));
}

bool ag_pass_samples(const ag_request *request, const ag_pass_use *use)
{
    return use->slot >= 0 && (request->formats[use->slot]->depth ||
                              (use->access == AG_READ && request->sampled >> use->slot & 1));
}

static void size_of_use(const ag_request *request, const ag_pass_use *use, int32_t round,
                        int32_t size[2])
{
    if (use->slot >= 0) {
        size[0] = request->slots[use->slot].rect_width;
        size[1] = request->slots[use->slot].rect_height;
    } else {
        ag_pass_texture_size(description_of(request), request, use->texture,
                             ag_pass_value(request, use->level, round), size);
    }
}

typedef struct rounds {
    int32_t first, count, by;
} rounds;

static rounds rounds_of(const ag_request *request, const ag_pass_step *step)
{
    if (!step->repeats)
        return (rounds){0, 1, 1};
    int32_t first = ag_pass_value(request, step->first, 0),
            last = ag_pass_value(request, step->last, 0),
            count = step->downwards ? first - last + 1 : last - first + 1;
    return (rounds){first, count > 0 ? count : 0, step->downwards ? -1 : 1};
}

static ag_status check_slot(const ag_host *host, const ag_request *request, int i)
{
    const ag_description *d = description_of(request);
    const ag_texture *t = &request->slots[i];
    int32_t size[2];
    AG_TRY(ag_check_one_sample(host, request, i));
    if (request->formats[i]->depth && ag_is_array(t))
        return ag_fail(host, AG_E_ARG, "%s: %s is an array; depth must be a GL_TEXTURE_2D",
                       d->effect.info.id, d->slots[i].name);
    if (t->layers != 1)
        AG_TRY(ag_check_same_layers(host, request, i, 0));
    if (t->layers == 1 && d->slots[i].access & AG_WRITE && !(d->slots[i].access & AG_STATE))
        AG_TRY(ag_check_same_layers(host, request, i, 0));
    if (!d->sized[i])
        return AG_OK;
    ag_pass_size_of(request, &d->sizes[i], size);
    if (t->rect_width == size[0] && t->rect_height == size[1])
        return AG_OK;
    return ag_fail(host, AG_E_SIZE, "%s: %s's rectangle is %dx%d; it must be %dx%d",
                   d->effect.info.id, d->slots[i].name, t->rect_width, t->rect_height, size[0],
                   size[1]);
}

// Levels that exist, and groups that GL takes.
static ag_status check_round(const ag_host *host, const ag_request *request,
                             const ag_pass_step *step, int32_t round)
{
    const ag_description *d = description_of(request);
    const char *id = d->effect.info.id;
    int32_t levels[AG_PASS_USES] = {0};
    for (int32_t i = 0; i < step->use_count; ++i) {
        const ag_pass_use *use = &step->uses[i];
        if (use->texture < 0)
            continue;
        levels[i] = ag_pass_value(request, use->level, round);
        int32_t most = d->textures[use->texture].levels;
        if (levels[i] < 0 || levels[i] >= most)
            return ag_fail(host, AG_E_ARG,
                           "%s: step %s (" AG_PASS_FILE ":%u) needs level %d of %s, which has %d",
                           id, step->name, step->place.line, levels[i],
                           d->textures[use->texture].name, most);
        for (int32_t k = 0; k < i; ++k)
            if (step->uses[k].texture == use->texture && levels[k] == levels[i])
                return ag_fail(host, AG_E_ARG,
                               "%s: step %s (" AG_PASS_FILE ":%u) has %s and %s, which are both "
                               "level %d of %s",
                               id, step->name, step->place.line, step->uses[k].name, use->name,
                               levels[i], d->textures[use->texture].name);
    }
    int32_t size[2] = {1, 1};
    if (step->over >= 0)
        size_of_use(request, &step->uses[step->over], round, size);
    for (int i = 0; i < 2; ++i)
        if (ag_div_up(size[i], step->tile[i]) > MOST_GROUPS)
            return ag_fail(host, AG_E_SIZE,
                           "%s: step %s (" AG_PASS_FILE ":%u) covers %dx%d by groups of %dx%d; "
                           "GL has at most %d groups an axis",
                           id, step->name, step->place.line, size[0], size[1], step->tile[0],
                           step->tile[1], MOST_GROUPS);
    return AG_OK;
}

static ag_status check_step(const ag_host *host, const ag_request *request,
                            const ag_pass_step *step)
{
    rounds all = rounds_of(request, step);
    if (all.count > AG_PASS_ROUNDS)
        return ag_fail(host, AG_E_ARG,
                       "%s: step %s (" AG_PASS_FILE ":%u) has %d rounds; the limit "
                       "is %d",
                       request->info->id, step->name, step->place.line, all.count, AG_PASS_ROUNDS);
    for (int32_t i = 0; i < all.count; ++i)
        AG_TRY(check_round(host, request, step, all.first + i * all.by));
    return AG_OK;
}

// The levels of textures that the steps of a job have written, and its slots.
typedef struct written {
    uint32_t levels[AG_PASS_TEXTURES], slots;
} written;

// A round reads what was written before it, and writes.
static ag_status follow_round(const ag_host *host, const ag_request *request,
                              const ag_pass_step *step, int32_t round, written *w)
{
    const ag_description *d = description_of(request);
    uint32_t levels[AG_PASS_USES] = {0};
    for (int32_t i = 0; i < step->use_count; ++i) {
        const ag_pass_use *use = &step->uses[i];
        if (use->texture < 0)
            continue;
        int32_t level = ag_pass_value(request, use->level, round);
        levels[i] = 1u << level;
        if (use->access != AG_READ || d->textures[use->texture].keep ||
            w->levels[use->texture] & levels[i])
            continue;
        return ag_fail(host, AG_E_ARG,
                       "%s: step %s (" AG_PASS_FILE ":%u) reads %s[%d], which no step of this job "
                       "has written before: some are left out, by an empty slot or a range",
                       request->info->id, step->name, step->place.line,
                       d->textures[use->texture].name, level);
    }
    for (int32_t i = 0; i < step->use_count; ++i) {
        const ag_pass_use *use = &step->uses[i];
        if (use->access & AG_WRITE && use->texture >= 0)
            w->levels[use->texture] |= levels[i];
        else if (use->access & AG_WRITE)
            w->slots |= 1u << use->slot;
    }
    return AG_OK;
}

// Steps that are left out write nothing, so what they were to write must not be needed.
static ag_status check_written(const ag_host *host, const ag_request *request)
{
    const ag_description *d = description_of(request);
    written w = {0};
    for (int32_t i = 0; i < d->step_count; ++i) {
        const ag_pass_step *step = &d->steps[i];
        rounds all = rounds_of(request, step);
        for (int32_t k = 0; k < all.count && ag_pass_step_works(step, request); ++k)
            AG_TRY(follow_round(host, request, step, all.first + k * all.by, &w));
    }
    for (uint32_t i = 0; i < d->effect.info.slot_count; ++i)
        if (request->formats[i] && !(d->slots[i].access & AG_READ) && !(w.slots >> i & 1))
            return ag_fail(host, AG_E_ARG,
                           "%s: no step of this job writes the slot %s: those that do are left "
                           "out, by an empty slot or a range",
                           request->info->id, d->slots[i].name);
    return AG_OK;
}

ag_status ag_pass_check(const ag_host *host, ag_request *request)
{
    const ag_description *d = description_of(request);
    for (uint32_t i = 0; i < d->effect.info.slot_count; ++i)
        if (request->formats[i]) {
            AG_TRY(check_slot(host, request, (int)i));
            if (ag_is_array(&request->slots[i])) // image units bind one layer
                request->samples &= ~(1u << i);
        }
    for (int32_t i = 0; i < d->step_count; ++i)
        if (ag_pass_step_works(&d->steps[i], request))
            AG_TRY(check_step(host, request, &d->steps[i]));
    return check_written(host, request);
}

// ---- memory ------------------------------------------------------------------------------------

// Of one layer, where the range of the next may begin.
static uint64_t layer_bytes(const ag_description *d, const ag_request *request, int32_t texture,
                            int32_t level, int64_t alignment, uint64_t *used)
{
    int32_t size[2];
    ag_pass_texture_size(d, request, texture, level, size);
    uint64_t bytes = (uint64_t)size[0] * (uint64_t)size[1] *
                     (uint64_t)ag_pass_texel_bytes(d->textures[texture].format);
    *used = bytes;
    return (uint64_t)ag_align_up((int64_t)bytes, alignment);
}

ag_status ag_pass_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                         void *design)
{
    const ag_description *d = description_of(request);
    const ag_effect_info *info = &d->effect.info;
    (void)design;
    AG_TRY(ag_units_check(host, gl, info->image_units, info->id, "its steps"));
    for (int32_t t = 0; t < d->texture_count; ++t) {
        uint64_t bytes = 0;
        layer_bytes(d, request, t, 0, gl->ssbo_alignment, &bytes);
        if (bytes > (uint64_t)gl->max_ssbo_bytes)
            return ag_fail(host, AG_E_SIZE,
                           "%s: the texture %s needs %llu bytes; this context's storage blocks "
                           "hold %lld",
                           info->id, d->textures[t].name, (unsigned long long)bytes,
                           (long long)gl->max_ssbo_bytes);
    }
    return AG_OK;
}

typedef struct memory { // of the textures' levels
    ag_handle handle[AG_PASS_TEXTURES][AG_PASS_LEVELS];
    uint64_t stride[AG_PASS_TEXTURES][AG_PASS_LEVELS], bytes[AG_PASS_TEXTURES][AG_PASS_LEVELS];
} memory;

static void name_memory(ag_frame *f, const ag_description *d, memory *m)
{
    const ag_request *request = ag_frame_request(f);
    uint64_t layers = (uint64_t)request->slots[0].layers;
    for (int32_t t = 0; t < d->texture_count; ++t)
        for (int32_t k = 0; k < d->textures[t].levels; ++k) {
            const ag_pass_texture *texture = &d->textures[t];
            int32_t key[2];
            uint64_t *bytes = &m->bytes[t][k];
            m->stride[t][k] = layer_bytes(d, request, t, k, ag_frame_gl(f)->ssbo_alignment, bytes);
            ag_pass_texture_size(d, request, t, k, key);
            ag_own own = {.name = texture->names[k],
                          .bytes = m->stride[t][k] * layers,
                          .key = key,
                          .key_bytes = sizeof key};
            m->handle[t][k] =
                texture->keep ? ag_own_memory(f, &own) : ag_scratch(f, own.name, own.bytes);
        }
}

// ---- frame -------------------------------------------------------------------------------------

typedef struct bound { // what a step binds, and its uniforms
    ag_dispatch dispatch;
    ag_uniform uniforms[AG_PASS_UNIFORMS];
} bound;

static void add_uniform(bound *b, ag_uniform uniform)
{
    b->uniforms[b->dispatch.uniform_count++] = uniform;
}

// A slot that has one layer serves all.
static void bind_use(const ag_request *request, const ag_pass_use *use, int32_t place,
                     int32_t round, int32_t layer, const memory *m, int32_t units[3], bound *b)
{
    ag_dispatch *to = &b->dispatch;
    int32_t size[2], x = 0, y = 0;
    size_of_use(request, use, round, size);
    if (use->slot < 0) {
        int32_t k = ag_pass_value(request, use->level, round);
        to->ranges[units[2]++] =
            ag_block_of(m->handle[use->texture][k], use->access,
                        (uint64_t)layer * m->stride[use->texture][k], m->bytes[use->texture][k]);
    } else {
        const ag_texture *t = &request->slots[use->slot];
        ag_view view = ag_slot_view(use->slot, use->access, t->layers > 1 ? layer : 0);
        if (ag_pass_samples(request, use))
            to->textures[units[1]++] = view;
        else
            to->images[units[0]++] = view;
        x = t->rect_x;
        y = t->rect_y;
    }
    add_uniform(b, (ag_uniform)AG_INTS(AG_LOC_PASS_USES + place, x, y, size[0], size[1]));
}

static void set_values(const ag_request *request, const ag_description *d, bound *b)
{
    for (int32_t i = 0; i < d->float_count; i += 4) {
        ag_uniform u = AG_FLOATS(AG_LOC_PASS_FLOATS + i / 4, 0, 0, 0, 0);
        for (int k = 0; k < 4; ++k) // word 0 is the struct's size: no setting
            u.value.f[k] = d->floats[i + k] ? request->settings.floats[d->floats[i + k]] : 0;
        add_uniform(b, u);
    }
    for (int32_t i = 0; i < d->int_count; i += 4) {
        ag_uniform u = AG_INTS(AG_LOC_PASS_INTS + i / 4, 0, 0, 0, 0);
        for (int k = 0; k < 4; ++k)
            u.value.i[k] = d->ints[i + k] ? request->settings.words[d->ints[i + k]] : 0;
        add_uniform(b, u);
    }
}

static void dispatch(ag_frame *f, const ag_description *d, const ag_pass_step *step,
                     ag_shader *shader, int32_t round, int32_t layer, const memory *m)
{
    const ag_request *request = ag_frame_request(f);
    uint32_t scrub = d->settings[d->effect.info.setting_count - 1].offset / 4;
    bool reset = request->flags & AG_JOB_RESET;
    int32_t grid[2] = {1, 1}, units[3] = {0};
    bound b;
    memset(&b.dispatch, 0, sizeof b.dispatch);
    if (step->over >= 0)
        size_of_use(request, &step->uses[step->over], round, grid);
    add_uniform(&b, (ag_uniform)AG_INTS(AG_LOC_PASS_RUN, layer, round,
                                        request->settings.words[scrub], 0));
    add_uniform(&b, (ag_uniform)AG_INTS(AG_LOC_PASS_FRAME, (int32_t)(uint32_t)request->frame, reset,
                                        0, 0));
    add_uniform(&b, (ag_uniform)AG_FLOATS(AG_LOC_PASS_TIME, request->dt, 0, 0, 0));
    for (int32_t i = 0; i < step->use_count; ++i)
        if (!is_empty(request, &step->uses[i]))
            bind_use(request, &step->uses[i], i, round, layer, m, units, &b);
    set_values(request, d, &b);
    b.dispatch.shader = shader;
    b.dispatch.uniforms = b.uniforms;
    b.dispatch.ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD);
    b.dispatch.groups[0] = ag_groups(grid[0], step->over < 0 ? 1 : step->tile[0]);
    b.dispatch.groups[1] = ag_groups(grid[1], step->over < 0 ? 1 : step->tile[1]);
    b.dispatch.groups[2] = 1;
    ag_frame_dispatch(f, &b.dispatch);
}

void ag_pass_frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_description *d = description_of(request);
    const ag_texture *first = &request->slots[0];
    memory m;
    ag_frame_text(f, "%s: %dx%d, %d layers", d->effect.info.id, first->rect_width,
                  first->rect_height, first->layers);
    ag_frame_info(f);
    name_memory(f, d, &m);
    for (int32_t i = 0; i < d->step_count; ++i) {
        const ag_pass_step *step = &d->steps[i];
        rounds all = rounds_of(request, step);
        if (!ag_pass_step_works(step, request) || !all.count)
            continue;
        ag_shader *shader = ag_frame_shader(f, step->file);
        ag_defines *defines = ag_shader_defines(shader);
        if (defines)
            ag_pass_block(d, step, request, defines);
        ag_frame_step(f, step->name);
        for (int32_t k = 0; k < all.count; ++k)
            for (int32_t layer = 0; layer < first->layers; ++layer)
                dispatch(f, d, step, shader, all.first + k * all.by, layer, &m);
    }
}
