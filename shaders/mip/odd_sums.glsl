// mip/odd_sums.glsl - runs of outputs that hand over the sums of their first columns
//
//   host sets the defines of mip/odd_runs.glsl; a reduction that is one vec4 and does not depend on
//             the order of texels (mean without weights, min, max, minmax)
//   shared    s_level: the sums, then in the same places level 1. A row of outputs has one thread
//             more, whose first column is the last output's third:
//
//                thread     0      1          34     35
//                sums    | a b  | a b  ...  | a b  | a       output x: a and b of thread x, a of
//                                                            thread x + 1
//
//             A thread stores its output over the sum a that only it has read. That takes no
//             barrier, and leaves one texel before each row of level 1 (GAP, mip/stages.glsl)
//   cost      18 texels unpacked for 4 outputs instead of 36; 36 multiply-adds an output, as
//             without runs; 16 bytes to shared memory and back, one barrier. Registers: 8 for the
//             current output, 4 for each earlier one, and the gathers that follow
//   SPDX-License-Identifier: MIT

// -1 where texel `tap` of the gather that begins output p is counted and copied elsewhere: by
// another tile, or, for the last gather of a run, by the run below. The odd texels at the image's
// right and lower edge are not.
int gather_is_others(Region r, ivec2 p, ivec2 tap, bool last)
{
    ivec2 end = r.start + r.owned, from = 2 * (r.start + p) + tap;
    ivec2 rest = level_size(first_source()) & ivec2(equal(end, level_size(first_source() + 1)));
    return -int(any(greaterThanEqual(from, 2 * end + rest)) || last && p.y < r.size.y);
}

// The addends of gather k of the run from output p on.
void texels_of(gathered q, int k, Region r, ivec2 p, out vec4 texels[4], inout uint bad_texels)
{
    for (int i = 0; i < 4; ++i) {
        bool bad;
        texels[i] = addend(GATHERED_TEXEL(q, i), bad);
        if (COUNTS != 0 && !PLAIN || COPY != 0) { // a copy: depths, min or max, never PLAIN
            ivec2 tap = ivec2(i & 1, i >> 1), from = 2 * (r.start + p + ivec2(0, k)) + tap;
            int other = gather_is_others(r, p + ivec2(0, k), tap, k == RUN);
            bad_texels += uint(bad) & ~uint(other);
            if (COPY != 0)
                store_placed(0, level_corner(first_source()) + from | ivec2(other), texels[i]);
        }
    }
}

// Weights of output k of a run. `first` are those of the run's first output before the division:
// whole numbers, so that adding k is exact.
vec3 run_weights(vec3 first, float inverse, int k)
{
    return ODD_Y != 0 ? (first + vec3(-k, 0, k)) * inverse : vec3(0.5);
}

// Makes the run from output p on: for each output the weighted sum of its first two columns; and,
// in s_level, the sum of its first column for the run to the left. An output is complete with the
// first row of the next gather, so few registers are in use.
void add_run(Region r, ivec2 p, int at, int pitch, out SUM sums[RUN], inout uint bad_texels)
{
    int last = r.size.y - 1 - p.y;
    vec3 wx = weights_x(r.start.x + p.x);
    gathered source[GATHERS_2X2];
    vec2 corner = corner_of_run(r, p), step = vec2(0.0, 2.0 * texel_size().y);
    for (int k = 0; k < GATHERS_2X2; ++k)
        source[k] = gather_around(corner + float(k) * step);
    int size = level_size(first_source()).y, first = r.start.y + p.y;
    vec3 counts = vec3((size >> 1) - first, size >> 1, first + 1);
    float inverse = 1.0 / float(size);
    SUM columns[2] = SUM[2](sum_begin(), sum_begin());
    for (int k = 0; k < GATHERS_2X2; ++k) {
        int done = k - ODD_Y; // the output that this gather completes
        vec4 texels[4];
        texels_of(source[k], k, r, p, texels, bad_texels);
        vec3 above = run_weights(counts, inverse, k - 1), below = run_weights(counts, inverse, k);
        for (int x = 0; x < 2; ++x) {
            if (ODD_Y == 1 && k > 0)
                sum_add(columns[x], texels[x], above.z, true);
            if (ODD_Y == 0) {
                columns[x] = sum_begin();
                sum_add(columns[x], texels[x], below.x, true);
                sum_add(columns[x], texels[2 + x], below.y, true);
            }
        }
        if (done >= 0) {
            sums[done] = sum_begin();
            sum_add(sums[done], columns[0], wx.x, true);
            sum_add(sums[done], columns[1], wx.y, true);
            if (ODD_X != 0 && done <= last)
                s_level[at + done * pitch] = PACK(columns[0]);
        }
        for (int x = 0; x < 2; ++x)
            if (ODD_Y == 1 && k < RUN) {
                columns[x] = sum_begin();
                sum_add(columns[x], texels[x], below.x, true);
                sum_add(columns[x], texels[2 + x], below.y, true);
            }
    }
}

// The outputs. `at`: the place of the first output's third column, then of the output.
void finish_run(Region r, ivec2 p, int at, int pitch, SUM sums[RUN], inout uint bad_texels)
{
    int last = r.size.y - 1 - p.y;
    vec3 wx = weights_x(r.start.x + p.x);
    vec4 third[RUN];
    for (int k = 0; ODD_X != 0 && k < RUN; ++k)
        third[k] = UNPACK(s_level[at + min(k, last) * pitch]);
    uint again = 0u; // bits: outputs with a non-finite texel
    // GL ignores stores at negative places: no branch a texel.
    ivec2 place = r.start + p + level_corner(first_source() + 1);
    int mine = p.x < r.owned.x ? min(r.owned.y - p.y, RUN) : 0;
    for (int k = 0; k < RUN; ++k) {
        if (ODD_X != 0)
            sum_add(sums[k], third[k], wx.z, true);
        vec4 c = sum_finish(sums[k]) * SCALE;
        int nowhere = -int(k >= mine);
        if (COUNTS != 0 && PLAIN) {
            bool bad = must_scrub(c);
            again |= uint(bad && k <= last) << k;
            nowhere |= -int(bad);
        }
        if (k <= last)
            s_level[at + k * pitch] = PACK(c);
        store_placed(1, (place + ivec2(0, k)) | nowhere, stored(c));
    }
    // outputs with non-finite texels are stored again below
    if (levels_of(0) == 1 && place_of_last(0) >= 0)
        for (int k = 0; k < RUN; ++k)
            if (k < mine)
                store_handover(place_of_last(0), first_source() + 1, r.start + p + ivec2(0, k),
                      UNPACK(s_level[at + k * pitch]));
    for (; again != 0u; again &= again - 1u) { // not unrolled, because it is rare
        ivec2 q = ivec2(0, findLSB(again));
        store_first(r, p + q, at + q.y * pitch, scrubbed(r, p + q, bad_texels));
    }
}

// Called by all threads, because it has a barrier.
void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels)
{
    int at = p.y * pitch + p.x;
    SUM sums[RUN];
    if (takes_part)
        add_run(r, p, at, pitch, sums, bad_texels);
    if (ODD_X != 0)
        sync_shared();
    if (takes_part && p.x < r.size.x)
        finish_run(r, p, at + GAP, pitch, sums, bad_texels);
}
