// wave_plan.h - sizes of levels, and places of bands in coefficients; pure C, no GL
// SPDX-License-Identifier: MIT
#ifndef AG_WAVE_PLAN_H
#define AG_WAVE_PLAN_H

#include "shaders/wavelet/interface.h"

#include <stdbool.h>
#include <stdint.h>

enum { AG_WAVE_MAX_LEVELS = 14, AG_WAVE_MAX_SIZE = 16384 };

typedef struct ag_wave_plan {
    int32_t levels, taps, extend; // AG_EXTEND_*
    bool bands;                   // a layer each
    bool stationary;              // each as large as the image
    // Of x and y. sizes[0] is the image, sizes[l] the bands of level l.
    int32_t sizes[AG_WAVE_MAX_LEVELS + 1][2];
    int32_t details[AG_WAVE_MAX_LEVELS + 1][2]; // where the details of level l begin; bands: 0
    int32_t whole[2];                           // of all coefficients
    int32_t layers;                             // for each layer of the image
} ag_wave_plan;

int32_t ag_wave_taps(int32_t wavelet); // AG_FILTER_*, but custom
int32_t ag_wave_max_levels(const int32_t size[2]);
void ag_wave_plan_make(const int32_t size[2], int32_t levels, int32_t taps, int32_t extend,
                       bool bands, ag_wave_plan *plan);
void ag_wave_plan_stationary(const int32_t size[2], int32_t levels, int32_t taps,
                             ag_wave_plan *plan);
// The layer of the approximation, or the first one of a level's details: LH, HL, HH.
int32_t ag_wave_layer(const ag_wave_plan *plan, int32_t level);
// How much of a band's rectangle or layer is filled: x, y. `high`: bit 0 in x, bit 1 in y.
void ag_wave_fill(const ag_wave_plan *plan, int32_t level, int high, int32_t fill[2]);
// Work groups of a level: coefficients with all that is filled, or pairs of samples.
void ag_wave_groups(const ag_wave_plan *plan, int32_t level, bool inverse, uint32_t groups[3]);
int64_t ag_wave_texels(const ag_wave_plan *plan, int32_t level); // of one band

#endif
