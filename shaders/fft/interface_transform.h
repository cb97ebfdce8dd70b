// fft/interface_transform.h - what C and GLSL of the effect fft share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

// ---- image units, beside AG_IMAGE_SRC and AG_IMAGE_DST
#define AG_IMAGE_SRC_IMAG 2
#define AG_IMAGE_DST_IMAG 3

// ---- shader storage
#define AG_SSBO_CELLS_IN 0  // transient: cells that a dispatch reads (fft/cells.glsl)
#define AG_SSBO_CELLS_OUT 1 // transient: cells that it writes
// persistent: chirp, its spectrum, twiddle factors between two parts of a line
#define AG_SSBO_FACTORS 2

// ---- uniform locations
// ivec4: lines of the dispatch; length of the axis; lines that are parts of one; unused
#define AG_LOC_LINES 25
// ivec4: cells in a column of tiles; positions of a line that cells keep; alpha of a real output
#define AG_LOC_CELLS 26
#define AG_LOC_EXTENT 27 // ivec4: width, height of what is transformed; shift of the origin x, y
// ivec4: width, height of the output; 1 = x is mirrored, 1 = y is mirrored, of real input
#define AG_LOC_OUTPUT 28
// ivec4: origins of the rectangles of src_imag and dst_imag
#define AG_LOC_IMAG_RECTS 29
#define AG_LOC_TRANSFORM_SCALE 30 // vec4: factor of the output
// ivec4: where the chirp begins in b_factors; its spectrum; the twiddle factors; unused
#define AG_LOC_FACTORS 31

// ---- what lines_part.comp does beside its transform, as bits
#define AG_PART_CHIRP_IN 1  // first: times the chirp; positions behind the line are 0
#define AG_PART_TWIDDLE 2   // afterwards: times the twiddle factors between the parts
#define AG_PART_PRODUCT 4   // times the spectrum of the chirp, then swap real and imaginary parts
#define AG_PART_CHIRP_OUT 8 // swap them, then times the chirp
