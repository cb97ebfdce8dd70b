// fft/rows_ramp.glsl - the ramp behind two rows (fft/ramp.glsl), in an R2C row pass
//   include   after fft/rows_r2c.glsl
//   SPDX-License-Identifier: MIT
#include "fft/ramp.glsl"

#if BORDERED == 2
// Channel c of the texels of two rows at x.
vec2 end_at(int x, int row, int last_row, int c)
{
    uint counted_before; // by load_rows
    TEXEL upper = load_texel(ivec2(x, row), counted_before);
    TEXEL lower = load_texel(ivec2(x, min(row + 1, last_row)), counted_before);
    lower = masked(lower, row < last_row);
    return vec2(colour(upper)[c], colour(lower)[c]);
}

// Channel c of the places behind two rows.
void ramp_rows(int c, int pair, uint thread)
{
    int row = 2 * pair, last_row = u_src_rect.w - 1;
    vec2 first = end_at(0, row, last_row, c), last = end_at(WIDTH - 1, row, last_row, c);
    for (int e = 0; e < PLACES; ++e) {
        int place = int(BUTTERFLY(e / R0, N / R0, MIRROR_FIRST)) + e % R0 * (N / R0);
        // An if: of v[e] = mix(v[e], .., bvec2(place >= WIDTH)) NVIDIA's driver 580 makes wrong
        // values where texels are 32-bit floats.
        if (place >= WIDTH)
            v[e] = mix(last, first, ramp_weight(place, u_line));
    }
}
#endif
