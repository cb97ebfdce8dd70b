// mip/level.glsl - what every stage of a chain shares: sizes, weights, tiles, and where levels go
//
//   out       i_level1 .. 8   the levels that a dispatch makes, written only
//             b_handover      the last level of each stage in fp32, for whoever goes on from it
//   host sets LEVELS          written by the dispatch, 1 .. 8
//             SECOND          levels of these that groups that arrive last make (mip/stages.glsl), or 0
//             THIRD           1 = groups that arrive last make a third stage, too
//             BINDLESS        1 = levels come by handles, from b_level: no image unit is used, LEVELS is 0.
//                             The #extension line stands before everything else
//             FIRST_UNIT      image units before the first level's: source and copy
//             CHANNELS        1, 2 or 4, of the texels held
//             and what reduce.glsl and round.glsl want
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_LEVEL_GLSL
#define AG_MIPCHAIN_LEVEL_GLSL
#if !defined(LEVELS) || !defined(SECOND) || !defined(THIRD) || !defined(BINDLESS) || !defined(FIRST_UNIT) || !defined(CHANNELS) || !defined(ARRAY)
#error "LEVELS, SECOND, THIRD, BINDLESS, FIRST_UNIT, CHANNELS and ARRAY must be set by the host"
#endif
#include "mip/interface.h"
#include "common/sync.glsl"

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
#if BINDLESS || THIRD
layout(location = AG_LOC_LEVELS) uniform ivec4 u_levels;     // number of the first level among the handles;
                                                             // levels of the third stage
#endif

#if STORE == AG_STORE_UNORM8
#define WHITE 255.0
#elif STORE == AG_STORE_10_10_10_2
#define WHITE 1023.0
#else
#define WHITE 1.0
#endif

#include "mip/texel.glsl"
#include "mip/reduce.glsl"
#include "mip/stored.glsl"

// coherent where a dispatch's second stage reads what its other groups wrote; else caches may help.
#if SECOND
#define SEEN_BY_ALL coherent
#else
#define SEEN_BY_ALL
#endif
layout(std430, binding = AG_SSBO_HANDOVER) SEEN_BY_ALL buffer Handover { TEXEL b_handover[]; };

// ---- levels as they are stored

#if ARRAY
#define LEVEL_IMAGE writeonly uniform image2DArray
#define HANDLED_IMAGE image2DArray
#else
#define LEVEL_IMAGE writeonly uniform image2D
#define HANDLED_IMAGE image2D
#endif
#if BINDLESS
// The images' formats are those of the handles. Levels are the same for all threads of a group, as the
// extension wants handles to be; every one that is named here exists.
layout(std430, binding = AG_SSBO_LEVELS) readonly buffer Levels { uvec2 b_level[]; };
#define STORE_BY_HANDLE(level, p, c) imageStore(HANDLED_IMAGE(b_level[u_levels.x + (level)]), p, c)
#else
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
#endif

// `image` counts from 1; p and c as they are stored.
void store_placed(int image, ivec2 p, vec4 c)
{
#if BINDLESS
    STORE_BY_HANDLE(u_stage.x + image, PLACE_DST(p), c);
#else
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
#endif
}

// The rectangle's corner in an image.
ivec2 corner_of(int image)
{
    int level = u_stage.x + image;
    return min(u_dst.xy >> level, max(u_dst.zw >> level, 1) - 1);
}

// p from that corner.
void store_level(int image, ivec2 p, vec4 c)
{
    store_placed(image, p + corner_of(image), stored(c));
}
// ---- sizes and weights

// No ?: anywhere below: NVIDIA's compiler makes branches of it, and loads wait at branches.
ivec2 level_size(int level)
{
    return max(u_rect.zw >> level, 1);
}

// Texels 1 and 2 of those that an output takes: 1, 2 where the size is odd; 1, 1 where it is even;
// 0, 0 where it is 1. Texels that are named again weigh 0.
ivec2 second_tap(ivec2 size)
{
    return min(size - 1, 1);
}

ivec2 third_tap(ivec2 size)
{
    return second_tap(size) + (size & second_tap(size));
}

// Area weights of the three for output i of an axis; mip_plan.h has the rule.
vec3 odd_weights(int size, int i)
{
    int n = size >> 1;
    return vec3(n - i, n, i + 1) * (1.0 / float(size));
}

vec3 axis_weights(int size, int i)
{
    int two = min(size >> 1, 1);
    vec3 even = vec3(1.0 - 0.5 * float(two), 0.5 * float(two), 0.0);
    return mix(even, odd_weights(size, i), bvec3((size & two) != 0));
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
    return Region(start, size, nominal + (size - nominal) * ivec2(equal(tile, tiles - 1)));
}

// The halo `j` levels below a stage's source, when the stage makes `levels`. Level k is odd where bit k of
// the source's size is set and not its highest, so 2 halo + odd, level by level, are those bits.
ivec2 halo_at(int source, int levels, int j)
{
    ivec2 size = level_size(source);
    ivec2 rest = size ^ (ivec2(1) << findMSB(size));
    return (rest >> j) & ((1 << (levels - j)) - 1);
}

// ---- texels

vec4 load_handover(int at, int width, ivec2 p)
{
    return UNPACK(b_handover[int(gl_WorkGroupID.z) * u_handover.w + at + p.y * width + p.x]);
}

void leave(int at, int level, ivec2 p, vec4 c)
{
    b_handover[int(gl_WorkGroupID.z) * u_handover.w + at + p.y * level_size(level).x + p.x] = PACK(c);
}

// A texel of a tile's level, to wherever it is wanted: in its image, and the last one in the buffer.
void put(Region r, ivec2 p, int image, bool last, int at, vec4 c)
{
    if (all(lessThan(p, r.owned))) {
        store_level(image, r.start + p, c);
        if (last && at >= 0)
            leave(at, u_stage.x + image, r.start + p, c);
    }
}

#endif
