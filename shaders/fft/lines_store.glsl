// fft/lines_store.glsl - stores a texel of a line: into cells, or into the host's textures
//   out       b_cells_out  TO_CELLS 1 (fft/cells.glsl): positions 0 .. KEPT - 1
//             i_dst        else: the real parts, see common/store.glsl
//             i_dst_imag   with STORES_IMAG 1: the imaginary parts
//   host sets TO_CELLS, INVERSE, and for textures STORE (common/store.glsl) and
//             STORES_IMAG  0 = only real parts are stored
//             STORE_IMAG   AG_STORE_* of dst_imag: 32- or 16-bit floats
//             HERMITIAN    1 = of real input: of two mirrored frequencies one is computed, and the
//                          other one is its conjugate, to the bit
//             PACKED_OUT   1 = packing rgba_rg, see fft/lines_load.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/lines.glsl"
#include "fft/cells.glsl"

#if TO_CELLS
layout(std430, binding = AG_SSBO_CELLS_OUT) writeonly buffer CellsOut {
    CELL_WORD b_cells_out[];
};

void store_position(int e, int position, int across)
{
    int cell = cell_at(texel_at(position, across));
    for (int w = 0; w < CELL_WORDS; ++w)
        if (position < KEPT)
#if CHANNELS % 2 == 0
            b_cells_out[cell + w] = vec4(HELD_TEXEL(2 * w, e), HELD_TEXEL(2 * w + 1, e));
#else
            b_cells_out[cell + w] = HELD_TEXEL(w, e);
#endif
}

#else
#include "common/store.glsl"
#define SHIFT_OUT (INVERSE == 1 ? ivec2(0) : SPECTRUM_SHIFT)
layout(location = AG_LOC_OUTPUT) uniform ivec4 u_output;
#define STORED_SIZE u_output.xy
#define MIRRORED u_output.zw
layout(location = AG_LOC_TRANSFORM_SCALE) uniform vec4 u_scale;
#if STORES_IMAG
layout(binding = AG_IMAGE_DST_IMAG) writeonly uniform image2D i_dst_imag;
#endif
#define ALPHA float(u_cells.z)

// The texel at p of the output, which has no other texels than those of STORED_SIZE.
void store_stored(ivec2 p, vec4 real, vec4 imaginary)
{
    if (any(greaterThanEqual(p, STORED_SIZE)))
        return;
    p += SHIFT_OUT;
    p -= SIZE * ivec2(greaterThanEqual(p, SIZE));
#if PACKED_OUT
    real.a = imaginary.x;
    imaginary = vec4(imaginary.yz, 0.0, 0.0);
#endif
    store_texel(p, real);
#if STORES_IMAG
#if STORE_IMAG == AG_STORE_16F
    imaginary = round_float(imaginary, 13u, 16777216.0, 65504.0);
#endif
    imageStore(i_dst_imag, u_imag_rects.zw + p, imaginary);
#endif
}

void store_position(int e, int position, int across)
{
    ivec2 p = texel_at(position, across);
    vec4 real = vec4(0.0, 0.0, 0.0, ALPHA), imaginary = vec4(0.0);
    for (int c = 0; c < CHANNELS; ++c) {
        vec2 value = HELD_TEXEL(c, e) * u_scale.x;
        real[c] = INVERSE == 1 ? value.y : value.x;
        imaginary[c] = INVERSE == 1 ? value.x : value.y;
    }
#if HERMITIAN
    // Of p and -p the lower one is stored twice.
    ivec2 mirror = ivec2(MIRRORED.x != 0 ? (SIZE.x - p.x) % SIZE.x : p.x,
                         MIRRORED.y != 0 ? (SIZE.y - p.y) % SIZE.y : p.y);
    if (p.x > mirror.x || (p.x == mirror.x && p.y > mirror.y))
        return;
    if (p == mirror)
        imaginary = vec4(0.0);
    else
        store_stored(mirror, real, -imaginary);
#endif
    store_stored(p, real, imaginary);
}
#endif
