// focus/gather_compose.comp - depth_of_field, method = gather: small blurs at full resolution, and
// all layers over each other
//
//   in        i_src; i_depth or t_depth (focus/lens.glsl)
//             t_blurred, t_layers; b_tiles, spread; b_lamps; b_opening
//   out       i_dst
//   host sets the defines of common/source.glsl, focus/lens.glsl, focus/gather_lamps.glsl and
//             common/store.glsl
//   dispatch  groups that share the second list of b_work (focus/gather.glsl). The other tiles are
//             in focus, and gather_layers.comp has stored them
//   shared    9.7 KiB
//   cost      1.9 texels of src and of depth read a texel where small blurs are near, else 1; up to
//             45 texels around each from shared memory
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/source.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#include "focus/gather.glsl"
#include "focus/gather_lamps.glsl"
#include "focus/gather_opening.glsl"
#include "focus/lens.glsl"

layout(local_size_x = AG_FOCUS_TILE, local_size_y = AG_FOCUS_TILE) in;

layout(std430, binding = AG_SSBO_GATHER_WORK) restrict readonly buffer Work { uint b_work[]; };

const int APRON = AG_GATHER_APRON;
// Texels: radii that differ by no more than FLAT, and SLOPE for each texel between, are of one
// surface. In a window, that is so if neighbours differ by SLOPE at most: their steps along both
// axes add up to no more than sqrt(2) SLOPE for each texel
const float FLAT = 0.5, SLOPE = 0.25;
const int RING = APRON * APRON - AG_FOCUS_TILE * AG_FOCUS_TILE; // texels around the tile

// Halves: colour and weight of what is small of it; radius, radius of the smoothed disc; 1 over the
// area of that, and what is not small: far, or near (negative), which is 0 for a texel all near
shared uvec4 s_texel[APRON * APRON];
shared vec4 s_window[AG_GATHER_WINDOW];
shared bool s_steps; // whether radii of neighbours differ by more than a slope's
// Of the tile and the texels around it: whether any radius rounds up to so many halves; whether any
// texel is small, near, or neither. Threads store true, and need no atomics
shared bool s_reaches[2 * AG_GATHER_REACH + 2], s_small, s_near, s_others;

float disc_radius(float r) { return sqrt(max(r * r, 0.25) - 0.2); } // 0.2: the edge's own variance

float inverse_area(float r)
{
    float at = min(8.0 * abs(r), float(AG_GATHER_STEPS - 1)), below = floor(at);
    int place = AG_GATHER_AT_RADII + int(below);
    float more = b_opening[min(place + 1, AG_GATHER_AT_AREA - 1)].x;
    return mix(b_opening[place].x, more, at - below);
}

void keep_texel(int place, vec3 c, float r)
{
    float large = large_part(r), small = 1.0 - large;
    float side = r > 0.0 ? large : -min(large, 8.0 * small);
    s_texel[place] = uvec4(pack_layer(small * vec4(c, 1.0)), packHalf2x16(vec2(r, disc_radius(r))),
                           packHalf2x16(vec2(inverse_area(r), side)));
}

// Whether the radius here and those of the texels to the right and below differ by more than SLOPE.
bool is_step(int place, float r)
{
    int right = place % APRON < APRON - 1 ? place + 1 : place;
    int below = place < APRON * (APRON - 1) ? place + APRON : place;
    vec2 off = vec2(unpackHalf2x16(s_texel[right].z).x, unpackHalf2x16(s_texel[below].z).x) - r;
    return max(abs(off.x), abs(off.y)) > SLOPE;
}

// Place `i` of those around the tile: rows above, rows below, then both sides.
int ring_place(int i)
{
    const int ROWS = AG_GATHER_REACH * APRON, BELOW = AG_FOCUS_TILE * APRON;
    const int BESIDE = 2 * AG_GATHER_REACH; // columns
    int side = i - 2 * ROWS, row = side / BESIDE, column = side % BESIDE;
    column += column < AG_GATHER_REACH ? 0 : AG_FOCUS_TILE;
    return side >= 0 ? ROWS + row * APRON + column : i < ROWS ? i : i + BELOW;
}

// Sums over the window, of what has a small radius.
struct window_sum {
    vec4 front;   // of texels nearer than this one, whose disc lies over it: colour, coverage
    float halved; // the coverage that the same texels have in the near layer
    vec4 own;     // of the others: colour, weight
    float far;    // weight of the far layer
    float all;    // of all but the front
    float behind; // weight of what is behind the focus, for lamps
};

// `fronts`: whether any texel may be nearer than another.
window_sum sum_window(int middle, int count, const bool fronts)
{
    window_sum sum = window_sum(vec4(0.0), 0.0, vec4(0.0), 0.0, 0.0, 0.0);
    vec2 radius_p = unpackHalf2x16(s_texel[middle].z);
    float area_p = unpackHalf2x16(s_texel[middle].w).x;
    for (int i = 0; i < count; ++i) {
        vec4 place = s_window[i]; // gather_opening.glsl
        uvec4 texel = s_texel[middle + int(place.w)];
        vec4 c = vec4(unpackHalf2x16(texel.x), unpackHalf2x16(texel.y));
        vec2 radius_q = unpackHalf2x16(texel.z), area_side = unpackHalf2x16(texel.w);
        // Farther texels count as if they were as far as this one
        bool farther = radius_q.x > radius_p.x;
        float disc = farther ? radius_p.y : radius_q.y, area = farther ? area_p : area_side.x;
        float across = radius_p.x < 0.0 ? place.x : place.y;
        float own = area * clamp(disc * across + place.z, 0.0, 1.0);
        if (fronts) {
            float off = radius_p.x - radius_q.x - FLAT - SLOPE * (0.5 - place.z);
            float nearer = clamp(2.0 * off, 0.0, 1.0);
            across = radius_q.x < 0.0 ? place.x : place.y;
            float front = nearer * area_side.x * clamp(radius_q.y * across + place.z, 0.0, 1.0);
            sum.front += front * c;
            sum.halved += front * max(-area_side.y, 0.0);
            own -= nearer * own;
        }
        sum.own += own * c;
        sum.far += own * max(area_side.y, 0.0);
        sum.all += own;
        sum.behind += own * clamp(radius_q.x - (SMALL - 1.0), 0.0, 1.0);
    }
    return sum;
}

// What lies behind near texels, from fine to coarse.
vec4 fill_of(vec2 p, int level)
{
    vec2 at = clamp(p * exp2(float(-level - 1)), vec2(0.5), vec2(level_size(level)) - 0.5);
    at += vec2(fill_place(level));
    return textureLod(t_layers, vec3(at / vec2(textureSize(t_layers, 0).xy), u_layer.x), 0.0);
}

void add_fill(inout vec4 sum, vec4 level)
{
    float part = (1.0 - sum.a) * clamp(level.a, 0.0, 1.0);
    sum += part * vec4(level.rgb / max(level.a, 1e-4), 1.0);
}

vec3 fill_at(ivec2 p, vec4 near)
{
    vec4 sum = vec4(0.0);
    add_fill(sum, fill_of(vec2(p) + 0.5, 1));
    add_fill(sum, fill_of(vec2(p) + 0.5, 2));
    vec4 around = fill_around(p);
    if (around.a > 1e-4)
        sum += (1.0 - sum.a) * vec4(around.rgb / around.a, 1.0);
    return sum.a > 1e-3 ? sum.rgb / sum.a : near.rgb / max(near.a, 1e-3);
}

// `turn`: 0 and 1 by turns.
void compose_tile(ivec2 tile, uint turn)
{
    ivec2 p = AG_FOCUS_TILE * tile + ivec2(gl_LocalInvocationID.xy);
    ivec2 inside = min(p, u_src_rect.zw - 1);
    int thread = int(gl_LocalInvocationIndex);
    vec4 state = tile_state(tile); // spread: also what is around the tile
    uint holds = uint(state.z);
    uint unseen = 0u;              // counted by gather_layers.comp
    vec4 c = load_texel(inside, unseen);
    float focus = focus_distance(), r = holds == HOLDS_FAR ? MAX_RADIUS : -MAX_RADIUS;
    if (holds != HOLDS_FAR && holds != HOLDS_NEAR) // else no more than its sign matters
        r = radius_of(depth_at(inside), focus);
    vec2 at = vec2(p) + 0.5;
    vec4 near = vec4(0.0), far = vec4(0.0); // fetched before a barrier, with other loads
    if (state.x > 0.0)
        near = blurred_at(at, AG_FOCUS_NEAR);
    if ((holds & (HOLDS_FAR | HOLDS_SOME_FAR)) != 0u)
        far = blurred_at(at, AG_FOCUS_FAR);
    if (state.y > 0.0)
        find_lamps(tile, state.y, turn);
    vec3 light = max(c.rgb, 0.0);
    float large = large_part(r);
    bool windowed = needs_window(holds);
    ivec2 local = ivec2(gl_LocalInvocationID.xy) + AG_GATHER_REACH;
    int middle = local.y * APRON + local.x;
    if (windowed) { // so far as tiles know
        int place = ring_place(min(thread, RING - 1)); // the last threads the same
        ivec2 q = tile * AG_FOCUS_TILE - AG_GATHER_REACH + ivec2(place % APRON, place / APRON);
        q = clamp(q, ivec2(0), u_src_rect.zw - 1);
        vec4 c_q = load_texel(q, unseen);
        float d_q = depth_at(q), r_q = radius_of(d_q, focus);
        if (thread < s_reaches.length())
            s_reaches[thread] = false;
        if (thread == 0)
            s_small = s_near = s_others = s_steps = false;
        sync_shared();
        keep_texel(middle, light, r);
        keep_texel(place, max(c_q.rgb, 0.0), r_q);
        if (thread < AG_GATHER_WINDOW)
            s_window[thread] = b_opening[thread];
        uint kinds = kind_of(r) | kind_of(r_q);
        if (kinds >= HOLDS_SMALL)
            s_small = true;
        if ((kinds & HOLDS_NEAR) != 0u)
            s_near = true;
        if ((kinds & (HOLDS_SHARP | HOLDS_FAR)) != 0u)
            s_others = true;
        float widest = min(max(abs(r), abs(r_q)), SMALL + 1.0);
        s_reaches[int(ceil(2.0 * widest))] = true;
        sync_shared();
        windowed = s_small || (s_near && s_others);
        if (is_step(middle, r) || is_step(place, r_q))
            s_steps = true;
        sync_shared();
    }
    window_sum sum;
    if (windowed) {
        int halves = 0;
        for (int i = 1; i < s_reaches.length(); ++i)
            halves = s_reaches[i] ? i : halves;
        int count = int(b_opening[AG_GATHER_AT_RADII + 4 * halves].y);
        if (s_steps)
            sum = sum_window(middle, count, true);
        else
            sum = sum_window(middle, count, false);
    } else { // nothing small but in focus, or nothing but near
        sum.front = vec4(0.0);
        sum.halved = 0.0;
        sum.own = (1.0 - large) * vec4(light, 1.0);
        sum.far = r > 0.0 ? large : 0.0;
        sum.all = 1.0;
        sum.behind = sum.far;
    }
    float far_weight = far.a > 0.0 ? sum.far : 0.0, known = sum.own.a + far_weight;
    vec3 back = (sum.own.rgb + far_weight * far.rgb / max(far.a, 1e-6)) / max(known, 1e-6);
    float sure = clamp(4.0 * known / max(sum.all, 1e-6), 0.0, 1.0);
    if (sure < 1.0)
        back = mix(fill_at(p, near), back, sure);
    sum.front /= max(1.0 - min(sum.halved, near.a), 0.1); // as own texels, by their weight
    float front = min(sum.front.a, 1.0), seen = min(sum.behind / max(sum.all, 1e-6), 1.0);
    if (r < -SMALL)
        seen = 1.0;
    back = sum.front.rgb * (front / max(sum.front.a, 1e-6)) + (1.0 - front) * back;
    vec3 result = near.rgb + (1.0 - min(near.a, 1.0)) * back;
    bool focused = abs(r) <= 0.5 && sum.front.a == 0.0 && near.a == 0.0;
    if (state.y > 0.0) {
        float near_radius = state.x > 0.0 ? near_around(p) : 0.0;
        vec3 lamps = vec3(0.0), far_lamps = vec3(0.0);
        add_lamps(tile, state.y, turn, at, near_radius, far.a * MAX_RADIUS, lamps, far_lamps);
        focused = focused && lamps == vec3(0.0);
        result += lamps + (1.0 - front) * seen * far_lamps;
    }
    if (p == inside)
        store_texel(p, focused ? c : vec4(result, c.a));
}

void main()
{
    uint at = uint(work_at()), count = b_work[at + 1u];
    uint list = at + uint(AG_GATHER_WORK_HEAD) + 2u * uint(u_tiles.x * u_tiles.y);
    if (gl_WorkGroupID.x >= count)
        return;
    uint next = b_work[list + gl_WorkGroupID.x], turn = 0u, thread = gl_LocalInvocationIndex;
    if (thread < 2u)
        s_lit_count[thread] = 0u;
    if (thread < uint(MOST_WORDS))
        s_lit[thread] = 0u;
    sync_shared();
    for (uint i = gl_WorkGroupID.x; i < count; i += gl_NumWorkGroups.x) {
        uint entry = next;
        next = b_work[list + min(i + gl_NumWorkGroups.x, count - 1u)]; // while this one is made
        compose_tile(tile_in(entry), turn);
        turn = 1u - turn;
        if (thread == 0u)
            s_lit_count[turn] = 0u; // nobody has read it since the last tile
        if (thread < uint(MOST_WORDS))
            s_lit[thread] = 0u;
        sync_shared();              // what is shared is the next tile's
    }
}
