// local_stats.h - settings of the effect "local_stats": mean and standard deviation around every texel
// SPDX-License-Identifier: MIT
//
//   mean(x,y)      = mean of src over [x - r, x + 1 + r) x [y - r, y + 1 + r), in texels
//   deviation(x,y) = sqrt(mean of src^2 - (mean of src)^2) over the same box: of all texels in it (N, not
//                    N - 1), those that the edges cut by their part inside
//
//   slots     src         a colour image; a rectangle, as many layers as you like
//             dst         the mean; of src's size and layers
//             deviation   the same. Channels that src lacks: 0; alpha 0
//   border    AG_BORDER_* of afterglow.h: clamp, mirror or normalize, that is of what is inside
//   error     into RGBA32F: mean 1e-6 max|src|; variance (deviation^2) 1e-6 (max|src - its mean|)^2
//   cost      double_float tables of src - mean and of its squares, from one read (sat.h), then
//             2 dispatches; persistent memory: 64 bytes a texel of RGBA, 16 of one channel
//   memory    where the tables lie, and what reads them: as in box_blur.h
//   limits    width, and height times layers, up to 16384 texels
//   source    Lewis 1995, fast template matching (the two tables); docs/sat.md
#ifndef AFTERGLOW_LOCAL_STATS_H
#define AFTERGLOW_LOCAL_STATS_H

#include <afterglow/afterglow.h>
#include <stdint.h>

// Slots, in the order of ag_job.slots.
enum { AG_LOCAL_STATS_SRC = 0, AG_LOCAL_STATS_DST = 1, AG_LOCAL_STATS_DEVIATION = 2 };

typedef struct ag_local_stats_settings { // fill with ag_api.defaults, then change what you like
    float radius;   // texels, 0..16384, default 8
    int32_t border; // AG_BORDER_*: clamp (default), mirror or normalize; all zero is refused, as zero is not one
    int32_t scrub;  // 1 (default): non-finite texels count as 0, and are counted in ag_health
} ag_local_stats_settings;

// ag_local_stats_settings s = AG_LOCAL_STATS_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_LOCAL_STATS_DEFAULTS {8, AG_BORDER_CLAMP, 1}

#endif
