// checks.c - what several effects demand of a job and of a context
// SPDX-License-Identifier: MIT
#include "effects/kit/checks.h"
#include "base/log.h"
#include "gl/bindings.h"

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
    AG_TRY(ag_check_same_rect(host, request, slot, like));
    return ag_check_same_layers(host, request, slot, like);
}

ag_status ag_check_one_layer(const ag_host *host, const ag_request *request, int slot)
{
    const ag_effect_info *info = request->info;
    if (request->slots[slot].layers == 1 || !request->formats[slot])
        return AG_OK;
    return ag_fail(host, AG_E_ARG, "%s: %s has %d layers; it takes one, which first_layer selects",
                   info->id, info->slots[slot].name, request->slots[slot].layers);
}

ag_status ag_check_one_sample(const ag_host *host, const ag_request *request, int slot)
{
    const ag_effect_info *info = request->info;
    if (!ag_is_multisampled(&request->slots[slot]))
        return AG_OK;
    return ag_fail(host, AG_E_ARG, "%s: %s is multisampled; resolve it before, to one sample",
                   info->id, info->slots[slot].name);
}

ag_status ag_check_limit(const ag_host *host, const ag_request *request, int slot, int32_t limit)
{
    const ag_texture *t = &request->slots[slot];
    const ag_effect_info *info = request->info;
    if ((t->rect_width <= limit && t->rect_height <= limit) || !request->formats[slot])
        return AG_OK;
    return ag_fail(host, AG_E_SIZE, "%s: %s is %dx%d; the limit is %d", info->id,
                   info->slots[slot].name, t->rect_width, t->rect_height, limit);
}

ag_status ag_check_block(const ag_host *host, const ag_gl *gl, const ag_request *request, int slot,
                         int64_t bytes)
{
    const ag_texture *t = &request->slots[slot];
    if (bytes <= gl->max_ssbo_bytes)
        return AG_OK;
    return ag_fail(host, AG_E_SIZE,
                   "%s: %dx%d with %d layers needs %lld bytes; this context's storage blocks hold "
                   "%lld",
                   request->info->id, t->rect_width, t->rect_height, t->layers, (long long)bytes,
                   (long long)gl->max_ssbo_bytes);
}

ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what)
{
    if (ag_image_units(gl, needed) == needed)
        return AG_OK;
    return ag_fail(host, AG_E_ARG,
                   "%s: image_unit_base is %u, and %s need %u image units from there; effects use "
                   "the context's units 0 to %d",
                   effect, gl->image_unit_base, what, needed,
                   (gl->max_image_units < AG_IMAGE_MAX ? gl->max_image_units : AG_IMAGE_MAX) - 1);
}

void ag_size_like(const ag_texture *t, int32_t size[3])
{
    size[0] = t->rect_width;
    size[1] = t->rect_height;
    size[2] = t->layers;
}

uint64_t ag_slot_texels(const ag_request *request, int slot)
{
    const ag_texture *t = &request->slots[slot];
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height * (uint64_t)t->layers;
}

bool ag_is_array(const ag_texture *t)
{
    return t->target == GL_TEXTURE_2D_ARRAY || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

bool ag_is_multisampled(const ag_texture *t)
{
    return t->target == GL_TEXTURE_2D_MULTISAMPLE || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

bool ag_has_infinity(const ag_format *f)
{
    return f->store == AG_STORE_32F || f->store == AG_STORE_16F || f->store == AG_STORE_11_11_10F;
}

int32_t ag_subgroups_of(const ag_gl *gl, const ag_tuning *tuning, const int32_t *exchange)
{
    if (ag_tuned(tuning, exchange) == AG_EXCHANGE_SHARED)
        return AG_SUBGROUPS_NONE;
    if (gl->has_subgroups && !(tuning->without & AG_WITHOUT_SUBGROUPS))
        return AG_SUBGROUPS_OF_DRIVER;
    return tuning->emulate ? AG_SUBGROUPS_EMULATED : AG_SUBGROUPS_NONE;
}
