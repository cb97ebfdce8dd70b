// sat/blur_small.comp - box_blur: boxes of a radius below AG_BOX_DIRECT, added up without a table
//
//   in        i_src, the image; i_radius with RADIUS
//   out       i_dst
//   in, out   b_left with RADIUS: the blocks that sat/blur_inside.comp left
//   host sets BORDER       AG_OUTSIDE_*: what lies outside
//             GROUP_X, GROUP_Y   threads
//             and the defines of sat/radius.glsl, common/source.glsl and common/store.glsl
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y); with RADIUS: sat/blur_blocks.glsl
//   cost      1 to 25 reads of the image a texel
//   why       a table of floats is least exact for small boxes. Radius 0 is the texel itself, bit
//             by bit
//   source    docs/sat.md
//
//   A texel has the weight of its part within the box, here in x for a radius of 1.25:
//
//        texel     p - 2   p - 1     p     p + 1   p + 2
//        weight     1/4      1       1       1      1/4        clamp(r + 1 - distance, 0, 1)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/box_area.glsl"
#include "sat/radius.glsl"
#include "sat/blur_blocks.glsl"
#include "common/source.glsl"
#include "common/store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

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
    return sum / counted_area(box_around(p, r), r);
}

void blur_texel(ivec2 p)
{
    float r = radius_at(p);
    uint unseen = 0u;
    if (in_image(p) && r < AG_BOX_DIRECT)
        store_texel(p, complete(r == 0.0 ? load_texel(p, unseen) : direct_mean(p, r), 1.0));
}

void main()
{
    if (RADIUS != 0)
        for (uint left = find_left(AG_BLUR_SMALL); left != 0u; left &= left - 1u)
            blur_texel(texel_left(findLSB(left)));
    else
        blur_texel(ivec2(gl_GlobalInvocationID.xy));
}
