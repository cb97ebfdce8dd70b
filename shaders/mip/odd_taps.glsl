// mip/odd_taps.glsl - level 1 of a tile, each output from loads of all of its texels
//
//   host sets what mip/odd.glsl wants
//   cost      4, 6 or 9 loads a texel of level 1, of two texels at a time
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ODD_TAPS_GLSL
#define AG_MIPCHAIN_ODD_TAPS_GLSL

void load_taps(ivec2 to, out vec4 texels[TAPS], out bool bad[TAPS])
{
    ivec2 size = level_size(u_stage.x);
    for (int k = 0; k < TAPS; ++k)
        texels[k] = addend(load_raw(min(2 * to + TAP(k), size - 1)), bad[k]);
}

// Blocks of 8 x 4 texels a warp, 32 x 32 in all, and then what lies right of them and below:
//
//      |---- 32 ----|halo|
//      |  blocks    |    |      the right strip to the bottom, then the rest of the lower one, row by
//      |            | i  |      row: the halo of 35 x 35 texels takes 201 threads once
//      |------------|    |
//      |  i   i + 1 |    |
void first_level(Region r, inout uint bad_texels)
{
    int t = int(gl_LocalInvocationIndex);
    ivec2 lane = ivec2((t & 7) | (t & 32) >> 2, (t >> 3 & 3) | t >> 6 << 2);
    vec4 left[TAPS], next[TAPS];
    bool left_bad[TAPS], next_bad[TAPS];
    for (int y = 0; y < 32; y += THREADS / 16) { // two outputs at a time: all their loads come before anything else
        ivec2 p = lane + ivec2(0, y), q = lane + ivec2(16, y);
        load_taps(r.start + p, left, left_bad);
        load_taps(r.start + q, next, next_bad);
        finish_first(r, p, left, left_bad, bad_texels);
        finish_first(r, q, next, next_bad, bad_texels);
    }
    ivec2 block = min(r.size, 32), strip = r.size - block;
    int beside = strip.x * r.size.y, below = strip.y * block.x;
    float width = 1.0 / float(max(strip.x, 1)), length = 1.0 / float(block.x);
    for (int i = t; i < beside + below; i += THREADS) {
        int n = i - beside, y = int((float(i) + 0.5) * width), v = int((float(n) + 0.5) * length);
        ivec2 p = ivec2(block.x + i - y * strip.x, y), under = ivec2(n - v * block.x, block.y + v);
        p += (under - p) * int(n >= 0);
        load_taps(r.start + p, left, left_bad);
        finish_first(r, p, left, left_bad, bad_texels);
    }
}

#endif
