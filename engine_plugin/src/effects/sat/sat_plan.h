// sat_plan.h - how a summed-area table is made: tiles, groups, memory. Pure C
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_PLAN_H
#define AG_SAT_PLAN_H

#include "core/tuning.h"
#include "shaders/sat/interface.h"

#include <stdbool.h>
#include <stdint.h>

enum { AG_TABLE_MAX_SIZE = 16384, AG_TABLE_LANES = 32, AG_TABLE_LINES = 8 };
enum { AG_TABLE_BY_TILES = 1, AG_TABLE_BY_LINES = 2 }; // as AG_SAT_TILES, AG_SAT_BRLT_SCANROW

typedef struct ag_sat_request {
    int32_t width, height, layers, channels;
    int32_t storage, offset; // AG_TABLE_*
    bool center, exclusive, square, counts;
    int32_t method;                     // AG_TABLE_BY_*, 0: chosen
    ag_tuning tuning;                   // of it tile, threads and carry
    int32_t asked;                      // AG_QUERY_*: where the table lies
    int32_t subgroups;                  // AG_SUBGROUPS_*: what there is of them
    int32_t fraction_bits, square_bits; // uint32, not counted
    float max_value;
    int32_t src_bytes, dst_bytes; // a texel, for the estimate
    int64_t max_block_bytes;      // of a storage block
    int32_t alignment;            // of a range's offset
} ag_sat_request;

typedef struct ag_sat_range { // in a layer's share of the scratch memory
    int64_t offset, bytes;
} ag_sat_range;

typedef struct ag_sat_plan {
    ag_sat_request request;
    int32_t method; // AG_TABLE_BY_*
    int32_t parts, planes;
    int32_t part_width, part_height;          // of the largest
    int32_t tile_w, tile_h, group_x, group_y; // tiles
    bool folded;
    int32_t subgroups; // AG_SUBGROUPS_*: how the threads of a tile's group pass sums on
    int32_t
        reduce_batch; // planes whose lines the first step's threads add up at once, without subgroups
    int32_t carry_batch; // lines that a thread of the carries' step has at once
    int32_t tiles_x, tiles_y, column_pitch, row_pitch;
    ag_sat_range column_sums, row_sums, column_carry, row_carry;
    int32_t line_pitch; // lines
    ag_sat_range lines;
    int64_t layer_bytes, scratch_bytes;
    int32_t steps;
    float units, square_units; // of 1, in uint32
} ag_sat_plan;

// Whether sums of tiles are doubles; and so is the scan within one.
bool ag_sat_sums_wide(const ag_sat_request *request);
bool ag_sat_scans_wide(const ag_sat_request *request);

// False when a range is beyond max_block_bytes: `plan->layer_bytes` then says what it needed.
bool ag_sat_plan_make(const ag_sat_request *request, ag_sat_plan *plan);

typedef struct ag_sat_step {
    const char *name;
    int32_t groups[3], shared_bytes;
    int64_t bytes, instructions;
} ag_sat_step;

// What step `index` of a plan is, with its cost over all layers.
ag_sat_step ag_sat_step_of(const ag_sat_plan *plan, int32_t index);

// The plan in words.
void ag_sat_plan_describe(const ag_sat_plan *plan, char *text, int32_t size);

// ---- tables of the module's own, which boxes ask

// Sums, what they leave over, squares, what those leave over: as many as there are.
int32_t ag_sat_planes(const ag_sat_request *request);
// The GLSL type of an entry.
const char *ag_table_cell(int32_t storage, int32_t channels);
// Bytes of a layer in a buffer.
int64_t ag_table_layer_bytes(const ag_sat_request *request);
// What `wanted` (AG_TABLES_*) is, as AG_QUERY_*.
int32_t ag_sat_query_first(int32_t wanted);
// How this table is asked, by the request's tuning. A buffer has a layer's sheets in one storage block, a
// texture unit all layers' in one texture: where a buffer would be too large, a texture unit reads, where that
// texture would be too high, or the host does without texture units, image units.
int32_t ag_sat_query(const ag_sat_request *request, int32_t max_texture_size);
// How a ready table is asked, which lies in a texture of the host's; `viewed`: a texture unit can read it.
int32_t ag_sat_query_ready(int32_t wanted, bool viewed);
// ag_sat_query in words: "a buffer", and why, where it is not what was wanted.
const char *ag_sat_query_text(const ag_sat_request *request, int32_t asked);
typedef struct ag_box_group { // threads of what asks
    int32_t x, y;
} ag_box_group;
ag_box_group ag_box_group_of(int32_t asked);

#endif
