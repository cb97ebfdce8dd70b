// sat/source.glsl - reads single texels of the image
//
//   in        t_src        the image, by a texture unit (common/source.glsl); or
//             i_src        by an image unit (common/source.glsl), where GL makes no view of it, and
//                          in place: a texture unit's cache may miss stores of this dispatch
//   host sets the defines of common/source.glsl and sat/clean.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/source.glsl"
#include "sat/clean.glsl"
#include "sat/types.glsl"

// The texel at `place` from the rectangle's corner, not scrubbed, inside the texture.
vec4 source_texel(ivec2 place) { return raw_texel(image_corner() + place); }
