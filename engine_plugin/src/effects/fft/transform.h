// transform.h - plans Fourier transforms of images: the effect "fft"
// SPDX-License-Identifier: MIT
//
// A transform is a list of passes over lines, along one axis and then along the other. A pass reads
// the host's textures or cells of scratch, and writes either.
//
//   tiled       textures -> lines along x -> cells -> lines along y -> textures
//   multipass   each axis in two passes: parts of lines, through two buffers of cells
//   Bluestein   other lengths than 2^a 3^b 5^c 7^d: within one pass, or in four of multipass
#ifndef AG_TRANSFORM_H
#define AG_TRANSFORM_H

#include "effects/fft/fft_line.h"

#include "core/frame.h"

enum {
    AG_TRANSFORM_MAX = 16384, // texels of an axis
    AG_TRANSFORM_PASSES = 8
};

typedef enum ag_lines_kind {
    AG_LINES_WHOLE,
    // Whole lines with threads for each channel, which line.lines counts, too: from textures into
    // cells, and back.
    AG_LINES_SPREAD_IN,
    AG_LINES_SPREAD_OUT,
    AG_LINES_CHIRP,
    AG_LINES_PART
} ag_lines_kind;

typedef struct ag_transform_pass {
    ag_lines_kind kind;
    int32_t axis; // 0: lines along x, 1: along y
    ag_fft_line line;
    int32_t lines;    // of the dispatch, parts included
    int32_t grouped;  // of them, in a work group
    int32_t length;   // of the axis
    int32_t points;   // of the whole transform: length, or more for Bluestein's
    int32_t parts;    // lines that make one; 1: whole
    bool second;      // of two parts
    int32_t does;     // AG_PART_*
    int32_t kept;     // positions of a line that cells keep
    int32_t from, to; // buffer of cells 0 or 1; -1: textures
    bool half_in;     // the line is read from a half spectrum
    const char *name;
} ag_transform_pass;

typedef struct ag_transform_request {
    int32_t width, height; // of what is transformed: of the image, not of a half spectrum
    int32_t channels;      // 1 .. 4
    int32_t axes;          // AG_FFT_BOTH, X, Y
    bool multipass;        // all lines in parts; else those that must be
    bool only_tiled;       // no line in parts
    bool hermitian;        // real input: columns behind width / 2 are mirror images
    bool half_in;          // the input is a half spectrum
    int32_t spread_points; // lines to so many points have a thread a channel; 0: by rule
    int32_t max_invocations;
} ag_transform_request;

typedef struct ag_transform {
    ag_transform_request request;
    ag_transform_pass pass[AG_TRANSFORM_PASSES];
    int32_t passes;
    int32_t columns, rows; // of the cells
    int64_t cell_bytes;    // of one buffer of cells, of one layer
    int32_t buffers;       // 0 .. 2
} ag_transform;

// False: `error` says which limit is passed.
bool ag_transform_plan(const ag_transform_request *request, ag_transform *plan, char *error,
                       size_t error_size);
// "512 = 8 x 8 x 8, .." of each pass, with its name.
void ag_transform_describe(const ag_transform *plan, char *text, size_t size);

// ---- transform_factors.c: constants of an axis

typedef struct ag_factors { // places in shaders/fft/factors.glsl, in complex values
    int32_t chirp, product, twiddle, count;
} ag_factors;
ag_factors ag_factors_of(const ag_transform_pass *pass);
// The buffer of a pass, which every pass of the axis shares. count 0: nothing.
ag_handle ag_frame_factors(ag_frame *f, const ag_transform_pass *pass);

#endif
