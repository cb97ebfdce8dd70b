// exposure/adapt.comp - the mean of a histogram between percentiles; a step of the state towards it
//
//   in, out   b_exposure  the counts, which become 0 for the next execute
//             i_state     one texel: exposure in EV, mean log2 luminance, share of texels used; 1:
//                         valid
//   host sets no defines; the uniforms below
//   shared    4 KiB
//   dispatch  1: one group, a thread a bin
//   cost      reads 257 counts; 16 steps with barriers, so its time is latency
//   exact     counts are below 2^53, so their sums in doubles are exact. Only a percentile's place
//             in a bin (2^-53) and the stored state are rounded. log2 and exp are computed by the
//             host, in double
//   source    docs/exposure.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "common/sync.glsl"
#include "exposure/interface.h"

layout(local_size_x = AG_EXPOSURE_BINS) in;

layout(location = AG_LOC_EXPOSURE_STATE) uniform ivec4 u_state;   // x, y, reset
layout(location = AG_LOC_EXPOSURE_RANGE) uniform vec4 u_range;    // min_ev, max_ev, low, high
// doubles: log2(key) + compensation; texels
layout(location = AG_LOC_EXPOSURE_TARGET) uniform ivec4 u_target;
layout(location = AG_LOC_EXPOSURE_RATES) uniform ivec4 u_rates;   // doubles: brighter, darker
layout(rgba32f, binding = AG_IMAGE_STATE) uniform image2D i_state;
layout(std430, binding = AG_SSBO_EXPOSURE) buffer Exposure {
    uint counts[2 * AG_EXPOSURE_COUNTS];
} b_exposure;

// first sums of the bins up to a thread's, then weights between the percentiles
shared double s_sums[AG_EXPOSURE_BINS];
shared double s_centres[AG_EXPOSURE_BINS]; // these weights, times the bin's number

// A count of the buffer, which becomes 0.
double take_count(int place)
{
    uint low = b_exposure.counts[2 * place], high = b_exposure.counts[2 * place + 1];
    b_exposure.counts[2 * place] = 0u;
    b_exposure.counts[2 * place + 1] = 0u;
    return double(high) * 4294967296.0LF + double(low);
}

double double_of(ivec2 bits)
{
    return packDouble2x32(uvec2(bits));
}

bool is_finite(vec2 c) // bits, not isnan(): compilers may assume that there are no NaNs
{
    uvec2 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(size.x, size.y) < 0x7f800000u;
}

// The next state. `middle`: the sum of weights between the percentiles; 0: no texel is used.
vec4 next_state(vec4 state, double middle, double centres, double used)
{
    bool valid = u_state.z == 0 && state.a == 1.0 && is_finite(state.rg);
    if (middle == 0.0LF)
        return valid ? vec4(state.rg, 0.0, 1.0) : vec4(0.0);
    double low = double(u_range.x), width = (double(u_range.y) - low) / double(AG_EXPOSURE_BINS);
    double mean = low + (centres / middle + 0.5LF) * width;
    double target = double_of(u_target.xy) - mean, now = double(state.r);
    double rate = target < now ? double_of(u_rates.xy) : double_of(u_rates.zw);
    double exposure = valid ? now + (target - now) * rate : target;
    return vec4(float(exposure), float(mean), float(used / double_of(u_target.zw)), 1.0);
}

void main()
{
    int bin = int(gl_LocalInvocationIndex);
    double mine = take_count(bin);
    double used = bin == 0 ? take_count(AG_EXPOSURE_BINS) : 0.0LF;
    s_sums[bin] = mine;
    for (int span = 1; span < AG_EXPOSURE_BINS; span *= 2) {
        sync_shared();
        double below = bin >= span ? s_sums[bin - span] : 0.0LF;
        sync_shared();
        s_sums[bin] += below;
    }
    sync_shared();
    //        bins     |.....|........|....|...........|
    //        middle      |#####################|          low to high, parts of a bin at both ends
    double all = s_sums[AG_EXPOSURE_BINS - 1], end = s_sums[bin], begin = end - mine;
    double middle = max(min(end, double(u_range.w) * all) - max(begin, double(u_range.z) * all),
                        0.0LF);
    sync_shared();
    s_sums[bin] = middle;
    s_centres[bin] = middle * double(bin);
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
