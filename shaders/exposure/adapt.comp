// exposure/adapt.comp - the mean of a histogram between two percentiles, and a step of the state towards it
//
//   in, out   b_exposure  the counts, which become 0 for the next execute
//             i_state     one texel: exposure in EV, mean log2 luminance, share of texels used, 1 = valid
//   host sets nothing
//   shared    4 KiB
//   dispatch  1: one group, a thread a bin
//   exact     counts are below 2^53, so their sums in doubles are exact; what is rounded is a percentile's place in a
//             bin (2^-53), and what is stored. There is no log2 or exp here: the host brings both, as doubles
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "common/sync.glsl"
#include "exposure/interface.h"

layout(local_size_x = AG_EXPOSURE_BINS) in;

layout(location = AG_LOC_EXPOSURE_STATE) uniform ivec4 u_state;   // x, y, reset
layout(location = AG_LOC_EXPOSURE_RANGE) uniform vec4 u_range;    // min_ev, max_ev, low, high
layout(location = AG_LOC_EXPOSURE_TARGET) uniform ivec4 u_target; // doubles: log2(key) + compensation; texels
layout(location = AG_LOC_EXPOSURE_RATES) uniform ivec4 u_rates;   // doubles: brighter, darker
layout(rgba32f, binding = AG_IMAGE_STATE) uniform image2D i_state;
layout(std430, binding = AG_SSBO_EXPOSURE) buffer Exposure {
    uint counts[2 * AG_EXPOSURE_COUNTS];
} b_exposure;

shared double s_sums[AG_EXPOSURE_BINS];    // first of bins up to a thread's, then of what is kept
shared double s_centres[AG_EXPOSURE_BINS]; // of what is kept, times the number of its bin

// A count, taken out of the buffer.
double take(int place)
{
    uint low = b_exposure.counts[2 * place], high = b_exposure.counts[2 * place + 1];
    b_exposure.counts[2 * place] = 0u;
    b_exposure.counts[2 * place + 1] = 0u;
    return double(high) * 4294967296.0LF + double(low);
}

double real(ivec2 bits)
{
    return packDouble2x32(uvec2(bits));
}

bool is_finite(vec2 c) // bits, not isnan(): compilers may assume that there are no NaNs
{
    uvec2 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(size.x, size.y) < 0x7f800000u;
}

// The state after this frame, of which `kept` is what lies between the percentiles; 0: no texel is used.
vec4 next_state(vec4 state, double kept, double centres, double used)
{
    bool valid = u_state.z == 0 && state.a == 1.0 && is_finite(state.rg);
    if (kept == 0.0LF)
        return valid ? vec4(state.rg, 0.0, 1.0) : vec4(0.0);
    double low = double(u_range.x), width = (double(u_range.y) - low) / double(AG_EXPOSURE_BINS);
    double mean = low + (centres / kept + 0.5LF) * width;
    double target = real(u_target.xy) - mean, now = double(state.r);
    double rate = target < now ? real(u_rates.xy) : real(u_rates.zw);
    double exposure = valid ? now + (target - now) * rate : target;
    return vec4(float(exposure), float(mean), float(used / real(u_target.zw)), 1.0);
}

void main()
{
    int bin = int(gl_LocalInvocationIndex);
    double mine = take(bin);
    double used = bin == 0 ? take(AG_EXPOSURE_BINS) : 0.0LF;
    s_sums[bin] = mine;
    for (int span = 1; span < AG_EXPOSURE_BINS; span *= 2) {
        sync_shared();
        double below = bin >= span ? s_sums[bin - span] : 0.0LF;
        sync_shared();
        s_sums[bin] += below;
    }
    sync_shared();
    //        bins     |.....|........|....|...........|
    //        kept        |#####################|          from low to high, fractions of a bin at both ends
    double all = s_sums[AG_EXPOSURE_BINS - 1], end = s_sums[bin], begin = end - mine;
    double kept = max(min(end, double(u_range.w) * all) - max(begin, double(u_range.z) * all), 0.0LF);
    sync_shared();
    s_sums[bin] = kept;
    s_centres[bin] = kept * double(bin);
    for (int half_way = AG_EXPOSURE_BINS / 2; half_way > 0; half_way /= 2) {
        sync_shared();
        if (bin < half_way) {
            s_sums[bin] += s_sums[bin + half_way];
            s_centres[bin] += s_centres[bin + half_way];
        }
    }
    if (bin == 0) {
        vec4 state = imageLoad(i_state, u_state.xy);
        imageStore(i_state, u_state.xy, next_state(state, s_sums[0], s_centres[0], used));
    }
}
