// sat_plan.h - which storage a summed-area table takes and how it is made: error bounds, tiles,
// groups, memory. Pure C
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_PLAN_H
#define AG_SAT_PLAN_H

#include "core/tuning.h"
#include "shaders/common/interface.h"
#include "shaders/sat/interface.h"

#include <afterglow/sat.h>
#include <stdbool.h>
#include <stdint.h>

// ---- error bounds of boxes, and the storage that keeps a bound

// The distance of neighbouring floats around x.
double ag_sat_ulp(double x);
// The functions of ag_api with these names.
int32_t ag_sat_fraction_bits(const ag_sat_question *q, int32_t power);
double ag_sat_error(const ag_sat_question *q, int32_t storage);
int32_t ag_sat_choose(const ag_sat_question *q, double tolerance, uint32_t allowed);
// Size of `low` and `squares_low` for split.
int32_t ag_sat_split_width(int32_t width, int32_t height);
int32_t ag_sat_split_height(int32_t width, int32_t height);

// ---- plan

enum { AG_TABLE_MAX_SIZE = 16384, AG_TABLE_LANES = 32 };

typedef struct ag_sat_request {
    int32_t width, height, layers, channels;
    int32_t storage, offset; // AG_TABLE_*
    bool center, exclusive, square, counts;
    bool moments;                       // texels are AG_TEXEL_MOMENTS
    ag_tuning tuning;                   // tile, threads, carry and tables are used
    int32_t query;                      // AG_QUERY_*: where the table lies
    int32_t subgroups;                  // AG_SUBGROUPS_*: what the context has
    int32_t fraction_bits, square_bits; // uint32 without `counts`
    float max_value;
    int64_t max_block_bytes; // of a storage block
    int32_t alignment;       // of a range's offset
} ag_sat_request;

typedef struct ag_sat_range { // in a layer's share of the scratch memory
    int64_t offset, bytes;
} ag_sat_range;

typedef struct ag_sat_plan {
    ag_sat_request request;
    int32_t parts, planes;
    int32_t part_width, part_height; // of the largest part
    int32_t tile_w, tile_h, group_x, group_y;
    bool folded;
    int32_t subgroups;    // AG_SUBGROUPS_*: how the threads of a group exchange sums
    int32_t reduce_batch; // planes that the first step adds up at once, without subgroups
    int32_t carry_batch;  // lines that a thread of the step `carry` loads at once
    int32_t tiles_x, tiles_y, column_pitch, row_pitch;
    ag_sat_range column_sums, row_sums, column_carry, row_carry;
    int64_t layer_bytes, scratch_bytes;
    int32_t steps;
    float units, square_units; // of 1, in uint32
} ag_sat_plan;

// Whether the sums of tiles, and the scan within a tile, are doubles.
bool ag_sat_sums_wide(const ag_sat_request *request);
bool ag_sat_scans_wide(const ag_sat_request *request);

// False when a range is larger than max_block_bytes; plan->layer_bytes is what a layer needs.
bool ag_sat_plan_make(const ag_sat_request *request, ag_sat_plan *plan);

typedef struct ag_sat_step {
    const char *name;
    int32_t groups[3];
} ag_sat_step;

ag_sat_step ag_sat_step_of(const ag_sat_plan *plan, int32_t index);

// The plan in words.
void ag_sat_plan_describe(const ag_sat_plan *plan, char *text, int32_t size);

// ---- tables of the module's own

// The number of sections: sums, their low parts, squares, their low parts.
int32_t ag_sat_sections(const ag_sat_request *request);
// The GLSL type of an entry.
const char *ag_sat_entry_type(int32_t storage, int32_t channels);
// Bytes of a layer in a buffer.
int64_t ag_table_layer_bytes(const ag_sat_request *request);
// The query that `wanted` (AG_TABLES_*) asks for, as AG_QUERY_*.
int32_t ag_sat_query_first(int32_t wanted);
// The query of this table, by the request's tuning. A buffer has the sections of a layer in one
// storage block; a texture has those of all layers. Where a buffer would be too large, a texture
// unit reads. Where that texture would be too high, or the host does without texture units, image
// units read.
int32_t ag_sat_query(const ag_sat_request *request, int32_t max_texture_size);
// The query of a ready table, which lies in a texture of the host. `viewed`: a texture unit can
// read it.
int32_t ag_sat_query_ready(int32_t wanted, bool viewed);
// The query in words: "a buffer"; and the reason where it is not the first choice.
const char *ag_sat_query_text(const ag_sat_request *request, int32_t query);
typedef struct ag_box_group { // threads of a program with queries
    int32_t x, y;
} ag_box_group;
ag_box_group ag_box_group_of(int32_t query);

#endif
