// bloom/up.comp - the bloom of a smaller image to the frame by cubic B-splines, and the direct taps of
// the half and of the frame; composited
//
//   quarter    q       q       q       i_small: to the half by 1 4 6 4 1 (without QUARTER it is the
//   half       h   h   h   h   h       half's bloom). There TAPS x TAPS texels of i_half are added,
//   frame     . . . . . . . . . .      times taps; then to the frame by B-splines; there CORE x CORE
//
//   in        i_small  the convolution of the smaller image: RGBA16F as RG32UI; with WIDE RGBA32F
//             i_half   with TAPS: the half's light, as i_small
//             i_src    the frame: for the composite, alpha, and CORE
//             i_light  with FIREFLIES: T, from bloom/firefly.comp, as i_small
//             b_taps   with CORE or TAPS: those of the frame, row by row, then those of the half,
//                      times the kernel's sum: b_info.scale divides by it
//             u_step   texels of the frame for one of the half: 2, or with VARIES from 1 on
//             u_small, u_half  sizes
//   out       i_dst    see fft/composite.glsl
//   host sets QUARTER    0 = i_small is the half; 1 = the quarter; 2 = with all rows of the half
//             TAPS, CORE 0, 5 or 7: a side
//             VARIES     0; 1 = steps may be other than 2; no CORE then
//             FIREFLIES  0; 1 = CORE takes its light from i_light
//             the defines of bloom/small.glsl and fft/composite.glsl; FILTERABLE 1
//   dispatch  ceil(size of the frame / 32); with CORE / (32, 16); with VARIES / 16; one layer
//   shared    19 to 23 KB; with CORE 21 to 27
//   cost      reads each texel of the frame once (with CORE 2.4 times), writes each once; reads the
//             half 1.9 times, the quarter 1.9 times. Some 100 instructions a texel; three barriers
//   limits    registers: docs/gpus.md
//   how       a thread makes four neighbours at a time of what taps add, so that they share the
//             texels that they read. Rows of the half are filtered along x once, in shared memory,
//             and along y by the thread that stores a texel. Where a texel of the frame is not
//             finite, the result is infinite or NaN, and only then texels are cleaned
//             (docs/decisions.md, D55)
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(QUARTER) || !defined(TAPS) || !defined(CORE)
#error "QUARTER (0 to 2), TAPS and CORE (0, 5, 7) must be set by the host"
#endif
#if !defined(VARIES) || !defined(FIREFLIES)
#error "VARIES and FIREFLIES must be set by the host"
#endif
#include "common/info.glsl"
#include "fft/composite.glsl"
#include "bloom/small.glsl"
#include "common/sync.glsl"

#if CORE || VARIES
const int THREADS = 128;
layout(local_size_x = 128) in;
#else
const int THREADS = 256;
layout(local_size_x = 256) in;
#endif
const int TILE_X = VARIES == 1 ? 16 : 32, TILE_Y = VARIES == 1 || CORE != 0 ? 16 : 32; // of the frame
// Of a thread, two rows apart: a subgroup has 16 x 2 texels, whole sectors of a texture.
const int TEXELS = TILE_X * TILE_Y / THREADS;
// Texels of the half, from an even one on, of the quarter, and of the half around its taps.
const int HALF_X = VARIES == 1 ? TILE_X + 4 : TILE_X / 2 + 4;
const int HALF_Y = VARIES == 1 ? TILE_Y + 4 : TILE_Y / 2 + 4;
const int QUARTER_X = HALF_X / 2 + 2, QUARTER_Y = QUARTER == 2 ? HALF_Y : HALF_Y / 2 + 2;
const int LIGHT_X = HALF_X + TAPS - 1, LIGHT_Y = HALF_Y + TAPS - 1; // while there are TAPS
const int CORE_X = TILE_X + CORE - 1, CORE_Y = TILE_Y + CORE - 1;

layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) readonly uniform SMALL_IMAGE i_small;
layout(SMALL_FORMAT, binding = AG_IMAGE_HALF) readonly uniform SMALL_IMAGE i_half;
#if FIREFLIES && CORE
layout(SMALL_FORMAT, binding = AG_IMAGE_LIGHT) readonly uniform SMALL_IMAGE i_light;
#endif

// In a row every fourth texel lies side by side: threads that make four texels each read neighbours.
#define PLANE(width) ((width) / 4 + 1)
#define PLACE(plane, x, y) ((y) * 4 * (plane) + (x) % 4 * (plane) + (x) / 4)
const int LIGHT_PLANE = PLANE(LIGHT_X), CORE_PLANE = PLANE(CORE_X), HALF_PLANE = 6;
const int CORE_AT = TAPS != 0 ? LIGHT_Y * 4 * LIGHT_PLANE : 0; // in s_light
const int LIGHTS = CORE_AT + (CORE != 0 ? CORE_Y * 4 * CORE_PLANE : 0);
// In s_light, later: even columns of the tile, odd ones in other banks; then what CORE adds
const int ODD_AT = TILE_X / 2 + 4, WIDE_X = TILE_X + 4, BLOOM_AT = HALF_Y * WIDE_X;
const int BLOOMS = BLOOM_AT + (CORE != 0 ? TILE_X * TILE_Y : 0);
// The half's and the frame's light; then the half's bloom at the frame's columns
shared vec4 s_light[max(LIGHTS, BLOOMS)];
shared vec4 s_half[HALF_Y * 4 * HALF_PLANE]; // the half's bloom
#if QUARTER
shared vec4 s_quarter[QUARTER_X * QUARTER_Y];
#endif
#if TAPS || CORE
layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { vec4 b_taps[]; };
shared vec4 s_taps[CORE * CORE + TAPS * TAPS]; // turned by 180 degrees
#endif

// Where a texel of the frame lies in the half.
vec2 half_place(vec2 p)
{
    return (p + 0.5) / STEP - 0.5 + float(MARGIN);
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

// ---- loads: all of a tile are under way before anything waits for one ---------------------------

#define ROUNDS(texels) (((texels) + THREADS - 1) / THREADS)
#define IN_TILE(k, width) ivec2((thread + (k) * THREADS) % (width), (thread + (k) * THREADS) / (width))

#if QUARTER
const int FROM_X = QUARTER_X, FROM_Y = QUARTER_Y;
#else
const int FROM_X = HALF_X, FROM_Y = HALF_Y;
#endif

#if CORE
// Four threads load 2 x 2 texels, a sector of a texture. Sixteen sectors of a row, from top to
// bottom; then what is left at the right.
const int PER_ROUND = THREADS / 64; // rows of sectors
const int MAIN_ROUNDS = CORE_Y / 2 / PER_ROUND;
const int RIGHT = (CORE_X - TILE_X) / 2 * (CORE_Y / 2) * 4; // texels
const int CORE_ROUNDS = MAIN_ROUNDS + ROUNDS(RIGHT);

ivec2 core_place(int thread, int k)
{
    ivec2 in_sector = ivec2(thread % 2, thread / 2 % 2);
    if (k < MAIN_ROUNDS)
        return in_sector + 2 * ivec2(thread / 4 % 16, thread / 64 + k * PER_ROUND);
    int sector = min(thread + (k - MAIN_ROUNDS) * THREADS, RIGHT - 1) / 4;
    return in_sector + 2 * ivec2(TILE_X / 2 + sector % 2, sector / 2);
}

#if FIREFLIES
#define HELD LIGHT
#else
#define HELD TEXEL
#endif

void load_core(ivec2 corner, int thread, out HELD held[CORE_ROUNDS], inout uint suspects)
{
    for (int k = 0; k < CORE_ROUNDS; ++k) {
        ivec2 p = clamp(corner + core_place(thread, k), ivec2(0), u_src_rect.zw - 1);
#if FIREFLIES
        held[k] = light_of(imageLoad(i_light, p));
#else
        held[k] = load_unseen(p, suspects);
#endif
    }
#if !FIREFLIES
    for (int k = 0; k < CORE_ROUNDS; ++k)
        look_at(held[k], suspects);
#endif
}

void keep_core(ivec2 corner, int thread, HELD held[CORE_ROUNDS], uint suspects)
{
    ivec2 last = u_src_rect.zw - 1;
    bool at_edge = any(lessThan(corner, ivec2(0))) ||
                   any(greaterThan(corner + ivec2(CORE_X, CORE_Y) - 1, last));
    bool cleans = SRC_IS_RGBA16F && (suspects & SUSPECT & -uint(SCRUBS)) != 0u;
    if (at_edge || cleans)
        for (int k = 0; k < CORE_ROUNDS; ++k) {
            ivec2 p = corner + core_place(thread, k);
            bool inside = all(equal(p, clamp(p, ivec2(0), last)));
#if FIREFLIES
            held[k] = inside ? held[k] : LIGHT(0);
#else
            held[k] = masked(cleaned(held[k]), inside);
#endif
        }
    for (int k = 0; k < CORE_ROUNDS; ++k) {
        ivec2 at = core_place(thread, k);
#if FIREFLIES
        vec3 light = unpack_light(held[k]);
#else
        vec3 light = colour(FILTERS ? what_blooms(held[k]) : held[k]).rgb;
#endif
        if (k < MAIN_ROUNDS || thread + (k - MAIN_ROUNDS) * THREADS < RIGHT)
            s_light[CORE_AT + PLACE(CORE_PLANE, at.x, at.y)] = vec4(light, 0.0);
    }
}
#endif

void load_frame(ivec2 first, out TEXEL frame[TEXELS])
{
    uint seen_later = 0u; // in the result
    for (int o = 0; o < TEXELS; ++o)
        frame[o] = load_unseen(min(first + ivec2(0, 2 * o), u_src_rect.zw - 1), seen_later);
}

// ---- bloom --------------------------------------------------------------------------------------

// Adds SIDE x SIDE taps to four neighbours. `from`: the first texel of s_light that they read. With
// constant bounds the texels of a row stay in registers.
#define ADD_TAPS(SIDE, PLANE, from, taps, sums)                              \
    for (int j = 0; j < SIDE; ++j) {                                         \
        vec3 light[SIDE + 3];                                                \
        for (int i = 0; i < SIDE + 3; ++i)                                   \
            light[i] = s_light[(from) + (j * 4 + i % 4) * PLANE + i / 4].rgb;  \
        for (int i = 0; i < SIDE; ++i) {                                     \
            vec3 tap = s_taps[(taps) + j * SIDE + i].rgb;                    \
            for (int o = 0; o < 4; ++o)                                      \
                sums[o] += tap * light[i + o];                                 \
        }                                                                    \
    }

#if QUARTER
// Along x, a pair of the half's texels of a row of the quarter: 1 6 1 and 4 4, by 8.
void add_quarter(int at, float weight, inout vec3 even, inout vec3 odd)
{
    vec3 a = s_quarter[at].rgb, b = s_quarter[at + 1].rgb, c = s_quarter[at + 2].rgb;
    even += weight * (a + c + 6.0 * b);
    odd += 4.0 * weight * (b + c);
}

// The half's bloom. Its texels 2 i and 2 i + 1 have those of the quarter from i on.
void make_half(int thread)
{
    const int BLOCKS = HALF_X / 4;
    int x = thread % BLOCKS, y = thread / BLOCKS;
    if (y < HALF_Y) { // one round is enough
        vec3 sums[4] = vec3[4](vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
#if TAPS
        ADD_TAPS(TAPS, LIGHT_PLANE, y * 4 * LIGHT_PLANE + x, CORE * CORE, sums)
#endif
        for (int k = 0; k < (QUARTER == 2 ? 1 : 3); ++k) {
            float weight = y % 2 == 0 ? k == 1 ? 6.0 / 64.0 : 1.0 / 64.0 : k == 0 ? 0.0 : 4.0 / 64.0;
            int at = ((QUARTER == 2 ? y : y / 2) + k) * QUARTER_X + 2 * x;
            weight = QUARTER == 2 ? 1.0 / 8.0 : weight;
            add_quarter(at, weight, sums[0], sums[1]);
            add_quarter(at + 1, weight, sums[2], sums[3]);
        }
        for (int o = 0; o < 4; ++o)
            s_half[y * 4 * HALF_PLANE + o * HALF_PLANE + x] = vec4(sums[o], 0.0);
    }
}
#endif

vec3 half_at(int x, int y)
{
    return s_half[PLACE(HALF_PLANE, x, y)].rgb;
}

int wide_at(int column, int row)
{
    return row * WIDE_X + column % 2 * ODD_AT + column / 2;
}

// Rows of the half at the tile's columns. `first`: the half's first texel.
void widen(int thread, ivec2 tile, ivec2 first)
{
#if VARIES
    for (int i = thread; i < TILE_X * HALF_Y; i += THREADS) {
        float at = half_place(vec2(tile.x + i % TILE_X, 0.0)).x;
        vec4 w = b_spline_weights(fract(at));
        int x = int(floor(at)) - 1 - first.x, y = i / TILE_X;
        vec3 sum = w.x * half_at(x, y) + w.y * half_at(x + 1, y) + w.z * half_at(x + 2, y) +
                   w.w * half_at(x + 3, y);
        s_light[wide_at(i % TILE_X, y)] = vec4(sum, 0.0);
    }
#else
    // A thread has two columns, whose weights are each other's mirror.
    const int PAIRS = TILE_X / 2, AT_ONCE = THREADS / PAIRS;
    vec4 w = b_spline_weights(0.75);
    int x = thread % PAIRS;
    for (int k = 0; k < (HALF_Y + AT_ONCE - 1) / AT_ONCE; ++k) {
        int y = thread / PAIRS + k * AT_ONCE;
        vec3 h[5];
        if (HALF_Y % AT_ONCE != 0 && y >= HALF_Y)
            break;
        for (int i = 0; i < 5; ++i)
            h[i] = half_at(x + i, y);
        s_light[y * WIDE_X + x] = vec4(w.x * h[0] + w.y * h[1] + w.z * h[2] + w.w * h[3], 0.0);
        s_light[y * WIDE_X + ODD_AT + x] =
            vec4(w.w * h[1] + w.z * h[2] + w.y * h[3] + w.x * h[4], 0.0);
    }
#endif
}

// Down the rows of the frame. `place`: the thread's first texel of the tile.
void add_half(ivec2 tile, ivec2 place, ivec2 first, inout vec3 bloom[TEXELS])
{
#if VARIES
    for (int o = 0; o < TEXELS; ++o) {
        float at = half_place(vec2(0.0, tile.y + place.y + 2 * o)).y;
        vec4 w = b_spline_weights(fract(at));
        int from = wide_at(place.x, int(floor(at)) - 1 - first.y);
        bloom[o] += w.x * s_light[from].rgb + w.y * s_light[from + WIDE_X].rgb +
                    w.z * s_light[from + 2 * WIDE_X].rgb + w.w * s_light[from + 3 * WIDE_X].rgb;
    }
#else
    vec4 w = b_spline_weights(place.y % 2 == 0 ? 0.75 : 0.25);
    int from = wide_at(place.x, (place.y + 1) / 2);
    vec3 rows[TEXELS + 3];
    for (int i = 0; i < TEXELS + 3; ++i)
        rows[i] = s_light[from + i * WIDE_X].rgb;
    for (int o = 0; o < TEXELS; ++o)
        bloom[o] += w.x * rows[o] + w.y * rows[o + 1] + w.z * rows[o + 2] + w.w * rows[o + 3];
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
    ivec2 place = ivec2(thread / 32 * 16 % TILE_X + thread % 16,
                        thread / (2 * TILE_X) * 2 * TEXELS + thread / 16 % 2);
    ivec2 first = ivec2(floor(half_place(vec2(tile)))) - 1 & ~1;

    LIGHT held[ROUNDS(FROM_X * FROM_Y)];
    ivec2 from = QUARTER == 0 ? first : QUARTER == 1 ? first / 2 : ivec2(first.x / 2, first.y);
    for (int k = 0; k < ROUNDS(FROM_X * FROM_Y); ++k)
        held[k] = light_of(imageLoad(i_small, clamp(from + IN_TILE(k, FROM_X), ivec2(0),
                                                    SMALL_SIZE - 1)));
#if TAPS
    LIGHT light[ROUNDS(LIGHT_X * LIGHT_Y)];
    for (int k = 0; k < ROUNDS(LIGHT_X * LIGHT_Y); ++k) {
        ivec2 p = first + IN_TILE(k, LIGHT_X) - TAPS / 2;
        ivec2 there = clamp(p, ivec2(0), u_half.xy - 1);
        light[k] = masked_light(light_of(imageLoad(i_half, there)), all(equal(p, there)));
    }
#endif
#if CORE
    HELD core[CORE_ROUNDS];
    uint suspects = 0u;
    load_core(tile - CORE / 2, thread, core, suspects);
#endif
#if TAPS || CORE
    for (int i = thread; i < CORE * CORE + TAPS * TAPS; i += THREADS) {
        int turned = (i < CORE * CORE ? CORE * CORE - 1 : 2 * CORE * CORE + TAPS * TAPS - 1) - i;
        s_taps[i] = b_taps[turned] * vec4(b_info.scale.rgb, 0.0);
    }
#endif
    factors f = composite_factors();
    TEXEL frame[TEXELS];
#if !TAPS && !CORE
    load_frame(tile + place, frame);
#endif
    for (int k = 0; k < ROUNDS(FROM_X * FROM_Y); ++k)
        if (thread + k * THREADS < FROM_X * FROM_Y) {
#if QUARTER
            s_quarter[thread + k * THREADS] = vec4(unpack_light(held[k]), 0.0);
#else
            ivec2 at = IN_TILE(k, FROM_X);
            s_half[PLACE(HALF_PLANE, at.x, at.y)] = vec4(unpack_light(held[k]), 0.0);
#endif
        }
#if TAPS
    for (int k = 0; k < ROUNDS(LIGHT_X * LIGHT_Y); ++k) {
        ivec2 at = IN_TILE(k, LIGHT_X);
        if (thread + k * THREADS < LIGHT_X * LIGHT_Y)
            s_light[PLACE(LIGHT_PLANE, at.x, at.y)] = vec4(unpack_light(light[k]), 0.0);
    }
#endif
#if CORE
    keep_core(tile - CORE / 2, thread, core, suspects);
#endif
    sync_shared();
#if CORE
    int block = thread % (TILE_X / 4), row = thread / (TILE_X / 4);
    vec3 near[4] = vec3[4](vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    ADD_TAPS(CORE, CORE_PLANE, CORE_AT + row * 4 * CORE_PLANE + block, 0, near)
#endif
#if QUARTER
    make_half(thread);
    sync_shared();
#elif CORE
    sync_shared();
#endif
#if TAPS || CORE
    load_frame(tile + place, frame); // late, for it needs registers
#endif
    widen(thread, tile, first);
#if CORE
    for (int o = 0; o < 4; ++o)
        s_light[BLOOM_AT + row * TILE_X + o * (TILE_X / 4) + block] = vec4(near[o], 0.0);
#endif
    sync_shared();
    vec3 bloom[TEXELS];
    for (int o = 0; o < TEXELS; ++o) {
#if CORE
        bloom[o] = s_light[BLOOM_AT + (place.y + 2 * o) * TILE_X + place.x % 4 * (TILE_X / 4) +
                           place.x / 4].rgb;
#else
        bloom[o] = vec3(0.0);
#endif
    }
    add_half(tile, place, first, bloom);

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
