// sat/blur.comp - box_blur: the mean of the box around every texel whose box is of one kind
//
//   in        WHOLE, CUT, BEYOND: the table (sat/table_query.glsl); SMALL: i_src, the image
//             i_radius    with RADIUS
//   out       i_dst       texels whose boxes are of the kind BOXES. Others stay as they are
//   in, out   b_left      with RADIUS: marks of blocks
//   host sets BOXES       AG_BLUR_WHOLE, _CUT, _BEYOND, _SMALL: the kind of boxes that this program
//                         takes (sat/interface.h)
//             BORDER      BEYOND and SMALL: AG_OUTSIDE_*, what lies outside
//             GROUP_X, GROUP_Y   threads
//             RADIUS      1 = every texel has its own radius
//             RADIUS_FORMAT      the GLSL format of i_radius
//             RADIUS_CODES       1 = i_radius holds R11F_G11F_B10F as r32ui
//             and the defines of common/store.glsl; SMALL: of sat/box.glsl and common/source.glsl;
//             BEYOND, WHOLE and CUT: of sat/table_query.glsl
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y), but
//             BEYOND without RADIUS: AG_BLUR_ROW x the rows needed; surplus groups fall below the
//             image
//             BEYOND and SMALL with RADIUS: ceil(blocks / AG_BLUR_BLOCKS)
//   cost      16 reads of the table a texel, 4 where edges are whole; beyond a mirrored image a box
//             becomes up to 36. SMALL: 1 to 25 reads of the image
//   limits    WHOLE none: 16 waves a SIMD on RDNA 2, 10 on GCN 5. CUT registers: 80 VGPRs, 6 waves;
//             84, 3 (docs/gpus.md)
//   why       Nearly all boxes lie inside, and in one program they would pay for the registers of
//             the other kinds (docs/decisions.md, D46). A table of floats is least exact for small
//             boxes, so those are added up without it, and radius 0 is the texel itself, bit by bit
//   source    Crow 1984; docs/sat.md
//
//   A block is the texels of one group of GROUP_X x GROUP_Y threads.
//
//   Without RADIUS the host knows the blocks with boxes that are not inside. They form a frame, and
//   each has a group of BEYOND:
//
//        0  1  2  3  4
//        5  6  7  8  9      u_inside = 1, 2, 3, 4: the first block of the hole, and one past its
//       10 [     ] 11 12               last
//       13 [     ] 14 15
//       16 17 18 19 20
//
//   With RADIUS the program CUT marks blocks that still have texels: one mark for BEYOND, one for
//   SMALL. Those programs test AG_BLUR_BLOCKS marks a group and clear the marks that they find:
//
//       b_left   first_mark()  0: beyond  0: small  1: beyond  1: small  2: beyond ..
//
//   SMALL: a texel has the weight of its part within the box, here in x for a radius of 1.25:
//
//        texel     p - 2   p - 1     p     p + 1   p + 2
//        weight     1/4      1       1       1      1/4        clamp(r + 1 - distance, 0, 1)
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(BOXES) || !defined(GROUP_X) || !defined(GROUP_Y)
#error "BOXES (AG_BLUR_*), GROUP_X and GROUP_Y must be set by the host"
#endif
#if !defined(RADIUS) || !defined(RADIUS_FORMAT) || !defined(RADIUS_CODES)
#error "RADIUS, RADIUS_FORMAT and RADIUS_CODES must be set by the host"
#endif
#include "common/store.glsl"
#include "common/sync.glsl"
#include "sat/box.glsl"
#if BOXES == AG_BLUR_SMALL
#include "common/source.glsl"
#elif BOXES == AG_BLUR_BEYOND
#include "sat/box_sum.glsl"
#else
#define AG_SAT_INSIDE 1
#include "sat/table_query.glsl"
#endif

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// ---- the radius of a texel

layout(location = AG_LOC_BOX_RADIUS) uniform ivec4 u_radius;

ivec2 radius_corner() { return u_radius.xy; } // of i_radius's rectangle

#if RADIUS_CODES
layout(RADIUS_FORMAT, binding = AG_IMAGE_RADIUS) readonly uniform uimage2D i_radius;
float stored_radius(ivec2 p) { return decode_11_11_10(imageLoad(i_radius, p).r).r; }
#else
layout(RADIUS_FORMAT, binding = AG_IMAGE_RADIUS) readonly uniform image2D i_radius;
float stored_radius(ivec2 p) { return imageLoad(i_radius, p).r; }
#endif

float radius_at(ivec2 p)
{
    float r = set_radius();
    if (RADIUS != 0)
        r *= stored_radius(radius_corner() + p);
    bool finite = (floatBitsToUint(r) & 0x7fffffffu) < NOT_FINITE;
    return finite ? clamp(r, 0.0, AG_BOX_LARGEST) : 0.0;
}

// ---- blocks

layout(std430, binding = AG_SSBO_LEFT) buffer Left { uint b_left[]; };
layout(location = AG_LOC_BOX_INSIDE) uniform ivec4 u_inside;

ivec2 inside_from() { return u_inside.xy; }
ivec2 inside_size() { return u_inside.zw - u_inside.xy; }

int first_mark() { return u_size.z; } // of the layer, in b_left

int blocks_across() { return (image_size().x + GROUP_X - 1) / GROUP_X; }
int blocks_down() { return (image_size().y + GROUP_Y - 1) / GROUP_Y; }

ivec2 texel_of_block(ivec2 block)
{
    return block * ivec2(GROUP_X, GROUP_Y) + ivec2(gl_LocalInvocationID.xy);
}

// ---- with RADIUS: marks. `boxes`: AG_BLUR_BEYOND or AG_BLUR_SMALL

int mark_of(int block, int boxes) { return first_mark() + 2 * block + int(boxes == AG_BLUR_SMALL); }

void leave_block(int boxes)
{
    b_left[mark_of(int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x), boxes)] = 1u;
}

shared uint s_left; // bit k: the group's block k has texels left

// The group's blocks lie far apart, so that all groups share the work of a region with many marks.
int block_of(int k) { return k * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x); }

ivec2 texel_left(int k)
{
    return texel_of_block(ivec2(block_of(k) % blocks_across(), block_of(k) / blocks_across()));
}

uint find_left(const int boxes)
{
    int k = int(gl_LocalInvocationIndex), blocks = blocks_across() * blocks_down();
    if (k == 0)
        s_left = 0u;
    sync_shared();
    if (k < AG_BLUR_BLOCKS && block_of(k) < blocks && b_left[mark_of(block_of(k), boxes)] != 0u) {
        b_left[mark_of(block_of(k), boxes)] = 0u;
        atomicOr(s_left, 1u << k);
    }
    sync_shared();
    return s_left;
}

// ---- without RADIUS: the group's block of the frame

ivec2 frame_block()
{
    int k = int(gl_WorkGroupID.y) * AG_BLUR_ROW + int(gl_WorkGroupID.x), across = blocks_across();
    ivec2 from = inside_from(), hole = inside_size();
    int beside = across - hole.x, side = k - from.y * across; // among the blocks beside the hole
    if (side >= 0 && side < hole.y * beside) {
        int x = side % beside;
        return ivec2(x < from.x ? x : x + hole.x, from.y + side / beside);
    }
    if (side >= 0)
        k += hole.x * hole.y;
    return ivec2(k % across, k / across);
}

// ---- a texel: is_own(), whether its box is of this program's kind; mean_around(), that box's mean

#if BOXES == AG_BLUR_SMALL
bool is_own(ivec2 p, box b, float r) { return in_image(p) && r < AG_BOX_DIRECT; }

// The texel at place i of an axis of n, and 1; where there is none, any texel, and 0.
ivec2 texel_at(int i, int n)
{
    ivec2 texel = ivec2(clamp(i, 0, n - 1), 1);
    if (BORDER == AG_OUTSIDE_MIRROR) {
        int period = max(2 * (n - 1), 1);
        i = abs(i) % period;
        texel.x = n == 1 ? 0 : min(i, period - i);
    } else if (BORDER != AG_OUTSIDE_CLAMP) {
        texel.y = int(i >= 0 && i < n);
    }
    return texel;
}

vec4 direct_mean(ivec2 p, float r)
{
    int reach = int(ceil(r));
    vec4 sum = vec4(0.0);
    uint unseen = 0u; // counted when the table was made
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
            ivec2 x = texel_at(p.x + i, image_size().x), y = texel_at(p.y + j, image_size().y);
            vec2 covered = clamp(r + 1.0 - vec2(abs(i), abs(j)), 0.0, 1.0);
            float weight = covered.x * covered.y * float(x.y * y.y);
            sum += weight * load_texel(ivec2(x.x, y.x), unseen);
        }
    return sum / counted_area(box_around(p, r), r, BORDER);
}

vec4 mean_around(ivec2 p, box b, float r)
{
    uint unseen = 0u;
    return r == 0.0 ? load_texel(p, unseen) : direct_mean(p, r);
}
#elif BOXES == AG_BLUR_BEYOND
bool is_own(ivec2 p, box b, float r)
{
    return in_image(p) && r >= AG_BOX_DIRECT && !is_inside(b);
}

vec4 mean_around(ivec2 p, box b, float r)
{
    begin_boxes();
    vec4 mean = box_sum(b, false) / counted_area(b, r, BORDER), offset = AG_SAT_OFFSET;
    // The offset was taken off the texels of the image alone: texels outside are 0 without it.
    if (BORDER == AG_OUTSIDE_ZERO)
        offset *= area_in_image(b) / box_area(r);
    return mean + offset;
}
#else
bool is_own(ivec2 p, box b, float r) { return r >= AG_BOX_DIRECT && is_inside(b); }

vec4 mean_around(ivec2 p, box b, float r)
{
    begin_boxes();
    vec4 sum;
    if (BOXES == AG_BLUR_WHOLE)
        sum = ag_sat_whole(corner_from(b), corner_to(b), false);
    else
        sum = ag_sat_nine(corner_from(b), part_from(b), corner_to(b), part_to(b), false);
    return sum / box_area(r) + AG_SAT_OFFSET;
}
#endif

void blur_texel(ivec2 p)
{
    float r = radius_at(p);
    box b = box_around(p, r);
    if (is_own(p, b, r))
        store_texel(p, complete(mean_around(p, b, r), 1.0));
#if BOXES == AG_BLUR_CUT
    else if (RADIUS != 0)
        leave_block(r >= AG_BOX_DIRECT ? AG_BLUR_BEYOND : AG_BLUR_SMALL);
#endif
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
#if BOXES == AG_BLUR_WHOLE || BOXES == AG_BLUR_CUT
    if (in_image(p))
        blur_texel(p);
#else
    if (RADIUS != 0)
        for (uint left = find_left(BOXES); left != 0u; left &= left - 1u)
            blur_texel(texel_left(findLSB(left)));
    else
        blur_texel(BOXES == AG_BLUR_SMALL ? p : texel_of_block(frame_block()));
#endif
}
