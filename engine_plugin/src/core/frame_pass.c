// frame_pass.c - what a pass does with the frame of its effect
// SPDX-License-Identifier: MIT
#include "core/frame_pass.h"
#include "base/memory.h"
#include "core/frame_state.h"
#include "core/info.h"

#include <assert.h>
#include <string.h>

size_t ag_frame_design_bytes(const ag_effect *effect)
{
    return sizeof(ag_design) + effect->design_bytes;
}

size_t ag_frame_state_bytes(const ag_effect *effect)
{
    return sizeof(ag_frame_state) + effect->facts_bytes;
}

// ---- plan --------------------------------------------------------------------------------------

// The job with images as large as the largest that the plan shall serve: those of slot 0's size.
static ag_request largest(const ag_request *request)
{
    ag_request large = *request;
    const ag_texture *first = &request->slots[0];
    if (request->plan_width < first->rect_width || request->plan_height < first->rect_height)
        return large;
    for (uint32_t i = 0; i < request->info->slot_count; ++i)
        if (request->slots[i].rect_width == first->rect_width &&
            request->slots[i].rect_height == first->rect_height) {
            large.slots[i].rect_width = request->plan_width;
            large.slots[i].rect_height = request->plan_height;
        }
    return large;
}

// What is said of a setting's change holds for its words.
static int32_t *add_settings(const ag_request *request, uint32_t prepare, int32_t *out)
{
    for (uint32_t i = 0; i < request->info->setting_count; ++i) {
        const ag_setting_info *s = &request->info->settings[i];
        for (uint32_t k = 0; k < s->count && s->prepare == prepare; ++k)
            *out++ = request->settings.words[s->offset / 4 + k];
    }
    return out;
}

static void fill_shape(const ag_effect *effect, const ag_request *request, ag_shape *shape)
{
    ag_request large = effect->serves_smaller ? largest(request) : *request;
    if (effect->same_plan)
        effect->same_plan(&large.settings);
    int32_t *plan = shape->plan, *kernel = shape->kernel;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i) {
        const ag_texture *t = &large.slots[i];
        if (!request->formats[i])
            continue;
        *plan++ = (int32_t)i + 1;
        *plan++ = (int32_t)t->format;
        *plan++ = (int32_t)t->target;
        *plan++ = t->rect_width;
        *plan++ = t->rect_height;
        *plan++ = t->layers;
        if (!(effect->contents >> i & 1))
            continue;
        const int32_t texels[] = {
            (int32_t)t->name, (int32_t)t->version, (int32_t)(t->version >> 32),
            t->level,         t->first_layer,      t->rect_x,
            t->rect_y};
        memcpy(kernel, texels, sizeof texels);
        kernel += sizeof texels / sizeof *texels;
    }
    if (!effect->serves_smaller) {
        *plan++ = request->plan_width;
        *plan++ = request->plan_height;
    }
    plan = add_settings(&large, AG_PREPARE_PLAN, plan);
    kernel = add_settings(&large, AG_PREPARE_KERNEL, kernel);
    assert(plan <= shape->plan + sizeof shape->plan / 4);
    assert(kernel <= shape->kernel + sizeof shape->kernel / 4);
}

ag_status ag_frame_check(const ag_host *host, const ag_effect *effect, ag_request *request,
                         ag_shape *shape)
{
    ag_status status = effect->check(host, request, shape);
    if (status >= 0 && !effect->states_shape)
        fill_shape(effect, request, shape);
    return status;
}

static bool overlap(const ag_store *a, const ag_store *b)
{
    return a->first_step <= b->last_step && b->first_step <= a->last_step;
}

// Each block at the lowest place that no earlier block has which lives at the same time.
static uint64_t lay_out_scratch(ag_design *design, uint64_t alignment)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < design->store_count; ++i) {
        ag_store *s = &design->stores[i];
        if (s->kind != AG_IN_SCRATCH || !s->used)
            continue;
        bool moved = true;
        while (moved) {
            moved = false;
            for (uint32_t k = 0; k < i; ++k) {
                const ag_store *o = &design->stores[k];
                if (o->kind != AG_IN_SCRATCH || !o->used || !overlap(o, s) ||
                    o->offset >= s->offset + s->bytes || s->offset >= o->offset + o->bytes)
                    continue;
                s->offset = (o->offset + o->bytes + alignment - 1) / alignment * alignment;
                moved = true;
            }
        }
        end = s->offset + s->bytes > end ? s->offset + s->bytes : end;
    }
    return end;
}

// Of a slot's texture, with the levels below that are used.
static uint64_t slot_bytes(const ag_request *request, uint32_t slot)
{
    const ag_texture *t = &request->slots[slot];
    uint64_t texels = 0;
    for (int32_t k = 0; k <= request->more_levels[slot]; ++k) {
        int32_t w = t->rect_width >> k, h = t->rect_height >> k;
        texels += (uint64_t)(w ? w : 1) * (uint64_t)(h ? h : 1);
    }
    return texels * (uint64_t)t->layers * (uint64_t)request->formats[slot]->bytes;
}

static void add_resource(ag_pass_plan *plan, const ag_resource *row)
{
    plan->resources[plan->head.resource_count++] = *row;
}

static void list_resources(ag_frame *f)
{
    ag_pass_plan *plan = f->plan;
    const ag_effect_info *info = f->request->info;
    for (uint32_t i = 0; i < info->slot_count; ++i)
        if (f->slots[i].used || (f->effect->contents >> i & 1 && f->request->formats[i])) {
            if (!f->slots[i].used) // prepare reads it, and again when a shader is edited
                f->slots[i].last_step = f->step_count - 1;
            add_resource(plan,
                         &(ag_resource){.name = info->slots[i].name,
                                        .access = info->slots[i].access & (AG_READ | AG_WRITE),
                                        .first_step = f->slots[i].first_step,
                                        .last_step = f->slots[i].last_step,
                                        .bytes = slot_bytes(f->request, i)});
        }
    for (uint32_t i = 0; i < f->design->store_count; ++i) {
        const ag_store *s = &f->design->stores[i];
        bool scratch = s->kind == AG_IN_SCRATCH;
        bool own = s->kind == AG_IN_BUFFER || s->kind == AG_IN_TEXTURE;
        if (!scratch)
            plan->head.persistent_bytes += s->bytes;
        if ((scratch || own) && s->used)
            add_resource(plan,
                         &(ag_resource){.name = s->name,
                                        .kind = scratch ? AG_RESOURCE_SCRATCH : AG_RESOURCE_OWN,
                                        .access = s->access,
                                        .first_step = s->first_step,
                                        .last_step = s->last_step,
                                        .offset = s->offset,
                                        .bytes = s->bytes});
    }
}

ag_status ag_frame_make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             void *detail, ag_pass_plan *plan)
{
    ag_design *design = detail;
    const ag_effect *effect = (const ag_effect *)request->info;
    ag_status status = effect->design ? effect->design(host, gl, request, design + 1) : AG_OK;
    if (status < 0)
        return status;
    ag_request large = effect->serves_smaller ? largest(request) : *request;
    ag_frame f;
    ag_frame_begin(&f, AG_FRAME_PLANS, host, gl, &large, design);
    memset(f.slots, 0, sizeof f.slots);
    memset(design->stores, 0, sizeof design->stores);
    f.plan = plan;
    static const uint64_t no_facts[AG_MAX_FACTS / 8]; // frames that plan only read them
    f.facts = (void *)no_facts;
    effect->frame(&f);
    design->store_count = f.store_count;
    plan->head.step_count = f.step_count;
    plan->head.scratch_bytes = lay_out_scratch(design, (uint64_t)gl->ssbo_alignment);
    list_resources(&f);
    return f.status;
}

// ---- prepare -----------------------------------------------------------------------------------

static void begin(ag_frame *f, ag_frame_mode mode, const ag_preparation *prep,
                  const ag_request *request, const void *detail, ag_frame_state *state)
{
    ag_frame_begin(f, mode, &prep->gpu->host, &prep->gpu->gl, request, (ag_design *)detail);
    f->prep = prep;
    f->state = state;
    f->facts = state ? state + 1 : NULL;
}

static ag_status compile(const ag_preparation *prep, const ag_request *request, const void *detail,
                         ag_frame_state *state)
{
    ag_frame f;
    uint64_t no_facts[AG_MAX_FACTS / 8] = {0};
    uint32_t count = 0;
    for (int i = 0; i < 2; ++i) {
        begin(&f, AG_FRAME_COMPILES, prep, request, detail, state);
        f.facts = no_facts; // `make` writes them
        f.gets = state != NULL;
        f.of_make = i == 1;
        f.first_shader = count;
        if (i == 0)
            f.effect->frame(&f);
        else if (f.effect->make)
            f.effect->make(&f);
        ag_frame_end_shader(&f);
        if (f.status < 0)
            return f.status;
        count += f.shader_count;
        if (state && i == 0)
            state->frame_programs = count;
    }
    if (state)
        state->program_count = count;
    return AG_OK;
}

ag_status ag_frame_compile(const ag_preparation *prep, const ag_request *request,
                           const void *detail)
{
    return compile(prep, request, detail, NULL);
}

static ag_status make(const ag_preparation *prep, const ag_request *request, const void *detail,
                      ag_frame_state *old, ag_frame_state *state)
{
    ag_frame f;
    begin(&f, AG_FRAME_MAKES, prep, request, detail, state);
    if (!f.effect->make)
        return AG_OK;
    f.old = old;
    f.of_make = true;
    f.first_shader = state->frame_programs;
    f.scratch = 0;
    f.effect->make(&f);
    ag_frame_close(&f);
    state->has_made = f.status >= 0;
    return f.status;
}

static ag_status keep(const ag_preparation *prep, const ag_request *request, const void *detail,
                      ag_frame_state *old, ag_frame_state *state)
{
    ag_frame f;
    begin(&f, AG_FRAME_KEEPS, prep, request, detail, state);
    f.old = old;
    f.effect->frame(&f);
    return f.status;
}

ag_status ag_frame_prepare(const ag_preparation *prep, const ag_request *request,
                           const void *detail, const ag_pass_plan *plan, void *former, void *out)
{
    ag_frame_state *state = out, *old = former;
    const ag_effect *effect = (const ag_effect *)request->info;
    (void)plan;
    *state = (ag_frame_state){.design = detail};
    memcpy(state + 1, old + 1, effect->facts_bytes);
    state->unfinished = false;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if ((effect->contents >> i & 1) && request->formats[i])
            state->read[state->read_count++] = request->slots[i].name;
    ag_status status = ag_info_make(prep->gpu, &old->base, &state->base);
    if (status >= 0)
        status = compile(prep, request, detail, state);
    if (status >= 0)
        status = make(prep, request, detail, old, state);
    if (status >= 0)
        status = keep(prep, request, detail, old, state);
    if (status >= 0)
        ag_frame_commit(prep->gpu, request->plan_width > 0, old, state);
    else
        ag_frame_abandon(prep->gpu, old, state);
    status = ag_info_end(prep->gpu, &old->base, &state->base, status);
    if (status >= 0)
        ag_frame_advance(prep, request, state);
    return status;
}

void ag_frame_advance(const ag_preparation *prep, const ag_request *request, void *out)
{
    ag_frame_state *state = out;
    ag_frame f;
    begin(&f, AG_FRAME_MAKES, prep, request, state->design, state);
    if (!state->unfinished || !prep->may_wait)
        return;
    f.goes_on = true;
    f.old = state;
    f.of_make = true;
    f.first_shader = state->frame_programs;
    f.scratch = 0;
    f.effect->make(&f);
    ag_frame_close(&f);
}

// ---- decide ------------------------------------------------------------------------------------

static ag_status look(const ag_preparation *prep, const ag_request *request,
                      const ag_question *looks, const ag_design *design, ag_decision *decision)
{
    ag_gpu *gpu = prep->gpu;
    ag_frame_state none = {.has_made = false}, state = {.design = design};
    uint64_t facts[AG_MAX_FACTS / 8] = {0};
    ag_frame f;
    for (int gets = prep->may_wait ? 1 : 0; gets < 2; ++gets) {
        begin(&f, AG_FRAME_COMPILES, prep, request, design, &state);
        f.facts = facts;
        f.of_make = true;
        f.gets = gets;
        looks->look(&f);
        ag_frame_end_shader(&f);
        if (f.status < 0)
            return f.status;
        if (!gets && !ag_programs_done(prep->compiler, prep->programs))
            return AG_PENDING;
    }
    state.program_count = f.shader_count;
    ag_status status = ag_info_make(gpu, &none.base, &state.base);
    if (status >= 0 && !decision->readback.name)
        status = ag_gpu_buffer(gpu, "afterglow readback", AG_READBACK, looks->bytes, NULL,
                               &decision->readback);
    if (status >= 0) {
        begin(&f, AG_FRAME_MAKES, prep, request, design, &state);
        f.facts = facts;
        f.old = &none;
        f.of_make = true;
        f.scratch = 0;
        f.answer = &decision->readback;
        looks->look(&f);
        ag_frame_close(&f);
        status = f.status;
    }
    if (status >= 0)
        decision->in_transit = gpu->gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    ag_frame_free(gpu, &state, true);
    ag_info_free(gpu, &state.base, true);
    return status;
}

static bool arrived(const ag_gl *gl, const ag_decision *decision)
{
    GLenum answer = gl->ClientWaitSync(decision->in_transit, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
    return answer == GL_ALREADY_SIGNALED || answer == GL_CONDITION_SATISFIED;
}

ag_status ag_frame_decide(const ag_preparation *prep, ag_request *request, ag_decision *decision)
{
    const ag_effect *effect = (const ag_effect *)request->info;
    const ag_question *looks = effect->question;
    ag_gpu *gpu = prep->gpu;
    if (!looks || !looks->needed(request))
        return AG_OK;
    if (looks->looks(request) && !decision->in_transit) {
        ag_design *design = ag_alloc(&gpu->host, ag_frame_design_bytes(effect));
        ag_status status = design ? AG_OK : AG_E_MEMORY;
        if (status >= 0)
            status = look(prep, request, looks, design, decision);
        ag_free(&gpu->host, design, ag_frame_design_bytes(effect));
        if (status != AG_OK)
            return status;
    }
    uint64_t answer[8] = {0};
    if (decision->in_transit) {
        if (!prep->may_wait && !arrived(&gpu->gl, decision))
            return AG_PENDING;
        ag_gpu_read_back(gpu, &decision->readback, looks->bytes, answer); // waits, if it may
        gpu->gl.DeleteSync(decision->in_transit);
        decision->in_transit = NULL;
    }
    return looks->decide(&gpu->host, &gpu->gl, request, answer);
}

void ag_frame_free_state(ag_gpu *gpu, void *state, bool with_gl)
{
    ag_info_free(gpu, state, with_gl);
    ag_frame_free(gpu, state, with_gl);
}

bool ag_frame_uses(const void *out, GLuint texture)
{
    const ag_frame_state *state = out;
    bool uses = false;
    for (uint32_t i = 0; i < state->read_count; ++i)
        uses = uses || state->read[i] == texture;
    return uses;
}

// ---- execute -----------------------------------------------------------------------------------

void ag_frame_execute(ag_recording *recording, const ag_request *request, void *out)
{
    ag_frame_state *state = out;
    ag_frame f;
    ag_frame_begin(&f, AG_FRAME_RECORDS, &recording->gpu->host, &recording->gpu->gl, request,
                   (ag_design *)state->design);
    f.state = state;
    f.facts = state + 1;
    ag_frame_open(&f, recording);
    f.effect->frame(&f);
}
