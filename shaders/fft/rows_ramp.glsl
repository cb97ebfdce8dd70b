// fft/rows_ramp.glsl - the ramp behind two rows (fft/ramp.glsl), in an R2C row pass
//   include   after fft/rows_r2c.glsl
//   SPDX-License-Identifier: MIT
#include "fft/ramp.glsl"

#if BORDERED == 2
// Channel c of places behind two rows. It is made of floats, not of what load_rows packs.
void ramp_rows(int c, int pair, uint thread)
{
    int row = 2 * pair, last_row = u_src_rect.w - 1;
    vec2 ends[2];
    for (int i = 0; i < 2; ++i) {
        uint counted_before; // by load_rows
        ivec2 p = ivec2(i * (WIDTH - 1), row);
        TEXEL upper = load_texel(p, counted_before);
        TEXEL lower = load_texel(ivec2(p.x, min(row + 1, last_row)), counted_before);
        ends[i] = unpack_pair(channel_of(upper, masked(lower, row < last_row), c));
    }
    for (int e = 0; e < PLACES; ++e) {
        int place = int(BUTTERFLY(e / R0, N / R0, MIRROR_FIRST)) + e % R0 * (N / R0);
        vec2 between = mix(ends[1], ends[0], ramp_weight(place, u_line));
        v[e] = mix(v[e], between, bvec2(place >= WIDTH));
    }
}
#endif
