// device.h - one GL context's worth of everything
// SPDX-License-Identifier: MIT
#ifndef AG_DEVICE_H
#define AG_DEVICE_H

#include "core/reload.h"
#include "gl/gl.h"
#include "gl/gpu.h"
#include "gl/host_texture.h"
#include "shader/program.h"
#include "shader/program_cache.h"
#include "time/timer.h"

struct ag_device {
    ag_host host;
    ag_device_desc desc;
    ag_gl gl;
    bool lost;       // health() has seen the context reset: no GL call any more
    ag_watch *watch; // of shader_dir; NULL: embedded shaders
    ag_cache cache;
    ag_build *builds;
    uint32_t program_count;       // alive
    uint32_t programs_from_cache; // since creation
    bool threads_asked;           // the driver's compiler has been asked for threads
    ag_program_set *filling; // a prepare, or what reload makes of one, is at work on this set
    bool remaking;           // reload is: it must not wait for the GPU
    ag_reload_state reload;
    ag_table *tables;
    ag_memory readback; // of ag_gpu_read, once it was needed
    ag_known *textures;
    ag_timer timer;
    ag_pass *passes;
    uint64_t persistent_bytes;
    uint64_t scrubbed; // of passes destroyed since
};

// AG_E_LOST, AG_E_THREAD or AG_OK: first thing in every function that calls GL.
ag_status ag_device_check(const ag_device *device);

ag_status ag_device_create(const ag_host *host, const ag_device_desc *desc, ag_device **device);
void ag_device_destroy(ag_device *device, int32_t context_gone);
ag_status ag_device_health(ag_device *device, ag_health *health);
ag_status ag_device_frame(ag_device *device, uint64_t frame);
void ag_device_forget(ag_device *device, uint32_t texture);

#endif
