// scan_plan.h - the documents' scans as lists of passes; pure C, no GL
// SPDX-License-Identifier: MIT
#ifndef AG_SCAN_PLAN_H
#define AG_SCAN_PLAN_H

#include "effects/sat/sat_plan.h"

#include <afterglow/ladder_sat.h>

enum { AG_SCAN_PASSES = 28, AG_SCAN_TEXTURES = 3, AG_SCAN_METHODS = AG_SCAN_LOOKBACK + 1 };

enum {                             // bits: what a shader does, and which defines it takes
    AG_SCAN_READS = 1,             // texels: of the image, or of the texture that a pass stored
    AG_SCAN_WRITES = 2,            // a texture, or dst
    AG_SCAN_ACROSS = 4,            // it stores the transpose
    AG_SCAN_HAS_AXIS = 8,          // AXIS
    AG_SCAN_HAS_GROUP = 0x10,      // GROUP: threads
    AG_SCAN_HAS_LINES = 0x20,      // LINES: a group
    AG_SCAN_HAS_TREE = 0x40,       // TREE_PADDED
    AG_SCAN_HAS_BLOCK = 0x80,      // BLOCK: texels
    AG_SCAN_HAS_RADIX = 0x100,     // RADIX
    AG_SCAN_HAS_TILE = 0x200,      // TILE
    AG_SCAN_HAS_SUBGROUPS = 0x400, // SCAN_SUBGROUPS: a group
    AG_SCAN_SHUFFLES = 0x800,      // THREADS, SUBGROUPS
    AG_SCAN_HAS_DOWN = 0x1000,     // DOWN: rows of a tile, by eights
    AG_SCAN_NO_VALUES = 0x2000     // not those of ladder/sat/texels.glsl
};

typedef struct ag_scan_shader {
    const char *path;
    uint32_t is;          // bits, above
    uint32_t sums, flags; // AG_READ | AG_WRITE: how it uses those of blocks; 0: not
} ag_scan_shader;

typedef struct ag_scan_pass {
    const ag_scan_shader *shader;
    const char *name;
    int32_t axis;          // lines: 0 rows, 1 columns
    int32_t width, height; // of what it reads
    int32_t from, to;      // a texture of ag_scan_plan; -1: the host's
    int32_t group, lines;  // threads; lines a group
    int32_t distance;      // hensley: between texels that are added
    int32_t blocks;        // of a line (blelloch), of the image (segmented); places (brlt_scanrow)
    uint32_t groups[2];
    uint64_t texels_read;
} ag_scan_pass;

// What a plan depends on.
typedef struct ag_scan_question {
    ag_sat_ladder_settings settings;
    int32_t width, height, channels; // of the table
    bool counts;                     // 8-bit codes
    int32_t subgroups;               // AG_SUBGROUPS_*: what the context has
} ag_scan_question;

typedef struct ag_scan_plan {
    ag_scan_question question;
    bool integers;
    int32_t subgroups; // AG_SUBGROUPS_* of shuffles; NONE: the method takes none
    int32_t fraction_bits;
    float units; // of 1
    int32_t radix;
    ag_scan_pass pass[AG_SCAN_PASSES];
    int32_t passes, textures;
    int32_t texture_size[AG_SCAN_TEXTURES][2];
    int32_t roundings;   // of an entry, at most
    int64_t sums_bytes;  // of blocks; brlt_scanrow: rows; lookback: words
    int64_t flags_bytes; // of blocks; lookback: state
} ag_scan_plan;

extern const char *const ag_scan_names[AG_SCAN_METHODS];
// What a method refuses of tile, columns and rows, in words; NULL: nothing.
const char *ag_scan_refused(const ag_sat_ladder_settings *settings);
// Bits of the fraction of uint32; -1: boxes of max_box reach 2^32.
int32_t ag_scan_fraction_bits(const ag_scan_question *question);
ag_scan_plan ag_scan_plan_of(const ag_scan_question *question);

#endif
