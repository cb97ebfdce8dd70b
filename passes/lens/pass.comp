// lens/pass.comp - what a simple lens does to a picture: coloured edges, and darker corners
//
//! pass     lens "a simple lens: chromatic aberration and a vignette"
//! slot     src read colour "the image, linear"
//! slot     dst write colour "the image through the lens"
//! setting  aberration float 2 -32..32 in texels "by which red and blue part in the corners"
//! setting  vignette float 1 0..1 "share of the darkening"
//! setting  view float 60 1..150 in degrees "angle from corner to corner"
//! step     lens src -> dst
//
//   aberration  lateral: red is read nearer to the centre, blue further from it, by half of it each
//               in the corners and by the square of the radius elsewhere
//   vignette    natural, the fourth power of the cosine of a texel's angle
//   source      Hecht, Optics, 6.3 (lateral chromatic aberration) and 5.4 (cosine-fourth law)
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

void main()
{
    vec2 middle = 0.5 * vec2(size_of(src)), at = vec2(this_texel) + 0.5, from = at - middle;
    float radius = length(middle), r = length(from) / radius; // 1 in the corners
    vec2 shift = (0.5 * setting_aberration * r / radius) * from;
    vec4 c = load(src, this_texel);
    c.r = bilinear(src, at - shift).r;
    c.b = bilinear(src, at + shift).b;
    float t = r * tan(radians(0.5 * setting_view)), cosine = 1.0 / (1.0 + t * t); // squared
    c.rgb *= mix(1.0, cosine * cosine, setting_vignette);
    store(dst, this_texel, c);
}
