// denoise/blocks_filter.comp - what is removed of stacks of like blocks, added up texel by texel
//
//   in        b_planes       the components, and with WIENER those of the first estimate
//             b_matches      the blocks of each stack (denoise/blocks.glsl)
//   out       b_sums         of each texel: what stacks remove of it, times their weights, and the
//                            sum of weights
//   host sets WIENER         1 = Wiener's filter, by the first estimate; 0 = hard thresholds
//             SUBGROUPS      AG_SUBGROUPS_*: how threads exchange values
//             the defines of denoise/memory.glsl
//   method    a cosine transform of each block and Haar's along the stack; what is removed of
//             coefficients is transformed back. A stack's weight is 1 over the coefficients that
//             stay. Sums are whole numbers, so the order in which groups and threads add does not
//             matter, and a removal is at most CLAMP sigma, so they do not overflow
//   threads   16 a stack: of 8 columns of blocks, for each half of the stack. A thread has a column
//             of 8 blocks, 64 values: Haar's transform and the one along the column happen in
//             registers. The 8 threads of a half transpose their blocks by exchanging registers,
//             or without subgroups through shared memory, one at a time. The two halves meet in
//             the last step of Haar's transform
//   bank      without subgroups value (i, j) of a transposed block is at 9 i + j; blocks are 72
//             apart
//   dispatch  groups of 4 x 4 reference blocks in x and y, components in z; 256 threads
//   shared    14.0 KiB
//   cost      reads each texel 6.4 times, mostly from the cache, and adds to sums as often
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(WIENER) || !defined(SUBGROUPS)
#error "WIENER and SUBGROUPS must be set by the host"
#endif
#define THREADS 256 // STACK for each of ACROSS x ACROSS reference blocks
#include "common/interface.h"
#if SUBGROUPS != AG_SUBGROUPS_NONE
#include "common/subgroups.glsl"
#endif
#include "common/sync.glsl"
#include "denoise/blocks.glsl"
#include "denoise/memory.glsl"

#define ACROSS AG_BLOCKS_FILTERING
#define HALF 8 // blocks of a thread
#define VALUES (HALF * BLOCK)
#define WIDTH TILE_WIDTH(ACROSS)
#define HEIGHT TILE_HEIGHT(ACROSS)
#define TEXELS (WIDTH * HEIGHT)
#define TRANSPOSED 72

layout(local_size_x = THREADS) in;
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Planes { float b_planes[]; };
layout(std430, binding = AG_SSBO_DENOISE_TO) buffer Sums { int b_sums[]; };
layout(std430, binding = AG_SSBO_DENOISE_DETAILS) readonly buffer Matches { uint b_matches[]; };

// By turns the tile's texels and transposed blocks, as bits of floats, and sums of the tile.
shared int s_word[TEXELS];
shared int s_place[THREADS]; // in the tile, of the blocks of stacks
shared uint s_kept[ACROSS * ACROSS];

const float ROOT_HALF = 0.70710678;
const float CLAMP = 8.0;           // sigma that are removed of a texel by a stack, at most
const uint ONE = 131072u;          // the weight of a stack with one coefficient
const uint KEPT_STEPS = 4096u;     // of a coefficient
const float HARD_THRESHOLD = 2.7;  // sigma
const float CHROMA = 1.1;          // times the strength: chroma has less detail
const float WIENER_NOISE = 0.9;    // sigma^2, of the noise that the second step expects

float g_v[VALUES]; // block by block; of a block texels of a column, then coefficients of a row
#include "denoise/dct.glsl"

// The thread's.
int g_column = 0, g_set = 0, g_stack = 0;
bool g_first_half = false;

int own_index()
{
#if SUBGROUPS != AG_SUBGROUPS_NONE
    return subgroup_index() * 32 + subgroup_lane();
#else
    return int(gl_LocalInvocationIndex);
#endif
}

void load_tile(int plane, ivec2 corner)
{
    for (int i = int(gl_LocalInvocationIndex); i < TEXELS; i += THREADS)
        s_word[i] = floatBitsToInt(
            b_planes[plane + place_in_plane(corner + ivec2(i % WIDTH, i / WIDTH))]);
}

// Where blocks begin in the tile.
void load_places(ivec2 own, ivec2 block, ivec2 blocks)
{
    int t = own_index();
    block = min(block, blocks - 1);
    int match = int(b_matches[(block.y * blocks.x + block.x) * STACK + t % STACK]);
    ivec2 place = place_in_group(own) + ivec2(match % WINDOW, match / WINDOW);
    s_place[t] = place.y * WIDTH + place.x;
}

// ---- transforms ---------------------------------------------------------------------------------

void haar_step(const int a, const int b)
{
    for (int i = 0; i < BLOCK; ++i) {
        float x = g_v[a * BLOCK + i], y = g_v[b * BLOCK + i];
        g_v[a * BLOCK + i] = (x + y) * ROOT_HALF;
        g_v[b * BLOCK + i] = (x - y) * ROOT_HALF;
    }
}

#if SUBGROUPS != AG_SUBGROUPS_NONE
float of_other_half(const int i) { return lane_across(g_v[i], 8u); }

// Transposes 2 x 2 values, of this thread and of the one whose column differs in `bit`.
void exchange(const int a, const int b, const uint bit)
{
    bool high = (uint(g_column) & bit) != 0u;
    float other = lane_across(high ? g_v[a] : g_v[b], bit);
    g_v[a] = high ? other : g_v[a];
    g_v[b] = high ? g_v[b] : other;
}

void transpose()
{
    for (int k = 0; k < VALUES; k += BLOCK) {
        for (int i = 0; i < BLOCK; i += 2)
            exchange(k + i, k + i + 1, 1u);
        for (int i = 0; i < 4; ++i)
            exchange(k + i + i / 2 * 2, k + i + i / 2 * 2 + 2, 2u);
        for (int i = 0; i < 4; ++i)
            exchange(k + i, k + i + 4, 4u);
    }
}
#else
void transpose()
{
    int at = g_set * TRANSPOSED;
    for (int k = 0; k < HALF; ++k) {
        sync_shared();
        for (int i = 0; i < BLOCK; ++i)
            s_word[at + 9 * i + g_column] = floatBitsToInt(g_v[k * BLOCK + i]);
        sync_shared();
        for (int i = 0; i < BLOCK; ++i)
            g_v[k * BLOCK + i] = intBitsToFloat(s_word[at + 9 * g_column + i]);
    }
}

float of_other_half(const int i)
{
    return intBitsToFloat(s_word[i * THREADS + (own_index() ^ BLOCK)]);
}
#endif

// Of the means of halves: their own mean in the first half, their difference in the second. It is
// its own inverse.
void join_halves()
{
#if SUBGROUPS == AG_SUBGROUPS_NONE
    sync_shared();
    for (int i = 0; i < BLOCK; ++i)
        s_word[i * THREADS + own_index()] = floatBitsToInt(g_v[i]);
    sync_shared();
#endif
    for (int i = 0; i < BLOCK; ++i) {
        float other = of_other_half(i);
        g_v[i] = (other + (g_first_half ? g_v[i] : -g_v[i])) * ROOT_HALF;
    }
}

// In the tile, of the first value of the thread's block k.
int place_of(int k)
{
    return s_place[g_stack * STACK + (g_first_half ? 0 : HALF) + k] + g_column;
}

void analyse()
{
    for (int k = 0; k < HALF; ++k) {
        int from = place_of(k);
        for (int i = 0; i < BLOCK; ++i)
            g_v[k * BLOCK + i] = intBitsToFloat(s_word[from + i * WIDTH]);
    }
    for (int k = 0; k < HALF; k += 2)
        haar_step(k, k + 1);
    haar_step(0, 2);
    haar_step(4, 6);
    haar_step(0, 4);
    for (int k = 0; k < HALF; ++k)
        cosine_transform(k * BLOCK);
    transpose();
    for (int k = 0; k < HALF; ++k)
        cosine_transform(k * BLOCK);
    join_halves();
}

void synthesise()
{
    join_halves();
    for (int k = 0; k < HALF; ++k)
        inverse_cosine_transform(k * BLOCK);
    transpose();
    for (int k = 0; k < HALF; ++k)
        inverse_cosine_transform(k * BLOCK);
    haar_step(0, 4);
    haar_step(0, 2);
    haar_step(4, 6);
    for (int k = 0; k < HALF; k += 2)
        haar_step(k, k + 1);
}

// ---- coefficients -------------------------------------------------------------------------------

// The mean of the stack always stays.
bool is_mean(const int i) { return i == 0 && g_first_half && g_column == 0; }

#if WIENER
uint g_share[VALUES / 2]; // of coefficients that is removed, pairs of halves

void find_shares(float strength)
{
    float noise = WIENER_NOISE * strength * strength;
    uint kept = 0u;
    for (int i = 0; i < VALUES; ++i) {
        // 1e-30: without noise nothing is removed, also where the estimate is 0
        float share = is_mean(i) ? 0.0 : noise / (g_v[i] * g_v[i] + noise + 1e-30);
        kept += uint((1.0 - share) * (1.0 - share) * float(KEPT_STEPS) + 0.5);
        g_v[i] = share;
    }
    for (int i = 0; i < VALUES; i += 2)
        g_share[i / 2] = packHalf2x16(vec2(g_v[i], g_v[i + 1]));
    atomicAdd(s_kept[g_stack], kept);
}

void remove(float strength)
{
    for (int i = 0; i < VALUES; i += 2) {
        vec2 share = unpackHalf2x16(g_share[i / 2]);
        g_v[i] *= share.x;
        g_v[i + 1] *= share.y;
    }
}
#else
void remove(float strength)
{
    // By products, not by a choice: 290 us of 1920 x 1080 texels on an H200 instead of 560.
    float threshold = HARD_THRESHOLD * strength, count = 0.0;
    for (int i = 0; i < VALUES; ++i) {
        float share = is_mean(i) ? 0.0 : step(abs(g_v[i]), threshold);
        count += share;
        g_v[i] *= share;
    }
    atomicAdd(s_kept[g_stack], uint(float(VALUES) - count) * KEPT_STEPS);
}
#endif

// ---- sums ---------------------------------------------------------------------------------------

void clear_tile()
{
    sync_shared();
    for (int i = int(gl_LocalInvocationIndex); i < TEXELS; i += THREADS)
        s_word[i] = 0;
    sync_shared();
}

// To the sums of the image that begin at `plane`.
void add_tile(int plane, ivec2 corner)
{
    sync_shared();
    for (int i = int(gl_LocalInvocationIndex); i < TEXELS; i += THREADS) {
        ivec2 p = corner + ivec2(i % WIDTH, i / WIDTH);
        if (s_word[i] != 0 && all(greaterThanEqual(p, ivec2(0))) &&
            all(lessThan(p, u_src_rect.zw)))
            atomicAdd(b_sums[plane + p.y * u_src_rect.z + p.x], s_word[i]);
    }
}

void add_weights(int weight)
{
    for (int k = 0; k < HALF; ++k) {
        int to = place_of(k);
        for (int i = 0; i < BLOCK; ++i)
            atomicAdd(s_word[to + i * WIDTH], weight);
    }
}

void add_removals(int weight)
{
    for (int k = 0; k < HALF; ++k) {
        int to = place_of(k);
        for (int i = 0; i < BLOCK; ++i) {
            float removed = clamp(g_v[k * BLOCK + i], -CLAMP, CLAMP) * float(weight);
            atomicAdd(s_word[to + i * WIDTH], int(floor(removed + 0.5)));
        }
    }
}

void main()
{
    int t = own_index(), component = int(gl_WorkGroupID.z);
    g_column = t % BLOCK;
    g_set = t / BLOCK;
    g_stack = t / STACK;
    g_first_half = t % STACK < BLOCK;
    ivec2 own = ivec2(g_stack % ACROSS, g_stack / ACROSS), blocks = reference_blocks();
    ivec2 block = ivec2(gl_WorkGroupID.xy) * ACROSS + own, corner = tile_corner(ACROSS);
    int plane = component * plane_size();
    float strength = u_rule.y * (component > 0 && COLOUR != 0 ? CHROMA * u_rule.z : 1.0);

    if (t < ACROSS * ACROSS)
        s_kept[t] = 0u;
    load_places(own, block, blocks);
#if WIENER
    load_tile(plane + COMPONENTS * plane_size(), corner);
    sync_shared();
    analyse();
    find_shares(strength);
    sync_shared();
#endif
    load_tile(plane, corner);
    sync_shared();
    analyse();
    remove(strength);
    synthesise();

    clear_tile();
    ivec2 first = corner + REACH + place_in_group(own);
    bool is_in_image = all(lessThan(first, u_src_rect.zw));
    int weight =
        is_in_image ? int(ONE * KEPT_STEPS / max(s_kept[g_stack], KEPT_STEPS)) : 0;
    add_weights(weight);
    add_tile(2 * plane + plane_size(), corner);
    clear_tile();
    add_removals(weight);
    add_tile(2 * plane, corner);
}
