// effect.h - what an effect is to the rest of the module
// SPDX-License-Identifier: MIT
//
// How to add one: CONTRIBUTING.md.
#ifndef AG_EFFECT_H
#define AG_EFFECT_H

#include "core/dispatch.h"
#include "core/tuning.h"
#include "gl/format.h"
#include "gl/gpu.h"

#include <stddef.h>

struct ag_frame;

enum { AG_MAX_SLOTS = 8, AG_MAX_SETTINGS = 96, AG_MAX_RESOURCES = 96 };

// A job of the host after all checks that do not depend on the effect.
typedef struct ag_request {
    const ag_effect_info *info;             // of the effect that the job is for
    ag_texture slots[AG_MAX_SLOTS];         // rectangles filled in, layers at least 1
    const ag_format *formats[AG_MAX_SLOTS]; // NULL: the slot is empty
    int32_t more_levels[AG_MAX_SLOTS];      // by check: levels used below the slot's own
    union {
        int32_t words[AG_MAX_SETTINGS];
        float floats[AG_MAX_SETTINGS];
    } settings;       // the effect's settings struct, complete and in range
    ag_tuning tuning; // the device's
    uint32_t flags, next_use;
    int32_t plan_width, plan_height; // size of the largest image to plan for; 0: of this image
    uint64_t frame;
    float dt;         // seconds since the last execute, for what adapts over time
    ag_buffer lent;   // scratch of the host; name 0: the pass has its own
    ag_range scratch; // in execute: the range to use, of either
    bool has_restore;
    bool live;        // a live device: the host may edit the shaders
    int32_t decision; // of the effect's question; 0: not known, as in declare before a prepare
    // Slots that a texture unit reads, as bits: those of ag_effect.samples whose texture can be
    // viewed. Known from prepare on.
    uint32_t sampled;
    uint32_t samples; // ag_effect.samples; check may clear bits of formats that gain nothing
    ag_gl_state restore;
} ag_request;

// The values that a prepared plan depends on. Compared as bytes, so it must be zeroed first.
typedef struct ag_shape {
    int32_t lends;      // set by the pass: the host lends scratch
    ag_tuning tuning;   // set by the pass
    int32_t plan[160];  // sizes, formats, structural settings
    int32_t kernel[40]; // the kernel and all values that its spectrum depends on
} ag_shape;

typedef struct ag_pass_plan { // the public plan with storage for its rows
    ag_plan head;
    ag_step steps[AG_MAX_STEPS];
    ag_resource resources[AG_MAX_RESOURCES];
} ag_pass_plan;

typedef struct ag_decision { // what a pass keeps of its effect's question
    ag_shape shape;          // of the job that it is about
    bool known;              // `value` is the answer for that shape
    int32_t value;
    ag_memory readback; // what the GPU found out, on its way
    GLsync in_transit;  // until then; NULL: nothing is on its way
} ag_decision;

typedef struct ag_effect {
    ag_effect_info info;
    bool in_place;       // slots 0 and 1 may be one texture if `check` allows it
    bool serves_smaller; // a plan for images of one size serves smaller ones
    uint32_t contents;   // bits of slots whose texels prepare looks at
    uint32_t samples;    // bits of slots that a texture unit reads faster than an image unit
    // Refuses wrong jobs, and empties slots that the settings ignore. Calls no GL.
    ag_status (*check)(const ag_host *host, ag_request *request);
    // What a plan depends on. NULL: ag_shape_by_tables, by the formats and sizes of slots and the
    // settings whose row says so.
    void (*shape)(const ag_request *request, ag_shape *shape);
    // The size that an output must have: width, height, layers; 0 where any size is valid. Only the
    // inputs of the request have been checked. NULL: the size of slot 0's rectangle and its layers.
    void (*size)(const ag_request *request, uint32_t slot, int32_t size[3]);
    // What the frame needs to know that is worth keeping: computed for a plan, without GL; `gl` has
    // the limits. NULL: nothing.
    ag_status (*design)(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        void *design);
    size_t design_bytes, facts_bytes; // of what it computes; of the facts that `make` finds
    // What the effect does, said once, and what a prepare computes for it (NULL: nothing): see
    // core/frame.h.
    void (*frame)(struct ag_frame *f);
    void (*make)(struct ag_frame *f);
    const struct ag_question *question; // on what of texels a plan depends; NULL: nothing
} ag_effect;

void ag_shape_by_tables(const ag_request *request, ag_shape *shape);

// The effects of this module; NULL ends the list. The product's is api/effects.c; another module
// that is made of this core has a list of its own (ladder/effects.c).
extern const ag_effect_info *const ag_module_effects[];
const ag_effect_info *const *ag_effects(uint32_t *count);
const ag_effect *ag_effect_find(const char *id); // NULL: there is none

#endif
