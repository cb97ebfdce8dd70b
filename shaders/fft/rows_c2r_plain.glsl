// fft/rows_c2r_plain.glsl - the body of rows_c2r_plain.comp and rows_c2r_plain_compact.comp
//   SPDX-License-Identifier: MIT
#include "fft/halves.glsl"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // z, w = width, height
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y
layout(std430, binding = AG_SSBO_ALPHA) readonly buffer Alpha { uint b_alpha[]; };
layout(binding = AG_IMAGE_DST) writeonly uniform uimage2D i_dst;

const int TURN = LAST % 3 == 0 ? 3 : LAST % 4 == 0 ? 4 : LAST % 5 == 0 ? 5 : LAST; // texels of a turn, as rows_c2r.comp
uint done[3 * PLACES]; // red, green, blue of two texels: the upper row's in a word's low half

void store_rows(int pair, uint thread, bool alive)
{
    ivec2 size = u_src_rect.zw;
    for (int turn = 0; turn < ROLLED(PLACES / TURN); ++turn) {
        int i = turn * TURN / LAST, k = turn * TURN % LAST;
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT);
        uint alpha[TURN];
        for (int t = 0; t < TURN; ++t)
            alpha[t] = b_alpha[pair * size.x + min(b + (k + t) * OUT_STEP, size.x - 1)];
        for (int t = 0; t < TURN; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            uvec2 rb = uvec2(done[t], done[2 * PLACES + t]), ga = uvec2(done[PLACES + t], alpha[t]);
            if (stores && p.x < size.x) {
                imageStore(i_dst, u_dst_rect.xy + p, uvec4(rb & 0xffffu | ga << 16, 0u, 0u));
                if (p.y + 1 < size.y)
                    imageStore(i_dst, u_dst_rect.xy + p + ivec2(0, 1), uvec4(rb >> 16 | ga & 0xffff0000u, 0u, 0u));
            }
        }
        for (int e = 0; e < 3 * PLACES - TURN; ++e)
            done[e] = done[e + TURN];
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < PAIRS_OF_ROWS;
    pair = min(pair, PAIRS_OF_ROWS - 1); // so that every load is from inside

    for (int c = 0; c < 3 + NEVER; ++c) { // not unrolled: see rows_r2c.glsl
        load_spectra(c, thread, pair);
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
        for (int e = 0; e < 2 * PLACES; ++e)
            done[e] = done[e + PLACES];
        for (int e = 0; e < PLACES; ++e)
            done[2 * PLACES + e] = pack_halves(v[e].yx); // imaginary parts hold the upper row
    }
    store_rows(pair, thread, alive);
}
