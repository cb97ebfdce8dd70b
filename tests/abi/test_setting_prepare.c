// test_setting_prepare.c - ag_setting_info.prepare: the most that a change of each setting costs
// SPDX-License-Identifier: MIT
//
// Every setting is changed in many jobs: with defaults, with each value of each choice, with and
// without the optional slots. What the effect's check then says differs (the plan, the kernel, or
// nothing) must never be more than the setting states, and in one job be as much.
#include <stdio.h>
#include <string.h>

#include "core/frame_pass.h"
#include "core/request.h"
#include "jobs.h"

static const ag_host quiet = {.struct_size = sizeof quiet};

// Outputs have the sizes that the settings ask for.
static void size_outputs(const ag_effect *effect, test_job *j)
{
    ag_request request;
    if (!effect->size || ag_request_read(&quiet, effect, &j->job, AG_JOB_INPUTS, &request) < 0)
        return;
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        int32_t size[3] = {0};
        if (!(job_slot_info(j->info, i)->access & AG_WRITE) || !j->slots[i].format)
            continue;
        effect->size(&request, i, size);
        if (size[0] < 1)
            continue;
        j->slots[i].width = size[0];
        j->slots[i].height = size[1];
        j->slots[i].layers = size[2];
        j->slots[i].target = size[2] > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    }
}

// False: the effect refuses the job.
static bool shape_of(const ag_effect *effect, test_job *j, ag_shape *shape)
{
    ag_request request;
    memset(shape, 0, sizeof *shape);
    size_outputs(effect, j);
    return ag_request_read(&quiet, effect, &j->job, AG_JOB_DECLARED, &request) >= 0 &&
           ag_frame_check(&quiet, effect, &request, shape) >= 0;
}

static uint32_t difference(const ag_shape *a, const ag_shape *b)
{
    return memcmp(a->plan, b->plan, sizeof a->plan)         ? AG_PREPARE_PLAN
           : memcmp(a->kernel, b->kernel, sizeof a->kernel) ? AG_PREPARE_KERNEL
                                                            : AG_PREPARE_NOTHING;
}

// All changes of all settings from one job.
static void change_each(const ag_effect *effect, test_job *j, uint32_t most[64], uint32_t *tried)
{
    const ag_effect_info *info = &effect->info;
    ag_shape before, after;
    if (!shape_of(effect, j, &before))
        return;
    for (uint32_t i = 0; i < info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(info, i);
        for (uint32_t k = 0; k < s->count; ++k) {
            double kept = job_get(j, s->name, k);
            for (int v = 0; v < job_setting_values(s); ++v) {
                job_set(j, s->name, k, job_setting_value(s, v));
                if (shape_of(effect, j, &after)) {
                    uint32_t is = difference(&before, &after);
                    most[i] = is > most[i] ? is : most[i];
                    ++*tried;
                }
            }
            job_set(j, s->name, k, kept);
        }
    }
}

// From the job, with each value of each choice, and with each two of them.
static void from_choices(const ag_effect *effect, test_job *j, uint32_t first, int depth,
                         uint32_t most[64], uint32_t *tried)
{
    const ag_effect_info *info = &effect->info;
    change_each(effect, j, most, tried);
    for (uint32_t i = first; i < info->setting_count && depth < 2; ++i) {
        const ag_setting_info *s = job_setting_info(info, i);
        double kept = job_get(j, s->name, 0);
        bool number = s->type == AG_FLOAT || s->type == AG_INT;
        for (int v = 0; v < (number ? 2 : job_setting_values(s)); ++v) {
            job_set(j, s->name, 0, number ? job_setting_value(s, v ? 3 : 4) : v);
            if (!number || depth == 0)
                from_choices(effect, j, i + 1, number ? 2 : depth + 1, most, tried);
        }
        job_set(j, s->name, 0, kept);
    }
}

// 8 bits wherever a slot takes them.
static void use_codes(test_job *j)
{
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        const ag_slot_info *slot = job_slot_info(j->info, i);
        for (uint32_t k = 0; k < slot->format_count && j->slots[i].format; ++k)
            if (slot->formats[k] == GL_RGBA8)
                j->slots[i].format = GL_RGBA8;
    }
}

// What these decide goes with slots or formats that the jobs here do not have.
static bool beyond(const char *effect, const char *setting)
{
    static const char *const names[] = {"sat.square",  "sat.min_box",       "sat.tolerance",
                                        "fft.packing", "wavelet.direction", "wavelet.stationary"};
    char name[64];
    snprintf(name, sizeof name, "%s.%s", effect, setting);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void test_setting_prepare(void **state)
{
    static const char *const words[] = {"nothing", "kernel", "plan"};
    fixture *f = *state;
    uint32_t wrong = 0;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        const ag_effect *effect = ag_effect_find((*e)->id);
        uint32_t most[64] = {0}, tried = 0;
        for (int variant = 0; variant < 3; ++variant) {
            test_job j;
            job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
            if (variant == 1)
                job_fill_optional(f, &j);
            if (variant == 2)
                use_codes(&j);
            from_choices(effect, &j, 0, 0, most, &tried);
            job_destroy(f, &j);
        }
        uint32_t sums[3] = {0};
        for (uint32_t i = 0; i < (*e)->setting_count; ++i) {
            const ag_setting_info *s = job_setting_info(*e, i);
            ++sums[most[i]];
            if (s->prepare == most[i] || (s->prepare > most[i] && beyond((*e)->id, s->name)))
                continue;
            printf("  FAIL  %s.%s states %s; a change made it %s\n", (*e)->id, s->name,
                   words[s->prepare], words[most[i]]);
            ++wrong;
        }
        printf("  %-16s %u changes: %u settings need nothing, %u the kernel, %u a plan\n", (*e)->id,
               tried, sums[0], sums[1], sums[2]);
    }
    CHECK_EQ(wrong, 0);
}

static void test_plan_words(void **state)
{
    static const struct {
        const char *said, *shall;
    } rows[] = {
        {"1 levels by 1x1 tiles", "1 level by 1x1 tiles"},
        {"a: 9x7, 1 layers; 1 threads x 8 points, 11 lines",
         "a: 9x7, 1 layer; 1 thread x 8 points, 11 lines"},
        {"1 dispatches, 1 passes (1 sizes)", "1 dispatch, 1 pass (1 size)"},
        {"1 of 1 columns, 2.1 bytes, -1 taps", "1 of 1 column, 2.1 bytes, -1 taps"},
        {"1 less, 1 of 1 ", "1 less, 1 of 1 "},
        {"1 s", "1 s"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[96];
        snprintf(text, sizeof text, "%s", rows[i].said);
        ag_plan_text_singular(text);
        CHECK_F(strcmp(text, rows[i].shall) == 0, "%s became %s", rows[i].said, text);
    }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_TEST(test_setting_prepare), UNIT_TEST(test_plan_words)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
