// denoise/accumulate.comp - the mean of a frame and of what former frames saw of the same surfaces
//
//   KEEP 0
//   in        t_src or i_src   the frame
//             i_history        rgb: the mean so far; a: its number of frames, 0: none
//             i_motion         with MOTION: texels that the surface has moved since the last frame
//   out       i_dst            the mean, with the frame's alpha: what the filter then reads
//             i_frames         its number of frames; b_info.scrubbed
//
//   KEEP 1, a dispatch of its own, because KEEP 0 reads the former history around each texel
//   in        i_history, i_frames   that mean and its number of frames
//   out       i_dst                 both, the host's history
//
//   host sets KEEP                            0, 1
//             MOTION                          1 = i_motion is read
//             HISTORY_FORMAT, MOTION_FORMAT   GLSL image formats
//             STORE; with KEEP 0 the defines of common/source.glsl
//   dispatch  groups of 16 x 16 texels
//   shared    6.3 KiB
//   cost      reads a frame, its motion and four taps of history a texel, writes the mean
//   method    history is read between texels (bilinear), at p - motion. It is clamped to the mean
//             +- `clamp` standard deviations of the 5 x 5 texels around p. The farther outside it
//             was, the fewer frames it counts for; at twice the limit it is dropped. So no ghost of
//             what is more than 2 texels away stays
//   source    Karis 2014 (history, neighbourhood); Salvi 2016 (its variance)
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(KEEP) || !defined(HISTORY_FORMAT)
#error "KEEP and HISTORY_FORMAT must be set by the host"
#endif
#if !KEEP
#ifndef MOTION
#error "MOTION must be set by the host"
#endif
#include "common/info.glsl"
#include "common/source.glsl"
#endif
#include "common/store.glsl"
#include "common/sync.glsl"
#include "denoise/interface.h"

#define GROUP 16
#define REACH 2
#define SIDE (GROUP + 2 * REACH)

layout(local_size_x = 16, local_size_y = 16) in;

layout(HISTORY_FORMAT, binding = AG_IMAGE_HISTORY) readonly uniform image2D i_history;
#if KEEP
layout(r16f, binding = AG_IMAGE_FRAMES) readonly uniform image2D i_frames;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_dst_rect.zw))) // without rounding
        imageStore(i_dst, u_dst_rect.xy + p,
                   vec4(imageLoad(i_history, p).rgb, imageLoad(i_frames, p).r));
}
#else
layout(binding = AG_IMAGE_FRAMES) writeonly uniform image2D i_frames;
#if MOTION
#ifndef MOTION_FORMAT
#error "MOTION_FORMAT must be set by the host"
#endif
layout(MOTION_FORMAT, binding = AG_IMAGE_MOTION) readonly uniform image2D i_motion;
#endif
layout(location = AG_LOC_DENOISE_HISTORY) uniform ivec4 u_history; // x, y of history; of motion
layout(location = AG_LOC_DENOISE_FRAMES) uniform vec4 u_frames;    // most, clamp, 1 = reset

shared vec4 s_texel[SIDE * SIDE]; // rgb; 1: inside the image and finite, else 0

bool is_finite(vec4 c) { return size_bits(c) < NOT_FINITE; }

// Without scrub only a texel that is not finite is bad.
bool is_bad(uint largest) { return largest >= (u_src_mode.z != 0 ? TOO_LARGE : NOT_FINITE); }

// The history at `place`: the mean of its four taps, without those that hold nothing.
vec4 history_at(vec2 place)
{
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    if (u_frames.z != 0.0 || any(lessThan(place, vec2(-1.0))) ||
        any(greaterThan(place, vec2(u_src_rect.zw))) || !is_finite(place.xyxy))
        return sum;
    ivec2 first = ivec2(floor(place));
    vec2 part = place - vec2(first);
    for (int i = 0; i < 4; ++i) {
        ivec2 tap = first + ivec2(i & 1, i >> 1);
        vec2 share = mix(1.0 - part, part, equal(ivec2(i & 1, i >> 1), ivec2(1)));
        float weight = share.x * share.y;
        if (weight <= 0.0 || any(lessThan(tap, ivec2(0))) ||
            any(greaterThanEqual(tap, u_src_rect.zw)))
            continue;
        vec4 c = imageLoad(i_history, u_history.xy + tap);
        if (!is_finite(c) || c.a < 1.0)
            continue;
        sum += weight * c;
        weights += weight;
    }
    return weights > 0.0 ? sum / weights : vec4(0.0);
}

// The mean of a finite texel and its history.
vec4 accumulated(vec4 texel, vec4 history, ivec2 within)
{
    vec3 sum = vec3(0.0), squares = vec3(0.0);
    float count = 0.0;
    for (int y = -REACH; y <= REACH; ++y)
        for (int x = -REACH; x <= REACH; ++x) {
            vec4 c = s_texel[(within.y + REACH + y) * SIDE + within.x + REACH + x];
            vec3 d = (c.rgb - texel.rgb) * c.a; // less the texel, so that squares stay exact
            sum += d;
            squares += d * d;
            count += c.a;
        }
    vec3 mean = sum / count, variance = max(squares / count - mean * mean, 0.0);
    vec3 limit = u_frames.y * sqrt(variance), from_mean = history.rgb - texel.rgb - mean;
    vec3 clamped = clamp(from_mean, -limit, limit);
    vec3 excess = abs(from_mean - clamped) / max(limit, 1e-20);
    float frames = history.a * max(1.0 - max(max(excess.r, excess.g), excess.b), 0.0) + 1.0;
    frames = min(frames, u_frames.x);
    return vec4(texel.rgb + (mean + clamped) * (1.0 - 1.0 / frames), frames);
}

void main()
{
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * GROUP, within = ivec2(gl_LocalInvocationID.xy);
    ivec2 p = corner + within;
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += GROUP * GROUP) {
        ivec2 q = corner - REACH + ivec2(i % SIDE, i / SIDE);
        uint largest = 0u;
        vec4 c = load_texel_unseen(clamp(q, ivec2(0), u_src_rect.zw - 1), largest);
        bool inside = all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, u_src_rect.zw));
        s_texel[i] = vec4(c.rgb, inside && !is_bad(largest) ? 1.0 : 0.0);
    }
    sync_shared();
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint largest = 0u;
    vec4 texel = load_texel_unseen(p, largest);
    vec2 place = vec2(p);
#if MOTION
    place -= imageLoad(i_motion, u_history.zw + p).xy;
#endif
    vec4 history = history_at(place);
    bool bad = is_bad(largest); // history alone, if there is any
    vec4 mean = bad ? history : accumulated(texel, history, within);
    store_texel(p, vec4(mean.rgb, texel.a));
    imageStore(i_frames, p, vec4(mean.a));
    if (u_src_mode.z != 0)
        count_bad(uint(bad));
}
#endif
