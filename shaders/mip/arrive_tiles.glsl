// mip/arrive_tiles.glsl - how many groups contribute to a tile of the second stage, which may have a halo
//
//   SPDX-License-Identifier: MIT

// `size`: of the second stage's source. A tile's texels of it begin at a multiple of `owned`, and a group has `owned` of
// them each way.
int groups_of(ivec2 tile, ivec2 size, int owned)
{
    ivec2 from = tile * 64;
    ivec2 most = min(from + 64 + second_halo(), size);
    ivec2 end = most + (size - most) * ivec2(equal(tile, second_tiles() - 1));
    ivec2 groups = (end - 1) / owned - from / owned + 1;
    return groups.x * groups.y;
}
