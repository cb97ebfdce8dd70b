// cli/run_output.c - the outputs of `afterglow run`: textures into images, images into files
// SPDX-License-Identifier: MIT
#include "run.h"

#include "compare.h"
#include "complex.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The result has the shape of the source's file: three channels stay three, (H, W) stays (H, W).
int run_read_output(const run *target, int slot, int level, image *out)
{
    image read = {0};
    int status = texture_read(&target->session.gpu, &target->textures[slot], level, &read);
    if (status != STATUS_OK)
        return status;
    const image *source = &target->source;
    bool state = effect_slot(target->request->effect, slot)->access &
                 AG_STATE; // no picture: all channels are kept
    bool alpha_was_added = source->channels == 3 || (source->decoded && source->channels == 1);
    if (alpha_was_added && read.channels == 4 && !state) {
        status = image_with_channels(&read, 3, out);
        image_destroy(&read);
    } else {
        *out = read;
    }
    out->two_axes = source->two_axes && out->channels == 1;
    out->wide = source->wide;
    out->codes = source->codes || out->codes;
    return status;
}

static int finish_output(const run *target, int slot, int level, const char *path)
{
    const run_request *request = target->request;
    image result = {0}, imag = {0};
    if (!path && (!request->reference || request != run_last(request)))
        return STATUS_OK;
    int status = run_read_output(target, slot, level, &result);
    int partner = complex_partner(request, slot);
    if (status == STATUS_OK && partner >= 0)
        status = run_read_output(target, partner, level, &imag);
    if (status == STATUS_OK && partner >= 0)
        status = complex_join(&result, &imag);
    image_destroy(&imag);
    if (status == STATUS_OK && path)
        status = image_save_as(path, run_output_type(request, path), &result, &request->view);
    if (status == STATUS_OK && request->reference && request == run_last(request)) {
        status = compare_with_file(&result, request->reference, &request->view, &target->limits,
                                   request->reference_db);
    }
    image_destroy(&result);
    return status;
}

// The number of levels of a chain: all, or the number of its setting.
static int made_levels(const run *target, int slot)
{
    const run_request *request = target->request;
    int levels = target->textures[slot].levels, wanted = 0;
    int32_t value;
    for (int i = 0; i < (int)request->effect->setting_count; i++) {
        const ag_setting_info *setting = effect_setting(request->effect, i);
        if (strcmp(setting->name, "levels") == 0) {
            memcpy(&value, (const char *)request->settings + setting->offset, sizeof value);
            bool in_place = effect_slot(request->effect, slot)->access & AG_READ;
            wanted = value ? value + in_place : 0; // level 0 exists already
        }
    }
    return wanted && wanted < levels ? wanted : levels;
}

char *run_level_path(const char *path, int level)
{
    const char *dot = strrchr(path, '.');
    size_t size = strlen(path) + 8;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%.*s_L%02d%s", (int)(dot - path), path, level, dot);
    return name;
}

static int finish_levels(const run *target, int slot, const char *path)
{
    int count = made_levels(target, slot), status = STATUS_OK;
    for (int level = 0; path && level < count && status == STATUS_OK; level++) {
        char *name = run_level_path(path, level);
        status = name ? finish_output(target, slot, level, name) : fail_memory();
        free(name);
    }
    return status;
}

static int finish_slots(const run *target, const char *const *outputs)
{
    const run_request *request = target->request;
    int slots[EFFECT_MAX_SLOTS], status = STATUS_OK, count = run_output_slots(request, slots);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const char *path = outputs ? outputs[i] : request->writes[slots[i]];
        status = run_writes_chains(request->effect) ? finish_levels(target, slots[i], path)
                                                    : finish_output(target, slots[i], 0, path);
    }
    return status;
}

int run_write_outputs(const run *chain, const char *const *outputs)
{
    int count = chain->request->stage_count, status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = finish_slots(&chain[i], i == count - 1 ? outputs : NULL);
    return status;
}
