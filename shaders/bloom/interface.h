// bloom/interface.h - bindings, locations and choices that C and GLSL of bloom share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface_bloom.h"
#include "fft/interface_lens.h"

// ---- PART of bloom/split.comp
#define AG_SPLIT_REST 0
#define AG_SPLIT_CORE 1
#define AG_SPLIT_SUBTRACT 2
#define AG_SPLIT_ERROR 3

// ---- PART of bloom/lens.comp
#define AG_LENS_DIRT 0
#define AG_LENS_EXPOSURE 1
#define AG_LENS_COMPOSITE 2

// ---- PART of bloom/pupil.comp
#define AG_PUPIL_OPENING 0
#define AG_PUPIL_POWER 1

// ---- PART of bloom/kernel.comp
#define AG_DRAW_FIT 0
#define AG_DRAW_TEXELS 1
