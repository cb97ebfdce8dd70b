// cli/texture.c - converts images to textures and back, bit by bit
// SPDX-License-Identifier: MIT
#include "texture.h"

#include "report.h"
#include "texel.h"

#include <stdlib.h>
#include <string.h>

static int level_size(int size, int level)
{
    return size >> level > 1 ? size >> level : 1;
}

static GLenum texture_target(const texture *of)
{
    return of->layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}

ag_texture texture_view(const texture *of)
{
    ag_texture view = {.struct_size = sizeof view};
    if (!of->name)
        return view;
    view.name = of->name;
    view.target = texture_target(of);
    view.format = of->format->sized;
    view.width = of->width;
    view.height = of->height;
    view.layers = of->layers;
    view.version = 1;
    return view;
}

image_limits texture_limits(const gpu *device, size_t memory)
{
    image_limits limits = image_default_limits();
    device->gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &limits.side);
    device->gl.GetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &limits.layers);
    limits.memory = memory ? memory : limits.memory;
    return limits;
}

int texture_create(const gpu *device, const char *label, const format_info *format, int width,
                   int height, int layers, bool chain, texture *out)
{
    const GladGLContext *gl = &device->gl;
    GLint limit = 0;
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (width > limit || height > limit) {
        return fail(STATUS_USAGE, "%s: %dx%d texels; this device takes up to %dx%d", label, width,
                    height, limit, limit);
    }
    texture made = {
        .format = format, .width = width, .height = height, .levels = 1, .layers = layers};
    GLenum target = texture_target(&made);
    while (chain && (width >> made.levels || height >> made.levels))
        made.levels++;
    gl->GenTextures(1, &made.name);
    gl->BindTexture(target, made.name);
    if (layers)
        gl->TexStorage3D(target, made.levels, format->sized, width, height, layers);
    else
        gl->TexStorage2D(target, made.levels, format->sized, width, height);
    // Without mipmaps the default filter would leave the texture incomplete.
    gl->TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->TexParameteri(target, GL_TEXTURE_MAX_LEVEL, made.levels - 1);
    gl->BindTexture(target, 0);
    GLenum error = gl->GetError();
    if (error != GL_NO_ERROR) {
        texture_destroy(device, &made);
        return fail(STATUS_FAILED, "%s: a %s texture of %dx%d cannot be made (GL error 0x%04x)",
                    label, format->name, width, height, error);
    }
    *out = made;
    return STATUS_OK;
}

int texture_write(const gpu *device, const texture *target, const image *source)
{
    const GladGLContext *gl = &device->gl;
    void *bits = NULL;
    int status = texel_pack(source, target->format, &bits);
    if (status == STATUS_OK) {
        gl->BindTexture(texture_target(target), target->name);
        gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
        if (target->layers)
            gl->TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, target->width, target->height,
                              target->layers, target->format->components, target->format->type,
                              bits);
        else
            gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, target->width, target->height,
                              target->format->components, target->format->type, bits);
        gl->BindTexture(texture_target(target), 0);
    }
    free(bits);
    return status;
}

int texture_upload(const gpu *device, const char *label, const format_info *format,
                   const image *source, bool chain, texture *out)
{
    texture made = {0};
    int height = source->layers ? source->height / source->layers : source->height;
    int status =
        texture_create(device, label, format, source->width, height, source->layers, chain, &made);
    if (status == STATUS_OK)
        status = texture_write(device, &made, source);
    if (status == STATUS_OK)
        *out = made;
    else
        texture_destroy(device, &made);
    return status;
}

int texture_zeros(const gpu *device, const char *label, const format_info *format, int width,
                  int height, texture *out)
{
    image zeros = {0};
    int status = image_create(width, height, format->channels, IMAGE_F32, &zeros);
    if (status != STATUS_OK)
        return status;
    memset(zeros.data, 0, image_value_count(&zeros) * sizeof(float));
    status = texture_upload(device, label, format, &zeros, false, out);
    image_destroy(&zeros);
    return status;
}

int texture_read(const gpu *device, const texture *source, int level, image *out)
{
    const GladGLContext *gl = &device->gl;
    int width = level_size(source->width, level), height = level_size(source->height, level);
    height *= source->layers ? source->layers : 1; // layer after layer
    size_t texels = (size_t)width * (size_t)height;
    void *bits = malloc(texels * (size_t)source->format->texel_bytes);
    if (!bits)
        return fail_memory();
    GLenum target = texture_target(source);
    gl->BindTexture(target, source->name);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->GetTexImage(target, level, source->format->components, source->format->type, bits);
    gl->BindTexture(target, 0);
    GLenum error = gl->GetError();
    int status =
        error == GL_NO_ERROR
            ? texel_unpack(bits, source->format, width, height, out)
            : fail(STATUS_FAILED, "the result cannot be read back (GL error 0x%04x)", error);
    free(bits);
    if (status == STATUS_OK)
        out->layers = source->layers;
    return status;
}

void texture_destroy(const gpu *device, texture *target)
{
    if (target->name)
        device->gl.DeleteTextures(1, &target->name);
    *target = (texture){0};
}
