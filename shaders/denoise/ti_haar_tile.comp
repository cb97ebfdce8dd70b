// denoise/ti_haar_tile.comp - as denoise/ti_haar.comp, but in tiles: joint and local thresholds
//
//   in        t_src or i_src   the image
//             b_coarse         with COARSER: 16 R_3 (denoise/ti_haar_coarse.comp)
//             b_denoise        sigma, and without LOCAL variances, of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_info.scrubbed
//   host sets LOCAL            1 = thresholds are those of the variances in each tile; COARSER is 0
//             THRESHOLD        AG_DENOISE_SHRINK_GROUP: a joint threshold of all components, for
//                              which a thread has all of a coefficient; others only with LOCAL
//             LEVELS           1..3; FINER is 0
//             COARSER          1 = there are coarser levels; LEVELS is 3
//             the defines of denoise/ti_haar_tile.glsl, common/load.glsl and common/store.glsl
//   method    denoise/ti_haar_tile.glsl: all of a tile is in shared memory. The energies of LOCAL are
//             those of one shift: all shifts say the same thing 4^level times
//   dispatch  tiles of TILE texels in x and y; 256 threads, 128 with a joint threshold
//   shared    25 KiB at most; 31 KiB with LOCAL
//   cost      each texel is read 5.3 times with a joint threshold, mostly from the cache; for each
//             texel, component and level some 9 accesses to shared memory and 25 instructions. With
//             LOCAL three barriers more for each component
//   source    Coifman, Donoho 1995; Beylkin 1992; Chang, Yu, Vetterli 2000 (LOCAL); docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/store.glsl"
#include "denoise/extend.glsl"
#include "denoise/ti_haar_tile.glsl"

#if LOCAL
const int ROW = TOGETHER == 1 ? THREADS : 64; // at least the threads that have blocks of level 1

// Adds up the coefficients of one shift, of blocks whose corner is a multiple of 2^level in the
// image and lies in the tile: those of level 1, which are many, by a row of s_left for each band.
void add_level(const int level, int first)
{
    const int h = 1 << (level - 1), size = 2 * h;
    ivec2 width = TILE / size + 1, start = (tile_corner() + size - 1) / size * size;
    ivec2 end = min(tile_corner() + TILE, u_src_rect.zw);
    int t = int(gl_LocalInvocationIndex);
    uvec3 sums[TOGETHER];
    for (int i = 0; i < TOGETHER; ++i)
        sums[i] = uvec3(0u);
    for (int block = t; block < width.x * width.y; block += THREADS) {
        ivec2 p = start + ivec2(block % width.x, block / width.x) * size;
        if (any(greaterThanEqual(p, end)))
            continue;
        ivec2 q = p - tile_corner() + HALO;
        int at = q.y * WIDTH + q.x, below = at + h * WIDTH;
        V a = plane_value(level - 1, at), b = plane_value(level - 1, at + h);
        V c = plane_value(level - 1, below), d = plane_value(level - 1, below + h);
        V hl = (a - b) + (c - d), lh = (a + b) - (c + d), hh = (a - b) - (c - d);
        for (int i = 0; i < TOGETHER; ++i) { // 2^level times the coefficients
            float scale = scale_of(first + i) / float(size);
            sums[i] += uvec3(energy_of(part_of(hl, i), scale), energy_of(part_of(lh, i), scale),
                             energy_of(part_of(hh, i), scale));
        }
    }
    for (int i = 0; i < TOGETHER; ++i)
        for (int band = 0; band < 3; ++band)
            if (level == 1 && t < ROW)
                s_left[i * LEFT + band * ROW + t] = uintBitsToFloat(sums[i][band]);
            else if (level > 1)
                add_energy(first + i, level, band, sums[i][band]);
}

// After a sync: eight threads for each band of level 1 and component.
void add_rows(int first)
{
    int t = int(gl_LocalInvocationIndex), row = t / 8, component = row / 3, band = row % 3;
    uint sum = 0u;
    for (int i = t % 8; i < ROW && component < TOGETHER; i += 8)
        sum += floatBitsToUint(s_left[component * LEFT + band * ROW + i]);
    if (component < TOGETHER)
        add_energy(first + component, 1, band, sum);
}

// After a sync, of the planes. A sync is the last thing.
void make_local_thresholds(int first)
{
    for (int level = 1; level <= LEVELS; ++level)
        add_level(level, first);
    sync_shared();
    add_rows(first);
    sync_shared();
    make_thresholds(first, TOGETHER, tile_corner(), TILE);
    sync_shared();
}
#endif

void main()
{
    TEXEL kept[TEXELS];
    vec3 removed[RUN];
    uint bad = 0u;
    for (int k = 0; k < TEXELS; ++k) { // all loads first, so that they overlap
        uint largest = 0u;
        ivec2 place = place_of_texel(k), p = tile_corner() - HALO + place;
        kept[k] = pack_texel(load_extended(p, largest));
        bool mine = all(greaterThanEqual(place, ivec2(HALO))) &&
            all(lessThan(place, TILE + HALO)) && all(lessThan(p, u_src_rect.zw));
        bad += uint(largest >= TOO_LARGE && mine);
    }
#if LOCAL
    begin_energies();
#else
    make_thresholds();
#endif
    for (int first = 0; first < COMPONENTS; first += TOGETHER) {
        V made[RUN];
        for (int k = 0; k < TEXELS; ++k) {
            int at = int(gl_LocalInvocationIndex) + k * THREADS;
            vec3 value = components_of(unpack_texel(kept[k]));
            if (at < PLANE)
                set_plane(0, at, PART(value, first));
        }
        sync_shared();
        make_planes();
#if LOCAL
        make_local_thresholds(first);
#endif
        filter_planes(first, made);
        for (int k = 0; k < RUN; ++k)
            PART(removed[k], first) = made[k] * 0.0625;
    }
    for (int k = 0; k < RUN; ++k) {
        ivec2 p = tile_corner() + place_of_result(k);
        if (is_result(k) && all(lessThan(p, u_src_rect.zw))) {
            uint largest = 0u;
            store_texel(p, without(load_texel_unseen(p, largest), removed[k]));
        }
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
}
