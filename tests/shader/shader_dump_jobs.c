// shader_dump_jobs.c - prepares and executes jobs whose shader variants are written
// SPDX-License-Identifier: MIT
#include <string.h>

#include "core/device.h"
#include "dispatches.h"
#include "jobs.h"
#include "shader_dump.h"

// So that its dispatches are written, too: of the first frame, and of those that follow.
static void execute(fixture *f, ag_pass *pass, const ag_job *job)
{
    uint32_t bits;
    dispatches_job();
    for (int frame = 0; frame < 2; ++frame)
        CHECK_STATUS(f->ag->execute(pass, job, &bits), AG_OK);
}

bool dump_pretends;

ag_status dump_prepare_planned(fixture *f, const char *effect, texture *t, int count,
                               const void *settings, int planned)
{
    ag_texture slots[DUMP_MOST_SLOTS];
    for (int i = 0; i < count; ++i)
        slots[i] = t[i].name ? texture_view(&t[i]) : texture_no_view();
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = (uint32_t)count,
                  .settings = settings,
                  .plan_width = planned,
                  .plan_height = planned,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_pass *pass = fixture_pass(f, effect);
    host_log_clear(&f->host);
    ag_status status = f->ag->prepare(pass, &job);
    if (status == AG_OK)
        execute(f, pass, &job);
    f->ag->pass_destroy(pass);
    for (int i = 0; i < count; ++i)
        if (t[i].name) {
            f->ag->forget(f->device, t[i].name);
            texture_destroy(f, &t[i]);
        }
    return status;
}

ag_status dump_prepare(fixture *f, const char *effect, texture *t, int count, const void *settings)
{
    ag_status status = dump_prepare_planned(f, effect, t, count, settings, 0);
    if (status != AG_OK && !dump_pretends) {
        host_log_print(&f->host);
        check_fail(__FILE__, __LINE__, "prepare", "%s", effect);
    }
    return status;
}

void dump_described(fixture *f)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e)
        for (uint32_t i = 0; i < job_slot_info(effects[e], 0)->format_count; ++i) {
            const format_info *format = format_find(job_slot_info(effects[e], 0)->formats[i]);
            test_job j;
            job_create(f, effects[e]->id, 24, 20, &j);
            if (format && !j.lower.name &&
                !job_generates(effects[e])) { // not of levels in place, whose variants are above
                texture_destroy(f, &j.textures[0]);
                j.textures[0] = texture_create_array(f, format->name, 24, 20, i % 2, 1, NULL);
                j.slots[0] = texture_view(&j.textures[0]);
                ag_pass *pass = fixture_pass(f, effects[e]->id);
                ag_status status = f->ag->prepare(pass, &j.job);
                if (status == AG_OK)
                    execute(f, pass, &j.job);
                CHECK_F(status == AG_OK || status == AG_E_FORMAT || status == AG_E_ARG ||
                            status == AG_E_SIZE,
                        "%s from %s: %s", effects[e]->id, format->name, host_log_last(&f->host));
                f->ag->pass_destroy(pass);
            }
            job_destroy(f, &j);
        }
    host_log_clear(&f->host);
}

// ---- drivers that pretend ----------------------------------------------------------------------

void dump_pretend(fixture *f, const ag_gl *had, bool subgroups)
{
    f->device->gpu.gl.has_subgroups = subgroups;
    dump_pretends = subgroups && !had->has_subgroups;
    fixture_ignore(f, dump_pretends);
}

void dump_pretend_no_more(fixture *f, const ag_gl *had)
{
    f->device->gpu.gl = *had;
    *ag_device_tuning(f->device) = (ag_tuning){0};
    dump_pretends = false;
    fixture_ignore(f, false);
    host_log_clear(&f->host);
}
