// bloom/firefly.comp - T, what blooms of the frame, with less of single bright texels
//
//   Bright texels that come and go from frame to frame make their whole glow flicker. With b the
//   brightest channel, and means over 3 x 3 texels:
//
//        clamp   T * min(1, 4 mean of the neighbours' b / b)
//        karis   T * w / mean w,  w = 1 / (1 + 2^exposure b): a flat area keeps all of its light, a
//                single texel almost none
//
//   in        i_src     the frame, any format; means leave out what is outside
//             u_firefly x: 0 = clamp, 1 = karis; y: 2^exposure
//   out       i_small   of the frame's size: RGBA16F as RG32UI; with WIDE RGBA32F
//             b_info    while u_src_mode.z, scrub, is on: adds the number of non-finite texels
//   host sets the defines of bloom/small.glsl; FILTERABLE 1
//   dispatch  ceil(size / 16); one layer
//   shared    3.9 KB
//   cost      reads each texel once, and 0.27 times again for the tiles' edges; writes one
//   source    docs/bloom.md. B. Karis 2013, "Tone mapping" (the weight)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "bloom/small.glsl"
#include "common/sync.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(location = AG_LOC_DETAIL) uniform vec4 u_firefly;
#define BY_WEIGHT (u_firefly.x != 0.0)
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;

const int SIDE = 18;
shared vec3 s_light[SIDE * SIDE];

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * 16, last = u_src_rect.zw - 1;
    uint bad = 0u;
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += 256) {
        ivec2 at = ivec2(i % SIDE, i / SIDE), p = tile + at - 1, inside = clamp(p, ivec2(0), last);
        uint is_bad;
        vec3 light = colour(load_source(inside, is_bad)).rgb;
        if (FILTERS)
            light = bloom_filter(light);
        bool own = all(greaterThan(at, ivec2(0))) && all(lessThan(at, ivec2(SIDE - 1)));
        bad += is_bad * uint(own && inside == p);
        s_light[i] = light;
    }
    if (SCRUBS != 0)
        count_bad(bad);
    sync_shared();
    ivec2 here = ivec2(gl_LocalInvocationID.xy), p = tile + here;
    if (any(greaterThan(p, last)))
        return;
    vec3 light = s_light[(here.y + 1) * SIDE + here.x + 1];
    float sum = 0.0, count = 0.0, around = 0.0; // of weights, texels, the neighbours' brightness
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            ivec2 q = p + ivec2(x, y);
            float there = float(all(greaterThanEqual(q, ivec2(0))) && all(lessThanEqual(q, last)));
            float b = brightness(s_light[(here.y + 1 + y) * SIDE + here.x + 1 + x]);
            count += there;
            sum += there / (1.0 + b * u_firefly.y);
            around += there * b;
        }
    float b = brightness(light);
    around = (around - b) / max(count - 1.0, 1.0);
    float share = BY_WEIGHT ? count / ((1.0 + b * u_firefly.y) * sum)
                            : min(1.0, 4.0 * around / max(b, 1e-20));
    light *= count > 1.0 ? share : 1.0; // a frame of one texel has no neighbours
    imageStore(i_small, p, texel_of(pack_light(light)));
}
