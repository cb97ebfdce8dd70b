// driver_mips.c - mip chains as engines make them: glGenerateMipmap, or one blit for each level
// SPDX-License-Identifier: MIT
#include "driver_mips.h"

void driver_mips_generate(const GladGLContext *gl, GLuint texture)
{
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->GenerateMipmap(GL_TEXTURE_2D);
    gl->BindTexture(GL_TEXTURE_2D, 0);
}

static int half(int size)
{
    return size > 1 ? size / 2 : 1;
}

void driver_mips_blit(const GladGLContext *gl, const GLuint framebuffers[2], GLuint texture,
                      int width, int height, int levels)
{
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[1]);
    for (int i = 1; i <= levels; i++) {
        gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                                 i - 1);
        gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                                 i);
        gl->BlitFramebuffer(0, 0, width, height, 0, 0, half(width), half(height),
                            GL_COLOR_BUFFER_BIT, GL_LINEAR);
        width = half(width);
        height = half(height);
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
}
