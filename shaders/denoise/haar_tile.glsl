// denoise/haar_tile.glsl - the decimated Haar transform of a tile, in registers and shared memory
//
//   in        t_src or i_src   the image (denoise/extend.glsl)
//   out       g_hl, g_lh, g_hh coefficients of level 1; g_patch: of levels 2 and 3; s_plane: of
//             coarser ones; counts
//   host sets TILE             AG_DENOISE_TILE (up to 5 levels) or _LARGE (6)
//             LEVELS           1..6
//             the defines of denoise/component.glsl, shrink.glsl and statistics.glsl
//   threads   256. Level 1: a thread has 2 x 2 texels, all components, in registers (four times
//             those with TILE 64). Levels 2 and 3: of each patch of 4 x 4 values of LL1, and each
//             component, one thread, in registers. Levels 4 and 5: of 4 x 4 values of LL3, in
//             place. So three levels take two barriers:
//
//             texels             LL1, in s_plane            LL3, in place of its first values
//             a b a b            +-----+-----+- -           v v v v
//             c d c d    ->      | 4x4 | 4x4 |       ->     v v v v
//             a b a b            +-----+-----+- -           v v v v
//
//             Meanwhile the last threads of the group add up the energies of level 1
//   bank      value (i, j) of patch k is at (i + 4 j) * PITCH + k. A subgroup has 16 x 2 values
//             while it stores them, and as many patches while it transforms them: with PITCH = 4 or
//             20 modulo 32 both ways touch each bank once
//   shared    18 KiB (TILE 32), 31 KiB (TILE 64)
//   source    Haar 1910; Mallat 1989
//   SPDX-License-Identifier: MIT
#include "common/sync.glsl"
#include "denoise/extend.glsl"
#include "denoise/haar.glsl"
#include "denoise/interface.h"

#define THREADS AG_DENOISE_THREADS
#define FINER 0
#define PIECES (TILE * TILE / 4 / THREADS) // 2 x 2 texels of a thread: 1 or 4
#define PATCHES_X (TILE / 8)
#define PATCHES (PATCHES_X * PATCHES_X)
#define PITCH (COMPONENTS * PATCHES + 4)
#define TASKS (COMPONENTS / TOGETHER * PATCHES)
#include "denoise/statistics.glsl"

layout(local_size_x = THREADS) in;

shared float s_plane[16 * PITCH];
vec3 g_hl[PIECES], g_lh[PIECES], g_hh[PIECES];
V g_patch[16];

#if SUMS
#define ROW (THREADS + 16)
shared uint s_fine[9 * ROW];         // energies of level 1: a row a component and band, by thread
shared uint s_middle[6 * 3 * PATCHES]; // of levels 2 and 3: a row a level and band, by patch
#endif

ivec2 tile_corner()
{
    return ivec2(gl_WorkGroupID.xy) * TILE;
}

// Piece k of a thread, in units of 2 texels: a subgroup has 16 x 2.
ivec2 piece_of_thread(int k)
{
    int t = int(gl_LocalInvocationIndex), half_row = t / 32 + THREADS / 32 * k;
    return ivec2(half_row % (TILE / 32) * 16 + t % 16, half_row / (TILE / 32) * 2 + t / 16 % 2);
}

int place_of(ivec2 v) // of a value of LL1
{
    return ((v.x & 3) + 4 * (v.y & 3)) * PITCH + (v.y >> 2) * PATCHES_X + (v.x >> 2);
}

V plane_value(int component, int at)
{
    at += component * PATCHES;
#if TOGETHER == 1
    return s_plane[at];
#else
    return V(s_plane[at], s_plane[at + PATCHES], s_plane[at + 2 * PATCHES]);
#endif
}

void set_plane(int component, int at, V value)
{
    at += component * PATCHES;
    for (int c = 0; c < TOGETHER; ++c)
        s_plane[at + c * PATCHES] = part_of(value, c);
}

// What is not in the image does not count.
uint counted(bool inside, float d, float scale)
{
    return inside ? energy_of(d, scale) : 0u;
}

// Which patch a thread has, and of which component (the first of a joint one).
bool owns_patch(out int patch_, out int component)
{
    int t = int(gl_LocalInvocationIndex);
    patch_ = t % PATCHES;
    component = t / PATCHES;
    return t < TASKS;
}

ivec2 corner_of_patch(int patch_) // in texels of the image
{
    return tile_corner() + 8 * ivec2(patch_ % PATCHES_X, patch_ / PATCHES_X);
}

// ---- level 1 ------------------------------------------------------------------------------------

// Of piece k, whose texels have the components a, b, c, d. Its LL goes to s_plane.
void analyse_piece(int k, vec3 a, vec3 b, vec3 c, vec3 d)
{
    haar(a, b, c, d);
    g_hl[k] = b;
    g_lh[k] = c;
    g_hh[k] = d;
    int at = place_of(piece_of_thread(k));
    if (LEVELS > 1)
        for (int i = 0; i < COMPONENTS; ++i)
            s_plane[at + i * PATCHES] = a[i];
}

// After a sync, because sigma must be known.
void count_pieces()
{
    bool inside[PIECES];
    for (int k = 0; k < PIECES; ++k) {
        ivec2 p = tile_corner() + 2 * piece_of_thread(k);
        inside[k] = all(lessThan(p, u_src_rect.zw));
        for (int c = 0; c < COMPONENTS; ++c)
            if (inside[k])
                count_size(c, g_hh[k][c]);
    }
#if SUMS
    for (int c = 0; c < COMPONENTS; ++c) {
        float scale = scale_of(c);
        uint hl = 0u, lh = 0u, hh = 0u;
        for (int k = 0; k < PIECES; ++k) {
            hl += counted(inside[k], g_hl[k][c], scale);
            lh += counted(inside[k], g_lh[k][c], scale);
            hh += counted(inside[k], g_hh[k][c], scale);
        }
        int at = 3 * c * ROW + int(gl_LocalInvocationIndex);
        s_fine[at] = hl;
        s_fine[at + ROW] = lh;
        s_fine[at + 2 * ROW] = hh;
    }
#endif
}

// After another sync, the last threads: sixteen a row.
void add_fine_energies()
{
#if SUMS
    int u = THREADS - 1 - int(gl_LocalInvocationIndex), row = u / 16;
    if (row < 3 * COMPONENTS) {
        uint sum = 0u;
        for (int i = u % 16; i < THREADS; i += 16)
            sum += s_fine[row * ROW + i];
        add_energy(row / 3, 1, row % 3, sum);
    }
#endif
}

// ---- levels 2 and 3 -----------------------------------------------------------------------------

// A step, and its energies to `sums`.
void analyse_step(inout V ll, inout V hl, inout V lh, inout V hh, int component, bool inside,
                  inout uvec3 sums[TOGETHER])
{
    haar(ll, hl, lh, hh);
#if SUMS
    for (int c = 0; c < TOGETHER; ++c) {
        float scale = scale_of(component + c);
        sums[c] += uvec3(counted(inside, part_of(hl, c), scale),
                         counted(inside, part_of(lh, c), scale),
                         counted(inside, part_of(hh, c), scale));
    }
#endif
}

void keep_energies(int level, int patch_, int component, const uvec3 sums[TOGETHER])
{
#if SUMS
    for (int c = 0; c < TOGETHER; ++c)
        for (int band = 0; band < 3; ++band)
            s_middle[((level - 2) * 3 + band) * 3 * PATCHES + (component + c) * PATCHES + patch_] =
                sums[c][band];
#endif
}

// From LL1 in s_plane to g_patch; LL3 to s_plane.
void analyse_patch(bool energies)
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    ivec2 corner = corner_of_patch(patch_);
    uvec3 sums[TOGETHER];
    for (int i = 0; i < 16; ++i)
        g_patch[i] = plane_value(component, i * PITCH + patch_);
    for (int c = 0; c < TOGETHER; ++c)
        sums[c] = uvec3(0u);
    for (int i = 0; i < 4; ++i) {
        ivec2 p = corner + 4 * ivec2(i % 2, i / 2);
        int at = i / 2 * 8 + i % 2 * 2;
        analyse_step(g_patch[at], g_patch[at + 1], g_patch[at + 4], g_patch[at + 5], component,
                     energies && all(lessThan(p, u_src_rect.zw)), sums);
    }
    keep_energies(2, patch_, component, sums);
    if (LEVELS > 2) {
        for (int c = 0; c < TOGETHER; ++c)
            sums[c] = uvec3(0u);
        analyse_step(g_patch[0], g_patch[2], g_patch[8], g_patch[10], component,
                     energies && all(lessThan(corner, u_src_rect.zw)), sums);
        keep_energies(3, patch_, component, sums);
        if (LEVELS > 3)
            set_plane(component, patch_, g_patch[0]);
    }
}

// After a sync: four threads a row of s_middle and component.
void add_middle_energies()
{
#if SUMS
    int u = THREADS - 1 - int(gl_LocalInvocationIndex), row = u / 4 / COMPONENTS;
    if (row < 6 && row / 3 + 2 <= LEVELS) {
        int component = u / 4 % COMPONENTS;
        uint sum = 0u;
        for (int i = u % 4; i < PATCHES; i += 4)
            sum += s_middle[row * 3 * PATCHES + component * PATCHES + i];
        add_energy(component, row / 3 + 2, row % 3, sum);
    }
#endif
}

// ---- levels 4 to 6, in place --------------------------------------------------------------------

// The places of a step of `level` that thread t has, its component, and its corner in the image.
bool owns_step(int level, out ivec4 at, out int component, out ivec2 corner)
{
    int side = TILE >> level, stride = 1 << (level - 4), t = int(gl_LocalInvocationIndex);
    component = t / (side * side);
    ivec2 p = ivec2(t % side, t / side % side) * 2 * stride;
    at = ivec4(0, stride, stride * PATCHES_X, stride * (PATCHES_X + 1)) + p.y * PATCHES_X + p.x;
    corner = tile_corner() + p * 8;
    return component < COMPONENTS / TOGETHER;
}

void analyse_step_in_place(int level, bool energies)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner))
        return;
    V a = plane_value(component, at.x), b = plane_value(component, at.y);
    V c = plane_value(component, at.z), d = plane_value(component, at.w);
    haar(a, b, c, d);
#if SUMS
    if (energies && all(lessThan(corner, u_src_rect.zw)))
        for (int i = 0; i < TOGETHER; ++i) {
            float scale = scale_of(component + i);
            add_energy(component + i, level, 0, energy_of(part_of(b, i), scale));
            add_energy(component + i, level, 1, energy_of(part_of(c, i), scale));
            add_energy(component + i, level, 2, energy_of(part_of(d, i), scale));
        }
#endif
    set_plane(component, at.x, a);
    set_plane(component, at.y, b);
    set_plane(component, at.z, c);
    set_plane(component, at.w, d);
}

// ---- all levels ---------------------------------------------------------------------------------

// After analyse_piece() of all pieces. After it, counts and, with LOCAL, thresholds are complete
// behind one more sync.
void analyse()
{
    bool energies = SUMS != 0 && (LOCAL != 0 || counts());
    sync_shared();
    if (counts() || LOCAL != 0) {
        count_pieces();
        sync_shared();
        add_fine_energies();
    }
    if (LEVELS > 1)
        analyse_patch(energies);
    for (int level = 4; level <= LEVELS; ++level) {
        sync_shared();
        analyse_step_in_place(level, energies);
    }
    if (energies && LEVELS > 1) {
        sync_shared();
        add_middle_energies();
    }
#if LOCAL
    sync_shared();
    local_thresholds(0, COMPONENTS, tile_corner(), ivec2(TILE));
    sync_shared();
#endif
}
