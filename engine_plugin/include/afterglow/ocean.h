// ocean.h - settings of the effect "ocean": waves of the sea by inverse FFTs
// SPDX-License-Identifier: MIT
//
// Each cascade is a square patch of L x L metres with N x N texels that repeats without a seam.
// The patches cover disjoint rings of wave numbers, so the sea is the sum of all cascades, each at
// x / L. Texel (i, j) of a patch is the point (i, j) L / N of the undisturbed surface (x, z), y up.
//
//   eta(x) = sum over k of h(k, t) exp(i k x)         k = 2 pi (n, m) / L, -N/2 < n, m < N/2
//   h(k, t) = h0(k) exp(-i w t) + conj(h0(-k)) exp(i w t)
//   h0(k)   = (a + i b) sqrt(P(k)) / 2                a, b: normal, by a counter of (n, m), seed
//   P(k)    = S(w) D(w, angle) dw/dk / |k| * (2 pi / L)^2
//
//   slots     displacement: (lambda Dx, eta, lambda Dz, lambda dDx/dz) in metres (the last: none),
//             D = the sum of i k/|k| h exp(i k x), lambda = choppiness. The surface's points are
//             x + lambda D, eta: crests are sharp, troughs wide
//             derivatives: (d eta/dx, d eta/dz, lambda dDx/dx, lambda dDz/dz)
//             jacobian (optional): J = (1 + lambda dDx/dx) (1 + lambda dDz/dz) - (lambda dDx/dz)^2
//             of each cascade alone, below 1 where the surface is compressed: foam
//             All are N x N, and arrays with a layer for each cascade (for one cascade 2D textures,
//             too), all in 32-bit floats or all in 16-bit ones
//   normal    docs/ocean.md has it and the Jacobian of the whole sea, from sums over cascades
//   energy    the variance of eta is the integral of S within the rings, whatever N and L: the
//             significant wave height is 4 sqrt(variance). One sea differs from the mean over all
//             seeds; docs/ocean.md says how much
//   loop      w is rounded to a multiple of 2 pi / period: times t and t + period give equal bits
//   in place  no two maps may be the same level of a texture: AG_E_ARG
//   error     into 32-bit floats, against double precision: <= 3e-5 of each field's greatest value.
//             16-bit: that, plus 0.51 of the format's unit
//   cost      2 dispatches, 1 barrier; 2 a cascade where a storage block does not hold all of them.
//             prepare computes S on the CPU and h0 on the GPU
//   memory    scratch: 32 bytes a texel of all cascades; persistent: 20
//   GL state  as in afterglow.h; image units: 3, storage bindings: 6, texture units: 0
//   errors    AG_E_SIZE (slots that do not have the size, or as many layers as cascades; storage
//             blocks), AG_E_FORMAT (32 bits beside 16), AG_E_ARG (lengths that do not decrease),
//             and those of every effect
//   source    docs/ocean.md
#ifndef AFTERGLOW_OCEAN_H
#define AFTERGLOW_OCEAN_H

#include <stdint.h>

enum { // N
    AG_OCEAN_32 = 0,
    AG_OCEAN_64 = 1,
    AG_OCEAN_128 = 2,
    AG_OCEAN_256 = 3,
    AG_OCEAN_512 = 4,
    AG_OCEAN_1024 = 5
};
enum {
    // JONSWAP's spectrum of a sea that the wind has raised over the fetch (Hasselmann et al. 1973),
    // with the factor of depth of TMA (Bouws et al. 1985).
    AG_OCEAN_TMA = 0,
    // That of a sea that has fully risen in deep water (Pierson and Moskowitz 1964): ignores fetch
    // and gamma, and takes depth only for the speed of waves.
    AG_OCEAN_PIERSON_MOSKOWITZ = 1
};

// Slots, in the order of ag_job.slots.
enum { AG_OCEAN_DISPLACEMENT = 0, AG_OCEAN_DERIVATIVES = 1, AG_OCEAN_JACOBIAN = 2 };

// A change of any setting but time and choppiness needs a new prepare.
typedef struct ag_ocean_settings {
    int32_t size;         // AG_OCEAN_32 .. AG_OCEAN_1024, default AG_OCEAN_256
    int32_t cascades;     // 1..3, default 3
    float lengths[3];     // metres, 0.1..100000, defaults 400, 54.8, 8.98: L of the cascades, each
                          // less than the one before
    int32_t spectrum;     // AG_OCEAN_TMA (default), AG_OCEAN_PIERSON_MOSKOWITZ
    float wind_speed;     // m/s, 0..80, default 10: ten metres above the sea; 0: no waves
    float wind_direction; // degrees, -360..360, default 0: where waves go, from +x towards +z
    float fetch;          // metres, 100..1e8, default 300000: of water that the wind blows over
    float depth;          // metres, 0.1..1e6, default 200
    float gamma;          // 1..7, default 3.3: how peaked the spectrum is
    float swell;          // 0..1, default 0: longer and more parallel crests
    float directionality; // 0..1, default 1: 0 = waves go everywhere alike
    float choppiness;     // 0..4, default 1
    float time;           // seconds, -1e6..1e6, default 0. A float is exact to 1 ms up to 8192 s:
                          // pass the time modulo the period
    float period;         // seconds, 1..100000, default 256: after which the sea repeats
    int32_t seed;         // 0..2147483647, default 1
} ag_ocean_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_OCEAN_DEFAULTS                                                                         \
    {                                                                                             \
        AG_OCEAN_256, 3, {400, 54.8f, 8.98f}, AG_OCEAN_TMA, 10, 0, 300000, 200, 3.3f, 0, 1, 1, 0, \
            256, 1                                                                                \
    }

#endif
