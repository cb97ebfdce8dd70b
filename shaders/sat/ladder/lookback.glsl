// sat/ladder/lookback.glsl - bounded waits for the sums left of a tile and above it
//
//   includer  256 threads; s_turn and s_failed are 0, by a barrier too, before look_left
//
//   Nothing waits for long: a wait ends after u_repair_0.w turns, or when another group has failed.
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/ladder/lookback_words.glsl"
#include "common/sync.glsl"

#define LOOKERS (256 / ROWS) // threads a row

// The threads of a row share a wait: part p looks at LOOK tiles, p LOOK + 1 and more to the left of
// those whose sums are known. Its sum ends at one that knows what is left of it, or is not there.
//
//     tiles   .. 8 7 6 5 | 4 3 | 2 1 | tile        LOOK 2: part 0 has 1 and 2, part 1 has 3 and 4
shared VALUE s_part[256];
shared uint s_state[256]; // sums that are there, and 16 where all is known
shared uint s_turn, s_failed;

int thread() { return int(gl_LocalInvocationIndex); }

void look_part(int column, int tile, int passed)
{
    int t = thread(), row = t % ROWS, from = passed + t / ROWS * LOOK + 1;
    VALUE sum[LOOK], all_left[LOOK], own = VALUE(0);
    bool has_sum[LOOK], has_all[LOOK];
    for (int k = 0; k < LOOK; ++k) {
        int at = tile - min(from + k, column);
        has_all[k] = take(place_of_left(at) + row, all_left[k]);
        has_sum[k] = take(place_of_sum(at) + row, sum[k]);
    }
    uint state = 0u;
    for (int k = 0; k < LOOK; ++k) {
        bool next = state == uint(k) && from + k <= column;
        if (next && has_all[k]) {
            own += all_left[k];
            state = 16u;
        } else if (next && has_sum[k]) {
            own += sum[k];
            state = from + k == column ? 16u : uint(k) + 1u;
        }
    }
    s_part[t] = own;
    s_state[t] = state;
}

// What is left of `tile` in row thread() % ROWS. Returns whether it is known before the wait ends.
bool look_left(int column, int tile, out VALUE left)
{
    int passed = 0;
    bool done = column == 0, waits = column > 0;
    left = VALUE(0);
    for (int turn = 1; waits; ++turn) {
        look_part(column, tile, passed);
        sync_shared();
        bool next = !done;
        for (int p = 0; p < LOOKERS; ++p) {
            uint state = s_state[p * ROWS + thread() % ROWS];
            if (next) {
                left += s_part[p * ROWS + thread() % ROWS];
                passed += int(state & 15u);
                done = state == 16u;
                next = state == uint(LOOK);
            }
        }
        if (!done)
            s_turn = uint(turn); // some row waits on
        if (thread() == 0 && turn % 64 == 0 && b_state.failed != 0u)
            s_failed = 1u;
        sync_shared();
        waits = s_turn == uint(turn) && turn < u_repair_0.w && s_failed == 0u;
    }
    return done && s_failed == 0u;
}

// Another turn of a wait? Also no longer if another group has failed.
bool goes_on(inout int turns)
{
    ++turns;
    return turns < u_repair_0.w && (turns % 64 != 0 || b_state.failed == 0u);
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
