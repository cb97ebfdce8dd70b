// mip/arrive_tiles.glsl - how many groups contribute to a tile of the second stage, and to the third stage
//
//   SPDX-License-Identifier: MIT

// At a tile of the second stage, whose source has `size` texels. Its texels begin at a multiple of `owned`, and a group
// has `owned` of them each way.
bool last_of_second(ivec2 tile, ivec2 size, int owned)
{
    ivec2 from = tile * 64;
    ivec2 most = min(from + 64 + second_halo(), size);
    ivec2 end = most + (size - most) * ivec2(equal(tile, second_tiles() - 1));
    ivec2 groups = (end - 1) / owned - from / owned + 1;
    return arrives_last(tile.y * second_tiles().x + tile.x, groups.x * groups.y);
}

// At the third stage, one tile, that each of the second's contributes to.
bool last_of_third()
{
    int tiles = second_tiles().x * second_tiles().y;
    return arrives_last(tiles, tiles);
}
