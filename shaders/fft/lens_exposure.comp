// fft/lens_exposure.comp - the exposure that threshold and clamp are measured in
//
//   in        i_src  one texel, as the effect exposure keeps it: r = EV, a = 1 if it is valid
//   out       b_info.unexposed  2^-EV, for fft/bloom_filter.glsl; 1 if the texel is not valid
//   host sets the defines of common/source.glsl
//   dispatch  1, before the R2C row pass
//   cost      one texel
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/interface_bloom.h"
#include "common/source.glsl"

layout(local_size_x = 1) in;

void main()
{
    uint not_counted = 0u;
    vec4 c = load_texel(ivec2(0), not_counted);
    bool valid = c.a == 1.0 && abs(c.r) <= 64.0; // NaN is not
    b_info.unexposed = valid ? exp2(-c.r) : 1.0;
}
