// levels.h - a chain of levels as mipchain and depth_pyramid make it: programs, recording, description
// SPDX-License-Identifier: MIT
#ifndef AG_LEVELS_H
#define AG_LEVELS_H

#include "effects/kit/info.h"
#include "effects/kit/textures.h"
#include "effects/mip/mip_plan.h"
#include "shaders/mip/interface.h"

// Texels of level 1 that a group may hold in fp32: 24 KiB of four channels.
enum { AG_MIP_REGION = 1536 };
// Steps that a plan names: with few image units there are more dispatches, which count with the last.
enum { AG_LEVELS_STEPS = 4 };

typedef struct ag_levels_io { // what a chain is made of, into what
    const ag_request *request;
    int src, dst;  // slots; the same one in place
    int32_t above; // levels of the chain that dst does not have: its level 0 is the chain's `above`
    bool copy;     // level 0 of the chain is written, too
    bool pyramid;  // of depth: one channel in, min, max or both out
    int32_t reduce, weight, scrub;
} ag_levels_io;

typedef struct ag_levels_memory { // of a dispatch
    ag_range handover;
    const ag_memory *counters, *info;
} ag_levels_memory;

int32_t ag_levels_held_channels(const ag_format *format);
bool ag_levels_counts(const ag_format *format); // formats without NaN and Inf need not count them
uint64_t ag_levels_bytes(const ag_texture *t, int32_t level, int32_t texel);
uint64_t ag_levels_counter_bytes(const ag_levels_io *io, const ag_mip_plan *p);

// Plans `levels` levels below the source's rectangle for the units that this context has, or for handles.
// `handover`: the most bytes that a texture of either kind leaves.
bool ag_levels_plan(const ag_gl *gl, const ag_levels_io *io, int32_t levels, ag_mip_plan *p,
                    uint64_t *handover);
// Adds the chain's steps and words.
void ag_levels_describe(const ag_levels_io *io, const ag_mip_plan *p, ag_pass_plan *plan);
// One more step, or more of the last one when there are too many.
ag_step *ag_levels_next_step(ag_pass_plan *plan, const char *name);

// The programs of all dispatches. `programs` NULL: names them (ag_program_get).
ag_status ag_levels_programs(const ag_preparation *prep, const ag_levels_io *io,
                             const ag_mip_plan *p, const ag_program **programs);

// A level of a texture, layered for arrays.
ag_image_binding ag_levels_image(const ag_source_texture *source, int32_t level, bool read);
// A step of its own, or with so few image units that there are too many, more of the last.
void ag_levels_begin_step(ag_recording *recording, uint32_t *count, const char *name, bool waits);
void ag_levels_record(ag_recording *recording, const ag_levels_io *io, const ag_mip_plan *p,
                      const ag_program *const *programs, const ag_levels_memory *memory,
                      uint32_t *steps);

#endif
