// focus/gather_lamps.glsl - depth_of_field, method = gather: discs of lamps, drawn with clean edges
//
//   in        b_lamps, b_tiles (focus/gather_layers.comp); t_layers, t_blurred
//   out       near_lamps(), far_lamps(): the light of lamps at a texel
//   cost      about 40 instructions for each lamp whose disc touches a tile
//   how       A near lamp lies over everything. A ray to a far one passes the near layer, and less
//             far texels, at a place between, which says whether it arrives
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "focus/gather.glsl"
#include "focus/gather_opening.glsl"

layout(binding = AG_TEXTURE_GATHER_LAYERS) uniform sampler2DArray t_layers;
layout(binding = AG_TEXTURE_GATHER_BLURRED) uniform sampler2DArray t_blurred;
layout(std430, binding = AG_SSBO_GATHER_LAMPS) restrict readonly buffer Lamps { vec4 b_lamps[]; };

// The blurred layer at a place in texels; the near layer itself.
vec4 blurred_at(vec2 p, int which)
{
    vec2 at = clamp(0.5 * p, vec2(0.5), vec2(level_size(0)) - 0.5);
    at /= vec2(textureSize(t_blurred, 0).xy);
    return textureLod(t_blurred, vec3(at, u_layer.x + which), 0.0);
}

float near_weight(vec2 p)
{
    vec2 at = clamp(0.5 * p, vec2(0.5), vec2(level_size(0)) - 0.5);
    return textureLod(t_layers, vec3(at / vec2(textureSize(t_layers, 0).xy), u_layer.x), 0.0).a;
}

// The share of a lamp's light that falls on the place v from its middle: a disc whose edge is as
// soft as the lamp is wide.
float disc(vec2 v, float r, float soft)
{
    float lit = (r * reach_towards(v) - length(v)) / soft + 0.5;
    return clamp(lit, 0.0, 1.0) / (OPENING_AREA * r * r + 0.2618 * soft * soft);
}

struct lamp_light {
    vec3 near, far;
};

// `near`: the near radius around p. `far`: the radius of the far layer there.
void add_lamp(inout lamp_light sum, vec2 p, vec4 lamp, vec3 light, float near, float far)
{
    vec2 v = p - lamp.xy;
    float r = abs(lamp.z);
    if (lamp.z < 0.0) {
        sum.near += light * disc(-v, r, lamp.w);
        return;
    }
    float share = disc(v, r, lamp.w);
    if (share <= 0.0)
        return;
    if (near > 0.0)
        share *= 1.0 - near_weight(p + v * (near / r));
    float there = blurred_at(p - v * min(far / r, 1.0), AG_FOCUS_FAR).a * MAX_RADIUS;
    sum.far += light * share * clamp(2.0 - (r - there), 0.0, 1.0);
}

// ---- the tiles around one, whose lamps may reach it: a square of them, row by row

const int MOST_TILES = 19 * 19; // of a radius of 128
shared uint s_lit[(MOST_TILES + 31) / 32]; // bits of those that have lamps

int tiles_to_side(float widest) { return int(ceil(widest / float(AG_FOCUS_TILE))) + 1; }

// All threads of a group call it. `widest`: of the lamps that reach the tile.
void find_lamps(ivec2 tile, float widest)
{
    const int THREADS = AG_FOCUS_TILE * AG_FOCUS_TILE;
    int side = tiles_to_side(widest), wide = 2 * side + 1, thread = int(gl_LocalInvocationIndex);
    if (thread < s_lit.length())
        s_lit[thread] = 0u;
    sync_shared();
    for (int i = thread; i < wide * wide; i += THREADS) {
        ivec2 other = tile - side + ivec2(i % wide, i / wide);
        ivec2 inside = clamp(other, ivec2(0), tile_count() - 1);
        if (tile_state(inside).w > 0.0 && other == inside)
            atomicOr(s_lit[i >> 5], 1u << (i & 31));
    }
    sync_shared();
}

// Of the lamps that were found, at the place p of the tile, in one order.
lamp_light lamps_around(ivec2 tile, float widest, vec2 p, float near, float far)
{
    lamp_light sum = lamp_light(vec3(0.0), vec3(0.0));
    int side = tiles_to_side(widest), wide = 2 * side + 1;
    vec2 middle = (vec2(tile) + 0.5) * float(AG_FOCUS_TILE);
    for (int word = 0; 32 * word < wide * wide; ++word)
        for (uint left = s_lit[word]; left != 0u; left &= left - 1u) {
            int i = 32 * word + findLSB(left);
            ivec2 other = tile - side + ivec2(i % wide, i / wide);
            int count = int(tile_state(other).w), place = tile_place(other) * AG_GATHER_LAMPS;
            for (int k = 0; k < count; ++k) {
                vec4 lamp = b_lamps[place + 2 * k];
                vec3 light = b_lamps[place + 2 * k + 1].rgb;
                vec2 off = max(abs(lamp.xy - middle) - 0.5 * float(AG_FOCUS_TILE), 0.0);
                if (length(off) < abs(lamp.z) + 1.5)
                    add_lamp(sum, p, lamp, light, near, far);
            }
        }
    return sum;
}
