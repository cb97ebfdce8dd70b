// box_table.h - a table of the module's own in images, a texture or a buffer, and its queries
// SPDX-License-Identifier: MIT
#ifndef AG_BOX_OLD_H
#define AG_BOX_OLD_H

#include "effects/sat/box_table.h"
#include "effects/sat/sat_old.h"

typedef struct ag_box_table { // state; zero it before first use
    ag_sat_table table;
    const ag_format *format;
    ag_texture shape; // of a section of a layer; textures have layers below each other
    GLenum target;    // of the view
    // As the plan's `query` says: an image for each section; or one for all and its view; or a
    // buffer
    ag_memory image, low, squares, squares_low, view, buffer, mean;
} ag_box_table;

// Bytes of its textures or of its buffer.
uint64_t ag_box_table_bytes(const ag_sat_plan *plan);

// `target`: that of the pass's source, because its texture unit takes no other.
ag_status ag_box_table_prepare(const ag_preparation *prep, const ag_sat_plan *plan,
                               const ag_sat_table_source *src, GLenum target, ag_box_table *made);
void ag_box_table_free(ag_gpu *gpu, ag_box_table *table, bool with_gl);

// Records the table's steps; see ag_sat_table_record.
void ag_box_table_record(ag_recording *recording, const ag_request *request,
                         const ag_box_table *table, const ag_source_texture *src, bool src_stacked,
                         const ag_memory *info, bool scrub, int32_t first_step, bool waits);

// Binds a layer of a table for queries. Returns the row of its texture in which the layer begins.
int32_t ag_box_table_bind(const ag_box_table *table, int32_t layer, ag_gl_dispatch *dispatch);
// The barrier between writing a table and its queries.
GLbitfield ag_box_table_bits(int32_t query);

#endif
