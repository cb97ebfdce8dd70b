// kawase/pass.comp - a wide blur by a chain of smaller images
//
//! pass     kawase "a wide blur: each level of a chain of smaller images doubles its radius"
//! slot     src read colour "the image, linear"
//! slot     dst write colour "the blurred image, of src's size"
//! setting  levels int 3 1..8 constant "smaller images: each has half the size of the one before"
//! setting  spread float 1 0.5..2 "of the taps; above 1 they leave gaps"
//! texture  chain rgba16f size src/2 levels 8
//! step     first from=src -> to=chain[0] define DOWN 1
//! step     down for i in 1..levels-1 from=chain[i-1] -> to=chain[i] define DOWN 1
//! step     up for i in down levels-2..0 from=chain[i+1] -> to=chain[i] define DOWN 0
//! step     last from=chain[0] -> to=dst define DOWN 0
//
//   down    the middle, 4 parts of 8, and four places `spread` texels beside and above it, 1 each
//   up      four places a texel beside or above, 1 part of 12 each, four half a texel diagonally,
//           2 each; times spread
//   source  Bjorge 2015, "Bandwidth-efficient rendering", SIGGRAPH: dual filtering
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

vec4 corners(vec2 at, float d)
{
    return bilinear(from, at + vec2(-d, -d)) + bilinear(from, at + vec2(d, -d)) +
        bilinear(from, at + vec2(-d, d)) + bilinear(from, at + vec2(d, d));
}

vec4 sides(vec2 at, float d)
{
    return bilinear(from, at + vec2(-d, 0.0)) + bilinear(from, at + vec2(d, 0.0)) +
        bilinear(from, at + vec2(0.0, -d)) + bilinear(from, at + vec2(0.0, d));
}

void main()
{
    // The place of the texel's centre in the other image.
    vec2 at = (vec2(this_texel) + 0.5) * vec2(size_of(from)) / vec2(size_of(to));
#if DOWN
    vec4 c = (4.0 * bilinear(from, at) + corners(at, setting_spread)) / 8.0;
#else
    vec4 c = (sides(at, setting_spread) + 2.0 * corners(at, 0.5 * setting_spread)) / 12.0;
#endif
    store(to, this_texel, c);
}
