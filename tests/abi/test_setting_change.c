// test_setting_change.c - a pass whose settings change gives what a fresh pass gives, bit for bit
// SPDX-License-Identifier: MIT
//
// A pass is prepared and executed, then one setting changes. If its row says that a change needs
// nothing (AG_PREPARE_NOTHING), the pass is executed without a prepare; else it is prepared first.
// Every output must then have the bits that a pass gives which never had other settings, and after
// the change is taken back those of the beginning.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

typedef struct trial {
    fixture *f;
    const ag_effect_info *info;
    test_job *j;
    uint32_t cases, without, with, refused, different;
} trial;

// Settings by which results depend on earlier executes, and so are not those of a fresh pass.
static bool remembers(const char *name)
{
    return strcmp(name, "transition") == 0;
}

// Prepares if asked to, and executes. False: the effect refuses the job.
static bool run(trial *t, ag_pass *pass, bool prepares, job_results *o)
{
    const ag_api *ag = t->f->ag;
    if (prepares) {
        job_fit_outputs(t->f, pass, t->j);
        if (ag->prepare(pass, &t->j->job) < 0)
            return false;
    }
    job_poison(t->f, t->j);
    CHECK_STATUS(ag->execute(pass, &t->j->job, NULL), AG_OK);
    t->f->gl.Finish();
    job_read(t->f, t->j, o);
    return true;
}

static void compare(trial *t, const char *setting, uint32_t index, const char *what,
                    const job_results *got, const job_results *expected)
{
    if (job_results_same(got, expected))
        return;
    printf("  FAIL  %s.%s[%u] = %g: %s\n", t->j->info->id, setting, index,
           job_get(t->j, setting, index), what);
    ++t->different;
}

// One change and its return. `pass` is prepared for the present settings, which gave `before`.
static void change(trial *t, ag_pass *pass, const ag_setting_info *s, uint32_t index, double value,
                   const job_results *before)
{
    double kept = job_get(t->j, s->name, index);
    job_results fresh = {0}, got = {0};
    bool needs = s->prepare != AG_PREPARE_NOTHING;
    job_set(t->j, s->name, index, value);
    ag_pass *other = fixture_pass(t->f, t->j->info->id);
    if (!run(t, other, true, &fresh)) {
        ++t->refused;
    } else {
        if (!needs) {
            CHECK(run(t, pass, false, &got));
            compare(t, s->name, index, "without a prepare, the bits are not a fresh pass's", &got,
                    &fresh);
            job_results_free(&got);
            ++t->without;
        }
        CHECK(run(t, pass, true, &got));
        compare(t, s->name, index, "after a prepare, the bits are not a fresh pass's", &got,
                &fresh);
        job_results_free(&got);
        ++t->with;
        job_set(t->j, s->name, index, kept);
        CHECK(run(t, pass, needs, &got));
        compare(t, s->name, index, "taken back, the bits are not those of before", &got, before);
        job_results_free(&got);
    }
    job_set(t->j, s->name, index, kept);
    job_fit_outputs(t->f, pass, t->j);
    job_results_free(&fresh);
    t->f->ag->pass_destroy(other);
}

// Each setting changes from the job as it is; `share` chooses which changes a run tries. NULL: they
// are only counted. `always`: one change of each setting that needs no prepare is in every run.
static void change_each(trial *t, sweep *share, bool always)
{
    const ag_effect_info *info = t->j->info;
    ag_pass *pass = NULL; // made when a run tries something of this job
    job_results before = {0};
    bool refused = false;
    for (uint32_t i = 0; i < info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(info, i);
        bool owed = always && s->prepare == AG_PREPARE_NOTHING;
        for (int v = 0; !remembers(s->name) && v < job_setting_values(s) * (int)s->count; ++v) {
            uint32_t index = (uint32_t)v % s->count;
            double value = job_setting_value(s, v / (int)s->count);
            if (value == job_get(t->j, s->name, index))
                continue;
            ++t->cases;
            if (!share || (!sweep_takes(share) && !owed))
                continue;
            owed = false;
            if (!pass) {
                pass = fixture_pass(t->f, info->id);
                refused = !run(t, pass, true, &before);
            }
            if (!refused)
                change(t, pass, s, index, value, &before);
        }
    }
    job_results_free(&before);
    t->f->ag->pass_destroy(pass);
}

// A texel that is not finite, so that `scrub` makes a difference.
static void spoil_source(fixture *f, test_job *j)
{
    texture *src = &j->textures[0];
    if (job_generates(j->info))
        return;
    double *values = texture_read(f, src, 0);
    values[texture_value_count(src, 0) / 2] = NAN;
    texture_upload(f, src, 0, values);
    free(values);
}

// From the defaults, and from each value of each choice.
static void change_all(trial *t, sweep *share, bool optional)
{
    test_job j;
    job_create(t->f, t->info->id, JOB_WIDTH, JOB_HEIGHT, &j);
    j.job.flags = AG_JOB_RESET; // what earlier executes have counted is forgotten
    t->j = &j;
    spoil_source(t->f, &j);
    if (optional)
        job_fill_optional(t->f, &j);
    change_each(t, share, !optional);
    for (uint32_t i = 0; i < j.info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(j.info, i);
        double kept = job_get(&j, s->name, 0);
        for (int v = 0; s->type == AG_ENUM && v < (int)s->name_count; ++v) {
            job_set(&j, s->name, 0, v);
            if (v != (int)kept)
                change_each(t, share, false);
        }
        job_set(&j, s->name, 0, kept);
    }
    job_destroy(t->f, &j);
}

static void of_effect(fixture *f, const ag_effect_info *info)
{
    trial t = {.f = f, .info = info};
    for (int optional = 0; optional < 2; ++optional)
        change_all(&t, NULL, optional);
    sweep *share = sweep_start(info->id, t.cases / 2);
    for (int optional = 0; optional < 2; ++optional)
        change_all(&t, share, optional);
    printf("  %-16s %u changes without a prepare, %u with one, %u refused\n", info->id, t.without,
           t.with, t.refused);
    CHECK_EQ(t.different, 0);
    CHECK(t.with > 0);
}

static void test_changes(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e)
        of_effect(f, *e);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_changes)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
