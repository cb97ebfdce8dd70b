// test_barriers.c - how many barriers each job places
// SPDX-License-Identifier: MIT
//
// Every effect's job is executed with each value of each choice and another value of each number,
// without the optional slots and with them. glMemoryBarrier is counted; nothing runs. The counts
// are in barriers.h, a character a job: 0 .. 9, a .. z, or - where it is refused. One more makes
// the job slower; one fewer is a declaration that is lost, and a race that few drivers show, until
// somebody has seen why. None is more than when effects placed barriers by hand (version 0.1.0).
// `test_barriers --print` prints that table. `test_barriers --dump FOLDER` writes the dispatches of
// these jobs (support/dispatches.h) for shader/check_access.py.
#include <stdio.h>
#include <string.h>

#include "barriers.h"
#include "dispatches.h"
#include "jobs.h"
#include "minimums.h"

enum { MOST = 1024 };

typedef struct counts {
    char of[MOST];
    uint32_t jobs, now;
} counts;

static void on_barrier(void *user, uint32_t bits)
{
    counts *c = user;
    (void)bits;
    ++c->now;
}

static void count_job(fixture *f, test_job *j, counts *c)
{
    dispatches_job();
    char *out = &c->of[c->jobs < MOST - 1 ? c->jobs++ : MOST - 2];
    uint32_t bits;
    ag_pass *pass = fixture_pass(f, j->info->id);
    bool runs = f->ag->prepare(pass, &j->job) >= 0 && f->ag->execute(pass, &j->job, &bits) >= 0;
    c->now = 0;
    runs = runs && f->ag->execute(pass, &j->job, &bits) >= 0;
    *out = !runs ? '-' : c->now < 10 ? (char)('0' + c->now) : (char)('a' + c->now - 10);
    f->ag->pass_destroy(pass);
}

static void count_choices(fixture *f, test_job *j, counts *c)
{
    count_job(f, j, c);
    for (uint32_t i = 0; i < j->info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(j->info, i);
        double kept = job_get(j, s->name, 0);
        bool number =
            s->type == AG_FLOAT || s->type == AG_INT; // of these one value inside the range
        for (int v = number ? 3 : 0; v < (number ? 4 : job_setting_values(s)); ++v) {
            job_set(j, s->name, 0, job_setting_value(s, v));
            if (job_setting_value(s, v) != kept)
                count_job(f, j, c);
        }
        job_set(j, s->name, 0, kept);
    }
}

static void count_effect(fixture *f, const char *effect, counts *c)
{
    for (int optional = 0; optional < 2; ++optional) {
        test_job j;
        job_create(f, effect, 67, 41, &j);
        if (optional)
            job_fill_optional(f, &j);
        count_choices(f, &j, c);
        job_destroy(f, &j);
    }
}

static const char *recorded(const char *effect)
{
    for (size_t i = 0; i < sizeof barriers_of_jobs / sizeof barriers_of_jobs[0]; ++i)
        if (!strcmp(barriers_of_jobs[i][0], effect))
            return barriers_of_jobs[i][1];
    return "";
}

static bool prints;
static const char *folder; // --dump

static void test_barriers(void **state)
{
    fixture *f = *state;
    MINIMUMS_LACK("the jobs of this table");
    // another GPU's numbers may choose ways of fewer dispatches
    const bool exact = !strncmp((const char *)f->gl.GetString(GL_RENDERER), "llvmpipe", 8);
    static counts c;
    uint32_t others = 0, jobs = 0;
    f->host.trace.on_barrier = on_barrier;
    f->host.trace.on_call_user = &c;
    f->host.trace.dry = true;
    f->host.trace.dry_word = 0x3f800000; // sums of kernels are 1
    if (folder)
        dispatches_begin(&f->host.trace, folder, NULL, NULL);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        c = (counts){0};
        count_effect(f, (*e)->id, &c);
        if (prints) {
            printf("    {\"%s\",", (*e)->id);
            for (uint32_t i = 0; i < c.jobs; i += 80)
                printf("\n     \"%.80s\"", c.of + i);
            printf("},\n");
            continue;
        }
        const char *shall = recorded((*e)->id);
        CHECK_EQ(strlen(shall), c.jobs);
        for (uint32_t i = 0; i < c.jobs && shall[i]; ++i)
            if (c.of[i] > shall[i] || (exact && c.of[i] < shall[i])) {
                printf("  FAIL  %s: job %u has %c barriers, not %c\n", (*e)->id, i, c.of[i],
                       shall[i]);
                ++others;
            }
        jobs += c.jobs;
    }
    f->host.trace.on_barrier = NULL;
    f->host.trace.dry = false;
    if (folder)
        dispatches_end(&f->host.trace);
    printf("  %u jobs\n", jobs);
    CHECK_EQ(others, 0);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_TEST(test_barriers)};
    if (argc > 1 && !strcmp(argv[1], "--print")) {
        prints = true;
        --argc;
    }
    if (argc > 2 && !strcmp(argv[1], "--dump")) {
        folder = argv[2];
        argc -= 2;
    }
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
