// fft/interface_bloom.h - what C and GLSL of bloom on a smaller image share (docs/bloom.md)
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface_kernel.h"

#define AG_IMAGE_LIGHT 3 // of the frame's size: its light with less of fireflies, for the core
#define AG_IMAGE_SMALL 2 // the smaller image: the frame's light (down), or its bloom (up)

// ---- shader storage
#define AG_SSBO_SPLINE 1 // persistent: fill_table of effects/bloom/bloom_reduced.c
#define AG_SSBO_SUMS 3   // transient: two floats a row of the kernel, bloom_error.comp
#define AG_SSBO_CORE 2   // persistent: AG_CORE_TAPS taps, a vec4 each

// ---- uniform locations
#define AG_LOC_STEP 40  // vec4: texels of the frame for one of the smaller image, x, y; unused
#define AG_LOC_SMALL 41 // ivec4: width, height of the smaller image; its margin; unused
// ivec4, bloom_rest.comp: 1 = along y; taps of the kernel's lines on either side; of the smaller
// ones; unused. bloom_error.comp: 1 = sums all rows
#define AG_LOC_REST 42
#define AG_LOC_FIREFLY 43 // vec4, bloom_firefly.comp
#define AG_LOC_RATIO 44   // ivec4: texels of the frame for one of the smaller image, x, y; unused

#define AG_SMALL_MARGIN 2  // texels around the frame: as far as a cubic B-spline reaches
#define AG_SPLINE_REACH 28 // of w, in texels of the smaller image
#define AG_SPLINE_TAIL 15  // texels of the smaller kernel beyond the kernel's end
#define AG_CORE_RADIUS 2
#define AG_CORE_TAPS 25 // (2 AG_CORE_RADIUS + 1)^2
