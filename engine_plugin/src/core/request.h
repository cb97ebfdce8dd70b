// request.h - turns a host's job into a request that is checked, by itself and against GL
// SPDX-License-Identifier: MIT
#ifndef AG_REQUEST_H
#define AG_REQUEST_H

#include "core/effect.h"

typedef enum ag_job_kind {
    AG_JOB_NAMED,    // for prepare and execute: every required slot has a GL texture
    AG_JOB_DECLARED, // for declare: names may be 0
    AG_JOB_INPUTS    // for slot_size: outputs may also be missing
} ag_job_kind;

// Makes all checks that do not depend on the effect: struct sizes, slots, formats, rectangles,
// settings.
//   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE; the message names the argument
ag_status ag_request_read(const ag_host *host, const ag_effect *effect, const ag_job *job,
                          ag_job_kind kind, ag_request *request);

// A job that was checked, as the host gave it. Most jobs come again, frame after frame.
typedef struct ag_kept_request {
    bool valid; // false: nothing is kept, or the host's structs are of another version
    bool has_settings;
    uint32_t slot_count;
    ag_texture slots[AG_MAX_SLOTS];
    int32_t settings[AG_MAX_SETTINGS];
    ag_request request;
} ag_kept_request;

// Keeps the request in any case.
void ag_request_keep(const ag_job *job, const ag_request *request, ag_kept_request *kept);
// Whether the job has the same textures and settings. Then kept->request is of this job: what else
// changes from frame to frame is checked again, and `status` says whether it is right.
bool ag_request_again(const ag_host *host, const ag_job *job, ag_kept_request *kept,
                      ag_status *status);

// Fills a settings struct of `size` bytes, 8 or more, with the defaults of an effect.
void ag_settings_default(const ag_effect_info *info, void *settings, uint32_t size);

// The barrier before a host's next use of outputs, AG_USE_*.
GLbitfield ag_closing_bits(uint32_t next_use);

// ---- its objects in GL

// Checks the scratch that the host lends against the plan, without GL.
//   errors  AG_E_ARG, AG_E_SIZE
ag_status ag_objects_scratch(const ag_host *host, const ag_request *request, const ag_plan *plan);
// Checks the host's objects against GL, each one once.
//   errors  as ag_texture_check; AG_E_ARG
ag_status ag_objects_check(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);
// Checks the objects of a prepared job again (AG_DEVICE_VALIDATE).
//   errors  as ag_texture_validate; AG_E_ARG
ag_status ag_objects_validate(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);
// Sets request->sampled: how the slots' textures, checked before, can be accessed.
void ag_objects_access(const ag_gpu *gpu, const ag_effect *effect, ag_request *request);
bool ag_objects_same_access(const ag_request *a, const ag_request *b);
// Drops other versions of the textures.
void ag_objects_settle(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);

#endif
