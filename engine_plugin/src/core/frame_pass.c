// frame_pass.c - what a pass does with the frame of its effect
// SPDX-License-Identifier: MIT
#include "core/frame_pass.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "core/request.h"

#include <assert.h>
#include <string.h>

size_t ag_frame_design_bytes(const ag_effect *effect)
{
    return sizeof(ag_design) + effect->design_bytes;
}

// The facts follow the state, and the design follows them.
static size_t facts_room(const ag_effect *effect)
{
    return (size_t)ag_align_up((int64_t)effect->facts_bytes, 16);
}

static size_t state_bytes(const ag_effect *effect)
{
    return sizeof(ag_frame_state) + facts_room(effect) + ag_frame_design_bytes(effect);
}

ag_frame_state *ag_frame_new_state(const ag_host *host, const ag_effect *effect)
{
    ag_frame_state *state = ag_alloc(host, state_bytes(effect));
    if (state)
        state->design = (ag_design *)((char *)(state + 1) + facts_room(effect));
    return state;
}

void ag_frame_drop_state(ag_gpu *gpu, const ag_effect *effect, ag_frame_state *state, bool with_gl)
{
    if (state)
        ag_frame_free(gpu, state, with_gl);
    ag_free(&gpu->host, state, state_bytes(effect));
}

void ag_frame_forget(ag_gpu *gpu, const ag_effect *effect, ag_frame_state *state)
{
    ag_memory info = state->info;
    state->info = (ag_memory){0};
    ag_frame_free(gpu, state, true);
    *state = (ag_frame_state){.design = state->design, .info = info};
    memset(state + 1, 0, effect->facts_bytes);
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

void ag_shape_by_tables(const ag_request *request, ag_shape *shape)
{
    const ag_effect *effect = (const ag_effect *)request->info; // its first member
    ag_request large = effect->serves_smaller ? largest(request) : *request;
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
    request->samples = effect->samples;
    ag_status status = effect->check(host, request);
    if (status >= 0 && effect->shape)
        effect->shape(request, shape);
    else if (status >= 0)
        ag_shape_by_tables(request, shape);
    return status;
}

// An earlier block of scratch that lives at the same time and has some of its bytes; NULL: none.
static const ag_store *in_the_way(const ag_design *design, const ag_store *s)
{
    for (const ag_store *o = design->stores; o < s; ++o)
        if (o->kind == AG_IN_SCRATCH && o->live.used && o->live.first_step <= s->live.last_step &&
            s->live.first_step <= o->live.last_step && o->offset < s->offset + s->bytes &&
            s->offset < o->offset + o->bytes)
            return o;
    return NULL;
}

// Each block at the lowest place that is free.
static uint64_t lay_out_scratch(ag_design *design, int64_t alignment)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < design->store_count; ++i) {
        ag_store *s = &design->stores[i];
        if (s->kind != AG_IN_SCRATCH || !s->live.used)
            continue;
        for (const ag_store *o; (o = in_the_way(design, s)) != NULL;)
            s->offset = (uint64_t)ag_align_up((int64_t)(o->offset + o->bytes), alignment);
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

static void add_resource(ag_pass_plan *plan, const ag_live *live, ag_resource row)
{
    row.first_step = live->first_step;
    row.last_step = live->last_step;
    plan->resources[plan->head.resource_count++] = row;
}

static void list_resources(ag_frame *f)
{
    ag_pass_plan *plan = f->plan;
    const ag_effect_info *info = f->request->info;
    for (uint32_t i = 0; i < info->slot_count; ++i) {
        ag_live *live = &f->slots[i];
        bool kernel = f->effect->contents >> i & 1 && f->request->formats[i];
        if (!live->used && !kernel)
            continue;
        if (!live->used) // prepare reads it, and again when a shader is edited
            live->last_step = f->step_count - 1;
        add_resource(plan, live,
                     (ag_resource){.name = info->slots[i].name,
                                   .access = info->slots[i].access & (AG_READ | AG_WRITE),
                                   .bytes = slot_bytes(f->request, i)});
    }
    for (uint32_t i = 0; i < f->design->store_count; ++i) {
        const ag_store *s = &f->design->stores[i];
        bool scratch = s->kind == AG_IN_SCRATCH;
        bool own = s->kind == AG_IN_BUFFER || s->kind == AG_IN_TEXTURE;
        if (!scratch)
            plan->head.persistent_bytes += s->bytes;
        if ((scratch || own) && s->live.used)
            add_resource(plan, &s->live,
                         (ag_resource){.name = s->name,
                                       .kind = scratch ? AG_RESOURCE_SCRATCH : AG_RESOURCE_OWN,
                                       .access = s->live.access,
                                       .offset = s->offset,
                                       .bytes = s->bytes});
    }
}

// How many letters the plural of a word has more than its singular.
static size_t plural_letters(const char *word, size_t length)
{
    if (length < 3 || word[length - 1] != 's' || word[length - 2] == 's')
        return 0;
    bool hisses = word[length - 2] == 'e' && length > 4 &&
                  (!strncmp(word + length - 4, "ss", 2) || !strncmp(word + length - 4, "ch", 2));
    return hisses ? 2 : 1;
}

void ag_plan_text_singular(char *text)
{
    for (char *at = text; (at = strstr(at, "1 ")) != NULL;) {
        bool alone = at == text || strchr(" ;:,(", at[-1]);
        at += 2;
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        size_t more = alone ? plural_letters(at, length) : 0;
        memmove(at + length - more, at + length, strlen(at + length) + 1);
    }
}

// The key of what is hashed so far and of one more row with its name.
static uint64_t add_row(uint64_t key, const void *row, size_t bytes, const char *name)
{
    const uint64_t all[] = {key, ag_hash128_of(row, bytes).low,
                            ag_hash128_of(name, strlen(name)).low};
    return ag_hash128_of(all, sizeof all).low;
}

// A hash of all that a plan contains: rows, text and numbers, by value.
static uint64_t key_of(const ag_pass_plan *plan)
{
    const ag_plan *head = &plan->head;
    const uint64_t numbers[] = {head->step_count,      head->resource_count,
                                head->barriers_before, head->barriers_after,
                                head->scratch_bytes,   head->scratch_alignment,
                                head->persistent_bytes};
    uint64_t key = add_row(0, numbers, sizeof numbers, head->text);
    for (uint32_t i = 0; i < head->step_count; ++i) {
        ag_step step = plan->steps[i];
        step.name = NULL; // its address is no part of the plan
        key = add_row(key, &step, sizeof step, plan->steps[i].name);
    }
    for (uint32_t i = 0; i < head->resource_count; ++i) {
        ag_resource resource = plan->resources[i];
        resource.name = NULL;
        key = add_row(key, &resource, sizeof resource, plan->resources[i].name);
    }
    return key;
}

ag_status ag_frame_make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             ag_design *design, ag_pass_plan *plan)
{
    const ag_effect *effect = (const ag_effect *)request->info;
    ag_plan *head = &plan->head;
    memset(plan, 0, sizeof *plan);
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
    ag_plan_text_singular(head->text);
    head->struct_size = sizeof *head;
    head->steps = plan->steps;
    head->step_stride = sizeof(ag_step);
    head->resources = plan->resources;
    head->resource_stride = sizeof(ag_resource);
    head->step_count = f.step_count;
    head->barriers_before = GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    head->barriers_after = ag_closing_bits(request->next_use);
    head->scratch_alignment = (uint64_t)gl->ssbo_alignment;
    head->scratch_bytes = lay_out_scratch(design, gl->ssbo_alignment);
    list_resources(&f);
    head->key = key_of(plan);
    return f.status;
}

// ---- prepare -----------------------------------------------------------------------------------

static void begin(ag_frame *f, ag_frame_mode mode, const ag_preparation *prep,
                  const ag_request *request, ag_frame_state *state)
{
    ag_frame_begin(f, mode, &prep->gpu->host, &prep->gpu->gl, request, state->design);
    f->prep = prep;
    f->state = state;
    f->facts = state + 1;
}

ag_status ag_frame_compile(const ag_preparation *prep, const ag_request *request,
                           ag_frame_state *state)
{
    ag_frame f;
    uint64_t no_facts[AG_MAX_FACTS / 8] = {0};
    *state = (ag_frame_state){.design = state->design}; // an earlier try may have failed
    for (int i = 0; i < 2; ++i) {
        begin(&f, AG_FRAME_COMPILES, prep, request, state);
        f.facts = no_facts; // `make` writes them
        f.of_make = i == 1;
        f.first_shader = state->program_count;
        if (i == 0)
            f.effect->frame(&f);
        else if (f.effect->make)
            f.effect->make(&f);
        ag_frame_end_shader(&f);
        if (f.status < 0)
            return f.status;
        state->program_count += f.shader_count;
        if (i == 0)
            state->frame_programs = state->program_count;
    }
    return AG_OK;
}

static void begin_make(ag_frame *f, const ag_preparation *prep, const ag_request *request,
                       ag_frame_state *old, ag_frame_state *state)
{
    begin(f, AG_FRAME_MAKES, prep, request, state);
    f->old = old;
    f->of_make = true;
    f->first_shader = state->frame_programs;
    f->scratch = 0;
}

static ag_status make(const ag_preparation *prep, const ag_request *request, ag_frame_state *old,
                      ag_frame_state *state)
{
    ag_frame f;
    begin_make(&f, prep, request, old, state);
    if (!f.effect->make)
        return AG_OK;
    f.effect->make(&f);
    ag_frame_close(&f);
    state->has_made = f.status >= 0;
    return f.status;
}

static ag_status keep(const ag_preparation *prep, const ag_request *request, ag_frame_state *old,
                      ag_frame_state *state)
{
    ag_frame f;
    begin(&f, AG_FRAME_KEEPS, prep, request, state);
    f.old = old;
    f.effect->frame(&f);
    return f.status;
}

ag_status ag_frame_prepare(const ag_preparation *prep, const ag_request *request,
                           ag_frame_state *old, ag_frame_state *state)
{
    const ag_effect *effect = (const ag_effect *)request->info;
    memcpy(state + 1, old + 1, effect->facts_bytes);
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if ((effect->contents >> i & 1) && request->formats[i])
            state->read[state->read_count++] = request->slots[i].name;
    ag_status status = ag_frame_make_info(prep->gpu, old, state);
    if (status >= 0)
        status = make(prep, request, old, state);
    if (status >= 0)
        status = keep(prep, request, old, state);
    if (status < 0) {
        ag_frame_abandon(prep->gpu, old, state);
        return status;
    }
    ag_frame_commit(prep->gpu, request->plan_width > 0, old, state);
    ag_frame_advance(prep, request, state);
    return status;
}

void ag_frame_advance(const ag_preparation *prep, const ag_request *request, ag_frame_state *state)
{
    ag_frame f;
    if (!state->unfinished || !prep->may_wait)
        return;
    begin_make(&f, prep, request, state, state);
    f.goes_on = true;
    f.effect->make(&f);
    ag_frame_close(&f);
}

// ---- decide ------------------------------------------------------------------------------------

static ag_status look(const ag_preparation *prep, const ag_request *request,
                      const ag_question *question, ag_design *design, ag_decision *decision)
{
    ag_gpu *gpu = prep->gpu;
    ag_frame_state none = {.has_made = false};
    struct {
        ag_frame_state state;
        uint64_t facts[AG_MAX_FACTS / 8];
    } all = {.state.design = design};
    ag_frame f;
    begin(&f, AG_FRAME_COMPILES, prep, request, &all.state);
    f.of_make = true;
    question->look(&f);
    ag_frame_end_shader(&f);
    if (f.status < 0)
        return f.status;
    if (!prep->may_wait && !ag_programs_done(prep->compiler, prep->programs))
        return AG_PENDING;
    all.state.program_count = f.shader_count;
    ag_status status = ag_programs_wait(prep->compiler, prep->programs);
    if (status >= 0)
        status = ag_frame_make_info(gpu, &none, &all.state);
    if (status >= 0 && !decision->readback.name)
        status = ag_gpu_buffer(gpu, "afterglow readback", AG_READBACK, question->bytes, NULL,
                               &decision->readback);
    if (status >= 0) {
        begin_make(&f, prep, request, &none, &all.state);
        f.answer = &decision->readback;
        question->look(&f);
        ag_frame_close(&f);
        status = f.status;
    }
    if (status >= 0)
        decision->in_transit = gpu->gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    ag_frame_free(gpu, &all.state, true);
    return status;
}

static ag_status decide(const ag_preparation *prep, ag_request *request, ag_decision *decision)
{
    const ag_effect *effect = (const ag_effect *)request->info;
    const ag_question *question = effect->question;
    ag_gpu *gpu = prep->gpu;
    if (!question->needed(request))
        return AG_OK;
    if (question->looks(request) && !decision->in_transit) {
        ag_design *design = ag_alloc(&gpu->host, ag_frame_design_bytes(effect));
        ag_status status = design ? look(prep, request, question, design, decision) : AG_E_MEMORY;
        ag_free(&gpu->host, design, ag_frame_design_bytes(effect));
        if (status != AG_OK)
            return status;
    }
    uint64_t answer[8] = {0};
    if (decision->in_transit) {
        GLenum state = GL_ALREADY_SIGNALED;
        if (!prep->may_wait)
            state = gpu->gl.ClientWaitSync(decision->in_transit, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
        if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED)
            return AG_PENDING;
        ag_gpu_read_back(gpu, &decision->readback, question->bytes, answer); // waits, if it may
        gpu->gl.DeleteSync(decision->in_transit);
        decision->in_transit = NULL;
    }
    return question->decide(&gpu->host, &gpu->gl, request, answer);
}

static void forget_decision(ag_gpu *gpu, ag_decision *d, bool with_gl)
{
    if (d->in_transit && with_gl)
        gpu->gl.DeleteSync(d->in_transit);
    d->in_transit = NULL;
    d->known = false;
}

ag_status ag_frame_decide(ag_gpu *gpu, ag_compiler *compiler, ag_request *request,
                          const ag_shape *shape, ag_decision *d)
{
    bool background = request->flags & AG_JOB_BACKGROUND;
    if (memcmp(&d->shape, shape, sizeof *shape) != 0) {
        forget_decision(gpu, d, true);
        d->shape = *shape;
    }
    request->decision = d->value;
    if (d->known)
        return AG_OK;
    // By the embedded shaders, so that a folder with errors does not matter here.
    ag_program_set programs = {.origin = AG_ORIGIN_BUILT_IN};
    ag_preparation prep = {gpu, compiler, &programs, !background, (ag_memory){0}};
    ag_status status = decide(&prep, request, d);
    ag_programs_release(compiler, &programs);
    if (status == AG_PENDING)
        ag_programs_leave(compiler);
    else
        ag_programs_end(compiler);
    d->known = status == AG_OK;
    d->value = request->decision;
    return status;
}

void ag_frame_free_decision(ag_gpu *gpu, ag_decision *d, bool with_gl)
{
    forget_decision(gpu, d, with_gl);
    ag_gpu_free_buffer(gpu, &d->readback, with_gl);
}

bool ag_frame_uses(const ag_frame_state *state, GLuint texture)
{
    for (uint32_t i = 0; i < state->read_count; ++i)
        if (state->read[i] == texture)
            return true;
    return false;
}

// ---- execute -----------------------------------------------------------------------------------

void ag_frame_execute(ag_recording *recording, const ag_request *request, ag_frame_state *state)
{
    ag_frame f;
    ag_frame_begin(&f, AG_FRAME_RECORDS, &recording->gpu->host, &recording->gpu->gl, request,
                   state->design);
    f.state = state;
    f.facts = state + 1;
    ag_frame_open(&f, recording);
    f.effect->frame(&f);
}
