// cli/sensor.c - a picture as a camera's sensor counts it
// SPDX-License-Identifier: MIT
#include "sensor.h"

#include <math.h>

// Uniform in (0, 1]. splitmix64 (Steele, Lea, Flood 2014).
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53 + 0x1p-54;
}

static double normal(uint64_t *state) // Box, Muller 1958
{
    double r = sqrt(-2 * log(uniform(state)));
    return r * cos(6.283185307179586 * uniform(state));
}

// Knuth's product of uniforms where few are expected; else a normal of the same mean and variance,
// rounded: of 64 and more that is as near as a picture needs.
static double poisson(double mean, uint64_t *state)
{
    if (mean >= 64)
        return round(mean + sqrt(mean) * normal(state));
    double product = uniform(state), end = exp(-mean);
    int count = 0;
    for (; product > end; count++)
        product *= uniform(state);
    return count;
}

void sensor_expose(image *picture, int electrons, uint32_t seed)
{
    float *values = picture->data;
    size_t count = (size_t)picture->width * (size_t)picture->height * (size_t)picture->channels;
    uint64_t state = (uint64_t)seed << 32 ^ 0x5851f42d4c957f2du;
    for (size_t i = 0; i < count; i++) {
        double found = poisson(fmax((double)values[i], 0) * electrons, &state);
        values[i] = (float)((found + SENSOR_READ_NOISE * normal(&state)) / electrons);
    }
}
