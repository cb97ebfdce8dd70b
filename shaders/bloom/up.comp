// bloom/up.comp - the bloom of the half or the quarter to the frame by cubic B-splines, and the
// direct taps of the frame; composited
//
//   in        i_small  the bloom: RGBA16F as RG32UI; with WIDE RGBA32F
//             i_src    the frame: for the composite, alpha, and the taps
//             i_light  with FIREFLIES: T, from bloom/firefly.comp; RGBA16F as RG32UI or RGBA32F
//             b_taps   with CORE: the frame's taps, times the kernel's sum: b_info.scale divides by
//                      it
//             u_step   texels of the frame for one of i_small: the ratios, or with VARIES from half
//                      of them on; where the first one lies, in texels of i_small
//             u_half   size of i_small
//   out       i_dst    see fft/composite.glsl
//   host sets RATIO_X, RATIO_Y  2 or 4
//             VARIES     0; 1 = steps may be other than the ratios
//             CORE       0; 5, 7 = a direct convolution with CORE x CORE taps is added
//             FIREFLIES  0; 1 = it takes its light from i_light
//             STEADY     0; 1 = no bloom is negative
//             the defines of bloom/small.glsl and fft/composite.glsl; FILTERABLE 1
//   dispatch  ceil(size of the frame / (32, 16)); one layer
//   shared    2.9 KB, with VARIES 8.6; with ratios of 4 1.2. With CORE 6.5 or 7.5 KB more, if WIDE
//             9.0 or 10.8
//   cost      reads each texel of the frame once (with CORE 2.4 times), writes each once; reads the
//             half 1.9 times, the quarter 3. 100 instructions a texel, with CORE 240. One barrier,
//             with CORE three
//   limits    registers, with CORE: 96 VGPRs, 5 waves a SIMD on RDNA 2; 128, 2 on GCN 5
//             (docs/gpus.md)
//   how       a thread goes down a column of the frame with the four rows of i_small around it in
//             registers; i_small lies in shared memory as floats. A thread
//             makes the core of a block of 2 x 2 texels, which share what they read, with all taps
//             in registers; through shared memory this goes to the threads that store it. Where a
//             texel of the frame is not finite, the result is infinite or NaN, and only then texels
//             are cleaned (docs/decisions.md, D55)
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(RATIO_X) || !defined(RATIO_Y) || !defined(VARIES)
#error "RATIO_X, RATIO_Y and VARIES must be set by the host"
#endif
#if !defined(CORE) || !defined(FIREFLIES) || !defined(STEADY)
#error "CORE, FIREFLIES and STEADY must be set by the host"
#endif
#include "common/info.glsl"
#include "fft/composite.glsl"
#include "bloom/small.glsl"
#include "common/sync.glsl"

const int THREADS = 128;
layout(local_size_x = 128) in;
const int TILE_X = 32, TILE_Y = 16; // of the frame
// Of a thread, two rows apart: a subgroup has 16 x 2 texels, whole sectors of a texture.
const int TEXELS = TILE_X * TILE_Y / THREADS;
const int STEP_X = VARIES == 1 ? RATIO_X / 2 : RATIO_X;
const int STEP_Y = VARIES == 1 ? RATIO_Y / 2 : RATIO_Y;
const int SIDE_X = (TILE_X - 2 + STEP_X) / STEP_X + 4, SIDE_Y = (TILE_Y - 2 + STEP_Y) / STEP_Y + 4;

// Threads along x and y that load i_small.
const int SMALL_X = SIDE_X <= 16 ? 16 : SIDE_X <= 32 ? 32 : 64, SMALL_Y = THREADS / SMALL_X;
const int SMALL_ROUNDS = (SIDE_Y + SMALL_Y - 1) / SMALL_Y;

layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) readonly uniform SMALL_IMAGE i_small;
#if FIREFLIES && CORE
layout(SMALL_FORMAT, binding = AG_IMAGE_LIGHT) readonly uniform SMALL_IMAGE i_light;
#endif

shared vec3 s_small[SIDE_X * SIDE_Y]; // unpacked: each texel is read some ten times
#if VARIES
shared vec4 s_down[TILE_Y]; // weights of four rows of i_small in a row of the frame
shared int s_line[TILE_Y];  // the first of them
#endif

// Where a texel of the frame lies in i_small.
vec2 small_place(vec2 p)
{
    return (p + 0.5) / u_step.xy - u_step.zw + float(MARGIN);
}

// A row of i_small at a column of the frame.
vec3 small_row(int at, vec4 across)
{
    return across.x * s_small[at] + across.y * s_small[at + 1] + across.z * s_small[at + 2] +
           across.w * s_small[at + 3];
}

// A texel of load_unseen() behind the NaN firewall.
TEXEL cleaned(TEXEL texel)
{
#if SRC_IS_RGBA16F
    uint counted_before; // by bloom/down.comp
    texel = firewall(texel, SCRUBS, counted_before);
#endif
    return texel;
}

#if CORE
layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { vec4 b_taps[]; };
const int AROUND = CORE / 2, SIDE = CORE, CORE_TAPS = CORE * CORE;
const int CORE_X = TILE_X + 2 * AROUND, CORE_Y = TILE_Y + 2 * AROUND;
const int TILE = TILE_X * TILE_Y;
// T: in a row first the even columns, then the odd ones. Then the core's light, exchanged
shared LIGHT s_light[max(CORE_X * CORE_Y, WIDE == 1 ? TILE : TILE * 3 / 2)];
int light_at(ivec2 p)
{
    return p.y * CORE_X + p.x % 2 * (CORE_X / 2) + p.x / 2;
}
shared vec4 s_core[CORE_TAPS]; // turned by 180 degrees

// Four threads load 2 x 2 texels, a sector of a texture. Sixteen sectors of a row, from top to
// bottom; then what is left at the right.
const int PER_ROUND = THREADS / 64; // rows of sectors
const int MAIN_ROUNDS = (CORE_Y / 2 + PER_ROUND - 1) / PER_ROUND;
const int RIGHT = (CORE_X - TILE_X) / 2 * (CORE_Y / 2) * 4; // texels
const int LIGHT_ROUNDS = MAIN_ROUNDS + (RIGHT + THREADS - 1) / THREADS;

ivec2 light_place(int thread, int k)
{
    ivec2 in_sector = ivec2(thread % 2, thread / 2 % 2);
    if (k < MAIN_ROUNDS)
        return in_sector + 2 * ivec2(thread / 4 % 16, thread / 64 + k * PER_ROUND);
    int sector = min(thread + (k - MAIN_ROUNDS) * THREADS, RIGHT - 1) / 4;
    return in_sector + 2 * ivec2(TILE_X / 2 + sector % AROUND, sector / AROUND);
}

#if FIREFLIES
#define HELD LIGHT
#else
#define HELD TEXEL
#endif

void load_light(ivec2 corner, int thread, out HELD held[LIGHT_ROUNDS], inout uint suspects)
{
    for (int k = 0; k < LIGHT_ROUNDS; ++k) {
        ivec2 p = clamp(corner + light_place(thread, k), ivec2(0), u_src_rect.zw - 1);
#if FIREFLIES
        held[k] = light_of(imageLoad(i_light, p));
#else
        held[k] = load_unseen(p, suspects);
#endif
    }
#if !FIREFLIES
    for (int k = 0; k < LIGHT_ROUNDS; ++k)
        look_at(held[k], suspects);
#endif
}

void keep_light(ivec2 corner, int thread, HELD held[LIGHT_ROUNDS], uint suspects)
{
    ivec2 last = u_src_rect.zw - 1;
    bool at_edge = any(lessThan(corner, ivec2(0))) ||
                   any(greaterThan(corner + ivec2(CORE_X, CORE_Y) - 1, last));
    bool cleans = SRC_IS_RGBA16F && (suspects & SUSPECT & -uint(SCRUBS)) != 0u;
    if (at_edge || cleans)
        for (int k = 0; k < LIGHT_ROUNDS; ++k) {
            ivec2 p = corner + light_place(thread, k);
            bool inside = all(equal(p, clamp(p, ivec2(0), last)));
#if FIREFLIES
            held[k] = inside ? held[k] : LIGHT(0);
#else
            held[k] = masked(cleaned(held[k]), inside);
#endif
        }
#if !FIREFLIES
    if (FILTERS)
        for (int k = 0; k < LIGHT_ROUNDS; ++k)
            held[k] = what_blooms(held[k]);
#endif
    for (int k = 0; k < LIGHT_ROUNDS; ++k) {
        int at = light_at(light_place(thread, k));
#if FIREFLIES || SRC_IS_RGBA16F && !WIDE
        LIGHT light = held[k];
#else
        LIGHT light = pack_light(colour(held[k]).rgb);
#endif
        bool is_right = thread + (k - MAIN_ROUNDS) * THREADS < RIGHT;
        if (at < CORE_X * CORE_Y && (k < MAIN_ROUNDS || is_right))
            s_light[at] = light;
    }
}

// The convolution with the core of 2 x BLOCK_Y texels, not those that the thread stores: they share
// the texels that they read.
const int BLOCK_Y = TEXELS / 2;
void make_core(int thread, out vec3 left[BLOCK_Y], out vec3 right[BLOCK_Y])
{
    int from = thread / 16 * BLOCK_Y * CORE_X + thread % 16;
#if CORE == 5
    vec3 taps[CORE_TAPS]; // in registers
    for (int i = 0; i < CORE_TAPS; ++i)
        taps[i] = s_core[i].rgb;
#define TAP(i) taps[i]
#else
#define TAP(i) s_core[i].rgb
#endif
    for (int i = 0; i < BLOCK_Y; ++i)
        left[i] = right[i] = vec3(0.0);
    // Written out, so that each compiler keeps all of it in registers.
    vec3 light[SIDE + 1];
#define ROW(j)                                                                                     \
    for (int i = 0; i < SIDE + 1; ++i)                                                             \
        light[i] = unpack_light(s_light[from + (j) * CORE_X + i % 2 * (CORE_X / 2) + i / 2]);
#define ADD(o, row)                                                                                \
    for (int i = 0; i < SIDE; ++i) {                                                               \
        left[o] += TAP((row) * SIDE + i) * light[i];                                               \
        right[o] += TAP((row) * SIDE + i) * light[i + 1];                                          \
    }
    ROW(0) ADD(0, 0)
    ROW(1) ADD(0, 1) ADD(1, 0)
    ROW(2) ADD(0, 2) ADD(1, 1)
    ROW(3) ADD(0, 3) ADD(1, 2)
    ROW(4) ADD(0, 4) ADD(1, 3)
#if CORE == 7
    ROW(5) ADD(0, 5) ADD(1, 4)
    ROW(6) ADD(0, 6) ADD(1, 5)
#endif
    ROW(SIDE) ADD(1, SIDE - 1)
}

// Hands the core's light to the threads that store it; `place`: the first texel of this one.
void exchange_core(int thread, ivec2 place, vec3 left[BLOCK_Y], vec3 right[BLOCK_Y],
                   out vec3 bloom[TEXELS])
{
    sync_shared();
    int to = thread / 16 * BLOCK_Y * TILE_X + thread % 16 * 2;
    for (int i = 0; i < BLOCK_Y; ++i) {
#if WIDE
        s_light[to + i * TILE_X] = left[i];
        s_light[to + i * TILE_X + 1] = right[i];
#else
        s_light[to + i * TILE_X] = floatBitsToUint(left[i].rg);
        s_light[to + i * TILE_X + 1] = floatBitsToUint(right[i].rg);
        s_light[TILE + (to + i * TILE_X) / 2] = floatBitsToUint(vec2(left[i].b, right[i].b));
#endif
    }
    sync_shared();
    int own = place.y * TILE_X + place.x;
    uint odd = -uint(place.x & 1);
    for (int o = 0; o < TEXELS; ++o) {
#if WIDE
        bloom[o] = s_light[own + 2 * o * TILE_X];
#else
        uvec2 blue = s_light[TILE + own / 2 + o * TILE_X];
        bloom[o] = uintBitsToFloat(uvec3(s_light[own + 2 * o * TILE_X],
                                         blue.x & ~odd | blue.y & odd));
#endif
    }
}
#endif

void load_frame(ivec2 first, out TEXEL frame[TEXELS])
{
    uint seen_later = 0u; // in the result
    for (int o = 0; o < TEXELS; ++o)
        frame[o] = load_unseen(min(first + ivec2(0, 2 * o), u_src_rect.zw - 1), seen_later);
}

// Down the rows of the frame with four rows of i_small around each.
void add_small(ivec2 tile, ivec2 place, ivec2 first, inout vec3 bloom[TEXELS])
{
    vec2 at = small_place(vec2(tile + place));
    vec4 across = b_spline_weights(fract(at.x));
    int line = int(floor(at.y)) - 1 - first.y;
    int next = line * SIDE_X + int(floor(at.x)) - 1 - first.x;
#if !VARIES
    const int ROWS = (2 * TEXELS - 2) / RATIO_Y + 4 + RATIO_Y / 4;
    vec4 even = b_spline_weights(fract(at.y)), odd = b_spline_weights(fract(at.y + 0.5));
    vec3 rows[ROWS];
    for (int i = 0; i < ROWS; ++i)
        rows[i] = small_row(next + i * SIDE_X, across);
    for (int o = 0; o < TEXELS; ++o) {
#if RATIO_Y == 2
        bloom[o] += even.x * rows[o] + even.y * rows[o + 1] + even.z * rows[o + 2] +
                    even.w * rows[o + 3];
#else
        // The first, fifth .. row of the frame is before the row of i_small that is the others'.
        int k = o / 2;
        vec4 down = o % 2 == 0 ? even : odd;
        float later = o % 2 == 1 ? float(1 - place.y % 2) : 0.0;
        bloom[o] += down.x * mix(rows[k], rows[k + 1], later) +
                    down.y * mix(rows[k + 1], rows[k + 2], later) +
                    down.z * mix(rows[k + 2], rows[k + 3], later) +
                    down.w * mix(rows[k + 3], rows[min(k + 4, ROWS - 1)], later);
#endif
    }
#else
    vec3 rows[4];
    for (int i = 0; i < 4; ++i)
        rows[i] = small_row(next + i * SIDE_X, across);
    next += 4 * SIDE_X;
    for (int o = 0; o < TEXELS; ++o) {
        int wanted = s_line[place.y + 2 * o];
        for (int i = 0; i < 2; ++i)
            if (line < wanted) {
                ++line;
                rows[0] = rows[1];
                rows[1] = rows[2];
                rows[2] = rows[3];
                rows[3] = small_row(next, across);
                next += SIDE_X;
            }
        vec4 down = s_down[place.y + 2 * o];
        bloom[o] += down.x * rows[0] + down.y * rows[1] + down.z * rows[2] + down.w * rows[3];
    }
#endif
}

// As store_texel, for numbers below 65504.
void store_small(ivec2 p, vec4 c)
{
#if STORE == AG_STORE_16F
    vec4 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec4(6.103515625e-5));
    vec4 rounded = fma(power, vec4(-12288.0), fma(power, vec4(12288.0), c));
    uint low = packHalf2x16(rounded.rg), high = DST_CHANNELS == 4 ? packHalf2x16(rounded.ba) : 0u;
    imageStore(i_dst, u_dst_rect.xy + p,
               uvec4(DST_CHANNELS == 1 ? low & 0xffffu : low, high, 0u, 0u));
#else
    store_texel(p, c);
#endif
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_X, TILE_Y), last = u_src_rect.zw - 1;
    ivec2 place = ivec2(thread / 32 % 2 * 16 + thread % 16, thread / 64 * 8 + thread / 16 % 2);

    // All loads before anything waits for one.
    ivec2 first = ivec2(floor(small_place(vec2(tile)))) - 1;
    ivec2 small = ivec2(thread % SMALL_X, thread / SMALL_X);
    LIGHT held_small[SMALL_ROUNDS];
    for (int k = 0; k < SMALL_ROUNDS; ++k)
        held_small[k] = light_of(imageLoad(i_small, clamp(first + small + ivec2(0, k * SMALL_Y),
                                                          ivec2(0), u_half.xy - 1)));
    TEXEL frame[TEXELS];
#if CORE
    HELD held[LIGHT_ROUNDS];
    uint suspects = 0u;
    load_light(tile - AROUND, thread, held, suspects);
    vec4 tap = b_taps[CORE_TAPS - 1 - min(thread, CORE_TAPS - 1)];
    tap *= vec4(b_info.scale.rgb, 0.0);
#endif
    factors f = composite_factors();
#if !CORE
    load_frame(tile + place, frame);
#endif
    for (int k = 0; k < SMALL_ROUNDS; ++k)
        if (small.x < SIDE_X && small.y + k * SMALL_Y < SIDE_Y)
            s_small[(small.y + k * SMALL_Y) * SIDE_X + small.x] =
                unpack_light(held_small[k]);
#if VARIES
    if (thread < TILE_Y) {
        float y = small_place(vec2(0.0, tile.y + thread)).y;
        s_down[thread] = b_spline_weights(fract(y));
        s_line[thread] = int(floor(y)) - 1 - first.y;
    }
#endif
#if CORE
    keep_light(tile - AROUND, thread, held, suspects);
    if (thread < CORE_TAPS)
        s_core[thread] = tap;
#endif
    sync_shared();

    vec3 bloom[TEXELS];
#if CORE
    vec3 left[BLOCK_Y], right[BLOCK_Y];
    make_core(thread, left, right);
    load_frame(tile + place, frame); // late, for it needs registers
    exchange_core(thread, place, left, right, bloom);
#else
    for (int o = 0; o < TEXELS; ++o)
        bloom[o] = vec3(0.0);
#endif
    add_small(tile, place, first, bloom);
#if STEADY // the rest alone, without the taps of a lamp that is off, has negative light
    for (int o = 0; o < TEXELS; ++o)
        bloom[o] = max(bloom[o], vec3(0.0));
#endif

    vec4 result[TEXELS];
    float total = 0.0; // NaN or infinite if a result is
    for (int o = 0; o < TEXELS; ++o) {
        vec3 filtered = vec3(0.0);
        if (FILTERS)
            filtered = bloom_filter(colour(frame[o]).rgb);
        result[o] = composite(f, colour(frame[o]), filtered, vec4(bloom[o], 0.0));
        total += abs(result[o].r) + abs(result[o].g) + abs(result[o].b) + abs(result[o].a);
    }
    // Below the largest half, and so no NaN; else texels are cleaned, and stored with care.
    if (floatBitsToUint(total) < floatBitsToUint(65504.0)) {
        for (int o = 0; o < TEXELS; ++o)
            if (all(lessThanEqual(tile + place + ivec2(0, 2 * o), last)))
                store_small(tile + place + ivec2(0, 2 * o), result[o]);
    } else {
        for (int o = 0; o < TEXELS; ++o) {
            vec4 c = colour(cleaned(frame[o]));
            vec3 filtered = vec3(0.0);
            if (FILTERS)
                filtered = bloom_filter(c.rgb);
            if (all(lessThanEqual(tile + place + ivec2(0, 2 * o), last)))
                store_texel(tile + place + ivec2(0, 2 * o),
                            composite(f, c, filtered, vec4(bloom[o], 0.0)));
        }
    }
}
