// ladder/sat/lines.glsl - a group scans LINES lines along AXIS, PLACES texels of each at a time
//
//   host sets the defines of ladder/sat/texels.glsl
//             AXIS    0: lines are rows, 1: columns
//             GROUP   threads, a power of two
//             LINES   lines a group: 1 for rows. Neighbouring threads have neighbouring columns,
//                     so LINES of them share a sector of memory
//   dispatch  lines / LINES rounded up
//   includer  scan_chunk
//
//   thread   0        1        .. LINES - 1   LINES    ..        GROUP - 1
//   line     0        1           LINES - 1   0                  LINES - 1
//   place    0        0           0           1                  PLACES - 1
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(AXIS) || !defined(GROUP) || !defined(LINES)
#error "AXIS, GROUP and LINES must be set by the host or defined by the includer"
#endif
#include "ladder/sat/texels.glsl"
#include "common/sync.glsl"
#ifdef SUBGROUPS
#include "common/subgroups.glsl"
#endif

#define PLACES (GROUP / LINES)
layout(local_size_x = GROUP) in;
shared VALUE s_carry[LINES];

// The threads of a subgroup have neighbouring texels; GL does not promise that their indices do.
#ifdef SUBGROUPS
int thread() { return subgroup_index() * 32 + subgroup_lane(); }
#else
int thread() { return int(gl_LocalInvocationIndex); }
#endif
int line_of_thread() { return thread() % LINES; }
int place_of_thread() { return thread() / LINES; }
ivec2 texel_at(int place, int line) { return AXIS == 0 ? ivec2(place, line) : ivec2(line, place); }

// The inclusive scan over the threads of a line, with at least one barrier.
VALUE scan_chunk(VALUE v);

void scan_lines()
{
    ivec2 size = AXIS == 0 ? extent() : extent().yx; // length of a line, lines
    int line = int(gl_WorkGroupID.x) * LINES + line_of_thread();
    VALUE carry = VALUE(0);
    for (int first = 0; first < size.x; first += PLACES) {
        int place = first + place_of_thread();
        bool inside = place < size.x && line < size.y;
        VALUE sum = carry + scan_chunk(load_value(texel_at(place, line), true));
        if (inside)
            store_value(texel_at(place, line), sum);
        if (place_of_thread() == PLACES - 1)
            s_carry[line_of_thread()] = sum;
        sync_shared();
        carry = s_carry[line_of_thread()];
    }
}
