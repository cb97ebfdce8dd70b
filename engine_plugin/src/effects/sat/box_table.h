// box_table.h - a table of the module's own in images, a texture or a buffer, and its queries
// SPDX-License-Identifier: MIT
#ifndef AG_BOX_TABLE_H
#define AG_BOX_TABLE_H

#include "effects/sat/sat_table.h"
#include "shaders/sat/interface_box.h"

typedef struct ag_box_table { // state; zero it before first use
    ag_sat_table table;
    const ag_format *format;
    ag_texture shape; // of a section of a layer; textures have layers below each other
    GLenum target;    // of the view
    // As the plan's `query` says: an image for each section; or one for all and its view; or a
    // buffer
    ag_memory image, low, squares, squares_low, view, buffer, mean;
} ag_box_table;

// Refuses a slot 0 that is larger than the tables of box_blur, local_stats, depth_of_field and
// soft_shadow may be.
//   errors  AG_E_SIZE
ag_status ag_box_check_size(const ag_host *host, const ag_request *request);
// Says that the context is too small for the tables of slot 0, and returns AG_E_SIZE.
ag_status ag_box_too_large(const ag_host *host, const ag_gl *gl, const ag_request *request);

// The plan of a table for a source of this format. False when it is too large; see
// ag_sat_plan_make.
bool ag_box_table_plan(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                       int32_t storage, bool squares, const ag_tuning *tuning, ag_sat_plan *plan);
// The same for sums modulo 2^32 of whole numbers 0..65535 in a float format.
bool ag_box_table_plan_whole(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                             const ag_tuning *tuning, ag_sat_plan *plan);
// The format of its entries.
const ag_format *ag_box_table_format(const ag_sat_plan *plan);
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

typedef struct ag_box_query { // what shaders need to know about a table
    int32_t storage;          // AG_TABLE_*
    int32_t query;            // AG_QUERY_*
    const ag_format *format;
    GLenum target; // of the texture that a texture unit reads
    bool mean, squares;
} ag_box_query;

// The query of a table that the module made.
ag_box_query ag_box_query_of(const ag_sat_plan *plan, GLenum target);
// Appends the defines of shaders/sat/table_query.glsl.
void ag_box_defines(const ag_box_query *query, ag_defines *defines);
// Appends the defines that programs without queries need, too: channels, and threads of a group.
void ag_box_group_defines(const ag_box_query *query, ag_defines *defines);
// The groups that cover an image.
void ag_box_groups(int32_t query, int32_t width, int32_t height, uint32_t groups[3]);
// Binds a layer of a table for queries. Returns the row of its texture in which the layer begins.
int32_t ag_box_table_bind(const ag_box_table *table, int32_t layer, ag_gl_dispatch *dispatch);
// The barrier between writing a table and its queries.
GLbitfield ag_box_table_bits(int32_t query);

#endif
