// objects.h - the host's textures and its scratch in a request: what GL says of them
// SPDX-License-Identifier: MIT
#ifndef AG_OBJECTS_H
#define AG_OBJECTS_H

#include "core/effect.h"

// Whether scratch that the host lends is what a plan needs, as far as the job tells.
//   errors  AG_E_ARG, AG_E_SIZE
ag_status ag_objects_scratch(const ag_host *host, const ag_request *request, const ag_plan *plan);
// What only GL knows of the host's objects: asked once for each. errors  as ag_texture_check; AG_E_ARG
ag_status ag_objects_check(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);
// The same of a job that was prepared: whether it still is so. errors  as ag_texture_validate; AG_E_ARG
ag_status ag_objects_validate(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);
// How the slots' textures, which are known by now, can be accessed: into `sampled` and `handles`.
void ag_objects_ways(const ag_gpu *gpu, const ag_effect *effect, ag_request *request);
bool ag_objects_same_ways(const ag_request *a, const ag_request *b);
// Other versions of the textures may be dropped.
void ag_objects_settle(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);

#endif
