// transform_factors.c - the chirp of Bluestein's transform and its spectrum; twiddle factors
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "effects/fft/transform.h"
#include "shaders/fft/interface_transform.h"

#include <math.h>

static const double PI = 3.14159265358979323846264338327950288;

typedef struct complex_number {
    double re, im;
} complex_number;

// exp(-2 pi i part / whole), 0 <= part < whole
static complex_number root(int64_t part, int64_t whole)
{
    double angle = -2 * PI * (double)part / (double)whole;
    return (complex_number){cos(angle), sin(angle)};
}

// exp(-pi i n n / length)
static complex_number chirp_at(int64_t n, int64_t length)
{
    return root(n * n % (2 * length), 2 * length);
}

static complex_number product(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// The transform of n values `stride` apart into `out`, with the smallest factor of n first (Cooley
// and Tukey 1965). roots[i] = exp(-2 pi i / n) of the whole transform, which `step` times n is.
static void transform(const complex_number *in, int32_t n, int32_t stride, complex_number *out,
                      const complex_number *roots, int32_t step)
{
    int32_t radix = 2;
    while (n % radix && radix < n)
        ++radix;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    int32_t m = n / radix;
    for (int32_t r = 0; r < radix; ++r)
        transform(in + (size_t)r * (size_t)stride, m, stride * radix, out + r * m, roots,
                  step * radix);
    for (int32_t k = 0; k < m; ++k) {
        complex_number part[7];
        for (int32_t r = 0; r < radix; ++r)
            part[r] = product(out[r * m + k], roots[(int64_t)r * k % n * step]);
        for (int32_t q = 0; q < radix; ++q) {
            complex_number sum = {0, 0};
            for (int32_t r = 0; r < radix; ++r) {
                complex_number term = product(part[r], roots[(int64_t)r * q % radix * m * step]);
                sum.re += term.re;
                sum.im += term.im;
            }
            out[q * m + k] = sum;
        }
    }
}

ag_factors ag_factors_of(const ag_transform_pass *pass)
{
    bool chirp = pass->points != pass->length || pass->kind == AG_LINES_CHIRP;
    ag_factors f = {0};
    if (chirp) {
        f.product = pass->length;
        f.twiddle = f.product + pass->points;
    }
    f.count = f.twiddle + (pass->kind == AG_LINES_PART ? pass->points : 0);
    return f;
}

typedef struct filling {
    const ag_transform_pass *pass;
    complex_number *work; // 3 * points
} filling;

static void put(float *values, int32_t at, complex_number value)
{
    values[2 * at] = (float)value.re;
    values[2 * at + 1] = (float)value.im;
}

static void fill(const void *context, float *values)
{
    const filling *f = context;
    const ag_transform_pass *pass = f->pass;
    ag_factors at = ag_factors_of(pass);
    int32_t length = pass->length, points = pass->points;
    complex_number *kernel = f->work, *spectrum = kernel + points, *roots = spectrum + points;
    for (int32_t i = 0; i < points; ++i) {
        roots[i] = root(i, points);
        kernel[i] = (complex_number){0, 0};
    }
    for (int32_t i = 0; at.product && i < length; ++i) {
        complex_number w = chirp_at(i, length), conjugate = {w.re, -w.im};
        put(values, at.chirp + i, w);
        kernel[i] = conjugate; // of lag i and of lag -i
        kernel[(points - i) % points] = conjugate;
    }
    if (at.product) {
        transform(kernel, points, 1, spectrum, roots, 1);
        for (int32_t i = 0; i < points; ++i) // 1 / points: of the inverse transform
            put(values, at.product + i,
                (complex_number){spectrum[i].re / points, spectrum[i].im / points});
    }
    for (int32_t i = 0; at.twiddle + i < at.count; ++i)
        put(values, at.twiddle + i, roots[i]);
}

ag_handle ag_frame_factors(ag_frame *f, const ag_transform_pass *pass)
{
    // No line of twiddle factors has such a key: its second word is a radix (fft_programs.c).
    const int32_t key[8] = {pass->length, -1, pass->points, pass->kind == AG_LINES_PART};
    size_t count = (size_t)ag_factors_of(pass).count;
    size_t bytes = 3 * (size_t)pass->points * sizeof(complex_number);
    if (!count)
        return (ag_handle){0};
    filling fills = {pass, ag_frame_work(f, bytes)};
    ag_handle factors = ag_shared_constants(f, "afterglow factors", key, 2 * count, fill, &fills);
    ag_free(ag_frame_host(f), fills.work, bytes);
    return factors;
}
