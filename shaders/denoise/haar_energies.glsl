// denoise/haar_energies.glsl - energies of three levels of Haar coefficients of a tile
//
//   in        g_hl, g_lh, g_hh, g_patch   denoise/haar_tile.glsl
//   out       s_sums                      denoise/energies.glsl
//   host sets the defines of denoise/haar_tile.glsl
//   threads   each adds up the coefficients that it made, in registers, and leaves a sum a band and
//             component in a row of shared memory. Then sixteen threads add up a row of level 1,
//             four those of levels 2 and 3
//   shared    11 KiB (TILE 32), 14 KiB (TILE 64)
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/energies.glsl"
#include "denoise/haar_tile.glsl"

#define ROW (THREADS + 16)
shared uint s_fine[9 * ROW];           // of level 1: a row a component and band, by thread
shared uint s_middle[6 * 3 * PATCHES]; // of levels 2 and 3: a row a level and band, by patch

bool is_inside(ivec2 corner) // else a block does not count
{
    return all(lessThan(corner, u_src_rect.zw));
}

void add_pieces(ivec2 tile)
{
    for (int c = 0; c < COMPONENTS; ++c) {
        float scale = scale_of(c);
        uvec3 sums = uvec3(0u);
        for (int k = 0; k < PIECES; ++k)
            if (is_inside(tile + 2 * piece_of_thread(k)))
                sums += uvec3(energy_of(g_hl[k][c], scale), energy_of(g_lh[k][c], scale),
                              energy_of(g_hh[k][c], scale));
        int at = 3 * c * ROW + int(gl_LocalInvocationIndex);
        for (int band = 0; band < 3; ++band)
            s_fine[at + band * ROW] = sums[band];
    }
}

// Of a step whose details are at `at`, in g_patch.
uvec3 step_energies(int c, float scale, ivec3 at)
{
    return uvec3(energy_of(part_of(g_patch[at.x], c), scale),
                 energy_of(part_of(g_patch[at.y], c), scale),
                 energy_of(part_of(g_patch[at.z], c), scale));
}

void add_patch(ivec2 tile)
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    ivec2 corner = tile + place_of_patch(patch_);
    for (int c = 0; c < TOGETHER; ++c) {
        float scale = scale_of(component + c);
        uvec3 sums[2] = uvec3[2](uvec3(0u), uvec3(0u));
        for (int i = 0; i < 4; ++i)
            if (is_inside(corner + 4 * ivec2(i % 2, i / 2)))
                sums[0] += step_energies(c, scale, i / 2 * 8 + i % 2 * 2 + ivec3(1, 4, 5));
        if (is_inside(corner))
            sums[1] = step_energies(c, scale, ivec3(2, 8, 10));
        for (int row = 0; row < 6; ++row)
            s_middle[(row * 3 + component + c) * PATCHES + patch_] = sums[row / 3][row % 3];
    }
}

// After analyse(), of the tile at texel `tile`. A sync must follow.
void add_energies(ivec2 tile)
{
    int t = int(gl_LocalInvocationIndex);
    add_pieces(tile);
    if (LEVELS > 1)
        add_patch(tile);
    sync_shared();
    int fine = t / 16, middle = t / 4 / COMPONENTS, component = t / 4 % COMPONENTS;
    uint sum = 0u;
    for (int i = t % 16; i < THREADS && fine < 3 * COMPONENTS; i += 16)
        sum += s_fine[fine * ROW + i];
    if (fine < 3 * COMPONENTS)
        add_energy(fine / 3, 1, fine % 3, sum);
    sum = 0u;
    if (middle < 6 && middle / 3 + 2 <= LEVELS) {
        for (int i = t % 4; i < PATCHES; i += 4)
            sum += s_middle[(middle * 3 + component) * PATCHES + i];
        add_energy(component, middle / 3 + 2, middle % 3, sum);
    }
}
