// denoise/atrous.comp - a level of the edge-avoiding a-trous wavelet
//
//   in        t_src or i_src  rgb: y of light; a: alpha; from denoise/begin.comp or the last level
//             i_guide         with GUIDES: normals and depths
//             i_first         with LAST: what denoise/begin.comp stored, for `amount`
//             b_denoise       sigma
//   out       i_dst           the next level; with LAST the host's dst
//   host sets LAST            1 = the last level
//             GUIDES          1 = i_guide is read
//             HAS_NORMAL, HAS_DEPTH   1 = it holds normals, depths
//             FIRST_FORMAT    with LAST: GLSL image format of i_first
//             STORE           AG_STORE_* of i_dst (common/store.glsl)
//             the defines of common/source.glsl and denoise/component.glsl
//   method    next(p) = sum of h(k) w(p, q) y(q) / sum of h(k) w(p, q), q = p + stride k,
//             k in 5 x 5; h = (1 4 6 4 1) / 16 each way, stride = 2^level. w falls with the
//             distance of colours, normals and depths
//   groups    a group takes 64 x 16 texels whose rows are `stride` apart, so all levels are a 5 x 5
//             filter of a tile. In x, runs of up to four neighbours are `stride` apart, because
//             memory is read and written by four texels. Neighbours are of different phases: a tap
//             to the right is as many columns away as a run has texels:
//
//             stride 1   0 1 2 3 4 5 6 7 8 9 ...            tap: 1 column
//             stride 2   0 1 2 3 4 5 6 7 8 9 ...                 2
//             stride 8   0 1 2 3  8 9 10 11  16 17 ...           4
//
//   threads   one has RUN texels, one below the other, so it reads each tap once for up to RUN
//             uses. Colours are in units of the distance at which the weight is 1 / 2, so a use
//             takes 3 differences, 3 products, a power and a sum
//   dispatch  phases x tiles of a phase, in x and y; 256 threads, 512 with guides
//   shared    18.8 KiB, 31.3 KiB with guides
//   source    Dammertz, Sewtz, Hanika, Lensch 2010 (the filter); Schied et al. 2017 (guides)
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(LAST) || !defined(GUIDES) || !defined(HAS_NORMAL) || !defined(HAS_DEPTH)
#error "LAST, GUIDES, HAS_NORMAL and HAS_DEPTH must be set by the host"
#endif
#if LAST && !defined(FIRST_FORMAT)
#error "FIRST_FORMAT must be set by the host"
#endif
#include "common/source.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#include "denoise/component.glsl"

#define REACH 2
#define PITCH (AG_ATROUS_TILE_X + 16)
#define ROWS (AG_ATROUS_TILE_Y + 2 * REACH)
#if GUIDES
#define THREADS 512
#else
#define THREADS 256
#endif
#define RUN (AG_ATROUS_TILE_X * AG_ATROUS_TILE_Y / THREADS)

layout(local_size_x = THREADS) in;

layout(std430, binding = AG_SSBO_DENOISE) readonly buffer Denoise {
    uint arrived, unused[3];
    float sigma[4];
} b_denoise;
layout(location = AG_LOC_DENOISE_STRIDE) uniform ivec4 u_stride;
layout(location = AG_LOC_DENOISE_EDGES) uniform vec4 u_edges;
#if GUIDES
layout(rg32ui, binding = AG_IMAGE_GUIDE) readonly uniform uimage2D i_guide;
#endif
#if LAST
layout(FIRST_FORMAT, binding = AG_IMAGE_FIRST) readonly uniform image2D i_first;
#endif

// Of a tile: colours in units of weights (outside the image: too far from any in red), and the two
// words of guides.
shared float s_red[PITCH * ROWS], s_green[PITCH * ROWS], s_blue[PITCH * ROWS];
#if GUIDES
shared uint s_normal[PITCH * ROWS];
shared float s_depth[PITCH * ROWS];
#endif

// Added to a place, it gives one outside of every image, where a store has no effect and a load
// is 0 (docs/decisions.md, D59).
const int NOWHERE = -(1 << 20);
// Its square is infinite, so the weight is 0, and 0 times it is 0.
const float OUTSIDE = 1e30;
const float NO_DEPTH = 3e38;

// Where the group's texel of column 0, row 0 is.
ivec2 tile_corner()
{
    ivec2 runs = ivec2(u_stride.x - u_stride.y, u_stride.x), group = ivec2(gl_WorkGroupID.xy);
    ivec2 phase = group & ((ivec2(1) << runs) - 1), tile = group >> runs;
    return ivec2(phase.x << u_stride.y, phase.y) +
        tile * (ivec2(AG_ATROUS_TILE_X, AG_ATROUS_TILE_Y) << runs);
}

ivec2 texel_at(ivec2 corner, int column, int row)
{
    int mask = (1 << u_stride.y) - 1;
    return corner + ivec2((column & mask) + (column >> u_stride.y << u_stride.x),
                          row << u_stride.x);
}

vec3 colour_at(int at)
{
    return vec3(s_red[at], s_green[at], s_blue[at]);
}

void load_tile(ivec2 corner, float unit)
{
    int beside = REACH << u_stride.y;
    for (int i = int(gl_LocalInvocationIndex); i < PITCH * ROWS; i += THREADS) {
        ivec2 p = texel_at(corner, i % PITCH - beside, i / PITCH - REACH);
        bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_src_rect.zw));
        ivec2 at = clamp(p, ivec2(0), u_src_rect.zw - 1);
        vec3 c = raw_texel(at).rgb * unit;
        s_red[i] = inside ? c.r : OUTSIDE;
        s_green[i] = c.g;
        s_blue[i] = c.b;
#if GUIDES
        uvec2 guide = imageLoad(i_guide, at).xy;
        s_normal[i] = guide.x;
        s_depth[i] = inside ? uintBitsToFloat(guide.y) : NO_DEPTH;
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
    float here = s_depth[at], before = s_depth[at - by], after = s_depth[at + by];
    float least = min(before < NO_DEPTH ? abs(here - before) : NO_DEPTH,
                      after < NO_DEPTH ? abs(after - here) : NO_DEPTH);
    return least < NO_DEPTH ? least : 0.0;
}
#endif

// A texel while its taps add up. With a struct tap in place of centre, code, normal and depth
// NVIDIA's compiler keeps it in memory: 356 us a frame of 1920 x 1080 instead of 202.
struct filtered {
    vec3 centre, sum;
    float weights;
#if GUIDES
    uint code;
    vec3 normal;
    float depth;
    vec2 slope;
#endif
};

struct tap {
    vec3 colour;
#if GUIDES
    uint code;
    vec3 normal;
    float depth;
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
    f.slope = vec2(slope(at, 1 << u_stride.y), slope(at, PITCH));
#endif
#endif
    return f;
}

tap tap_at(int at)
{
    tap t;
    t.colour = colour_at(at);
#if GUIDES
    t.code = s_normal[at];
    t.normal = unpacked_normal(t.code);
    t.depth = s_depth[at];
#endif
    return t;
}

// Tap (x, y) of the filter.
void add_tap(inout filtered f, const tap t, const int x, const int y)
{
    const float log2_h[3] = float[3](2.5849625, 2.0, 0.0); // of 6, 4, 1
    vec3 d = t.colour - f.centre;
    float power = 8.0 - log2_h[abs(x)] - log2_h[abs(y)];
    power = d.x * d.x + power;
    power = d.y * d.y + power;
    power = d.z * d.z + power;
#if GUIDES && HAS_NORMAL
    float along = dot(f.normal, t.normal);
    power -= t.code == f.code ? 0.0 : u_edges.z * log2(clamp(along, 1e-6, 1.0));
#endif
#if GUIDES && HAS_DEPTH
    float expected = f.slope.x * float(abs(x)) + f.slope.y * float(abs(y)) + 0.01 * abs(f.depth);
    power += abs(t.depth - f.depth) * (1.442695 * u_edges.w / max(expected, 1e-20));
#endif
    float weight = exp2(-power);
    f.sum += weight * t.colour;
    f.weights += weight;
}

void store_result(ivec2 p, vec3 y)
{
#if LAST
    vec4 first = imageLoad(i_first, p);
    vec3 albedo = albedo_at(p);
    vec3 result = mix(from_space(first.rgb), from_space(y), u_space.x) * albedo;
    store_texel(p, vec4(result, first.a));
#elif STORE == AG_STORE_16F // a mean of halves: within their range
    imageStore(i_dst, p, vec4(unpackHalf2x16(packHalf2x16(y.rg)),
                              unpackHalf2x16(packHalf2x16(vec2(y.b, 1.0)))));
#else
    imageStore(i_dst, p, vec4(y, 1.0));
#endif
}

void main()
{
    vec3 sigma = u_edges.y > 0.0 ? vec3(u_edges.y)
                                 : vec3(b_denoise.sigma[0], b_denoise.sigma[1], b_denoise.sigma[2]);
    // log2 of a weight is minus the square of the distance in this unit
    float unit = sqrt(1.442695 / 8.0 / max(dot(sigma, sigma), 1e-30)) * u_edges.x;
    ivec2 corner = tile_corner();
    load_tile(corner, unit);
    sync_shared();

    int t = int(gl_LocalInvocationIndex), column = t % AG_ATROUS_TILE_X;
    int row = t / AG_ATROUS_TILE_X * RUN, beside = 1 << u_stride.y;
    int at = (row + REACH) * PITCH + column + REACH * beside;
    filtered f[RUN];
    for (int i = 0; i < RUN; ++i)
        f[i] = filtered_at(at + i * PITCH);
    for (int x = -REACH; x <= REACH; ++x)
        for (int y = -REACH; y < RUN + REACH; ++y) {
            tap read = tap_at(at + x * beside + y * PITCH);
            for (int i = 0; i < RUN; ++i)
                if (y - i >= -REACH && y - i <= REACH)
                    add_tap(f[i], read, x, clamp(y - i, -REACH, REACH));
        }
    for (int i = 0; i < RUN; ++i) {
        ivec2 p = texel_at(corner, column, row + i);
        // No branch around the store: AMD's LLVM would move the sums into it, behind the loads of
        // all taps.
        p += NOWHERE * int(any(greaterThanEqual(p, u_src_rect.zw)));
        store_result(p, f[i].sum / (f[i].weights * unit));
    }
}
