// cli/tune_choose.c - what each effect's `auto` should take on this GPU
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "report.h"
#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NEVER = 1, BLOOM_KEYS = COST_PRICES };

static const char *const bloom_keys[BLOOM_KEYS] = {"bloom.dispatch_bytes", "bloom.tap_bytes",
                                                   "bloom.fft_bytes"};
double tune_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int32_t *place_of(tune *self, const ag_tuned_key *key)
{
    return (int32_t *)((char *)&self->chosen + key->offset);
}

static void keep_row(tune *self, const way_pass *timed)
{
    if (self->count == TUNE_ROWS)
        return;
    cost_row *row = &self->rows[self->count++];
    *row = (cost_row){.us = timed->us, .dispatches = timed->dispatches, .bytes = timed->bytes};
    snprintf(row->effect, sizeof row->effect, "%s", timed->effect);
}

// What is known of a plan of bloom's.
static void keep_plan(tune *self, int job, const way_pass *timed)
{
    if (self->plan_count == TUNE_PLANS)
        return;
    self->plans[self->plan_count++] =
        (cost_plan){.job = job,
                    .us = timed->us,
                    .bytes = (double)timed->bytes,
                    .units = {(double)timed->dispatches + timed->bloom_work[2],
                              timed->bloom_work[0] * 1e-3, timed->bloom_work[1]}};
}

static int open_all(tune *self, const ways_textures *on, const way *ways, way_pass passes[WAYS])
{
    const choice *of = on->of;
    int status = STATUS_OK;
    for (int i = 0; ways[i].name && status == STATUS_OK; i++)
        if (!of->takes || of->ways != ways || of->takes(&ways[i], &on->job))
            status = way_pass_open(on, &ways[i], &self->chosen, &passes[i]);
    return status;
}

// The time of a job by each way; 0 of one that does not take it. `keys`: of their plans. The rates
// are of the fastest way, which `auto` takes then.
static int time_job(tune *self, const choice *of, const way_job *job, const way *ways,
                    double us[WAYS], uint64_t keys[WAYS])
{
    enum { ROUNDS = 2 };
    ways_textures textures;
    way_pass passes[WAYS] = {0};
    const way_pass *best = NULL;
    int status = ways_open(&self->bench, of, job, &textures);
    if (status == STATUS_OK)
        status = open_all(self, &textures, ways, passes);
    for (int i = 0; i < ROUNDS * WAYS && status == STATUS_OK; i++)
        if (passes[i % WAYS].pass)
            status = way_pass_measure(&passes[i % WAYS]);
    for (int i = 0; i < WAYS; i++) {
        us[i] = passes[i].us;
        keys[i] = passes[i].key;
        if (us[i] > 0 && (!best || us[i] < best->us))
            best = &passes[i];
        if (us[i] > 0 && of->rule == WAYS_COST && passes[i].bloom_plan == ways[i].tuned[0].value)
            keep_plan(self, (int)(job - of->jobs) + CHOICE_JOBS * (int)(of - choices), &passes[i]);
    }
    if (best && status == STATUS_OK)
        keep_row(self, best);
    for (int i = 0; i < WAYS; i++)
        if (passes[i].on)
            way_pass_close(&passes[i]);
    ways_close(&textures);
    return status;
}

typedef struct timed_jobs {
    int count, at[CHOICE_JOBS];
    double us[WAYS][CHOICE_JOBS];
    bool matters; // there are plans that differ
} timed_jobs;

// False in `done`: there was no time.
static int time_jobs(tune *self, const choice *of, const way *ways, timed_jobs *out, bool *done)
{
    int all = 0;
    while (of->jobs[all].width)
        all++;
    *out = (timed_jobs){0};
    for (*done = true; out->count < all; out->count++) {
        double us[WAYS];
        uint64_t keys[WAYS];
        int i = out->count;
        progress(of->key, i, all);
        *done = tune_now() < self->deadline;
        int status = *done ? time_job(self, of, &of->jobs[i], ways, us, keys) : STATUS_OK;
        if (!*done || status != STATUS_OK)
            return status;
        out->at[i] = of->jobs[i].at;
        for (int k = 0; ways[k].name; k++) {
            out->matters |= k > 0 && us[k] > 0 && keys[k] != keys[0];
            out->us[k][i] = us[k];
            if (k > 0 && keys[k] == keys[0]) // one plan: what differs is chance
                out->us[k][i] = out->us[0][i];
        }
    }
    progress_clear();
    return STATUS_OK;
}

static void choose_best(tune *self, const choice *of, const timed_jobs *timed)
{
    const ag_tuned_key *key = choice_key(of);
    double usual = 0, least = 0;
    int best = -1;
    for (int k = 0; of->ways[k].name; k++) {
        double sum = 0;
        for (int i = 0; i < timed->count; i++)
            sum += log(timed->us[k][i]) / timed->count;
        usual = of->ways[k].tuned[0].value == key->usual ? sum : usual;
        if (best < 0 || sum < least) {
            best = k;
            least = sum;
        }
    }
    bool worth = least < usual - 0.01;
    *place_of(self, key) = worth ? of->ways[best].tuned[0].value : key->usual;
    fprintf(stderr, "%-28s %8d (was %d): %s, %.1f %% faster\n", key->name,
            (int)*place_of(self, key), (int)key->usual, of->ways[best].name,
            100 * (1 - exp(least - usual)));
}

static void choose_last(tune *self, const choice *of, const timed_jobs *timed)
{
    const ag_tuned_key *key = choice_key(of);
    *place_of(self, key) =
        cost_change_over(timed->at, timed->us[0], timed->us[1], timed->count, key->usual);
    fprintf(stderr, "%-28s %8d (was %d):", key->name, (int)*place_of(self, key), (int)key->usual);
    for (int i = 0; i < timed->count; i++)
        fprintf(stderr, "  %d: %.1f | %.1f us", timed->at[i], timed->us[0][i], timed->us[1][i]);
    fputc('\n', stderr);
}

// Prices with which bloom's cheaper plans are the faster ones.
static void choose_prices(tune *self)
{
    const ag_tuned_key *keys[BLOOM_KEYS];
    double prices[BLOOM_KEYS], before, after;
    for (int i = 0; i < BLOOM_KEYS; i++) {
        const choice named = {.key = bloom_keys[i]};
        keys[i] = choice_key(&named);
        prices[i] = keys[i]->usual;
    }
    before = cost_regret(self->plans, self->plan_count, prices);
    cost_search(self->plans, self->plan_count, prices);
    after = cost_regret(self->plans, self->plan_count, prices);
    for (int i = 0; i < BLOOM_KEYS; i++) {
        double value = fmin(fmax(round(prices[i]), keys[i]->min), keys[i]->max);
        *place_of(self, keys[i]) = after < 0.9 * before ? (int32_t)value : keys[i]->usual;
        fprintf(stderr, "%-28s %8d (was %d)\n", keys[i]->name, (int)*place_of(self, keys[i]),
                (int)keys[i]->usual);
    }
}

static int choose(tune *self, const choice *of)
{
    const ag_tuned_key *key = choice_key(of);
    const way forced[] = {{"up to it", NULL, {{key->offset, key->max}}},
                          {"beyond", NULL, {{key->offset, NEVER}}},
                          {0}};
    timed_jobs timed;
    bool done;
    int status = time_jobs(self, of, of->rule == WAYS_LAST ? forced : of->ways, &timed, &done);
    if (status != STATUS_OK)
        return status;
    if (!done)
        self->skipped++;
    else if (!timed.matters) // this context has no other way
        fprintf(stderr, "%-28s %8s\n", of->key, "no choice");
    else if (of->rule == WAYS_LAST)
        choose_last(self, of, &timed);
    else if (of->rule == WAYS_BEST)
        choose_best(self, of, &timed);
    return STATUS_OK;
}

int tune_choose(tune *self)
{
    int status = STATUS_OK, unknown = 0;
    for (const choice *it = choices; it->effect && status == STATUS_OK; it++) {
        int before = self->skipped;
        if (it->rule != WAYS_COMPARED)
            status = choose(self, it);
        unknown += it->rule == WAYS_COST && self->skipped > before;
    }
    if (status == STATUS_OK && !unknown)
        choose_prices(self);
    return status;
}
