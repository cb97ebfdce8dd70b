// levels.h - a chain of levels as mipchain and depth_pyramid make it: its design, its steps
// SPDX-License-Identifier: MIT
#ifndef AG_LEVELS_H
#define AG_LEVELS_H

#include "effects/kit/textures.h"
#include "effects/mip/mip_plan.h"
#include "shaders/mip/interface.h"

// The most texels of level 1 that a group holds in fp32: 24 KiB with four channels.
enum { AG_MIP_REGION = 1536 };

typedef struct ag_levels_io { // the textures of a chain
    const ag_request *request;
    int src, dst;  // slots; the same one in place
    int32_t above; // dst's level 0 is level `above` of the chain
    bool copy;     // level 0 of the chain is written, too
    bool pyramid;  // of depth: one channel in, min, max or both out
    int32_t reduce, weight, scrub;
} ag_levels_io;

typedef struct ag_levels_design {
    ag_mip_plan plan;
    int32_t subgroups; // AG_SUBGROUPS_*: by which threads of an even tile exchange texels
    uint64_t handover; // bytes
} ag_levels_design;

int32_t ag_levels_held_channels(const ag_format *format);
bool ag_levels_counts(const ag_format *format); // formats without NaN and Inf need not count them

// Plans `levels` levels below the source's rectangle for the units that this context has.
//   errors  AG_E_SIZE (more than AG_MIP_DISPATCHES, or what they hand over is too large)
ag_status ag_levels_plan(const ag_host *host, const ag_gl *gl, const ag_levels_io *io,
                         int32_t levels, ag_levels_design *out);
// The chain's shaders, its counters, its words and its steps. `scratch` begins with the hand-over
// buffer.
void ag_levels_make(ag_frame *f, const ag_levels_io *io, const ag_levels_design *d,
                    ag_handle scratch, ag_handle info);
// A level of a slot's texture, layered for arrays.
ag_view ag_levels_view(const ag_frame *f, int slot, uint32_t access, int32_t level);

#endif
