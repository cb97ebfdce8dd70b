// sat/ladder/lookback.glsl - the words by which tiles tell each other their sums, and bounded waits
//
//   in, out   b_words  [kind][tile][line]: sums of rows of a tile, up to each row; the same of all
//                      tiles up to it; entries of its last row
//             b_state  tickets, whether a wait was too long, groups of the repair's dispatches
//
//   A word says by itself whether it is there: all ones is nothing (of floats a NaN, which sums do
//   not have: canonical()). So no barrier orders a sum and its flag. An integer uses all patterns,
//   and takes two words with 16 bits each.
//   source    b0nes164 2024, "Decoupled fallback" (a half in each word)
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_LADDER_LOOKBACK_GLSL
#define AG_SAT_LADDER_LOOKBACK_GLSL
#include "sat/interface_ladder.h"

#define ROWS (8 * DOWN)
#define AT_ONCE 4 // tiles that a wait looks at
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

// groups of the repair's dispatch i, and in u_repair[0].w the turns of a wait
layout(location = AG_LOC_SCAN_REPAIR) uniform ivec4 u_repair_0;
layout(location = AG_LOC_SCAN_REPAIR_1) uniform ivec4 u_repair_1;
layout(location = AG_LOC_SCAN_REPAIR_2) uniform ivec4 u_repair_2;

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

// Another turn of a wait? Also no longer if another group has failed.
bool goes_on(inout int turns)
{
    ++turns;
    return turns < u_repair_0.w && (turns % 64 != 0 || b_state.failed == 0u);
}

// The sum of the tiles left of `tile`, in its row `row`: of tile sums, back to one that knows what
// is left of it.
bool look_left(int column, int tile, int row, inout VALUE left)
{
    int turns = 0, passed = 0; // tiles whose sums are in `left`
    bool done = column == 0;
    while (!done) {
        VALUE sum[AT_ONCE], all_left[AT_ONCE];
        bool has_sum[AT_ONCE], has_all[AT_ONCE];
        for (int k = 0; k < AT_ONCE; ++k) {
            int at = tile - min(passed + 1 + k, column);
            has_all[k] = take(place_of_left(at) + row, all_left[k]);
            has_sum[k] = take(place_of_sum(at) + row, sum[k]);
        }
        bool next = true; // all sums until here are there
        for (int k = 0; k < AT_ONCE; ++k) {
            if (next && !done && has_all[k]) {
                left += all_left[k];
                done = true;
            } else if (next && !done && has_sum[k]) {
                left += sum[k];
                ++passed;
                done = passed == column;
            } else {
                next = false;
            }
        }
        if (!done && !goes_on(turns))
            return false;
    }
    return true;
}

bool look_up(int above, int column, inout VALUE top)
{
    int turns = 0;
    while (!take(place_of_bottom(above) + column, top))
        if (!goes_on(turns))
            return false;
    return true;
}

void fail()
{
    b_state.failed = 1u;
    for (int i = 0; i < 3; ++i) {
        b_state.groups[i] = uint(u_repair_0[i]);
        b_state.groups[3 + i] = uint(u_repair_1[i]);
        b_state.groups[6 + i] = uint(u_repair_2[i]);
    }
}
#endif
