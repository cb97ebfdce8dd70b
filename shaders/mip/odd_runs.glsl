// mip/odd_runs.glsl - level 1 of a tile, texels gathered with the 2 x 2 that an output begins with
//
//   host sets BATCHES  2 where quads take many registers, else 1
//             what mip/odd.glsl wants, and a texture unit's words (common/quad.glsl). Both sizes of
//             the source are 2 or more
//   threads   make RUN outputs each, one below the other. A quad brings the first two columns and rows of an
//             output's three; its third row is the first one of the next quad. Of 35 x 35 outputs, what
//             a tile has at most but for long and narrow images, 35 runs lie side by side, 9 below each other:
//
//                | a b | c     output 0: quad 0 and the first row of quad 1
//                | a b | c
//                | a b | c     output 1: quad 1 and the first row of quad 2
//                | a b | c
//                  a b   c     ...
//
//             The third column c is the first of the run to the right. By AG_RUNS_TEXELS a thread loads it,
//             too, and adds texels up in the order in which mip/odd_taps.glsl does; by AG_RUNS_SUMS
//             it comes from that run's thread, added up already (mip/odd_sums.glsl)
//   cost      a texel of level 1, of RGBA16F, in loads of a warp whose lanes each touch a sector of their own:
//             2.5 gathers (of RGBA8 1.25), with AG_RUNS_TEXELS 2.25 loads more; 9 loads without runs.
//             Registers: 8 a quad under way
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ODD_RUNS_GLSL
#define AG_MIPCHAIN_ODD_RUNS_GLSL
#if !SRC_WORDS || !defined(BATCHES)
#error "runs take the words of texels, and BATCHES"
#endif
#define RUN (4 / BATCHES)
#define QUADS (RUN + ODD_Y)
#if DEPTH
#define QUAD_TEXEL(q, k) texel_of(q, k).rrrr
#else
#define QUAD_TEXEL(q, k) texel_of(q, k)
#endif

// A texel of t_src, as a part of it. A chain in place knows the size without a query, which takes as long as a load.
vec2 texel_size()
{
#if DEPTH || COPY
    return 1.0 / vec2(textureSize(t_src, 0).xy);
#else
    return 1.0 / vec2(u_dst.zw);
#endif
}

// Around which the first quad of the run lies that begins with output p of the tile; the others are two texels
// further each. Arrays of quads are no function's arguments: see docs/rejected.md about structs that hold arrays.
vec2 corner_of_run(Region r, ivec2 p)
{
    return vec2(u_rect.xy + 2 * (r.start + p) + 1) * texel_size();
}

#if RUNS == AG_RUNS_SUMS
#include "mip/odd_sums.glsl"
#else
#define ROWS (2 * RUN + ODD_Y)

// As make_run of mip/odd_sums.glsl, for all threads.
void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels)
{
    if (!takes_part)
        return;
    ivec2 from = 2 * (r.start + p);
    quad source[QUADS];
    vec2 corner = corner_of_run(r, p), step = vec2(0.0, 2.0 * texel_size().y);
    for (int k = 0; k < QUADS; ++k)
        source[k] = gather_around(corner + float(k) * step);
#if ODD_X
    vec4 third[ROWS];
    int most = level_size(u_stage.x).y - 1;
    for (int row = 0; row < ROWS; ++row)
        third[row] = load_raw(ivec2(from.x + 2, min(from.y + row, most)));
#endif
    for (int i = 0; i < RUN; ++i) {
        vec4 texels[TAPS];
        bool bad[TAPS];
        for (int k = 0; k < TAPS; ++k) {
            ivec2 tap = TAP(k) + ivec2(0, 2 * i);
            vec4 c = QUAD_TEXEL(source[tap.y >> 1], (tap.x & 1) + 2 * (tap.y & 1));
#if ODD_X
            if (tap.x == 2)
                c = third[tap.y];
#endif
            texels[k] = addend(c, bad[k]);
        }
        finish_first(r, p + ivec2(0, i), texels, bad, bad_texels);
    }
}
#endif

void first_level(Region r, inout uint bad_texels)
{
    // A run more to the right hands over alone. Tiles are less than 100 outputs wide: a row of runs fits the group.
    int t = int(gl_LocalInvocationIndex), pitch = r.size.x + GAP;
    float width = 1.0 / float(pitch);
    int runs = int((float(THREADS) + 0.5) * width), run = int((float(t) + 0.5) * width);
    for (int y = 0; y < r.size.y; y += runs * RUN) {
        ivec2 p = ivec2(t - run * pitch, y + run * RUN);
        make_run(r, p, pitch, run < runs && p.y < r.size.y, bad_texels);
    }
}

#endif
