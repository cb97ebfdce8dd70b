// sat/blur.comp - the mean of a box around every texel
//
//   in        the table (sat/box.glsl); i_src the image; i_radius with RADIUS
//   out       i_dst
//   in, out   b_left with RADIUS: 0 but between a LARGE and its SMALL
//   host sets RADIUS       1 = radius is u_box.x times the first channel of i_radius
//             RADIUS_FORMAT, RADIUS_CODES   as SRC_FORMAT and SRC_CODES
//             and what sat/box.glsl, common/load.glsl and common/store.glsl want
//             PART         AG_BLUR_*: which texels
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y); SMALL with RADIUS: an AG_BLUR_BLOCKSth of as many, as
//             b_left tells which blocks of GROUP_X x GROUP_Y texels the former has left texels of
//   cost      at most 16 reads of the table a texel, 4 where the edges are whole; below a radius of
//             AG_BOX_DIRECT at most 25 of the image, and none of the table: small boxes are where a table
//             of floats errs, and radius 0 is the texel itself, to the bit
//   why       what small boxes need of registers would be everyone's in one program
//   source    Crow 1984; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef RADIUS
#error "RADIUS must be set by the host"
#endif
#ifndef PART
#error "PART (AG_BLUR_*) must be set by the host"
#endif
#include "common/load.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
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

#if RADIUS
layout(std430, binding = AG_SSBO_LEFT) buffer Left { uint b_left[]; }; // the layer's from u_size.z on
#endif

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
#if BORDER == AG_BOX_MIRROR
    int period = max(2 * (n - 1), 1);
    i = abs(i) % period;
    return ivec2(n == 1 ? 0 : min(i, period - i), 1);
#elif BORDER == AG_BOX_CLAMP
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

#if PART == AG_BLUR_LARGE
void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_size.xy)))
        return;
    float r = radius_at(p);
    if (r >= AG_BOX_DIRECT) {
        begin_boxes(); // beside the reads of the table
        store_texel(p, complete(box_mean(box_around(p, r), r), 1.0));
    }
#if RADIUS
    else
        b_left[u_size.z + int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)] = 1u;
#endif
}
#else
void blur_small(ivec2 p, float r)
{
    uint unseen = 0u; // counted when the table was made
    vec4 mean = r == 0.0 ? load_texel(p, unseen) : direct_mean(p, r);
    store_texel(p, complete(mean, 1.0));
}

#if RADIUS
// The group's blocks lie far apart, so that all groups share a place where small radii are.
int block_of(int k) { return k * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x); }

ivec2 texel_of_block(int k)
{
    int across = (u_size.x + GROUP_X - 1) / GROUP_X, block = block_of(k);
    return ivec2(block % across, block / across) * ivec2(GROUP_X, GROUP_Y) + ivec2(gl_LocalInvocationID.xy);
}

shared uint s_left; // of the group's blocks, which have texels left: a bit each

uint find_left()
{
    int across = (u_size.x + GROUP_X - 1) / GROUP_X, down = (u_size.y + GROUP_Y - 1) / GROUP_Y;
    int k = int(gl_LocalInvocationIndex), blocks = across * down;
    if (k == 0)
        s_left = 0u;
    sync_shared();
    if (k < AG_BLUR_BLOCKS && block_of(k) < blocks && b_left[u_size.z + block_of(k)] != 0u) {
        b_left[u_size.z + block_of(k)] = 0u;
        atomicOr(s_left, 1u << k);
    }
    sync_shared();
    return s_left;
}

void main()
{
    for (uint left = find_left(); left != 0u; left &= left - 1u) {
        ivec2 p = texel_of_block(findLSB(left));
        if (all(lessThan(p, u_size.xy))) {
            float r = radius_at(p);
            if (r < AG_BOX_DIRECT)
                blur_small(p, r);
        }
    }
}
#else
void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_size.xy)))
        blur_small(p, radius_at(p));
}
#endif
#endif
