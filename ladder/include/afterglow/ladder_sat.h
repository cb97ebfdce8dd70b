// ladder_sat.h - settings of the effect "sat_ladder": summed-area tables by the documents' scans
// SPDX-License-Identifier: MIT
//
// Of the module libafterglow_ladder. Each method is what its document describes, to compare with
// the effect "sat" of libafterglow (afterglow/sat.h): docs/ladder.md says what each is worth.
//
//   S(x,y) = sum of src(i,j) over i <= x, j <= y
//
//   slots     src           a colour image: a rectangle of one layer
//             dst           the table, of src's size: R/RG/RGBA32F, with uint32 32UI, with as many
//                           channels as src or fewer (3 count as 4)
//   uint32    fixed point modulo 2^32, as of "sat": the same bits. Texels are clamped to
//             0..max_value; 8-bit texels (not sRGB) count as their codes
//   float32   for texels of one sign an entry is within so many last places of the largest entry
//             as the plan's text states
//   memory    textures of the pass's own of the table's size, up to three; scratch for sums
//   bits      equal from run to run, but for lookback with float32: its sums depend on the schedule
//   scrub     as of "sat". Where a wait of lookback expires, its bad texels are counted twice
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE (limits), AG_E_FORMAT (dst, by storage and channels), AG_E_ARG (layers; a
//             tile, columns or rows that the method does not take; boxes that reach 2^32), and
//             those of every effect
//   limits    width and height up to 16384 texels
#ifndef AFTERGLOW_LADDER_SAT_H
#define AFTERGLOW_LADDER_SAT_H

#include <afterglow/settings.h>

// clang-format off
#define AG_SAT_LADDER_METHOD(X)                                                                 \
    X(AG_SCAN_HENSLEY,             0,  "hensley",             "recursive doubling, radix 2")    \
    X(AG_SCAN_HENSLEY_RADIX4,      1,  "hensley_radix4",                                        \
      "the same by 4: more reads, fewer passes")                                                \
    X(AG_SCAN_HENSLEY_RADIX16,     2,  "hensley_radix16",     "the same by 16")                 \
    X(AG_SCAN_KOGGE_STONE,         3,  "kogge_stone",         "doubling in shared memory")      \
    X(AG_SCAN_LADNER_FISCHER,      4,  "ladner_fischer",      "halves, by shuffles if possible") \
    X(AG_SCAN_BLELLOCH,            5,  "blelloch",            "a balanced tree, block by block") \
    X(AG_SCAN_SEGMENTED,           6,  "segmented",           "the image as one vector")        \
    X(AG_SCAN_TRANSPOSE_SCAN,      7,  "scan_transpose_scan", "one kernel for both axes")       \
    X(AG_SCAN_SCANROW_BRLT,        8,  "scanrow_brlt",        "shuffles, stored transposed")    \
    X(AG_SCAN_BRLT_SCANROW,        9,  "brlt_scanrow",                                          \
      "transposed in shared memory, then serial, in double")                                    \
    X(AG_SCAN_SCANROWCOLUMN,       10, "scanrowcolumn",       "shuffles, then down the columns") \
    X(AG_SCAN_LOOKBACK,            11, "lookback",            "one pass")
AG_NAMED_ENUM(ag_sat_ladder_method, AG_SAT_LADDER_METHOD)

#define AG_SAT_LADDER_STORAGE(X)              \
    X(AG_SCAN_FLOAT32, 0, "float32", "")      \
    X(AG_SCAN_UINT32,  1, "uint32", "fixed point modulo 2^32")
AG_NAMED_ENUM(ag_sat_ladder_storage, AG_SAT_LADDER_STORAGE)

#define AG_SAT_LADDER_TILE(X)                                                              \
    X(AG_SCAN_TILE_PADDED,   0, "padded",   "33 places a row; a tree: one free after 32")  \
    X(AG_SCAN_TILE_UNPADDED, 1, "unpadded", "32 places: a column lies in one bank")        \
    X(AG_SCAN_TILE_SWIZZLED, 2, "swizzled", "columns exchanged by an exclusive or")        \
    X(AG_SCAN_TILE_DIRECT,   3, "direct",   "no tile: texels are stored where they go")
AG_NAMED_ENUM(ag_sat_ladder_tile, AG_SAT_LADDER_TILE)

// Slots, in the order of ag_job.slots.
enum ag_sat_ladder_slot { AG_SAT_LADDER_SRC = 0, AG_SAT_LADDER_DST = 1 };

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_SAT_LADDER_SETTINGS(X)                                                                 \
    X(ENUM,  method,        AG_SCAN_HENSLEY, AG_SAT_LADDER_METHOD, PLAN, "which scan")            \
    X(ENUM,  storage,       AG_SCAN_FLOAT32, AG_SAT_LADDER_STORAGE, PLAN,                         \
      "what the table is made of")                                                                \
    X(INT,   fraction_bits, -1, -1, 24, "bits", PLAN,                                             \
      "of uint32 after the point; -1: as many as max_value and max_box allow")                    \
    X(FLOAT, max_value,     1, 9.5367431640625e-07, 65504, "", PLAN,                              \
      "of uint32: no texel is larger; at least 2^-20")                                            \
    X(INT,   max_box,       0, 0, 16384, "texels", PLAN,                                          \
      "of uint32: side of the largest box of a query; 0: the image")                              \
    X(ENUM,  tile,          AG_SCAN_TILE_PADDED, AG_SAT_LADDER_TILE, PLAN,                        \
      "how blelloch, scan_transpose_scan and scanrow_brlt lie in shared memory")                  \
    X(INT,   subgroups,     8, 1, 32, "", PLAN,                                                   \
      "of a group of scanrow_brlt and scanrowcolumn")                                             \
    X(INT,   columns,       8, 1, 32, "", PLAN,                                                   \
      "of a group of kogge_stone, ladner_fischer and blelloch: a power of two")                   \
    X(INT,   rows,          64, 32, 64, "texels", PLAN, "of a tile of lookback: 32 or 64")        \
    X(INT,   turns,         16384, 1, 16777216, "", NOTHING,                                      \
      "of a wait of lookback, before the tiles of sat make the table")                            \
    X(BOOL,  scrub,         1, NOTHING, AG_SCRUB_HELP)
#define AG_SAT_LADDER_TAG AG_TAG('l', 's', 'a', 't')
AG_SETTINGS_STRUCT(ag_sat_ladder_settings, AG_SAT_LADDER_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_SAT_LADDER_DEFAULTS \
    {sizeof(ag_sat_ladder_settings), AG_SAT_LADDER_TAG, AG_SAT_LADDER_SETTINGS(AG_DEFAULT)}
#define ag_sat_ladder_params(...) \
    AG_PARAMS(ag_sat_ladder_settings, AG_SAT_LADDER_TAG, AG_SAT_LADDER_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
