// cli/texture.h - textures made from images, and read back into them, bit by bit
// SPDX-License-Identifier: MIT
#ifndef CLI_TEXTURE_H
#define CLI_TEXTURE_H

#include "format.h"
#include "gpu.h"
#include "image.h"

typedef struct texture {
    GLuint name; // 0: none
    const format_info *format;
    int width, height;
} texture;

// All return a STATUS_*, having printed why, with `label` as the name of the texture.
int texture_create(const gpu *device, const char *label, const format_info *format, int width,
                   int height, texture *out);
int texture_upload(const gpu *device, const char *label, const format_info *format,
                   const image *source, texture *out);
int texture_read(const gpu *device, const texture *source, image *out);
void texture_destroy(const gpu *device, texture *target); // a zeroed texture is fine

#endif
