// sat_ladder.h - the documents' scans as methods of the effect "sat" (shaders/sat/ladder)
// SPDX-License-Identifier: MIT
//
// They make inclusive tables from the corner, in float32 or uint32, of one layer, and refuse
// everything else by name. Between their passes they store into textures of their own.
#ifndef AG_SAT_LADDER_H
#define AG_SAT_LADDER_H

#include "effects/sat/sat_table.h"

#include <afterglow/sat.h>

enum { AG_SCAN_PASSES = 28, AG_SCAN_TEXTURES = 3 };

typedef struct ag_scan_pass {
    const char *path, *name;
    int32_t axis;          // lines: 0 rows, 1 columns
    int32_t width, height; // of what it reads
    int32_t from, to;      // a texture of ag_scan_plan; -1: the host's
    int32_t group, lines;  // threads; lines a group
    int32_t distance;      // hensley: between texels that are added
    int32_t blocks;        // of a line (blelloch), of the image (segmented)
    bool reads, writes;    // texels
    bool across;           // stores the transpose
    uint32_t sums, flags;  // AG_READ | AG_WRITE: how it uses those of blocks; 0: not
    uint32_t groups[2];
    uint64_t texels_read;
} ag_scan_pass;

typedef struct ag_scan_plan {
    int32_t method; // AG_SAT_HENSLEY ..; 0: none of them
    int32_t width, height, channels;
    bool integers;
    int32_t subgroups; // AG_SUBGROUPS_* of shuffles; NONE: the method takes none
    int32_t radix;     // hensley
    int32_t in_group;  // subgroups a group of Chen et al.'s methods
    int32_t tile;      // AG_SCAN_PADDED ..
    bool counts;       // codes
    int32_t fraction_bits;
    float units, max_value;
    ag_scan_pass pass[AG_SCAN_PASSES];
    int32_t passes, textures;
    int32_t texture_size[AG_SCAN_TEXTURES][2];
    int32_t roundings;   // of an entry, at most
    int64_t sums_bytes;  // of blocks; lookback: words
    int64_t flags_bytes; // of blocks; lookback: state
    ag_sat_plan repair;  // lookback
    int32_t turns;       // of a wait
    int32_t src_bytes;   // a texel
} ag_scan_plan;

// Whether the settings choose one of these methods.
bool ag_scan_chosen(const ag_request *request);
// Refuses what the methods do not take. errors  AG_E_ARG, AG_E_FORMAT
ag_status ag_scan_check(const ag_host *host, const ag_request *request);
// errors  AG_E_SIZE
ag_status ag_scan_make(const ag_host *host, const ag_gl *gl, const ag_request *request,
                       int32_t fraction_bits, ag_scan_plan *plan);
void ag_scan_frame(ag_frame *f, const ag_scan_plan *plan);

#endif
