// mip/odd_runs.glsl - level 1 of a tile by runs of outputs, texels gathered with the 2 x 2 that an output begins with
//
//   host sets BATCHES  2 where quads take many registers, else 1
//             what mip/odd.glsl wants, and a texture unit's words (common/gather.glsl). Both sizes of
//             the source are 2 or more
//   includer  make_run (called by all threads): mip/odd_sums.glsl, mip/odd_texels.comp
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
//             The third column c is the first of the run to the right
//   SPDX-License-Identifier: MIT
#define RUN (4 / BATCHES)
#define GATHERS_2X2 (RUN + ODD_Y)
#define QUAD_TEXEL(q, k) as_channels(texel_of(q, k))

// A texel of t_src, as a part of it. A chain in place knows the size without a query, which takes as long as a load.
vec2 texel_size()
{
    vec2 size = vec2(u_dst.zw);
    if (DEPTH != 0 || COPY != 0)
        size = vec2(textureSize(t_src, 0).xy);
    return 1.0 / size;
}

// Around which the first quad of the run lies that begins with output p of the tile; the others are two texels
// further each. Arrays of quads are no function's arguments: see docs/decisions.md, D2, about structs that hold arrays.
vec2 corner_of_run(Region r, ivec2 p)
{
    return vec2(u_rect.xy + 2 * (r.start + p) + 1) * texel_size();
}

void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels);

// Runs side by side, rows of runs below each other: as many as the group has threads for, then the next ones.
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
