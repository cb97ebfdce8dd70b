// focus/gather_blur.comp - depth_of_field, method = gather: the near and the far layer, blurred
//
//   in        t_layers, t_radii   (focus/gather.glsl)
//             b_tiles, spread; b_opening: where the samples lie
//   out       i_blurred           RGBA16F, half resolution. Near: premultiplied colour, coverage.
//                                 Far: mean colour times v, and v, the radius there over max_radius
//   dispatch  groups that share the first list of b_work (focus/gather.glsl)
//   cost      13 to 29 fetches of colour and of radius for each half-resolution texel that a blur
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
layout(std430, binding = AG_SSBO_GATHER_WORK) restrict readonly buffer Work { uint b_work[]; };
layout(binding = AG_TEXTURE_GATHER_LAYERS) uniform sampler2DArray t_layers;
layout(binding = AG_TEXTURE_GATHER_RADII) uniform sampler2DArray t_radii;
layout(binding = AG_IMAGE_GATHER_BLURRED) writeonly uniform uimage2DArray i_blurred; // RGBA16F

const float MANY_FROM = 3.0; // half texels: from there 25 samples
const float FINE_FROM = 2.3; // of the rings' width: from there the middle one has five
const float FINE_RING = 0.3258; // of the first ring's radius: sqrt((1/64 + 1/4) / (1/4 + 9/4))
// What half resolution and its interpolation blur by themselves, as the square of a radius.
const float BLURRED = 1.0;

// The square of what is left of a radius r, in half texels, of which `r2` is the square.
float less(float r2) { return max(r2 - BLURRED, 0.0625 * SMALL * SMALL); }

struct view { // of a level, in normalised coordinates
    vec2 base, first, last;
    vec2 scale; // of a half texel
    float layer;
};

// Of t_layers, and of t_radii, which is as large.
view level_view(vec2 p, int level, int layer)
{
    vec2 texel = 1.0 / vec2(textureSize(t_layers, 0).xy), place = vec2(level_place(level));
    vec2 last = vec2(level_size(level)) - 0.5, scale = vec2(exp2(float(-level)));
    return view((p * scale + place) * texel, (0.5 + place) * texel, (last + place) * texel,
                scale * texel, float(layer));
}

vec3 place_in(view v, vec2 off) // half texels
{
    return vec3(clamp(v.base + off * v.scale, v.first, v.last), v.layer);
}

// The radius of the far layer: the texel's own, or that of the first level around it that has some.
float far_radius(vec2 p, int layer)
{
    float sum = 0.0, weight = 0.0;
    for (int level = 0; level < LEVELS && weight < 1.0; ++level) {
        vec3 at = place_in(level_view(p, level, layer), vec2(0.0));
        float a = textureLod(t_layers, at, 0.0).a, r = textureLod(t_radii, at, 0.0).r;
        float part = (1.0 - clamp(4.0 * weight, 0.0, 1.0)) * clamp(4.0 * a, 0.0, 1.0);
        sum += part * r / max(a, 1e-6);
        weight += part;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

struct rings {
    float radius; // half texels
    float most;   // larger radii of samples count as this: a square, over that of the rings' width
    float width;  // 1 over its square
};

// What a sample adds; x inner edge of its ring, squared, y 1 over what the squares of the edges
// differ by, both in rings' widths.
vec4 ring_sample(view v, vec3 s, vec2 ring, rings r)
{
    vec3 at = place_in(v, s.xy * r.radius);
    vec4 colour = textureLod(t_layers, at, 0.0);
    float q = textureLod(t_radii, at, 0.0).r / max(colour.a, 1e-6);
    float square = min(less(0.25 * q * q) * r.width, r.most);
    float covered = clamp((square - ring.x) * ring.y, 0.0, 1.0);
    return colour * (s.z * covered / square);
}

int level_near(float level) { return clamp(int(floor(level)), 0, LEVELS - 1); }

// `r2`: the square of the radius in half texels. `side`: -1, the far side of a lens is mirrored.
vec4 gather(vec2 p, float r2, float side, float most, int layer)
{
    bool many = r2 > MANY_FROM * MANY_FROM;
    int at = many ? AG_GATHER_AT_MANY : AG_GATHER_AT_FEW, fours = many ? 6 : 3;
    float wide = sqrt(r2) / (many ? 3.5 : 2.5);
    rings r = rings(side * sqrt(r2), most / (wide * wide), 1.0 / (wide * wide));
    // The square root of a sample's area, pi / 2 wide^2, to the nearest level
    float level = log2(wide) + 0.126;
    view v = level_view(p, level_near(level), layer);
    vec4 sum = vec4(0.0);
    if (wide < FINE_FROM) {
        sum += ring_sample(v, b_opening[at].xyz, vec2(0.0, 4.0), r);
    } else { // a middle an eighth of the rings' width wide, and a ring around it
        view fine = level_view(p, level_near(level - 2.2), layer);
        sum += ring_sample(fine, vec3(0.0, 0.0, 1.0 / 64.0), vec2(0.0, 64.0), r);
        fine = level_view(p, level_near(level - 1.5), layer);
        for (int i = 1; i <= 4; ++i) {
            vec3 s = b_opening[at + i].xyz * vec3(FINE_RING, FINE_RING, 15.0 / 128.0);
            sum += ring_sample(fine, s, vec2(1.0 / 64.0, 64.0 / 15.0), r);
        }
    }
    for (int four = 0; four < fours; ++four) {
        float k = b_opening[at + 4 * four + 1].w;
        vec2 ring = vec2((k - 0.5) * (k - 0.5), 0.5 / k);
        for (int i = 1; i <= 4; ++i)
            sum += ring_sample(v, b_opening[at + 4 * four + i].xyz, ring, r);
    }
    return sum;
}

void blur_tile(uint entry)
{
    ivec2 half_texel = HALF_TILE * tile_in(entry) + ivec2(gl_LocalInvocationID.xy);
    int which = entry >= BLUR_FAR ? AG_FOCUS_FAR : AG_FOCUS_NEAR, layer = u_layer.x + which;
    vec4 result = vec4(0.0);
    vec2 p = vec2(half_texel) + 0.5;
    if (which == AG_FOCUS_NEAR) {
        float r = around(2.0 * p, 1).x;
        result = gather(p, less(0.25 * r * r), 1.0, 1e9, layer);
        result *= min(1.0, 1.0 / max(result.a, 1e-6)); // coverage is 1 at most
    } else {
        float r = far_radius(p, layer);
        if (r > 0.0) {
            float r2 = less(0.25 * r * r);
            vec4 sum = gather(p, r2, -1.0, r2, layer);
            float share = sum.a > 0.0 ? r / MAX_RADIUS : 0.0;
            result = vec4(sum.rgb * (share / max(sum.a, 1e-6)), share);
        }
    }
    imageStore(i_blurred, ivec3(half_texel, layer), uvec4(pack_layer(result), 0u, 0u));
}

void main()
{
    uint at = uint(work_at()), count = b_work[at], list = at + uint(AG_GATHER_WORK_HEAD);
    if (gl_WorkGroupID.x >= count)
        return;
    uint next = b_work[list + gl_WorkGroupID.x];
    for (uint i = gl_WorkGroupID.x; i < count; i += gl_NumWorkGroups.x) {
        uint entry = next;
        next = b_work[list + min(i + gl_NumWorkGroups.x, count - 1u)]; // while this one is made
        blur_tile(entry);
    }
}
