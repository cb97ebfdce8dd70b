// mip_plan.h - how a chain of levels is cut into dispatches and tiles; pure C, no GL
// SPDX-License-Identifier: MIT
//
// One axis, a level of W texels and the next of w = max(1, W / 2). Output i of the exact area
// average takes
//
//      W even      2i, 2i+1            each 1/2
//      W = 2n + 1  2i, 2i+1, 2i+2      n - i, n, i + 1, over 2n + 1
//      W = 1       0                   1
//
// (Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation"). So a tile of outputs reaches one
// texel further at each odd level. A tile is named by the 64 texels of its source level that it
// owns in each axis, whatever the sizes; below, four tiles of one axis that make K = 3 levels, all
// of them odd:
//
//      source    |---- 64 ----|---- 64 ----|---- 64 ----|--- rest ---|
//      tile 1                 |============|=======|                     64 owned, a halo of 7
//      level 1                |---- 32 ----|---|                         32, 3
//      level 2                |---- 16 ----|-|                           16, 1
//      level 3                |---- 8 -----|                             8, 0
//
// halo(K) = 0; halo(j - 1) = 2 halo(j) + (level j - 1 is odd). A tile computes its halo and stores
// only what it owns; the last tile of an axis owns all to the end, which its halo reaches exactly.
//
// A dispatch makes levels by tiles, leaves its last level in a buffer in fp32, and may go on: of
// the groups that contribute to a second, larger tile (64 texels of the level handed over), the one
// that arrives last makes that tile's levels. No group waits for another. The next dispatch starts
// from the buffer. A level costs an image unit, and so does the source of the first dispatch.
#ifndef AG_MIP_PLAN_H
#define AG_MIP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    AG_MIP_TILE = 64,       // source texels of a tile, each way
    AG_MIP_TAIL_TILE = 32,  // the same after the first dispatch, where these are few: more groups
                            // share the loads (docs/decisions.md, D81)
    AG_MIP_TILE_LEVELS = 6, // the most levels of a tile: down to one texel
    AG_MIP_LEVELS = 17,     // of 65536 texels, the largest size there is
    AG_MIP_DISPATCHES = 8,  // with three image units
    AG_MIP_ARRIVALS = 64    // groups of a dispatch that goes on, at most: each waits until all that
                            // it wrote is seen, 1024 of them five times as long as a launch takes
};

typedef struct ag_mip_stage { // levels made by tiles of one level
    int32_t source, levels;   // makes source + 1 .. source + levels; levels 0: no such stage
    int32_t tile;             // source texels of a tile, each way
    int32_t tiles[2];         // x, y
    int32_t halo[2];          // of a tile, in texels of the source level
    int32_t region[2];        // the largest region of a tile, of level source + 1
} ag_mip_stage;

typedef struct ag_mip_dispatch {
    ag_mip_stage first, second; // second: by groups that arrive last
    // Places in the hand-over buffer, in texels of a layer; -1: nothing is read or stored.
    int32_t from, first_at, second_at;
} ag_mip_dispatch;

typedef struct ag_mip_request {
    int32_t width, height, levels; // of the rectangle at its first level; levels to make, 1 or more
    int32_t units;                 // image units, 2 .. 8
    int32_t units_first; // the same of the first dispatch, its source included: it may need more
                         // storage blocks, and drivers limit the sum
    int32_t shared;      // the most texels of level 1 of a group
} ag_mip_request;

typedef struct ag_mip_plan {
    ag_mip_request request;
    ag_mip_dispatch dispatches[AG_MIP_DISPATCHES];
    int32_t count;
    int32_t handover; // texels of a layer
    int32_t counters; // of a layer
    int32_t last;     // where the last dispatch left its last level; -1: nowhere
} ag_mip_plan;

// The number of levels of a stage whose levels all halve exactly in both axes; else 0.
int32_t ag_mip_even(const ag_mip_request *request, const ag_mip_stage *stage);
// Whether one group makes all that follows the first stage, with little shared memory: then an even
// first stage may share its dispatch, and its groups still run side by side.
bool ag_mip_finishes(const ag_mip_request *request, const ag_mip_dispatch *dispatch);
// Whether one group is all of a dispatch that ends the chain.
bool ag_mip_alone(const ag_mip_dispatch *dispatch);
int32_t ag_mip_region(const ag_mip_stage *stage); // texels; 0: no such stage
int32_t ag_mip_size(int32_t size, int32_t level); // max(1, size >> level)
// Whether the texels of an axis are taken three at a time.
int32_t ag_mip_is_odd(int32_t size);
int32_t ag_mip_full(int32_t width, int32_t height); // levels below the first, down to 1x1
// False when the units do not suffice (never with three).
bool ag_mip_plan_make(const ag_mip_request *request, ag_mip_plan *plan);

#endif
