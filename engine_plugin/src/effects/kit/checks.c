// checks.c - what several effects demand of a job
// SPDX-License-Identifier: MIT
#include "effects/kit/checks.h"
#include "base/log.h"

ag_status ag_check_same_rect(const ag_host *host, const ag_request *request, int slot, int like)
{
    const ag_texture *t = &request->slots[slot], *model = &request->slots[like];
    const ag_effect_info *info = request->info;
    bool same = t->rect_width == model->rect_width && t->rect_height == model->rect_height;
    if (same || !request->formats[slot])
        return AG_OK;
    return ag_fail(host, AG_E_SIZE, "%s: %s's rectangle is %dx%d, %s's %dx%d; they must be equal",
                   info->id, info->slots[slot].name, t->rect_width, t->rect_height,
                   info->slots[like].name, model->rect_width, model->rect_height);
}

ag_status ag_check_same_layers(const ag_host *host, const ag_request *request, int slot, int like)
{
    const ag_texture *t = &request->slots[slot], *model = &request->slots[like];
    const ag_effect_info *info = request->info;
    if (t->layers == model->layers || !request->formats[slot])
        return AG_OK;
    return ag_fail(host, AG_E_ARG, "%s: %s has %d layers, %s %d; they must be equal", info->id,
                   info->slots[slot].name, t->layers, info->slots[like].name, model->layers);
}

ag_status ag_check_same_size(const ag_host *host, const ag_request *request, int slot, int like)
{
    ag_status status = ag_check_same_rect(host, request, slot, like);
    return status < 0 ? status : ag_check_same_layers(host, request, slot, like);
}

uint64_t ag_slot_texels(const ag_request *request, int slot)
{
    const ag_texture *t = &request->slots[slot];
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height * (uint64_t)t->layers;
}
