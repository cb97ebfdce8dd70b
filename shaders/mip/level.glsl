// mip/level.glsl - what all stages share: uniforms, sizes of levels, the buffer between stages
//
//   in, out   b_handover   the last level of each stage in fp32, for the next stage or dispatch
//   host sets SECOND       0 = the dispatch has one stage
//             and the defines of texel.glsl, images.glsl, reduce.glsl and stored.glsl
//   SPDX-License-Identifier: MIT
#if !defined(SECOND) || !defined(LEVELS) || !defined(CHANNELS) || !defined(ARRAY)
#error "SECOND, LEVELS, CHANNELS and ARRAY must be set by the host"
#endif
#include "common/sync.glsl"
#include "mip/interface.h"
#define SRC_LAYER (gl_WorkGroupID.z + uint(u_texture.z))
#include "common/source.glsl" // u_src_rect: of the first level
#include "mip/texel.glsl"

// ---- uniforms (mip/interface.h says what their members are)

layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst;  // corner and size of the texture written,
layout(location = AG_LOC_TEXTURE) uniform ivec4 u_texture; // scaled to the first level
layout(location = AG_LOC_STAGE) uniform ivec4 u_stage;
layout(location = AG_LOC_HANDOVER) uniform ivec4 u_handover;
layout(location = AG_LOC_SECOND) uniform ivec4 u_second;
layout(location = AG_LOC_LEVELS) uniform ivec4 u_levels;

int first_source() { return u_stage.x; }        // the level that the dispatch begins with
int layer_texels() { return u_stage.y; }        // of the buffer
int zero() { return u_stage.z; }                // unknown to compilers: prevents unrolling
bool scrubs() { return u_stage.w != 0; }
int levels_of(int stage) { return u_levels[stage]; }
int place_of_source(int stage) { return u_handover[stage]; }
int place_of_last(int stage) { return u_handover[stage + 1]; } // of its last level; -1: not stored
ivec2 second_tiles() { return u_second.xy; }
ivec2 second_halo() { return u_second.zw; }

// There is no ?: below: NVIDIA's compiler makes branches of it (docs/decisions.md, D13).
ivec2 level_size(int level)
{
    return max(u_src_rect.zw >> level, 1);
}

// The rectangle's corner in the image of a level.
ivec2 level_corner(int level)
{
    return min(u_dst.xy >> level, max(u_dst.zw >> level, 1) - 1);
}

#include "mip/images.glsl"
#include "mip/reduce.glsl"
#include "mip/stored.glsl"

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
