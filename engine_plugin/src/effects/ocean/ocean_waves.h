// ocean_waves.h - the wave spectrum of the effect "ocean": what depends on the length of a wave.
// Pure C
// SPDX-License-Identifier: MIT
#ifndef AG_OCEAN_WAVES_H
#define AG_OCEAN_WAVES_H

#include <afterglow/ocean.h>

#include <stdint.h>

enum { AG_OCEAN_MAX_CASCADES = 3 };

typedef struct ag_ocean_wave { // struct wave of shaders/fft/ocean_modes.comp
    float amplitude;           // sqrt(P / D), metres; 0: in the ring of another cascade
    float exponent;            // s of the spreading Q(s) cos^2s(angle / 2)
    float factor;              // Q(s)
    uint32_t loops;            // turns in a period
} ag_ocean_wave;

// Fills (size / 2 + 1)^2 waves of a cascade: that of mode (n, m) at m * (size / 2 + 1) + n.
void ag_ocean_waves(const ag_ocean_settings *settings, int32_t size, int32_t cascade,
                    ag_ocean_wave *waves);

#endif
