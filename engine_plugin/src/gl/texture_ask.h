// texture_ask.h - describes a texture of the host from its bare name
// SPDX-License-Identifier: MIT
#ifndef AG_TEXTURE_ASK_H
#define AG_TEXTURE_ASK_H

#include "gl/gpu.h"

// ag_api.texture (afterglow.h), on a device's context.
ag_status ag_texture_ask(ag_gpu *gpu, GLuint name, int32_t level, ag_texture *texture);

#endif
