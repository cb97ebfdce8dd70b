// checks.h - what several effects demand of a job
// SPDX-License-Identifier: MIT
#ifndef AG_CHECKS_H
#define AG_CHECKS_H

#include "core/effect.h"

// The rectangle of a slot must have the size of that of slot `like`. An empty slot passes.
//   errors  AG_E_SIZE
ag_status ag_check_same_rect(const ag_host *host, const ag_request *request, int slot, int like);
// A slot must have as many layers as slot `like`. An empty slot passes.
//   errors  AG_E_ARG
ag_status ag_check_same_layers(const ag_host *host, const ag_request *request, int slot, int like);
// Both.
ag_status ag_check_same_size(const ag_host *host, const ag_request *request, int slot, int like);

// Texels of the rectangle of a slot, in all its layers.
uint64_t ag_slot_texels(const ag_request *request, int slot);

#endif
