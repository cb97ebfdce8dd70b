// fuzz_pass.c - the lines of a pass from a folder: what is taken is within the limits that frames
// rely on, and what is refused has a place
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "passes/description.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_settings(const ag_description *d)
{
    const ag_effect_info *info = &d->effect.info;
    FUZZ_CHECK(info->settings_size <= 4 * AG_MAX_SETTINGS && info->settings_tag);
    for (uint32_t i = 0; i < info->setting_count; i++) {
        const ag_setting_info *s = &info->settings[i];
        FUZZ_CHECK(*s->name && s->help && s->unit && s->min <= s->max);
        FUZZ_CHECK(s->offset + 4 * s->count <= info->settings_size);
        FUZZ_CHECK(s->type != AG_ENUM || (s->names && s->name_count >= 2));
        for (uint32_t k = 0; k < s->count; k++)
            FUZZ_CHECK(s->initial[k] >= s->min && s->initial[k] <= s->max);
    }
}

static void check_steps(const ag_description *d)
{
    for (int i = 0; i < d->step_count; i++) {
        const ag_pass_step *step = &d->steps[i];
        FUZZ_CHECK(step->use_count >= 1 && step->use_count <= AG_PASS_USES);
        FUZZ_CHECK(step->over >= -1 && step->over < step->use_count);
        FUZZ_CHECK(step->group[0] * step->group[1] <= 1024 && step->tile[0] && step->tile[1]);
        FUZZ_CHECK(*step->file != '/' && !strstr(step->file, "..") &&
                   strlen(step->file) < AG_WATCH_PATH);
        for (int k = 0; k < step->use_count; k++) {
            const ag_pass_use *use = &step->uses[k];
            FUZZ_CHECK((use->slot >= 0) != (use->texture >= 0) && *use->name);
            FUZZ_CHECK(use->slot < (int)d->effect.info.slot_count &&
                       use->texture < d->texture_count);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ag_host host = {.struct_size = sizeof host};
    ag_description *d = calloc(1, sizeof *d);
    char *text = malloc(size + 1); // of exactly this size: the sanitizer sees its end
    FUZZ_CHECK(d && text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    d->string_room = 2 * size + 64;
    d->strings = calloc(1, d->string_room);
    ag_problem problem = {0};
    ag_status status = ag_description_read(&host, text, size, d, &problem);
    free(text); // a description keeps no pointer to it
    FUZZ_CHECK(status == AG_OK || status == AG_E_ARG);
    FUZZ_CHECK((status == AG_OK) == (problem.text.length == 0));
    FUZZ_CHECK(status == AG_OK || problem.column >= 1);
    if (status == AG_OK) {
        check_settings(d);
        check_steps(d);
    }
    ag_problem_free(&problem);
    free(d->strings);
    free(d);
    return 0;
}
