// sat/source.glsl - a texel of the image, one a load
//
//   in        t_src        the image, by a texture unit (common/words.glsl); or
//             i_src        by an image unit (common/texel.glsl), where GL makes no view of it, and in place: what
//                          a texture unit has cached may be older than what the same dispatch has written
//   host sets what common/texel.glsl and sat/clean.glsl want
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_SOURCE_GLSL
#define AG_SAT_SOURCE_GLSL
#include "common/texel.glsl"
#include "sat/clean.glsl"

// The texel at `place`, from the rectangle's corner, as it came. Inside the texture.
vec4 source_texel(ivec2 place) { return raw_texel(image_corner() + place); }

#endif
