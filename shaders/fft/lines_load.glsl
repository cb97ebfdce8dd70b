// fft/lines_load.glsl - loads a texel of a line: from cells, or from the host's textures
//   in        b_cells_in   FROM_CELLS 1 (fft/cells.glsl)
//             i_src        else: the real parts, see fft/source.glsl
//             i_src_imag   with HAS_IMAG 1: the imaginary parts
//   out       texels       real and imaginary parts swapped, with INVERSE
//   host sets FROM_CELLS, INVERSE, and for textures the defines of fft/source.glsl and
//             HAS_IMAG     0 = the input is real: nothing is read for the imaginary parts
//             IMAG_FORMAT  GLSL image format of src_imag
//             HALF_IN      1 = a half spectrum along the line: position N - k mirrors k
//             PACKED_IN    1 = packing rgba_rg: (r, g, b, r') and (g', b'), primes imaginary
//   why       there are no branches: docs/decisions.md, D13
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/lines.glsl"
#include "fft/cells.glsl"

#if FROM_CELLS
layout(std430, binding = AG_SSBO_CELLS_IN) readonly buffer CellsIn {
    CELL_WORD b_cells_in[];
};
#else
#include "common/info.glsl"
#include "fft/source.glsl"
#define SHIFT_IN (INVERSE == 1 ? SPECTRUM_SHIFT : ivec2(0))
#if HAS_IMAG
layout(IMAG_FORMAT, binding = AG_IMAGE_SRC_IMAG) readonly uniform image2D i_src_imag;

vec4 load_imaginary(ivec2 p, inout uint bad)
{
    vec4 value = imageLoad(i_src_imag, u_imag_rects.xy + p);
    uint over = uint(size_bits(value) >= TOO_LARGE);
    bad += over;
    return mix(value, vec4(0.0), bvec4(over & uint(SCRUBS)));
}
#endif
#endif

// The texel as it is stored.
void load_stored(int e, ivec2 p, inout uint bad)
{
#if FROM_CELLS
    int cell = cell_at(p);
    for (int w = 0; w < CELL_WORDS; ++w) {
#if CHANNELS % 2 == 0
        vec4 two = b_cells_in[cell + w];
        HELD_TEXEL(2 * w, e) = two.xy;
        HELD_TEXEL(2 * w + 1, e) = two.zw;
#else
        HELD_TEXEL(w, e) = b_cells_in[cell + w];
#endif
    }
#else
    p += SHIFT_IN;
    p -= SIZE * ivec2(greaterThanEqual(p, SIZE));
    uint over;
    vec4 real = colour(load_texel(p, over)), imaginary = vec4(0.0);
    bad += over;
#if HAS_IMAG
    imaginary = load_imaginary(p, bad);
#endif
#if PACKED_IN
    imaginary = vec4(real.a, imaginary.xyz);
#endif
    for (int c = 0; c < CHANNELS; ++c) {
        vec2 value = vec2(real[c], imaginary[c]);
        HELD_TEXEL(c, e) = INVERSE == 1 ? value.yx : value;
    }
#endif
}

// Element e of the thread: the texel at `position`. `own`: no other element is loaded from there.
void load_position(int e, int position, int across, bool own, inout uint bad)
{
    uint seen = 0u;
#if HALF_IN // swapped already: the conjugate of a value has another sign in x
    int mirror = (LINE_LENGTH - position) % LINE_LENGTH;
    load_stored(e, texel_at(min(position, mirror), across), seen);
    own = own && position <= mirror;
    float sign = position > mirror ? -1.0 : position == mirror ? 0.0 : 1.0; // F(0) is real
    for (int c = 0; c < CHANNELS; ++c)
        HELD_TEXEL(c, e).x *= sign;
#else
    load_stored(e, texel_at(position, across), seen);
#endif
    bad += own ? seen : 0u;
}
