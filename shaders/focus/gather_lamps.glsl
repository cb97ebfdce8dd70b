// focus/gather_lamps.glsl - depth_of_field, method = gather: discs of lamps, drawn with clean edges
//
//   in        b_lamps, b_tiles (focus/gather_layers.comp); t_layers, t_blurred
//   out       add_lamps(): the light of lamps at a texel
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

// ---- the tiles around one, whose lamps may reach it: a square of them, row by row

const int MOST_SLOTS = 19 * 19 * AG_GATHER_LAMPS; // of a radius of 128
const int LAMP_ROOM = 32;
shared uint s_lit[(MOST_SLOTS + 31) / 32]; // bits of slots whose lamps reach the tile
shared uint s_lit_count;
shared vec4 s_lamp[2 * LAMP_ROOM]; // of a row: middle, radius, 1 / softness; light a texel

int tiles_to_side(float widest) { return int(ceil(widest / float(AG_FOCUS_TILE))) + 1; }

int slots_around(int side) { return AG_GATHER_LAMPS * (2 * side + 1) * (2 * side + 1); }

// The place of a slot in b_lamps, or -1: it is empty.
int lamp_place(ivec2 tile, int side, int slot)
{
    int i = slot / AG_GATHER_LAMPS, k = slot % AG_GATHER_LAMPS, wide = 2 * side + 1;
    ivec2 other = tile - side + ivec2(i % wide, i / wide);
    ivec2 inside = clamp(other, ivec2(0), tile_count() - 1);
    bool lit = other == inside && k < int(tile_state(inside).w);
    return lit ? tile_place(inside) * AG_GATHER_LAMPS + 2 * k : -1;
}

// All threads of a group call it. `widest`: of the lamps that reach the tile.
void find_lamps(ivec2 tile, float widest)
{
    const int THREADS = AG_FOCUS_TILE * AG_FOCUS_TILE;
    int side = tiles_to_side(widest), slots = slots_around(side);
    int thread = int(gl_LocalInvocationIndex);
    vec2 middle = (vec2(tile) + 0.5) * float(AG_FOCUS_TILE);
    for (int word = thread; 32 * word < slots; word += THREADS)
        s_lit[word] = 0u;
    if (thread == 0)
        s_lit_count = 0u;
    sync_shared();
    for (int slot = thread; slot < slots; slot += THREADS) {
        int place = lamp_place(tile, side, slot);
        if (place < 0)
            continue;
        vec4 lamp = b_lamps[place];
        vec2 off = max(abs(lamp.xy - middle) - 0.5 * float(AG_FOCUS_TILE), 0.0);
        if (length(off) < abs(lamp.z) + 1.5) {
            atomicOr(s_lit[slot >> 5], 1u << (slot & 31));
            atomicAdd(s_lit_count, 1u);
        }
    }
    sync_shared();
}

// Those from `first` on that s_lamp has room for, in the order of their slots: sums are the same in
// each run. A disc's edge is as soft as its lamp is wide.
void take_lamps(ivec2 tile, int side, int first)
{
    const int THREADS = AG_FOCUS_TILE * AG_FOCUS_TILE;
    int slots = slots_around(side);
    for (int slot = int(gl_LocalInvocationIndex); slot < slots; slot += THREADS) {
        uint bits = s_lit[slot >> 5], bit = 1u << (slot & 31);
        if ((bits & bit) == 0u)
            continue;
        int k = bitCount(bits & (bit - 1u)) - first;
        for (int word = 0; word < slot >> 5; ++word)
            k += bitCount(s_lit[word]);
        if (k < 0 || k >= LAMP_ROOM)
            continue;
        int place = lamp_place(tile, side, slot);
        vec4 lamp = b_lamps[place];
        float area = OPENING_AREA * lamp.z * lamp.z + 0.2618 * lamp.w * lamp.w;
        s_lamp[2 * k] = vec4(lamp.xyz, 1.0 / lamp.w);
        s_lamp[2 * k + 1] = b_lamps[place + 1] / area;
    }
}

// How much of a far lamp arrives at p = its middle + v, where its disc lights. `near`: the near
// radius around p. `far`: the radius of the far layer there.
float arriving(vec2 p, vec2 v, float r, float near, float far)
{
    float there = blurred_at(p - v * min(far / r, 1.0), AG_FOCUS_FAR).a * MAX_RADIUS;
    float part = clamp(2.0 - (r - there), 0.0, 1.0);
    if (near > 0.0)
        part *= 1.0 - near_weight(p + v * (near / r));
    return part;
}

// Adds the light at the place p of the tile of the lamps that were found: of near ones to `front`,
// of far ones to `behind`. All threads of a group call it. The sums are plain vectors: drivers put
// a struct that is inout into memory.
void add_lamps(ivec2 tile, float widest, vec2 p, float near, float far, inout vec3 front,
               inout vec3 behind)
{
    int count = int(s_lit_count);
    for (int first = 0; first < count; first += LAMP_ROOM) {
        sync_shared();
        take_lamps(tile, tiles_to_side(widest), first);
        sync_shared();
        for (int k = 0; k < min(count - first, LAMP_ROOM); ++k) {
            vec4 lamp = s_lamp[2 * k];
            vec3 light = s_lamp[2 * k + 1].rgb;
            vec2 v = p - lamp.xy;
            float r = abs(lamp.z), reach = reach_towards(lamp.z < 0.0 ? -v : v);
            float lit = clamp((r * reach - length(v)) * lamp.w + 0.5, 0.0, 1.0);
            if (lit > 0.0 && lamp.z < 0.0)
                front += lit * light;
            else if (lit > 0.0)
                behind += lit * arriving(p, v, r, near, far) * light;
        }
    }
}
