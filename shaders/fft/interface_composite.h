// fft/interface_composite.h - locations that last steps of convolve, bloom and spectra share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

// ivec4: channels convolved; kernel channels; the kernel channel in work; unused
#define AG_LOC_CHANNELS 8
#define AG_LOC_GAIN 10   // vec4: factor of the convolution, per channel
#define AG_LOC_DIRECT 11 // vec4: factor of T times the kernel's centre weight, per channel
#define AG_LOC_SELF 12   // vec4: factor of T, per channel
#define AG_LOC_KEEP 13   // vec4: factor of src, per channel (alpha: 1 = copy)
