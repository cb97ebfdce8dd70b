// cli/ocean_picture.h - a picture of the surface that the effect "ocean" made
// SPDX-License-Identifier: MIT
#ifndef CLI_OCEAN_PICTURE_H
#define CLI_OCEAN_PICTURE_H

#include "image.h"
#include "session.h"

#include <afterglow/ocean.h>

// The outputs of an execute, arrays with a layer a cascade; 0: none.
typedef struct ocean_maps {
    GLuint displacement, derivatives, jacobian;
} ocean_maps;

// Renders them at dusk (scene/ocean.comp) and blooms the picture: RGBA32F of this size. Makes the
// levels of both maps, which must have room for them. Returns a STATUS_*; errors are printed.
int ocean_picture(session *owner, const ocean_maps *maps, const ag_ocean_settings *settings,
                  int width, int height, image *out);

#endif
