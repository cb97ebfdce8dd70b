// cli/sensor.h - a picture as a camera's sensor counts it
// SPDX-License-Identifier: MIT
#ifndef CLI_SENSOR_H
#define CLI_SENSOR_H

#include "image.h"

// Electrons that the sensor adds to each channel of a texel: their standard deviation.
#define SENSOR_READ_NOISE 3.0

// Each channel becomes (Poisson(x electrons) + normal of SENSOR_READ_NOISE) / electrons: noise of
// variance x / electrons + (SENSOR_READ_NOISE / electrons)^2. `picture` is IMAGE_F32; values below
// 0 count as 0. The same seed gives the same noise.
void sensor_expose(image *picture, int electrons, uint32_t seed);

#endif
