// mip/chain.glsl - what the stages of a chain share: images, the buffer between them, arrivals
//
//   out       i_copy         with COPY the first level itself
//             i_level1 .. 8  the levels that follow; those above LEVELS are not used
//   in, out   b_handover     the last level of each stage in fp32, for the next stage or dispatch
//             b_arrived      with SECOND: how many groups have arrived at each tile of the second
//                            stage; 0 between executes
//   host sets LEVELS         number of levels of the dispatch, 1 .. 8, without the first one
//             COPY           1 = the dispatch stores the first one, too
//             UNIT0 .. 8     image units of i_copy and the levels: literals, as GL 4.3 requires
//             SECOND         AG_SECOND_*: what the groups that arrive last make
//             and the defines of mip/level.glsl
//   source    last group by an atomic: AMD's SPD 2020, here for every tile of a second stage, with
//             the memory ordering that GL requires
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(LEVELS) || !defined(COPY) || !defined(SECOND)
#error "LEVELS, COPY and SECOND (AG_SECOND_*) must be set by the host"
#endif
#if !defined(UNIT0) || !defined(UNIT1) || !defined(UNIT2) || !defined(UNIT3) || \
    !defined(UNIT4) || !defined(UNIT5) || !defined(UNIT6) || !defined(UNIT7) || !defined(UNIT8)
#error "UNIT0 to UNIT8 must be set by the host"
#endif
#include "common/sync.glsl"
#include "mip/level.glsl"

layout(location = AG_LOC_HANDOVER) uniform ivec4 u_handover;
layout(location = AG_LOC_SECOND) uniform ivec4 u_second;
layout(location = AG_LOC_LEVELS) uniform ivec4 u_levels;

int layer_texels() { return u_stage.y; } // of the buffer
int levels_of(int stage) { return u_levels[stage]; }
int tile_of_first() { return u_levels.z; } // texels each way
int place_of_source(int stage) { return u_handover[stage]; }
int place_of_last(int stage) { return u_handover[stage + 1]; } // of its last level; -1: not stored
ivec2 second_tiles() { return u_second.xy; }
ivec2 second_halo() { return u_second.zw; }

// ---- images

// A program may declare 8 images, used or not: images that do not exist are i_level1.
#if COPY
layout(binding = UNIT0) LEVEL_IMAGE i_copy;
#else
#define i_copy i_level1
#endif
layout(binding = UNIT1) LEVEL_IMAGE i_level1;
layout(binding = UNIT2) LEVEL_IMAGE i_level2;
layout(binding = UNIT3) LEVEL_IMAGE i_level3;
layout(binding = UNIT4) LEVEL_IMAGE i_level4;
layout(binding = UNIT5) LEVEL_IMAGE i_level5;
layout(binding = UNIT6) LEVEL_IMAGE i_level6;
#if LEVELS > 6
layout(binding = UNIT7) LEVEL_IMAGE i_level7;
#else
#define i_level7 i_level1
#endif
#if LEVELS > 7
layout(binding = UNIT8) LEVEL_IMAGE i_level8;
#else
#define i_level8 i_level1
#endif
// Not an array of images: GL 4.3 requires constant indices. Images that do not exist are not used.
#define STORE_IN(number, exists, i_level) \
    if ((exists) && image == number)      \
        imageStore(i_level, PLACE_DST(p), c);

// `image`: levels below the dispatch's first one; 0 is the copy. p and c are stored as they are.
void store_placed(int image, ivec2 p, vec4 c)
{
    STORE_IN(1, true, i_level1)
    else STORE_IN(2, LEVELS > 1, i_level2)
    else STORE_IN(3, LEVELS > 2, i_level3)
    else STORE_IN(4, LEVELS > 3, i_level4)
    else STORE_IN(5, LEVELS > 4, i_level5)
    else STORE_IN(6, LEVELS > 5, i_level6)
    else STORE_IN(7, LEVELS > 6, i_level7)
    else STORE_IN(8, LEVELS > 7, i_level8)
    else STORE_IN(0, COPY != 0, i_copy)
}

// ---- the buffer between stages

// coherent where a second stage reads what other groups wrote; otherwise caches may help.
#if SECOND
#define SEEN_BY_ALL coherent
#else
#define SEEN_BY_ALL
#endif
layout(std430, binding = AG_SSBO_HANDOVER) SEEN_BY_ALL buffer Handover { TEXEL b_handover[]; };

int handover_index(int at, int width, ivec2 p)
{
    return int(gl_WorkGroupID.z) * layer_texels() + at + p.y * width + p.x;
}

vec4 load_handover(int at, int width, ivec2 p)
{
    return UNPACK(b_handover[handover_index(at, width, p)]);
}

void store_handover(int at, int level, ivec2 p, vec4 c)
{
    b_handover[handover_index(at, level_size(level).x, p)] = PACK(c);
}

// ---- the group that arrives last

#if SECOND
layout(std430, binding = AG_SSBO_COUNTERS) coherent buffer Counters { uint b_arrived[]; };
shared uint s_arrived;

// Whether this group is the last of `groups` that arrive at counter `at` of this layer. All threads
// call this together. The last group can then read what all groups stored before.
bool arrives_last(int at, int groups)
{
    at += int(gl_WorkGroupID.z) * second_tiles().x * second_tiles().y;
    // Every thread's stores come before the arrival of its group is counted.
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        s_arrived = atomicAdd(b_arrived[at], 1u) + 1u;
        if (s_arrived == uint(groups))
            b_arrived[at] = 0u; // all have arrived; the next execute starts from 0
    }
    sync_shared();
    bool last = s_arrived == uint(groups);
    sync_shared(); // before s_arrived is written again
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    return last;
}
#endif
