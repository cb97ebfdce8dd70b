// texture.c - textures of the tests
// SPDX-License-Identifier: MIT
#include "texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int texture_level_size(int size, int level)
{
    return size >> level > 1 ? size >> level : 1;
}

int texture_full_levels(int width, int height)
{
    int levels = 1;
    while (width >> levels || height >> levels)
        ++levels;
    return levels;
}

static size_t level_texels(const texture *t, int level)
{
    return (size_t)texture_level_size(t->width, level) *
           (size_t)texture_level_size(t->height, level) * (size_t)(t->layers ? t->layers : 1);
}

size_t texture_value_count(const texture *t, int level)
{
    return level_texels(t, level) * (size_t)t->format->channels;
}

size_t texture_byte_count(const texture *t, int level)
{
    return level_texels(t, level) * (size_t)t->format->bytes;
}

// Tight rows and no buffer: the uploads and reads below need this.
static void pixel_store_defaults(fixture *f)
{
    static const GLenum zero[] = {
        GL_PACK_SWAP_BYTES,     GL_PACK_LSB_FIRST,     GL_PACK_ROW_LENGTH,  GL_PACK_SKIP_ROWS,
        GL_PACK_SKIP_PIXELS,    GL_PACK_IMAGE_HEIGHT,  GL_PACK_SKIP_IMAGES, GL_UNPACK_SWAP_BYTES,
        GL_UNPACK_LSB_FIRST,    GL_UNPACK_ROW_LENGTH,  GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS,
        GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES,
    };
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; ++i)
        f->gl.PixelStorei(zero[i], 0);
    f->gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    f->gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    f->gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

static void pixel_store_reset(fixture *f)
{
    f->gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

static void upload_bytes(fixture *f, const texture *t, int level, const void *bytes)
{
    int width = texture_level_size(t->width, level), height = texture_level_size(t->height, level);
    pixel_store_defaults(f);
    f->gl.BindTexture(t->target, t->name);
    f->gl_transfer = true;
    if (t->target == GL_TEXTURE_2D)
        f->gl.TexSubImage2D(t->target, level, 0, 0, width, height, t->format->base, t->format->type,
                            bytes);
    else
        f->gl.TexSubImage3D(t->target, level, 0, 0, 0, width, height, t->layers, t->format->base,
                            t->format->type, bytes);
    f->gl_transfer = false;
    f->gl.BindTexture(t->target, 0);
    pixel_store_reset(f);
}

void texture_upload(fixture *f, const texture *t, int level, const double *values)
{
    size_t texels = level_texels(t, level);
    uint8_t *bytes = check_allocate(texels * (size_t)t->format->bytes);
    for (size_t i = 0; i < texels; ++i)
        format_pack(t->format, values + i * (size_t)t->format->channels,
                    bytes + i * (size_t)t->format->bytes);
    upload_bytes(f, t, level, bytes);
    free(bytes);
}

texture texture_create_array(fixture *f, const char *format, int width, int height, int layers,
                             int levels, const double *values)
{
    texture t = {0,
                 layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                 format_named(format),
                 width,
                 height,
                 layers,
                 levels > 0 ? levels : 1};
    if (!t.format) {
        fprintf(stderr, "texture_create: unknown format %s\n", format);
        abort();
    }
    f->gl.GenTextures(1, &t.name);
    f->gl.BindTexture(t.target, t.name);
    if (layers)
        f->gl.TexStorage3D(t.target, t.levels, t.format->internal, width, height, layers);
    else
        f->gl.TexStorage2D(t.target, t.levels, t.format->internal, width, height);
    f->gl.BindTexture(t.target, 0);
    texture_poison(f, &t);
    if (values)
        texture_upload(f, &t, 0, values);
    return t;
}

texture texture_create(fixture *f, const char *format, int width, int height, const double *values)
{
    return texture_create_array(f, format, width, height, 0, 1, values);
}

void texture_destroy(fixture *f, texture *t)
{
    // Required of a host: drivers reuse the name, and every texture here has version 1.
    if (f->device)
        f->ag->forget(f->device, t->name);
    f->gl.DeleteTextures(1, &t->name);
    t->name = 0;
}

// ---- poison

// The bytes of a poison texel: -54 656 as a half, -5.7e35 as a float, 0xa5 as a code. It is finite,
// so that no driver may change its bits, and no test has it as a result.
static void poison_texel(const format_info *format, uint8_t *texel)
{
    static const uint32_t single = 0xfadadadau;
    static const uint16_t half = 0xfaacu;
    for (int i = 0; i < format->bytes; ++i) {
        if (format->bits[0] == 32)
            memcpy(texel + i, (const uint8_t *)&single + i % 4, 1);
        else if (format->bits[0] == 16)
            memcpy(texel + i, (const uint8_t *)&half + i % 2, 1);
        else
            texel[i] = 0xa5;
    }
}

void texture_poison(fixture *f, const texture *t)
{
    uint8_t texel[16];
    poison_texel(t->format, texel);
    for (int level = 0; level < t->levels; ++level) {
        size_t bytes = texture_byte_count(t, level), step = (size_t)t->format->bytes;
        uint8_t *data = check_allocate(bytes);
        for (size_t i = 0; i < bytes; i += step)
            memcpy(data + i, texel, step);
        upload_bytes(f, t, level, data);
        free(data);
    }
}

size_t texture_poison_count(fixture *f, const texture *t, int level, int x, int y, int w, int h)
{
    uint8_t texel[16];
    poison_texel(t->format, texel);
    int width = texture_level_size(t->width, level), height = texture_level_size(t->height, level);
    size_t step = (size_t)t->format->bytes, count = 0;
    if (w == 0 && h == 0) {
        w = width;
        h = height;
    }
    uint8_t *data = texture_read_bytes(f, t, level);
    for (int layer = 0; layer < (t->layers ? t->layers : 1); ++layer) {
        for (int j = y; j < y + h; ++j) {
            for (int i = x; i < x + w; ++i) {
                size_t at =
                    ((size_t)layer * (size_t)height + (size_t)j) * (size_t)width + (size_t)i;
                count += memcmp(data + at * step, texel, step) == 0;
            }
        }
    }
    free(data);
    return count;
}

bool texture_is_poison(fixture *f, const texture *t)
{
    for (int level = 0; level < t->levels; ++level) {
        if (texture_poison_count(f, t, level, 0, 0, 0, 0) != level_texels(t, level))
            return false;
    }
    return true;
}

// ---- reading

uint8_t *texture_read_bytes(fixture *f, const texture *t, int level)
{
    uint8_t *bytes = check_allocate(texture_byte_count(t, level));
    f->gl.MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    pixel_store_defaults(f);
    f->gl.BindTexture(t->target, t->name);
    f->gl_transfer = true;
    f->gl.GetTexImage(t->target, level, t->format->base, t->format->type, bytes);
    f->gl_transfer = false;
    f->gl.BindTexture(t->target, 0);
    pixel_store_reset(f);
    return bytes;
}

double *texture_read(fixture *f, const texture *t, int level)
{
    size_t texels = level_texels(t, level);
    uint8_t *bytes = texture_read_bytes(f, t, level);
    double *values = check_allocate(texels * (size_t)t->format->channels * sizeof *values);
    for (size_t i = 0; i < texels; ++i)
        format_unpack(t->format, bytes + i * (size_t)t->format->bytes,
                      values + i * (size_t)t->format->channels);
    free(bytes);
    return values;
}

void texture_quantise(const char *format, double *values, size_t texels)
{
    const format_info *info = format_named(format);
    for (size_t i = 0; i < texels; ++i) {
        for (int c = 0; c < info->channels; ++c) {
            double *v = &values[i * (size_t)info->channels + (size_t)c];
            *v = format_quantise(info, c, *v);
        }
    }
}

// ---- views

ag_texture texture_view(const texture *t)
{
    return (ag_texture){
        .struct_size = sizeof(ag_texture),
        .name = t->name,
        .target = t->target,
        .format = t->format->internal,
        .width = t->width,
        .height = t->height,
        .layers = t->layers ? t->layers : 1,
        .version = 1,
    };
}

ag_texture texture_no_view(void)
{
    return (ag_texture){.struct_size = sizeof(ag_texture)};
}
