// textures.h - textures of a request's slots, as dispatches bind them and shaders know them
// SPDX-License-Identifier: MIT
#ifndef AG_TEXTURES_H
#define AG_TEXTURES_H

#include "core/effect.h"
#include "shader/defines.h"

// A texture ready to be bound, by its own name or its view's.
typedef struct ag_source_texture {
    GLuint read, write, texels; // texels: for a texture unit, or 0
    const ag_texture *texture;
    const ag_format *format;
} ag_source_texture;

typedef enum ag_reading { AG_BY_IMAGE, AG_BY_TEXTURE, AG_BY_TEXTURE_ARRAY } ag_reading;

// The texture of a slot, checked in prepare.
ag_source_texture ag_source_of(const ag_gpu *gpu, const ag_request *request, int slot);
// A texture of the module's own, which `shape` describes.
ag_source_texture ag_own_texture(const ag_memory *memory, const ag_format *format,
                                 const ag_texture *shape);
// A layer of it, counted from its first_layer, for an image unit.
ag_image_binding ag_read_image(const ag_source_texture *texture, int32_t layer);
ag_image_binding ag_write_image(const ag_source_texture *texture, int32_t layer);
// Its rectangle and how to read it, as two uniforms. `channels`: that are wanted of it.
void ag_source_uniforms(ag_uniform *uniforms, const ag_source_texture *texture, int32_t channels,
                        bool scrub, int32_t layer);

// How the texture of a slot is read, of the effect's `samples`.
ag_reading ag_reading_of(const ag_request *request, int slot);
// Appends what common/load.glsl wants to know of a source.
void ag_source_defines(const ag_format *format, ag_reading reading, ag_defines *defines);

#endif
