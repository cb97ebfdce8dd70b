// focus/gather_lamps.glsl - depth_of_field, method = gather: discs of lamps, drawn with clean edges
//
//   in        b_lamps, b_tiles (focus/gather_layers.comp); t_layers, t_blurred
//   out       add_lamps(): the light of lamps at a texel
//   host sets FEW_BLADES   1 = the opening has 3 or 4, else 0
//   cost      about 40 instructions for each lamp whose disc touches a tile; with FEW_BLADES four
//             times those of its edge
//   how       A near lamp lies over everything. A ray to a far one passes the near layer, and less
//             far texels, at a place between, which says whether it arrives
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "focus/gather.glsl"
#include "focus/gather_opening.glsl"
#ifndef FEW_BLADES
#error "FEW_BLADES must be set by the host"
#endif

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

const int FOUR = 32 / AG_GATHER_LAMPS;              // tiles a word
const int MOST_WORDS = (19 * 19 + FOUR - 1) / FOUR; // of a radius of 128
const int LAMP_ROOM = 32;
shared uint s_lit[MOST_WORDS];  // bits: which lamps of the tiles reach this one
shared uint s_lit_count[2];     // of this tile and of the next one
// Of a row: middle, radius, how far apart; light a texel, 1 / radius
shared vec4 s_lamp[2 * LAMP_ROOM];

int tiles_to_side(float widest) { return int(ceil(widest / float(AG_FOCUS_TILE))) + 1; }

// Tile `i` of those around one.
ivec2 tile_around(ivec2 tile, int side, int i)
{
    int wide = 2 * side + 1;
    return tile - side + ivec2(i % wide, i / wide);
}

bool reaches(vec4 lamp, vec2 middle)
{
    vec2 off = max(abs(lamp.xy - middle) - 0.5 * float(AG_FOCUS_TILE), 0.0);
    return length(off) < abs(lamp.z) + 1.5;
}

// All threads of a group call it; s_lit and s_lit_count[turn] are 0 before. `widest`: of the lamps
// that reach the tile.
void find_lamps(ivec2 tile, float widest, uint turn)
{
    const int THREADS = AG_FOCUS_TILE * AG_FOCUS_TILE;
    int side = tiles_to_side(widest), tiles = (2 * side + 1) * (2 * side + 1);
    vec2 middle = (vec2(tile) + 0.5) * float(AG_FOCUS_TILE);
    for (int i = int(gl_LocalInvocationIndex); i < tiles; i += THREADS) {
        ivec2 other = tile_around(tile, side, i);
        ivec2 inside = clamp(other, ivec2(0), tile_count() - 1);
        int place = tile_place(inside) * AG_GATHER_LAMPS;
        vec4 lamp = b_lamps[place]; // read before it is known whether there is one
        int count = other == inside ? int(tile_state(inside).w) : 0;
        uint lit = uint(count > 0 && reaches(lamp, middle));
        for (int k = 1; k < count; ++k)
            lit |= uint(reaches(b_lamps[place + 2 * k], middle)) << k;
        if (lit != 0u) {
            atomicOr(s_lit[i / FOUR], lit << AG_GATHER_LAMPS * (i % FOUR));
            atomicAdd(s_lit_count[turn], uint(bitCount(lit)));
        }
    }
    sync_shared();
}

// How much of the light of a lamp's disc falls on the texel at v from its middle. Corners of few
// blades are sharp, so each quarter of a texel takes the edge of the blade next to it.
float light_at(float radius, float apart, vec2 v)
{
#if FEW_BLADES
    float light = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec3 at = radius_through(v + 0.5 * vec2(i & 1, i >> 1) - 0.25);
        // edges half as wide, and as far apart
        light += 0.25 * disc_at(radius, 2.0 * apart, vec3(at.x, 0.5 * at.yz));
    }
    return light;
#else
    return disc_at(radius, apart, radius_through(v));
#endif
}

// The sum of that over all texels.
float area_of(float radius, float apart)
{
    vec2 area = b_opening[AG_GATHER_AT_AREA].xy;
    float box = FEW_BLADES != 0 ? 1.0 / 48.0 : 1.0 / 12.0; // the variance of the edge's
    return area.x * radius * radius + area.y * (box + apart * apart);
}

// Those from `first` on that s_lamp has room for, in the order of their tiles: sums are the same in
// each run. A disc's edge is as soft as its lamp is wide.
void take_lamps(ivec2 tile, int side, int first)
{
    const int THREADS = AG_FOCUS_TILE * AG_FOCUS_TILE;
    int tiles = (2 * side + 1) * (2 * side + 1);
    for (int i = int(gl_LocalInvocationIndex); i < tiles; i += THREADS) {
        int shift = AG_GATHER_LAMPS * (i % FOUR);
        uint word = s_lit[i / FOUR], lit = word >> shift & (1u << AG_GATHER_LAMPS) - 1u;
        if (lit == 0u)
            continue;
        int row = bitCount(word & (1u << shift) - 1u) - first;
        int from = tile_place(tile_around(tile, side, i)) * AG_GATHER_LAMPS;
        for (int before = 0; before < i / FOUR; ++before)
            row += bitCount(s_lit[before]);
        for (; lit != 0u; lit &= lit - 1u, ++row) {
            int place = from + 2 * findLSB(lit);
            if (row < 0 || row >= LAMP_ROOM)
                continue;
            vec4 lamp = b_lamps[place];
            s_lamp[2 * row] = lamp;
            vec3 light = b_lamps[place + 1].rgb / area_of(lamp.z, lamp.w);
            s_lamp[2 * row + 1] = vec4(light, 1.0 / lamp.z);
        }
    }
}

// How much of a far lamp arrives at p = its middle + v, where its disc lights. `per_r`: 1 over its
// radius. `near`: the near radius around p. `far`: the radius of the far layer there.
float arriving(vec2 p, vec2 v, float r, float per_r, float near, float far)
{
    float there = blurred_at(p - v * min(far * per_r, 1.0), AG_FOCUS_FAR).a * MAX_RADIUS;
    float part = clamp(2.0 - (r - there), 0.0, 1.0);
    if (near > 0.0)
        part *= 1.0 - near_weight(p + v * (near * per_r));
    return part;
}

// Adds the light at the place p of the tile of the lamps that were found: of near ones to `front`,
// of far ones to `behind`. All threads of a group call it. The sums are plain vectors: drivers put
// a struct that is inout into memory.
void add_lamps(ivec2 tile, float widest, uint turn, vec2 p, float near, float far,
               inout vec3 front, inout vec3 behind)
{
    int count = int(s_lit_count[turn]);
    for (int first = 0; first < count; first += LAMP_ROOM) {
        if (first > 0)
            sync_shared();
        take_lamps(tile, tiles_to_side(widest), first);
        sync_shared();
        for (int k = 0; k < min(count - first, LAMP_ROOM); ++k) {
            vec4 lamp = s_lamp[2 * k], light = s_lamp[2 * k + 1];
            vec2 v = p - lamp.xy;
            float r = abs(lamp.z);
            float lit = light_at(r, lamp.w, lamp.z < 0.0 ? -v : v);
            if (lit > 0.0 && lamp.z < 0.0)
                front += lit * light.rgb;
            else if (lit > 0.0)
                behind += lit * arriving(p, v, r, light.a, near, far) * light.rgb;
        }
    }
}
