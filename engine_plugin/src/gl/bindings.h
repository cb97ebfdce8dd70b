// bindings.h - the number of bindings, and the layout of b_info: what only C needs to know
// SPDX-License-Identifier: MIT
#ifndef AG_BINDINGS_H
#define AG_BINDINGS_H
#include "shaders/common/interface.h"

enum {
    AG_IMAGE_COUNT = 3, // of most effects; chains of levels use up to AG_IMAGE_MAX
    AG_IMAGE_MAX = 8,
    AG_TEXTURE_MAX = 8, // texture units of an effect, at most
    AG_SSBO_COUNT = 6   // MAX_COMBINED_SHADER_OUTPUT_RESOURCES may be 8, images included
};

// shaders/common/info.glsl in bytes, as far as C looks at it
enum { AG_INFO_CENTRE = 16, AG_INFO_SCRUBBED = 64, AG_INFO_BYTES = 80 };

#endif
