// mipchain/odd_runs.glsl - level 1 of a tile, each texel gathered with the 2 x 2 that an output begins with
//
//   host sets BATCHES  in which a thread's quads come: 1 or 2
//             what mipchain/odd.glsl wants, a texture unit's words (common/quad.glsl) and a reduction that
//             is one vec4 (mean without weights, min, max, minmax). Both sizes of the source are 2 or more
//   threads   make RUN outputs each, one below the other. An output's first two columns and rows come as a
//             quad; its third row is the first one of the next quad; its third column is the first of the
//             thread to the right, which hands over the columns' sums through shared memory. So there is
//             one more thread to the right of a row of outputs, 36 for 35:
//
//                thread x    x + 1    ...    size
//                | a   b |  | a   b |       | a   b |     output x of a row: the sums of the columns a, b and
//                | a   b |  | a   b |       | a   b |     the next thread's a. b of the last thread is unused
//                  a   b      a   b           a   b       from the quad below
//
//             A thread stores its outputs over the sums that it alone has read: that takes no barrier, and
//             puts one texel before each row of level 1 (GAP, mipchain/stages.glsl)
//   cost      RGBA16F: 2.5 gathers a texel of level 1, each lane's of a sector of its own, instead of 9 loads of
//             which that is true. 5/4 RUN (36 / 35) gathers of quads bring RUN outputs. 18 texels' components to
//             unpack instead of 36, 36 multiply-adds as before, 16 bytes to shared memory and back, one
//             barrier. Registers: 8 a quad under way, and then 8 an output
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ODD_RUNS_GLSL
#define AG_MIPCHAIN_ODD_RUNS_GLSL
#if !SRC_WORDS || !defined(BATCHES) || REDUCE == AG_REDUCE_FIRST || WEIGHT != AG_WEIGHT_NONE
#error "runs take the words of texels, and a reduction whose order and weights do not matter"
#endif
#define QUADS (RUN + ODD_Y)
#define AT_ONCE ((QUADS + BATCHES - 1) / BATCHES)
#if DEPTH
#define QUAD_TEXEL(q, k) texel_of(q, k).rrrr
#else
#define QUAD_TEXEL(q, k) texel_of(q, k)
#endif

#if (COUNTS || COPY) && !PLAIN
// -1 where texel `tap` of the quad that begins output p is another's: of another tile, or another run's, whose
// `first` quad is this run's last. What lies right of the last output or below it is nobody else's.
int not_mine(Region r, ivec2 p, ivec2 tap, bool first)
{
    ivec2 end = r.start + r.owned, from = 2 * (r.start + p) + tap;
    ivec2 rest = level_size(u_stage.x) & 1 & ivec2(equal(end, level_size(u_stage.x + 1)));
    return -int(any(greaterThanEqual(from, 2 * end + rest)) || first && p.y < r.size.y);
}
#endif

// What quad k of a run adds to the sums of output k, and its first row to those of output k - 1.
// Output p + (0, i) has columns[2 * i] and columns[2 * i + 1].
void add_quad(quad q, int k, Region r, ivec2 p, inout vec4 columns[2 * RUN], inout uint bad_texels)
{
    int to = r.start.y + p.y + k;
    vec3 below = weights_y(to), above = weights_y(to - 1);
    for (int i = 0; i < 4; ++i) {
        int x = i & 1, y = i >> 1;
        vec4 c = QUAD_TEXEL(q, i);
#if !PLAIN
        bool bad;
        c = clean(c, bad);
#if COUNTS
        bad_texels += uint(bad) & ~uint(not_mine(r, p + ivec2(0, k), ivec2(x, y), k == RUN));
#endif
#if COPY
        ivec2 from = 2 * (r.start + p + ivec2(0, k)) + ivec2(x, y);
        STORE_COPY(PLACE_DST((u_dst.xy + from) | not_mine(r, p + ivec2(0, k), ivec2(x, y), k == RUN)), c);
#endif
#endif
        if (k < RUN)
            sum_add(columns[2 * k + x], c, below[y], true);
        if (ODD_Y == 1 && k > 0 && y == 0)
            sum_add(columns[2 * k - 2 + x], c, above.z, true);
    }
}

void sum_columns(Region r, ivec2 p, inout vec4 columns[2 * RUN], inout uint bad_texels)
{
    ivec2 from = u_rect.xy + 2 * (r.start + p);
    for (int batch = 0; batch < QUADS; batch += AT_ONCE) {
        quad source[AT_ONCE];
        for (int i = 0; i < AT_ONCE; ++i)
            source[i] = gather(from + ivec2(0, 2 * (batch + i)));
        for (int i = 0; i < AT_ONCE; ++i)
            if (batch + i < QUADS)
                add_quad(source[i], batch + i, r, p, columns, bad_texels);
    }
}

// The run of outputs from p down; `at`: where the first one's third column is, and then itself.
void finish_run(Region r, ivec2 p, int at, int pitch, vec4 columns[2 * RUN], inout uint bad_texels)
{
    int last = r.size.y - 1 - p.y;
    vec3 wx = weights_x(r.start.x + p.x);
    vec4 third[RUN];
#if ODD_X
    for (int k = 0; k < RUN; ++k)
        third[k] = UNPACK(s_level[at + min(k, last) * pitch]);
#endif
    uint again = 0u; // outputs of which a texel is not finite
    for (int k = 0; k < RUN; ++k) {
        SUM s = sum_begin();
        sum_add(s, columns[2 * k], wx.x, true);
        sum_add(s, columns[2 * k + 1], wx.y, true);
#if ODD_X
        sum_add(s, third[k], wx.z, true);
#endif
        vec4 c = sum_finish(s);
        bool good = k <= last;
#if PLAIN
        c *= SCALE;
#endif
#if COUNTS && PLAIN
        again |= uint(good && must_scrub(c)) << k;
        good = good && !must_scrub(c);
#endif
        if (good)
            store_first(r, p + ivec2(0, k), at + k * pitch, c);
    }
#if COUNTS && PLAIN
    for (; again != 0u; again &= again - 1u) {
        ivec2 q = ivec2(0, findLSB(again));
        store_first(r, p + q, at + q.y * pitch, scrubbed(r, p + q, bad_texels));
    }
#endif
}

void first_level(Region r, inout uint bad_texels)
{
    int t = int(gl_LocalInvocationIndex), pitch = r.size.x + ODD_X;
    float width = 1.0 / float(pitch);
    int runs = int((float(THREADS) + 0.5) * width), run = int((float(t) + 0.5) * width);
    // All runs at once, but of long and narrow images.
    for (int y = 0; y < r.size.y; y += runs * RUN) {
        ivec2 p = ivec2(t - run * pitch, y + run * RUN);
        bool takes_part = run < runs && p.y < r.size.y;
        int at = p.y * pitch + p.x;
        vec4 columns[2 * RUN];
        for (int k = 0; k < 2 * RUN; ++k)
            columns[k] = sum_begin();
        if (takes_part)
            sum_columns(r, p, columns, bad_texels);
#if ODD_X
        for (int k = 0; k < RUN; ++k)
            if (takes_part && p.y + k < r.size.y)
                s_level[at + k * pitch] = PACK(columns[2 * k]);
        sync_shared();
#endif
        if (takes_part && p.x < r.size.x)
            finish_run(r, p, at + ODD_X, pitch, columns, bad_texels);
    }
}

#endif
