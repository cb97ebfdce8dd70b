// focus/split.comp - depth_of_field: cuts a frame into a near and a far layer, and adds up tiles
//
//   in        i_src; i_depth or t_depth (focus/lens.glsl)
//   out       i_near, i_far  (n c, n) and (f c, f), RGBA16F
//             b_tiles        of each tile: the mean of ((1 - n) c, 1 - n), and its largest near
//                            radius
//   host sets STORE          AG_STORE_16F, of the layers
//             and the defines of common/source.glsl and focus/lens.glsl
//   dispatch  one group a tile
//   cost      a texel of src and of depth read, 16 bytes written
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef STORE
#error "STORE (AG_STORE_16F) must be set by the host"
#endif
#include "common/info.glsl"
#include "common/source.glsl"
#include "common/sync.glsl"
#include "focus/lens.glsl"
#include "focus/tiles.glsl"

layout(local_size_x = AG_FOCUS_TILE, local_size_y = AG_FOCUS_TILE) in;
layout(binding = AG_IMAGE_FOCUS_FAR) writeonly uniform image2D i_far;
layout(binding = AG_IMAGE_FOCUS_NEAR) writeonly uniform image2D i_near;

const int THREADS = AG_FOCUS_TILE * AG_FOCUS_TILE;
shared vec4 s_fill[THREADS];
shared float s_near[THREADS];

// Stores both layers. `fill`, `near`: what the texel adds to its tile.
void split_texel(ivec2 p, out vec4 fill, out float near)
{
    uint bad = 0u;
    vec4 c = vec4(max(load_texel(p, bad).rgb, 0.0), 1.0);
    float r = radius_of(depth_at(p)), n = near_part(r), f = far_part(r);
    ivec2 at = p + ivec2(0, own_row());
    imageStore(i_near, at, round_for_store(n * c));
    imageStore(i_far, at, round_for_store(f * c));
    count_bad(bad);
    fill = (1.0 - n) * c;
    near = n > 0.0 ? -r : 0.0;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    int thread = int(gl_LocalInvocationIndex);
    s_fill[thread] = vec4(0.0);
    s_near[thread] = 0.0;
    if (all(lessThan(p, u_src_rect.zw)))
        split_texel(p, s_fill[thread], s_near[thread]);
    for (int left = THREADS / 2; left > 0; left /= 2) {
        sync_shared();
        if (thread < left) {
            s_fill[thread] += s_fill[thread + left];
            s_near[thread] = max(s_near[thread], s_near[thread + left]);
        }
    }
    if (thread == 0) {
        int place = tile_place(ivec2(gl_WorkGroupID.xy));
        b_tiles[place] = s_fill[0] / float(THREADS);
        b_tiles[place + 1] = vec4(s_near[0], 0.0, 0.0, 0.0);
    }
}
