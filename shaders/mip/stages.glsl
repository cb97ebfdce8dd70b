// mip/stages.glsl - levels from a buffer and from shared memory, and the groups that go on by themselves
//
//   host sets REGION    texels of level 1 of a stage held at most
//             THREADS   of a group
//             BUFFERED  1 = a stage begins in the buffer
//             GAP       texels before each row of a level 1 that is in shared memory already: 0 or 1
//   why       one loop for all levels of all stages, whose bounds are uniforms so that nothing is unrolled:
//             little code, for every size. Straight-line code was as fast (docs/rejected.md)
//   shared    5/4 REGION texels in fp32: levels take turns in two regions, so that each costs one barrier
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_STAGES_GLSL
#define AG_MIPCHAIN_STAGES_GLSL
#if !defined(REGION) || !defined(THREADS) || !defined(BUFFERED) || !defined(GAP)
#error "REGION, THREADS, BUFFERED and GAP must be set"
#endif
shared TEXEL s_level[REGION + REGION / 4];
#if SECOND
#include "mip/arrive.glsl"
#endif

struct Stage {
    ivec2 tile, tiles;
    int source, levels; // makes source + 1 .. source + levels
    int from, at;       // where in the buffer the source is, and its last level goes
};

// Levels `first` .. of a tile: 1, from the buffer; 2, level 1 is in shared memory already.
void make_levels(Stage s, int first)
{
    int gap = GAP * (first - 1);
    int width = region_of(s.tile, s.tiles, s.source + 1, 1, halo_at(s.source, s.levels, 1)).size.x + gap;
    for (int j = first; j <= s.levels; ++j) {
        Region r = region_of(s.tile, s.tiles, s.source + j, j, halo_at(s.source, s.levels, j));
        ivec2 above = level_size(s.source + j - 1), two = second_tap(above), three = third_tap(above);
        int into = REGION * (~j & 1), from = REGION - into + gap;
        float row = 1.0 / float(r.size.x);
        if (j > 1)
            sync_shared();
        for (int i = int(gl_LocalInvocationIndex); i < r.size.x * r.size.y; i += THREADS) {
            int y = int((float(i) + 0.5) * row);
            ivec2 p = ivec2(i - y * r.size.x, y), to = r.start + p;
            ivec3 x = ivec3(0, two.x, three.x), v = ivec3(0, two.y, three.y);
            vec4 texels[9];
#if BUFFERED
            if (j == 1)
                for (int k = 0; k < 9; ++k)
                    texels[k] = load_handover(s.from, above.x, 2 * to + ivec2(x[k % 3], v[k / 3]));
            else
#endif
                for (int k = 0; k < 9; ++k)
                    texels[k] = UNPACK(s_level[from + (2 * p.y + v[k / 3]) * width + 2 * p.x + x[k % 3]]);
            vec3 wx = axis_weights(above.x, to.x), wy = axis_weights(above.y, to.y);
            SUM sum = sum_begin();
            for (int k = 0; k < 9; ++k)
                sum_add(sum, texels[k], wx[k % 3] * wy[k / 3], false);
            vec4 c = sum_finish(sum);
            s_level[into + i] = PACK(c);
            put(r, p, s.source - u_stage.x + j, j == s.levels, s.at, c);
        }
        width = r.size.x;
        gap = 0;
    }
}

// The stages of a dispatch: its own tile's, from level `first` on (0: that is done), and then those of
// the second stage's tiles that this group is the last to contribute to, and the third stage's if it is the
// last to have made one of these.
void run_stages(int first)
{
    Stage s = Stage(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), u_stage.x, u_stage.y, u_handover.x,
                    u_handover.y);
#if SECOND
    ivec2 size = level_size(u_stage.x + u_stage.y), own = ivec2(64 >> u_stage.y), begin = s.tile * own;
    // A group's texels lie in one tile of the second stage, and maybe in the halo of those before.
    ivec2 hi = min(begin / 64, u_second.xy - 1);
    ivec2 lo = max(min(hi, begin / 64 - ivec2(lessThan(begin % 64, u_second.zw))), 0);
    ivec2 count = hi - lo + 1;
    bool third = false; // comes next: a tile of the second stage is made
    for (int n = -int(first > 0); n < count.x * count.y;) {
        bool goes = true;
#if THIRD
        if (third) {
            int source = u_stage.x + u_stage.y + u_stage.z;
            s = Stage(ivec2(0), ivec2(1), source, u_levels.y, u_handover.z, -1);
            goes = last_of_third();
        } else
#endif
            if (n >= 0) {
            int below = n / count.x;
            s = Stage(lo + ivec2(n - below * count.x, below), u_second.xy, u_stage.x + u_stage.y, u_stage.z,
                      u_handover.y, u_handover.z);
            first = 1;
            goes = last_of_second(s.tile, size, own.x);
        }
        if (goes) {
            make_levels(s, first);
            sync_shared();
        }
        third = THIRD != 0 && goes && n >= 0 && !third;
        n += int(!third);
    }
#else
    if (first > 0)
        make_levels(s, first);
#endif
}

#endif
