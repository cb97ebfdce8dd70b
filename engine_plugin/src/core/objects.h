// objects.h - checks of a request's textures and scratch against GL
// SPDX-License-Identifier: MIT
#ifndef AG_OBJECTS_H
#define AG_OBJECTS_H

#include "core/effect.h"

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
void ag_objects_ways(const ag_gpu *gpu, const ag_effect *effect, ag_request *request);
bool ag_objects_same_ways(const ag_request *a, const ag_request *b);
// Drops other versions of the textures.
void ag_objects_settle(ag_gpu *gpu, const ag_effect *effect, const ag_request *request);

#endif
