// host_texture.h - the host's textures: checked once, in prepare, and viewed where a view is needed
// SPDX-License-Identifier: MIT
//
// Image loads and stores ignore swizzle and samplers, but not quite everything: a level outside
// BASE_LEVEL..MAX_LEVEL is invalid and reads as 0, SRGB8_ALPHA8 has no image access at all, and NVIDIA
// reads R11F_G11F_B10F below 2^-14 as 0. Views of our own answer all three. An immutable texture of one
// level needs none, because GL clamps its levels. Texture units obey still more of the host's settings
// (swizzle, completeness), so what they read is always a view.
//
// Handles (GL_ARB_bindless_texture) are images without units: of every level, by its number, in a buffer
// that shaders read. A texture that has handles may not be changed in its parameters any more, so they
// are always those of a view of our own. Residency is state of the context, and lasts until the texture
// is dropped.
#ifndef AG_HOST_TEXTURE_H
#define AG_HOST_TEXTURE_H

#include "gl/gpu.h"

typedef struct ag_known { // a texture that was checked
    struct ag_known *next;
    ag_texture checked;  // as the host described it
    int32_t more_levels; // below checked.level, found to have the sizes of a chain
    bool immutable;      // it can be viewed
    int32_t levels;      // of an immutable texture, else 0
    GLuint view;         // 0: the texture itself is bound
    int32_t samples;     // of a multisampled texture, else 0
    GLuint codes;        // for reading R11F_G11F_B10F: an R32UI view; 0: as `view`
    GLuint texels;       // for a texture unit: checked.level alone, as ag_format.texture; 0: none
    ag_memory handles;   // uvec2 a level, written through `view`, all resident; name 0: none
    uint64_t *resident;  // the same on the CPU: handles.bytes of them
} ag_known;

typedef struct ag_texture_uses { // of a slot
    bool read;
    bool sampled; // a texture unit reads it if it can be viewed: an immutable colour texture
    bool handles; // its levels are written by handles if the context has any and it can be viewed
    int32_t more_levels; // a chain of so many levels below texture->level has to be there, too
} ag_texture_uses;

// Checks a texture of a slot against GL, and makes its views if it needs any. Cheap when it is known.
//   errors  AG_E_ARG (no such texture; size, format or level differ from what GL says),
//           AG_E_FORMAT (a mutable texture that would need a view), AG_E_MEMORY
ag_status ag_texture_check(ag_gpu *gpu, const char *slot, const ag_texture_uses *uses,
                           const ag_texture *texture);
// What to bind to read and to write a texture: itself or a view; NULL: it was not checked. Levels and
// layers keep the host's numbers.
const ag_known *ag_texture_find(const ag_gpu *gpu, const ag_texture *texture);
GLuint ag_texture_to_read(const ag_known *known); // 0 for NULL
GLuint ag_texture_to_write(const ag_known *known);
// Whether a texture that was checked is still what it was then, as far as GL knows: one that was deleted and made
// again under the same name, exactly alike, cannot be told from it. Binds and asks; leaves bindings as they were.
//   errors  AG_E_STATE (deleted, or made again), AG_E_ARG, AG_E_FORMAT (specified anew)
ag_status ag_texture_validate(const ag_gpu *gpu, const char *slot, bool reads,
                              const ag_texture *texture);
// Drops other versions of a texture's name, which may be gone by now: once a prepare has succeeded.
void ag_texture_settle(ag_gpu *gpu, const ag_texture *texture);
// Forgets a texture, or all of them (0).
void ag_texture_forget(ag_gpu *gpu, GLuint texture, bool with_gl);

#endif
