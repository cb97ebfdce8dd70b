// denoise/haar_coarse.glsl - levels 4 to 6 of the Haar transform of a tile, in place
//
//   in, out   s_plane   LL3; details of coarser levels (denoise/haar_tile.glsl)
//   SPDX-License-Identifier: MIT
#include "denoise/haar_tile.glsl"

// The places of a step of `level` that thread t has, its component, and its corner in the image.
bool owns_step(int level, out ivec4 at, out int component, out ivec2 corner)
{
    int side = TILE >> level, stride = 1 << (level - 4), t = int(gl_LocalInvocationIndex);
    component = t / (side * side);
    ivec2 p = ivec2(t % side, t / side % side) * 2 * stride;
    at = ivec4(0, stride, stride * PATCHES_X, stride * (PATCHES_X + 1)) + p.y * PATCHES_X + p.x;
    corner = tile_corner() + p * 8;
    return component < COMPONENTS / TOGETHER;
}

void analyse_step_in_place(int level)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner))
        return;
    V a = plane_value(component, at.x), b = plane_value(component, at.y);
    V c = plane_value(component, at.z), d = plane_value(component, at.w);
    haar(a, b, c, d);
    set_plane(component, at.x, a);
    set_plane(component, at.y, b);
    set_plane(component, at.z, c);
    set_plane(component, at.w, d);
}

void analyse_coarse()
{
    for (int level = 4; level <= LEVELS; ++level) {
        sync_shared();
        analyse_step_in_place(level);
    }
}
