// sat_bounds.c - error bounds of boxes, and the storage that keeps a bound. Pure C
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_bounds.h"

#include <math.h>

double ag_sat_ulp(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent - 24);
}

int32_t ag_sat_fraction_bits(const ag_sat_question *q, int32_t power)
{
    double w = q->max_box && q->max_box < q->width ? q->max_box : q->width;
    double h = q->max_box && q->max_box < q->height ? q->max_box : q->height;
    double most = power == 2 ? q->max_value * q->max_value : q->max_value;
    int32_t bits = 24;
    if (q->struct_size != sizeof *q)
        return -1;
    if (q->codes)
        return w * h * (power == 2 ? 65025.0 : 255.0) < 4294967296.0 ? 0 : -1;
    if (q->fraction_bits >= 0)
        return w * h * (ldexp(most, (int)q->fraction_bits) + 0.5) < 4294967296.0 ? q->fraction_bits
                                                                                 : -1;
    while (bits >= 0 && w * h * (ldexp(most, (int)bits) + 0.5) >= 4294967296.0)
        --bits;
    return bits;
}

double ag_sat_error(const ag_sat_question *q, int32_t storage)
{
    double texels = (double)q->width * q->height, area = (double)q->min_box * q->min_box;
    double share = 1, largest, tile = 4096 * q->max_value, ask = ldexp(q->max_value, -22);
    int32_t bits = ag_sat_fraction_bits(q, 1);
    if (q->struct_size != sizeof *q)
        return HUGE_VAL;
    if (q->origin == AG_SAT_CENTER)
        texels = ((q->width + 1) / 2) * (double)((q->height + 1) / 2);
    if (q->offset == AG_SAT_OFFSET_HALF)
        share = fmax(0.5, fabs(q->max_value - 0.5)) / q->max_value;
    if (q->offset == AG_SAT_OFFSET_MEAN) // worst: a share f at max_value, the rest 0: f (1 - f)
        share = q->origin == AG_SAT_CENTER ? 0.75 : 0.25;
    largest = texels * q->max_value * share;
    tile = fmin(tile, largest);
    switch (storage) {
    case AG_SAT_FLOAT32: // four entries, each off by half a unit, and the roundings within tiles
        // With squares NVIDIA's driver 580 rounds the three carry-ins of an entry before the mean
        // is subtracted: half a unit each of the whole sum (docs/sat.md).
        if (q->square && q->offset == AG_SAT_OFFSET_MEAN)
            ask += 4 * 1.5 * ag_sat_ulp(texels * q->max_value) / area;
        return 2 * (ag_sat_ulp(largest) + 12 * ag_sat_ulp(tile)) / area + ask;
    case AG_SAT_FLOAT32_RESIDUAL:
        return largest >= ldexp(1.0, 40)
                   ? HUGE_VAL
                   : 4 * (ldexp(ag_sat_ulp(largest), -12) + ldexp(1.0, -25)) / area + ask;
    case AG_SAT_DOUBLE_FLOAT: return 4 * ldexp(largest, -47) / area + ask;
    case AG_SAT_UINT32:
        return bits < 0 || q->offset || q->origin ? HUGE_VAL
                                                  : (q->codes ? 0 : ldexp(0.5, -(int)bits)) + ask;
    case AG_SAT_SPLIT:
        return q->origin ? HUGE_VAL : 4 * 7 * ag_sat_ulp(1024 * q->max_value) / area + ask;
    default: return HUGE_VAL;
    }
}

int32_t ag_sat_choose(const ag_sat_question *q, double tolerance, uint32_t allowed)
{
    static const int32_t cheapest_first[5] = {AG_SAT_FLOAT32, AG_SAT_UINT32, AG_SAT_SPLIT,
                                              AG_SAT_FLOAT32_RESIDUAL, AG_SAT_DOUBLE_FLOAT};
    int i;
    for (i = 0; i < 5; ++i) {
        int32_t storage = cheapest_first[i];
        if ((!allowed || (allowed >> storage & 1u)) && ag_sat_error(q, storage) <= tolerance)
            return storage;
    }
    return 0;
}

int32_t ag_sat_split_width(int32_t width, int32_t height)
{
    return width > height ? width : height;
}

int32_t ag_sat_split_height(int32_t width, int32_t height)
{
    return 2 * ((width + 31) / 32 + (height + 31) / 32);
}
