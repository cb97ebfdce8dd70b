// common/interface_border.h - values of BORDER, for C and GLSL: as AG_BORDER_* in afterglow.h
// SPDX-License-Identifier: MIT
#pragma once

#define AG_OUTSIDE_ZERO 0
#define AG_OUTSIDE_CLAMP 1
#define AG_OUTSIDE_MIRROR 2
#define AG_OUTSIDE_WRAP 3
#define AG_OUTSIDE_NORMALIZE 4
#define AG_OUTSIDE_RAMP 5 // of deconvolution: a smooth way from the last texel to the first
