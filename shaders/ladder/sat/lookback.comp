// ladder/sat/lookback.comp - a table in one pass: tiles look back at what those before them found
//
//   in        ladder/sat/texels.glsl, the image
//   out       the table; b_words: what tiles publish; b_state.failed, and the groups of the repair
//   shared    ROWS x 33 numbers, 256 more, and ROWS + 32 entries: 11 KiB of four channels
//   host sets the defines of ladder/sat/texels.glsl
//             DOWN    rows of a tile, by eights: 4 or 8
//   dispatch  tiles x, tiles y; ladder/sat/lookback_clear.comp before; then the steps of `tiles`,
//             indirectly, whose groups are 0 unless this pass failed
//   cost      i + o bytes a texel, and 3 times 4 (64 DOWN + 128) / (1024 DOWN) a channel (integers
//             twice): cleared, published, read. Each texel is read once and each entry stored once
//   why       A tile waits for tiles with earlier tickets, which have begun. GL does not promise
//             that they go on, so no wait is longer than u_repair_0.w turns: then the pass fails,
//             all groups leave, and `tiles` makes the table, and counts bad texels once more.
//             Channels take turns in shared memory: a group waits, so others must fit beside it
//   technique D20 of docs/ladder.md
//   source    D. Merrill, M. Garland 2016, "Single-pass parallel prefix scan with decoupled
//             look-back"; Y. Emoto et al. 2018, IPDPSW (tables)
//
//     S | top      left(y)  what is left of the tile in its rows up to y:     waits leftward, for
//     --+----               the sums of several tiles at a time
//     l | L        top(x)   the table's entries above the tile:               waits for one tile
//                  L + (left + top)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef DOWN
#error "DOWN must be set by the host"
#endif
#include "ladder/sat/texels.glsl"
#include "ladder/sat/lookback_scan.glsl"
#include "ladder/sat/lookback.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

shared VALUE s_left[ROWS], s_top[32];
shared ivec2 s_place;
shared uint s_failed;

VALUE entry_of(LOCAL v[CHANNELS][DOWN], int j)
{
    LOCAL entry[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c)
        entry[c] = v[c][j];
    return joined(entry);
}

// Bit j of `bad` is that of the thread's texel j. Of those outside the image none counts.
void count_bad(uint bad, int rows)
{
    count_scrubbed(uint(bitCount(bad & ((1u << clamp(rows, 0, DOWN)) - 1u))));
}

void main()
{
    if (thread() == 0) {
        s_place = tile_of(int(atomicAdd(b_state.ticket, 1u)));
        s_failed = b_state.failed;
    }
    sync_shared();
    int t = thread();
    ivec2 tile = s_place, corner = tile * ivec2(32, ROWS);
    ivec2 first = corner + ivec2(gl_LocalInvocationID.xy) * ivec2(1, DOWN);
    int index = tile.y * int(gl_NumWorkGroups.x) + tile.x;
    RAW raw[DOWN];
    LOCAL v[CHANNELS][DOWN], right[CHANNELS];
    uint bad = 0u;
    // What lies outside the image is a texel of its border: no entry inside depends on it.
    for (int j = 0; j < DOWN; ++j)
        raw[j] = fetch_inside(min(first + ivec2(0, j), extent() - 1));
    for (int j = 0; j < DOWN; ++j) {
        bool is_bad;
        VALUE texel = value_of_texel(raw[j], is_bad);
        for (int c = 0; c < CHANNELS; ++c)
            v[c][j] = widened(texel)[c];
        bad |= uint(is_bad) << j;
    }
    if (bad != 0u)
        count_bad(bad, first.x < extent().x ? extent().y - first.y : 0);
    scan_columns(v);
    for (int c = 0; c < CHANNELS; ++c)
        right[c] = scan_rows(v[c]);
    ivec2 p = place_to_store();
    bool has_bottom = p.y == ROWS - 1 - 2 * (DOWN - 1);
    VALUE top = VALUE(0);
    if (t < ROWS) {
        VALUE sum = joined(right), left;
        publish(place_of_sum(index) + t, sum);
        bool known = look_left(tile.x, index, t, left);
        s_left[t] = left;
        if (!known)
            s_failed = 1u;
        else
            publish(place_of_left(index) + t, left + sum);
    }
    sync_shared();
    if (has_bottom && s_failed == 0u) {
        bool known = tile.y == 0;
        if (!known)
            known = look_up(index - int(gl_NumWorkGroups.x), p.x, top);
        s_top[p.x] = top;
        if (!known)
            s_failed = 1u;
        else // at once: the tiles below wait for it, one after the other
            publish(place_of_bottom(index) + p.x, top + (s_left[ROWS - 1] + entry_of(v, DOWN - 1)));
    }
    sync_shared();
    if (s_failed != 0u) {
        if (t == 0)
            fail();
        return;
    }
    top = s_top[p.x];
    if (corner.x + p.x < extent().x)
        for (int j = 0, y = p.y; j < DOWN; ++j, y += 2)
            if (corner.y + y < extent().y)
                store_value(corner + ivec2(p.x, y), entry_of(v, j) + (s_left[y] + top));
}
