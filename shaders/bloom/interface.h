// bloom/interface.h - what C and GLSL of bloom share beside its convolution (docs/bloom.md)
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

// ---- kernels: bloom/kernel.comp draws them
#define AG_DRAW_TEXELS 0 // PART: the kernel
#define AG_DRAW_FIT 1    // before: the background, the centre and the light of a kernel image
#define AG_SSBO_FIT 1    // transient: what AG_DRAW_FIT finds
// vec4: sigma; samples of the power a texel; half extent; dispersion
#define AG_LOC_SHAPE 15
#define AG_LOC_SHAPE_MODE 16 // ivec4: AG_GLARE_*; pairs of samples a texel; first row; 1 = fit
#define AG_LOC_STREAK 28     // vec4: stretch; streak; scale of the pupil's power

// As AG_BLOOM_* shapes in bloom.h.
#define AG_GLARE_GAUSSIAN 0
#define AG_GLARE_APERTURE 1
#define AG_GLARE_TEXTURE 2
#define AG_GLARE_STAR 3
#define AG_GLARE_ANAMORPHIC 4

#define AG_SSBO_GOAL_INFO 3 // persistent: the info of the spectrum that bloom/fade.comp fades to

// ---- the pupil and its transform: bloom/pupil.comp
#define AG_PUPIL_OPENING 0   // PART: draws it
#define AG_PUPIL_POWER 1     // PART: the power of its transform
#define AG_LOC_PUPIL 25      // vec4: rotation (radians), roundness, radius in texels
#define AG_LOC_PUPIL_MODE 26 // ivec4: blades; particles of dust, scratches, eyelashes
#define AG_LOC_PUPIL_SEED 27 // ivec4: the seed

#define AG_PUPIL_SIDE 288   // texels of the pupil's image
#define AG_PUPIL_RADIUS 128 // of the circle through its corners
#define AG_PUPIL_LINE 1024  // points of its transform
#define AG_POWER_REACH 448  // frequencies of its power that are kept on each side of 0
#define AG_POWER_EDGE 242.0 // frequency at the kernel's edge: its core's radius is 1/50 of that
#define AG_POWER_SIDE (2 * AG_POWER_REACH + 1)

// ---- bloom on smaller images: bloom/down.comp, level.comp, steady.comp, up.comp
#define AG_LEVELS 3      // that may have direct taps: the frame, a half and a quarter of it
#define AG_IMAGE_SMALL 2 // light of the next level (down), or its bloom (up)
#define AG_IMAGE_LIGHT 3 // of the frame's size: its light with less of fireflies, for its taps
#define AG_SSBO_TAPS 2   // persistent: the taps of all levels, a vec4 each
// vec4: texels of the frame for one of the level, x, y; where its first lies, in those of the level
#define AG_LOC_STEP 40
#define AG_LOC_SMALL 41 // ivec4: width, height of the next level; unused
// ivec4: width, height of the level; rows of it that a group of bloom/down.comp makes, or the first
// of its taps; unused
#define AG_LOC_HALF 43
// vec4: bloom/firefly.comp: 0 = clamp, 1 = karis; 2^exposure. steady.comp: the setting; 1 = start
#define AG_LOC_DETAIL 44
#define AG_SSBO_STEADY 1   // persistent: what bloom/steady.comp keeps
#define AG_STEADY_BYTES 28 // of it, a texel
#define AG_LEVEL_DOWN 0    // PART of bloom/level.comp: light to the next level
#define AG_LEVEL_UP 1      // bloom from it

#define AG_SMALL_MARGIN 2 // texels of each level around the frame: as far as a B-spline reaches

// ---- its kernel in octaves: bloom/split.comp
#define AG_SPLIT_REST 0     // PART: the kernel to the last level's texels, along an axis
#define AG_SPLIT_ERROR 1    // what that cannot hold
#define AG_SPLIT_TAPS 2     // the direct taps
#define AG_SPLIT_SUBTRACT 3 // the rest without what the taps hold
#define AG_SSBO_TABLES 1    // persistent: ag_octave_tables of effects/bloom/bloom_octaves.c
// ivec4: texels of the frame for one of the rest, x, y; AG_SPLIT_REST: 1 = along y, AG_SPLIT_TAPS:
// rows whose errors it sums; taps
#define AG_LOC_SPLIT 42

#define AG_DOWN 0 // kinds of tables: see bloom_octaves.c
#define AG_FINEST 1
#define AG_COARSEST 2
#define AG_KINDS 3
#define AG_TABLE 256       // distances in a table
#define AG_MOST_TAPS 160   // of all levels: a thread each
#define AG_SPLIT_ROWS 161  // in the buffer of the taps: the errors of K's rows
#define AG_SPLINE_REACH 28 // of the taps' weights in the rest, in its texels
#define AG_SPLINE_TAIL 15  // texels of the smaller kernel beyond the kernel's end

// ---- the lens: bloom/lens.comp
#define AG_LENS_DIRT 0      // PART: packs the dirt mask
#define AG_LENS_EXPOSURE 1  // reads the exposure
#define AG_LENS_GHOSTS 2    // takes the glow out of focus
#define AG_LENS_COMPOSITE 3 // the last step of a frame, with dirt and ghosts
#define AG_IMAGE_GLOW 2     // the convolution alone
#define AG_SSBO_DIRT 1      // persistent: the dirt mask's texels, packed halves
#define AG_SSBO_GHOSTS 2    // transient: the glow out of focus, row after row
#define AG_LOC_LENS 32      // ivec4: width, height of the frame; ghosts; 1 = dirt
#define AG_LOC_DIRT 33      // ivec4: width, height of the mask
#define AG_LOC_GHOSTS 34    // vec4: a ghost's share of the light; the iris's rotation, roundness
// ivec4: texels along a cell's side; cells across and down, AG_GHOST_REACH more on every side than
// the frame has; the iris's blades
#define AG_LOC_GHOST_CELLS 35

#define AG_GHOST_CELLS 240   // along the frame's longer side, at most
#define AG_GHOST_RADIUS 71.0 // the longer side, over the radius of a point out of focus
#define AG_GHOST_REACH 4     // cells that such a point reaches: more than 240 / 71
