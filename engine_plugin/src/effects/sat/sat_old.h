// sat_table.h - how sat makes tables, also for other effects: programs, memory, steps
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_OLD_H
#define AG_SAT_OLD_H

#include "core/info.h"
#include "effects/kit/textures.h"
#include "effects/kit/units.h"
#include "effects/sat/sat_plan.h"

#include "effects/sat/sat_table.h"

typedef struct ag_sat_table { // state; zero it before first use
    ag_sat_plan plan;
    const ag_program *steps[3];
} ag_sat_table;

typedef struct ag_sat_table_textures { // texture NULL: there is none
    ag_source_texture src, dst, low, squares, squares_low, mean;
    bool src_stacked, dst_stacked; // its layers lie below each other in one
    bool sampled;                  // a texture unit reads src.texels; programs depend on it
    const ag_memory *buffer;       // of all layers; replaces dst, low, squares and squares_low
    ag_range groups;               // of the steps' dispatches, 12 bytes each; buffer 0: the plan's
} ag_sat_table_textures;

typedef struct ag_sat_table_source { // what programs need to know about the image
    const ag_format *format;
    ag_reading reading;
} ag_sat_table_source;

// Slot 0 of a request, as tables read it.
ag_sat_table_source ag_sat_table_source_of(const ag_request *request);

// Gets the programs of a plan (see ag_program_get), for this source.
ag_status ag_sat_table_programs(const ag_preparation *prep, const ag_sat_plan *plan,
                                const ag_sat_table_source *src, ag_sat_table *made);

// Records plan.steps steps for all layers, numbered from `first_step` on. AG_TABLE_NO_STEP: no step
// begins, the dispatches belong to the current one. `waits`: the first dispatch reads what was
// recorded before.
enum { AG_TABLE_NO_STEP = -1 };
void ag_sat_table_record(ag_recording *recording, const ag_request *request,
                         const ag_sat_table *table, const ag_sat_table_textures *textures,
                         const ag_memory *info, bool scrub, int32_t first_step, bool waits);

// Fills in the rows of the plan's steps, from `first_step` on.
void ag_sat_table_steps(const ag_sat_plan *table, uint32_t first_step, ag_pass_plan *plan);

#endif
