// denoise/ti_haar_local.comp - as denoise/ti_haar.comp, with thresholds from each tile's variance
//
//   in, out, source             as denoise/ti_haar.comp; of b_denoise sigma alone is read
//   host sets LEVELS            1..3; FINER and COARSER are 0
//             the defines of denoise/ti_haar_filter.glsl
//   method    the energies are those of one shift: all shifts say the same thing 4^level times
//   dispatch  tiles of TILE texels in x and y; 256 threads, 128 with a joint threshold
//   shared    31 KiB at most
//   cost      three barriers more for each component
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/ti_haar_filter.glsl"
#include "denoise/local.glsl"

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

void begin() { begin_energies(); }

void sums_made(int first)
{
    for (int level = 1; level <= LEVELS; ++level)
        add_level(level, first);
    sync_shared();
    add_rows(first);
    sync_shared();
    local_thresholds(first, TOGETHER, tile_corner(), TILE);
    sync_shared();
}
