// focus/spread.comp - depth_of_field: which near radius reaches a tile, and what may lie behind it
//
//   in        b_tiles    of every tile (focus/tiles.glsl)
//   out       b_spread   the largest near radius of the tiles that reach it, and fills around it,
//                        each a quarter of the one before; the same of lamps, what the tiles beside
//                        it hold, and its own lamps
//             b_work     LISTS: tiles to blur and to compose (focus/gather.glsl)
//   host sets LISTS      1 = along the columns, of method = gather
//   dispatch  ceil(tiles / 64), once along the rows, then along the columns. The result is that of
//             one pass over the square of tiles, because a larger radius never reaches less far
//   cost      up to 19 tiles read a tile and dispatch; max_radius decides how many
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef LISTS
#error "LISTS must be set by the host"
#endif
#include "focus/tiles.glsl"

layout(local_size_x = 64) in;
layout(location = AG_LOC_FOCUS_AXIS) uniform ivec4 u_axis;
layout(std430, binding = AG_SSBO_FOCUS_SPREAD) restrict writeonly buffer Spread
{
    vec4 b_spread[];
};

// In tiles, one more than a radius crosses: the radius is interpolated between centres of tiles.
int reach_of(float radius) { return int(ceil(radius / float(AG_FOCUS_TILE))) + 1; }

#if LISTS
#include "common/sync.glsl"
#include "focus/gather.glsl"

layout(std430, binding = AG_SSBO_GATHER_WORK) restrict buffer Work { uint b_work[]; };
shared uint s_count[2], s_first[2];

// The order of entries differs from run to run; what is computed for them does not.
void list(uint entry, vec4 state)
{
    uint thread = gl_LocalInvocationIndex, holds = uint(state.z), at = uint(work_at());
    bool near = state.x > 0.0, far = (holds & (HOLDS_FAR | HOLDS_SOME_FAR)) != 0u;
    bool composed = near || state.y > 0.0 || holds > HOLDS_SHARP;
    if (thread < 2u)
        s_count[thread] = 0u;
    sync_shared();
    uint blur = 0u, compose = 0u;
    if (near || far)
        blur = atomicAdd(s_count[0], uint(near) + uint(far));
    if (composed)
        compose = atomicAdd(s_count[1], 1u);
    sync_shared();
    if (thread < 2u && s_count[thread] > 0u)
        s_first[thread] = atomicAdd(b_work[at + thread], s_count[thread]);
    sync_shared();
    uint tiles = uint(u_tiles.x * u_tiles.y);
    uint lists = at + uint(AG_GATHER_WORK_HEAD);
    if (near)
        b_work[lists + s_first[0] + blur] = entry;
    if (far)
        b_work[lists + s_first[0] + blur + uint(near)] = entry | BLUR_FAR;
    if (composed)
        b_work[lists + 2u * tiles + s_first[1] + compose] = entry;
}
#endif

void main()
{
    int index = int(gl_GlobalInvocationID.x), tiles = u_tiles.x * u_tiles.y;
    ivec2 tile = tile_of(uint(min(index, tiles - 1)));
    vec4 fill = vec4(0.0);
    vec2 reaching = vec2(0.0); // near radius, radius of lamps
    uint beside = 0u;
    // Beyond the image the last tile again, from farther away, which changes nothing but the fill.
    // Without a condition, the loads of several tiles are on their way at once
    for (int i = -u_tiles.w; i <= u_tiles.w; ++i) {
        ivec2 other = tile + i * u_axis.xy, inside = clamp(other, ivec2(0), tile_count() - 1);
        vec4 state = tile_state(inside), fill_there = tile_fill(inside);
        for (int k = 0; k < 2; ++k)
            if (state[k] > 0.0 && abs(i) <= reach_of(state[k]))
                reaching[k] = max(reaching[k], state[k]);
        if (abs(i) <= 1)
            beside |= uint(state.z);
        fill += exp2(float(-2 * abs(i))) * float(other == inside) * fill_there;
    }
    vec4 state = vec4(reaching, float(beside), tile_state(tile).w);
    if (index < tiles) {
        int place = tile_place(tile);
        b_spread[place] = fill;
        b_spread[place + 1] = state;
    }
#if LISTS
    list(entry_of(tile), index < tiles ? state : vec4(0.0));
#endif
}
