// fft/window.glsl - the Hann window of a spectrum: it is 0 at the edges of the image
//
//   error     1e-7, absolute. A polynomial, because the sin and cos of drivers are less exact
//   source    F. J. Harris 1978, "On the use of windows for harmonic analysis"
//   SPDX-License-Identifier: MIT
#pragma once

// sin^2(pi (place + 1/2) / size), the weight of a texel of a line of `size` texels: 1 in the
// middle.
float hann(int place, int size)
{
    float x = 3.14159265358979 * (abs(float(2 * place + 1 - size)) / float(2 * size)), y = x * x;
    // cos(x) on 0 .. pi/2: its Taylor series to x^12
    float c = 1.0 + y * (-0.5 + y * (4.16666666667e-2 + y * (-1.38888888889e-3 +
              y * (2.48015873016e-5 + y * (-2.75573192240e-7 + y * 2.08767569879e-9)))));
    return c * c;
}
