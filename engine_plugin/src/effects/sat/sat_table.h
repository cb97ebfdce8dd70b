// sat_table.h - summed-area tables as a part of a frame: how they are made, those of the module's
// own, and their queries
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_TABLE_H
#define AG_SAT_TABLE_H

#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/textures.h"
#include "effects/sat/sat_plan.h"
#include "shaders/sat/interface.h"

// Formats of a table's entries: the floats come first.
enum { AG_TABLE_FORMATS = 6 };
extern const uint32_t ag_table_formats[AG_TABLE_FORMATS];
const ag_format *ag_table_format(bool integers, int32_t channels); // 1, 2 or 4

typedef struct ag_table_io {
    ag_picture src;                                 // the image that the table is made of
    ag_handle dst, low, squares, squares_low, mean; // 0: there is none
    ag_handle info;                                 // the pass's counters
    ag_handle buffer;        // of all layers; replaces dst, low, squares and squares_low
    const ag_texture *shape; // of dst: its rectangle
    bool stacked;            // layers of dst and the others lie below each other
    ag_uniform light[2];     // AG_TEXEL_MOMENTS: the uniforms of shadow/light.glsl
    ag_block groups;         // of the steps' dispatches, 12 bytes each; 0: the plan's
} ag_table_io;

typedef struct ag_table {
    const ag_sat_plan *plan;
    ag_table_io io;
    ag_shader *steps[3];
    ag_handle sums;
    // Of a table of the module's own, whose io points to its shape: it must not move.
    const ag_format *format;
    ag_texture shape; // of a section of a layer
    GLenum target;    // of a texture unit that reads it: as slot 0's, because it takes no other
} ag_table;

// What slot 0, the context and the tuning decide about a table of slot 0.
ag_sat_request ag_table_request(const ag_gl *gl, const ag_request *request);
// Plans it, in a `design`.
//   errors  AG_E_ARG (too few image units), AG_E_SIZE
ag_status ag_table_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        const ag_sat_request *want, ag_sat_plan *plan);
// Names its shaders, and its memory beside that of `io`.
void ag_table_begin(ag_frame *f, const ag_sat_plan *plan, const ag_table_io *io, ag_table *table);
// The plan's steps for all layers. Not timed: their dispatches belong to the current step.
void ag_table_steps(ag_frame *f, const ag_table *table, bool scrub, bool timed);

// ---- tables of the module's own, in images, a texture or a buffer

// Refuses a slot 0 that is larger than these tables may be.
//   errors  AG_E_SIZE
ag_status ag_box_check_size(const ag_host *host, const ag_request *request);
// In a `design`: the plan of a table of slot 0's size, of texels of this format. With
// AG_TABLE_UINT32 it counts the codes of 8 bits, or sums moments modulo 2^32 (AG_TEXEL_MOMENTS).
//   errors  AG_E_ARG (too few image units), AG_E_SIZE
ag_status ag_boxes_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        const ag_format *format, int32_t storage, bool squares, ag_sat_plan *plan);
// Goes on with a plan's text.
void ag_boxes_say(ag_frame *f, const ag_sat_plan *plan);
// A texture of the pass of src's rectangle and layers, which it has below each other. `shape`: what
// these are.
ag_picture ag_boxes_picture(ag_frame *f, const char *name, GLenum format, const ag_texture *shape);

// Names its shaders and its memory. `second`: the frame has another one.
void ag_boxes_begin(ag_frame *f, const ag_sat_plan *plan, const ag_picture *src, ag_handle info,
                    bool second, ag_table *table);
// Binds a layer for queries. Returns the uniform that tells where the layer begins.
ag_uniform ag_boxes_bind(const ag_table *table, int32_t layer, ag_dispatch *dispatch);

typedef struct ag_box_query { // what shaders need to know about a table
    int32_t storage;          // AG_TABLE_*
    int32_t query;            // AG_QUERY_*
    const ag_format *format;
    GLenum target; // of the texture that a texture unit reads
    bool mean, squares;
} ag_box_query;

ag_box_query ag_boxes_query(const ag_table *table);
// The defines of shaders/sat/table_query.glsl.
void ag_box_defines(ag_shader *shader, const ag_box_query *query);
// Those of a program whose groups are ag_box_group_of.
void ag_box_group_defines(ag_shader *shader, int32_t query);

#endif
