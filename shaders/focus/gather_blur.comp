// focus/gather_blur.comp - depth_of_field, method = gather: the near and the far layer, blurred
//
//   in        t_layers, t_radii   (focus/gather.glsl)
//             b_tiles, spread; b_opening: where the samples lie
//   out       i_blurred           RGBA16F, half resolution. Near: premultiplied colour, coverage.
//                                 Far: mean colour times v, and v, the radius there over max_radius
//   dispatch  one group a tile and layer, z: AG_FOCUS_NEAR, _FAR
//   cost      19 or 37 fetches of colour and of radius for each half-resolution texel that a blur
//             reaches
//   how       Samples lie on rings around a texel, each the mean of a level's square that is about
//             as large as its share of the disc. What a sample adds is decided by its own radius:
//             the share of its ring that its disc covers, over the area of that disc. Summed over
//             the rings of a layer with one radius that is 1. So the radius within which samples
//             lie need only be large enough: near, that of the tile; far, the texel's own, which
//             also bounds that of texels behind it
//   source    docs/depth_of_field.md; Jimenez 2014 (near and far apart, tiles, weights by area)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/texel.glsl"
#include "focus/gather.glsl"
#include "focus/gather_opening.glsl"

layout(local_size_x = 8, local_size_y = 8) in; // HALF_TILE
layout(binding = AG_TEXTURE_GATHER_LAYERS) uniform sampler2DArray t_layers;
layout(binding = AG_TEXTURE_GATHER_RADII) uniform sampler2DArray t_radii;
layout(binding = AG_IMAGE_GATHER_BLURRED) writeonly uniform uimage2DArray i_blurred; // RGBA16F

const float MANY_FROM = 3.0; // half texels: from there 37 samples
// What half resolution and its interpolation blur by themselves, as the square of a radius.
const float BLURRED = 1.0;

float half_radius(float r) { return sqrt(max(r * r - BLURRED, 0.0625 * SMALL * SMALL)); }

struct fetched {
    vec4 colour;
    float radius; // times weight
};

// `p` in texels of level 0.
fetched fetch_level(vec2 p, int level, int layer)
{
    vec2 size = vec2(level_size(level));
    vec2 at = clamp(p * exp2(float(-level)), vec2(0.5), size - 0.5) + vec2(level_place(level));
    vec3 place = vec3(at / vec2(textureSize(t_layers, 0).xy), layer);
    vec3 same = vec3(at / vec2(textureSize(t_radii, 0).xy), layer);
    return fetched(textureLod(t_layers, place, 0.0), textureLod(t_radii, same, 0.0).r);
}

// The radius of the far layer: the texel's own, or that of the first level around it that has some.
float far_radius(vec2 p, int layer)
{
    float sum = 0.0, weight = 0.0;
    for (int level = 0; level < LEVELS && weight < 1.0; ++level) {
        fetched q = fetch_level(p, level, layer);
        float part = (1.0 - clamp(4.0 * weight, 0.0, 1.0)) * clamp(4.0 * q.colour.a, 0.0, 1.0);
        sum += part * q.radius / max(q.colour.a, 1e-6);
        weight += part;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

// A sample of a disc of `radius` half texels, whose rings lie `wide` apart. `most`: larger radii
// count as this.
vec4 ring_sample(vec2 p, vec4 s, float radius, float wide, float most, int level, int layer)
{
    fetched q = fetch_level(p + s.xy * radius, level, layer);
    float r = min(half_radius(0.5 * q.radius / max(q.colour.a, 1e-6)), most);
    float inner = max(s.w - 0.5, 0.0), across = max(2.0 * s.w, 0.25); // the ring, in `wide`
    float square = r * r / (wide * wide);
    float covered = clamp((square - inner * inner) / across, 0.0, 1.0);
    return q.colour * (s.z * covered / square);
}

vec4 gather(vec2 p, float radius, float side, float most, int layer)
{
    bool many = radius > MANY_FROM;
    int at = many ? AG_GATHER_AT_MANY : AG_GATHER_AT_FEW, sixes = many ? 6 : 3;
    float wide = radius / (many ? 3.5 : 2.5);
    // The square root of a sample's area, pi / 3 wide^2, to the nearest level
    int level = clamp(int(floor(log2(wide) - 0.166)), 0, LEVELS - 1);
    vec4 sum = ring_sample(p, b_opening[at], radius, wide, most, level, layer);
    for (int six = 0; six < sixes; ++six) {
        for (int i = 1; i <= 6; ++i) {
            vec4 s = b_opening[at + 6 * six + i];
            s.xy *= side;
            sum += ring_sample(p, s, radius, wide, most, level, layer);
        }
    }
    return sum;
}

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy), half_texel = ivec2(gl_GlobalInvocationID.xy);
    int which = int(gl_WorkGroupID.z), layer = u_layer.x + which;
    vec4 state = tile_state(tile), result = vec4(0.0);
    vec2 p = vec2(half_texel) + 0.5;
    if (which == AG_FOCUS_NEAR && state.x > 0.0) {
        float radius = half_radius(0.5 * around(2.0 * p, 1).x);
        result = gather(p, radius, 1.0, 1e9, layer);
        result *= min(1.0, 1.0 / max(result.a, 1e-6)); // coverage is 1 at most
    } else if (which == AG_FOCUS_FAR && state.z > 0.0) {
        float r = far_radius(p, layer);
        if (r > 0.0) {
            float radius = half_radius(0.5 * r);
            vec4 sum = gather(p, radius, -1.0, radius, layer);
            float share = sum.a > 0.0 ? r / MAX_RADIUS : 0.0;
            result = vec4(sum.rgb * (share / max(sum.a, 1e-6)), share);
        }
    }
    uvec2 words = uvec2(pack_halves(result.rg), pack_halves(result.ba));
    imageStore(i_blurred, ivec3(half_texel, layer), uvec4(words, 0u, 0u));
}
