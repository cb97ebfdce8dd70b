// fft_shaders.h - the shaders and the constants of lines, and what effects tell of them
// SPDX-License-Identifier: MIT
#ifndef AG_FFT_SHADERS_H
#define AG_FFT_SHADERS_H

#include "effects/fft/fft_plan.h"
#include "effects/kit/textures.h"

typedef struct ag_fft_io { // what shaders must know of the textures
    const ag_format *src, *dst;
    int32_t reading; // AG_BY_*, of src
    bool filterable; // T may differ from src: bloom
} ag_fft_io;

// Whether a texture unit should read src: for RGBA16F it was measured to be faster than an image
// unit (docs/decisions.md, D10); other formats were not measured.
bool ag_fft_samples(const ag_format *src);
// What shaders/fft/composite.glsl wants to know of the output.
void ag_composite_defines(const ag_format *dst, ag_defines *defines);

// Which transforms of a line a program has: forward, the inverse, or both.
typedef enum ag_direction {
    AG_LINE_FORWARD,
    AG_LINE_INVERSE,
    AG_LINE_FORWARD_AND_INVERSE
} ag_direction;
// The next shader, with what shaders/fft/line.glsl wants to know.
ag_shader *ag_line_shader(ag_frame *f, const char *path, const ag_fft_line *line,
                          ag_direction direction);
// The constants of a line: its twiddles.
ag_handle ag_frame_twiddles(ag_frame *f, const ag_fft_line *line);
// Goes on with the plan in words: two lines by their names, as ag_fft_describe has them.
void ag_lines_say(ag_frame *f, const ag_fft_line *rows, const ag_fft_line *columns);

#endif
