// focus/gather_layers.comp - depth_of_field, method = gather: cuts a frame into its layers
//
//   in        i_src; i_depth or t_depth (focus/lens.glsl)
//   out       i_layers, i_radii   near and far layer, all levels, and the fill (focus/gather.glsl)
//             i_blurred           0, of layers that a tile does not have
//             i_dst               tiles in focus, as they are
//             b_work              no tiles
//             b_tiles             of each tile: the fill; largest near radius, largest radius of a
//                                 lamp, HOLDS_*, number of lamps
//             b_lamps             what is much brighter than its tile, taken out of the layers:
//                                 middle, radius (near: negative), how far apart; light
//   host sets the defines of common/source.glsl, common/store.glsl and focus/lens.glsl
//   dispatch  one group a tile, a thread for each 2 x 2 texels, in Morton order: four neighbours
//             are a texel of the next level, which the first threads make
//   shared    2.7 KiB
//   cost      a texel of src and of depth read; 10 bytes a texel written, and what is in focus
//   exact     sums between threads are of integers, or in one order: equal frames give equal bits
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "common/source.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#include "focus/gather.glsl"
#include "focus/lens.glsl"

layout(local_size_x = 64) in;
layout(binding = AG_IMAGE_GATHER_LAYERS) writeonly uniform uimage2DArray i_layers; // RGBA16F
layout(binding = AG_IMAGE_GATHER_RADII) writeonly uniform uimage2DArray i_radii;   // R16F
layout(binding = AG_IMAGE_GATHER_BLURRED) writeonly uniform uimage2DArray i_blurred; // RGBA16F
layout(std430, binding = AG_SSBO_GATHER_LAMPS) restrict writeonly buffer Lamps { vec4 b_lamps[]; };
layout(std430, binding = AG_SSBO_GATHER_WORK) restrict writeonly buffer Work { uint b_work[]; };

const int BLOCKS = HALF_TILE * HALF_TILE;
const uint ROOM = uint(BLOCKS) + 20u; // of level 0, 1, 2
const float DARKEST = 1e-4;  // of the mean brightness of a tile
const float LOG_UNIT = 4096.0;
const float LAMP = 4.0;       // times its tile's mean is a lamp
const float LAMP_BLUR = 0.005; // and more the more it is blurred, by r^2
const float NEAR_BEHIND = 0.1; // how likely a near texel lies behind, to one in focus or far
const uint FILL = 2u;          // behind AG_FOCUS_NEAR, _FAR

shared uvec2 s_colour[3u * ROOM]; // halves, of the near layer, the far one, and the fill
shared float s_radius[2u * ROOM];
shared uint s_nearest, s_widest, s_holds; // bits of floats; HOLDS_*
shared uint s_bright, s_steps, s_lamps[2];
shared int s_log;

struct layer_sum {
    vec4 colour;  // premultiplied
    float radius; // times weight
};

float largest_of(vec3 c) { return max(max(c.r, c.g), c.b); }

ivec2 block_of(uint thread) // Morton order
{
    uvec2 bits = uvec2(thread, thread >> 1u) & 0x15u;
    bits = (bits | bits >> 1u) & 0x13u;
    return ivec2((bits | bits >> 2u) & 7u);
}

// Whether the tile has any of a layer: packing is most of the work.
bool has_any(uint which)
{
    uint far = s_holds & (HOLDS_FAR | HOLDS_SOME_FAR);
    return which == FILL || (which == uint(AG_FOCUS_NEAR) ? s_nearest : far) != 0u;
}

// Keeps it for the next level, too, at `room`.
void store_layer(uint which, int level, uint block, uint room, layer_sum s)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy), at = (HALF_TILE >> level) * tile + block_of(block);
    uvec2 words = uvec2(0u);
    uint radius = 0u;
    if (has_any(which)) {
        words = pack_layer(s.colour);
        radius = pack_layer(vec4(s.radius, 0.0, 0.0, 0.0)).x;
    }
    if (level < LEVELS - 1)
        s_colour[room] = words;
    if (which == FILL) {
        if (level == 1 || level == 2)
            imageStore(i_layers, ivec3(fill_place(level) + at, u_layer.x), uvec4(words, 0u, 0u));
        return;
    }
    ivec3 p = ivec3(level_place(level) + at, u_layer.x + int(which));
    imageStore(i_layers, p, uvec4(words, 0u, 0u));
    imageStore(i_radii, p, uvec4(radius));
    if (level < LEVELS - 1)
        s_radius[room] = s.radius;
}

// All levels. Each layer has 16 threads. Of thread 16 FILL, the fill's mean is the result.
vec4 store_levels(layer_sum near, layer_sum far, layer_sum fill)
{
    uint thread = gl_LocalInvocationIndex, which = thread >> 4u, block = thread & 15u;
    store_layer(uint(AG_FOCUS_NEAR), 0, thread, thread, near);
    store_layer(uint(AG_FOCUS_FAR), 0, thread, ROOM + thread, far);
    store_layer(FILL, 0, thread, FILL * ROOM + thread, fill);
    layer_sum s = layer_sum(vec4(0.0), 0.0);
    uint from = which * ROOM, count = uint(BLOCKS);
    for (int level = 1; level < LEVELS; ++level) {
        sync_shared();
        uint to = from + count;
        count >>= 2u;
        if (which <= FILL && block < count) {
            s = layer_sum(vec4(0.0), 0.0);
            for (uint i = 0u; i < 4u; ++i) {
                uvec2 words = s_colour[from + 4u * block + i];
                s.colour += 0.25 * vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y));
            }
            for (uint i = 0u; i < 4u && which < FILL; ++i)
                s.radius += 0.25 * s_radius[from + 4u * block + i];
            store_layer(which, level, block, to + block, s);
        }
        from = to;
    }
    return s.colour;
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

// The light of a block that is a lamp's, 0 of most. All threads of a group call it.
vec3 take_lamp(ivec2 corner, float over, float threshold, bool is_near, layer_sum own,
               const vec3 c[4], const float r[4], const float inside[4])
{
    uint thread = gl_LocalInvocationIndex;
    if (s_bright > uint(AG_GATHER_LAMPS))
        rank(over);
    float part = 0.0, weight = 0.0, reach = 0.0, least = threshold * exp2(0.5 * float(s_steps));
    if (over > float(s_steps) && own.colour.a > 0.0)
        part = excess(own.colour.rgb, own.colour.a, own.radius / own.colour.a, least);
    vec2 middle = vec2(0.0);
    for (int i = 0; i < 4; ++i) {
        bool same = is_near == (r[i] < 0.0);
        float l = same ? largest_of(c[i]) * large_part(r[i]) * inside[i] : 0.0;
        weight += l;
        middle += l * vec2(i & 1, i >> 1);
        reach += l * abs(r[i]);
    }
    vec3 light = part * own.colour.rgb;
    bool lamp = part > 0.0 && weight > 0.0;
    if (lamp) {
        atomicOr(s_lamps[thread >> 5], 1u << (thread & 31u));
        atomicMax(s_widest, floatBitsToUint(reach / weight));
    }
    sync_shared();
    if (lamp) {
        uint below = s_lamps[thread >> 5] & ((1u << (thread & 31u)) - 1u);
        int slot = bitCount(below) + (thread >= 32u ? bitCount(s_lamps[0]) : 0);
        int place = tile_place(ivec2(gl_WorkGroupID.xy)) * AG_GATHER_LAMPS + 2 * slot;
        vec2 at = middle / weight, spread = at * (1.0 - at); // variances along both axes
        float radius = reach / weight, texels = inside[0] + inside[1] + inside[2] + inside[3];
        b_lamps[place] = vec4(vec2(corner) + 0.5 + at, is_near ? -radius : radius,
                              sqrt(0.5 * max(spread.x + spread.y, 0.0)));
        b_lamps[place + 1] = vec4(texels * light, 0.0);
    }
    return light;
}

// Layers that gather_blur.comp may leave out.
void store_empty(ivec2 half_texel)
{
    for (int which = AG_FOCUS_NEAR; which <= AG_FOCUS_FAR; ++which)
        if (!has_any(uint(which)))
            imageStore(i_blurred, ivec3(half_texel, u_layer.x + which), uvec4(0u));
}

void store_tile(vec4 fill)
{
    if (gl_LocalInvocationIndex != 16u * FILL)
        return;
    int place = tile_place(ivec2(gl_WorkGroupID.xy));
    b_tiles[place] = fill;
    b_tiles[place + 1] = vec4(uintBitsToFloat(s_nearest), uintBitsToFloat(s_widest), float(s_holds),
                              float(bitCount(s_lamps[0]) + bitCount(s_lamps[1])));
}

void main()
{
    uint thread = gl_LocalInvocationIndex;
    ivec2 tile = ivec2(gl_WorkGroupID.xy), corner = AG_FOCUS_TILE * tile + 2 * block_of(thread);
    if (thread == 0u) {
        s_nearest = s_widest = s_holds = s_bright = s_steps = s_lamps[0] = s_lamps[1] = 0u;
        s_log = 0;
        if (tile == ivec2(0)) {
            b_work[work_at()] = 0u;
            b_work[work_at() + 1] = 0u;
        }
    }
    sync_shared();

    // ---- texels; beyond the frame those of its edge
    vec4 texel[4];
    vec3 c[4];
    float r[4], inside[4], focus = focus_distance();
    uint bad = 0u, holds = 0u;
    for (int i = 0; i < 4; ++i) { // all loads before the first use
        ivec2 at = corner + ivec2(i & 1, i >> 1), p = min(at, u_src_rect.zw - 1);
        uint spoilt = 0u;
        texel[i] = load_texel(p, spoilt);
        c[i] = max(texel[i].rgb, 0.0);
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
        holds |= kind_of(r[i]);
    }
    count_bad(bad);
    float bright = largest_of(near.colour.rgb + far.colour.rgb + sharp);
    atomicMax(s_nearest, floatBitsToUint(nearest));
    atomicOr(s_holds, holds);
    atomicAdd(s_log, int(LOG_UNIT * log2(max(bright, DARKEST))));
    sync_shared();
    store_empty(corner >> 1);
    if (s_holds == HOLDS_SHARP) {
        for (int i = 0; i < 4; ++i)
            if (inside[i] > 0.0)
                store_texel(corner + ivec2(i & 1, i >> 1), texel[i]);
        layer_sum none = layer_sum(vec4(0.0), 0.0);
        store_tile(store_levels(none, none, layer_sum(vec4(sharp, 1.0), 0.0)));
        return;
    }

    // ---- lamps
    float threshold = LAMP * exp2(float(s_log) / (LOG_UNIT * float(BLOCKS)));
    float over = max(ceil(2.0 * log2(max(bright, DARKEST) / threshold)), 0.0); // half stops
    if (over > 0.0)
        atomicAdd(s_bright, 1u);
    sync_shared();
    if (s_bright > 0u) { // in most tiles nothing is
        bool is_near = largest_of(near.colour.rgb) >= largest_of(far.colour.rgb);
        layer_sum own = far;
        if (is_near)
            own = near;
        vec3 light = take_lamp(corner, over, threshold, is_near, own, c, r, inside);
        if (is_near)
            near.colour.rgb -= light;
        else
            far.colour.rgb -= light;
    }

    // ---- levels; what lies behind is most likely not near, or has half of the radius in front
    float nearest_here = uintBitsToFloat(s_nearest), behind = 0.0;
    vec4 small = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        float front = (-r[i] / max(nearest_here, 1e-3) - 0.5) / 0.2, large = large_part(r[i]);
        float likely = mix(1.0, NEAR_BEHIND, clamp(-2.0 * r[i] - 1.0, 0.0, 1.0));
        small += 0.25 * (1.0 - large) * likely * vec4(c[i], 1.0);
        behind += r[i] < 0.0 ? 0.25 * large * likely * (1.0 - clamp(front, 0.0, 1.0)) : 0.0;
    }
    float share = behind / max(near.colour.a, 1e-6);
    layer_sum fill;
    fill.colour = vec4(far.colour.rgb + small.rgb + share * near.colour.rgb,
                       far.colour.a + small.a + behind);
    fill.radius = 0.0;
    store_tile(store_levels(near, far, fill));
}
