// denoise/atrous.comp - a level of the edge-avoiding a-trous wavelet
//
//   in        t_src or i_src  rgb: y of light; a: alpha; from denoise/begin.comp or the last level
//             i_guide         with GUIDES: normals and depths
//             i_first         with LAST: what denoise/begin.comp stored, for `amount`
//             b_denoise       sigma
//   out       i_dst           the next level; with LAST the host's dst
//             i_next_guide    with PERMUTED and GUIDES, not LAST: guides for the next level
//   host sets LAST            1 = the last level
//             GUIDES          1 = i_guide is read; HAS_NORMAL, HAS_DEPTH: what it holds
//             PERMUTED        1 = texels of a phase are stored side by side
//             FIRST_FORMAT    GLSL image format of i_first
//             the defines of common/texel.glsl, denoise/component.glsl, denoise/albedo.glsl and
//             common/store.glsl
//   method    next(p) = sum of h(k) w(p, q) y(q) / sum of h(k) w(p, q), q = p + stride k,
//             k in 5 x 5; h = (1 4 6 4 1) / 16 each way, stride = 2^level. w falls with the
//             distance of colours, normals and depths
//   groups    a group takes 16 x 16 texels of one phase: places x = phase + stride i. They are
//             neighbours of each other, so all levels are a 5 x 5 filter of a tile of 20 x 20. A
//             thread makes two texels, one below the other, from 6 x 5
//   order     not PERMUTED: texels stay where they are, and a tile's are `stride` apart. PERMUTED:
//             phases lie side by side, in x and in y, so a tile's texels are side by side:
//
//               0 1 2 3 4 5 6   ->   0 2 4 6 | 1 3 5   ->   0 4 | 1 5 | 2 6 | 3
//
//   dispatch  phases x tiles of a phase, in x and y; 128 threads
//   shared    4.7 KiB, 7.8 KiB with guides
//   source    Dammertz, Sewtz, Hanika, Lensch 2010 (the filter); Schied et al. 2017 (guides); Dolp,
//             Hanika, Dachsbacher 2024 (the order)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/store.glsl"
#include "common/sync.glsl"
#include "common/texel.glsl"
#include "denoise/albedo.glsl"
#include "denoise/component.glsl"
#include "denoise/interface.h"
#include "denoise/interface_atrous.h"

#define TILE 16
#define REACH 2
#define SIDE (TILE + 2 * REACH)
#define THREADS 128

layout(local_size_x = 16, local_size_y = 8) in;

layout(std430, binding = AG_SSBO_DENOISE) readonly buffer Denoise {
    uint arrived, unused[3];
    float sigma[4];
} b_denoise;
// stride; tiles of a phase in x, y
layout(location = AG_LOC_DENOISE_STRIDE) uniform ivec4 u_stride;
// 2^level / strength, sigma or 0, exponent of normals, 1 / edge of depth
layout(location = AG_LOC_DENOISE_EDGES) uniform vec4 u_edges;
#if GUIDES
layout(rg32ui, binding = AG_IMAGE_GUIDE) readonly uniform uimage2D i_guide;
#if PERMUTED && !LAST
layout(binding = AG_IMAGE_NEXT_GUIDE) writeonly uniform uimage2D i_next_guide;
#endif
#endif
#if LAST
layout(FIRST_FORMAT, binding = AG_IMAGE_FIRST) readonly uniform image2D i_first;
#endif

// Of a tile: red, green, blue (outside the image: infinity in red), and the two words of guides.
shared float s_red[SIDE * SIDE], s_green[SIDE * SIDE], s_blue[SIDE * SIDE];
#if GUIDES
shared uint s_normal[SIDE * SIDE];
shared float s_depth[SIDE * SIDE];
#endif

const float OUTSIDE = 3e38;

// Where place p of the image is stored when phases of `stride` lie side by side.
ivec2 stored_at(ivec2 p, int stride)
{
#if PERMUTED
    ivec2 phase = p % stride, size = u_src_rect.zw;
    return phase * (size / stride) + min(phase, size % stride) + p / stride;
#else
    return p;
#endif
}

vec3 colour_at(int at)
{
    return vec3(s_red[at], s_green[at], s_blue[at]);
}

void load_tile(ivec2 phase, ivec2 corner)
{
    int stride = u_stride.x;
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += THREADS) {
        ivec2 p = phase + (corner + ivec2(i % SIDE, i / SIDE) - REACH) * stride;
        bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_src_rect.zw));
        ivec2 at = stored_at(clamp(p, ivec2(0), u_src_rect.zw - 1), stride);
        vec4 c = raw_texel(at);
        s_red[i] = inside ? c.r : OUTSIDE;
        s_green[i] = c.g;
        s_blue[i] = c.b;
#if GUIDES
        uvec2 guide = imageLoad(i_guide, at).xy;
        s_normal[i] = guide.x;
        s_depth[i] = uintBitsToFloat(guide.y);
#endif
    }
}

vec3 unpacked_normal(uint code)
{
    ivec3 n = ivec3(code << 22, code << 12, code << 2) >> 22;
    return vec3(n) * (1.0 / 511.0);
}

#if GUIDES && HAS_DEPTH
// How depth changes by one place: the smaller change to either side, of those inside.
float slope(int at, int by)
{
    float here = s_depth[at];
    float before = s_red[at - by] < OUTSIDE ? abs(here - s_depth[at - by]) : OUTSIDE;
    float after = s_red[at + by] < OUTSIDE ? abs(s_depth[at + by] - here) : OUTSIDE;
    float least = min(before, after);
    return least < OUTSIDE ? least : 0.0;
}
#endif

struct filtered { // a texel while its taps add up
    vec3 centre, sum;
    float weights;
#if GUIDES
    uint code;
    vec3 normal;
    float depth;
    vec2 slope;
#endif
};

filtered filtered_at(int at)
{
    filtered f;
    f.centre = colour_at(at);
    f.sum = vec3(0.0);
    f.weights = 0.0;
#if GUIDES
    f.code = s_normal[at];
    f.normal = unpacked_normal(f.code);
    f.depth = s_depth[at];
    f.slope = vec2(0.0);
#if HAS_DEPTH
    f.slope = vec2(slope(at, 1), slope(at, SIDE));
#endif
#endif
    return f;
}

// Tap (x, y) of the filter, at place `at`; `scale`: log2 of e over the square of colours' distance.
void add_tap(inout filtered f, int at, const int x, const int y, float scale)
{
    const float log2_h[3] = float[3](2.5849625, 2.0, 0.0); // of 6, 4, 1
    vec3 c = colour_at(at), d = c - f.centre;
    float power = log2_h[abs(x)] + log2_h[abs(y)] - 8.0 - dot(d, d) * scale;
#if GUIDES && HAS_NORMAL
    uint code = s_normal[at];
    float along = dot(f.normal, unpacked_normal(code));
    power += code == f.code ? 0.0 : u_edges.z * log2(clamp(along, 1e-6, 1.0));
#endif
#if GUIDES && HAS_DEPTH
    float expected = f.slope.x * float(abs(x)) + f.slope.y * float(abs(y)) + 0.01 * abs(f.depth);
    power -= 1.442695 * abs(s_depth[at] - f.depth) / max(expected, 1e-20) * u_edges.w;
#endif
    float weight = c.r < OUTSIDE ? exp2(power) : 0.0;
    f.sum += weight * (weight > 0.0 ? c : vec3(0.0));
    f.weights += weight;
}

void store_result(ivec2 p, vec3 y)
{
    int stride = u_stride.x;
    ivec2 at = stored_at(p, stride);
#if LAST
    vec4 first = imageLoad(i_first, p);
    vec3 albedo = albedo_at(p);
    vec3 result = mix(from_space(first.rgb), from_space(y), u_space.x) * albedo;
    store_texel(p, vec4(result, first.a));
#else
    imageStore(i_dst, stored_at(p, 2 * stride), round_for_store(vec4(y, 1.0)));
#if GUIDES && PERMUTED
    imageStore(i_next_guide, stored_at(p, 2 * stride), imageLoad(i_guide, at));
#endif
#endif
}

void main()
{
    int stride = u_stride.x;
#if PERMUTED // tiles of a phase are neighbours
    ivec2 phase = ivec2(gl_WorkGroupID.xy) / u_stride.yz;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) % u_stride.yz * TILE;
#else // phases of a tile are neighbours: they read the same sectors
    ivec2 phase = ivec2(gl_WorkGroupID.xy) % stride;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) / stride * TILE;
#endif
    load_tile(phase, corner);
    vec3 sigma = u_edges.y > 0.0 ? vec3(u_edges.y)
                                 : vec3(b_denoise.sigma[0], b_denoise.sigma[1], b_denoise.sigma[2]);
    float scale = 1.442695 / 8.0 * u_edges.x * u_edges.x / max(dot(sigma, sigma), 1e-30);
    sync_shared();

    ivec2 within = ivec2(gl_LocalInvocationID.xy) * ivec2(1, 2);
    int at = (within.y + REACH) * SIDE + within.x + REACH;
    filtered upper = filtered_at(at), lower = filtered_at(at + SIDE);
    for (int y = -2; y <= 3; ++y)
        for (int x = -2; x <= 2; ++x) {
            if (y <= 2)
                add_tap(upper, at + y * SIDE + x, x, y, scale);
            if (y >= -1)
                add_tap(lower, at + y * SIDE + x, x, y - 1, scale);
        }
    ivec2 p = phase + (corner + within) * stride;
    if (all(lessThan(p, u_src_rect.zw)))
        store_result(p, upper.sum / upper.weights);
    p.y += stride;
    if (all(lessThan(p, u_src_rect.zw)))
        store_result(p, lower.sum / lower.weights);
}
