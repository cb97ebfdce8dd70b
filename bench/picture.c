// picture.c - images and kernels as numbers, and the textures that hold them
// SPDX-License-Identifier: MIT
#include "picture.h"

#include "process.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

// PCG (O'Neill 2014) gives the same values on every machine.
static uint32_t hash(uint32_t v)
{
    uint32_t s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}

static picture allocate(int width, int height)
{
    return (picture){width, height, need_memory((size_t)width * (size_t)height * 16)};
}

picture picture_scene(int width, int height)
{
    picture out = allocate(width, height);
    uint32_t count = (uint32_t)width * (uint32_t)height * 4;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = hash(i);
        bool light = i % 4 < 3 && hash(i / 4 + 0x9e3779b9u) < (1u << 22); // one texel in 1024
        // 1..1024 in units of 2^-10, or of 2^-4: at most 11 significant bits.
        out.texels[i] = (float)(1 + bits % 1024) * (light ? 0.0625f : 0.0009765625f);
    }
    return out;
}

picture picture_noisy(int width, int height)
{
    picture out = picture_scene(width, height);
    uint32_t random = 1;
    for (int i = 0; i < 4 * width * height; i++) {
        float sum = 0;
        for (int k = 0; k < 4; k++) {
            random = random * 1664525u + 1013904223u;
            sum += (float)(random >> 8) / 16777216 - 0.5f;
        }
        out.texels[i] += 0.05f * sum * sqrtf(3);
    }
    return out;
}

picture picture_field(int width, int height, double (*value)(double x, double y))
{
    picture out = allocate(width, height);
    for (int i = 0; i < width * height; i++) {
        float *texel = out.texels + 4 * (size_t)i;
        texel[0] = (float)value((double)(i % width) / width, (double)(i / width) / height);
        texel[1] = texel[2] = 0;
        texel[3] = 1;
    }
    return out;
}

// A weight of the kernel, at (x, y) from its centre; `bits` are random.
static double weight(double x, double y, double radius, int channel, uint32_t bits)
{
    double r = sqrt(x * x + y * y) / radius;
    return (0.5 + bits * 0x1p-32) / (1 + (8 + 4 * channel) * r * r);
}

picture picture_kernel(int width, int height, bool even)
{
    picture out = allocate(width, height);
    double sums[3] = {0}, radius = fmin(width, height) / 8.0 + 1;
    uint32_t texels = (uint32_t)width * (uint32_t)height;
    for (int pass = 0; pass < 2; pass++) { // the sums first, then the weights divided by them
        for (uint32_t i = 0; i < texels; i++) {
            double x = (double)(i % (uint32_t)width) - width / 2;
            double y = (double)(i / (uint32_t)width) - height / 2;
            uint32_t opposite = texels - 1 - i;
            uint32_t seed = even && opposite < i ? opposite : i;
            for (uint32_t c = 0; c < 3; c++) {
                double w = weight(x, y, radius, (int)c, hash(4 * seed + c));
                if (pass == 0)
                    sums[c] += w;
                else
                    out.texels[4 * (size_t)i + c] = (float)(w / sums[c]);
            }
            out.texels[4 * (size_t)i + 3] = 0;
        }
    }
    return out;
}

void picture_free(picture *target)
{
    free(target->texels);
    *target = (picture){0};
}

int picture_levels(int width, int height)
{
    int levels = 1;
    while (width >> levels > 0 || height >> levels > 0)
        levels++;
    return levels;
}

GLuint texture_make(const GladGLContext *gl, GLenum format, int width, int height, int layers,
                    bool chain, const picture *from)
{
    const GLenum kind = layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    const GLint filter = chain ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR;
    int levels = chain ? picture_levels(width, height) : 1;
    GLuint name = 0;
    while (gl->GetError() != GL_NO_ERROR)
        ; // drop errors of others: the check below is for this call
    gl->GenTextures(1, &name);
    gl->BindTexture(kind, name);
    if (layers)
        gl->TexStorage3D(kind, levels, format, width, height, layers);
    else
        gl->TexStorage2D(kind, levels, format, width, height);
    gl->TexParameteri(kind, GL_TEXTURE_MIN_FILTER, filter);
    gl->TexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (from)
        gl->TexSubImage2D(kind, 0, 0, 0, width, height, GL_RGBA, GL_FLOAT, from->texels);
    gl->BindTexture(kind, 0);
    must(gl->GetError() == GL_NO_ERROR, "GL has no memory for a texture of %dx%d", width, height);
    return name;
}

GLuint picture_texture(const GladGLContext *gl, GLenum format, int width, int height,
                       const picture *from)
{
    return texture_make(gl, format, width, height, 0, false, from);
}

picture picture_read(const GladGLContext *gl, GLuint texture, int level, int width, int height)
{
    picture out = allocate(width, height);
    gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT); // glGetTexImage reads what was stored
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->GetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_FLOAT, out.texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return out;
}
