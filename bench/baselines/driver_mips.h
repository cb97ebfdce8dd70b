// driver_mips.h - chains of levels as engines make them today: glGenerateMipmap, and a blit a level
// SPDX-License-Identifier: MIT
//
// Both filter linearly between two texels, so that at odd sizes they weigh texels wrongly.
#ifndef BENCH_DRIVER_MIPS_H
#define BENCH_DRIVER_MIPS_H

#include <glad/gl.h>

void driver_mips_generate(const GladGLContext *gl, GLuint texture);
// `framebuffers`: two without attachments, of which the first is read.
void driver_mips_blit(const GladGLContext *gl, const GLuint framebuffers[2], GLuint texture,
                      int width, int height, int levels);

#endif
