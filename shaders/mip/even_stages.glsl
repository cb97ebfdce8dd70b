// mip/even_stages.glsl - the stages of a dispatch, all of which halve exactly, by the same code
//
//   includer  levels_below: mip/even_shared.glsl or mip/even_shuffled.glsl, before this
//   how       tiles of the first stage read the source. With SECOND the group that arrives last at
//             a tile of the second stage makes it from the buffer (mip/arrive.glsl):
//
//                stage 0   source     64 x 64 texels a tile    ->  one texel in the buffer
//                stage 1   buffer     64 x 64 of these         ->  the next levels
//
//   why       one code for both stages: GPUs are slow to fetch instructions that run for the first
//             time
//   SPDX-License-Identifier: MIT

#if SECOND
#include "mip/arrive.glsl"

// Level 1 of a stage whose source is in the buffer at `from`: two outputs a turn, in a loop that is
// not unrolled. The outputs of the first turn move to [0] and [1] before the second turn.
void even_later_level(int from, inout vec4 level1[4])
{
    ivec2 size = level_size(g_stage.source), p = g_stage.tile * 32 + thread_place(ivec2(16, 8));
    for (int turn = 0; turn < 2 + zero(); ++turn) {
        vec4 texels[8];
        for (int k = 0; k < 8; ++k) {
            ivec2 to = p + apart(2 * turn + (k >> 2));
            texels[k] = load_handover(from, size.x,
                                      min(2 * to + ivec2(k & 1, k >> 1 & 1), size - 1));
        }
        level1[0] = level1[2];
        level1[1] = level1[3];
        level1[2] = mean_of_four(texels[0], texels[1], texels[2], texels[3], false);
        level1[3] = mean_of_four(texels[4], texels[5], texels[6], texels[7], false);
    }
}

void even_stages()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    g_stage = EvenStage(tile, first_source(), levels_of(0), place_of_last(0));
    vec4 level1[4];
    for (int stage = 0;; ++stage) {
        if (stage == 0)
            even_first_level(level1);
        else
            even_later_level(place_of_source(1), level1);
        for (int k = 0; k < 4; ++k)
            output_first(g_stage.tile * 32 + thread_place(ivec2(16, 8)) + apart(k), level1[k]);
        levels_below(level1);
        if (stage == 1)
            return;
        // No halo: a group's texels lie in one tile of the second stage.
        tile /= 64;
        g_stage = EvenStage(tile, first_source() + EVEN, levels_of(1), place_of_last(1));
        ivec2 groups = min(level_size(g_stage.source) - 64 * tile, 64); // that store a texel of it
        if (!arrives_last(tile.y * second_tiles().x + tile.x, groups.x * groups.y))
            return;
    }
}

#else

void even_stages()
{
    g_stage = EvenStage(ivec2(gl_WorkGroupID.xy), first_source(), levels_of(0), place_of_last(0));
    vec4 level1[4];
    even_first_level(level1);
    levels_below(level1);
}

#endif
