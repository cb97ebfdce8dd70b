// mipchain/chain.comp - some levels of a chain, by tiles of 64 x 64 texels and their halo
//
//   in        i_src              level u_stage.x of the texture (FROM_IMAGE), else b_handover
//   out       i_level1 .. 8      the levels that follow, written only
//             i_copy             with COPY the first level itself, one channel or two
//             b_handover         the last level of each stage in fp32, for whoever goes on from it
//   host sets FROM_IMAGE  1 = the source is the texture's first level; LEVELS written, 1 .. 8
//             ODD_X, ODD_Y  whether the source level's sizes are odd (and not 1)
//             SECOND      1 = the group that arrives last goes on: u_stage.z more levels
//             COPY; FIRST_UNIT  image units before the first level's: source and copy
//             EVEN        levels of the first stage, if all of them halve exactly (mipchain/even.glsl), or 0
//             BATCH_Y     texels of level 1 that a thread has under way, down: 2 without odd sizes, or 1
//             COUNTS      1 = count non-finite texels (common/info.glsl)
//             CHANNELS    1, 2 or 4, of the texels held; REGION texels of level 1 held at most
//             and what source.glsl, reduce.glsl and round.glsl want
//   dispatch  tiles x, tiles y, layers. engine_plugin/src/mip_plan.h draws a tile
//   shared    REGION texels in fp32: 16 KiB for even sizes and four channels, so that three groups
//             share the 54 KiB that NVIDIA's GL gives a multiprocessor
//   cost      must move the source level once and the levels below once: 4/3 of the source's bytes.
//             Even sizes: 16 loads of a thread are under way together; odd: 9
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (weights); last group by an
//             atomic: AMD's SPD 2020, here for every tile of a second stage, with the ordering that
//             GL asks for
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(FROM_IMAGE) || !defined(LEVELS) || !defined(ODD_X) || !defined(ODD_Y) || !defined(SECOND) || !defined(BATCH_Y) || !defined(COPY) || !defined(FIRST_UNIT) || !defined(COUNTS) || !defined(CHANNELS) || !defined(REGION) || !defined(EVEN)
#error "FROM_IMAGE, LEVELS, ODD_X, ODD_Y, SECOND, BATCH_Y, COPY, FIRST_UNIT, COUNTS, CHANNELS, REGION and EVEN must be set by the host"
#endif
#include "common/interface.h"
#include "common/sync.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_rect;     // of the first level: x, y, width, height
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst;      // the same corner in the texture written, and
                                                             // that texture's width and height, all as
                                                             // they would be at the first level
layout(location = AG_LOC_TEXTURE) uniform ivec4 u_texture;   // samples, mipmap level read (depth alone);
                                                             // first layer read, written
layout(location = AG_LOC_STAGE) uniform ivec4 u_stage;       // source level, levels, second's, 1 = scrub
layout(location = AG_LOC_HANDOVER) uniform ivec4 u_handover; // source, first's and second's last level
                                                             // (-1: not left), a layer's texels
layout(location = AG_LOC_SECOND) uniform ivec4 u_second;     // tiles of the second stage, its halo

#if STORE == AG_STORE_UNORM8
#define WHITE 255.0
#elif STORE == AG_STORE_10_10_10_2
#define WHITE 1023.0
#else
#define WHITE 1.0
#endif

#include "mipchain/texel.glsl"
#include "mipchain/reduce.glsl"
#if FROM_IMAGE
#include "mipchain/source.glsl"
#endif
#include "mipchain/stored.glsl"
#if COUNTS
#include "common/info.glsl"
#endif

// coherent: within a dispatch the second stage reads what other groups wrote.
layout(std430, binding = AG_SSBO_HANDOVER) coherent buffer Handover { TEXEL b_handover[]; };
#if SECOND
layout(std430, binding = AG_SSBO_COUNTERS) coherent buffer Counters { uint b_arrived[]; };
shared uint s_arrived;
#endif
#if !EVEN || SECOND
shared TEXEL s_level[REGION];
#endif

// ---- levels as they are stored

// GL 4.3 wants literal bindings. Before the levels come the source, if it is an image, and the copy.
#if FIRST_UNIT == 0
#define UNIT1 0
#define UNIT2 1
#define UNIT3 2
#define UNIT4 3
#define UNIT5 4
#define UNIT6 5
#define UNIT7 6
#define UNIT8 7
#elif FIRST_UNIT == 1
#define UNIT1 1
#define UNIT2 2
#define UNIT3 3
#define UNIT4 4
#define UNIT5 5
#define UNIT6 6
#define UNIT7 7
#elif FIRST_UNIT == 2
#define UNIT1 2
#define UNIT2 3
#define UNIT3 4
#define UNIT4 5
#define UNIT5 6
#define UNIT6 7
#endif
#if ARRAY
#define LEVEL_IMAGE writeonly uniform image2DArray
#else
#define LEVEL_IMAGE writeonly uniform image2D
#endif
#if COPY && FIRST_UNIT == 1
layout(binding = 0) LEVEL_IMAGE i_copy;
#elif COPY
layout(binding = 1) LEVEL_IMAGE i_copy;
#endif
layout(binding = UNIT1) LEVEL_IMAGE i_level1;
#if LEVELS > 1
layout(binding = UNIT2) LEVEL_IMAGE i_level2;
#endif
#if LEVELS > 2
layout(binding = UNIT3) LEVEL_IMAGE i_level3;
#endif
#if LEVELS > 3
layout(binding = UNIT4) LEVEL_IMAGE i_level4;
#endif
#if LEVELS > 4
layout(binding = UNIT5) LEVEL_IMAGE i_level5;
#endif
#if LEVELS > 5
layout(binding = UNIT6) LEVEL_IMAGE i_level6;
#endif
#if LEVELS > 6
layout(binding = UNIT7) LEVEL_IMAGE i_level7;
#endif
#if LEVELS > 7
layout(binding = UNIT8) LEVEL_IMAGE i_level8;
#endif

#if !EVEN || SECOND
// `image` counts from 1; p from the level's corner of the rectangle.
void store_level(int image, ivec2 p, vec4 c)
{
    int level = u_stage.x + image;
    p += min(u_dst.xy >> level, max(u_dst.zw >> level, 1) - 1);
    c = stored(c);
    switch (image) { // not an array of images: GL 4.3 wants constant indices
    case 1: imageStore(i_level1, PLACE_DST(p), c); break;
#if LEVELS > 1
    case 2: imageStore(i_level2, PLACE_DST(p), c); break;
#endif
#if LEVELS > 2
    case 3: imageStore(i_level3, PLACE_DST(p), c); break;
#endif
#if LEVELS > 3
    case 4: imageStore(i_level4, PLACE_DST(p), c); break;
#endif
#if LEVELS > 4
    case 5: imageStore(i_level5, PLACE_DST(p), c); break;
#endif
#if LEVELS > 5
    case 6: imageStore(i_level6, PLACE_DST(p), c); break;
#endif
#if LEVELS > 6
    case 7: imageStore(i_level7, PLACE_DST(p), c); break;
#endif
#if LEVELS > 7
    case 8: imageStore(i_level8, PLACE_DST(p), c); break;
#endif
    }
}
#endif

// ---- sizes and weights

#define TAPS_X (2 + ODD_X)
#define TAPS_Y (2 + ODD_Y)
#define TAPS (TAPS_X * TAPS_Y)
#if ODD_X || ODD_Y
#define BATCH_X 1
#else
#define BATCH_X 2
#endif

ivec2 choose(ivec2 no, ivec2 yes, bvec2 which)
{
    return ivec2(which.x ? yes.x : no.x, which.y ? yes.y : no.y);
}

ivec2 level_size(int level)
{
    return max(u_rect.zw >> level, 1);
}

bool is_odd(int size)
{
    return size > 1 && (size & 1) != 0;
}

// Area weights of the texels 2i, 2i + 1, 2i + 2 of an axis; mip_plan.h has the rule.
vec3 axis_weights(int size, int i)
{
    int n = size >> 1;
    vec3 odd = vec3(n - i, n, i + 1) / float(size);
    vec3 even = size == 1 ? vec3(1.0, 0.0, 0.0) : vec3(0.5, 0.5, 0.0);
    return is_odd(size) ? odd : even;
}

// What a tile computes of the level `j` below its stage's source.
struct Region {
    ivec2 start, size, owned; // texels of that level; owned ones are stored
};

// `halo`: beyond the 64 >> j texels, at this level.
Region region_of(ivec2 tile, ivec2 tiles, int level, int j, ivec2 halo)
{
    ivec2 nominal = ivec2(64 >> j), whole = level_size(level);
    ivec2 start = tile * nominal, size = min(nominal + halo, whole - start);
    return Region(start, size, choose(nominal, size, equal(tile, tiles - 1)));
}

// The halo `j` levels below a stage's source, when the stage makes `levels`.
ivec2 halo_at(int source, int levels, int j)
{
    ivec2 halo = ivec2(0);
    for (int k = levels - 1; k >= j; --k) {
        ivec2 size = level_size(source + k);
        halo = 2 * halo + ivec2(is_odd(size.x), is_odd(size.y));
    }
    return halo;
}

// ---- a stage

#if FROM_IMAGE
#define LOAD_SOURCE(p, bad) load_first(p, bad)
#else
#define LOAD_SOURCE(p, bad) load_handover(u_handover.x, level_size(u_stage.x).x, p)
#endif

vec4 load_handover(int at, int width, ivec2 p)
{
    return UNPACK(b_handover[int(gl_WorkGroupID.z) * u_handover.w + at + p.y * width + p.x]);
}

void leave(int at, int level, ivec2 p, vec4 c)
{
    b_handover[int(gl_WorkGroupID.z) * u_handover.w + at + p.y * level_size(level).x + p.x] = PACK(c);
}

#if EVEN
#include "mipchain/even.glsl"
#endif

#if !EVEN || SECOND
// A texel of a tile's level j, to wherever it is wanted: in its image, and the last one in the buffer.
void put(Region r, ivec2 p, int image, bool last, int at, vec4 c)
{
    if (all(lessThan(p, r.owned))) {
        store_level(image, r.start + p, c);
        if (last && at >= 0)
            leave(at, u_stage.x + image, r.start + p, c);
    }
}

#if !EVEN
// Level 1 from the texture or the buffer, BATCH texels a thread at a time, 16 apart: all their loads come
// before anything else, and a warp's accesses lie side by side. The taps are constants.
void first_level(Region r, int levels, inout uint bad_texels)
{
    ivec2 id = ivec2(gl_LocalInvocationID.xy), size = level_size(u_stage.x);
    ivec2 last = level_size(u_stage.x + 1) - 1;
    for (int y = id.y; y < r.size.y; y += 16 * BATCH_Y)
        for (int x = id.x; x < r.size.x; x += 16 * BATCH_X) {
            vec4 texels[BATCH_X * BATCH_Y * TAPS];
            bool bad[BATCH_X * BATCH_Y * TAPS];
            for (int b = 0; b < BATCH_X * BATCH_Y; ++b)
                for (int k = 0; k < TAPS; ++k) {
                    ivec2 to = r.start + ivec2(x, y) + 16 * ivec2(b % BATCH_X, b / BATCH_X);
                    ivec2 from = min(2 * to + ivec2(k % TAPS_X, k / TAPS_X), size - 1);
                    bad[b * TAPS + k] = false;
                    texels[b * TAPS + k] = LOAD_SOURCE(from, bad[b * TAPS + k]);
                }
            for (int b = 0; b < BATCH_X * BATCH_Y; ++b) {
                ivec2 p = ivec2(x, y) + 16 * ivec2(b % BATCH_X, b / BATCH_X), to = r.start + p;
                bool inside = all(lessThan(p, r.size));
#if ODD_X || ODD_Y
                vec3 wx = axis_weights(size.x, to.x), wy = axis_weights(size.y, to.y);
#else // a size of 1 has its texel twice
                const vec3 wx = vec3(0.5), wy = vec3(0.5);
#endif
                SUM s = sum_begin();
                for (int k = 0; k < TAPS; ++k) {
                    ivec2 tap = ivec2(k % TAPS_X, k / TAPS_X);
                    sum_add(s, texels[b * TAPS + k], wx[tap.x] * wy[tap.y], true);
#if COUNTS || COPY
                    // Each texel once: where a neighbour has it too, by the output it comes first in,
                    // and of an axis of 1 texel, once of twice.
                    bool across = tap.x == 0 || (tap.x == 1 && size.x > 1) || (tap.x == 2 && to.x == last.x);
                    bool down = tap.y == 0 || (tap.y == 1 && size.y > 1) || (tap.y == 2 && to.y == last.y);
                    bool mine = across && down && all(lessThan(p, r.owned));
                    bad_texels += uint(bad[b * TAPS + k] && mine);
#if COPY
                    if (mine)
                        imageStore(i_copy, PLACE_DST(u_dst.xy + min(2 * to + tap, size - 1)), texels[b * TAPS + k]);
#endif
#endif
                }
                vec4 c = sum_finish(s);
                if (inside) {
                    s_level[p.y * r.size.x + p.x] = PACK(c);
                    put(r, p, 1, levels == 1, u_handover.y, c);
                }
            }
        }
}

#endif

// A texel of the next level from a region `width` texels wide in shared memory.
vec4 reduce_shared(ivec2 p, ivec2 to, ivec2 above, int width)
{
    vec3 wx = axis_weights(above.x, to.x), wy = axis_weights(above.y, to.y);
    ivec2 taps = choose(ivec2(2), ivec2(3), bvec2(is_odd(above.x), is_odd(above.y)));
    taps = choose(taps, ivec2(1), equal(above, ivec2(1)));
    SUM s = sum_begin();
    for (int ky = 0; ky < taps.y; ++ky)
        for (int kx = 0; kx < taps.x; ++kx)
            sum_add(s, UNPACK(s_level[(2 * p.y + ky) * width + 2 * p.x + kx]), wx[kx] * wy[ky], false);
    return sum_finish(s);
}

// All levels after the first of a stage, each from the one before, in place: read, wait, write.
void more_levels(ivec2 tile, ivec2 tiles, int source, int levels, int width, int at)
{
    ivec2 id = ivec2(gl_LocalInvocationID.xy);
    for (int j = 2; j <= levels; ++j) {
        Region r = region_of(tile, tiles, source + j, j, halo_at(source, levels, j));
        ivec2 above = level_size(source + j - 1);
        TEXEL kept[4]; // a region of level 2 or below is 32 texels wide at most
        sync_shared();
        for (int k = 0; k < 4; ++k) {
            ivec2 p = id + 16 * ivec2(k & 1, k >> 1);
            if (all(lessThan(p, r.size))) {
                vec4 c = reduce_shared(p, r.start + p, above, width);
                kept[k] = PACK(c);
                put(r, p, source - u_stage.x + j, j == levels, at, c);
            }
        }
        sync_shared();
        for (int k = 0; k < 4; ++k) {
            ivec2 p = id + 16 * ivec2(k & 1, k >> 1);
            if (all(lessThan(p, r.size)))
                s_level[p.y * r.size.x + p.x] = kept[k];
        }
        width = r.size.x;
    }
}

#endif

#if SECOND
// Level 1 of the second stage, from what this dispatch's groups left.
void second_level(Region r, int source, int levels)
{
    ivec2 id = ivec2(gl_LocalInvocationID.xy), size = level_size(source);
    for (int y = id.y; y < r.size.y; y += 16)
        for (int x = id.x; x < r.size.x; x += 16) {
            ivec2 p = ivec2(x, y), to = r.start + p;
            vec3 wx = axis_weights(size.x, to.x), wy = axis_weights(size.y, to.y);
            SUM s = sum_begin();
            for (int ky = 0; ky < 3; ++ky)
                for (int kx = 0; kx < 3; ++kx) // a third texel that is none weighs 0, and is a second one
                    sum_add(s, load_handover(u_handover.y, size.x,
                                             min(2 * to + ivec2(is_odd(size.x) ? kx : min(kx, 1),
                                                                is_odd(size.y) ? ky : min(ky, 1)),
                                                 size - 1)),
                            wx[kx] * wy[ky], false);
            vec4 c = sum_finish(s);
            s_level[y * r.size.x + x] = PACK(c);
            put(r, p, u_stage.y + 1, levels == 1, u_handover.z, c);
        }
}

// Whether this group is the last of those that contribute to a tile of the second stage. Its texels
// begin at `from`, a multiple of `owned`, and a group has `owned` of them each way.
bool arrives_last(ivec2 tile, ivec2 size, int owned)
{
    ivec2 from = tile * 64;
    ivec2 end = choose(min(from + 64 + u_second.zw, size), size, equal(tile, u_second.xy - 1));
    ivec2 groups = (end - 1) / owned - from / owned + 1;
    int at = (int(gl_WorkGroupID.z) * u_second.y + tile.y) * u_second.x + tile.x;
    if (gl_LocalInvocationIndex == 0u) {
        s_arrived = atomicAdd(b_arrived[at], 1u) + 1u;
        if (s_arrived == uint(groups.x * groups.y))
            b_arrived[at] = 0u; // nobody else comes; the next execute finds it so
    }
    sync_shared();
    bool last = s_arrived == uint(groups.x * groups.y);
    sync_shared(); // before s_arrived is written again
    return last;
}

void second_stage()
{
    int source = u_stage.x + u_stage.y, owned = 64 >> u_stage.y;
    ivec2 size = level_size(source), begin = ivec2(gl_WorkGroupID.xy) * owned;
    // A group's texels lie in one tile of the second stage, and maybe in the halo of those before.
    ivec2 hi = min(begin / 64, u_second.xy - 1);
    ivec2 lo = max(min(hi, begin / 64 - ivec2(lessThan(begin % 64, u_second.zw))), 0);
    // Every thread's stores come before the arrival of its group is counted, and the loads of the last
    // one after it has seen all others counted.
    memoryBarrierBuffer();
    barrier();
    for (int y = lo.y; y <= hi.y; ++y)
        for (int x = lo.x; x <= hi.x; ++x)
            if (arrives_last(ivec2(x, y), size, owned)) {
                memoryBarrierBuffer();
                Region r = region_of(ivec2(x, y), u_second.xy, source + 1, 1,
                                     halo_at(source, u_stage.z, 1));
                second_level(r, source, u_stage.z);
                more_levels(ivec2(x, y), u_second.xy, source, u_stage.z, r.size.x, u_handover.z);
                sync_shared();
            }
}
#endif

void main()
{
    uint bad_texels = 0u;
#if EVEN
    even_tile(bad_texels);
#else
    ivec2 tile = ivec2(gl_WorkGroupID.xy), tiles = ivec2(gl_NumWorkGroups.xy);
    Region r = region_of(tile, tiles, u_stage.x + 1, 1, halo_at(u_stage.x, u_stage.y, 1));
    first_level(r, u_stage.y, bad_texels);
#endif
#if COUNTS
    if (bad_texels != 0u)
        atomicAdd(b_info.scrubbed, bad_texels);
#endif
#if !EVEN
    more_levels(tile, tiles, u_stage.x, u_stage.y, r.size.x, u_handover.y);
#endif
#if SECOND
    second_stage();
#endif
}
