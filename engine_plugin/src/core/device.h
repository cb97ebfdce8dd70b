// device.h - all that the module keeps for one GL context
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
    uint64_t scrubbed; // texels counted by passes that were destroyed
};

ag_status ag_device_create(const ag_host *host, const ag_device_desc *desc, ag_device **device);
void ag_device_destroy(ag_device *device, int32_t context_gone);
ag_status ag_device_health(ag_device *device, ag_health *health);
ag_status ag_device_frame(ag_device *device, uint64_t frame);
void ag_device_forget(ag_device *device, uint32_t texture);

// Creates and destroys a pass of the device; NULL is ignored.
ag_status ag_device_add_pass(ag_device *device, const ag_effect *effect, ag_pass **pass);
void ag_device_drop_pass(ag_pass *pass);
// Prepares a pass, then reports errors of its shaders to the host and the result to live reload.
ag_status ag_device_prepare(ag_pass *pass, const ag_job *job);

#endif
