// device.c - one GL context's worth of everything
// SPDX-License-Identifier: MIT
#include "core/device.h"
#include "base/abi.h"
#include "base/log.h"
#include "base/memory.h"
#include "core/pass.h"

#include <string.h>

ag_status ag_device_check(const ag_device *device)
{
    if (device->lost)
        return ag_fail(&device->host, AG_E_LOST, "the GL context was lost; destroy this device");
    if (device->host.is_current && !device->host.is_current(device->host.user))
        return ag_fail(&device->host, AG_E_THREAD,
                       "the device's context is not current on this thread");
    return AG_OK;
}

static ag_status check_host(const ag_host *host)
{
    if (host->reserved)
        return ag_fail(host, AG_E_ARG, "host.reserved is %u; it must be 0", host->reserved);
    if (!host->gl_proc)
        return ag_fail(host, AG_E_ARG, "host.gl_proc is NULL; it is required");
    if (!host->alloc != !host->free)
        return ag_fail(host, AG_E_ARG, "host.alloc and host.free: give both or neither");
    if (!host->cache_load != !host->cache_store)
        return ag_fail(host, AG_E_ARG,
                       "host.cache_load and host.cache_store: give both or neither");
    if (host->is_current && !host->is_current(host->user))
        return ag_fail(host, AG_E_THREAD, "host.is_current says that no context is current");
    return AG_OK;
}

static void free_device(ag_device *device, bool with_gl)
{
    while (device->passes) {
        ag_pass *pass = device->passes;
        device->passes = pass->next;
        ag_pass_free(pass, with_gl);
    }
    ag_texture_forget(device, 0, with_gl);
    ag_gpu_tables_free(device, with_gl);
    ag_gpu_free_buffer(device, &device->readback, with_gl);
    ag_builds_free(device, with_gl);
    ag_reload_free(device);
    ag_watch_free(device->watch);
    ag_timer_destroy(device, with_gl);
    ag_host host = device->host;
    ag_free(&host, device, sizeof *device);
}

ag_status ag_device_create(const ag_host *host_in, const ag_device_desc *desc_in, ag_device **out)
{
    static const ag_host silent = {.struct_size = sizeof silent};
    ag_host host = silent;
    ag_device_desc desc = {.struct_size = sizeof desc};
    ag_status status = ag_read_struct(&silent, "host", &host, sizeof host, host_in);
    if (status == AG_E_ABI && host_in->log) // too new, but it can be told so
        return ag_read_struct(&(ag_host){.log = host_in->log, .user = host_in->user}, "host", &host,
                              sizeof host, host_in);
    if (status < 0)
        return status;
    if (!out)
        return ag_fail(&host, AG_E_ARG, "device_create: device is NULL");
    status = check_host(&host);
    if (status >= 0 && desc_in)
        status = ag_read_struct(&host, "device_desc", &desc, sizeof desc, desc_in);
    if (status >= 0 && (desc.flags & ~(uint32_t)AG_DEVICE_LABELS))
        status = ag_fail(&host, AG_E_ARG, "device_desc.flags is 0x%X; known are 0x%X", desc.flags,
                         (unsigned)AG_DEVICE_LABELS);
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
    device->host = host;
    device->desc = desc;
    device->desc.shader_dir = NULL; // the host's string; the watch has a copy
    status = ag_gl_load(&host, &desc, &device->gl);
    if (status >= 0 && desc.shader_dir)
        status = ag_watch_create(&device->host, desc.shader_dir, &device->watch);
    if (status >= 0)
        ag_cache_create(device);
    if (status >= 0)
        status = ag_timer_create(device);
    if (status < 0) {
        free_device(device, false);
        return status;
    }
    if (!device->timer.available)
        ag_say(&host, AG_LOG_INFO, "this context has no GL_TIMESTAMP: there will be no GPU times");
    *out = device;
    return AG_OK;
}

void ag_device_destroy(ag_device *device, int32_t context_gone)
{
    if (device)
        free_device(device, !context_gone && !device->lost);
}

ag_status ag_device_health(ag_device *device, ag_health *health)
{
    if (!device->lost && device->gl.GetGraphicsResetStatus) {
        ag_status status = ag_device_check(device);
        if (status < 0)
            return status;
        if (device->gl.GetGraphicsResetStatus() != GL_NO_ERROR) {
            device->lost = true;
            ag_fail(&device->host, AG_E_LOST,
                    "the GL context was lost in a reset; destroy this device");
        }
    }
    ag_health mine = {.struct_size = sizeof mine,
                      .programs = device->program_count,
                      .scrubbed_texels = device->scrubbed,
                      .dropped_samples = device->timer.dropped,
                      .persistent_bytes = device->persistent_bytes,
                      .programs_from_cache = device->programs_from_cache};
    for (const ag_pass *pass = device->passes; pass; pass = pass->next)
        mine.scrubbed_texels += pass->scrubbed;
    ag_status status = AG_OK;
    if (health)
        status = ag_write_struct(&device->host, "health", health, &mine, sizeof mine);
    return device->lost ? AG_E_LOST : status;
}

ag_status ag_device_frame(ag_device *device, uint64_t frame)
{
    (void)frame; // for hosts to count by; nothing depends on it yet
    ag_status status = ag_device_check(device);
    if (status < 0)
        return status;
    ag_timer_harvest(device);
    for (ag_pass *pass = device->passes; pass; pass = pass->next)
        ag_pass_poll(pass);
    ag_reload_frame(device, device->desc.frame_budget ? device->desc.frame_budget : 200000);
    return AG_OK;
}

void ag_device_forget(ag_device *device, uint32_t texture)
{
    if (!texture || ag_device_check(device) < 0)
        return;
    for (ag_pass *pass = device->passes; pass; pass = pass->next)
        ag_pass_forget(pass, texture);
    ag_texture_forget(device, texture, true);
}
