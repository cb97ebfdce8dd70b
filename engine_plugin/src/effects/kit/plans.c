// plans.c - rows of a plan: the resources that its steps read and write
// SPDX-License-Identifier: MIT
#include "effects/kit/plans.h"

uint64_t ag_slot_texels(const ag_request *request, int slot)
{
    const ag_texture *t = &request->slots[slot];
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height * (uint64_t)t->layers;
}

uint64_t ag_slot_bytes(const ag_request *request, int slot)
{
    const ag_format *format = request->formats[slot];
    return format ? ag_slot_texels(request, slot) * (uint64_t)format->bytes : 0;
}

void ag_plan_slot(ag_pass_plan *plan, const ag_request *request, int slot, uint32_t first,
                  uint32_t last)
{
    const ag_slot_info *info = &request->info->slots[slot];
    if (request->formats[slot])
        plan->resources[plan->head.resource_count++] =
            (ag_resource){.name = info->name,
                          .access = info->access & (AG_READ | AG_WRITE),
                          .first_step = first,
                          .last_step = last,
                          .bytes = ag_slot_bytes(request, slot)};
}

void ag_plan_scratch(ag_pass_plan *plan, uint64_t bytes, uint32_t last)
{
    plan->head.scratch_bytes = bytes;
    plan->resources[plan->head.resource_count++] = (ag_resource){.name = "scratch",
                                                                 .kind = AG_RESOURCE_SCRATCH,
                                                                 .access = AG_READ | AG_WRITE,
                                                                 .last_step = last,
                                                                 .bytes = bytes};
}
