// focus/spread.comp - depth_of_field: which near radius reaches a tile, and what may lie behind it
//
//   in        b_tiles    of every tile (focus/tiles.glsl)
//   out       b_spread   the largest near radius of the tiles that reach it, and fills around it,
//                        each a quarter of the one before; the same of lamps, what the tiles beside
//                        it hold, and its own lamps
//   dispatch  ceil(tiles / 64), once along the rows, then along the columns. The result is that of
//             one pass over the square of tiles, because a larger radius never reaches less far
//   cost      up to 19 tiles read a tile and dispatch; max_radius decides how many
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "focus/tiles.glsl"

layout(local_size_x = 64) in;
layout(location = AG_LOC_FOCUS_AXIS) uniform ivec4 u_axis;
layout(std430, binding = AG_SSBO_FOCUS_SPREAD) restrict writeonly buffer Spread
{
    vec4 b_spread[];
};

// In tiles, one more than a radius crosses: the radius is interpolated between centres of tiles.
int reach_of(float radius) { return int(ceil(radius / float(AG_FOCUS_TILE))) + 1; }

void main()
{
    int index = int(gl_GlobalInvocationID.x);
    if (index >= u_tiles.x * u_tiles.y)
        return;
    ivec2 tile = ivec2(index % u_tiles.x, index / u_tiles.x);
    vec4 fill = vec4(0.0);
    vec2 reaching = vec2(0.0); // near radius, radius of lamps
    float beside = 0.0;
    for (int i = -u_tiles.w; i <= u_tiles.w; ++i) {
        ivec2 other = tile + i * u_axis.xy;
        if (any(lessThan(other, ivec2(0))) || any(greaterThanEqual(other, tile_count())))
            continue;
        vec4 state = tile_state(other);
        for (int k = 0; k < 2; ++k)
            if (state[k] > 0.0 && abs(i) <= reach_of(state[k]))
                reaching[k] = max(reaching[k], state[k]);
        if (abs(i) <= 1)
            beside = max(beside, state.z);
        fill += exp2(float(-2 * abs(i))) * tile_fill(other);
    }
    int place = tile_place(tile);
    b_spread[place] = fill;
    b_spread[place + 1] = vec4(reaching, beside, tile_state(tile).w);
}
