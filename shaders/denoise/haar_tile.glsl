// denoise/haar_tile.glsl - the decimated Haar transform of a tile, in registers and shared memory
//
//   out       g_hl, g_lh, g_hh coefficients of level 1; g_patch: of levels 2 and 3; s_plane: LL3,
//             and the details of coarser levels, which take its place
//   host sets TILE             AG_DENOISE_TILE (up to 5 levels) or _LARGE (6)
//             LEVELS           1..6
//             the defines of denoise/component.glsl
//   includer  defines THREADS, 256
//   threads   level 1: a thread has 2 x 2 texels, all components, in registers (four times
//             those with TILE 64). Levels 2 and 3: of each patch of 4 x 4 values of LL1, and each
//             component, one thread, in registers. Levels 4 to 6: of LL3, in place, with a barrier
//             each. Up to level 3 one barrier is enough:
//
//             texels             LL1, in s_plane            LL3, in place of its first values
//             a b a b            +-----+-----+- -           v v v v
//             c d c d    ->      | 4x4 | 4x4 |       ->     v v v v
//             a b a b            +-----+-----+- -           v v v v
//   bank      value (i, j) of patch k is at (i + 4 j) * PITCH + k. A subgroup has 16 x 2 values
//             while it stores them, and as many patches while it transforms them: with PITCH = 4 or
//             20 modulo 32 both ways touch each bank once
//   shared    3.3 KiB (TILE 32), 12.3 KiB (TILE 64)
//   source    Haar 1910; Mallat 1989
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(TILE) || !defined(LEVELS) || !defined(THREADS)
#error "TILE, LEVELS and THREADS must be set by the host or the includer"
#endif
#include "common/sync.glsl"
#include "denoise/component.glsl"

#define PIECES (TILE * TILE / 4 / THREADS) // 2 x 2 texels of a thread: 1 or 4
#define PATCHES_X (TILE / 8)
#define PATCHES (PATCHES_X * PATCHES_X)
#define PITCH (COMPONENTS * PATCHES + 4)
#define TASKS (COMPONENTS * PATCHES)

layout(local_size_x = THREADS) in;

shared float s_plane[16 * PITCH];
vec3 g_hl[PIECES], g_lh[PIECES], g_hh[PIECES];
float g_patch[16];

// ---- one step of the transform of 2 x 2 values: orthonormal, its own inverse --------------------

//    a b   ->   LL HL        LL: mean times 2; HL: left less right; LH: top less bottom
//    c d        LH HH
void haar(inout vec3 a, inout vec3 b, inout vec3 c, inout vec3 d)
{
    vec3 top = a + b, bottom = c + d, left = a - b, right = c - d;
    a = (top + bottom) * 0.5;
    b = (left + right) * 0.5;
    c = (top - bottom) * 0.5;
    d = (left - right) * 0.5;
}

void haar(inout float a, inout float b, inout float c, inout float d)
{
    float top = a + b, bottom = c + d, left = a - b, right = c - d;
    a = (top + bottom) * 0.5;
    b = (left + right) * 0.5;
    c = (top - bottom) * 0.5;
    d = (left - right) * 0.5;
}

// ---- what a thread has --------------------------------------------------------------------------

// Piece k of a thread, in units of 2 texels: a subgroup has 16 x 2.
ivec2 piece_of_thread(int k)
{
    int t = int(gl_LocalInvocationIndex), half_row = t / 32 + THREADS / 32 * k;
    return ivec2(half_row % (TILE / 32) * 16 + t % 16, half_row / (TILE / 32) * 2 + t / 16 % 2);
}

ivec2 place_of_texel(int k) // in the tile: four of each piece
{
    return 2 * piece_of_thread(k / 4) + ivec2(k & 1, k >> 1 & 1);
}

int place_of(ivec2 v) // of a value of LL1
{
    return ((v.x & 3) + 4 * (v.y & 3)) * PITCH + (v.y >> 2) * PATCHES_X + (v.x >> 2);
}

float plane_value(int component, int at) { return s_plane[at + component * PATCHES]; }

void set_plane(int component, int at, float value) { s_plane[at + component * PATCHES] = value; }

// Which patch a thread has, and of which component.
bool owns_patch(out int patch_, out int component)
{
    int t = int(gl_LocalInvocationIndex);
    patch_ = t % PATCHES;
    component = t / PATCHES;
    return t < TASKS;
}

ivec2 place_of_patch(int patch_) // in texels of the tile
{
    return 8 * ivec2(patch_ % PATCHES_X, patch_ / PATCHES_X);
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

// ---- levels 2 and 3 -----------------------------------------------------------------------------

// From LL1 in s_plane to g_patch; LL3 to s_plane.
void analyse_patch()
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    for (int i = 0; i < 16; ++i)
        g_patch[i] = plane_value(component, i * PITCH + patch_);
    for (int i = 0; i < 4; ++i) {
        int at = i / 2 * 8 + i % 2 * 2;
        haar(g_patch[at], g_patch[at + 1], g_patch[at + 4], g_patch[at + 5]);
    }
    if (LEVELS > 2)
        haar(g_patch[0], g_patch[2], g_patch[8], g_patch[10]);
    if (LEVELS > 3)
        set_plane(component, patch_, g_patch[0]);
}

// After analyse_piece() of all pieces. Behind it each thread has its own coefficients.
void analyse()
{
    sync_shared();
    if (LEVELS > 1)
        analyse_patch();
}

// ---- levels 4 to 6, in place --------------------------------------------------------------------

// The places of a step of `level` that a thread has, its component, and its corner in the tile.
bool owns_step(int level, out ivec4 at, out int component, out ivec2 corner)
{
    int side = TILE >> level, stride = 1 << (level - 4), t = int(gl_LocalInvocationIndex);
    component = t / (side * side);
    ivec2 p = ivec2(t % side, t / side % side) * 2 * stride;
    at = ivec4(0, stride, stride * PATCHES_X, stride * (PATCHES_X + 1)) + p.y * PATCHES_X + p.x;
    corner = p * 8;
    return component < COMPONENTS;
}

void analyse_step_in_place(int level)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner))
        return;
    float a = plane_value(component, at.x), b = plane_value(component, at.y);
    float c = plane_value(component, at.z), d = plane_value(component, at.w);
    haar(a, b, c, d);
    set_plane(component, at.x, a);
    set_plane(component, at.y, b);
    set_plane(component, at.z, c);
    set_plane(component, at.w, d);
}

void analyse_coarse()
{
    for (int level = 4; level <= LEVELS; ++level) {
        sync_shared();
        analyse_step_in_place(level);
    }
}
