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

// In a `design`: the plan of a table of slot 0's size, of texels of this format. With
// AG_TABLE_UINT32 it counts the codes of 8 bits, or sums whole numbers 0..65535 modulo 2^32.
//   errors  AG_E_ARG (too few image units), AG_E_SIZE
ag_status ag_boxes_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        const ag_format *format, int32_t storage, bool squares, ag_sat_plan *plan);
// Its words for a plan's text: `text`, empty unless a plan is made.
enum { AG_BOXES_TEXT = 192 };
const char *ag_boxes_text(const ag_frame *f, const ag_sat_plan *plan, char text[AG_BOXES_TEXT]);

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

ag_box_query ag_boxes_query(const ag_boxes *boxes);
// The defines of shaders/sat/table_query.glsl.
void ag_box_defines(ag_shader *shader, const ag_box_query *query);
// Those of a program whose groups are ag_box_group_of.
void ag_box_group_defines(ag_shader *shader, int32_t query);

#endif
