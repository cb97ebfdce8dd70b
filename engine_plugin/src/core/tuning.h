// tuning.h - choices between equivalent methods, per device
// SPDX-License-Identifier: MIT
//
// Results obey the same contract with every tuning. A plan is valid for the tuning that it was made
// with; after a change execute fails until the next prepare, as after a change of a setting. A host
// sets `without`, and the sizes at which `auto` changes methods (ag_device_desc.tuning). Tests, the
// bench and `afterglow tune` link the static library and include this.
#ifndef AG_TUNING_H
#define AG_TUNING_H

#include "gl/gl.h"

#include <afterglow/afterglow.h>
#include <stddef.h>

enum { AG_TILE_AUTO = 0, AG_TILE_32 = 1, AG_TILE_64X32 = 2, AG_TILE_64 = 3 };
enum { AG_CARRY_AUTO = 0, AG_CARRY_STEP = 1, AG_CARRY_FOLDED = 2 };
enum { AG_EXCHANGE_AUTO = 0, AG_EXCHANGE_SUBGROUPS = 1, AG_EXCHANGE_SHARED = 2 };
enum { AG_TABLES_AUTO = 0, AG_TABLES_IMAGE = 1, AG_TABLES_TEXTURE = 2, AG_TABLES_BUFFER = 3 };

// All zero but `without`: effects choose. It is compared as bytes, so it has no padding.
typedef struct ag_tuning {
    uint32_t without; // AG_WITHOUT_*: initially ag_device_desc.without
    int32_t emulate;  // 1: emulated subgroups where the context has none; slow
    int32_t tile;     // AG_TILE_*: size of a SAT's tiles, in texels
    int32_t threads;  // of a tile's group: 64, 128, 256 or 512, at least one for 32 texels
    int32_t carry;    // AG_CARRY_*: block prefixes by a dispatch of their own, or by the last one.
                      // With an offset always the former (docs/sat.md)
    int32_t tables;   // AG_TABLES_*: where box_blur and local_stats store their SATs, and so how
                      // they read them
    int32_t bloom_plan; // of bloom's resolution = auto, if it keeps what auto promises; 1: full
    // Where `auto` changes methods; 0: the default, `usual` of ag_tuned_keys.
    int32_t direct_taps[4];    // by AG_BORDER_*: max taps of convolve's `direct`
    int32_t per_channel_pairs; // max pairs of rows of an FFT with one work group per channel
    int32_t spread_points; // max points of a line of fft with threads for each channel; -1: none
    int32_t folded_tiles;  // max tiles times channels of a table whose last dispatch adds up the
                           // block prefixes
    int32_t few_tiles;     // max tiles of 64 x 64 for which a table has tiles of 32 x 32
    int32_t tile_taps;     // downsample: max texels of a cell, each way, of the method tile
    int32_t block_rows;    // max rows of a cell of its method blocks, where no multiple of 8
    int32_t few_groups;    // max groups of columns that partial_sums does instead
    int32_t shared_rows;   // max rows of a cell of its method partial_sums, where columns would
                           // share rows
    // AG_EXCHANGE_*: how threads of a group pass values on, where there are subgroups
    int32_t sat_exchange, mip_exchange, denoise_exchange;
    // When bloom compares plans, bytes that take as long as a dispatch, as 1000 direct taps of a
    // texel, and as a texel of the smallest image.
    int32_t dispatch_bytes, tap_bytes, fft_bytes;
} ag_tuning;

// The tuning of a device. Change it only between calls of the device.
ag_tuning *ag_device_tuning(ag_device *device);

// ---- as text -----------------------------------------------------------------------------------

// What `afterglow tune` found out on a GPU:
//
//   afterglow tuning 1                      always the first line
//   module 0.1.0                            of which this is; of another one it is stale
//   renderer NVIDIA H200/PCIe/SSE2          GL_RENDERER
//   driver NVIDIA 580.159.04                GL_VERSION without OpenGL's own version and profile
//   convolve.direct_taps.zero 9             a choice: a whole number each (ag_tuned_keys)
//   time.convolve 1.53 0.25 0.0012          for the command line's predictions; not looked at here
//   # ...                                   a remark

enum { AG_TUNED_VERSION = 1, AG_TUNED_MAX = 65536 }; // bytes of a text

typedef struct ag_tuned_key {
    const char *name;
    size_t offset; // of the int32_t in ag_tuning
    int32_t usual; // serves where the text has no such line
    int32_t min, max;
} ag_tuned_key;

extern const ag_tuned_key ag_tuned_keys[]; // ends with a name of NULL

// What a choice is: `place` lies in `tuning`.
int32_t ag_tuned(const ag_tuning *tuning, const int32_t *place);

// What is left of GL_VERSION, so that contexts of several versions on one driver share a text.
const char *ag_tuned_driver(const char *gl_version);

// Reads a text of this GPU, driver and module: `tuning` gets the choices, `copy_speed` MB/s if it
// is 0 so far.
//   returns  AG_OK; AG_UNTUNED, having logged in one sentence what is wrong with which line:
//            nothing is changed then
ag_status ag_tuned_read(const ag_host *host, const ag_gl *gl, const char *text, ag_tuning *tuning,
                        uint32_t *copy_speed);

#endif
