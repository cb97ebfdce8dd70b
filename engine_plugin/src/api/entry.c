// entry.c - the one exported symbol, and the table it returns
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "core/device.h"
#include "core/request.h"
#include "effects/sat/sat_plan.h"
#include "gl/host_texture.h"
#include "passes/reader.h"

#include <stddef.h>
#include <string.h>

const ag_effect_info *const *ag_effects(uint32_t *count)
{
    uint32_t effects = 0;
    while (ag_module_effects[effects])
        ++effects;
    if (count)
        *count = effects;
    return ag_module_effects;
}

const ag_effect *ag_effect_find(const char *id)
{
    for (const ag_effect_info *const *at = ag_module_effects; *at; ++at)
        if (!strcmp((*at)->id, id))
            return (const ag_effect *)*at; // its first member
    return NULL;
}

static const char *status_text(ag_status status)
{
#define AG_STATUS_CASE(name, value, text) \
    case value: return text;
    switch (status) {
        AG_STATUS_LIST(AG_STATUS_CASE)
    }
#undef AG_STATUS_CASE
    return "unknown status";
}

static ag_status defaults(const char *id, void *settings, uint32_t size)
{
    const ag_effect *effect = id ? ag_effect_find(id) : NULL;
    if (!effect || !settings || size < 8)
        return AG_E_ARG;
    ag_settings_default(&effect->info, settings, size);
    return AG_OK;
}

static ag_status pass_create(ag_device *device, const char *id, ag_pass **pass)
{
    if (!device || !pass)
        return AG_E_ARG;
    ag_status status = ag_gpu_check(&device->gpu);
    if (status < 0)
        return status;
    const ag_effect *effect = id ? ag_effect_find(id) : NULL;
    const ag_loaded *loaded = id && !effect ? ag_loaded_find(device->loaded, id) : NULL;
    if (effect || loaded)
        return ag_device_add_pass(device, effect ? effect : ag_loaded_first(loaded), loaded, pass);
    ag_text list = {.host = &device->gpu.host};
    uint32_t count;
    const ag_effect_info *const *all = ag_effects(&count);
    for (uint32_t i = 0; i < count; ++i)
        ag_text_print(&list, " %s", all[i]->id);
    for (const ag_loaded *l = device->loaded; l; l = l->next)
        ag_text_print(&list, " %s", l->newest->info.id);
    status = ag_fail(&device->gpu.host, AG_E_ARG,
                     "pass_create: there is no effect \"%s\"; this module has%s",
                     id ? id : "(NULL)", list.data ? list.data : "");
    ag_text_free(&list);
    return status;
}

static ag_status pass_load(ag_device *device, const char *folder, const ag_effect_info **effect)
{
    return ag_device_load(device, &ag_pass_reader, folder, effect);
}

static ag_status effect_defaults(const ag_effect_info *effect, void *settings, uint32_t size)
{
    if (!effect || !settings || size < 8)
        return AG_E_ARG;
    ag_settings_default(effect, settings, size);
    return AG_OK;
}

static ag_status execute(ag_pass *pass, const ag_job *job, uint32_t *barriers)
{
    return pass ? ag_pass_execute(pass, job, barriers) : AG_E_ARG;
}

static ag_status run(ag_pass *pass, const ag_job *job)
{
    ag_status prepared = ag_device_prepare(pass, job);
    if (prepared < 0 || prepared == AG_PENDING)
        return prepared;
    ag_status executed = execute(pass, job, NULL);
    return executed < 0 ? executed : prepared;
}

static ag_status texture(ag_device *device, uint32_t name, int32_t level, ag_texture *out)
{
    return device ? ag_texture_ask(&device->gpu, name, level, out) : AG_E_ARG;
}

static const ag_api api = {
    .struct_size = sizeof(ag_api),
    .abi_major = AG_ABI_MAJOR,
    .abi_minor = AG_ABI_MINOR,
    .version = AG_VERSION,
    .effects = ag_effects,
    .defaults = defaults,
    .status_text = status_text,
    .device_create = ag_device_create,
    .device_destroy = ag_device_destroy,
    .health = ag_device_health,
    .frame = ag_device_frame,
    .texture = texture,
    .forget = ag_device_forget,
    .pass_create = pass_create,
    .pass_destroy = ag_device_drop_pass,
    .run = run,
    .declare = ag_pass_declare,
    .slot_size = ag_pass_slot_size,
    .prepare = ag_device_prepare,
    .execute = execute,
    .stats = ag_pass_stats,
    .reload_status = ag_reload_status,
    .sat_error = ag_sat_error,
    .sat_fraction_bits = ag_sat_fraction_bits,
    .sat_choose = ag_sat_choose,
    .pass_load = pass_load,
    .effect_defaults = effect_defaults,
};

const ag_api *ag_entry_v1(uint32_t host_abi_minor)
{
    (void)host_abi_minor; // all hosts get the same table, because it only grows at its end
    return &api;
}
