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

#include <afterglow/settings.h>

// clang-format off
// N.
#define AG_OCEAN_SIZE(X)            \
    X(AG_OCEAN_32,   0, "32",   "") \
    X(AG_OCEAN_64,   1, "64",   "") \
    X(AG_OCEAN_128,  2, "128",  "") \
    X(AG_OCEAN_256,  3, "256",  "") \
    X(AG_OCEAN_512,  4, "512",  "") \
    X(AG_OCEAN_1024, 5, "1024", "")
AG_NAMED_ENUM(ag_ocean_size, AG_OCEAN_SIZE)

// tma has the factor of depth of Bouws et al. 1985. pierson_moskowitz ignores fetch and gamma, and
// takes depth only for the speed of waves.
#define AG_OCEAN_SPECTRUM(X)                                                 \
    X(AG_OCEAN_TMA,               0, "tma",                                  \
      "JONSWAP, raised by the wind over the fetch (Hasselmann et al. 1973)") \
    X(AG_OCEAN_PIERSON_MOSKOWITZ, 1, "pierson_moskowitz",                    \
      "fully risen, in deep water (Pierson and Moskowitz 1964)")
AG_NAMED_ENUM(ag_ocean_spectrum, AG_OCEAN_SPECTRUM)

// Slots, in the order of ag_job.slots.
enum ag_ocean_slot { AG_OCEAN_DISPLACEMENT = 0, AG_OCEAN_DERIVATIVES = 1, AG_OCEAN_JACOBIAN = 2 };

// time: a float is exact to 1 ms up to 8192 s: pass the time modulo the period.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_OCEAN_SETTINGS(X)                                                                      \
    X(ENUM,   size,           AG_OCEAN_256, AG_OCEAN_SIZE, PLAN, "texels a side of each cascade") \
    X(INT,    cascades,       3, 1, 3, "", PLAN, "patches of different lengths, to be added")     \
    X(FLOAT3, lengths,        400, 54.8, 8.98, 0.1, 100000, "m", KERNEL,                          \
      "L of the patches, each less than the one before")                                          \
    X(ENUM,   spectrum,       AG_OCEAN_TMA, AG_OCEAN_SPECTRUM, KERNEL,                            \
      "how the energy is shared among waves")                                                     \
    X(FLOAT,  wind_speed,     10, 0, 80, "m/s", KERNEL, "ten metres above the sea; 0 = no waves") \
    X(FLOAT,  wind_direction, 0, -360, 360, "degrees", KERNEL,                                    \
      "where waves go, from +x towards +z")                                                       \
    X(FLOAT,  fetch,          300000, 100, 1e8, "m", KERNEL, "of water that the wind blows over") \
    X(FLOAT,  depth,          200, 0.1, 1e6, "m", KERNEL, "of the water")                         \
    X(FLOAT,  gamma,          3.3, 1, 7, "", KERNEL, "how peaked the spectrum is")                \
    X(FLOAT,  swell,          0, 0, 1, "", KERNEL, "longer and more parallel crests")             \
    X(FLOAT,  directionality, 1, 0, 1, "", KERNEL, "0 = waves go everywhere alike")               \
    X(FLOAT,  choppiness,     1, 0, 4, "", NOTHING, "how sharp crests are")                       \
    X(FLOAT,  time,           0, -1e6, 1e6, "s", NOTHING, "of the sea")                           \
    X(FLOAT,  period,         256, 1, 100000, "s", KERNEL, "after which the sea repeats")         \
    X(INT,    seed,           1, 0, 2147483647, "", KERNEL, "another seed is another sea")
#define AG_OCEAN_TAG AG_TAG('o', 'c', 'e', 'a')
AG_SETTINGS_STRUCT(ag_ocean_settings, AG_OCEAN_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_OCEAN_DEFAULTS {sizeof(ag_ocean_settings), AG_OCEAN_TAG, AG_OCEAN_SETTINGS(AG_DEFAULT)}
#define ag_ocean_params(...) \
    AG_PARAMS(ag_ocean_settings, AG_OCEAN_TAG, AG_OCEAN_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
