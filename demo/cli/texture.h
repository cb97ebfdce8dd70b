// cli/texture.h - converts images to textures and back, bit by bit
// SPDX-License-Identifier: MIT
#ifndef CLI_TEXTURE_H
#define CLI_TEXTURE_H

#include "format.h"
#include "gpu.h"
#include "image.h"

#include <afterglow/afterglow.h>
#include <stdbool.h>

typedef struct texture {
    GLuint name; // 0: none
    const format_info *format;
    int width, height;
    int levels; // 1, or all levels down to 1 x 1
    int layers; // of an array; 0: GL_TEXTURE_2D
} texture;

// All return a STATUS_*; errors are printed, with `label` as the texture's name. `chain`: the
// texture gets all levels down to 1 x 1, and an upload fills the first.
int texture_create(const gpu *device, const char *label, const format_info *format, int width,
                   int height, int layers, bool chain, texture *out);
ag_texture texture_view(const texture *of); // for a job: all of level 0, with version 1; or none
// What images may have that become textures of this context; `memory` 0: the default.
image_limits texture_limits(const gpu *device, size_t memory);
int texture_zeros(const gpu *device, const char *label, const format_info *format, int width,
                  int height, texture *out); // of a float format
int texture_upload(const gpu *device, const char *label, const format_info *format,
                   const image *source, bool chain, texture *out);
int texture_write(const gpu *device, const texture *target, const image *source); // its first level
int texture_read(const gpu *device, const texture *source, int level, image *out);
void texture_destroy(const gpu *device, texture *target); // a zeroed texture is fine

#endif
