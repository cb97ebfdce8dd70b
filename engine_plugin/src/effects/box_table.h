// box_table.h - a table in textures of the module's own, and what asks it: for box_blur and local_stats
// SPDX-License-Identifier: MIT
#ifndef AG_BOX_TABLE_H
#define AG_BOX_TABLE_H

#include "table.h"

typedef struct ag_box_table { // state; zero it before first use
    ag_sat_table table;       // its scratch is the effect's
    const ag_format *format;
    ag_texture shape; // of each texture: layers below each other
    ag_memory image, low, squares, squares_low, mean;
} ag_box_table;

// The plan of a table for a source of this format. False when it is too large; see ag_table_plan_make.
bool ag_box_table_plan(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                       int32_t storage, bool squares, ag_table_plan *plan);
// How it is stored.
const ag_format *ag_box_table_format(const ag_table_plan *plan);
// Bytes of its textures.
uint64_t ag_box_table_bytes(const ag_table_plan *plan);

ag_status ag_box_table_prepare(struct ag_device *device, const ag_table_plan *plan,
                               const ag_table_source *src, ag_box_table *made);
void ag_box_table_free(struct ag_device *device, ag_box_table *table, bool with_gl);

// Records the table's steps; see ag_table_record.
void ag_box_table_record(ag_recording *recording, const ag_request *request,
                         const ag_box_table *table, const ag_memory *scratch,
                         const ag_source_texture *src, bool src_stacked, const ag_memory *info,
                         bool scrub, int32_t first_step, bool waits);

// Appends what sat/box.glsl wants to know of a table.
void ag_box_defines(int32_t storage, bool mean, const ag_format *format, bool squares,
                    int32_t border, char *text, size_t size);
// Binds what asks a table.
void ag_box_table_bind(const ag_box_table *table, ag_dispatch *dispatch);

// A texture of the module's own as a source or target: RGBA32F or `format`, layers below each other.
ag_source_texture ag_own_texture(const ag_memory *memory, const ag_format *format,
                                 const ag_texture *shape);

#endif
