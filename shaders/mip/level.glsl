// mip/level.glsl - a level of a texture: its size and place, and the forms of its texels
//
//   numbers   Levels are computed in numbers. Of a mean these are codes of unorm formats, 0 .. 255
//             or 1023, linear values of sRGB, and values of other formats. Sums of whole numbers
//             below 2^24 and halves of them are exact in fp32, so levels of even sizes are the same
//             on every GPU. Other reductions (EXACT) select texels by their values, those of sRGB
//             encoded, whose order is the same.
//             A TEXEL has the numbers of the first CHANNELS in fp32, in buffers and shared memory.
//             stored() returns what an image holds
//   host sets CHANNELS   1, 2 or 4: of TEXEL
//             ARRAY      1 = the texture has layers; the work group's z selects one
//             STORE      AG_STORE_* of the format
//             REDUCE     AG_REDUCE_*
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(CHANNELS) || !defined(ARRAY) || !defined(STORE) || !defined(REDUCE)
#error "CHANNELS, ARRAY, STORE (AG_STORE_*) and REDUCE (AG_REDUCE_*) must be set by the host"
#endif
#include "common/source.glsl" // u_src_rect: of the first level
#include "mip/interface.h"

layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst;
layout(location = AG_LOC_TEXTURE) uniform ivec4 u_texture;
layout(location = AG_LOC_STAGE) uniform ivec4 u_stage;

int first_source() { return u_stage.x; } // the level that a dispatch of a chain begins with
int zero() { return u_stage.z; }         // unknown to compilers: prevents unrolling
bool scrubs() { return u_stage.w != 0; }

// ---- sizes and places

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

#if ARRAY // PLACE: in the texture read, or in place; PLACE_DST: in another one that is written
#define PLACE(p) ivec3(p, layer_of_group())
#define PLACE_DST(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.z))
#define LEVEL_KIND image2DArray
#else
#define PLACE(p) (p)
#define PLACE_DST(p) (p)
#define LEVEL_KIND image2D
#endif
#define LEVEL_IMAGE writeonly uniform LEVEL_KIND

// ---- texels between levels

#if CHANNELS == 1
#define TEXEL float
#elif CHANNELS == 2
#define TEXEL vec2
#else
#define TEXEL vec4
#endif

#define PACK(c) TEXEL(c) // the first channels
vec4 UNPACK(float t) { return vec4(t, 0.0, 0.0, 1.0); }
vec4 UNPACK(vec2 t) { return vec4(t, 0.0, 1.0); }
vec4 UNPACK(vec4 t) { return t; }

// ---- from numbers to what the format holds

const bool EXACT = REDUCE != AG_REDUCE_MEAN;
const bool OF_CODES = STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2;
const vec4 CODES = STORE == AG_STORE_10_10_10_2 ? vec4(1023.0, 1023.0, 1023.0, 3.0) : vec4(255.0);

vec4 round_mean(vec4 v, uint bits, float largest)
{
    return round_number(v, bits, largest, uint(zero()), !scrubs());
}

// Means lie in the format's range, unless a texel is Inf or NaN (without scrub). They are rounded
// here, because drivers truncate (common/texel.glsl).
vec4 stored(vec4 c)
{
    if (EXACT || STORE == AG_STORE_32F) {
    } else if (STORE == AG_STORE_16F) {
        c = round_mean(c, 13u, 65504.0);
    } else if (STORE == AG_STORE_11_11_10F) {
        c = max(c, 0.0);
        c = vec4(round_mean(c, 17u, 65024.0).rg, round_mean(c, 18u, 64512.0).b, 1.0);
    } else if (STORE == AG_STORE_SRGB8) {
        c = vec4(srgb_encode(clamp(c.rgb, 0.0, 1.0)), c.a);
        c = floor(clamp(c, 0.0, 1.0) * CODES + 0.5) / CODES;
    } else { // codes: the image unit rounds to the nearest one
        c = floor(c + 0.5) * (1.0 / CODES);
    }
    return c;
}
