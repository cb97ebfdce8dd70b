// exposure/adapt.glsl - the mean of a histogram between percentiles; a step of the state towards it
//
//   in, out   b_exposure  the counts of all groups, which become 0 for the next execute
//             i_state     one texel: exposure in EV, mean log2 luminance, share of texels used;
//                         1 = valid
//   shared    6 KiB of s_bins, which the includer declares
//   threads   those of the last group; the first 256 have a bin each
//   how       F(b) is the sum of the counts below bin b, held between the percentiles: low at
//             least, high at most. Bin b weighs F(b + 1) - F(b). So the weights add up to
//             high - low, and the bins, times their weights, to 255 high - (F(1) + .. + F(255)).
//             One scan makes F, and one sum is left
//   cost      reads 257 counts; 8 steps of four with a barrier each, so its time is latency
//   exact     counts and their sums are integers of two words. What is computed from them are pairs
//             of floats (common/pair.glsl), exact to 2^-44; the stored state is rounded. The host
//             computes log2 and exp, in double
//   source    docs/exposure.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/pair.glsl"
#include "common/sync.glsl"
#include "exposure/interface.h"

layout(location = AG_LOC_EXPOSURE_STATE) uniform ivec4 u_state;   // x, y, reset, groups
layout(location = AG_LOC_EXPOSURE_RANGE) uniform vec4 u_range;    // min_ev, max_ev, low, high
// pairs: log2(key) + compensation; texels
layout(location = AG_LOC_EXPOSURE_TARGET) uniform vec4 u_target;
layout(location = AG_LOC_EXPOSURE_RATES) uniform vec4 u_rates;    // pairs: brighter, darker
layout(rgba32f, binding = AG_IMAGE_STATE) uniform image2D i_state;

// s_bins: sums of the bins up to a thread's, low words and high words; steps take turns. Then F.
#define SUMS (2 * AG_EXPOSURE_BINS)
#define ENDS (2 * SUMS)

uvec2 sum_at(int turn, int bin)
{
    int at = turn * SUMS + bin;
    return uvec2(s_bins[at], s_bins[at + AG_EXPOSURE_BINS]);
}

void set_sum(int turn, int bin, uvec2 sum)
{
    int at = turn * SUMS + bin;
    s_bins[at] = sum.x;
    s_bins[at + AG_EXPOSURE_BINS] = sum.y;
}

vec2 end_at(int bin)
{
    return uintBitsToFloat(uvec2(s_bins[ENDS + bin], s_bins[ENDS + AG_EXPOSURE_BINS + bin]));
}

void set_end(int bin, vec2 end)
{
    uvec2 bits = floatBitsToUint(end);
    s_bins[ENDS + bin] = bits.x;
    s_bins[ENDS + AG_EXPOSURE_BINS + bin] = bits.y;
}

// A count of the buffer, which becomes 0.
uvec2 take_count(int place)
{
    uvec2 count = uvec2(b_exposure.counts[2 * place], b_exposure.counts[2 * place + 1]);
    b_exposure.counts[2 * place] = 0u;
    b_exposure.counts[2 * place + 1] = 0u;
    return count;
}

uvec2 sum_of(uvec2 a, uvec2 b)
{
    uint carry, low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

vec2 pair_of(uvec2 n) // below 2^53
{
    return add(exact_sum(float(n.y) * 4294967296.0, float(n.x & ~0xffffu)), float(n.x & 0xffffu));
}

bool less(vec2 a, vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

bool is_finite(vec2 c) // bits, not isnan(): compilers may assume that there are no NaNs
{
    uvec2 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(size.x, size.y) < 0x7f800000u;
}

// The next state. `weights`: their sum; 0: no texel is used. `bins`: of these by weight.
vec4 next_state(vec4 state, vec2 weights, vec2 bins, vec2 used)
{
    bool valid = u_state.z == 0 && state.a == 1.0 && is_finite(state.rg);
    if (weights.x == 0.0)
        return valid ? vec4(state.rg, 0.0, 1.0) : vec4(0.0);
    vec2 width = exact_sum(u_range.y, -u_range.x) / float(AG_EXPOSURE_BINS); // a power of two
    vec2 place = add(divide(bins, weights), 0.5);
    vec2 mean = add(multiply(place, width), u_range.x);
    vec2 target = add(u_target.xy, -mean), now = vec2(state.r, 0.0);
    vec2 rate = less(target, now) ? u_rates.xy : u_rates.zw;
    vec2 exposure = valid ? add(now, multiply(add(target, -now), rate)) : target;
    return vec4(exposure.x, mean.x, divide(used, u_target.zw).x, 1.0);
}

// All threads of the last group call it, behind a barrier.
void adapt()
{
    int thread = int(gl_LocalInvocationIndex), at = 0, bin = thread % AG_EXPOSURE_BINS;
    bool has_bin = thread < AG_EXPOSURE_BINS, first = thread == 0;
    uvec2 end = has_bin ? take_count(bin) : uvec2(0u);
    uvec2 used = first ? take_count(AG_EXPOSURE_BINS) : uvec2(0u);
    vec4 state = first ? imageLoad(i_state, u_state.xy) : vec4(0.0);
    if (has_bin)
        set_sum(0, bin, end);
    for (int span = 1; span < AG_EXPOSURE_BINS; span *= 4) {
        sync_shared();
        if (has_bin) {
            for (int k = 1; k < 4; ++k)
                end = sum_of(end, bin >= k * span ? sum_at(at, bin - k * span) : uvec2(0u));
            set_sum(at ^ 1, bin, end);
        }
        at ^= 1;
    }
    sync_shared();
    //        bins     |.....|........|....|...........|
    //        F             low#################high         held there in the bins beyond
    vec2 all = pair_of(sum_at(at, AG_EXPOSURE_BINS - 1));
    vec2 begin = pair_of(bin > 0 ? sum_at(at, bin - 1) : uvec2(0u));
    vec2 low = multiply(all, vec2(u_range.z, 0.0)), high = multiply(all, vec2(u_range.w, 0.0));
    begin = less(begin, low) ? low : less(high, begin) ? high : begin;
    if (has_bin)
        set_end(bin, bin > 0 ? begin : vec2(0.0));
    for (int left = AG_EXPOSURE_BINS / 4; left > 0; left /= 4) {
        sync_shared();
        if (thread < left) {
            vec2 sum = end_at(bin);
            for (int k = 1; k < 4; ++k)
                sum = add(sum, end_at(bin + k * left));
            set_end(bin, sum);
        }
    }
    if (first) {
        vec2 weights = add(high, -low);
        vec2 bins = add(multiply(high, vec2(AG_EXPOSURE_BINS - 1, 0.0)), -end_at(0));
        imageStore(i_state, u_state.xy, next_state(state, weights, bins, pair_of(used)));
    }
}
