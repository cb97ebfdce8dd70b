// sat/without_offset.glsl - what an offset m changes in sums of texels and of their squares
//
//        sum (x - m) = sum x - m n        sum (x - m)^2 = sum x^2 + m (m n - 2 sum x)
//
//   Integers have no offset.
//   SPDX-License-Identifier: MIT
#pragma once

// A sum of `texels` texels less the offset m; and the same of squares.
double without_offset(double sum, double m, double texels) { return sum - m * texels; }
uint without_offset(uint sum, uint m, uint texels) { return sum; }
double squares_without_offset(double squares, double sum, double m, double texels)
{
    return squares + m * (m * texels - (sum + sum));
}
uint squares_without_offset(uint squares, uint sum, uint m, uint texels) { return squares; }
