// mip/region.glsl - tiles with a halo: the part of a level that a tile computes and stores
//
//   what      a tile owns 64 >> j texels each way of the level j below its stage's source; the last
//             tile of an axis owns all to the end. It also computes a halo, which levels below
//             read:
//
//                start                  start + owned   start + size
//                |------ stored here ---|----- halo ----|            stored by the next tile
//
//             engine_plugin/src/effects/mip/mip_plan.h draws four tiles
//   SPDX-License-Identifier: MIT

// The part of a level that a tile computes.
struct Region {
    ivec2 start, size, owned; // texels of that level; owned ones are stored
};

// `halo`: beyond the 64 >> j texels, at this level.
Region region_of(ivec2 tile, ivec2 tiles, int level, int j, ivec2 halo)
{
    ivec2 nominal = ivec2(64 >> j), whole = level_size(level);
    ivec2 start = tile * nominal, size = min(nominal + halo, whole - start);
    return Region(start, size, nominal + (size - nominal) * ivec2(equal(tile, tiles - 1)));
}

// The halo `j` levels below a stage's source, when the stage makes `levels`. Level k is odd where
// bit k of the source's size is set and not its highest, so 2 halo + odd, level by level, is these
// bits.
ivec2 halo_at(int source, int levels, int j)
{
    ivec2 size = level_size(source);
    ivec2 rest = size ^ (ivec2(1) << findMSB(size));
    return (rest >> j) & ((1 << (levels - j)) - 1);
}

// Stores a texel of a tile's level in its image, and of the stage's last level also in the buffer.
void put(Region r, ivec2 p, int image, bool last, int at, vec4 c)
{
    if (all(lessThan(p, r.owned))) {
        store_placed(image, r.start + p + level_corner(first_source() + image), stored(c));
        if (last && at >= 0)
            store_handover(at, first_source() + image, r.start + p, c);
    }
}
