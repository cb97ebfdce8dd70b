// fft/kernel_store.glsl - how columns.comp writes and reads a kernel's spectrum, by what the kernel is
//
//   layout    of a channel, u_kernel.w * 8 bytes; columns 0 .. columns - 1, and by "n" frequency n / 2
//             of the rows, which in a complex spectrum shares column 0:
//
//             complex   columns in groups of LINES, in a group frequency after frequency; pairs of floats
//             real      the same of single floats, and column n behind the others
//             mirrored  the same, but frequencies 0 .. N / 2 alone: N - j has the value of j
//             lines     x(0) .. x(columns - 1) x(n) y(0) .. y(N / 2) centre 1/y(0): the value of a
//                       frequency is x y / y(0) - centre, because the centre weight is left out
//             (AG_KERNEL_* of common/interface.h)
//   cost      u_kernel.z chooses, the same for all threads: no variant, no new program for a new kernel
//   source    docs/convolve.md 5
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_KERNEL_STORE_GLSL
#define AG_FFT_KERNEL_STORE_GLSL

layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // x = channel (MODE kernel), z = kernel channels
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // z = AG_KERNEL_*, w = complex values of a channel
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};
layout(std430, binding = AG_SSBO_KERNEL_REAL) buffer KernelReal { // the same bytes
    float b_real[];
};

const int HALF_LINE = N / 2 + 1; // frequencies of a mirrored column

int kernel_channel()
{
    return min(u_channels.z - 1, int(gl_WorkGroupID.y));
}

// Frequency 0 of a column; the others follow, LINES apart. `length` frequencies have a place.
int column_of_kernel(int column, int length)
{
    return column / LINES * (length * LINES) + column % LINES;
}

#if MODE == AG_COLUMNS_KERNEL

void store_complex(int column, uint thread)
{
    int start = column_of_kernel(column, N);
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k)
            if (HOLDS(i, LAST_STEP, false))
                b_kernel[start + (int(thread) + i * THREADS + k * LAST_STEP) * LINES] =
                    v[i * LAST + k] * u_scale.x;
}

// Column 0 of an even kernel holds two real columns side by side.
void store_real(int column, int columns, uint thread, int length)
{
    int start = column_of_kernel(column, length), last = column_of_kernel(columns, length);
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k) {
            int j = int(thread) + i * THREADS + k * LAST_STEP;
            if (j < length && HOLDS(i, LAST_STEP, false)) {
                b_real[start + j * LINES] = v[i * LAST + k].x * u_scale.x;
                if (column == 0)
                    b_real[last + j * LINES] = v[i * LAST + k].y * u_scale.x;
            }
        }
}

void store_lines(int column, int columns, uint thread)
{
    float centre = b_info.centre[u_channels.x] * (2.0 * u_scale.x); // rows leave twice the spectrum
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k) {
            int j = int(thread) + i * THREADS + k * LAST_STEP;
            vec2 value = v[i * LAST + k] * u_scale.x + centre;
            if (j == 0)
                b_real[column] = value.x;
            if (column == 0 && j < HALF_LINE && HOLDS(i, LAST_STEP, false))
                b_real[columns + 1 + j] = value.x;
            if (column == 0 && j == 0) {
                b_real[columns] = value.y;
                b_real[columns + 1 + HALF_LINE] = centre;
                b_real[columns + 2 + HALF_LINE] = 1.0 / value.x;
            }
        }
}

void store_kernel(int column, int columns, uint thread)
{
    if (u_kernel.z == AG_KERNEL_COMPLEX)
        store_complex(column, thread);
    else if (u_kernel.z == AG_KERNEL_LINES)
        store_lines(column, columns, thread);
    else
        store_real(column, columns, thread, u_kernel.z == AG_KERNEL_REAL ? N : HALF_LINE);
}

#else

// The frequency whose value a mirrored column holds for j. Up to N / 2 that is a constant away from the
// thread's first one, above it a constant less it.
#define FOLDED(j) ((j) <= N / 2 ? (j) : N - (j))

void multiply_complex(int start, uint thread)
{
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
        for (int k = 0; k < LAST; ++k)
            v[i * LAST + k] = cmul(v[i * LAST + k], b_kernel[start + (b + k * LAST_STEP) * LINES]);
    }
}

void multiply_real(int start, uint thread)
{
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
        for (int k = 0; k < LAST; ++k)
            v[i * LAST + k] *= b_real[start + (b + k * LAST_STEP) * LINES];
    }
}

// Butterfly outputs b + k LAST_STEP lie in the lower half for all b while (k + 1) LAST_STEP <= N / 2 + 1, and
// in the upper for all b from k LAST_STEP > N / 2 on: only the middle one of an odd radix must ask.
int folded(int b, int k)
{
    int low = b + k * LAST_STEP, high = N - k * LAST_STEP - b;
    return (k + 1) * LAST_STEP <= N / 2 + 1 ? low : k * LAST_STEP >= N / 2 ? high : min(low, high);
}

void multiply_mirrored(int start, uint thread)
{
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
        for (int k = 0; k < LAST; ++k)
            v[i * LAST + k] *= b_real[start + folded(b, k) * LINES];
    }
}

void multiply_lines(int start, int column, int columns, uint thread)
{
    int y = start + columns + 1;
    float x = b_real[start + column] * b_real[y + HALF_LINE + 1], centre = b_real[y + HALF_LINE];
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
        for (int k = 0; k < LAST; ++k)
            v[i * LAST + k] *= x * b_real[y + folded(b, k)] - centre;
    }
}

void multiply(int column, int columns, uint thread)
{
    int channel = kernel_channel() * u_kernel.w;
    if (u_kernel.z == AG_KERNEL_COMPLEX)
        multiply_complex(channel + column_of_kernel(column, N), thread);
    else if (u_kernel.z == AG_KERNEL_REAL)
        multiply_real(2 * channel + column_of_kernel(column, N), thread);
    else if (u_kernel.z == AG_KERNEL_MIRRORED)
        multiply_mirrored(2 * channel + column_of_kernel(column, HALF_LINE), thread);
    else
        multiply_lines(2 * channel, column, columns, thread);
}

// The values of frequency j of columns 0 and n.
void both_of_column_0(int j, int columns, out vec2 k0, out vec2 kn)
{
    int channel = kernel_channel() * u_kernel.w, length = u_kernel.z == AG_KERNEL_REAL ? N : HALF_LINE;
    int place = length == N ? j : FOLDED(j);
    if (u_kernel.z == AG_KERNEL_COMPLEX) { // the stored line is G = K0 + i Kn; with G(-j) = m:
        vec2 g = b_kernel[channel + j * LINES], m = b_kernel[channel + (N - j) % N * LINES];
        k0 = 0.5 * vec2(g.x + m.x, g.y - m.y);
        kn = 0.5 * vec2(g.y + m.y, m.x - g.x);
    } else if (u_kernel.z == AG_KERNEL_LINES) {
        int y = 2 * channel + columns + 1;
        float line = b_real[y + place] * b_real[y + HALF_LINE + 1], centre = b_real[y + HALF_LINE];
        k0 = vec2(b_real[2 * channel] * line - centre, 0.0);
        kn = vec2(b_real[y - 1] * line - centre, 0.0);
    } else {
        k0 = vec2(b_real[2 * channel + place * LINES], 0.0);
        kn = vec2(b_real[2 * channel + column_of_kernel(columns, length) + place * LINES], 0.0);
    }
}

#endif
#endif
