// fft/bloom_up.comp - the bloom of a smaller image to the frame by cubic B-splines, composited
//
//   in        i_small  the convolution of the smaller image: RGBA16F as RG32UI; with WIDE RGBA32F
//             i_src    the frame: for the composite, alpha, and the core
//             i_light  with FIREFLIES: T, from bloom_firefly.comp; RGBA16F as RG32UI or RGBA32F
//             b_core   with CORE: the taps that the smaller image cannot hold, times the kernel's
//                      sum: b_info.scale divides by it
//             u_step   texels of the frame for one of the smaller image, at least STEP_MIN
//             u_small  size of the smaller image; texels of it that lie before the frame
//   out       i_dst    see fft/composite.glsl
//   host sets STEP_MIN 1, 2 or 4
//             CORE     1 = a direct convolution with 5 x 5 taps is added
//             FIREFLIES 1 = the core takes its light from i_light
//             WIDE     1 = 32-bit floats
//             and the defines of fft/composite.glsl and fft/source.glsl; FILTERABLE 1
//   dispatch  ceil(size of the frame / (32, 16)); one layer
//   shared    STEP_MIN 2: 1.9 KB, with CORE 8.1 KB
//   cost      reads each texel of the frame once (with CORE 1.4 times), writes each once; reads the
//             smaller image some 2 times. 50 instructions a texel, with CORE 150. One barrier
//   how       a thread goes down a column of the frame with the four rows of the smaller image
//             around it in registers. The core's taps stay in registers too, a column at a time
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(STEP_MIN) || !defined(CORE) || !defined(WIDE) || !defined(FIREFLIES)
#error "STEP_MIN (1, 2 or 4), CORE, WIDE and FIREFLIES (0 or 1) must be set by the host"
#endif
#include "fft/composite.glsl"
#include "fft/spline.glsl"
#include "common/sync.glsl"

layout(local_size_x = 128) in;
const int TILE_X = 32, TILE_Y = 16; // of the frame
const int TEXELS = 4;               // of a thread, two rows apart: a subgroup has 16 x 2 texels,
                                    // whole sectors of a texture
const int SHIFTS = STEP_MIN == 1 ? 2 : 1; // rows of the smaller image from one to the next, at most
const int SIDE_X = (TILE_X - 2 + STEP_MIN) / STEP_MIN + 4;
const int SIDE_Y = (TILE_Y - 2 + STEP_MIN) / STEP_MIN + 4;

#if WIDE
#define LIGHT vec3
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
#define pack_light(light) (light)
#define unpack_light(packed) (packed)
#define SMALL_AT(p) imageLoad(i_small, p).rgb
#if FIREFLIES && CORE
layout(rgba32f, binding = AG_IMAGE_LIGHT) readonly uniform image2D i_light;
#define LIGHT_AT(p) imageLoad(i_light, p).rgb
#endif
#else
#define LIGHT uvec2
layout(rg32ui, binding = AG_IMAGE_SMALL) readonly uniform uimage2D i_small;
#define pack_light(light) uvec2(pack_halves((light).rg), pack_halves(vec2((light).b, 0.0)))
#define unpack_light(packed) vec3(unpackHalf2x16((packed).x), unpackHalf2x16((packed).y).x)
#define SMALL_AT(p) imageLoad(i_small, p).xy
#if FIREFLIES && CORE
layout(rg32ui, binding = AG_IMAGE_LIGHT) readonly uniform uimage2D i_light;
#define LIGHT_AT(p) imageLoad(i_light, p).xy
#endif
#endif

shared LIGHT s_small[SIDE_X * SIDE_Y];

// Where a texel of the frame lies in the smaller image.
vec2 small_place(vec2 p)
{
    return (p + 0.5) / STEP - 0.5 + float(MARGIN);
}

// A row of the smaller image at a column of the frame.
vec3 small_row(int at, vec4 across)
{
    return across.x * unpack_light(s_small[at]) + across.y * unpack_light(s_small[at + 1]) +
           across.z * unpack_light(s_small[at + 2]) + across.w * unpack_light(s_small[at + 3]);
}

#define LIGHT_IS_FRAME 0
#if CORE
layout(std430, binding = AG_SSBO_CORE) readonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };
const int AROUND = AG_CORE_RADIUS, SIDE = 2 * AROUND + 1;
const int CORE_X = TILE_X + 2 * AROUND, CORE_Y = TILE_Y + 2 * AROUND;
shared LIGHT s_light[CORE_X * CORE_Y]; // T
#undef LIGHT_IS_FRAME
#define LIGHT_IS_FRAME (SRC_IS_RGBA16F && !WIDE && !FIREFLIES) // while FILTERS is off
shared vec4 s_core[AG_CORE_TAPS];      // columns of taps

// Four threads load 2 x 2 texels: a sector of a texture.
void load_light(ivec2 tile, int thread)
{
    for (int i = thread; i < CORE_X * CORE_Y; i += 128) {
        ivec2 at = ivec2(i / 4 % (CORE_X / 2), i / 4 / (CORE_X / 2)) * 2 + ivec2(i % 2, i / 2 % 2);
        ivec2 p = tile + at - AROUND, inside = clamp(p, ivec2(0), u_src_rect.zw - 1);
#if FIREFLIES
        LIGHT light = LIGHT_AT(inside);
        light = inside == p ? light : LIGHT(0);
#else
        uint counted_before; // by bloom_down.comp
        TEXEL texel = masked(load_texel(inside, counted_before), inside == p);
#if SRC_IS_RGBA16F && !WIDE
        if (FILTERS)
            texel = pack_light(bloom_filter(colour(texel).rgb));
        LIGHT light = texel;
#else
        vec3 texel_light = colour(texel).rgb;
        if (FILTERS)
            texel_light = bloom_filter(texel_light);
        LIGHT light = pack_light(texel_light);
#endif
#endif
        s_light[at.y * CORE_X + at.x] = light;
    }
    if (thread < AG_CORE_TAPS)
        s_core[thread] =
            b_core[thread % SIDE * SIDE + thread / SIDE] * vec4(b_info.scale.rgb, 0.0);
}

// Adds the convolution with the core to the thread's texels, of which `place` is the first. A
// column of taps stays in registers, and a texel that is read serves two or three rows.
void add_core(ivec2 place, inout vec3 bloom[TEXELS])
{
    for (int x = 0; x < SIDE; ++x) {
        vec3 taps[SIDE]; // a convolution: they run backwards
        for (int y = 0; y < SIDE; ++y)
            taps[y] = s_core[(SIDE - 1 - x) * SIDE + SIDE - 1 - y].rgb;
        for (int row = 0; row < 2 * TEXELS - 1 + 2 * AROUND; ++row) {
            vec3 light = unpack_light(s_light[(place.y + row) * CORE_X + place.x + x]);
            for (int y = row % 2; y < SIDE; y += 2)
                if (row - y >= 0 && row - y < 2 * TEXELS)
                    bloom[(row - y) / 2] += taps[y] * light;
        }
    }
}
#endif

void load_frame(ivec2 first, out TEXEL frame[TEXELS])
{
    for (int o = 0; o < TEXELS; ++o) {
        uint counted_before; // by bloom_down.comp
        frame[o] = load_texel(min(first + ivec2(0, 2 * o), u_src_rect.zw - 1), counted_before);
    }
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_X, TILE_Y), last = u_src_rect.zw - 1;
    ivec2 place = ivec2(thread / 32 % 2 * 16 + thread % 16, thread / 64 * 8 + thread / 16 % 2);

    TEXEL frame[TEXELS];
#if !LIGHT_IS_FRAME
    load_frame(tile + place, frame);
#endif
    ivec2 first = ivec2(floor(small_place(vec2(tile)))) - 1;
    for (int i = thread; i < SIDE_X * SIDE_Y; i += 128)
        s_small[i] =
            SMALL_AT(clamp(first + ivec2(i % SIDE_X, i / SIDE_X), ivec2(0), SMALL_SIZE - 1));
#if CORE
    load_light(tile, thread);
#endif
    sync_shared();

    // Down the rows of the frame with four rows of the smaller image around each.
    vec2 at = small_place(vec2(tile + place));
    vec4 across = b_spline_weights(fract(at.x));
    int line = int(floor(at.y));
    int next = (line - 1 - first.y) * SIDE_X + int(floor(at.x)) - 1 - first.x;
    vec3 rows[4], bloom[TEXELS];
    for (int i = 0; i < 4; ++i, next += SIDE_X)
        rows[i] = small_row(next, across);
    for (int o = 0; o < TEXELS; ++o) {
        float y = small_place(vec2(0.0, tile.y + place.y + 2 * o)).y;
        for (int i = 0; i < SHIFTS; ++i)
            if (line < int(floor(y))) {
                ++line;
                rows[0] = rows[1];
                rows[1] = rows[2];
                rows[2] = rows[3];
                rows[3] = small_row(next, across);
                next += SIDE_X;
            }
        vec4 down = b_spline_weights(fract(y));
        bloom[o] = down.x * rows[0] + down.y * rows[1] + down.z * rows[2] + down.w * rows[3];
    }
#if CORE
    add_core(place, bloom);
#endif
#if LIGHT_IS_FRAME
    for (int o = 0; o < TEXELS; ++o)
        frame[o] = s_light[(place.y + 2 * o + AROUND) * CORE_X + place.x + AROUND];
    if (FILTERS)
        load_frame(tile + place, frame);
#endif
    factors f = composite_factors();
    for (int o = 0; o < TEXELS; ++o) {
        ivec2 p = tile + place + ivec2(0, 2 * o);
        vec3 filtered = vec3(0.0);
        if (FILTERS)
            filtered = bloom_filter(colour(frame[o]).rgb);
        if (all(lessThanEqual(p, last)))
            store_texel(p, composite(f, colour(frame[o]), filtered, vec4(bloom[o], 0.0)));
    }
}
