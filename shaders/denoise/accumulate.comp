// denoise/accumulate.comp - the mean of a frame and of what former frames saw of the same surfaces
//
//   KEEP 0
//   in        t_src or i_src   the frame
//             i_history or t_history   rgb: the mean so far; a: of how many frames it has the
//                              noise, 0: none
//             i_motion         with MOTION: texels that the surface has moved since the last frame
//             i_depth, i_normal   with their formats: of the frame's surfaces
//             i_old            what the last frame wrote to i_state
//   out       i_dst            the mean, with the frame's alpha: what the filter then reads
//             i_state          x: halves, the mean's number of frames, sigma of one frame's luma;
//                              y, with guides: depth, as a half, and the normal (packed_surface)
//             b_info.scrubbed
//
//   KEEP 1, a dispatch of its own, because KEEP 0 reads the former history around each texel
//   in        i_history, i_state   that mean and its number of frames
//   out       i_dst                both, the host's history
//
//   host sets KEEP                            0, 1
//             HISTORY_UNIT, HISTORY_PACKING   with KEEP 0: AG_BY_*, AG_PACKING_* of what reads it
//             STATE_FORMAT                    r32ui, or with guides rg32ui
//             MOTION                          1 = i_motion is read
//             HISTORY_FORMAT, MOTION_FORMAT   GLSL image formats
//             DEPTH_FORMAT, NORMAL_FORMAT     the same; not set: there is none
//             STORE; with KEEP 0 the defines of common/source.glsl
//   dispatch  groups of 16 x 16 texels
//   shared    6.3 KiB
//   cost      reads a frame, its motion and 36 taps of history a texel, where it has not moved by
//             whole texels; else 9. Writes the mean
//   method    history is read between texels at p - motion by 6 x 6 taps; where one of them holds
//             nothing, or lies on another surface, by the bilinear mean of those of four that do.
//             What a filter loses between texels it loses again in each frame: after 16 half steps
//             the cubic of Catmull and Rom leaves waves of 4 texels less than half of their
//             contrast, these taps 96 %. The history is clipped to a box of 5 x 5 texels of the
//             frame around their mean, along the line to it, narrower the more frames are in it.
//             The farther outside it was, the fewer frames it counts for; and so where means of 3 x
//             3 texels differ, which tell an old surface from dark parts of a new one
//   source    Karis 2014 (history, neighbourhood); Salvi 2016 (its variance); Schied et al. 2017
//             (variance in time; surfaces)
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(KEEP) || !defined(HISTORY_FORMAT) || !defined(STATE_FORMAT)
#error "KEEP, HISTORY_FORMAT and STATE_FORMAT must be set by the host"
#endif
#if !KEEP
#if !defined(MOTION) || !defined(HISTORY_UNIT) || !defined(HISTORY_PACKING)
#error "MOTION, HISTORY_UNIT and HISTORY_PACKING must be set by the host"
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

#if KEEP
layout(HISTORY_FORMAT, binding = AG_IMAGE_HISTORY) readonly uniform image2D i_history;
layout(STATE_FORMAT, binding = AG_IMAGE_STATE) readonly uniform uimage2D i_state;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_dst_rect.zw))) // without rounding
        imageStore(i_dst, u_dst_rect.xy + p,
                   vec4(imageLoad(i_history, p).rgb, unpackHalf2x16(imageLoad(i_state, p).x).x));
}
#else
#if HISTORY_UNIT < AG_BY_TEXTURE
layout(HISTORY_FORMAT, binding = AG_IMAGE_HISTORY) readonly uniform image2D i_history;
#elif HISTORY_PACKING == AG_PACKING_FLOATS
layout(binding = 1) uniform sampler2D t_history;
#else
layout(binding = 1) uniform usampler2D t_history;
#endif
layout(binding = AG_IMAGE_STATE) writeonly uniform uimage2D i_state;
layout(STATE_FORMAT, binding = AG_IMAGE_OLD) readonly uniform uimage2D i_old;
#if MOTION
#ifndef MOTION_FORMAT
#error "MOTION_FORMAT must be set by the host"
#endif
layout(MOTION_FORMAT, binding = AG_IMAGE_MOTION) readonly uniform image2D i_motion;
#endif
#if defined(DEPTH_FORMAT) || defined(NORMAL_FORMAT)
#define GUIDES 1
#else
#define GUIDES 0
#endif
#ifdef DEPTH_FORMAT
layout(DEPTH_FORMAT, binding = AG_IMAGE_HISTORY_DEPTH) readonly uniform image2D i_depth;
#endif
#ifdef NORMAL_FORMAT
layout(NORMAL_FORMAT, binding = AG_IMAGE_HISTORY_NORMAL) readonly uniform image2D i_normal;
#endif
layout(location = AG_LOC_DENOISE_HISTORY) uniform ivec4 u_history; // x, y of history; of motion
layout(location = AG_LOC_DENOISE_FRAMES) uniform vec4 u_frames; // most, clamp, 1 = reset, of depth
layout(location = AG_LOC_DENOISE_SURFACES) uniform ivec4 u_surfaces; // x, y of depth; of normal

shared vec4 s_texel[SIDE * SIDE]; // Y, Co, Cg; 1: inside the image and finite, else 0

// A texture unit reads neighbours from a cache that image units do not have.
vec4 history_texel(ivec2 p)
{
    p += u_history.xy;
#if HISTORY_UNIT < AG_BY_TEXTURE
    return imageLoad(i_history, p);
#elif HISTORY_PACKING == AG_PACKING_FLOATS
    return texelFetch(t_history, p, 0);
#else
    uvec4 c = texelFetch(t_history, p, 0);
    return vec4(unpackHalf2x16(c.x), unpackHalf2x16(c.y));
#endif
}

bool is_finite(vec4 c) { return size_bits(c) < NOT_FINITE; }

// Without scrub only a texel that is not finite is bad.
bool is_bad(uint largest) { return largest >= (u_src_mode.z != 0 ? TOO_LARGE : NOT_FINITE); }

vec3 ycocg_of(vec3 c)
{
    return vec3(0.25 * (c.r + c.b) + 0.5 * c.g, 0.5 * (c.r - c.b), 0.5 * c.g - 0.25 * (c.r + c.b));
}

vec3 rgb_of(vec3 y) { return vec3(y.x + y.y - y.z, y.x + y.z, y.x - y.y - y.z); }

// ---- surfaces -----------------------------------------------------------------------------------

const float LEAST_COSINE = 0.7; // between normals of one surface, a frame apart

// A depth and a normal in one word: a half; two of 8 bits, of the octahedron around the sphere, 0:
// none.
uint packed_surface(float depth, vec3 n)
{
    float sum = abs(n.x) + abs(n.y) + abs(n.z);
    uint code = 0u;
    if (sum > 1e-6 && sum < 1e6) {
        vec2 o = n.xy / sum;
        if (n.z < 0.0)
            o = (1.0 - abs(o.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(o, vec2(0.0)));
        uvec2 steps = uvec2(roundEven(o * 127.0) + 128.0); // 1..255
        code = steps.x | steps.y << 8;
    }
    return packHalf2x16(vec2(depth, 0.0)) | code << 16;
}

vec3 normal_of(uint code) // of some length
{
    vec2 o = (vec2(code & 255u, code >> 8 & 255u) - 128.0) / 127.0;
    vec3 n = vec3(o, 1.0 - abs(o.x) - abs(o.y));
    vec2 folded = (1.0 - abs(o.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(o, vec2(0.0)));
    return vec3(mix(o, folded, bvec2(n.z < 0.0)), n.z);
}

struct surface {
    float depth, slack; // how far another depth may be off
    vec3 normal;        // as it was packed, of length 1
    uint word;          // packed_surface
};

#ifdef DEPTH_FORMAT
float depth_at(ivec2 p)
{
    p = clamp(p, ivec2(0), u_src_rect.zw - 1);
    float z = imageLoad(i_depth, u_surfaces.xy + p).x;
    return size_bits(vec4(z)) < NOT_FINITE ? clamp(z, -65504.0, 65504.0) : 0.0;
}

float smaller_change(ivec2 p, ivec2 step, float z)
{
    bool first = any(lessThan(p - step, ivec2(0)));
    bool last = any(greaterThanEqual(p + step, u_src_rect.zw));
    float before = abs(depth_at(p - step) - z), after = abs(depth_at(p + step) - z);
    return first ? after : last ? before : min(before, after);
}
#endif

surface surface_at(ivec2 p)
{
    surface s = surface(0.0, 0.0, vec3(0.0), 0u);
    vec3 normal = vec3(0.0);
#ifdef DEPTH_FORMAT
    s.depth = depth_at(p);
    float slopes = smaller_change(p, ivec2(1, 0), s.depth);
    slopes += smaller_change(p, ivec2(0, 1), s.depth);
    s.slack = u_frames.w * (2.0 * slopes + 0.02 * abs(s.depth));
#endif
#ifdef NORMAL_FORMAT
    normal = imageLoad(i_normal, u_surfaces.zw + p).xyz;
#endif
    s.word = packed_surface(s.depth, normal);
    s.normal = normalize(normal_of(s.word >> 16));
    return s;
}

// Whether what the last frame saw there is the same surface.
bool is_same(surface s, uint old)
{
    bool same = true;
#ifdef DEPTH_FORMAT
    same = abs(unpackHalf2x16(old).x - s.depth) <= s.slack + abs(s.depth) * 0.0005;
#endif
#ifdef NORMAL_FORMAT
    vec3 there = normal_of(old >> 16);
    float along = dot(s.normal, there);
    bool near = along > 0.0 && along * along >= LEAST_COSINE * LEAST_COSINE * dot(there, there);
    bool both = s.word >= 65536u && old >= 65536u, none = s.word < 65536u && old < 65536u;
    same = same && (none || both && near);
#endif
    return same;
}

// ---- history ------------------------------------------------------------------------------------

// Weights of six texels for a place that is f of a texel from the third to the fourth. Their sum is
// 1 and their mean f; the rest is fitted, so that waves of 4 texels and longer keep their height
// within 0.6 %, at any f, and texels stay as they are at f = 0.
void long_weights(float f, out vec3 first, out vec3 last)
{
    float v = f * (1.0 - f), t = f - 0.5;
    vec2 even = v * (vec2(0.0824, -0.4674) + v * vec2(0.0594, -0.1451));
    vec2 odd = t * v * (vec2(-0.0037, 0.2148) + v * vec2(-0.1605, 0.568));
    vec3 evens = vec3(even, 0.5 - even.x - even.y);
    vec3 odds = vec3(odd, -t - 5.0 * odd.x - 3.0 * odd.y);
    first = evens + odds;
    last = (evens - odds).zyx;
}

struct past {
    vec3 mean;
    float frames;   // 0: none
    float variance; // of one frame's luma; 0: not known
    vec4 near;      // mean of 3 x 3 texels of it, and whether there is one
};

// Whether four taps, some steps apart, lie on the surface.
bool are_same(surface here, ivec2 q, int apart)
{
#if GUIDES
    uint a = imageLoad(i_old, q).y, b = imageLoad(i_old, q + ivec2(apart, 0)).y;
    uint c = imageLoad(i_old, q + ivec2(0, apart)).y, d = imageLoad(i_old, q + ivec2(apart)).y;
    return is_same(here, a) && is_same(here, b) && is_same(here, c) && is_same(here, d);
#else
    return true;
#endif
}

// The bilinear mean of those of four taps that hold something of the surface.
vec4 linear_history(ivec2 first, vec2 part, surface here)
{
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 step = ivec2(i & 1, i >> 1), tap = first + step;
        ivec2 q = clamp(tap, ivec2(0), u_src_rect.zw - 1);
        vec4 c = history_texel(q);
        bool holds = q == tap && is_finite(c) && c.a >= 1.0;
#if GUIDES
        holds = holds && is_same(here, imageLoad(i_old, q).y);
#endif
        vec2 share = mix(1.0 - part, part, vec2(step));
        float weight = holds ? share.x * share.y : 0.0;
        sum += weight * mix(vec4(0.0), c, bvec4(holds));
        weights += weight;
    }
    if (weights <= 0.0)
        return vec4(0.0);
    vec4 mean = sum / weights;
    // Divisions may be off by 2.5 units, and 0.9999999 of a frame would be no history.
    return vec4(mean.rgb, max(mean.a, 1.0));
}

// A row of six taps, the first at q. `box`: the row's share of the mean of 3 x 3 texels.
void add_row(ivec2 q, vec3 first, vec3 last, float down, float box, float part, inout vec4 sum,
             inout vec3 near, inout vec4 lowest)
{
    vec4 a = history_texel(q), b = history_texel(q + ivec2(1, 0));
    vec4 c = history_texel(q + ivec2(2, 0)), d = history_texel(q + ivec2(3, 0));
    vec4 e = history_texel(q + ivec2(4, 0)), f = history_texel(q + ivec2(5, 0));
    sum += down * (first.x * a + first.y * b + first.z * c + last.x * d + last.y * e + last.z * f);
    near += box * (mix(b.rgb, e.rgb, part) + c.rgb + d.rgb);
    lowest = min(min(min(lowest, a), min(b, c)), min(min(d, e), f));
}

// Of 6 x 6 taps around a place between texels. Returns whether each holds something of the surface.
bool long_history(ivec2 corner, vec2 part, surface here, inout past h)
{
    if (any(lessThan(corner, ivec2(0))) || any(greaterThan(corner + 6, u_src_rect.zw)))
        return false;
    vec3 left, right, top, bottom, near = vec3(0.0);
    vec4 sum = vec4(0.0), lowest = vec4(1e9);
    long_weights(part.x, left, right);
    long_weights(part.y, top, bottom);
    add_row(corner, left, right, top.x, 0.0, part.x, sum, near, lowest);
    add_row(corner + ivec2(0, 1), left, right, top.y, 1.0 - part.y, part.x, sum, near, lowest);
    add_row(corner + ivec2(0, 2), left, right, top.z, 1.0, part.x, sum, near, lowest);
    add_row(corner + ivec2(0, 3), left, right, bottom.x, 1.0, part.x, sum, near, lowest);
    add_row(corner + ivec2(0, 4), left, right, bottom.y, part.y, part.x, sum, near, lowest);
    add_row(corner + ivec2(0, 5), left, right, bottom.z, 0.0, part.x, sum, near, lowest);
    // Weights below 0 undershoot beside a firefly, but light is not negative.
    h.mean = max(sum.rgb, lowest.rgb);
    h.frames = clamp(sum.a, lowest.a, 2.0 * u_frames.x);
    h.near = vec4(near / 9.0, 1.0);
    // The taps of both diagonals tell their surface.
    return is_finite(sum) && lowest.a >= 1.0 && are_same(here, corner + 2, 1) &&
        are_same(here, corner + 1, 3) && are_same(here, corner, 5);
}

// One tap at a whole place, if it holds something of the surface, and the mean of 3 x 3 around it.
past whole_history(ivec2 q, surface here)
{
    ivec2 at = clamp(q, ivec2(0), u_src_rect.zw - 1);
    vec4 centre = history_texel(at), sum = vec4(0.0);
    bool holds = at == q && is_finite(centre) && centre.a >= 1.0;
#if GUIDES
    holds = holds && is_same(here, imageLoad(i_old, at).y);
#endif
    float fewest = centre.a;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            ivec2 beside = clamp(q + ivec2(x, y), ivec2(0), u_src_rect.zw - 1);
            vec4 c = x == 0 && y == 0 ? centre : history_texel(beside);
            sum += c;
            fewest = min(fewest, c.a);
        }
    bool near = all(greaterThanEqual(q, ivec2(1))) && all(lessThan(q + 1, u_src_rect.zw)) &&
        is_finite(sum) && fewest >= 1.0;
    return holds ? past(centre.rgb, centre.a, 0.0, near ? vec4(sum.rgb / 9.0, 1.0) : vec4(0.0))
                 : past(vec3(0.0), 0.0, 0.0, vec4(0.0));
}

// The history at `place`.
past history_at(vec2 place, surface here)
{
    past h = past(vec3(0.0), 0.0, 0.0, vec4(0.0));
    if (u_frames.z != 0.0 || any(lessThan(place, vec2(-1.0))) ||
        any(greaterThan(place, vec2(u_src_rect.zw))) || !is_finite(place.xyxy))
        return h;
    ivec2 first = ivec2(floor(place)), nearest = ivec2(floor(place + 0.5));
    nearest = clamp(nearest, ivec2(0), u_src_rect.zw - 1);
    vec2 part = place - vec2(first);
    bool between = any(notEqual(part, vec2(0.0))); // else one tap is all
    if (!between)
        h = whole_history(first, here);
    else if (!long_history(first - 2, part, here, h)) {
        vec4 linear = linear_history(first, part, here);
        h = past(linear.rgb, linear.a, 0.0, vec4(0.0));
    }
    float sigma = unpackHalf2x16(imageLoad(i_old, nearest).x).y;
    h.variance = sigma * sigma;
    return h;
}

const float NEAR = 0.5; // of the clamp, for means of 3 x 3 texels

// The mean of a finite texel and its history, which becomes that of one more frame.
vec3 accumulated(vec3 texel, inout past h, int at)
{
    vec3 here = s_texel[at].rgb, sum = vec3(0.0), squares = vec3(0.0), near = vec3(0.0);
    float count = 0.0, near_count = 0.0;
    for (int y = -REACH; y <= REACH; ++y)
        for (int x = -REACH; x <= REACH; ++x) {
            vec4 c = s_texel[at + y * SIDE + x];
            vec3 d = (c.rgb - here) * c.a; // less the texel, so that squares stay exact
            sum += d;
            squares += d * d;
            count += c.a;
            if (abs(x) < 2 && abs(y) < 2) {
                near += d;
                near_count += c.a;
            }
        }
    vec3 mean = sum / count, variance = max(squares / count - mean * mean, 0.0);
    vec3 of_history = ycocg_of(h.mean - texel);
    // Of its deviation from this mean the history lacks the noise of one frame, but for a share of
    // 1 / frames; 1 / 3 are the errors of both moments of 25 texels. Where light comes by few paths
    // these 25 may have none at all: then what is known of its noise counts, if it is known well.
    float noise = min(h.variance / max(variance.x, 1e-30), 1.0);
    float gone = max(0.66 - 1.0 / max(h.frames, 1.0), 0.0);
    float known = clamp(0.125 * h.frames - 0.5, 0.0, 1.0);
    float missing = known * max(h.variance - 8.0 * variance.x, 0.0);
    vec3 wide = variance * (1.0 - noise * gone) + missing * (1.0 - gone);
    vec3 middle = abs(here + mean);
    float rounding = (middle.x + middle.y + middle.z) / 512.0; // of halves
    vec3 limit = u_frames.y * sqrt(wide) + rounding + 1e-20;
    vec3 from_mean = of_history - mean, far = abs(from_mean) / limit;
    float farthest = max(max(far.x, far.y), far.z);
    vec3 change = rgb_of(mean + from_mean / max(farthest, 1.0)); // from the texel to its history

    // Means of 3 x 3 texels have a third of the noise: they tell what 5 x 5 with an edge may hold.
    vec3 gap = abs(ycocg_of(h.near.rgb - texel) - near / near_count);
    float even = min(variance.x, h.variance + 0.25 * variance.x); // beside an edge, too
    variance.x = mix(variance.x, even, known);
    gap /= NEAR * u_frames.y * sqrt(variance + missing) + rounding + 1e-20;
    float widest = max(farthest, h.near.a * max(max(gap.x, gap.y), gap.z));
    float former = h.frames, counts = former * clamp(2.0 - widest, 0.0, 1.0);
    // A mean that gives the new frame more than its share has the noise of this many frames.
    float rate = 1.0 / min(counts + 1.0, u_frames.x), keeps = 1.0 - rate;
    h.frames = counts + 1.0 <= u_frames.x
        ? counts + 1.0 : 1.0 / (keeps * keeps / counts + rate * rate);
    // The square of an innovation is that of the frame's noise and of the history's.
    float square = of_history.x * of_history.x * former / (former + 1.0);
    h.variance = counts < 1.0 ? 0.0
                              : h.variance + (square - h.variance) * min(rate / keeps, 1.0);
    vec3 result = texel + change * keeps;
    if (former >= 1.0 && is_finite(result.xyzz))
        return result;
    h = past(texel, 1.0, 0.0, vec4(0.0));
    return texel;
}

// ---- main ---------------------------------------------------------------------------------------

void load_neighbours(ivec2 corner)
{
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += GROUP * GROUP) {
        ivec2 q = corner - REACH + ivec2(i % SIDE, i / SIDE);
        uint largest = 0u;
        vec4 c = load_texel_unseen(clamp(q, ivec2(0), u_src_rect.zw - 1), largest);
        bool inside = all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, u_src_rect.zw));
        bool good = inside && !is_bad(largest);
        s_texel[i] = good ? vec4(ycocg_of(c.rgb), 1.0) : vec4(0.0);
    }
}

void main()
{
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * GROUP, within = ivec2(gl_LocalInvocationID.xy);
    ivec2 p = corner + within;
    load_neighbours(corner);
    sync_shared();
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint largest = 0u;
    vec4 texel = load_texel_unseen(p, largest);
    vec2 place = vec2(p);
#if MOTION
    place -= imageLoad(i_motion, u_history.zw + p).xy;
#endif
    surface here = surface_at(p);
    past h = history_at(place, here);
    bool bad = is_bad(largest); // history alone, if there is any
    int at = (within.y + REACH) * SIDE + within.x + REACH;
    vec3 mean = bad ? h.mean : accumulated(texel.rgb, h, at);
    store_texel(p, vec4(mean, texel.a));
    float sigma = min(sqrt(h.variance), 65504.0);
    imageStore(i_state, p, uvec4(packHalf2x16(vec2(h.frames, sigma)), here.word, 0u, 0u));
    if (u_src_mode.z != 0)
        count_bad(uint(bad));
}
#endif
