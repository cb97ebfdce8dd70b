// kawase/pass.comp - a wide blur by a chain of smaller images
//
//! pass     kawase "a wide blur: each level of a chain of smaller images doubles its radius"
//! slot     src read colour "the image, linear"
//! slot     dst write colour "the blurred image, of src's size"
//! setting  levels int 3 1..8 constant "smaller images: n blur about as a Gaussian of 2^n texels"
//! setting  spread float 1 0.5..2 "of the taps; above 1 they leave gaps"
//! texture  chain rgba16f size src/2 levels 8
//! step     first from=src -> to=chain[0] define DOWN 1
//! step     down for i in 1..levels-1 from=chain[i-1] -> to=chain[i] define DOWN 1
//! step     up for i in down levels-2..0 from=chain[i+1] -> to=chain[i] define DOWN 0
//! step     last from=chain[0] -> to=dst define DOWN 0
//
//   down    4 c + the four corners of its square of two texels, by bilinear reads: 8 parts
//   up      four sides at two halves of a texel, 1 part each, and four corners, 2 parts each
//   source  Bjorge 2015, "Bandwidth-efficient rendering", SIGGRAPH: the dual filter
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

// `at`: a place in the larger image; `d`: half of one of its texels, times spread, or of `from`'s.
vec4 down(vec2 at, vec2 d)
{
    vec4 sum = 4.0 * bilinear(from, at);
    sum += bilinear(from, at - d) + bilinear(from, at + d);
    sum += bilinear(from, at + vec2(d.x, -d.y)) + bilinear(from, at + vec2(-d.x, d.y));
    return sum / 8.0;
}

vec4 up(vec2 at, vec2 d)
{
    vec4 sum = bilinear(from, at + vec2(2.0 * d.x, 0.0)) + bilinear(from, at - vec2(2.0 * d.x, 0.0));
    sum += bilinear(from, at + vec2(0.0, 2.0 * d.y)) + bilinear(from, at - vec2(0.0, 2.0 * d.y));
    sum += 2.0 * (bilinear(from, at + d) + bilinear(from, at - d));
    sum += 2.0 * (bilinear(from, at + vec2(d.x, -d.y)) + bilinear(from, at + vec2(-d.x, d.y)));
    return sum / 12.0;
}

void main()
{
    ivec2 p = this_texel;
    vec2 scale = vec2(size_of(from)) / vec2(size_of(to));
    vec2 at = (vec2(p) + 0.5) * scale;
#if DOWN
    store(to, p, down(at, vec2(setting_spread)));
#else
    store(to, p, up(at, vec2(0.5 * setting_spread)));
#endif
}
