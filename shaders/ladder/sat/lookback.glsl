// ladder/sat/lookback.glsl - bounded waits for the sums left of a tile and above it
//
//   Nothing waits for long: a wait ends after u_repair_0.w turns, or when another group has failed.
//   before it ladder/sat/texels.glsl, with VALUE
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef VALUE
#error "VALUE must be set by the host or defined by the includer"
#endif
#include "ladder/sat/lookback_words.glsl"

// Another turn of a wait? Also no longer if another group has failed.
bool goes_on(inout int turns)
{
    ++turns;
    return turns < u_repair_0.w && (turns % 64 != 0 || b_state.failed == 0u);
}

// What is left of `tile` in `row`: the sums of tiles, up to one that knows what is left of it or is
// the row's first. Returns whether it is known before the wait ends. Both words of a tile are
// fetched before either is looked at.
bool look_left(int column, int tile, int row, out VALUE left)
{
    int passed = 0, turns = 0; // tiles
    left = VALUE(0);
    while (passed < column) {
        int at = tile - passed - 1;
        VALUE sum, all_left;
        bool has_all = take(place_of_left(at) + row, all_left);
        bool has_sum = take(place_of_sum(at) + row, sum);
        if (has_all || has_sum) {
            left += has_all ? all_left : sum;
            passed = has_all ? column : passed + 1;
        } else if (!goes_on(turns))
            break;
    }
    return passed >= column;
}

// The table's entry in `column` of the last row of the tile `above`. What leaves the loop is
// carried through it: llvmpipe keeps no value of threads that left before others.
bool look_up(int above, int column, out VALUE top)
{
    int turns = 0;
    bool there = false;
    top = VALUE(0);
    while (!there) {
        VALUE entry;
        if (take(place_of_bottom(above) + column, entry)) {
            top = entry;
            there = true;
        } else if (!goes_on(turns))
            break;
    }
    return there;
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
