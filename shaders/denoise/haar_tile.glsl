// denoise/haar_tile.glsl - the decimated Haar transform of a tile, in registers and shared memory
//
//   in        t_src or i_src   the image (denoise/extend.glsl)
//   out       g_value          a thread's block of coefficients; s_plane; counts
//   host sets TILE             AG_DENOISE_TILE (up to 5 levels) or _LARGE (6)
//             THREADS          TILE^2 / 4
//             LEVELS           1..6
//             the defines of denoise/component.glsl, shrink.glsl and statistics.glsl
//   threads   all load and store four texels each; some own a block of 4 x 4 values,
//             one component of it, or all for a joint threshold:
//
//        s_plane, a component       block: its 16 values in registers      coarse part of s_plane
//        +---+---+- -               a b a b      level 1: four steps       LL2 of all blocks,
//        |4x4|   |                  c d c d      level 2: one step of      levels 3 on in place
//        +---+---+- -               a b a b      their LLs
//        |   |   |                  c d c d
//
//   bank      value (i, j) of block k is at (i + 4 j) * PITCH + k. A subgroup has 8 x 4 texels
//             while it loads, so two blocks' 16 values each, and 32 blocks while it transforms:
//             with PITCH = 2 modulo 32 both ways touch each bank once
//   shared    12.7 KiB (TILE 32, three components at once), 16.5 KiB (64, one after the other)
//   source    Haar 1910; Mallat 1989
//   SPDX-License-Identifier: MIT
#include "common/sync.glsl"
#include "denoise/extend.glsl"
#include "denoise/haar.glsl"
#include "denoise/interface.h"

#if THREADS != TILE * TILE / 4
#error "THREADS must be TILE * TILE / 4"
#endif
#define BLOCKS_X (TILE / 4)
#define BLOCKS (BLOCKS_X * BLOCKS_X)
#define PITCH (BLOCKS + 2)
#define COARSE (16 * PITCH) // where a component's coarser levels begin
#define STRIDE (COARSE + BLOCKS)
#if TILE == AG_DENOISE_TILE
#define AT_ONCE COMPONENTS // components in shared memory
#else
#define AT_ONCE 1
#endif
#if THRESHOLD == AG_DENOISE_SHRINK_GROUP && AT_ONCE < COMPONENTS
#error "a joint threshold needs all components at once"
#endif

#include "denoise/statistics.glsl"

layout(local_size_x = THREADS) in;

shared float s_plane[AT_ONCE * STRIDE];
V g_value[16];

// Texel k of a thread: a subgroup has 8 x 4 texels.
ivec2 texel_of_thread(int k)
{
    int t = int(gl_LocalInvocationIndex), patch_ = t / 32 + THREADS / 32 * k;
    return ivec2(patch_ % (TILE / 8) * 8 + t % 8, patch_ / (TILE / 8) * 4 + t / 8 % 4);
}

int place_of(ivec2 p)
{
    return ((p.x & 3) + 4 * (p.y & 3)) * PITCH + (p.y >> 2) * BLOCKS_X + (p.x >> 2);
}

ivec2 tile_corner()
{
    return ivec2(gl_WorkGroupID.xy) * TILE;
}

// Whether the thread owns a block; then which, and of which component (the first of a joint one).
bool owns_block(out int block, out int component)
{
    int t = int(gl_LocalInvocationIndex);
    block = t % BLOCKS;
    component = t / BLOCKS;
    return t < BLOCKS * AT_ONCE / TOGETHER;
}

V value_at(int component, int at)
{
#if TOGETHER == 1
    return s_plane[component * STRIDE + at];
#else
    return V(s_plane[at], s_plane[STRIDE + at], s_plane[2 * STRIDE + at]);
#endif
}

void set_value(int component, int at, V value)
{
#if TOGETHER == 1
    s_plane[component * STRIDE + at] = value;
#else
    for (int c = 0; c < 3; ++c)
        s_plane[c * STRIDE + at] = value[c];
#endif
}

// One component, or each of a joint coefficient.
float part_of(V value, int c)
{
#if TOGETHER == 1
    return value;
#else
    return value[c];
#endif
}

// Counts the three bands of a step at p, the corner of its block in the image.
void count_step(int component, int level, ivec2 p, V hl, V lh, V hh)
{
#if STATISTICS || LOCAL
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    for (int c = 0; c < TOGETHER; ++c) {
        float scale = scale_of(component + c);
        count_energy(component + c, level, 0, energy_of(part_of(hl, c), scale));
        count_energy(component + c, level, 1, energy_of(part_of(lh, c), scale));
        count_energy(component + c, level, 2, energy_of(part_of(hh, c), scale));
        if (level == 1)
            count_size(component + c, part_of(hh, c));
    }
#endif
}

// Level 3 and coarser: the four values that a step transforms, in s_plane. A value's place is
// that of its block's corner:
//
//        LL . LL .        LL3 . HL3 .
//        .  . .  .   ->    .  .  .  .        and so on, with a stride that doubles
//        LL . LL .        LH3 . HH3 .
bool owns_step(int level, out ivec4 at, out int component, out ivec2 corner)
{
    int side = TILE >> level, stride = 1 << (level - 3), t = int(gl_LocalInvocationIndex);
    component = t / (side * side);
    ivec2 p = ivec2(t % side, t / side % side) * 2 * stride;
    at = ivec4(0, stride, stride * BLOCKS_X, stride * (BLOCKS_X + 1)) +
        (COARSE + p.y * BLOCKS_X + p.x);
    corner = p * 4;
    return component < AT_ONCE / TOGETHER;
}

// From s_plane, which has components from `first` on, to g_value and the coarse part. A sync must
// come before; after it the counts are complete, and with LOCAL thresholds, too.
void analyse(int first)
{
    int block, component;
    bool owner = owns_block(block, component);
    if (owner) {
        ivec2 corner = tile_corner() + 4 * ivec2(block % BLOCKS_X, block / BLOCKS_X);
        for (int i = 0; i < 16; ++i)
            g_value[i] = value_at(component, i * PITCH + block);
        for (int i = 0; i < 4; ++i) {
            int at = i / 2 * 8 + i % 2 * 2;
            haar(g_value[at], g_value[at + 1], g_value[at + 4], g_value[at + 5]);
            count_step(first + component, 1, corner + ivec2(i % 2, i / 2) * 2, g_value[at + 1],
                       g_value[at + 4], g_value[at + 5]);
        }
#if LEVELS > 1
        haar(g_value[0], g_value[2], g_value[8], g_value[10]);
        count_step(first + component, 2, corner, g_value[2], g_value[8], g_value[10]);
#endif
#if LEVELS > 2
        set_value(component, COARSE + block, g_value[0]);
#endif
    }
    for (int level = 3; level <= LEVELS; ++level) {
        ivec4 at;
        ivec2 corner;
        sync_shared();
        if (owns_step(level, at, component, corner)) {
            V a = value_at(component, at.x), b = value_at(component, at.y);
            V c = value_at(component, at.z), d = value_at(component, at.w);
            haar(a, b, c, d);
            count_step(first + component, level, tile_corner() + corner, b, c, d);
            set_value(component, at.x, a);
            set_value(component, at.y, b);
            set_value(component, at.z, c);
            set_value(component, at.w, d);
        }
    }
    sync_shared();
#if LOCAL
    local_thresholds(first, AT_ONCE, tile_corner(), TILE);
    sync_shared();
#endif
}
