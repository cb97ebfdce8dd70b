// textures.h - textures as the shaders of a frame read and write them
// SPDX-License-Identifier: MIT
#ifndef AG_TEXTURES_H
#define AG_TEXTURES_H

#include "core/effect.h"
#include "core/frame.h"
#include "shader/program.h"
#include "shaders/common/interface.h"

// How the texture of a slot is read, by request->sampled: AG_BY_*.
int32_t ag_reading_of(const ag_request *request, int slot);
// Appends the defines that common/source.glsl needs for a source.
void ag_source_defines(const ag_format *format, int32_t reading, ag_defines *defines);

typedef struct ag_picture { // what a shader reads by common/source.glsl or fft/source.glsl
    ag_handle of;
    const ag_texture *shape; // its rectangle and layers
    const ag_format *format; // NULL: the slot is empty
    float highlights;        // k of docs/bloom.md, for fft/source.glsl
    int32_t reading;         // AG_BY_*
    bool stacked;            // its layers lie below each other in one texture
} ag_picture;

ag_picture ag_slot_picture(const ag_frame *f, int slot);
// A texture that the pass keeps, of whose texels `shape` are used. An image unit reads it.
ag_picture ag_own_picture(ag_frame *f, const ag_own *own, const ag_texture *shape);
// A layer of it, for an image unit; `packed`: RGBA16F as RG32UI, and other 16-bit floats that are
// written as integers (fft/composite.glsl).
ag_view ag_picture_view(const ag_picture *source, uint32_t access, int32_t layer);
ag_view ag_packed_view(const ag_picture *source, uint32_t access, int32_t layer);
// The two uniforms of those files: its rectangle, and how to read it. `channels`: number to read.
void ag_read_uniforms(ag_uniform *uniforms, const ag_picture *source, int32_t channels, bool scrub,
                      int32_t layer);
// The uniform that is a texture's rectangle; that of a picture's layer.
ag_uniform ag_rect_uniform(int32_t location, const ag_texture *texture);
ag_uniform ag_layer_uniform(int32_t location, const ag_picture *picture, int32_t layer);
// The uniforms of a dispatch, in its initializer: an array.
#define AG_UNIFORMS(array) .uniforms = (array), .uniform_count = sizeof(array) / sizeof *(array)

// The next shader, which reads a texture of this format by an image unit.
ag_shader *ag_picture_shader(ag_frame *f, const char *path, const ag_format *format);
// A define whose value is a format in GLSL; none if it is NULL.
void ag_shader_define_format(ag_shader *shader, const char *name, const ag_format *format);

// A picture, read in its own way: the defines of the shader that reads it, and what a dispatch
// binds for a layer.
void ag_shader_reads_picture(ag_shader *shader, const ag_picture *source);
// The same of a shader that reads it by fft/source.glsl: an image unit gets ag_packed_view.
void ag_shader_reads_packed(ag_shader *shader, const ag_picture *source);
ag_view *ag_dispatch_reads_picture(ag_dispatch *dispatch, const ag_picture *source, int32_t layer);
// The same of a slot.
void ag_shader_reads(const ag_frame *f, ag_shader *shader, int slot);
void ag_dispatch_reads(const ag_frame *f, ag_dispatch *dispatch, int slot, int32_t layer);

#endif
