// reference.c - how far a result is from its reference
// SPDX-License-Identifier: MIT
#include "reference.h"

#include <math.h>

accuracy reference_compare(const picture *result, const double *expected, double scale)
{
    if (!expected || !result->texels)
        return (accuracy){0};
    double signal = 0, noise = 0, worst = 0;
    size_t texels = (size_t)result->width * (size_t)result->height;
    for (size_t i = 0; i < texels; i++) {
        for (size_t c = 0; c < 3; c++) {
            double exact = expected[3 * i + c], error = result->texels[4 * i + c] - exact;
            signal += exact * exact;
            noise += error * error;
            worst =
                fabs(error) <= worst ? worst : fabs(error); // a NaN stays, so that it is reported
        }
    }
    return (accuracy){
        .checked = true,
        .snr_db = 10 * log10(signal / noise),
        .max_error = worst / scale,
    };
}
