// common/border.glsl - which texel fills each place of a padded line
//
//   A line of P points holds an image axis of n texels as drawn. low is how far the taps reach
//   beyond the end, high is how far they reach before the start:
//
//        0            n      n+low          P-high      P
//        | the image  | after | anything     | before   |     clamp, mirror, wrap: border texels
//        | the image  | zeros                           |     zero: P >= n + max(low, high)
//
//   The taps of a kernel lie as drawn: tap m, counted from the kernel's centre, so that the centre
//   falls on place 0:
//
//        0            high+1            P-low           P
//        | m = 0..high | zeros           | m = -low..-1 |
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"

// Returns the index of the texel in 0 .. n-1, or -1 for a zero.
// `line`: n; the first place that stands for a negative one, the place less P; P; AG_OUTSIDE_*.
// `more`: the lowest place that is not a zero; sign and offset of the texel's index; unused. There
// is no early return and no ?: here: NVIDIA's compiler makes loops and branches of them, and loads
// no longer overlap (docs/decisions.md, D13).
int source_index(int place, ivec4 line, ivec4 more)
{
    int n = line.x;
    int at = place - line.z * int(place >= line.y);
    int i = more.z + more.y * at;
    int clamped = clamp(i, 0, n - 1), index = clamped;
    bool nothing = at < more.x || (line.w == AG_OUTSIDE_ZERO && i != clamped);
    if (line.w == AG_OUTSIDE_MIRROR) { // ... 2 1 0 1 2 ...
        int period = max(2 * (n - 1), 1);
        index = abs(i) % period; // GLSL leaves % of negative numbers undefined
        index = min(index, period - index);
    } else if (line.w == AG_OUTSIDE_WRAP) {
        int negative = i >> 31; // -1: then i ^ negative = -1 - i
        index = ((i ^ negative) % n ^ negative) + (n & negative);
    }
    return index | -int(nothing);
}

// Deconvolution fills a line behind the image with a smooth way to its start (docs/convolve.md, 8):
// a place holds (1 - w) times the last texel and w times the first one, so the line has no step,
// also from its end to its start. Returns w, whose slope is 0 at both ends.
float ramp_weight(int place, ivec4 line)
{
    float t = float(place - line.x + 1) / float(line.z - line.x + 1);
    return t * t * (3.0 - 2.0 * t);
}
