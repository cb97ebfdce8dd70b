// levels.h - a chain of levels as mipchain and depth_pyramid make it: programs, recording,
// description
// SPDX-License-Identifier: MIT
#ifndef AG_LEVELS_H
#define AG_LEVELS_H

#include "core/info.h"
#include "effects/kit/textures.h"
#include "effects/mip/mip_plan.h"
#include "shaders/mip/interface.h"

// The most texels of level 1 that a group holds in fp32: 24 KiB with four channels.
enum { AG_MIP_REGION = 1536 };
// The most steps of a plan: with few image units, further dispatches belong to the last step.
enum { AG_LEVELS_STEPS = 4 };

typedef struct ag_levels_io { // the textures of a chain
    const ag_request *request;
    int src, dst;  // slots; the same one in place
    int32_t above; // dst's level 0 is level `above` of the chain
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

// Plans `levels` levels below the source's rectangle for the units that this context has.
// `handover`: bytes of the hand-over buffer.
bool ag_levels_plan(const ag_gl *gl, const ag_levels_io *io, int32_t levels, ag_mip_plan *p,
                    uint64_t *handover);
// Adds the chain's steps and their text.
void ag_levels_describe(const ag_levels_io *io, const ag_mip_plan *p, ag_pass_plan *plan);
// Adds a step, or adds to the last one if there are too many.
ag_step *ag_levels_next_step(ag_pass_plan *plan, const char *name);

// The programs of all dispatches. `programs` NULL: names them (ag_program_get).
ag_status ag_levels_programs(const ag_preparation *prep, const ag_levels_io *io,
                             const ag_mip_plan *p, const ag_program **programs);

// A level of a texture, layered for arrays.
ag_image_binding ag_levels_image(const ag_source_texture *source, int32_t level, bool read);
// Begins a step, or continues the last one if there are too many.
void ag_levels_begin_step(ag_recording *recording, uint32_t *count, const char *name, bool waits);
void ag_levels_record(ag_recording *recording, const ag_levels_io *io, const ag_mip_plan *p,
                      const ag_program *const *programs, const ag_levels_memory *memory,
                      uint32_t *steps);

#endif
