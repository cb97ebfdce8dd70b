// fft/lines.glsl - lines of an image for the effect fft: which lines, and their texels in registers
//   what      a thread holds HELD texels of a line, with all channels: textures are read and
//             written by whole texels. Each channel takes its turn in v, where it is transformed:
//
//                 texels   | channel 0 | channel 1 | channel 2 | channel 3 |
//                 v     <- | E values  |  then all move down, and the result goes to the end
//
//   in        FROM_CELLS 1  b_cells_in, see below
//             else          i_src, the real parts, see fft/source.glsl; with HAS_IMAG i_src_imag,
//                           the imaginary parts. With INVERSE both change places
//   out       TO_CELLS 1    b_cells_out: positions 0 .. KEPT - 1
//             else          i_dst, the real parts, see common/store.glsl; with STORES_IMAG
//                           i_dst_imag, the imaginary parts
//   includer defines  HELD    texels a thread
//                     SPREAD  1 = a set of threads for each channel (fft/spread.comp)
//   host sets the defines of fft/line.glsl; CHANNELS (1 .. 4); AXIS (0: lines along x, 1: along y);
//             FROM_CELLS, TO_CELLS, INVERSE (0, 1)
//             HALF_IN      1 = a half spectrum along the line: position LINE_LENGTH - k mirrors k
//             of textures to read, the defines of fft/source.glsl and
//             HAS_IMAG     0 = the input is real: nothing is read for the imaginary parts
//             IMAG_FORMAT  GLSL image format of src_imag
//             PACKED_IN    1 = packing rgba_rg: (r, g, b, r') and (g', b'), primes imaginary
//             of textures to write, STORE (common/store.glsl) and
//             STORES_IMAG  0 = only real parts are stored
//             STORE_IMAG   AG_STORE_* of dst_imag: 32- or 16-bit floats
//             HERMITIAN    1 = of real input: of two mirrored frequencies one is computed, and the
//                          other one is its conjugate, to the bit
//             PACKED_OUT   1 = packing rgba_rg
//   cells     complex texels between the dispatches; a cell holds CHANNELS complex values. Columns
//             are cut into tiles of CELL_TILE; in a tile, row follows row:
//
//                 row 0    x0 x1 x2 x3        lines along x touch runs of CELL_TILE cells (128
//                 row 1    x0 x1 x2 x3        bytes of four channels), lines along y whole sectors
//                 ...                         of one tile
//   why       there are no branches between loads: docs/decisions.md, D13
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(CHANNELS) || !defined(AXIS) || !defined(FROM_CELLS) || !defined(TO_CELLS) || \
    !defined(INVERSE) || !defined(HALF_IN)
#error "CHANNELS (1..4), AXIS, FROM_CELLS, TO_CELLS, INVERSE and HALF_IN must be set by the host"
#endif
#if !FROM_CELLS && (!defined(HAS_IMAG) || !defined(PACKED_IN))
#error "HAS_IMAG and PACKED_IN must be set by the host"
#endif
#if !TO_CELLS && (!defined(STORES_IMAG) || !defined(HERMITIAN) || !defined(PACKED_OUT))
#error "STORES_IMAG, HERMITIAN and PACKED_OUT must be set by the host"
#endif
#if !defined(HELD) || !defined(SPREAD)
#error "HELD and SPREAD (0, 1) must be defined by the includer"
#endif
#define MIRROR_FIRST false
#define MIRROR_LAST false
#define LEFT_OUT 0
#include "fft/line.glsl"

layout(location = AG_LOC_LINES) uniform ivec4 u_lines;
#define LINE_COUNT u_lines.x  // of the dispatch
#define LINE_LENGTH u_lines.y // of the axis: N, if it is transformed as it is
#define LINE_PARTS u_lines.z  // lines of N points that are parts of one line; 1: the line is whole

layout(location = AG_LOC_EXTENT) uniform ivec4 u_extent;
#define SIZE u_extent.xy           // of what is transformed
#define SPECTRUM_SHIFT u_extent.zw // the place of frequency 0
layout(location = AG_LOC_IMAG_RECTS) uniform ivec4 u_imag_rects;
layout(location = AG_LOC_CELLS) uniform ivec4 u_cells;
#define CELL_ROWS u_cells.x // cells of a tile's column
#define KEPT u_cells.y      // positions of a line that are stored

// 0, which no compiler knows: a loop up to n + NEVER is not unrolled, and compiles faster.
#define NEVER min(LINE_COUNT, 0)

// Channel c of texel e. Mesa's RADV (zink on AMD) unrolls a loop of up to 32 turns, whatever its
// size, if its variable indexes an array of as many elements. Of a loop that it does not unroll the
// arrays go to memory, 32 KiB a wave. So more than 32 values are an array of arrays. radeonsi
// unrolls all.
#if CHANNELS * ELEMENTS > 32
vec2 texels[CHANNELS][HELD];
#define HELD_TEXEL(c, e) texels[c][e]
#else
vec2 texels[CHANNELS * HELD];
#define HELD_TEXEL(c, e) texels[(c) * HELD + (e)]
#endif

// The texel at a position of a line; `across` is the line's place on the other axis.
ivec2 texel_at(int position, int across)
{
    return AXIS == 0 ? ivec2(position, across) : ivec2(across, position);
}

void take_channel()
{
    for (int e = 0; e < HELD; ++e)
        v[e] = HELD_TEXEL(0, e);
    for (int c = 0; c < CHANNELS - 1; ++c)
        for (int e = 0; e < HELD; ++e)
            HELD_TEXEL(c, e) = HELD_TEXEL(c + 1, e);
}

void return_channel()
{
    for (int e = 0; e < HELD; ++e)
        HELD_TEXEL(CHANNELS - 1, e) = v[e];
}

void scale_texel(int e, vec2 factor)
{
    for (int c = 0; c < CHANNELS; ++c)
        HELD_TEXEL(c, e) = cmul(HELD_TEXEL(c, e), factor);
}

void swap_texel(int e) // real and imaginary parts: before and after, the transform is the inverse
{
    for (int c = 0; c < CHANNELS; ++c)
        HELD_TEXEL(c, e) = HELD_TEXEL(c, e).yx;
}

int line_index(uint line)
{
    return int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(LINES) + line);
}

// ---- cells --------------------------------------------------------------------------------------

const int CELL_TILE = 4;

#if CHANNELS % 2 == 0 && !SPREAD // a cell's words: two channels each
#define TWO_A_WORD 1
#define CELL_WORD vec4
const int CELL_WORDS = CHANNELS / 2;
#else
#define TWO_A_WORD 0
#define CELL_WORD vec2
const int CELL_WORDS = CHANNELS;
#endif

// The first word of a cell.
int cell_at(ivec2 p)
{
    return ((p.x / CELL_TILE * CELL_ROWS + p.y) * CELL_TILE + p.x % CELL_TILE) * CELL_WORDS;
}

// ---- load ---------------------------------------------------------------------------------------

#if FROM_CELLS
layout(std430, binding = AG_SSBO_CELLS_IN) readonly buffer CellsIn {
    CELL_WORD b_cells_in[];
};
#else
#include "fft/source.glsl"
#include "common/info.glsl"
#define SHIFT_IN (INVERSE == 1 ? SPECTRUM_SHIFT : ivec2(0))
#if HAS_IMAG
#ifndef IMAG_FORMAT
#error "IMAG_FORMAT must be set by the host"
#endif
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
#if TWO_A_WORD
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
    vec4 real = colour(load_source(p, over)), imaginary = vec4(0.0);
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

// ---- store --------------------------------------------------------------------------------------

#if TO_CELLS
layout(std430, binding = AG_SSBO_CELLS_OUT) writeonly buffer CellsOut {
    CELL_WORD b_cells_out[];
};

void store_position(int e, int position, int across)
{
    int cell = cell_at(texel_at(position, across));
    for (int w = 0; w < CELL_WORDS; ++w)
        if (position < KEPT)
#if TWO_A_WORD
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
#ifndef STORE_IMAG
#error "STORE_IMAG (AG_STORE_*) must be set by the host"
#endif
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
