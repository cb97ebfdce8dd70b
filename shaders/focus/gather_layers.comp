// focus/gather_layers.comp - depth_of_field, method = gather: cuts a frame into its layers
//
//   in        i_src; i_depth or t_depth (focus/lens.glsl)
//   out       i_layers, i_radii   near and far layer, all levels, and the fill (focus/gather.glsl)
//             b_tiles             of each tile: the fill; largest near radius, largest radius of a
//                                 lamp, HOLDS_*, number of lamps
//             b_lamps             what is much brighter than its tile, taken out of the layers:
//                                 middle, radius (near: negative), softness; light
//   host sets the defines of common/source.glsl and focus/lens.glsl
//   dispatch  one group a tile, a thread for each 2 x 2 texels, in Morton order: four neighbours
//             are a texel of the next level, which the first threads make
//   shared    1.7 KiB
//   cost      a texel of src and of depth read, 6 bytes a texel written
//   exact     sums between threads are of integers, or in one order: equal frames give equal bits
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "common/source.glsl"
#include "common/sync.glsl"
#include "focus/gather.glsl"
#include "focus/lens.glsl"

layout(local_size_x = 64) in;
layout(binding = AG_IMAGE_GATHER_LAYERS) writeonly uniform uimage2DArray i_layers; // RGBA16F
layout(binding = AG_IMAGE_GATHER_RADII) writeonly uniform uimage2DArray i_radii;   // R16F
layout(std430, binding = AG_SSBO_GATHER_LAMPS) restrict writeonly buffer Lamps { vec4 b_lamps[]; };

const int BLOCKS = HALF_TILE * HALF_TILE;
const float DARKEST = 1e-4;  // of the mean brightness of a tile
const float LOG_UNIT = 4096.0;
const float LAMP = 4.0;       // times its tile's mean is a lamp
const float LAMP_BLUR = 0.005; // and more the more it is blurred, by r^2

shared vec4 s_colour[BLOCKS + 20]; // of level 0, 1, 2
shared float s_radius[BLOCKS + 20];
shared uint s_nearest, s_widest, s_kinds; // bits of floats; 1 sharp, 2 far, 4 any other
shared uint s_bright, s_steps, s_lamps[2];
shared int s_log;

struct layer_sum {
    vec4 colour;  // premultiplied
    float radius; // times weight
};

uint kind_of(float r)
{
    uint some = 4u - 2u * uint(r >= SMALL + 1.0);
    return abs(r) <= 0.5 ? 1u : some;
}

float largest_of(vec3 c) { return max(max(c.r, c.g), c.b); }

ivec2 block_of(uint thread) // Morton order
{
    uvec2 bits = uvec2(thread, thread >> 1u) & 0x15u;
    bits = (bits | bits >> 1u) & 0x13u;
    return ivec2((bits | bits >> 2u) & 7u);
}

void store_layer(int which, int level, uint thread, layer_sum s)
{
    ivec2 at = level_place(level) + ivec2(gl_WorkGroupID.xy) * (HALF_TILE >> level);
    ivec3 p = ivec3(at + block_of(thread), u_layer.x + which);
    uvec2 words = uvec2(pack_halves(s.colour.rg), pack_halves(s.colour.ba));
    imageStore(i_layers, p, uvec4(words, 0u, 0u));
    imageStore(i_radii, p, uvec4(pack_halves(vec2(s.radius, 0.0))));
}

// The mean of the four threads of the level before. All threads call it; the first ones get one.
layer_sum next_level(int level, layer_sum s)
{
    uint thread = gl_LocalInvocationIndex, first = level == 1 ? 0u : level == 2 ? 64u : 80u;
    if (thread < uint(BLOCKS) >> 2 * (level - 1)) {
        s_colour[first + thread] = s.colour;
        s_radius[first + thread] = s.radius;
    }
    sync_shared();
    if (thread < uint(BLOCKS) >> 2 * level) {
        s = layer_sum(vec4(0.0), 0.0);
        for (uint i = 0u; i < 4u; ++i) {
            s.colour += 0.25 * s_colour[first + 4u * thread + i];
            s.radius += 0.25 * s_radius[first + 4u * thread + i];
        }
    }
    return s;
}

// `any`: the same in all threads.
void store_levels(int which, layer_sum s, bool any)
{
    uint thread = gl_LocalInvocationIndex;
    store_layer(which, 0, thread, s);
    for (int level = 1; level < LEVELS; ++level) {
        if (any)
            s = next_level(level, s);
        if (thread < uint(BLOCKS) >> 2 * level)
            store_layer(which, level, thread, s);
    }
    sync_shared();
}

// What of a colour is above the threshold, `share` of a texel of radius r.
float excess(vec3 colour, float share, float r, float threshold)
{
    float bright = largest_of(colour), least = threshold * (1.0 + LAMP_BLUR * r * r) * share;
    return bright > least ? 1.0 - least / bright : 0.0;
}

// How many half stops above the mean leave at most AG_GATHER_LAMPS blocks: as many as the first
// block that is left out is above it.
void rank(float over)
{
    uint thread = gl_LocalInvocationIndex, before = 0u;
    s_radius[thread] = over;
    sync_shared();
    for (uint i = 0u; i < uint(BLOCKS); ++i)
        before += uint(s_radius[i] > over || (s_radius[i] == over && i < thread));
    if (before == uint(AG_GATHER_LAMPS))
        s_steps = uint(over);
    sync_shared();
}

void main()
{
    uint thread = gl_LocalInvocationIndex;
    ivec2 tile = ivec2(gl_WorkGroupID.xy), corner = AG_FOCUS_TILE * tile + 2 * block_of(thread);
    if (thread == 0u) {
        s_nearest = s_widest = s_kinds = s_bright = s_steps = s_lamps[0] = s_lamps[1] = 0u;
        s_log = 0;
    }
    sync_shared();

    // ---- texels; beyond the frame those of its edge
    vec3 c[4];
    float r[4], inside[4], focus = focus_distance();
    uint bad = 0u, kinds = 0u;
    for (int i = 0; i < 4; ++i) { // all loads before the first use
        ivec2 at = corner + ivec2(i & 1, i >> 1), p = min(at, u_src_rect.zw - 1);
        uint spoilt = 0u;
        c[i] = max(load_texel(p, spoilt).rgb, 0.0);
        r[i] = depth_at(p);
        inside[i] = float(at == p);
        bad += spoilt * uint(at == p);
    }
    float nearest = 0.0;
    layer_sum near = layer_sum(vec4(0.0), 0.0), far = near;
    vec3 sharp = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        r[i] = radius_of(r[i], focus);
        float large = large_part(r[i]), n = r[i] < 0.0 ? large : 0.0, f = large - n;
        near.colour += 0.25 * n * vec4(c[i], 1.0);
        near.radius -= 0.25 * n * r[i];
        far.colour += 0.25 * f * vec4(c[i], 1.0);
        far.radius += 0.25 * f * r[i];
        sharp += 0.25 * (1.0 - large) * c[i];
        nearest = n > 0.0 ? max(nearest, -r[i]) : nearest;
        kinds |= kind_of(r[i]);
    }
    count_bad(bad);
    float bright = largest_of(near.colour.rgb + far.colour.rgb + sharp);
    atomicMax(s_nearest, floatBitsToUint(nearest));
    atomicOr(s_kinds, kinds);
    atomicAdd(s_log, int(LOG_UNIT * log2(max(bright, DARKEST))));
    sync_shared();

    // ---- lamps
    float threshold = LAMP * exp2(float(s_log) / (LOG_UNIT * float(BLOCKS)));
    float over = max(ceil(2.0 * log2(max(bright, DARKEST) / threshold)), 0.0); // half stops
    if (over > 0.0)
        atomicAdd(s_bright, 1u);
    sync_shared();
    if (s_bright > uint(AG_GATHER_LAMPS))
        rank(over);
    threshold *= exp2(0.5 * float(s_steps));
    bool is_near = largest_of(near.colour.rgb) >= largest_of(far.colour.rgb);
    layer_sum own = far;
    if (is_near)
        own = near;
    float part = 0.0;
    if (over > float(s_steps) && own.colour.a > 0.0)
        part = excess(own.colour.rgb, own.colour.a, own.radius / own.colour.a, threshold);
    vec3 light = part * own.colour.rgb;
    float weight = 0.0, reach = 0.0;
    vec2 middle = vec2(0.0);
    vec4 halves = vec4(0.0); // of the block's right, lower half
    for (int i = 0; i < 4; ++i) {
        bool same = is_near == (r[i] < 0.0);
        float l = same ? largest_of(c[i]) * large_part(r[i]) * inside[i] : 0.0;
        weight += l;
        middle += l * vec2(i & 1, i >> 1);
        reach += l * abs(r[i]);
    }
    bool lamp = part > 0.0 && weight > 0.0;
    if (lamp) {
        atomicOr(s_lamps[thread >> 5], 1u << (thread & 31u));
        atomicMax(s_widest, floatBitsToUint(reach / weight));
    }
    sync_shared();
    if (lamp) {
        uint below = s_lamps[thread >> 5] & ((1u << (thread & 31u)) - 1u);
        int slot = bitCount(below) + (thread >= 32u ? bitCount(s_lamps[0]) : 0);
        int place = tile_place(tile) * AG_GATHER_LAMPS + 2 * slot;
        vec2 at = middle / weight, spread = at * (1.0 - at); // variances along both axes
        float radius = reach / weight, texels = inside[0] + inside[1] + inside[2] + inside[3];
        b_lamps[place] = vec4(vec2(corner) + 0.5 + at, is_near ? -radius : radius,
                              sqrt(1.0 + 6.0 * (spread.x + spread.y)));
        b_lamps[place + 1] = vec4(texels * light, 0.0);
    }
    if (is_near)
        near.colour.rgb -= light;
    else
        far.colour.rgb -= light;

    // ---- levels; what lies behind is also of near texels, of those with half of the radius
    float nearest_here = uintBitsToFloat(s_nearest), behind = 0.0;
    for (int i = 0; i < 4; ++i) {
        float front = (-r[i] / max(nearest_here, 1e-3) - 0.5) / 0.2;
        behind += 0.25 * (r[i] < 0.0 ? large_part(r[i]) : 0.0) * (1.0 - clamp(front, 0.0, 1.0));
    }
    float share = behind / max(near.colour.a, 1e-6);
    layer_sum fill;
    fill.colour = vec4(far.colour.rgb + sharp + share * near.colour.rgb,
                       1.0 - near.colour.a + behind);
    fill.radius = 0.0;
    store_levels(AG_FOCUS_NEAR, near, nearest_here > 0.0);
    store_levels(AG_FOCUS_FAR, far, s_kinds > 1u);
    for (int level = 1; level < LEVELS; ++level) {
        fill = next_level(level, fill);
        if (level <= 2 && thread < uint(BLOCKS) >> 2 * level) {
            ivec2 at = fill_place(level) + (HALF_TILE >> level) * tile + block_of(thread);
            uvec2 words = uvec2(pack_halves(fill.colour.rg), pack_halves(fill.colour.ba));
            imageStore(i_layers, ivec3(at, u_layer.x), uvec4(words, 0u, 0u));
        }
    }
    if (thread == 0u) {
        int place = tile_place(tile);
        float holds = s_kinds == 1u ? HOLDS_SHARP : s_kinds == 2u ? HOLDS_FAR : HOLDS_MORE;
        b_tiles[place] = fill.colour;
        b_tiles[place + 1] = vec4(nearest_here, uintBitsToFloat(s_widest), holds,
                                  float(bitCount(s_lamps[0]) + bitCount(s_lamps[1])));
    }
}
