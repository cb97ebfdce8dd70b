// fft/spectrum_view.comp - magnitudes of a spectrum as an image
//
//   in        b_spectrum  the half spectrum from kernel_columns.comp, one range a channel
//   out       i_dst       magnitudes, on a linear or a logarithmic scale
//   host sets STORE (common/store.glsl)
//   dispatch  ceil(width / 16), ceil(height / 16); a group computes 16 x 16 texels
//   cost      reads each frequency of the half spectrum twice
//   source    docs/spectrum.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "common/store.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(location = AG_LOC_VIEW) uniform ivec4 u_view;
#define POINTS u_view.xy            // of a row, of a column
#define COLUMNS_OF_GROUP u_view.z   // fft/kernel_spectrum.glsl
#define CENTRED (u_view.w != 0)
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // x = their number
layout(location = AG_LOC_GAIN) uniform vec4 u_gain;          // weights of luminance
layout(location = AG_LOC_VIEW_SCALE) uniform vec4 u_scale;
#define FACTOR u_scale.x
#define RANGE u_scale.y             // dB, 0 = linear
#define OF_LUMINANCE (u_scale.z != 0.0)
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
    vec2 at[];
} b_spectrum[3]; // one a channel

// The frequency, 0 .. points - 1, that a texel of a line of `size` texels shows: `steps` / size
// cycles a texel, or the nearest to it that the transform has. Mirror images stay mirror images.
int nearest(int texel, int size, int points)
{
    int steps = CENTRED ? (texel + size - size / 2) % size : texel;
    bool negative = steps > size / 2;
    steps = negative ? size - steps : steps;
    int k = (2 * steps * points + size) / (2 * size);
    return negative ? points - k : k;
}

vec2 stored(int channel, int column, int k)
{
    int group = COLUMNS_OF_GROUP;
    return b_spectrum[channel].at[(column / group * POINTS.y + k) * group + column % group];
}

// F(k), or its conjugate F(-k): the same of both in all channels.
vec2 frequency(int channel, ivec2 k)
{
    bool mirrored = k.x > POINTS.x / 2;
    k = mirrored ? ivec2(POINTS.x - k.x, (POINTS.y - k.y) % POINTS.y) : k;
    if (k.x % (POINTS.x / 2) == 0) // a column that mirrors itself: the lower of both rows
        k.y = min(k.y, (POINTS.y - k.y) % POINTS.y);
    return stored(channel, k.x, k.y);
}

float shown(vec2 f)
{
    const float DB = 6.02059991328; // of a factor of 2
    float magnitude = length(0.5 * f) * (2.0 * FACTOR); // squares of 2^64 would be infinite
    if (RANGE == 0.0)
        return magnitude;
    return max(1.0 + DB * log2(max(magnitude, 1e-37)) / RANGE, 0.0);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = u_dst_rect.zw;
    if (any(greaterThanEqual(p, size)))
        return;
    ivec2 k = ivec2(nearest(p.x, size.x, POINTS.x), nearest(p.y, size.y, POINTS.y));
    vec4 result = vec4(0.0, 0.0, 0.0, 1.0);
    vec2 luminance = vec2(0.0);
    for (int c = 0; c < u_channels.x; ++c) {
        vec2 f = frequency(c, k);
        luminance += u_gain[c] * f;
        result[c] = shown(f);
    }
    if (OF_LUMINANCE)
        result.rgb = vec3(shown(luminance));
    store_texel(p, result);
}
