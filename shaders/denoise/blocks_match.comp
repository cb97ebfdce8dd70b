// denoise/blocks_match.comp - of each reference block, the blocks around it that are most like it
//
//   in        b_planes       the first component: noisy, or with ESTIMATE of the first estimate
//   out       b_matches      (denoise/blocks.glsl)
//   host sets ESTIMATE       1 = the first estimate, of which a quarter of the texels is compared
//             the defines of denoise/component.glsl
//   method    a block's distance is the sum of squared differences, in whole quarters of sigma, so
//             sums are exact up to 2^24 and ties are ties on every GPU. Rows of the window go to
//             four lists by turns; each keeps its four least keys, which are a distance (22 bits)
//             and a place (10 bits). The 16 are sorted by their ranks
//   threads   one searches every fourth row of the window of a reference block, all 31 places of
//             the row at once in registers: 46 loads for 248 differences
//   bank      lanes have 8 reference blocks side by side, 8 columns apart, and 4 rows. With an odd
//             pitch they touch each bank twice
//   dispatch  groups of 8 x 8 reference blocks, 256 threads
//   shared    25.8 KiB
//   cost      reads each texel 3.2 times, mostly from the cache; writes 2 bytes a texel
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef ESTIMATE
#error "ESTIMATE must be set by the host"
#endif
#include "common/sync.glsl"
#include "denoise/blocks.glsl"

#define ACROSS AG_BLOCKS_MATCHING
#define WIDTH TILE_WIDTH(ACROSS)
#define HEIGHT TILE_HEIGHT(ACROSS)
#define PITCH (WIDTH | 1)
#define LISTS AG_BLOCKS_LISTS
#define KEPT (STACK / LISTS)
#define THREADS 256 // LISTS for each reference block

layout(local_size_x = THREADS) in;
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Planes { float b_planes[]; };
layout(std430, binding = AG_SSBO_DENOISE_DETAILS) writeonly buffer Matches { uint b_matches[]; };

// First brightness as the bits of whole floats, then keys.
shared uint s_word[PITCH * HEIGHT];

const float LARGEST_DISTANCE = 4194303.0; // 22 bits

uint g_best[KEPT] = uint[KEPT](~0u, ~0u, ~0u, ~0u);

void load_tile(ivec2 corner)
{
    int plane = ESTIMATE != 0 ? COMPONENTS * plane_size() : 0;
    for (int i = int(gl_LocalInvocationIndex); i < WIDTH * HEIGHT; i += THREADS) {
        int x = i % WIDTH, y = i / WIDTH;
        float value = b_planes[plane + place_in_plane(corner + ivec2(x, y))];
        s_word[y * PITCH + x] = floatBitsToUint(floor(4.0 * value + 0.5));
    }
}

void keep(float distance, int place)
{
    // The sum with 2^23 has a step of 1, and its low bits are the distance.
    float whole = min(distance + 1.0, LARGEST_DISTANCE) + 8388608.0;
    uint key = floatBitsToUint(whole) << 10 | uint(place);
    if (place == REACH * WINDOW + REACH) // the reference block itself is always the first
        key = uint(place);
    for (int i = 0; i < KEPT; ++i) {
        uint less = min(g_best[i], key);
        key = max(g_best[i], key);
        g_best[i] = less;
    }
}

// All places of a row of the window. `at`: where the row begins, of the block's first texel.
void search_row(int at, int reference, int row)
{
    float sums[WINDOW];
    for (int d = 0; d < WINDOW; ++d)
        sums[d] = 0.0;
#if ESTIMATE
    for (int y = 0; y < BLOCK; y += 4) // rows y and y + 2, and of them every other texel
#else
    for (int y = 0; y < BLOCK; ++y)
#endif
    {
#if ESTIMATE
        float other[WINDOW + BLOCK - 1], below[WINDOW + BLOCK - 1];
        for (int x = 0; x < WINDOW + BLOCK - 1; ++x) {
            other[x] = uintBitsToFloat(s_word[at + y * PITCH + x]);
            below[x] = uintBitsToFloat(s_word[at + (y + 2) * PITCH + x]);
        }
        for (int x = 0; x < BLOCK; x += 2) {
            float own = uintBitsToFloat(s_word[reference + y * PITCH + x]);
            float own_below = uintBitsToFloat(s_word[reference + (y + 2) * PITCH + x + 1]);
            for (int d = 0; d < WINDOW; ++d) {
                float a = own - other[x + d], b = own_below - below[x + 1 + d];
                sums[d] += a * a;
                sums[d] += b * b;
            }
        }
#else
        float other[WINDOW + BLOCK - 1];
        for (int x = 0; x < WINDOW + BLOCK - 1; ++x)
            other[x] = uintBitsToFloat(s_word[at + y * PITCH + x]);
        for (int x = 0; x < BLOCK; ++x) {
            float own = uintBitsToFloat(s_word[reference + y * PITCH + x]);
            for (int d = 0; d < WINDOW; ++d) {
                float a = own - other[x + d];
                sums[d] += a * a;
            }
        }
#endif
    }
    for (int d = 0; d < WINDOW; ++d)
        keep(sums[d], row * WINDOW + d);
}

void main()
{
    int t = int(gl_LocalInvocationIndex), list = t / ACROSS % LISTS;
    ivec2 block = ivec2(t % ACROSS, t / (ACROSS * LISTS)), place = place_in_group(block);
    load_tile(tile_corner(ACROSS));
    sync_shared();
    int window = place.y * PITCH + place.x;
    for (int n = 0; n < (WINDOW + LISTS - 1) / LISTS; ++n) {
        int row = n * LISTS + list;
        if (row < WINDOW)
            search_row(window + row * PITCH, window + REACH * PITCH + REACH, row);
    }
    sync_shared();
    int of_block = (block.y * ACROSS + block.x) * STACK;
    for (int i = 0; i < KEPT; ++i)
        s_word[of_block + list * KEPT + i] = g_best[i];
    sync_shared();
    ivec2 blocks = reference_blocks();
    block += ivec2(gl_WorkGroupID.xy) * ACROSS;
    if (any(greaterThanEqual(block, blocks)))
        return;
    for (int i = 0; i < KEPT; ++i) {
        int rank = 0;
        for (int k = 0; k < STACK; ++k)
            rank += int(s_word[of_block + k] < g_best[i]);
        b_matches[(block.y * blocks.x + block.x) * STACK + rank] = g_best[i] & 1023u;
    }
}
