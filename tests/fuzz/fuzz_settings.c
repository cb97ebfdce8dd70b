// fuzz_settings.c - settings and jobs of any bits against declare and slot_size, which touch no GL
// SPDX-License-Identifier: MIT
//
// A job is built from the input, either member by member, with many small values and limits, or bit
// by bit. If declare accepts it, the plan must be complete, and the same job must give the same
// plan.
#include "fuzz.h"
#include "fuzz_context.h"

#include <stdlib.h>
#include <string.h>

static void take_texture(fuzz_input *input, const ag_slot_info *slot, ag_texture *out)
{
    static const uint32_t targets[] = {0x0DE1, 0x8C1A, 0x9100, 0x9102, 0};
    uint32_t how = fuzz_take(input, 1);
    *out = (ag_texture){.struct_size = sizeof *out};
    if (how == 0)
        return;
    if (how == 255) {
        fuzz_copy(input, out, sizeof *out);
        return;
    }
    out->name = fuzz_below(input, 3);
    out->target = targets[how < 160 ? 0 : how % 5];
    out->format =
        how & 1 ? slot->formats[fuzz_below(input, slot->format_count)] : 0x8814; // RGBA32F
    out->width = fuzz_number(input);
    out->height = fuzz_number(input);
    if (how & 2)
        out->level = fuzz_number(input);
    if (how & 4) {
        out->first_layer = fuzz_number(input);
        out->layers = fuzz_number(input);
    }
    if (how & 8) {
        out->rect_x = fuzz_number(input);
        out->rect_y = fuzz_number(input);
        out->rect_width = fuzz_number(input);
        out->rect_height = fuzz_number(input);
    }
    if (how & 16)
        out->struct_size = (uint32_t)fuzz_number(input) & 0xffff;
}

// Defaults, of which the input changes some values, to any. The struct says its true size.
static uint8_t *take_settings(fuzz_input *input, const ag_api *ag, const ag_effect_info *effect)
{
    uint32_t how = fuzz_take(input, 1), size = effect->settings_size;
    if (how >= 224)
        size = sizeof size + fuzz_below(input, size + 64);
    uint8_t *settings = calloc(1, size); // of this size: the sanitizer sees its end
    if (!settings)
        abort();
    if (how == 223) {
        fuzz_copy(input, settings, size);
        memcpy(settings, &size, sizeof size);
        return settings;
    }
    if (ag->defaults(effect->id, settings, size) < 0)
        memcpy(settings, &size, sizeof size); // no room for the tag
    for (uint32_t i = 0; i < how % 8; i++) {
        uint32_t which = fuzz_below(input, effect->setting_count);
        const ag_setting_info *setting =
            (const void *)((const char *)effect->settings + (size_t)which * effect->setting_stride);
        uint32_t at = setting->offset + 4 * fuzz_below(input, setting->count);
        float real = 0;
        int32_t whole = 0;
        if (setting->type == AG_FLOAT)
            real = fuzz_float(input);
        else
            whole = fuzz_number(input);
        if (at + 4 <= size)
            memcpy(settings + at, setting->type == AG_FLOAT ? (void *)&real : (void *)&whole, 4);
    }
    return settings;
}

// Rows of the host's slots, `stride` bytes apart: older and newer hosts have smaller and larger
// ones.
static char *take_slots(fuzz_input *input, const ag_effect_info *effect, uint32_t *stride)
{
    static const uint32_t strides[] = {8, 16, 40, sizeof(ag_texture) - 8, sizeof(ag_texture) + 8,
                                       4, 0};
    uint32_t how = fuzz_take(input, 1);
    *stride = how < 224 ? (uint32_t)sizeof(ag_texture)
                        : strides[how % (sizeof strides / sizeof *strides)];
    char *rows = calloc(effect->slot_count, *stride ? *stride : sizeof(ag_texture));
    if (!rows)
        abort();
    for (uint32_t i = 0; i < effect->slot_count; i++) {
        ag_texture slot;
        take_texture(input,
                     (const void *)((const char *)effect->slots + (size_t)i * effect->slot_stride),
                     &slot);
        if (slot.struct_size) // no more than there is: that is the host's to get right
            slot.struct_size = how % 16 == 1 ? slot.struct_size % (*stride + 1) : *stride;
        memcpy(rows + (size_t)i * *stride, &slot, *stride < sizeof slot ? *stride : sizeof slot);
    }
    return rows;
}

static uint32_t check_plan(const ag_plan *plan)
{
    FUZZ_CHECK(memchr(plan->text, 0, sizeof plan->text));
    FUZZ_CHECK(plan->step_count <= 64); // none: a chain of one level
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step =
            (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
        FUZZ_CHECK(step->name && strlen(step->name) > 0);
        FUZZ_CHECK(step->groups[0] >= 1 && step->groups[0] <= 65535 && step->groups[1] >= 1 &&
                   step->groups[1] <= 65535 && step->groups[2] >= 1 && step->groups[2] <= 65535);
    }
    for (uint32_t i = 0; i < plan->resource_count; i++) {
        const ag_resource *resource =
            (const void *)((const char *)plan->resources + (size_t)i * plan->resource_stride);
        FUZZ_CHECK(resource->name && resource->first_step <= resource->last_step &&
                   (resource->last_step < plan->step_count || !plan->step_count));
        if (resource->kind == AG_RESOURCE_SCRATCH)
            FUZZ_CHECK(resource->bytes <= plan->scratch_bytes &&
                       resource->offset <= plan->scratch_bytes - resource->bytes);
    }
    return (uint32_t)plan->key;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_context context;
    if (!context.device)
        fuzz_context_open(&context);
    const ag_api *ag = context.ag;
    uint32_t count = 0;
    const ag_effect_info *const *effects = ag->effects(&count);
    fuzz_input input = {data, size};
    const ag_effect_info *effect = effects[fuzz_below(&input, count)];
    ag_pass *pass = NULL;
    FUZZ_CHECK(ag->pass_create(context.device, effect->id, &pass) == AG_OK);

    ag_job whole = {0};
    uint32_t how = fuzz_take(&input, 1), stride;
    if (how == 255)
        fuzz_copy(&input, &whole, sizeof whole); // but for what the host promises, below
    char *slots = take_slots(&input, effect, &stride);
    uint8_t *settings = take_settings(&input, ag, effect);
    static const uint32_t sizes[] = {sizeof whole - 8, sizeof whole + 16, 40, 8};
    whole.struct_size = (how & 240) == 240 ? sizes[how % 4] : (uint32_t)sizeof whole;
    whole.settings = how & 1 ? settings : NULL;
    whole.slots = (const ag_texture *)(const void *)slots;
    whole.slot_count = how & 4 ? fuzz_below(&input, effect->slot_count + 2) : effect->slot_count;
    whole.restore = NULL;
    if (how & 8) {
        whole.plan_width = fuzz_number(&input);
        whole.plan_height = fuzz_number(&input);
        whole.dt = fuzz_float(&input);
        whole.flags = fuzz_take(&input, 1);
        whole.next_use = fuzz_take(&input, 1);
        whole.scratch = (ag_buffer){(uint32_t)fuzz_number(&input), fuzz_below(&input, 2),
                                    fuzz_take(&input, 4), fuzz_take(&input, 4)};
    }
    ag_job *job = calloc(1, whole.struct_size);
    if (!job)
        abort();
    memcpy(job, &whole, whole.struct_size < sizeof whole ? whole.struct_size : sizeof whole);
    const ag_plan *plan = NULL, *again = NULL;
    ag_status status = ag->declare(pass, job, &plan);
    FUZZ_CHECK(strcmp(ag->status_text(status), "") != 0);
    if (status >= 0) {
        uint32_t key = check_plan(plan);
        FUZZ_CHECK(ag->declare(pass, job, &again) >= 0 && key == check_plan(again));
    }
    for (uint32_t i = 0; i < effect->slot_count + 1; i++) {
        int32_t sides[3] = {0};
        status = ag->slot_size(pass, job, i, sides);
        FUZZ_CHECK(status < 0 || (sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0));
    }
    ag->pass_destroy(pass);
    free(job);
    free(slots);
    free(settings);
    return 0;
}
