// depth_pyramid.h - settings of the effect "depth_pyramid": a chain of nearest, farthest or both depths
// SPDX-License-Identifier: MIT
//
// For occlusion culling, screen-space rays and light tiles ("Hi-Z"; Greene, Kass and Miller 1993). Each
// texel of a level is the least (or greatest) of all texels of the level above that it touches: 2, or at
// odd sizes 3, each way. So no level ever claims more than the depths below it allow (conservative).
//
// Which one: to test boxes against what may hide them one needs the farthest depth: `max` with the usual
// depth (0 near, 1 far), `min` with reversed depth (1 near, 0 far). Rays that march through a level need
// the nearest: the other one.
//
//   slots     src   depth, read: any depth format (made by glTexStorage: others cannot be viewed, and are
//                   refused), 2D, array or multisampled, or R32F. Read as stored, 0 .. 1 for fixed point
//             dst   R32F for min and max, RG32F (least in r, greatest in g) for minmax, written: its
//                   level (ag_texture.level) has src's rectangle's size, and then is a copy of the
//                   depths, or half of it, max(1, size / 2). Levels below follow, and must exist
//   samples   of a multisampled texel are reduced, too: their least, greatest or both
//   error     none: bit-exact; fixed-point depths as the GPU's sampler makes floats of them. NaN is skipped;
//             only NaN gives NaN
//   cost      2 dispatches, 1 for 7 levels and fewer, or by handles where mipchain.h says so. Must move the
//             depths once, and what is written
//   source    docs/mipchain.md
#ifndef AFTERGLOW_DEPTH_PYRAMID_H
#define AFTERGLOW_DEPTH_PYRAMID_H

#include <stdint.h>

enum { AG_DEPTH_MIN = 0, AG_DEPTH_MAX = 1, AG_DEPTH_MINMAX = 2 };

// Slots, in the order of ag_job.slots.
enum { AG_DEPTH_PYRAMID_SRC = 0, AG_DEPTH_PYRAMID_DST = 1 };

typedef struct ag_depth_pyramid_settings { // fill with ag_api.defaults, then change what you like
    int32_t reduce; // AG_DEPTH_*
    int32_t levels; // of dst to write, 1..17; 0 (default): all, down to 1 x 1
    int32_t scrub;  // 1 (default): NaN is counted in ag_health. It is skipped in any case
} ag_depth_pyramid_settings;

// ag_depth_pyramid_settings s = AG_DEPTH_PYRAMID_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_DEPTH_PYRAMID_DEFAULTS {AG_DEPTH_MIN, 0, 1}

#endif
