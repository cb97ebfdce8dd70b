// down_plan.h - how an image is cut into groups and tiles, method by method; pure C, no GL
// SPDX-License-Identifier: MIT
//
// An axis goes from `from` to `to`, sizes without their common divisors: weights are then the
// smallest whole numbers there are, 1 and nothing else where one size is a multiple of the other.
#ifndef AG_DOWN_PLAN_H
#define AG_DOWN_PLAN_H

#include "core/tuning.h"
#include "shaders/downsample/interface.h"

#include <stdbool.h>
#include <stdint.h>

enum { AG_DOWN_MAX_SIZE = 16384, AG_DOWN_MAX_LANCZOS = 16, AG_DOWN_MAX_TILE = 64 }; // ratios

typedef struct ag_down_axis {
    int32_t size, outputs; // as they are
    int32_t from, to;      // without common divisors
} ag_down_axis;

// What columns.comp is told, u_tile.
typedef struct ag_down_columns {
    int32_t outputs; // of a group, beside each other
    int32_t sharing; // of its four rows of threads so many share a row of outputs
    int32_t lanes;   // that share an output
    int32_t runs;    // of 64 columns
    int32_t groups[2];
} ag_down_columns;

typedef struct ag_down_target {
    ag_down_axis axes[2];
    int32_t method; // AG_DOWN_TILE .. of afterglow/downsample.h
    int32_t taps;   // TAPS of tile.comp
    ag_down_columns columns;
    // Of partial_sums: lanes that share an output of a tile and of several; most cells of a
    // tile; where its sums begin in a layer, in entries, and how many there are; false: no cell
    // lies in two tiles
    int32_t lanes, finish_lanes, cells[2];
    int32_t begin;
    int64_t entries;
    bool finishes;
    int32_t block_lanes; // of blocks.comp: that share an output
} ag_down_target;

// What blocks.comp is told: texels of a first cell, first cells of a block, each way; whether a
// target has larger cells.
typedef struct ag_down_blocks {
    int32_t first[2], cells[2];
    bool larger;
    int32_t groups[2];
} ag_down_blocks;

typedef struct ag_down_plan {
    int32_t count;  // targets
    int32_t method; // of all
    ag_down_target targets[AG_DOWN_TARGETS];
    int32_t rows;     // of a tile of sums.comp
    int32_t tiles[2]; // of it
    int64_t entries;  // of partial sums, of a layer
    ag_down_blocks blocks;
} ag_down_plan;

ag_down_axis ag_down_axis_of(int32_t size, int32_t outputs);
int32_t ag_down_most_taps(const ag_down_axis *axis); // texels of the largest cell
// Whether blocks.comp takes these targets, and how.
bool ag_down_blocks_of(const ag_down_target *targets, int32_t count, ag_down_blocks *blocks);
// `sizes`: width and height of each target. `method`: what was asked for; of auto `tuning` decides.
void ag_down_plan_make(const int32_t source[2], int32_t count, const int32_t sizes[][2],
                       int32_t method, const ag_tuning *tuning, ag_down_plan *plan);

// Taps of lanczos of one axis, a multiple of 4, and their weights: `to` phases of so many, each
// normalised.
int32_t ag_down_lanczos_taps(const ag_down_axis *axis, int32_t radius);
int32_t ag_down_lanczos_first(const ag_down_axis *axis, int32_t radius, int32_t output);
void ag_down_lanczos_weights(const ag_down_axis *axis, int32_t radius, float *weights);

#endif
