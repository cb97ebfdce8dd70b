// fft/columns_band_limited.comp - columns.comp for few columns: a small program with few barriers
//
//   in, out   b_spectrum        from rows_r2c.comp, overwritten in place
//   in        b_kernel, b_real  the kernel's half spectrum, see fft/kernel_spectrum.glsl
//   host sets N         points a line: HEAD * 4^FOURS
//             HEAD      a radix of fft/dft.glsl
//             FOURS     stages of radix 4
//             BORDERED  1 = common/border.glsl maps points to rows, 0 = in order, then zeros
//             LINES     lines a work group
//             GROUP     N / 4 * LINES, as a literal
//   dispatch  ceil(KEPT / LINES), channels
//   shared    LINES * PITCH * 8 bytes
//   cost      reads and writes each cell once, reads the kernel's spectrum once; 2 FOURS barriers
//
// Decimation in frequency, then in time, both in place: no element moves, so a stage has one
// barrier, and none lies between the two directions (docs/decisions.md, D20). A forward stage makes
// four blocks of L / 4 points of each block of L; the next stage takes each of those. In the end
// place p holds the frequency whose digits are those of p in reverse. There it is multiplied by the
// kernel, and the stages run backwards, from the smallest blocks to the largest:
//
//     N     | 0 .......................................... N - 1 |    thread t: t, t + N / 4, ..
//     N / 4 | k = 0      | k = 1      | k = 2      | k = 3       |    frequencies k + 4 ..
//     ...
//     HEAD  |..|..|..|..|..|..|..|..|..|..|..|..|..|..|..|..|..|    thread t: HEAD t, HEAD t + 1 ..
//                                                                   DFT, kernel, DFT in registers
//
//   source    Gentleman and Sande 1966, Cooley and Tukey 1965
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(N) || !defined(HEAD) || !defined(FOURS) || !defined(BORDERED) || !defined(LINES) || \
    !defined(GROUP)
#error "N, HEAD, FOURS, BORDERED, LINES and GROUP must be set by the host"
#endif
#define COMPACT 0
#include "fft/spectrum.glsl"
#include "fft/kernel_spectrum.glsl"
#include "common/border.glsl"
#include "common/sync.glsl"

// threads of a line, and the distance of the elements of the first butterfly
const int QUARTER = N / 4;
#pragma optionNV(unroll all)
const int ELEMENTS = HEAD > 4 ? HEAD : 4;
vec2 v[ELEMENTS];
#define DFT dft_of_head
#define RADIX HEAD
#define TWIDDLED 0
#include "fft/dft.glsl"
#undef DFT
#undef RADIX
#undef TWIDDLED
#define DFT dft_of_four
#define RADIX 4
#define TWIDDLED 1
#include "fft/dft.glsl"

layout(local_size_x = GROUP) in;
layout(location = AG_LOC_LINE_Y) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_Y2) uniform ivec4 u_line_more;
layout(std430, binding = AG_SSBO_SPECTRUM) buffer Spectrum {
    vec2 b_spectrum[]; // a cell is two: rows 2p and 2p + 1
};
layout(std430, binding = AG_SSBO_TWIDDLE) readonly buffer Twiddle {
    vec4 b_twiddle[]; // of each block size L from 4 HEAD on, for m = 0 .. L / 4 - 1: w(m), w(2m)
};

const int PITCH = N + N / 16; // one place in 17 stays empty: fewer bank conflicts
shared vec2 s_line[LINES * PITCH];

int place_of(int line, int p)
{
    return line * PITCH + p + (p >> 4);
}

// The place of a row's value, from the start of its column.
int row_place(int row)
{
    return row / 2 * (2 * TILE) + row % 2;
}

// Twiddle factors of a block size for m. Those of smaller blocks come first: HEAD, 4 HEAD, ..
vec4 twiddles(int block, int m)
{
    return b_twiddle[(block / 4 - HEAD) / 3 + m];
}

// The frequency of place HEAD t: the digits of t to base 4, reversed.
int reversed(int t)
{
    uint bits = bitfieldReverse(uint(t)) >> uint(32 - 2 * FOURS);
    return int((bits & 0xaaaaaaaau) >> 1 | (bits & 0x55555555u) << 1);
}

void main()
{
    int line = int(gl_LocalInvocationID.x) % LINES, thread = int(gl_LocalInvocationID.x) / LINES;
    int column = int(gl_WorkGroupID.x) * LINES + line, rows = 2 * ROW_PAIRS;
    bool alive = column < KEPT;
    column = min(column, KEPT - 1);
    int start = 2 * (int(gl_WorkGroupID.y) * CELLS_OF_CHANNEL + cell_index(column, 0));

    // Rows to registers: thread t has rows t, t + N / 4, .. No branch, so that the loads overlap.
    for (int k = 0; k < 4; ++k) {
        int row = thread + k * QUARTER;
#if BORDERED
        row = source_index(row, u_line, u_line_more);
        bool inside = row >= 0;
#else
        bool inside = row < rows;
#endif
        v[k] = mix(vec2(0.0), b_spectrum[start + int(inside) * row_place(row)], bvec2(inside));
    }

    // Forward, from the largest blocks to the smallest: element m of each quarter of a block, in
    // place.
    int m = thread, at = thread, block = N;
    for (int stage = 0; stage < FOURS + NEVER; ++stage) {
        if (stage > 0) {
            block /= 4;
            m = thread % (block / 4);
            at = thread / (block / 4) * block + m;
            sync_shared();
            for (int k = 0; k < 4; ++k)
                v[k] = s_line[place_of(line, at + k * (block / 4))];
        }
        fft4(v[0], v[1], v[2], v[3]);
        vec4 w = twiddles(block, m);
        v[1] = cmul(v[1], w.xy);
        v[2] = cmul(v[2], w.zw);
        v[3] = cmul(v[3], cmul(w.xy, w.zw));
        for (int k = 0; k < 4; ++k)
            s_line[place_of(line, at + k * (block / 4))] = v[k];
    }

    // Blocks of HEAD: forward, times the kernel, inverse: a forward transform of swapped values.
    sync_shared();
    kernel_column kernel = column_to_read(column);
    for (int t = thread; t < N / HEAD; t += QUARTER) {
        int frequency = reversed(t);
        for (int k = 0; k < HEAD; ++k)
            v[k] = s_line[place_of(line, t * HEAD + k)];
        dft_of_head(0);
        for (int k = 0; k < HEAD; ++k) {
            int j = frequency + k * (N / HEAD);
            if (KERNEL_FORM == AG_KERNEL_COMPLEX)
                v[k] = cmul(v[k], complex_value(kernel, j)).yx;
            else
                v[k] = v[k].yx * kernel_value(kernel, j);
        }
        dft_of_head(0);
        for (int k = 0; k < HEAD; ++k)
            s_line[place_of(line, t * HEAD + k)] = v[k];
    }

    // Inverse, from the smallest blocks to the largest; the last stage stays in registers.
    for (int stage = 0; stage < FOURS + NEVER; ++stage) {
        block = stage == 0 ? 4 * HEAD : block * 4;
        m = thread % (block / 4);
        at = thread / (block / 4) * block + m;
        sync_shared();
        for (int k = 0; k < 4; ++k)
            v[k] = s_line[place_of(line, at + k * (block / 4))];
        dft_of_four(0, twiddles(block, m), vec4(0.0));
        if (stage < FOURS - 1)
            for (int k = 0; k < 4; ++k)
                s_line[place_of(line, at + k * (block / 4))] = v[k];
    }
    for (int k = 0; k < 4; ++k) {
        int row = thread + k * QUARTER;
        if (alive && row < rows)
            b_spectrum[start + row_place(row)] = v[k].yx;
    }
}
