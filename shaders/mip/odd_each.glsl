// mip/odd_each.glsl - an output of a tile of odd sizes from its 4, 6 or 9 texels, in their order
// SPDX-License-Identifier: MIT

// The addend of tap k. Sets bit k of `bad` if the texel is non-finite. (Mesa's zink makes invalid
// SPIR-V of an array of bools.)
vec4 addend_of_tap(vec4 c, int k, inout uint bad)
{
    bool is_bad;
    c = addend(c, is_bad);
    bad |= uint(is_bad) << k;
    return c;
}

// Makes output p. `texels` and the bits of `bad` are those of addend_of_tap, row by row: (0, 0),
// (1, 0), (2, 0), (0, 1) ...
void finish_first(Region r, ivec2 p, vec4 texels[TAPS], uint bad, inout uint bad_texels)
{
    // 1. Their sum.
    vec3 wx = weights_x(r.start.x + p.x), wy = weights_y(r.start.y + p.y);
    SUM s = sum_begin();
    for (int k = 0; k < TAPS; ++k)
        sum_add(s, texels[k], wx[k % TAPS_X] * wy[k / TAPS_X], true);
    vec4 c = sum_finish(s) * SCALE;
    // 2. Non-finite texels: the sum is made again, or they are counted. The copy.
    if (COUNTS != 0 && PLAIN && must_scrub(c))
        c = scrubbed(r, p, bad_texels);
    uint counted = 0u; // by this output
    for (int k = 0; k < TAPS; ++k) {
        if (COUNTS != 0 && !PLAIN)
            counted |= ~uint(texel_is_others(r, p, TAP(k))) & (1u << k);
        if (COPY != 0) {
            ivec2 from = 2 * (r.start + p) + TAP(k);
            store_placed(0, level_corner(first_source()) + from |
                         ivec2(texel_is_others(r, p, TAP(k))), texels[k]);
        }
    }
    bad_texels += uint(bitCount(bad & counted));
    // 3. To the next level, and to the image.
    if (all(lessThan(p, r.size)))
        store_first(r, p, p.y * r.size.x + p.x, c);
}
