// sat_table.h - how sat makes tables, also for other effects: a part of a frame
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_TABLE_H
#define AG_SAT_TABLE_H

#include "core/frame.h"
#include "effects/kit/textures.h"
#include "effects/kit/units.h"
#include "effects/sat/sat_plan.h"

// Formats of a table's entries: the floats come first.
enum { AG_TABLE_FORMATS = 6 };
extern const uint32_t ag_table_formats[AG_TABLE_FORMATS];
const ag_format *ag_table_format(bool integers, int32_t channels); // 1, 2 or 4

typedef struct ag_table_source { // the image that a table is made of
    ag_picture picture;
    ag_reading reading;
    bool stacked; // its layers lie below each other in one
} ag_table_source;

// Slot 0, as tables read it.
ag_table_source ag_table_source_of(const ag_frame *f);

typedef struct ag_table_io {
    ag_table_source src;
    ag_handle dst, low, squares, squares_low, mean; // 0: there is none
    ag_handle info;                                 // the pass's counters
    ag_handle buffer;        // of all layers; replaces dst, low, squares and squares_low
    const ag_texture *shape; // of dst: its rectangle
    bool stacked;            // layers of dst and the others lie below each other
    ag_block groups;         // of the steps' dispatches, 12 bytes each; 0: the plan's
} ag_table_io;

typedef struct ag_table {
    const ag_sat_plan *plan;
    ag_table_io io;
    ag_shader *steps[3];
    ag_handle sums;
} ag_table;

// Names its shaders, and its memory beside that of `io`.
void ag_table_begin(ag_frame *f, const ag_sat_plan *plan, const ag_table_io *io, ag_table *table);
// The plan's steps for all layers. Not timed: their dispatches belong to the current step.
void ag_table_steps(ag_frame *f, const ag_table *table, bool scrub, bool timed);

#endif
