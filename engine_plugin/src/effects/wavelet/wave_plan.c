// wave_plan.c - sizes of levels, and places of bands in coefficients
// SPDX-License-Identifier: MIT
#include "effects/wavelet/wave_plan.h"
#include "base/rounding.h"

int32_t ag_wave_taps(int32_t wavelet)
{
    static const int32_t taps[] = {
        [AG_FILTER_HAAR] = 2,  [AG_FILTER_DB2] = 4,   [AG_FILTER_DB4] = 8,    [AG_FILTER_SYM4] = 8,
        [AG_FILTER_COIF1] = 6, [AG_FILTER_CDF53] = 6, [AG_FILTER_CDF97] = 10,
    };
    return taps[wavelet];
}

int32_t ag_wave_max_levels(const int32_t size[2])
{
    int32_t longer = ag_max(size[0], size[1]), levels = 1;
    while (longer > 2 && levels < AG_WAVE_MAX_LEVELS) {
        longer = (longer + 1) / 2;
        ++levels;
    }
    return levels;
}

void ag_wave_plan_make(const int32_t size[2], int32_t levels, int32_t taps, int32_t extend,
                       bool bands, ag_wave_plan *plan)
{
    *plan = (ag_wave_plan){.levels = levels,
                           .taps = taps,
                           .extend = extend,
                           .bands = bands,
                           .layers = bands ? 3 * levels + 1 : 1};
    int32_t more = extend == AG_EXTEND_PERIODIZATION ? 1 : taps - 1;
    for (int axis = 0; axis < 2; ++axis) {
        plan->sizes[0][axis] = size[axis];
        for (int32_t l = 1; l <= levels; ++l)
            plan->sizes[l][axis] = (plan->sizes[l - 1][axis] + more) / 2;
        int32_t end = plan->sizes[levels][axis];
        for (int32_t l = levels; l > 0; --l) {
            plan->details[l][axis] = bands ? 0 : end;
            end += plan->sizes[l][axis];
        }
        plan->whole[axis] = bands ? plan->sizes[1][axis] : end;
    }
    // A level's bands can be larger than those of a finer one, where lines are shorter than taps.
    for (int axis = 0; axis < 2 && bands; ++axis)
        for (int32_t l = 2; l <= levels; ++l)
            plan->whole[axis] = ag_max(plan->whole[axis], plan->sizes[l][axis]);
}

void ag_wave_plan_stationary(const int32_t size[2], int32_t levels, int32_t taps,
                             ag_wave_plan *plan)
{
    *plan = (ag_wave_plan){.levels = levels,
                           .taps = taps,
                           .extend = AG_EXTEND_PERIODIZATION,
                           .bands = true,
                           .stationary = true,
                           .whole = {size[0], size[1]},
                           .layers = 3 * levels + 1};
    for (int32_t l = 0; l <= levels; ++l)
        for (int axis = 0; axis < 2; ++axis)
            plan->sizes[l][axis] = size[axis];
}

int32_t ag_wave_layer(const ag_wave_plan *plan, int32_t level)
{
    return plan->bands ? 1 + 3 * (plan->levels - level) : 0;
}

void ag_wave_fill(const ag_wave_plan *plan, int32_t level, int high, int32_t fill[2])
{
    // In a pyramid HL reaches down, and LH across, to where HH begins.
    for (int axis = 0; axis < 2; ++axis) {
        bool beside = high && !(high >> axis & 1);
        fill[axis] = plan->bands ? plan->whole[axis]
                     : beside    ? plan->details[level][axis]
                                 : plan->sizes[level][axis];
    }
}

void ag_wave_groups(const ag_wave_plan *plan, int32_t level, bool inverse, uint32_t groups[3])
{
    const int32_t tile[] = {AG_WAVELET_TILE_WIDTH(plan->taps), AG_WAVELET_TILE_HEIGHT};
    if (plan->stationary) { // a thread a texel
        groups[0] = ag_groups(plan->whole[0], AG_WAVELET_COLUMNS);
        groups[1] = ag_groups(plan->whole[1], AG_WAVELET_GROUP_Y);
        groups[2] = 1;
        return;
    }
    bool periodic = plan->extend == AG_EXTEND_PERIODIZATION;
    int32_t phase = periodic ? plan->taps / 2 : 1, shift = (plan->taps - 1 - phase) & 1;
    for (int axis = 0; axis < 2; ++axis) {
        int32_t count = (plan->sizes[level - 1][axis] + shift + 1) / 2;
        if (!inverse)
            count = ag_max(plan->bands ? plan->whole[axis] : plan->sizes[level][axis],
                           plan->details[level][axis]);
        groups[axis] = ag_groups(count, tile[axis]);
    }
    groups[2] = 1;
}

int64_t ag_wave_texels(const ag_wave_plan *plan, int32_t level)
{
    return (int64_t)plan->sizes[level][0] * plan->sizes[level][1];
}
