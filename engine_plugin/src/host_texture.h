// host_texture.h - the host's textures: checked once, in prepare, and viewed where a view is needed
// SPDX-License-Identifier: MIT
//
// Image loads and stores ignore swizzle and samplers, but not quite everything: a level outside
// BASE_LEVEL..MAX_LEVEL is invalid and reads as 0, and SRGB8_ALPHA8 has no image access at all. A view
// of our own answers both. An immutable texture of one level needs none, because GL clamps its levels.
#ifndef AG_HOST_TEXTURE_H
#define AG_HOST_TEXTURE_H

#include "gl.h"

struct ag_device;

typedef struct ag_known { // a texture that was checked
    struct ag_known *next;
    ag_texture checked;   // as the host described it
    GLuint view;          // 0: the texture itself is bound
} ag_known;

// Checks a texture of a slot against GL, and makes its view if it needs one. Cheap when it is known.
//   errors  AG_E_ARG (no such texture; size, format or level differ from what GL says),
//           AG_E_FORMAT (a mutable sRGB texture cannot be viewed), AG_E_MEMORY
ag_status ag_texture_check(struct ag_device *device, const char *slot, const ag_texture *texture);
// What to bind for a texture: itself or its view; 0 when it was not checked. Levels and layers keep
// the host's numbers.
GLuint ag_texture_name(const struct ag_device *device, const ag_texture *texture);
// Drops other versions of a texture's name, which may be gone by now: once a prepare has succeeded.
void ag_texture_settle(struct ag_device *device, const ag_texture *texture);
// Forgets a texture, or all of them (0).
void ag_texture_forget(struct ag_device *device, GLuint texture, bool with_gl);

#endif
