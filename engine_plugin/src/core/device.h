// device.h - one GL context's worth of everything
// SPDX-License-Identifier: MIT
#ifndef AG_DEVICE_H
#define AG_DEVICE_H

#include "core/pass.h"
#include "core/reload.h"

struct ag_device {
    ag_gpu gpu;
    ag_compiler compiler;
    ag_timer timer;
    ag_reload_state reload;
    ag_device_desc desc;
    ag_tuning tuning;
    ag_pass *passes;
    uint64_t scrubbed; // of passes destroyed since
};

ag_status ag_device_create(const ag_host *host, const ag_device_desc *desc, ag_device **device);
void ag_device_destroy(ag_device *device, int32_t context_gone);
ag_status ag_device_health(ag_device *device, ag_health *health);
ag_status ag_device_frame(ag_device *device, uint64_t frame);
void ag_device_forget(ag_device *device, uint32_t texture);

// A pass of the device's own; NULL is fine for the second.
ag_status ag_device_add_pass(ag_device *device, const ag_effect *effect, ag_pass **pass);
void ag_device_drop_pass(ag_pass *pass);
// Prepares a pass, and tells live reload and the host what came of its shaders.
ag_status ag_device_prepare(ag_pass *pass, const ag_job *job);

#endif
