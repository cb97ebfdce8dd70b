// fft/spectrum_view.comp - magnitudes of a spectrum as a picture
//
//   in        b_spectrum  from columns.comp in mode kernel, one range a channel: the half spectrum
//   out       i_dst       magnitudes, on a linear or a logarithmic scale
//   host sets the define of common/store.glsl
//   dispatch  ceil(width / 16), ceil(height / 16); a group makes 16 x 16 texels
//   cost      reads each frequency of the half spectrum twice, those of its column 0 four times
//   source    docs/spectrum.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "common/store.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // points a row, points a column,
                                                             // columns a group, 1 = centred
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = channel count, w: 1 = luminance
layout(location = AG_LOC_GAIN) uniform vec4 u_gain;          // weights of luminance
layout(location = AG_LOC_SCALE) uniform vec4 u_scale;        // factor; range in dB, 0 = linear
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
    vec2 at[];
} b_spectrum[3]; // one a channel

// The frequency, 0 .. points - 1, that is shown by a texel of a line of `size`: `steps` / size cycles
// a texel, or the nearest to it that the transform has. Mirror images stay mirror images.
int nearest(int texel, int size, int points)
{
    int steps = u_spectrum.w != 0 ? (texel + size - size / 2) % size : texel;
    bool negative = steps > size / 2;
    steps = negative ? size - steps : steps;
    int k = (2 * steps * points + size) / (2 * size);
    return negative ? points - k : k;
}

vec2 stored(int channel, int column, int k)
{
    int group = u_spectrum.z;
    return b_spectrum[channel].at[(column / group * u_spectrum.y + k) * group + column % group];
}

// F(k) or its conjugate: the same one in all channels.
vec2 frequency(int channel, ivec2 k)
{
    int columns = u_spectrum.x / 2;
    if (k.x > columns) // F(-k) = conj F(k)
        k = ivec2(u_spectrum.x - k.x, (u_spectrum.y - k.y) % u_spectrum.y);
    if (k.x % columns != 0)
        return stored(channel, k.x, k.y);
    // Column 0 holds G = A + i B, the frequencies 0 and `columns` of real rows.
    vec2 g = stored(channel, 0, k.y), m = stored(channel, 0, (u_spectrum.y - k.y) % u_spectrum.y);
    return 0.5 * (k.x == 0 ? vec2(g.x + m.x, g.y - m.y) : vec2(g.y + m.y, m.x - g.x));
}

float shown(vec2 f)
{
    const float DB = 6.02059991328; // of a factor of 2
    float magnitude = length(f) * u_scale.x;
    if (u_scale.y == 0.0)
        return magnitude;
    return max(1.0 + DB * log2(max(magnitude, 1e-37)) / u_scale.y, 0.0);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = u_dst_rect.zw;
    if (any(greaterThanEqual(p, size)))
        return;
    ivec2 k = ivec2(nearest(p.x, size.x, u_spectrum.x), nearest(p.y, size.y, u_spectrum.y));
    vec4 result = vec4(0.0, 0.0, 0.0, 1.0);
    vec2 luminance = vec2(0.0);
    for (int c = 0; c < u_channels.y; ++c) {
        vec2 f = frequency(c, k);
        luminance += u_gain[c] * f;
        result[c] = shown(f);
    }
    if (u_channels.w != 0)
        result.rgb = vec3(shown(luminance));
    store_texel(p, result);
}
