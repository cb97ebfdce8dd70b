// denoise/haar_energies.glsl - energies of a tile's bands, added up in shared memory
//
//   in        g_hl, g_lh, g_hh, g_patch, s_plane   denoise/haar_tile.glsl
//             b_denoise    sigma
//   out       s_sums       sums of energies of the tile, by band
//   host sets the defines of denoise/haar_tile.glsl; TILE is 32
//   threads   each adds up the coefficients that it made, in registers, and leaves a sum a band and
//             component in a row of shared memory. Then sixteen threads add up a row of level 1,
//             four those of levels 2 and 3. The few coefficients of levels 4 and 5 are added by an
//             atomic each
//   shared    12 KiB
//   cost      shared atomics to one address take a cycle for each lane. So threads add energies in
//             registers, and their sums through rows of shared memory
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/haar_tile.glsl"
#include "denoise/memory.glsl"

#define ROW (THREADS + 16)
shared uint s_rows[11 * ROW];          // of level 1: a row a component and band, by thread
shared uint s_middle[6 * 3 * PATCHES]; // of levels 2 and 3: a row a level and band, by patch
shared float s_scale[AG_DENOISE_ALL_BANDS];
shared uint s_sums[AG_DENOISE_ALL_BANDS];

// A sync must follow.
void begin_energies()
{
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS) {
        float sigma = sigma_of(i);
        s_sums[i] = 0u;
        s_scale[i] = sigma > 0.0 ? 1.0 / sigma : 0.0;
    }
}

vec3 scales_at(int component, int level)
{
    int at = band_at(component, level, 0);
    return vec3(s_scale[at], s_scale[at + 1], s_scale[at + 2]);
}

void add_energy(int component, int level, int band, uint sum)
{
    if (sum != 0u)
        atomicAdd(s_sums[band_at(component, level, band)], sum);
}

bool is_inside(ivec2 corner) // else a block does not count
{
    return all(lessThan(corner, u_src_rect.zw));
}

// Blocks of a level whose corner is within the tile and the image.
int blocks_of(int level, ivec2 tile)
{
    ivec2 part = min(ivec2(TILE), u_src_rect.zw - tile);
    ivec2 blocks = (part + (1 << level) - 1) >> level;
    return blocks.x * blocks.y;
}

uvec3 energies_of(vec3 d, vec3 scale)
{
    return uvec3(energy_of(d.x, scale.x), energy_of(d.y, scale.y), energy_of(d.z, scale.z));
}

void add_piece(ivec2 tile)
{
    bool inside = is_inside(tile + 2 * piece_of_thread(0));
    for (int c = 0; c < COMPONENTS; ++c) {
        uvec3 sums = energies_of(vec3(g_hl[0][c], g_lh[0][c], g_hh[0][c]), scales_at(c, 1));
        int at = 3 * c * ROW + int(gl_LocalInvocationIndex);
        for (int band = 0; band < 3; ++band)
            s_rows[at + band * ROW] = inside ? sums[band] : 0u;
    }
}

void add_patch(ivec2 tile)
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    ivec2 corner = tile + place_of_patch(patch_);
    uvec3 sums[2] = uvec3[2](uvec3(0u), uvec3(0u));
    for (int i = 0; i < 4; ++i) {
        int at = i / 2 * 8 + i % 2 * 2;
        if (is_inside(corner + 4 * ivec2(i % 2, i / 2)))
            sums[0] += energies_of(vec3(g_patch[at + 1], g_patch[at + 4], g_patch[at + 5]),
                                   scales_at(component, 2));
    }
    if (is_inside(corner))
        sums[1] = energies_of(vec3(g_patch[2], g_patch[8], g_patch[10]), scales_at(component, 3));
    for (int row = 0; row < 6; ++row)
        s_middle[(row * 3 + component) * PATCHES + patch_] = sums[row / 3][row % 3];
}

void add_step(int level, ivec2 tile)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner) || !is_inside(tile + corner))
        return;
    uvec3 energies = energies_of(
        vec3(plane_value(component, at.y), plane_value(component, at.z),
             plane_value(component, at.w)), scales_at(component, level));
    for (int band = 0; band < 3; ++band)
        add_energy(component, level, band, energies[band]);
}

// After analyse_coarse() and a sync, of the tile at texel `tile`. A sync must follow.
void add_energies(ivec2 tile)
{
    int t = int(gl_LocalInvocationIndex);
    add_piece(tile);
    add_patch(tile);
    for (int level = 4; level <= LEVELS; ++level)
        add_step(level, tile);
    sync_shared();
    int fine = t / 16, middle = t / 4 / COMPONENTS, component = t / 4 % COMPONENTS;
    uint sum = 0u;
    for (int i = t % 16; i < THREADS && fine < 3 * COMPONENTS; i += 16)
        sum += s_rows[fine * ROW + i];
    if (fine < 3 * COMPONENTS)
        add_energy(fine / 3, 1, fine % 3, sum);
    sum = 0u;
    if (middle < 6) {
        for (int i = t % 4; i < PATCHES; i += 4)
            sum += s_middle[(middle * 3 + component) * PATCHES + i];
        add_energy(component, middle / 3 + 2, middle % 3, sum);
    }
}
