// cli/run_measure.c - the plans of a chain, and its times
// SPDX-License-Identifier: MIT
#include "copy.h"
#include "measure.h"
#include "plan.h"
#include "report.h"
#include "run.h"
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Saves the contents of each AG_STATE slot before a warm-up; with `back`, restores them.
static int keep_states(run *target, image states[EFFECT_MAX_SLOTS], bool back)
{
    const run_request *request = target->request;
    int status = STATUS_OK;
    for (int i = 0; i < (int)request->effect->slot_count && status == STATUS_OK; i++) {
        texture *state = &target->textures[i];
        if (!(effect_slot(request->effect, i)->access & AG_STATE) || !state->name)
            continue;
        status = back ? texture_write(&target->session.gpu, state, &states[i])
                      : texture_read(&target->session.gpu, state, 0, &states[i]);
    }
    return status;
}

// The bytes of textures that only the passes see.
static uint64_t bytes_between(const run *chain)
{
    uint64_t bytes = 0;
    for (int at = 0; at < chain->request->stage_count; at++)
        for (int i = 0; i < EFFECT_MAX_SLOTS; i++) {
            const texture *each = &chain[at].textures[i];
            run_place taker;
            if (each->name && chain[at].request->links[i].stage < 0 && !chain[at].shared[i] &&
                (effect_slot(chain[at].request->effect, i)->access & AG_WRITE) &&
                run_find_taker(chain[at].request, i, 0, &taker))
                bytes += (uint64_t)each->width * (uint64_t)each->height *
                         (uint64_t)(each->layers ? each->layers : 1) *
                         (uint64_t)each->format->texel_bytes;
        }
    return bytes;
}

int run_print_plans(run *chain, const session_pass *passes, const copy_speed *speed,
                    const stats *times)
{
    const run_request *request = chain->request;
    copy_speed mine = {0};
    cost_rates rates[RUN_MAX_STAGES];
    bool known[RUN_MAX_STAGES], all = true;
    for (int i = 0; i < request->stage_count; i++) {
        char key[64];
        cost_key(passes[i].effect, passes[i].plan, key);
        known[i] = chain->session.tuned && cost_read(request->tuning, key, &rates[i]);
        all = all && known[i];
    }
    int status = speed || all ? STATUS_OK : copy_measure(&chain->session.gpu, &mine);
    if (status != STATUS_OK)
        return status;
    const stats_row *row = times ? times->rows : NULL;
    plan_total total = {0};
    for (int i = 0; i < request->stage_count; i++) {
        if (request->stage_count > 1)
            printf("%s%d %s\n", i ? "\n" : "", i + 1, passes[i].effect);
        plan_print(&passes[i], speed ? speed : &mine, known[i] ? &rates[i] : NULL, row, &total);
        row = row ? row + passes[i].plan->step_count + 1 : NULL;
    }
    if (request->stage_count > 1) {
        putchar('\n');
        plan_print_total(&total, row);
        printf("textures between the effects: %" PRIu64 " bytes\n", bytes_between(chain));
    }
    if (gpu_is_software(&chain->session.gpu))
        puts("This renderer runs on the CPU: these times say nothing about a GPU.");
    return STATUS_OK;
}

static int keep_all_states(run *chain, image states[][EFFECT_MAX_SLOTS], bool back)
{
    int status = STATUS_OK;
    for (int i = 0; i < chain->request->stage_count && status == STATUS_OK; i++)
        status = keep_states(&chain[i], states[i], back);
    return status;
}

int run_measure(run *chain, session_pass *passes)
{
    const run_request *request = chain->request;
    const texture *source = &chain->textures[run_source_slot(request->effect)];
    int count = request->stage_count;
    copy_speed speed = {0};
    for (int i = 0; i < count; i++)
        passes[i].job->flags |= AG_JOB_TIME_STEPS;
    bool compares = request->stats || request->plan; // compares with the copy speed
    int status = compares ? copy_measure(&chain->session.gpu, &speed) : STATUS_OK;
    image(*states)[EFFECT_MAX_SLOTS] = calloc((size_t)count, sizeof *states);
    if (!states)
        return fail_memory();
    if (status == STATUS_OK)
        status = keep_all_states(chain, states, false);
    if (status == STATUS_OK)
        status = run_start(chain);
    if (status == STATUS_OK)
        status = measure_warm_up(passes, count);
    if (status == STATUS_OK)
        status = keep_all_states(chain, states, true);
    for (int i = 0; i < count * EFFECT_MAX_SLOTS; i++)
        image_destroy(&states[i / EFFECT_MAX_SLOTS][i % EFFECT_MAX_SLOTS]);
    free(states);
    if (status == STATUS_OK)
        status = measure_frames(passes, count, request->frames);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        session *work = passes[i].work;
        status = session_check(work, work->api->declare(work->pass, passes[i].job, &passes[i].plan),
                               STATUS_FAILED, "declare");
    }
    if (status != STATUS_OK)
        return status;
    stats times;
    status = stats_create(passes, count, request->frames, speed.gb_s, &times);
    if (status != STATUS_OK)
        return status;
    times.width = request->rect.width ? request->rect.width : source->width;
    times.height = request->rect.width ? request->rect.height : source->height;
    stats_print(&times);
    if (gpu_is_software(&chain->session.gpu))
        puts("This renderer runs on the CPU: its times say nothing about a GPU.");
    if (request->plan)
        status = run_print_plans(chain, passes, &speed, &times);
    if (request->stats && status == STATUS_OK)
        status = stats_save(request->stats, &times);
    if (request->trace && status == STATUS_OK)
        status = trace_save(request->trace, passes, count);
    stats_destroy(&times);
    return status;
}
