// ladder/sat/lookback_words.glsl - the words by which tiles tell each other their sums, and tickets
//
//   in, out   b_words  [kind][tile][line]: sums of rows of a tile, up to each row; the same of all
//                      tiles up to it; entries of its last row
//             b_state  tickets, whether a wait was too long, groups of the repair's dispatches
//
//   A word says by itself whether it is there: all ones is nothing (of floats a NaN, which sums do
//   not have: canonical()). So no barrier orders a sum and its flag. An integer uses all patterns,
//   and takes two words with 16 bits each.
//   Tickets go along diagonals, so that the tiles to the left and above have begun long before.
//   before it ladder/sat/texels.glsl, with CHANNELS, LOCAL_IS_UINT and VALUE
//   includer  DOWN: rows of a thread
//   source    b0nes164 2024, "Decoupled fallback" (a half in each word)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(CHANNELS) || !defined(DOWN) || !defined(LOCAL_IS_UINT) || !defined(VALUE)
#error "CHANNELS, DOWN, LOCAL_IS_UINT and VALUE must be set by the host or defined by the includer"
#endif
#include "ladder/sat/interface.h"

#define ROWS (8 * DOWN)
#if CHANNELS == 1
#define WORD uint
#elif CHANNELS == 2
#define WORD uvec2
#else
#define WORD uvec4
#endif
const uint NOTHING = 0xffffffffu;

layout(std430, binding = AG_SSBO_SCAN_SUMS) coherent volatile buffer Words { WORD b_words[]; };
layout(std430, binding = AG_SSBO_SCAN_FLAGS) coherent volatile buffer State {
    uint ticket, failed, unused_0, unused_1;
    uint groups[9]; // of three dispatches
} b_state;

// groups of the repair's dispatch i, and in u_repair_0.w the turns of a wait
layout(location = AG_LOC_SCAN_REPAIR) uniform ivec4 u_repair_0;
layout(location = AG_LOC_SCAN_REPAIR_1) uniform ivec4 u_repair_1;
layout(location = AG_LOC_SCAN_REPAIR_2) uniform ivec4 u_repair_2;

// Diagonals of m tiles or fewer, m the less of rows and columns: 1, 2 .. m - 1; then m; m - 1 .. 1.
//
//     0 1 3 6        The last diagonals are the first ones, turned by half a turn.
//     2 4 7 9
//     5 8 10 11
ivec2 tile_of(int ticket)
{
    ivec2 tiles = ivec2(gl_NumWorkGroups.xy);
    int m = min(tiles.x, tiles.y), corner = m * (m - 1) / 2, last = tiles.x * tiles.y - 1;
    bool turned = ticket > last - corner;
    int k = turned ? last - ticket : ticket, diagonal, i;
    if (k < corner) {
        diagonal = int((sqrt(float(8 * k + 1)) - 1.0) * 0.5); // or one beside it, by rounding
        diagonal += k >= (diagonal + 1) * (diagonal + 2) / 2 ? 1 : 0;
        diagonal -= k < diagonal * (diagonal + 1) / 2 ? 1 : 0;
        i = k - diagonal * (diagonal + 1) / 2;
    } else {
        diagonal = m - 1 + (k - corner) / m;
        i = (k - corner) % m;
    }
    ivec2 tile = m == tiles.y ? ivec2(diagonal - i, i) : ivec2(i, diagonal - i);
    return turned ? tiles - 1 - tile : tile;
}

int tile_count() { return int(gl_NumWorkGroups.x * gl_NumWorkGroups.y); }
int place_of_sum(int tile) { return tile * ROWS; }
int place_of_left(int tile) { return (tile_count() + tile) * ROWS; }
int place_of_bottom(int tile) { return 2 * tile_count() * ROWS + tile * 32; }

bool is_there(WORD w) { return all(notEqual(widened(w), uvec4(NOTHING))); }

#if LOCAL_IS_UINT
void publish(int place, VALUE v)
{
    b_words[2 * place] = v & WORD(0xffffu);
    b_words[2 * place + 1] = v >> 16;
}

bool take(int place, out VALUE v)
{
    WORD low = b_words[2 * place], high = b_words[2 * place + 1];
    v = low | high << 16;
    return is_there(low) && is_there(high);
}
#else
uint canonical(uint bits) { return bits == NOTHING ? 0x7fc00000u : bits; }
uvec2 canonical(uvec2 bits) { return uvec2(canonical(bits.x), canonical(bits.y)); }
uvec4 canonical(uvec4 bits) { return uvec4(canonical(bits.xy), canonical(bits.zw)); }
void publish(int place, VALUE v) { b_words[place] = canonical(floatBitsToUint(v)); }

bool take(int place, out VALUE v)
{
    WORD bits = b_words[place];
    v = uintBitsToFloat(bits);
    return is_there(bits);
}
#endif
