// pass_folder.c - a device, and a pass on it from a folder that a test writes
// SPDX-License-Identifier: MIT
#include "pass_folder.h"

#include <string.h>

#include "jobs.h"

void pass_open_at(fixture *f, const char *path, pass_folder *p)
{
    p->f = f;
    if (!f->device)
        fixture_device(f, NULL);
    ag_status status = f->ag->pass_load(f->device, path, &p->info);
    CHECK_F(status == AG_OK, "%s", host_log_last(&f->host));
    CHECK(p->info->settings_size <= PASS_SETTINGS);
}

void pass_open(fixture *f, const char *text, pass_folder *p)
{
    *p = (pass_folder){.d = folder_create()};
    folder_put(&p->d, "pass.comp", text);
    pass_open_at(f, p->d.path, p);
}

void pass_close(pass_folder *p)
{
    p->f->ag->device_destroy(p->f->device, 0);
    p->f->device = NULL;
    if (p->d.count)
        folder_destroy(&p->d);
}

trial pass_trial(pass_folder *p, const char *name)
{
    return trial_of_info(p->f, p->info, name, p->settings, p->info->settings_size);
}

trial pass_image(pass_folder *p, const char *name, const char *format, int width, int height,
                 const double *values)
{
    trial t = pass_trial(p, name);
    t.slots[SRC] = trial_image(format, width, height, values);
    t.slots[DST] = trial_image(format, width, height, NULL);
    return t;
}

void pass_set(pass_folder *p, const char *setting, int at, double value)
{
    for (uint32_t i = 0; i < p->info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(p->info, i);
        if (strcmp(s->name, setting) != 0)
            continue;
        float real = (float)value;
        int32_t whole = (int32_t)value;
        memcpy(p->settings + s->offset + 4 * at,
               s->type == AG_FLOAT ? (void *)&real : (void *)&whole, 4);
        return;
    }
    CHECK_F(false, "no setting %s", setting);
}
