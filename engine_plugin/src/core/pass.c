// pass.c - one configured effect: its plans, its state, its times
// SPDX-License-Identifier: MIT
#include "core/pass.h"
#include "base/abi.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/system.h"
#include "core/frame_pass.h"
#include "core/request.h"
#include "gl/host_texture.h"

#include <stddef.h>
#include <string.h>

// ---- life --------------------------------------------------------------------------------------

ag_status ag_pass_create(ag_gpu *gpu, ag_compiler *compiler, ag_timer *timer,
                         const ag_effect *effect, ag_pass **out)
{
    const ag_host *host = &gpu->host;
    ag_pass *pass = ag_alloc(host, sizeof *pass);
    if (!pass)
        return AG_E_MEMORY;
    pass->gpu = gpu;
    pass->compiler = compiler;
    pass->timer = timer;
    pass->effect = effect;
    pass->timed.pass = pass;
    pass->timed.name = effect->info.id;
    pass->timed.steps = pass->plan.steps;
    pass->declared_design = ag_alloc(host, ag_frame_design_bytes(effect));
    pass->state = pass->declared_design ? ag_frame_new_state(host, effect) : NULL;
    ag_status status = pass->state ? ag_gpu_buffer(gpu, "afterglow readback buffer", AG_READBACK,
                                                   16, NULL, &pass->readback)
                                   : AG_E_MEMORY;
    if (status < 0) {
        ag_pass_free(pass, true);
        return status;
    }
    *out = pass;
    return AG_OK;
}

void ag_pass_free(ag_pass *pass, bool with_gl)
{
    ag_gpu *gpu = pass->gpu;
    const ag_host *host = &gpu->host;
    const ag_effect *effect = pass->effect;
    ag_frame_drop_state(gpu, effect, pass->state, with_gl);
    ag_programs_release(pass->compiler, &pass->programs);
    if (pass->in_transit && with_gl)
        gpu->gl.DeleteSync(pass->in_transit);
    ag_frame_free_decision(gpu, &pass->decision, with_gl);
    ag_gpu_free_buffer(gpu, &pass->readback, with_gl);
    ag_gpu_free_buffer(gpu, &pass->scratch, with_gl);
    ag_timed_restart(pass->timer, &pass->timed, 0);
    ag_free(host, pass->timed.histories, pass->timed.capacity * sizeof *pass->timed.histories);
    ag_free(host, pass->declared_design, ag_frame_design_bytes(effect));
    ag_free(host, pass, sizeof *pass);
}

ag_watch *ag_pass_folder(const ag_pass *pass)
{
    return pass->loaded ? pass->loaded->folder : pass->compiler->watch;
}

bool ag_pass_is_former(const ag_pass *pass)
{
    return pass->loaded && (pass->loaded->broken || pass->effect != pass->loaded->newest);
}

// ---- plans -------------------------------------------------------------------------------------

static ag_status check_effect(const ag_pass *pass, ag_request *request, ag_shape *shape)
{
    shape->lends = request->lent.name != 0;
    shape->tuning = request->tuning = *pass->tuning;
    request->live = ag_pass_folder(pass) != NULL;
    const ag_gl *gl = &pass->gpu->gl;
    const ag_effect_info *info = &pass->effect->info;
    if (info->texture_units > (uint32_t)gl->max_texture_units - gl->texture_unit_base)
        return ag_fail(
            &pass->gpu->host, AG_E_ARG,
            "%s: needs %u texture units from texture_unit_base %u on; this context has %d",
            info->id, info->texture_units, gl->texture_unit_base, gl->max_texture_units);
    return ag_frame_check(&pass->gpu->host, pass->effect, request, shape);
}

static bool same_plan(const ag_shape *a, const ag_shape *b)
{
    return a->lends == b->lends && !memcmp(&a->tuning, &b->tuning, sizeof a->tuning) &&
           !memcmp(a->plan, b->plan, sizeof a->plan);
}

static ag_status make_plan(ag_pass *pass, const ag_request *request, ag_design *design)
{
    return ag_frame_make_plan(&pass->gpu->host, &pass->gpu->gl, request, design, &pass->draft);
}

// What a job without effect on the pass is for: the newest effect of its folder, as in prepare.
static const ag_effect *effect_for(const ag_pass *pass, const ag_job *job)
{
    return pass->loaded ? ag_loaded_effect(pass->loaded, pass->effect, job) : pass->effect;
}

static ag_status declare(ag_pass *pass, const ag_job *job, const ag_plan **out)
{
    ag_request request;
    ag_shape shape = {0};
    const ag_host *host = &pass->gpu->host;
    if (!out)
        return ag_fail(host, AG_E_ARG, "declare: plan is NULL");
    ag_status status = ag_request_read(host, pass->effect, job, AG_JOB_DECLARED, &request);
    if (status >= 0)
        status = check_effect(pass, &request, &shape);
    if (pass->prepared && same_plan(&pass->shape, &shape))
        request.decision = pass->request.decision;
    if (status >= 0)
        status = make_plan(pass, &request, pass->declared_design);
    if (status < 0)
        return status;
    *out = &pass->draft.head;
    return AG_OK;
}

ag_status ag_pass_declare(ag_pass *pass, const ag_job *job, const ag_plan **out)
{
    if (!pass)
        return AG_E_ARG;
    const ag_effect *in_use = pass->effect;
    pass->effect = effect_for(pass, job);
    ag_status status = declare(pass, job, out);
    pass->effect = in_use;
    return status;
}

ag_status ag_pass_slot_size(ag_pass *pass, const ag_job *job, uint32_t slot, int32_t size[3])
{
    if (!pass)
        return AG_E_ARG;
    const ag_host *host = &pass->gpu->host;
    const ag_effect *effect = effect_for(pass, job);
    const ag_effect_info *info = &effect->info;
    ag_request request;
    if (!size)
        return ag_fail(host, AG_E_ARG, "slot_size: size is NULL");
    if (slot >= info->slot_count)
        return ag_fail(host, AG_E_ARG, "slot_size: slot is %u; %s has %u slots", slot, info->id,
                       info->slot_count);
    if (!(info->slots[slot].access & AG_WRITE))
        return ag_fail(host, AG_E_ARG,
                       "slot_size: slot %s of %s is an input, so it may have any size",
                       info->slots[slot].name, info->id);
    ag_status status = ag_request_read(host, effect, job, AG_JOB_INPUTS, &request);
    if (status < 0)
        return status;
    const ag_texture *first = &request.slots[0];
    int32_t mine[3] = {first->rect_width, first->rect_height, first->layers};
    if (effect->size) {
        mine[0] = mine[1] = mine[2] = 0;
        effect->size(&request, slot, mine);
    }
    memcpy(size, mine, sizeof mine);
    return AG_OK;
}

typedef struct making { // a plan and a state that the pass will take over
    const ag_request *request;
    ag_program_set programs;
    ag_memory scratch; // may be the pass's present scratch
    ag_frame_state *state;
} making;

static ag_preparation preparation_of(const ag_pass *pass, ag_program_set *programs, bool may_wait,
                                     ag_memory scratch)
{
    return (ag_preparation){pass->gpu, pass->compiler, programs, may_wait, scratch};
}

// Scratch holds nothing between executes, so the former plan's is reused if its size fits.
static ag_status make_scratch(const ag_pass *pass, making *m)
{
    uint64_t bytes = pass->draft.head.scratch_bytes;
    m->scratch = (ag_memory){0};
    if (m->request->lent.name || !bytes)
        return AG_OK;
    return ag_gpu_buffer_again(pass->gpu, "afterglow scratch", bytes, &pass->scratch, &m->scratch);
}

// Programs and state, all from one origin.
static ag_status make_state(const ag_pass *pass, ag_origin origin, making *m)
{
    ag_compiler *compiler = pass->compiler;
    ag_preparation prep = preparation_of(pass, &m->programs, true, (ag_memory){0});
    bool background = m->request->flags & AG_JOB_BACKGROUND;
    m->programs.origin = origin;
    m->programs.folder = pass->loaded ? pass->loaded->folder : NULL;
    ag_status status = ag_frame_compile(&prep, m->request, m->state);
    if (status >= 0 && background && !ag_programs_done(compiler, &m->programs)) {
        ag_programs_release(compiler, &m->programs);
        ag_programs_leave(compiler);
        return AG_PENDING;
    }
    if (status >= 0)
        status = ag_programs_wait(compiler, &m->programs);
    if (status >= 0)
        status = make_scratch(pass, m);
    prep.scratch = m->scratch;
    if (status >= 0)
        status = ag_frame_prepare(&prep, m->request, pass->state, m->state);
    if (status < 0 && m->scratch.name != pass->scratch.name)
        ag_gpu_free_buffer(pass->gpu, &m->scratch, true);
    if (status < 0)
        ag_programs_release(compiler, &m->programs);
    ag_programs_end(compiler);
    return status;
}

// From the folder as it is now; if that fails, as it was when it last worked; else from the
// embedded shaders.
static ag_status make_from_any(const ag_pass *pass, making *m)
{
    const ag_watch *watch = ag_pass_folder(pass);
    bool has_good =
        watch && ag_watch_has_good(watch) && (!pass->loaded || pass->loaded->good == pass->effect);
    ag_status status = AG_E_SHADER;
    for (int origin = AG_ORIGIN_FOLDER; origin <= AG_ORIGIN_BUILT_IN && status == AG_E_SHADER;
         ++origin) {
        // The shaders of now are not those of a former description.
        bool none = !watch || (has_good && ag_pass_is_former(pass));
        if ((origin == AG_ORIGIN_FOLDER && none) || (origin == AG_ORIGIN_GOOD && !has_good) ||
            (origin == AG_ORIGIN_BUILT_IN && pass->loaded))
            continue;
        status = make_state(pass, (ag_origin)origin, m);
    }
    return status;
}

// AG_FALLBACK if the pass uses fallback shaders because those of shader_dir failed.
static ag_status prepared_status(const ag_pass *pass)
{
    bool behind = ag_pass_folder(pass) && pass->programs.origin != AG_ORIGIN_FOLDER;
    return behind ? AG_FALLBACK : AG_OK;
}

// For a job that differs from the prepared one only in its textures. `same`: they can be read and
// written in the same way, so the plan stays.
static ag_status prepare_again(ag_pass *pass, ag_request *request, bool *same)
{
    ag_status status = ag_objects_check(pass->gpu, pass->effect, request);
    if (status >= 0)
        status = ag_objects_scratch(&pass->gpu->host, request, &pass->plan.head);
    ag_objects_access(pass->gpu, pass->effect, request);
    *same = status < 0 || ag_objects_same_access(request, &pass->request);
    if (status < 0 || !*same)
        return status;
    ag_objects_settle(pass->gpu, pass->effect, request);
    request->decision = pass->request.decision;
    pass->request = *request;
    ag_preparation prep = preparation_of(pass, &pass->programs, true, pass->scratch);
    ag_frame_advance(&prep, request, pass->state);
    return prepared_status(pass);
}

static void exchange_states(ag_pass *pass, ag_frame_state **made)
{
    ag_frame_state *former = pass->state;
    pass->state = *made;
    *made = former;
}

static void adopt(ag_pass *pass, making *m, const ag_shape *shape)
{
    uint32_t steps = pass->draft.head.step_count;
    if (!same_plan(&pass->shape, shape) || !ag_objects_same_access(&pass->request, m->request) ||
        pass->timed.step_count != steps)
        ag_timed_restart(pass->timer, &pass->timed, steps);
    pass->shape = *shape;
    exchange_states(pass, &m->state);
    pass->plan = pass->draft;
    pass->plan.head.steps = pass->plan.steps;
    pass->plan.head.resources = pass->plan.resources;
    ag_programs_release(pass->compiler, &pass->programs);
    pass->programs = m->programs;
    if (pass->scratch.name != m->scratch.name)
        ag_gpu_free_buffer(pass->gpu, &pass->scratch, true);
    pass->scratch = m->scratch;
    pass->request = *m->request;
    pass->prepared = true;
    pass->executed[0].valid = pass->executed[1].valid = false;
    pass->stale = false;
    ag_objects_settle(pass->gpu, pass->effect, m->request);
}

// For a job that the prepared plan does not fit, or if nothing is prepared.
static ag_status prepare_anew(ag_pass *pass, ag_request *request, const ag_shape *shape)
{
    const ag_effect *effect = pass->effect;
    const ag_host *host = &pass->gpu->host;
    uint64_t start = ag_now(host);
    // On a live device, so that the first reload's frame does not have to make the call.
    bool background = request->flags & AG_JOB_BACKGROUND;
    if (request->live || background)
        ag_builds_use_threads(pass->compiler);
    ag_builds_spread(pass->compiler, background);
    making m = {.request = request, .state = ag_frame_new_state(host, effect)};
    ag_status status = m.state ? make_plan(pass, request, m.state->design) : AG_E_MEMORY;
    if (status >= 0)
        status = ag_objects_check(pass->gpu, effect, request);
    ag_objects_access(pass->gpu, effect, request);
    if (status >= 0 && effect->question) {
        status = ag_frame_decide(pass->gpu, pass->compiler, request, shape, &pass->decision);
        if (status == AG_OK)
            status = make_plan(pass, request, m.state->design);
    }
    if (status == AG_OK)
        status = ag_objects_scratch(host, request, &pass->draft.head);
    if (status == AG_OK)
        status = ag_timed_reserve(host, &pass->timed, pass->draft.head.step_count);
    if (status == AG_OK)
        status = make_from_any(pass, &m);
    ag_builds_spread(pass->compiler, false);
    if (status >= 0 && status != AG_PENDING) {
        adopt(pass, &m, shape);
        uint64_t end = ag_now(host);
        pass->prepare_ns = end > start ? end - start : 0; // the host's clock may be set back
        status = prepared_status(pass);
    }
    ag_frame_drop_state(pass->gpu, effect, m.state, true);
    return status;
}

static ag_status prepare(ag_pass *pass, const ag_job *job)
{
    const ag_host *host = &pass->gpu->host;
    ag_status status = ag_gpu_check(pass->gpu);
    ag_request request;
    ag_shape shape = {0};
    if (status >= 0)
        status = ag_request_read(host, pass->effect, job, AG_JOB_NAMED, &request);
    if (status < 0)
        return status;
    status = check_effect(pass, &request, &shape);
    if (status < 0)
        return status;
    bool same_effect = pass->request.info == &pass->effect->info;
    if (pass->prepared && same_effect && !pass->stale &&
        !memcmp(&shape, &pass->shape, sizeof shape)) {
        bool same = false;
        status = prepare_again(pass, &request, &same);
        if (same)
            return status;
    }
    return prepare_anew(pass, &request, &shape);
}

// Whether a job's settings, if it has some, are of an effect.
static bool is_for(const ag_effect *effect, const ag_job *job)
{
    uint32_t head[2] = {0, effect->info.settings_tag}; // struct_size, tag
    if (job->settings)
        memcpy(head, job->settings, sizeof head);
    return head[1] == effect->info.settings_tag;
}

ag_status ag_pass_prepare(ag_pass *pass, const ag_job *job)
{
    const ag_effect *had = pass->effect;
    const ag_effect *next = effect_for(pass, job);
    if (next == had)
        return prepare(pass, job);
    uint32_t round = pass->compiler->round;
    bool tried = pass->prepared && pass->refused == next && pass->refused_in == round;
    ag_status status = AG_E_SHADER;
    pass->effect = next;
    if (!tried)
        status = prepare(pass, job);
    if (status == AG_PENDING || status < 0)
        pass->effect = had;
    if (status != AG_E_SHADER || !pass->prepared)
        return status;
    // Its edit fails: the former one goes on.
    pass->refused = next;
    pass->refused_in = round;
    pass->programs.origin = AG_ORIGIN_GOOD;
    if (!is_for(had, job))
        return status;
    status = prepare(pass, job);
    return status == AG_OK ? AG_FALLBACK : status;
}

ag_status ag_pass_remake(ag_pass *pass)
{
    ag_gpu *gpu = pass->gpu;
    const ag_effect *effect = pass->effect;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i) {
        const ag_texture *texture = &pass->request.slots[i];
        if (!pass->request.formats[i] || !ag_frame_uses(pass->state, texture->name))
            continue;
        if (ag_texture_find(gpu, texture) && gpu->gl.IsTexture(texture->name))
            continue;
        pass->stale = true;
        return AG_OK;
    }
    ag_frame_state *state = ag_frame_new_state(&gpu->host, effect);
    ag_status status = state ? AG_OK : AG_E_MEMORY;
    ag_pass_plan plan; // the same as that of the pass
    if (status >= 0)
        status = ag_frame_make_plan(&gpu->host, &gpu->gl, &pass->request, state->design, &plan);
    ag_preparation prep = preparation_of(pass, &pass->programs, false, pass->scratch);
    if (status >= 0)
        status = ag_frame_compile(&prep, &pass->request, state); // finds its programs
    if (status >= 0)
        status = ag_frame_prepare(&prep, &pass->request, pass->state, state);
    if (status >= 0)
        exchange_states(pass, &state);
    ag_frame_drop_state(gpu, effect, state, true);
    return status;
}

// ---- execute -----------------------------------------------------------------------------------

static ag_status check_prepared(const ag_pass *pass, const ag_request *request,
                                const ag_shape *shape)
{
    const ag_host *host = &pass->gpu->host;
    const char *id = pass->effect->info.id;
    if (!pass->prepared)
        return ag_fail(host, AG_E_STATE, "%s: nothing is prepared yet; call prepare with this job",
                       id);
    if (!same_plan(shape, &pass->shape))
        return ag_fail(
            host, AG_E_STATE,
            "%s: sizes, formats or structural settings differ from the prepared ones; call "
            "prepare with this job",
            id);
    if (memcmp(shape->kernel, pass->shape.kernel, sizeof shape->kernel) != 0)
        return ag_fail(
            host, AG_E_STATE,
            "%s: the kernel (its texture, version or settings) differs from the prepared one; "
            "call prepare with this job",
            id);
    return ag_objects_scratch(host, request, &pass->plan.head);
}

// All checks of a job that was not executed before.
static ag_status check_execute(ag_pass *pass, const ag_job *job, ag_request *request)
{
    ag_gpu *gpu = pass->gpu;
    const ag_effect_info *info = &pass->effect->info;
    ag_shape shape = {0};
    ag_status status = ag_request_read(&gpu->host, pass->effect, job, AG_JOB_NAMED, request);
    if (status >= 0)
        status = check_effect(pass, request, &shape);
    if (status >= 0)
        status = check_prepared(pass, request, &shape);
    for (uint32_t i = 0; status >= 0 && i < info->slot_count; ++i)
        if (request->formats[i] && !ag_texture_find(gpu, &request->slots[i]))
            status = ag_fail(&gpu->host, AG_E_STATE,
                             "%s: texture %u (version %llu) of slot %s is not prepared as this job "
                             "describes it; call prepare with this job",
                             info->id, request->slots[i].name,
                             (unsigned long long)request->slots[i].version, info->slots[i].name);
    if (status < 0)
        return status;
    ag_objects_access(gpu, pass->effect, request);
    if (!ag_objects_same_access(request, &pass->request))
        return ag_fail(
            &gpu->host, AG_E_STATE,
            "%s: these textures cannot be read and written like the prepared ones, because some "
            "were made by glTexImage or not prepared for this effect; call prepare with this job",
            info->id);
    return AG_OK;
}

static void forget_executed(ag_pass *pass)
{
    pass->executed[0].valid = pass->executed[1].valid = false;
}

// The same, in short for a job that was executed before.
static ag_status checked_request(ag_pass *pass, const ag_job *job, ag_request **request)
{
    ag_gpu *gpu = pass->gpu;
    ag_status status = AG_OK;
    if (pass->executed_textures != gpu->texture_changes ||
        memcmp(&pass->executed[pass->executed_last].request.tuning, pass->tuning,
               sizeof *pass->tuning) != 0)
        forget_executed(pass);
    pass->executed_textures = gpu->texture_changes;
    for (uint32_t i = 0; i < 2 && pass->prepared; ++i) {
        uint32_t at = pass->executed_last ^ i;
        if (!ag_request_again(&gpu->host, job, &pass->executed[at], &status))
            continue;
        *request = &pass->executed[at].request;
        pass->executed_last = at;
        return status < 0 ? status : ag_objects_scratch(&gpu->host, *request, &pass->plan.head);
    }
    ag_request fresh;
    status = check_execute(pass, job, &fresh);
    if (status < 0)
        return status;
    pass->executed_last ^= 1;
    ag_kept_request *kept = &pass->executed[pass->executed_last];
    ag_request_keep(job, &fresh, kept);
    *request = &kept->request;
    return AG_OK;
}

ag_status ag_pass_execute(ag_pass *pass, const ag_job *job, uint32_t *barriers)
{
    ag_gpu *gpu = pass->gpu;
    // The clock is read first, as far as that is known to be wanted.
    bool untimed = job && job->struct_size > offsetof(ag_job, flags) && job->flags & AG_JOB_UNTIMED;
    uint64_t enter = pass->timer->available && !untimed ? ag_now(&gpu->host) : 0;
    ag_request *request = NULL;
    ag_status status = ag_gpu_check(gpu);
    if (status >= 0)
        status = checked_request(pass, job, &request);
    if (status >= 0 && gpu->validate)
        status = ag_objects_validate(gpu, pass->effect, request);
    if (status < 0)
        return status;

    bool timed = pass->timer->available && !(request->flags & AG_JOB_UNTIMED);
    bool by_step = (request->flags & AG_JOB_TIME_STEPS) && pass->plan.head.step_count > 1;
    ag_sample *sample = NULL;
    if (timed)
        sample = ag_timer_begin(pass->timer, &pass->timed, request->frame,
                                by_step ? pass->plan.head.step_count : 1, by_step, enter);
    const ag_buffer *lent = &request->lent;
    request->scratch = lent->name ? (ag_range){lent->name, lent->offset, lent->bytes}
                                  : (ag_range){pass->scratch.name, 0, pass->scratch.bytes};
    GLbitfield bits = ag_closing_bits(request->next_use);
    ag_recording recording;
    const ag_effect_info *info = &pass->effect->info;
    ag_units units = {ag_image_units(&gpu->gl, info->image_units), info->ssbos,
                      info->texture_units};
    ag_record_begin(&recording, gpu, info->id, units,
                    request->sampled ? GL_TEXTURE_FETCH_BARRIER_BIT : 0,
                    request->flags & AG_JOB_RESTORE,
                    request->has_restore ? &request->restore : NULL, pass->timer, sample);
    ag_frame_execute(&recording, request, pass->state);
    ag_record_end(&recording, barriers ? 0 : bits);
    if (barriers)
        *barriers = bits;
    return AG_OK;
}

// ---- afterwards --------------------------------------------------------------------------------

static uint64_t bytes_of(const ag_pass *pass, uint32_t step)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; pass->prepared && i < pass->plan.head.step_count; ++i)
        if (step == AG_WHOLE_PASS || step == i)
            bytes += pass->plan.steps[i].bytes;
    return bytes;
}

ag_status ag_pass_stats(const ag_pass *pass, uint32_t step, ag_stats *stats)
{
    if (!pass)
        return AG_E_ARG;
    const ag_host *host = &pass->gpu->host;
    uint32_t steps = pass->prepared ? pass->plan.head.step_count : 0;
    if (step != AG_WHOLE_PASS && step >= steps)
        return ag_fail(host, AG_E_ARG, "stats: step is %u; the prepared plan has %u", step, steps);
    ag_stats mine = {.struct_size = sizeof mine,
                     .dropped = pass->timed.dropped,
                     .cpu_prepare = (double)pass->prepare_ns,
                     .bytes = bytes_of(pass, step)};
    // A plan with one step has no timestamps between steps: its step is the pass.
    bool whole = step == AG_WHOLE_PASS || steps == 1;
    ag_history_stats(whole ? &pass->timed.whole : &pass->timed.histories[step], &mine);
    if (mine.gpu_median > 0)
        mine.gb_per_s = (double)mine.bytes / mine.gpu_median;
    if (pass->copy_speed)
        mine.copy_ratio = mine.gb_per_s * 1000 / pass->copy_speed;
    return ag_write_struct(host, "stats", stats, &mine, sizeof mine);
}

void ag_pass_poll(ag_pass *pass)
{
    ag_gpu *gpu = pass->gpu;
    const ag_gl *gl = &gpu->gl;
    const ag_frame_state *state = pass->state;
    if (!state->info.name)
        return;
    if (pass->in_transit) {
        GLenum answer = gl->ClientWaitSync(pass->in_transit, 0, 0);
        if (answer != GL_ALREADY_SIGNALED && answer != GL_CONDITION_SATISFIED)
            return;
        gl->DeleteSync(pass->in_transit);
        pass->in_transit = NULL;
        uint32_t count = 0;
        ag_gpu_read_back(gpu, &pass->readback, sizeof count, &count);
        pass->scrubbed += count - pass->scrubbed_seen; // modulo 2^32, as the counter is
        pass->scrubbed_seen = count;
    }
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    ag_gpu_copy(gpu, &state->info, AG_INFO_SCRUBBED, &pass->readback, 0, sizeof(uint32_t));
    pass->in_transit = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void ag_pass_forget(ag_pass *pass, uint32_t texture)
{
    if (!pass->prepared || !ag_frame_uses(pass->state, texture))
        return;
    ag_frame_forget(pass->gpu, pass->effect, pass->state);
    ag_gpu_free_buffer(pass->gpu, &pass->scratch, true);
    pass->prepared = false;
}
