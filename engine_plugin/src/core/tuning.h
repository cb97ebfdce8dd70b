// tuning.h - ways to do a thing that no setting chooses: a device's own table
// SPDX-License-Identifier: MIT
//
// Results obey the same contract whatever it says. A plan belongs to the tuning that it was made with:
// with another one execute asks for a new prepare, as it does for another setting. A host has `without`, and where
// methods change over by what was measured on its GPU (ag_device_desc.tuning; core/tuned.h); tests, the bench and
// `afterglow tune` link the static library and include this file.
#ifndef AG_TUNING_H
#define AG_TUNING_H

#include <afterglow/afterglow.h>

enum { AG_TILE_AUTO = 0, AG_TILE_32 = 1, AG_TILE_64X32 = 2, AG_TILE_64 = 3 };
enum { AG_CARRY_AUTO = 0, AG_CARRY_STEP = 1, AG_CARRY_FOLDED = 2 };
enum { AG_TABLES_AUTO = 0, AG_TABLES_IMAGE = 1, AG_TABLES_TEXTURE = 2, AG_TABLES_BUFFER = 3 };
enum { AG_STAGES_AUTO = 0, AG_STAGES_APART = 1, AG_STAGES_JOINED = 2 };

// All zero but `without`: as effects choose. It is compared bytewise, so it has no padding.
typedef struct ag_tuning {
    uint32_t without; // AG_WITHOUT_*: at first the host's
    int32_t emulate;  // 1: what subgroups do is done without them, slowly, where there are none
    int32_t tile;     // AG_TILE_*: texels of a table's tile
    int32_t threads;  // 64, 128, 256 or 512: of its group, or as many as leave each 32 texels
    int32_t carry;    // AG_CARRY_*: sums over tiles by a dispatch of their own, or by the last one.
                      // With a mean to take off, which the last has to know, always the first
    int32_t tables;   // AG_TABLES_*: where box_blur and local_stats lay their table, and so what
                      // reads it
    int32_t stages;   // AG_STAGES_*: parts of a chain by dispatches of their own, or joined in one,
                      // whose last groups go on, where images suffice
    // Where `auto` changes over; 0: where an H200 would, as each effect says beside its own figure.
    int32_t direct_taps[4]; // by AG_BORDER_*: most taps of convolve's `direct`
    int32_t spread_pairs;   // of rows: up to so many an FFT's channels go to groups of their own
    int32_t joined_texels;  // of an image: up to so many the stages of its chain are joined, with handles
    int32_t folded_tiles;   // of a table: up to so many the last dispatch adds up the carries itself
} ag_tuning;

// The device's, to be changed between its calls.
ag_tuning *ag_device_tuning(ag_device *device);

#endif
