// random.c - splitmix64 (Steele, Lea, Flood 2014) and distributions on it
// SPDX-License-Identifier: MIT
#include "random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

rng rng_start(const char *name, uint64_t fixed)
{
    const char *text = getenv("AG_TEST_SEED");
    uint64_t seed = text && *text ? strtoull(text, NULL, 0) : fixed;
    printf("  seed  %s: AG_TEST_SEED=%" PRIu64 "\n", name, seed);
    return (rng){seed};
}

uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int rng_int(rng *r, int low, int high)
{
    uint64_t range = (uint64_t)((int64_t)high - low + 1);
    return (int)(low + (int64_t)(rng_next(r) % range));
}

double rng_uniform(rng *r, double low, double high)
{
    return low + (high - low) * ((double)(rng_next(r) >> 11) * 0x1p-53);
}

double rng_normal(rng *r) // Box and Muller, one of the pair
{
    double u = 1 - rng_uniform(r, 0, 1), v = rng_uniform(r, 0, 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

double rng_hdr(rng *r, double low, double high)
{
    return exp(rng_uniform(r, log(low), log(high)));
}

void rng_fill_uniform(rng *r, double *out, size_t count, double low, double high)
{
    for (size_t i = 0; i < count; ++i)
        out[i] = rng_uniform(r, low, high);
}

void rng_fill_normal(rng *r, double *out, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        out[i] = rng_normal(r);
}

void rng_fill_hdr(rng *r, double *out, size_t count, double low, double high)
{
    for (size_t i = 0; i < count; ++i)
        out[i] = rng_hdr(r, low, high);
}
