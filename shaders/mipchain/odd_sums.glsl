// mipchain/odd_sums.glsl - runs of outputs that hand over the sums of their first columns
//
//   host sets what mipchain/odd_runs.glsl wants; a reduction that is one vec4 and for which the order of texels
//             does not matter (mean without weights, min, max, minmax)
//   shared    s_level: the sums, and in their places level 1. A row of outputs has one thread more, whose
//             first column is the last output's third:
//
//                thread     0      1          34     35
//                sums    | a b  | a b  ...  | a b  | a       output x of a row: a and b of thread x, a of
//                                                            thread x + 1
//
//             A thread stores an output over the sum a that it alone has read: that takes no barrier, and puts
//             one texel before each row of level 1 (GAP, mipchain/stages.glsl)
//   cost      18 texels of 4 outputs unpacked, not 36; 36 multiply-adds an output, as without runs; 16 bytes
//             to shared memory and back, one barrier. Registers: 8 an output, after those of the quads
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ODD_SUMS_GLSL
#define AG_MIPCHAIN_ODD_SUMS_GLSL
#if REDUCE == AG_REDUCE_FIRST || WEIGHT != AG_WEIGHT_NONE
#error "this reduction is no vec4, or takes its texels in order"
#endif
#if COPY && PLAIN
#error "texels are copied where each is looked at"
#endif

#if COUNTS && !PLAIN || COPY
// -1 where texel `tap` of the quad that begins output p is another's: of another tile, or, of a run's last quad
// where another run lies below, of that one. What lies right of a tile's last output or below is nobody else's.
int not_mine(Region r, ivec2 p, ivec2 tap, bool last)
{
    ivec2 end = r.start + r.owned, from = 2 * (r.start + p) + tap;
    ivec2 rest = level_size(u_stage.x) & ivec2(equal(end, level_size(u_stage.x + 1)));
    return -int(any(greaterThanEqual(from, 2 * end + rest)) || last && p.y < r.size.y);
}
#endif

// What quad k of the run from output p on adds to the sums of output k, and its first row to those of output
// k - 1. Output i has columns[2 * i] and columns[2 * i + 1].
void add_quad(quad q, int k, Region r, ivec2 p, inout vec4 columns[2 * RUN], inout uint bad_texels)
{
    ivec2 to = r.start + p + ivec2(0, k);
    vec3 below = weights_y(to.y), above = weights_y(to.y - 1);
    for (int i = 0; i < 4; ++i) {
        ivec2 tap = ivec2(i & 1, i >> 1);
        bool bad;
        vec4 c = addend(QUAD_TEXEL(q, i), bad);
#if COUNTS && !PLAIN
        bad_texels += uint(bad) & ~uint(not_mine(r, p + ivec2(0, k), tap, k == RUN));
#endif
#if COPY
        STORE_COPY(PLACE_DST((u_dst.xy + 2 * to + tap) | not_mine(r, p + ivec2(0, k), tap, k == RUN)), c);
#endif
        if (k < RUN)
            sum_add(columns[2 * k + tap.x], c, below[tap.y], true);
        if (ODD_Y == 1 && k > 0 && tap.y == 0)
            sum_add(columns[2 * k - 2 + tap.x], c, above.z, true);
    }
}

// The run from output p on; `at`: where its first output's third column is, and then the output.
void finish_run(Region r, ivec2 p, int at, int pitch, vec4 columns[2 * RUN], inout uint bad_texels)
{
    int last = r.size.y - 1 - p.y;
    vec3 wx = weights_x(r.start.x + p.x);
#if ODD_X
    vec4 third[RUN];
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
#if PLAIN
        c *= SCALE;
#endif
        bool good = k <= last;
#if COUNTS && PLAIN
        again |= uint(good && must_scrub(c)) << k;
        good = good && !must_scrub(c);
#endif
        if (good)
            store_first(r, p + ivec2(0, k), at + k * pitch, c);
    }
#if COUNTS && PLAIN
    for (; again != 0u; again &= again - 1u) { // not unrolled: it is long, and rare
        ivec2 q = ivec2(0, findLSB(again));
        store_first(r, p + q, at + q.y * pitch, scrubbed(r, p + q, bad_texels));
    }
#endif
}

void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels)
{
    int at = p.y * pitch + p.x;
    vec4 columns[2 * RUN];
    for (int k = 0; k < 2 * RUN; ++k)
        columns[k] = sum_begin();
    if (takes_part) {
        quad source[QUADS];
        for (int k = 0; k < QUADS; ++k)
            source[k] = gather_of_run(r, p, k);
        for (int k = 0; k < QUADS; ++k)
            add_quad(source[k], k, r, p, columns, bad_texels);
    }
#if ODD_X
    for (int k = 0; k < RUN; ++k)
        if (takes_part && p.y + k < r.size.y)
            s_level[at + k * pitch] = PACK(columns[2 * k]);
    sync_shared();
#endif
    if (takes_part && p.x < r.size.x)
        finish_run(r, p, at + GAP, pitch, columns, bad_texels);
}

#endif
