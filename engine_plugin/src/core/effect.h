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

enum { AG_MAX_SLOTS = 6, AG_MAX_SETTINGS = 96, AG_MAX_RESOURCES = 96 };

// A job of the host's after every check that does not depend on the effect.
typedef struct ag_request {
    ag_texture slots[AG_MAX_SLOTS];         // rectangles filled in, layers at least 1
    const ag_format *formats[AG_MAX_SLOTS]; // NULL: the slot is empty
    int32_t more_levels[AG_MAX_SLOTS];      // by check: levels used below the slot's own
    union {
        int32_t words[AG_MAX_SETTINGS];
        float floats[AG_MAX_SETTINGS];
    } settings; // the effect's settings struct, complete and in range
    ag_tuning tuning; // the device's
    uint32_t flags, next_use;
    int32_t plan_width, plan_height; // of the largest image to plan for; 0: of this one
    uint64_t frame;
    float dt;         // seconds since the last execute, for effects with AG_STATE slots
    ag_buffer lent;   // scratch of the host's; name 0: the pass has its own
    ag_range scratch; // in execute: whichever it is
    bool has_restore;
    bool live; // shaders come from the host's folder and may say anything
    // Slots that a texture unit reads, as bits: of those that the effect asks for, the ones whose
    // texture can be viewed; known from prepare on.
    uint32_t sampled;
    // Slots whose levels are written by handles, as bits: by check, where the effect would; then those
    // of them whose textures have any. In declare, which knows no textures, all, if the context has
    // handles.
    uint32_t handles;
    ag_gl_state restore;
} ag_request;

// What decides whether a prepared plan fits a request: compared bytewise, so zeroed first.
typedef struct ag_shape {
    int32_t lends;      // by the pass: the host gives scratch
    ag_tuning tuning;   // by the pass, too
    int32_t plan[40];   // sizes, formats, structural settings
    int32_t kernel[40]; // which kernel, and all that its spectrum depends on
} ag_shape;

typedef struct ag_pass_plan { // the public plan with room for its rows
    ag_plan head;
    ag_step steps[AG_MAX_STEPS];
    ag_resource resources[AG_MAX_RESOURCES];
} ag_pass_plan;

// Rows of a table of settings. SETTINGS is the effect's settings struct.
#define AG_SETTING_AT(member) offsetof(SETTINGS, member)
#define AG_REAL(member, unit, help, min, max, initial)                                         \
    {                                                                                          \
#member, unit, help, AG_FLOAT, AG_SETTING_AT(member), 1, 0, min, max, {initial }, NULL \
    }
#define AG_COLOUR(member, help, max)                                                       \
    {                                                                                      \
#member, "", help, AG_FLOAT, AG_SETTING_AT(member), 3, 0, 0, max, {1, 1, 1 }, NULL \
    }
#define AG_WHOLE(member, unit, help, min, max, initial)                                      \
    {                                                                                        \
#member, unit, help, AG_INT, AG_SETTING_AT(member), 1, 0, min, max, {initial }, NULL \
    }
#define AG_SWITCH(member, help, initial)                                                \
    {                                                                                   \
#member, "", help, AG_BOOL, AG_SETTING_AT(member), 1, 0, 0, 1, {initial }, NULL \
    }
#define AG_CHOICE(member, help, names) /* the first name is the default */ \
    AG_CHOICE_FROM(member, help, names, 0)
#define AG_CHOICE_FROM(member, help, names, initial) /* NULL: no name, and no value of it */      \
    {                                                                                             \
#member, "", help, AG_ENUM, AG_SETTING_AT(member), 1, sizeof(names) / sizeof *(names), 0, \
            sizeof(names) / sizeof *(names)-1, {initial }, names                                  \
    }

typedef struct ag_state { // first member of every effect's state
    ag_memory info;       // its shader-side counters (common/info.glsl)
    ag_memory info_spare; // the former state's, for the next one
} ag_state;

typedef struct ag_effect {
    ag_effect_info info;
    bool in_place; // slots 0 and 1 may be one texture: `check` says when
    size_t state_bytes, detail_bytes;
    uint32_t samples; // bits of slots that a texture unit reads better than an image unit
    bool (*samples_format)(const ag_format *format); // if its format is such; NULL: all are
    // Checks what the effect alone knows, empties slots that the settings ignore, and fills the shape.
    // No GL.
    ag_status (*check)(const ag_host *host, ag_request *request, ag_shape *shape);
    // The size that an output must have: width, height, layers; left 0 where any will do. The request has
    // passed no check but that of its inputs. NULL: that of slot 0's rectangle and layers.
    void (*size)(const ag_request *request, uint32_t slot, int32_t size[3]);
    // Plans: fills `plan` and the effect's own `detail`. No GL beyond the limits in `gl`. What it says of
    // scratch must not depend on request->handles, which declare can only assume.
    ag_status (*plan)(const ag_host *host, const ag_gl *gl, const ag_request *request, void *detail,
                      ag_pass_plan *plan);
    // Names every program that prepare will get, by ag_program_get without a place for it: the driver
    // then makes them all at once. NULL: they are made one after the other.
    ag_status (*programs)(const ag_preparation *prep, const ag_request *request,
                          const void *detail);
    // Makes a new state; may take memory over from `old` (all zero at first; after forget() only its
    // info is left), which goes on working if this fails and is freed after it succeeds. Live reload
    // repeats it with the same request when a program changed that was dispatched in it; textures that
    // `uses` does not claim may be gone by then, and prep->may_wait is false.
    ag_status (*prepare)(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *state);
    // Records the steps between ag_record_begin and ag_record_end.
    void (*execute)(ag_recording *recording, const ag_request *request, void *state);
    void (*free_state)(ag_gpu *gpu, void *state, bool with_gl);
    // True when the state holds something made from this texture. NULL: it never does.
    bool (*uses)(const void *state, GLuint texture);
} ag_effect;

#endif
