// host_texture.h - the host's textures: prepare checks each once and makes views where needed
// SPDX-License-Identifier: MIT
//
// Image loads and stores ignore swizzle and samplers, but there are three limits: a level outside
// BASE_LEVEL..MAX_LEVEL is invalid and reads as 0; SRGB8_ALPHA8 has no image access; and NVIDIA
// reads values of R11F_G11F_B10F below 2^-14 as 0. Views of the module's own remove all three. An
// immutable texture with one level needs no view, because GL clamps its levels. Texture units obey
// more of the host's settings (swizzle, completeness), so they always read a view.
#ifndef AG_HOST_TEXTURE_H
#define AG_HOST_TEXTURE_H

#include "gl/gpu.h"

typedef struct ag_known { // a texture that was checked
    struct ag_known *next;
    ag_texture checked;  // as the host described it
    int32_t more_levels; // levels below checked.level that have the sizes of a chain
    bool immutable;      // made by glTexStorage, so it can be viewed
    int32_t levels;      // of an immutable texture, else 0
    GLuint view;         // 0: the texture itself is bound
    int32_t samples;     // of a multisampled texture, else 0
    GLuint codes;        // for reading R11F_G11F_B10F: an R32UI view; 0: as `view`
    GLuint texels;       // for a texture unit: checked.level only, as ag_format.texture; 0: none
} ag_known;

typedef struct ag_texture_uses { // of a slot
    bool read;
    bool sampled;        // a texture unit reads it if it can be viewed: an immutable colour texture
    int32_t more_levels; // so many levels below texture->level must exist, too, as a chain
} ag_texture_uses;

// ag_api.texture (afterglow.h), on a device's context.
ag_status ag_texture_ask(ag_gpu *gpu, GLuint name, int32_t level, ag_texture *texture);
// Checks a texture of a slot against GL and makes the views that it needs. Cheap if it was checked
// before.
//   errors  AG_E_ARG (no such texture; size, format or level differ from what GL says),
//           AG_E_FORMAT (a mutable texture that would need a view), AG_E_MEMORY
ag_status ag_texture_check(ag_gpu *gpu, const char *slot, const ag_texture_uses *uses,
                           const ag_texture *texture);
// The record of a texture, or NULL if it was not checked; and the name to bind to read or to write
// it: its own or a view's. Levels and layers keep the host's numbers.
ag_known *ag_texture_find(const ag_gpu *gpu, const ag_texture *texture);
GLuint ag_texture_to_read(const ag_known *known); // 0 for NULL
GLuint ag_texture_to_write(const ag_known *known);
// Checks again that a checked texture is unchanged, as far as GL knows. A texture that was deleted
// and created again with the same name, size and format cannot be detected. Binds, queries GL, and
// restores the bindings.
//   errors  AG_E_STATE (deleted or created again), AG_E_ARG, AG_E_FORMAT (specified anew)
ag_status ag_texture_validate(const ag_gpu *gpu, const char *slot, bool reads,
                              const ag_texture *texture);
// After a prepare that succeeded: drops the records of other versions of the texture's name,
// because the host may have deleted those textures.
void ag_texture_settle(ag_gpu *gpu, const ag_texture *texture);
// Drops the record of a texture, or of all textures (0).
void ag_texture_forget(ag_gpu *gpu, GLuint texture, bool with_gl);

#endif
