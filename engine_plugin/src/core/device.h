// device.h - all that the module keeps for one GL context
// SPDX-License-Identifier: MIT
#ifndef AG_DEVICE_H
#define AG_DEVICE_H

#include "core/pass.h"

struct ag_device {
    ag_gpu gpu;
    ag_compiler compiler;
    ag_timer timer;
    ag_device_desc desc;
    ag_tuning tuning;
    ag_pass *passes;
    ag_loaded *loaded;
    uint64_t scrubbed;       // texels counted by passes that were destroyed
    struct {                 // live reload
        bool untidy;         // there are builds without users, which may still be compiling
        uint32_t generation; // rounds that replaced programs of a pass
        ag_problem told;     // the last error that the host got, until it is corrected
        uint32_t told_in;    // the last round in which it got one
        uint64_t left;       // when the last frame() ended; 0: none has
    } reload;
};

// Functions of the interface (afterglow.h). NULL handles give AG_E_ARG or no effect, because the
// error path of a host may have them.

ag_status ag_device_create(const ag_host *host, const ag_device_desc *desc, ag_device **device);
void ag_device_destroy(ag_device *device, int32_t context_gone);
ag_status ag_device_health(ag_device *device, ag_health *health);
ag_status ag_device_frame(ag_device *device, uint64_t frame);
void ag_device_forget(ag_device *device, uint32_t texture);

void ag_device_drop_pass(ag_pass *pass);
ag_status ag_device_prepare(ag_pass *pass, const ag_job *job);
ag_status ag_reload_status(ag_device *device, ag_reload *out);

// `loaded`: the folder that the effect comes from, or NULL.
ag_status ag_device_add_pass(ag_device *device, const ag_effect *effect, const ag_loaded *loaded,
                             ag_pass **pass);
// The effect that the folder describes, read when it is named first.
ag_status ag_device_load(ag_device *device, const ag_reader *reader, const char *folder,
                         const ag_effect_info **effect);

// reload.c: the work of one frame()
void ag_reload_frame(ag_device *device);
// Reports compiler.refused to the host, if there is one and it does not equal the last report.
void ag_reload_tell(ag_device *device);
// Call it after a pass was prepared. If all passes run the folder's shaders, the last report is
// void.
void ag_reload_prepared(ag_device *device);

#endif
