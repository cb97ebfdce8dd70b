// random.h - seeded random numbers (splitmix64): equal on every machine, always printed
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_RANDOM_H
#define AG_TEST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

// A generator for one test. The seed is `fixed`, or AG_TEST_SEED when that is set; it is printed
// with `name`, so that a failure can be repeated.
rng rng_start(const char *name, uint64_t fixed);

uint64_t rng_next(rng *r);                           // 64 random bits
int rng_int(rng *r, int low, int high);              // low..high, both included
double rng_uniform(rng *r, double low, double high); // low <= x < high
double rng_normal(rng *r);                           // mean 0, variance 1
double rng_hdr(rng *r, double low, double high);     // log-uniform in low..high, low > 0
void rng_fill_uniform(rng *r, double *out, size_t count, double low, double high);
void rng_fill_normal(rng *r, double *out, size_t count);
void rng_fill_hdr(rng *r, double *out, size_t count, double low, double high);

#endif
