// box_table.h - a table of the module's own in images, a texture or a buffer, and its queries
// SPDX-License-Identifier: MIT
#ifndef AG_BOX_TABLE_H
#define AG_BOX_TABLE_H

#include "effects/sat/sat_table.h"
#include "shaders/sat/interface_box.h"

typedef struct ag_boxes { // a part of a frame. Its io points into it: it must not move
    ag_table table;
    const ag_format *format;
    ag_texture shape; // of a section of a layer
    GLenum target;    // of a texture unit that reads it: as slot 0's, because it takes no other
} ag_boxes;

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

// Names its shaders and its memory. `second`: the frame has another one.
void ag_boxes_begin(ag_frame *f, const ag_sat_plan *plan, const ag_table_source *src,
                    ag_handle info, bool second, ag_boxes *boxes);
// Binds a layer for queries. Returns the row of its texture in which the layer begins.
int32_t ag_boxes_bind(const ag_boxes *boxes, int32_t layer, ag_dispatch *dispatch);

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

#endif
