// driver_mips.h - mip chains as engines make them: glGenerateMipmap, or one blit for each level
// SPDX-License-Identifier: MIT
//
// Both interpolate linearly between two texels, so at odd sizes the weights of texels are wrong.
#ifndef BENCH_DRIVER_MIPS_H
#define BENCH_DRIVER_MIPS_H

#include <glad/gl.h>

void driver_mips_generate(const GladGLContext *gl, GLuint texture);
// `framebuffers`: two without attachments, the first is read.
void driver_mips_blit(const GladGLContext *gl, const GLuint framebuffers[2], GLuint texture,
                      int width, int height, int levels);

#endif
