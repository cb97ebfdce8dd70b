// fft/rows_c2r_per_channel.glsl - the body of rows_c2r_per_channel.comp and
// rows_c2r_per_channel_compact.comp
//   SPDX-License-Identifier: MIT
#include "fft/composite.glsl"

#if SPLIT // a place of shared memory holds one row, the rows take turns; else it holds both
#define PARTS 2
#define PART(value, row) ((row) == 0 ? (value).y : (value).x)
#define ROW_OF(place, row) (place)
#else
#define PARTS 1
#define PART(value, row) (value)
#define ROW_OF(place, row) ((row) == 0 ? (place).y : (place).x)
#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x);
    load_spectra(int(line), thread, pair);
#include "fft/transform.glsl"

    ivec2 last = u_src_rect.zw - 1;
    factors f = composite_factors();
    for (int part = 0; part < PARTS; ++part) {
        sync_shared(); // the last exchange, or the upper row, has been read
        for (int i = 0; i < ROUNDS(LAST, MIRROR_OUT); ++i)
            for (int k = 0; k < LAST; ++k)
                if (HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT))
                    s_exchange[line * uint(STRIDE) + BUTTERFLY(i, OUT_STEP, MIRROR_OUT) +
                               uint(k * OUT_STEP)] = PART(v[i * LAST + k], part);
        sync_shared();
        for (int row = part; row < (PARTS == 2 ? part + 1 : 2); ++row)
            for (int x = int(gl_LocalInvocationID.x); x <= last.x; x += GROUP) {
                ivec2 p = ivec2(x, 2 * pair + row);
                uint counted_before; // by rows_r2c.comp
                TEXEL texel = load_texel(min(p, last), counted_before);
                vec4 convolution = vec4(0.0);
                for (int c = 0; c < LINES; ++c)
                    convolution[c] = ROW_OF(s_exchange[c * STRIDE + x], row);
                vec3 filtered = vec3(0.0);
                if (FILTERS)
                    filtered = bloom_filter(colour(texel).rgb);
                if (p.y <= last.y)
                    store_texel(p, composite(f, colour(texel), filtered, convolution));
            }
    }
}
