// fft/rows_c2r_plain.comp - rows_c2r.comp where dst is the convolution and src's alpha only
//
//   in        b_spectrum  see fft/spectrum.glsl: three channels
//             b_alpha     src's alpha, from rows_r2c.comp
//   out       i_dst       RGBA16F, bound as RG32UI
//   host sets the defines of fft/rows_load.glsl
//   dispatch  ceil(row pairs / LINES); a group transforms LINES row pairs
//   cost      reads the KEPT columns once and two bytes of alpha a texel; writes each texel once.
//             Finished channels are kept as 16-bit floats, in half the registers
//   source    docs/convolve.md 3, 5 and 6
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS 3
#include "fft/rows_load.glsl"
#include "fft/halves.glsl"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // z, w = width, height
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y
layout(std430, binding = AG_SSBO_ALPHA) readonly buffer Alpha { uint b_alpha[]; };
layout(binding = AG_IMAGE_DST) writeonly uniform uimage2D i_dst;

// as in rows_r2c.comp
const int BATCH = LAST % 3 == 0 ? 3 : LAST % 4 == 0 ? 4 : LAST % 5 == 0 ? 5 : LAST;
// red, green, blue of two texels: the upper row in the low half of a word
uint convolved[3 * PLACES];

void store_rows(int pair, uint thread, bool alive)
{
    ivec2 size = u_src_rect.zw;
    for (int batch = 0; batch < ROLLED(PLACES / BATCH); ++batch) {
        int i = batch * BATCH / LAST, k = batch * BATCH % LAST;
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT);
        uint alpha[BATCH];
        for (int t = 0; t < BATCH; ++t)
            alpha[t] = b_alpha[pair * size.x + min(b + (k + t) * OUT_STEP, size.x - 1)];
        for (int t = 0; t < BATCH; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            uvec2 rb = uvec2(convolved[t], convolved[2 * PLACES + t]),
                  ga = uvec2(convolved[PLACES + t], alpha[t]);
            if (stores && p.x < size.x) {
                imageStore(i_dst, u_dst_rect.xy + p, uvec4(rb & 0xffffu | ga << 16, 0u, 0u));
                if (p.y + 1 < size.y)
                    imageStore(i_dst, u_dst_rect.xy + p + ivec2(0, 1),
                               uvec4(rb >> 16 | ga & 0xffff0000u, 0u, 0u));
            }
        }
        for (int e = 0; e < 3 * PLACES - BATCH; ++e)
            convolved[e] = convolved[e + BATCH];
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    for (int c = 0; c < 3 + NEVER; ++c) { // not unrolled: see rows_r2c.comp
        load_spectra(c, thread, pair);
        transform(line, thread);
        for (int e = 0; e < 2 * PLACES; ++e)
            convolved[e] = convolved[e + PLACES];
        for (int e = 0; e < PLACES; ++e)
            convolved[2 * PLACES + e] = pack_halves(v[e].yx); // imaginary parts hold the upper row
    }
    store_rows(pair, thread, alive);
}
