// mip/odd_runs.glsl - level 1 of a tile by runs of outputs, from 2x2 gathers
//
//   host sets BATCHES  2 where gathers take many registers, else 1
//             and the defines of mip/odd.glsl and common/gather.glsl. Both sizes are 2 or more
//   includer  make_run (called by all threads): mip/odd_sums.glsl, mip/odd_texels.comp
//   threads   A thread makes RUN outputs, one below the other. A gather returns the first two
//             columns and rows of an output's three; the third row is the first of the next gather.
//             A tile has at most 35 x 35 outputs, except in long and narrow images: 35 runs side by
//             side, 9 below each other:
//
//                | a b | c     output 0: gather 0 and the first row of gather 1
//                | a b | c
//                | a b | c     output 1: gather 1 and the first row of gather 2
//                | a b | c
//                  a b   c     ...
//
//             The third column c is the first column of the run to the right
//   SPDX-License-Identifier: MIT
#define RUN (4 / BATCHES)
#define GATHERS_2X2 (RUN + ODD_Y)
#define GATHERED_TEXEL(q, k) as_channels(texel_of(q, k))

// The size of a texel of t_src in normalised coordinates. In place the size is a uniform:
// textureSize takes as long as a load.
vec2 texel_size()
{
    vec2 size = vec2(u_dst.zw);
    if (DEPTH != 0 || COPY != 0)
        size = vec2(textureSize(t_src, 0).xy);
    return 1.0 / size;
}

// The corner of the first gather of the run that begins with output p of the tile; each further one
// is two texels lower. Arrays of gathers are not passed to functions (docs/decisions.md, D2).
vec2 corner_of_run(Region r, ivec2 p)
{
    return vec2(u_src_rect.xy + 2 * (r.start + p) + 1) * texel_size();
}

void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels);

// Rows of runs: as many as the group has threads for, then the next ones.
void first_level(Region r, inout uint bad_texels)
{
    // The run right of the tile only hands over its column. A tile is below 100 wide, so a row
    // fits.
    int t = int(gl_LocalInvocationIndex), pitch = r.size.x + GAP;
    float width = 1.0 / float(pitch);
    int runs = int((float(THREADS) + 0.5) * width), run = int((float(t) + 0.5) * width);
    for (int y = 0; y < r.size.y; y += runs * RUN) {
        ivec2 p = ivec2(t - run * pitch, y + run * RUN);
        make_run(r, p, pitch, run < runs && p.y < r.size.y, bad_texels);
    }
}
