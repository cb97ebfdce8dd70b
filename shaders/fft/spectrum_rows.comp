// fft/spectrum_rows.comp - R2C row pass of spectrum: rows of an image, with or without a window
//
//   in        i_src       the source, see fft/source.glsl
//             u_window.x  1 = the Hann window: it is 0 at the edges of the image
//   out       b_spectrum  see fft/spectrum.glsl
//             b_info      while u_src_mode.z, scrub, is on: adds the number of non-finite texels
//   host sets the defines of fft/rows_store.glsl and fft/source.glsl
//             CHANNELS    1 .. 3 are transformed, one after the other
//   dispatch  ceil(row pairs / LINES); a group transforms LINES row pairs
//   cost      reads each texel once a channel, mostly from a cache; writes 8 bytes for each of a
//             row's frequencies 0 .. N / 2, of every channel
//   source    docs/spectrum.md. F. J. Harris 1978, "On the use of windows for harmonic analysis".
//             rows_r2c.comp is the same without a window, and faster
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef CHANNELS
#error "CHANNELS (1..3) must be set by the host"
#endif
#define COMPACT 0
#define CHANNEL_BUFFERS 4
#include "fft/rows_store.glsl"
#include "common/info.glsl"
#include "fft/source.glsl"

layout(location = AG_LOC_WINDOW) uniform ivec4 u_window;
#define HANN (u_window.x != 0)

// sin^2(pi (place + 1/2) / size), the weight of a texel of a line of `size` texels: 1 in the
// middle. To 1e-7, absolute, by a polynomial, because the sin and cos of drivers are less exact.
float hann(int place, int size)
{
    float x = 3.14159265358979 * (abs(float(2 * place + 1 - size)) / float(2 * size)), y = x * x;
    // cos(x) on 0 .. pi/2: its Taylor series to x^12
    float c = 1.0 + y * (-0.5 + y * (4.16666666667e-2 + y * (-1.38888888889e-3 +
              y * (2.48015873016e-5 + y * (-2.75573192240e-7 + y * 2.08767569879e-9)))));
    return c * c;
}

const int PLACES = ROUNDS(R0, MIRROR_FIRST) * R0; // points that a thread loads

// Fills v with channel c of a row pair, and zeros beyond the image. Returns the number of
// non-finite texels.
uint load_rows(int c, int pair, uint thread)
{
    ivec2 size = u_src_rect.zw;
    uint bad = 0u;
    for (int batch = 0; batch < PLACES + NEVER; ++batch) { // not unrolled, see rows_r2c.comp
        int i = batch / R0, place = int(BUTTERFLY(i, N / R0, MIRROR_FIRST)) + batch % R0 * (N / R0);
        int x = min(place, size.x - 1);
        bool own = HAS_BUTTERFLY(i, N / R0, MIRROR_FIRST);
        for (int e = 0; e < PLACES - 1; ++e)
            v[e] = v[e + 1];
        for (int row = 0; row < 2; ++row) {
            int y = 2 * pair + row;
            bool inside = place < size.x && y < size.y;
            uint bad_texel;
            float value = colour(load_source(ivec2(x, min(y, size.y - 1)), bad_texel))[c];
            value *= HANN ? hann(x, size.x) * hann(y, size.y) : 1.0;
            v[PLACES - 1][row] = inside ? value : 0.0;
            bad += inside && own ? bad_texel : 0u;
        }
    }
    return bad;
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: a small program
        uint bad = load_rows(c, pair, thread);
        if (c == 0 && alive && SCRUBS != 0)
            count_bad(bad);
        transform(line, thread);
        store_spectra(c, line, thread, pair, alive);
    }
}
