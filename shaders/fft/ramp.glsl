// fft/ramp.glsl - what fills a line behind the image while deconvolution tapers its edges
//   how       a place holds (1 - w) times the last texel and w times the first one, so the line has
//             no step, also from its end to its start
//   source    docs/convolve.md 8
//   SPDX-License-Identifier: MIT
#pragma once

// w, whose slope is 0 at both ends; `line` as of source_index in common/border.glsl.
float ramp_weight(int place, ivec4 line)
{
    float t = float(place - line.x + 1) / float(line.z - line.x + 1);
    return t * t * (3.0 - 2.0 * t);
}
