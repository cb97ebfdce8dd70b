// focus/autofocus.comp - depth_of_field: a step of the focus towards what an area shows
//
//   in        i_depth or t_depth (focus/lens.glsl)
//   in, out   i_state   one texel: 1/m in focus; 1/m that the area shows; share of the samples that
//                       have a depth; 1 = valid
//   out       b_focus   the distance in focus, m, for focus/lens.glsl
//   host sets the defines of focus/depth.glsl
//   dispatch  one group, a thread a sample
//   shared    1 KiB
//   cost      at most 256 depths
//   how       A third of the samples with a depth is nearer than what the area shows: a subject
//             that fills more than a third of it is in focus, whatever lies behind, and a twig in
//             front is not. No mean, which at a silhouette is where nothing is
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "focus/lens.glsl"

const int SIDE = AG_FOCUS_SAMPLES;

layout(local_size_x = AG_FOCUS_SAMPLES, local_size_y = AG_FOCUS_SAMPLES) in;
layout(location = AG_LOC_FOCUS_AREA) uniform ivec4 u_area;
layout(location = AG_LOC_FOCUS_STATE) uniform ivec4 u_state;
layout(rgba32f, binding = AG_IMAGE_FOCUS_STATE) uniform image2D i_state;

shared float s_inverse[SIDE * SIDE]; // 1/m; -1: no depth
shared uint s_count;
shared float s_shown;

bool is_finite(vec2 v) // by bits: compilers may assume that there are no NaNs
{
    uvec2 size = floatBitsToUint(v) & 0x7fffffffu;
    return max(size.x, size.y) < NOT_FINITE;
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 at = ivec2(gl_LocalInvocationID.xy), samples = min(u_area.zw, SIDE);
    if (thread == 0) {
        s_count = 0u;
        s_shown = 0.0;
    }
    sync_shared();
    float inverse = -1.0;
    if (all(lessThan(at, samples))) {
        float d = depth_at(u_area.xy + (2 * at + 1) * u_area.zw / (2 * samples));
        float found = inverse_z(d);
        if (is_depth(d) && is_finite(vec2(found)))
            inverse = clamp(found, 0.0, 1.0 / nearest_focus());
    }
    s_inverse[thread] = inverse;
    if (inverse >= 0.0)
        atomicAdd(s_count, 1u);
    sync_shared();
    uint nearer = 0u;
    for (int i = 0; i < SIDE * SIDE; ++i)
        nearer += uint(s_inverse[i] > inverse || (s_inverse[i] == inverse && i < thread));
    if (inverse >= 0.0 && nearer == (s_count - 1u) / 3u)
        s_shown = inverse;
    sync_shared();
    if (thread > 0)
        return;
    vec4 state = imageLoad(i_state, u_state.xy);
    bool valid = u_state.z == 0 && state.a == 1.0 && is_finite(state.rg) && state.r >= 0.0;
    float now = -1.0 / u_distance.x, shown = valid ? state.g : 0.0;
    if (s_count > 0u) {
        shown = s_shown;
        now = valid ? state.r + (shown - state.r) * intBitsToFloat(u_state.w) : shown;
        valid = true;
    } else if (valid) {
        now = state.r;
    }
    float share = float(s_count) / float(samples.x * samples.y);
    imageStore(i_state, u_state.xy, valid ? vec4(now, shown, share, 1.0) : vec4(0.0));
    b_focus = 1.0 / max(now, 1.0 / u_distance.z);
}
