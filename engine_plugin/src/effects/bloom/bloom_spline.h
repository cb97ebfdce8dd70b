// bloom_spline.h - cubic B-splines between a frame and a smaller image; what they do to a kernel
// SPDX-License-Identifier: MIT
//
// Along an axis, the smaller image has one texel for `ratio` texels of the frame. Down, it takes
// h(t) = B(t / ratio) / ratio; up, the frame takes B(t / ratio), with B the cubic B-spline and t
// the distance of two texels' centres. All lengths in texels of the frame:
//
//   g(d)  h * B(. / ratio) at distance d: what a kernel that is one texel of the smaller image
//         becomes in the frame, averaged over all places of the light, times ratio
//   w(d)  g divided by the square of its own values at multiples of `ratio`. A kernel K in the
//         frame becomes  small(m) = sum K(x) w(x - m ratio):  of all kernels of the smaller image
//         the one with the least error, in the mean over places and for white light (its spectrum
//         is  sum H^2 K / (sum H^2)^2  over the frequencies that meet there, with H that of h).
//         Where much of K is cut off, rings would surround every lamp, and where they are darkest
//         the frame would lose more light than it has. There it is also multiplied by
//         1 - sin(pi f)^p,  f in cycles a texel of the smaller image. p = 2 leaves no dark ring of
//         any kernel; p = 2.8 loses less, and serves stars, of which the core holds the middle
//
// source  M. Unser 1999, "Splines: a perfect fit for signal and image processing": the least
//         squares projection; docs/bloom.md
#ifndef AG_BLOOM_SPLINE_H
#define AG_BLOOM_SPLINE_H

#include "shaders/fft/interface_bloom.h"

#include <stdint.h>

// How a spectrum ends: as the least squares have it, or with p = 2.8, or 2.
enum { AG_SPLINE_CUT = 0, AG_SPLINE_STEEP = 1, AG_SPLINE_GENTLE = 2 };

// Floats of the table below.
int32_t ag_spline_floats(const int32_t split[3]);
// For x, then for y: w(0) .. w(AG_SPLINE_REACH ratio), g(0) / ratio .. g(4 ratio) / ratio. Then the
// matrix of bloom_core.comp, AG_CORE_TAPS rows. In double, rounded once. `split`: three int32_t,
// the ratios of x and y, each 2 or 4, and one of AG_SPLINE_*.
void ag_spline_table(const void *split, float *values);
// For a smooth kernel, along one axis: taps -reach .. reach of the smaller kernel of one with
// `taps` values on either side of its centre, `kernel`[0] the centre.
void ag_spline_reduce(int32_t ratio, const double *kernel, int32_t taps, double *small,
                      int32_t reach);
// What comes back of such a smaller kernel at a distance x of the centre, in the mean over places.
double ag_spline_back(int32_t ratio, const double *small, int32_t reach, int32_t x);
// Texels of the smaller kernel on either side of its centre, for a kernel with so many.
int32_t ag_spline_reach(int32_t ratio, int32_t taps);

#endif
