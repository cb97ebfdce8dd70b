// fft_shaders.h - the shaders and constants of an FFT convolution, by their defines
// SPDX-License-Identifier: MIT
#ifndef AG_FFT_SHADERS_H
#define AG_FFT_SHADERS_H

#include "effects/fft/fft_plan.h"
#include "effects/kit/textures.h"

typedef struct ag_fft_io { // what shaders must know of the textures
    const ag_format *src, *dst;
    ag_reading reading; // of src
    bool filterable;    // T may differ from src: bloom
} ag_fft_io;

// The textures of two slots.
ag_fft_io ag_fft_io_of(const ag_request *request, int src, int dst, bool filterable);
// Whether a texture unit should read src: for RGBA16F it was measured to be faster than an image
// unit (docs/decisions.md, D10); other formats were not measured.
bool ag_fft_samples(const ag_format *src);
// Whether the C2R row pass may do without src, if the kernel has a small centre weight.
bool ag_fft_stores_alpha(const ag_fft_plan *plan);

// What shaders/fft/composite.glsl wants to know of the output.
void ag_composite_defines(const ag_format *dst, ag_defines *defines);
// Which transforms of a line a program has: forward, the inverse, or both.
typedef enum ag_direction {
    AG_LINE_FORWARD,
    AG_LINE_INVERSE,
    AG_LINE_FORWARD_AND_INVERSE
} ag_direction;
// Appends what shaders/fft/line.glsl wants to know of a line.
void ag_line_defines(const ag_fft_line *line, ag_direction direction, ag_defines *defines);

ag_shader *ag_rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_io *io);
ag_shader *ag_columns_shader(ag_frame *f, const ag_fft_plan *plan);
ag_shader *ag_rows_c2r_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_io *io);
ag_shader *ag_rows_c2r_plain_shader(ag_frame *f, const ag_fft_plan *plan);
ag_shader *ag_kernel_rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_format *format);
ag_shader *ag_kernel_columns_shader(ag_frame *f, const ag_fft_plan *plan);
// The next shader, with what shaders/fft/line.glsl wants to know.
ag_shader *ag_line_shader(ag_frame *f, const char *path, const ag_fft_line *line,
                          ag_direction direction);
// The constants of a line: its twiddles.
ag_handle ag_frame_twiddles(ag_frame *f, const ag_fft_line *line);

#endif
