// test_ways.c - the table of ways that `afterglow tune` and `afterglow-bench auto` measure
// SPDX-License-Identifier: MIT
#include "fixture.h"

#include "demo/cli/ways.h"

#include <string.h>

// The key of the plan that auto makes where a key of the tuning has this value.
static uint64_t planned(const ways_textures *on, const ag_tuned_key *key, int value)
{
    const way it = {"forced", .tuned = {{key->offset, value}}};
    const ag_tuning none = {0};
    way_pass pass;
    CHECK_EQ(way_pass_open(on, &it, &none, &pass), 0); // STATUS_OK
    uint64_t made = pass.key;
    way_pass_close(&pass);
    return made;
}

// Up to its own `at` a job is done the first way, and beyond it the second.
static void check_last(const ways_textures *on, const ag_tuned_key *key, const char *effect)
{
    const way_job *job = &on->job;
    uint64_t first = planned(on, key, key->max), second = planned(on, key, 1);
    bool good = planned(on, key, job->at) == first;
    if (job->at > 1)
        good = good && planned(on, key, job->at - 1) == second;
    CHECK_F(good && first != second, "%s of %s, %dx%d to %dx%d: it changes elsewhere than at %d",
            key->name, effect, job->width, job->height, job->to_width, job->to_height, job->at);
}

static void test_keys(void **state)
{
    fixture *f = *state;
    ways_bench bench = {.api = f->ag, .gl = &f->gl, .device = f->device, .divisor = 1};
    int jobs = 0, rules = 0;
    for (const choice *it = choices; it->effect; it++) {
        const ag_tuned_key *key = choice_key(it);
        const way_job *before = NULL;
        way made[3];
        int count = 0;
        CHECK_F((key != NULL) == (it->rule != WAYS_COMPARED), "%s: %s", it->effect, it->key);
        rules += key != NULL;
        for (const way *by = choice_ways(it, made); by->name; by++, count++)
            if (it->rule == WAYS_BEST)
                CHECK(by->tuned[0].at == key->offset && by->tuned[0].value >= key->min &&
                      by->tuned[0].value <= key->max);
        CHECK(count > 1 && count <= WAYS);
        for (const way_job *job = it->jobs; job->width; before = job++, jobs++) {
            ways_textures textures;
            CHECK(jobs < 1000 && job - it->jobs < CHOICE_JOBS);
            CHECK(!before || it->rule != WAYS_LAST || job->at > 0);
            if (it->rule != WAYS_LAST)
                continue;
            CHECK_EQ(ways_open(&bench, it, job, &textures), 0);
            check_last(&textures, key, it->effect);
            ways_close(&textures);
        }
    }
    print_message("%d jobs, %d keys\n", jobs, rules);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_TEST(test_keys)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
