// mip/arrive_tiles.glsl - how many groups arrive at tiles of the second stage
// SPDX-License-Identifier: MIT

// Arrives at a tile of the second stage, whose source has `size` texels. A group of the first stage
// made 2^log2_owned of these texels each way, from a multiple of that on.
bool last_of_second(ivec2 tile, ivec2 size, int log2_owned)
{
    ivec2 from = tile * 64;
    ivec2 limit = min(from + 64 + second_halo(), size);
    ivec2 end = limit + (size - limit) * ivec2(equal(tile, second_tiles() - 1));
    ivec2 groups = (end - 1 >> log2_owned) - (from >> log2_owned) + 1;
    return arrives_last(tile.y * second_tiles().x + tile.x, groups.x * groups.y);
}
