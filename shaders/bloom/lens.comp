// bloom/lens.comp - the lens: a dirt mask, ghosts, an exposure from a texture, an output that is
// added to a target
//
//   PART
//   AG_LENS_DIRT       packs the host's dirt mask as half floats; one channel is grey. Runs in
//                      prepare, when the mask changes
//   AG_LENS_EXPOSURE   reads one texel, as the effect exposure keeps it: r = EV, a = 1 if it is
//                      valid. Threshold and clamp are measured in it (bloom/filter.glsl). Runs
//                      before the convolution
//   AG_LENS_GHOSTS     takes C out of focus: each point becomes an image of the iris. Cells of
//                      CELL x CELL texels, some of them outside the frame
//   AG_LENS_COMPOSITE  the last step of a frame, where there is a lens
//
//   in        i_src   the mask, or the exposure, or the frame; or dst itself where it is added to
//             i_glow  C, the convolution alone
//   in, out   b_dirt  the mask's texels, row after row
//             b_ghosts  C out of focus, row after row
//   out       b_info.unexposed  2^-EV; 1 if the texel is not valid
//             i_dst   keep * base + self * T + gain * C * (1 + dirt * mask) + ghosts
//   host sets PART; the defines of common/source.glsl. For ghosts and the composite GLOW_FORMAT
//             (rgba16f or rgba32f); for the composite the defines of fft/composite.glsl, and
//             FILTERABLE 1
//   dispatch  ceil(width / 8), ceil(height / 8); of the exposure 1; of ghosts ceil(cells / 16)
//   cost      ghosts read C 2.3 times. The composite reads a texel of i_src and of i_glow, four of
//             the mask, and four cells for a ghost
//   source    docs/bloom.md. Ghosts as scaled, mirrored copies: Chapman 2013, Pseudo Lens Flare;
//             that each is an image of the iris: Hullin et al. 2011, Physically-Based Real-Time
//             Lens Flare Rendering
//
// A ghost is the frame, seen through reflections between lens elements: a point at v from the
// middle appears at v * scale, and out of focus, because the reflected light comes together at
// another depth than the picture.
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PART
#error "PART (AG_LENS_*) must be set by the host"
#endif
#include "bloom/interface.h"
#if PART >= AG_LENS_GHOSTS && !defined(GLOW_FORMAT)
#error "GLOW_FORMAT (rgba16f, rgba32f) must be set by the host"
#endif
#if PART == AG_LENS_COMPOSITE
#include "fft/composite.glsl"
#elif PART == AG_LENS_GHOSTS
#include "bloom/opening.glsl"
#else
#include "common/info.glsl"
#include "common/source.glsl"
#endif

#if PART >= AG_LENS_GHOSTS
layout(GLOW_FORMAT, binding = AG_IMAGE_GLOW) readonly uniform image2D i_glow;
layout(location = AG_LOC_LENS) uniform ivec4 u_lens;
layout(location = AG_LOC_GHOSTS) uniform vec4 u_ghosts;
layout(location = AG_LOC_GHOST_CELLS) uniform ivec4 u_cells;
#define SIZE u_lens.xy
#define CELL u_cells.x
#define CELLS u_cells.yz
#endif

#if PART == AG_LENS_DIRT
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = AG_SSBO_DIRT) writeonly buffer Dirt { uvec2 b_dirt[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint bad = 0u;
    vec4 c = load_texel(p, bad);
    count_bad(bad);
    vec3 mask = clamp(u_src_mode.x == 1 ? c.rrr : c.rgb, 0.0, 65504.0);
    b_dirt[p.y * u_src_rect.z + p.x] =
        uvec2(packHalf2x16(mask.rg), packHalf2x16(vec2(mask.b, 0.0)));
}

#elif PART == AG_LENS_EXPOSURE
layout(local_size_x = 1) in;

void main()
{
    uint not_counted = 0u;
    vec4 c = load_texel(ivec2(0), not_counted);
    bool valid = c.a == 1.0 && abs(c.r) <= 64.0; // NaN is not
    b_info.unexposed = valid ? exp2(-c.r) : 1.0;
}

#elif PART == AG_LENS_GHOSTS
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = AG_SSBO_GHOSTS) writeonly buffer Ghosts { vec4 b_ghosts[]; };
#define REACH AG_GHOST_REACH
#define SIDE (16 + 2 * REACH)
#define ACROSS (2 * REACH + 1)

shared vec3 s_mean[SIDE * SIDE];      // of C, in the cells of the group and around it
shared float s_iris[ACROSS * ACROSS]; // the part of a cell that the iris's image covers

vec3 mean_of(ivec2 cell)
{
    ivec2 first = max(cell * CELL, ivec2(0)), end = min(cell * CELL + CELL, SIZE);
    vec3 sum = vec3(0.0);
    for (int y = first.y; y < end.y; ++y)
        for (int x = first.x; x < end.x; ++x)
            sum += imageLoad(i_glow, ivec2(x, y)).rgb;
    return sum / float(CELL * CELL);
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), corner = ivec2(gl_WorkGroupID.xy) * 16 - 2 * REACH;
    float radius = float(max(SIZE.x, SIZE.y)) / (AG_GHOST_RADIUS * float(CELL));
    for (int i = thread; i < SIDE * SIDE; i += 256)
        s_mean[i] = mean_of(corner + ivec2(i % SIDE, i / SIDE));
    if (thread < ACROSS * ACROSS) {
        vec2 u = vec2(thread % ACROSS - REACH, thread / ACROSS - REACH) / radius;
        float outside = opening(u, u_cells.w, u_ghosts.y, u_ghosts.z);
        s_iris[thread] = clamp(0.5 - outside * radius, 0.0, 1.0);
    }
    barrier();
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = 0; i < ACROSS * ACROSS; ++i) {
        ivec2 at = ivec2(gl_LocalInvocationID.xy) + ivec2(i % ACROSS, i / ACROSS);
        sum += s_iris[i] * s_mean[at.y * SIDE + at.x];
        weights += s_iris[i];
    }
    if (all(lessThan(p, CELLS)))
        b_ghosts[p.y * CELLS.x + p.x] = vec4(sum / weights, 0.0);
}

#elif PART == AG_LENS_COMPOSITE
layout(local_size_x = 8, local_size_y = 8) in;
layout(location = AG_LOC_DIRT) uniform ivec4 u_dirt;
#define GHOSTS u_lens.z
#define HAS_DIRT (u_lens.w != 0)
layout(std430, binding = AG_SSBO_DIRT) readonly buffer Dirt { uvec2 b_dirt[]; };
layout(std430, binding = AG_SSBO_GHOSTS) readonly buffer Ghosts { vec4 b_ghosts[]; };

// 1 / scale of each ghost, and its colour: coatings reflect what they do not let through.
const vec4 GHOST[8] = vec4[8](vec4(-1.75, 1.0, 0.75, 0.45), vec4(-1.2, 0.5, 0.9, 0.6),
                              vec4(1.5, 0.55, 0.7, 1.0), vec4(-0.8, 0.8, 0.5, 0.9),
                              vec4(1.9, 0.9, 0.9, 0.5), vec4(-1.45, 0.4, 0.8, 0.95),
                              vec4(0.7, 1.0, 0.6, 0.6), vec4(-0.6, 0.5, 0.6, 1.0));

vec3 dirt_texel(ivec2 p)
{
    p = clamp(p, ivec2(0), u_dirt.xy - 1);
    uvec2 words = b_dirt[p.y * u_dirt.x + p.x];
    return vec3(unpackHalf2x16(words.x), unpackHalf2x16(words.y).x);
}

// The mask, stretched over the frame.
vec3 dirt(ivec2 p)
{
    vec2 at = (vec2(p) + 0.5) / vec2(SIZE) * vec2(u_dirt.xy) - 0.5, t = fract(at);
    ivec2 low = ivec2(floor(at));
    return mix(mix(dirt_texel(low), dirt_texel(low + ivec2(1, 0)), t.x),
               mix(dirt_texel(low + ivec2(0, 1)), dirt_texel(low + ivec2(1, 1)), t.x), t.y);
}

vec3 ghost_cell(ivec2 p)
{
    bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, CELLS));
    return inside ? b_ghosts[p.y * CELLS.x + p.x].rgb : vec3(0.0);
}

// C out of focus at a place between texels' centres; bilinear between cells.
vec3 defocused(vec2 at)
{
    vec2 cell = (at + 0.5) / float(CELL) - 0.5 + float(AG_GHOST_REACH), t = fract(cell);
    ivec2 low = ivec2(floor(cell));
    return mix(mix(ghost_cell(low), ghost_cell(low + ivec2(1, 0)), t.x),
               mix(ghost_cell(low + ivec2(0, 1)), ghost_cell(low + ivec2(1, 1)), t.x), t.y);
}

vec3 ghosts(ivec2 p)
{
    vec2 middle = 0.5 * vec2(SIZE - 1), from_middle = vec2(p) - middle;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < GHOSTS; ++i) {
        float magnifies = GHOST[i].x;
        vec2 at = from_middle * magnifies, edge = at / (0.5 * vec2(SIZE));
        // Lens elements end: light from the corners of the frame misses them.
        float passes = clamp(1.0 - 0.5 * dot(edge, edge), 0.0, 1.0);
        // a smaller image has the same light
        sum += GHOST[i].yzw * defocused(middle + at) * (passes * passes * magnifies * magnifies);
    }
    return sum * u_ghosts.x;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, SIZE)))
        return;
    uint counted_before; // by an earlier step
    vec4 base = colour(load_source(p, counted_before));
    vec3 t = FILTERS ? bloom_filter(base.rgb) : base.rgb;
    vec3 glow = u_gain.rgb * imageLoad(i_glow, p).rgb;
    if (HAS_DIRT)
        glow *= 1.0 + u_gain.a * dirt(p);
    vec3 light = u_keep.rgb * base.rgb + u_self.rgb * t + glow;
    if (GHOSTS > 0)
        light += ghosts(p);
    store_texel(p, compress(vec4(light, u_keep.a * base.a)));
}
#endif
