// plans.h - rows of a plan: the resources that its steps read and write
// SPDX-License-Identifier: MIT
#ifndef AG_PLANS_H
#define AG_PLANS_H

#include "core/effect.h"

// Texels of the rectangle of a slot, in all its layers, and their bytes. Empty slots have none.
uint64_t ag_slot_texels(const ag_request *request, int slot);
uint64_t ag_slot_bytes(const ag_request *request, int slot);

// Appends a slot's texture, unless the slot is empty. It is used from step `first` to step `last`.
void ag_plan_slot(ag_pass_plan *plan, const ag_request *request, int slot, uint32_t first,
                  uint32_t last);
// Appends the scratch of a plan, which steps 0 to `last` use, and states its size in the head.
void ag_plan_scratch(ag_pass_plan *plan, uint64_t bytes, uint32_t last);

#endif
