// sat/blur.comp - the mean of a box around every texel
//
//   in        the table (sat/box.glsl); i_src the image; i_radius with RADIUS
//   out       i_dst
//   in, out   b_left with RADIUS: sat/blur_blocks.glsl
//   host sets RADIUS       1 = radius is u_box.x times the first channel of i_radius
//             RADIUS_FORMAT, RADIUS_CODES   as SRC_FORMAT and SRC_CODES
//             and what sat/box.glsl, common/load.glsl and common/store.glsl want
//             PART         AG_BLUR_*: which texels
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y); BEYOND, and SMALL with RADIUS: sat/blur_blocks.glsl
//   cost      16 reads of the table a texel, 4 where the edges are whole (WHOLE; BEYOND); below a radius of
//             AG_BOX_DIRECT at most 25 of the image, and none of the table: small boxes are where a table
//             of floats errs, and radius 0 is the texel itself, to the bit
//   why       what each kind of box needs of registers would be everyone's in one program, and nearly all lie
//             within the image
//   source    Crow 1984; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef RADIUS
#error "RADIUS must be set by the host"
#endif
#ifndef PART
#error "PART (AG_BLUR_*) must be set by the host"
#endif
#include "sat/interface.h"
#include "common/load.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#if PART == AG_BLUR_WHOLE || PART == AG_BLUR_CUT
#define INSIDE 1
#define EDGES_WHOLE (PART == AG_BLUR_WHOLE)
#endif
#include "sat/box.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(location = AG_LOC_BOX) uniform vec4 u_box; // radius
#if RADIUS
layout(location = AG_LOC_BOX_RADIUS) uniform ivec4 u_radius; // x, y of its rectangle
#if RADIUS_CODES
layout(RADIUS_FORMAT, binding = AG_IMAGE_RADIUS) readonly uniform uimage2D i_radius;
#else
layout(RADIUS_FORMAT, binding = AG_IMAGE_RADIUS) readonly uniform image2D i_radius;
#endif
#endif

#include "sat/blur_blocks.glsl"

float radius_at(ivec2 p)
{
#if RADIUS && RADIUS_CODES
    float r = u_box.x * decode_11_11_10(imageLoad(i_radius, u_radius.xy + p).r).r;
#elif RADIUS
    float r = u_box.x * imageLoad(i_radius, u_radius.xy + p).r;
#else
    float r = u_box.x;
#endif
    bool finite = (floatBitsToUint(r) & 0x7fffffffu) < 0x7f800000u;
    return finite ? clamp(r, 0.0, AG_BOX_LARGEST) : 0.0;
}

// Which texel is at place i of an axis of n, and 1; or 0, 0 where there is none.
ivec2 texel_at(int i, int n)
{
#if BORDER == AG_OUTSIDE_MIRROR
    int period = max(2 * (n - 1), 1);
    i = abs(i) % period;
    return ivec2(n == 1 ? 0 : min(i, period - i), 1);
#elif BORDER == AG_OUTSIDE_CLAMP
    return ivec2(clamp(i, 0, n - 1), 1);
#else
    return ivec2(clamp(i, 0, n - 1), int(i >= 0 && i < n));
#endif
}

// Radius below 2: the texel, its neighbours, and theirs by how much of them the box covers.
vec4 direct_mean(ivec2 p, float r)
{
    int reach = int(ceil(r));
    vec4 sum = vec4(0.0);
    uint bad = 0u;
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
            ivec2 x = texel_at(p.x + i, u_size.x), y = texel_at(p.y + j, u_size.y);
            vec2 covered = clamp(r + 1.0 - vec2(abs(i), abs(j)), 0.0, 1.0);
            float weight = covered.x * covered.y * float(x.y * y.y);
            sum += weight * load_texel(ivec2(x.x, y.x), bad);
        }
    return sum / box_area(box_around(p, r), r);
}

#if PART == AG_BLUR_SMALL
void blur_texel(ivec2 p)
{
    float r = radius_at(p);
    uint unseen = 0u; // counted when the table was made
    if (r < AG_BOX_DIRECT)
        store_texel(p, complete(r == 0.0 ? load_texel(p, unseen) : direct_mean(p, r), 1.0));
}
#else
void blur_texel(ivec2 p)
{
    float r = radius_at(p);
    box b = box_around(p, r);
    bool large = r >= AG_BOX_DIRECT;
    if (large && is_inside(b) == (INSIDE == 1)) {
        begin_boxes(); // beside the reads of the table
        store_texel(p, complete(box_mean(b, r), 1.0));
    }
#if RADIUS && INSIDE
    else
        leave_block(large ? AG_BLUR_BEYOND : AG_BLUR_SMALL);
#endif
}
#endif

void blur_if_there(ivec2 p)
{
    if (all(lessThan(p, u_size.xy)))
        blur_texel(p);
}

void main()
{
#if !INSIDE && RADIUS
    for (uint left = find_left(); left != 0u; left &= left - 1u)
        blur_if_there(texel_left(findLSB(left)));
#elif PART == AG_BLUR_BEYOND
    blur_if_there(texel_of_block(frame_block()));
#else
    blur_if_there(ivec2(gl_GlobalInvocationID.xy));
#endif
}
