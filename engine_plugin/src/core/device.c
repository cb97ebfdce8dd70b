// device.c - all that the module keeps for one GL context
// SPDX-License-Identifier: MIT
#include "core/device.h"
#include "base/abi.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/system.h"
#include "core/tuning.h"
#include "gl/host_texture.h"

#include <stdio.h>
#include <string.h>

static ag_status check_host(const ag_host *host)
{
    if (host->reserved)
        return ag_fail(host, AG_E_ARG, "host.reserved is %u; it must be 0", host->reserved);
    if (!host->alloc != !host->free)
        return ag_fail(host, AG_E_ARG,
                       "host.alloc and host.free: only one is set; set both or neither");
    if (!host->cache_load != !host->cache_store)
        return ag_fail(
            host, AG_E_ARG,
            "host.cache_load and host.cache_store: only one is set; set both or neither");
    if (host->is_current && !host->is_current(host->user))
        return ag_fail(host, AG_E_THREAD,
                       "host.is_current returned 0: the context is not current on this thread");
    return AG_OK;
}

// Uses nothing of the host's struct until its size is plausible, because a struct that was never
// filled has no valid callbacks. A plausible struct that is too new gets a message.
static ag_status read_host(const ag_host *theirs, ag_host *host)
{
    const uint32_t largest = 1024; // size that a later version may have
    uint32_t size = 0;
    *host = (ag_host){.struct_size = sizeof *host};
    ag_status status = ag_read_struct(&(const ag_host){0}, "host", host, sizeof *host, theirs);
    if (status >= 0 || !theirs)
        return status;
    memcpy(&size, theirs, sizeof size);
    if (size <= sizeof *host || size > largest || size % sizeof(void *))
        return status;
    ag_host teller = {.log = theirs->log, .user = theirs->user};
    return ag_read_struct(&teller, "host", host, sizeof *host, theirs);
}

static void free_device(ag_device *device, bool with_gl)
{
    ag_gpu *gpu = &device->gpu;
    while (device->passes) {
        ag_pass *pass = device->passes;
        device->passes = pass->next;
        ag_pass_free(pass, with_gl);
    }
    ag_loaded_free(&gpu->host, device->loaded);
    ag_texture_forget(gpu, 0, with_gl);
    ag_gpu_constants_free(gpu, with_gl);
    ag_gpu_free_buffer(gpu, &gpu->readback, with_gl);
    ag_builds_free(&device->compiler, with_gl);
    ag_problem_free(&device->compiler.refused);
    ag_problem_free(&device->reload.told);
    ag_watch_free(device->compiler.watch);
    ag_timer_destroy(&device->timer, with_gl);
    ag_platform_close(&gpu->gl.platform);
    ag_host host = gpu->host;
    ag_free(&host, device, sizeof *device);
}

ag_status ag_device_create(const ag_host *host_in, const ag_device_desc *desc_in, ag_device **out)
{
    const uint32_t known_flags = AG_DEVICE_LABELS | AG_DEVICE_VALIDATE;
    const uint32_t known_without = AG_WITHOUT_SUBGROUPS | AG_WITHOUT_TEXTURE_UNITS;
    ag_host host;
    ag_device_desc desc = {.struct_size = sizeof desc};
    ag_status status = read_host(host_in, &host);
    if (status < 0)
        return status;
    if (!out)
        return ag_fail(&host, AG_E_ARG, "device_create: device is NULL");
    status = check_host(&host);
    if (status >= 0 && desc_in)
        status = ag_read_struct(&host, "device_desc", &desc, sizeof desc, desc_in);
    if (status >= 0 && (desc.flags & ~known_flags))
        status = ag_fail(&host, AG_E_ARG, "device_desc.flags is 0x%X; the known bits are 0x%X",
                         desc.flags, known_flags);
    if (status >= 0 && (desc.without & ~known_without))
        status = ag_fail(&host, AG_E_ARG, "device_desc.without is 0x%X; the known bits are 0x%X",
                         desc.without, known_without);
    if (status >= 0 && desc.shader_dir && !ag_folder_readable(desc.shader_dir))
        status =
            ag_fail(&host, AG_E_ARG, "device_desc.shader_dir is no folder that can be read: \"%s\"",
                    desc.shader_dir);
    if (status >= 0 && desc.reserved)
        status =
            ag_fail(&host, AG_E_ARG, "device_desc.reserved is %u; it must be 0", desc.reserved);
    if (status >= 0 && desc.timer_capacity > 65536)
        status = ag_fail(&host, AG_E_ARG, "device_desc.timer_capacity is %u; the limit is 65536",
                         desc.timer_capacity);
    if (status < 0)
        return status;

    ag_device *device = ag_alloc(&host, sizeof *device);
    if (!device)
        return AG_E_MEMORY;
    device->gpu.host = host;
    device->gpu.validate = desc.flags & AG_DEVICE_VALIDATE;
    device->compiler.gpu = &device->gpu;
    device->desc = desc;
    device->tuning.without = desc.without;
    // The host's strings: what is needed of them is copied.
    device->desc.shader_dir = device->desc.tuning = NULL;
    status = ag_gl_load(&host, &desc, &device->gpu.gl);
    if (status >= 0 && desc.shader_dir)
        status = ag_watch_create(&device->gpu.host, desc.shader_dir, &device->compiler.watch);
    if (status >= 0)
        ag_cache_create(&device->compiler.cache, &device->gpu);
    if (status >= 0)
        status = ag_timer_create(&device->timer, &device->gpu, desc.timer_capacity);
    if (status < 0) {
        free_device(device, false);
        return status;
    }
    if (desc.tuning)
        status = ag_tuned_read(&host, &device->gpu.gl, desc.tuning, &device->tuning,
                               &device->desc.copy_speed);
    if (!device->timer.available)
        ag_say(&host, AG_LOG_INFO, "this context has no GL_TIMESTAMP, so there are no GPU times");
    *out = device;
    return status;
}

void ag_device_destroy(ag_device *device, int32_t context_gone)
{
    if (!device)
        return;
    bool with_gl = !context_gone && !device->gpu.lost;
    // In another context the same names are other objects.
    if (with_gl && ag_gpu_check(&device->gpu) < 0) {
        ag_say(&device->gpu.host, AG_LOG_WARNING,
               "device_destroy: the device's GL objects exist until their context is destroyed");
        with_gl = false;
    }
    free_device(device, with_gl);
}

ag_tuning *ag_device_tuning(ag_device *device)
{
    return &device->tuning;
}

ag_status ag_device_health(ag_device *device, ag_health *health)
{
    if (!device)
        return AG_E_ARG;
    ag_gpu *gpu = &device->gpu;
    if (!gpu->lost) {
        ag_status status = ag_gpu_check(gpu);
        if (status < 0)
            return status;
        if (gpu->gl.GetGraphicsResetStatus && gpu->gl.GetGraphicsResetStatus() != GL_NO_ERROR) {
            gpu->lost = true;
            ag_fail(&gpu->host, AG_E_LOST,
                    "the GL context was lost by a reset; destroy this device");
        }
    }
    ag_health mine = {.struct_size = sizeof mine,
                      .programs = device->compiler.program_count,
                      .scrubbed_texels = device->scrubbed,
                      .dropped_samples = device->timer.dropped,
                      .persistent_bytes = gpu->persistent_bytes,
                      .programs_from_cache = device->compiler.programs_from_cache};
    for (const ag_pass *pass = device->passes; pass; pass = pass->next)
        mine.scrubbed_texels += pass->scrubbed;
    ag_status status = AG_OK;
    if (health)
        status = ag_write_struct(&gpu->host, "health", health, &mine, sizeof mine);
    return gpu->lost ? AG_E_LOST : status;
}

ag_status ag_device_frame(ag_device *device, uint64_t frame)
{
    (void)frame; // the host's frame number; nothing uses it yet
    ag_status status = device ? ag_gpu_check(&device->gpu) : AG_E_ARG;
    if (status < 0)
        return status;
    ag_timer_harvest(&device->timer);
    for (ag_pass *pass = device->passes; pass; pass = pass->next)
        ag_pass_poll(pass);
    ag_reload_frame(device);
    return AG_OK;
}

void ag_device_forget(ag_device *device, uint32_t texture)
{
    if (!device || !texture || ag_gpu_check(&device->gpu) < 0)
        return;
    for (ag_pass *pass = device->passes; pass; pass = pass->next)
        ag_pass_forget(pass, texture);
    ag_texture_forget(&device->gpu, texture, true);
}

// ---- passes ------------------------------------------------------------------------------------

ag_status ag_device_load(ag_device *device, const ag_reader *reader, const char *folder,
                         const ag_effect_info **effect)
{
    if (!device)
        return AG_E_ARG;
    const ag_host *host = &device->gpu.host;
    if (!folder || !effect)
        return ag_fail(host, AG_E_ARG, "pass_load: %s is NULL", folder ? "effect" : "folder");
    ag_loaded *loaded = device->loaded;
    while (loaded && strcmp(ag_watch_directory(loaded->folder), folder) != 0)
        loaded = loaded->next;
    ag_status status = AG_OK;
    if (!loaded) {
        status = ag_loaded_create(host, folder, reader, &loaded);
        if (status < 0)
            return status;
        const char *id = loaded->newest->info.id;
        const ag_loaded *other = ag_loaded_find(device->loaded, id);
        if (other || ag_effect_find(id)) {
            ag_problem problem = {0};
            char what[1200];
            snprintf(what, sizeof what, "expected a name of its own; %s is %s%s%s", id,
                     other ? "that of \"" : "an effect of this module",
                     other ? ag_watch_directory(other->folder) : "", other ? "\"" : "");
            reader->point(host, loaded->folder, loaded->newest, what, &problem);
            ag_problem_log(host, &problem, AG_E_ARG);
            ag_problem_free(&problem);
            ag_loaded_free(host, loaded);
            return AG_E_ARG;
        }
        loaded->next = device->loaded;
        device->loaded = loaded;
    }
    *effect = &loaded->newest->info;
    return AG_OK;
}

ag_status ag_device_add_pass(ag_device *device, const ag_effect *effect, const ag_loaded *loaded,
                             ag_pass **out)
{
    ag_pass *pass;
    ag_status status =
        ag_pass_create(&device->gpu, &device->compiler, &device->timer, effect, &pass);
    if (status < 0)
        return status;
    pass->owner = device;
    pass->loaded = loaded;
    pass->tuning = &device->tuning;
    pass->copy_speed = device->desc.copy_speed;
    pass->next = device->passes;
    device->passes = pass;
    *out = pass;
    return AG_OK;
}

void ag_device_drop_pass(ag_pass *pass)
{
    if (!pass)
        return;
    ag_device *device = pass->owner;
    ag_pass **link = &device->passes;
    while (*link != pass)
        link = &(*link)->next;
    *link = pass->next;
    device->scrubbed += pass->scrubbed;
    ag_pass_free(pass, ag_gpu_check(&device->gpu) >= 0);
}

ag_status ag_device_prepare(ag_pass *pass, const ag_job *job)
{
    if (!pass)
        return AG_E_ARG;
    const ag_effect *had = pass->effect;
    ag_status status = ag_pass_prepare(pass, job);
    pass->owner->reload.generation += pass->effect != had; // an edit of its folder
    ag_reload_tell(pass->owner);
    if (status >= 0 && status != AG_PENDING)
        ag_reload_prepared(pass->owner);
    return status;
}
