// exposure/histogram.comp - a histogram of the log2 luminance of a layer's texels, and what the
//                           exposure becomes by it
//
//   in        t_src or i_src   the image (common/source.glsl)
//   in, out   b_exposure       weights of 256 bins, and the number of texels used, to which all
//                              groups add, and what the last group reads and empties
//             i_state          exposure/adapt.glsl
//   out       b_info.scrubbed
//   host sets LUMINANCE        AG_EXPOSURE_*: what the format's texels are
//             CODE_MAX         the code of 1: 255 or 1023; 0 = the format has no codes
//             and the defines of common/source.glsl
//   dispatch  n groups of 1024 threads, at most AG_EXPOSURE_MAX_GROUPS; each 256 threads take every
//             4 n-th tile of 32 x 32 texels. The last group of all layers to arrive adapts
//   shared    8 KiB of bins, 1 KiB of edges, 1 KiB of sRGB codes
//   cost      each texel read once; a group adds 256 sums at most, and no group waits for another.
//             Groups are few and large, because each one's arrival costs (D82)
//   exact     a bin is found by comparing luminance with the edges of bins. log2 only selects the
//             edge to compare with, so the driver's log2 does not matter. Luminance and weights are
//             computed with one rounding an operation (`precise`). So equal frames give equal sums
//             on every GPU, and in C (tests/reference/exposure_ref.c)
//   limits    a bin of a group holds less than 2^32. Of 65536 x 65536 texels each of 264 groups has
//             15888 tiles of 1024 texels at most, whose weights are at most 256. A bin of all
//             groups has 64 bits
//   source    docs/exposure.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(LUMINANCE) || !defined(CODE_MAX)
#error "LUMINANCE (AG_EXPOSURE_*) and CODE_MAX (255, 1023; 0: no codes) must be set by the host"
#endif
#include "common/info.glsl"
#include "common/source.glsl"
#include "common/sync.glsl"
#include "exposure/interface.h"

// Copies of each bin, so that at most four lanes of a subgroup add to one address at once.
#define COPIES 8

layout(local_size_x = AG_EXPOSURE_THREADS) in;

// bins an EV, the edge at luminance 1, the largest luminance that is left out
layout(location = AG_LOC_EXPOSURE_SCALE) uniform vec4 u_scale;
layout(location = AG_LOC_EXPOSURE_TILES) uniform ivec4 u_tiles;  // in x, in all
layout(location = AG_LOC_EXPOSURE_CENTRE) uniform vec4 u_centre; // center, 1 / (width^2 + height^2)
layout(std430, binding = AG_SSBO_EXPOSURE) buffer Exposure {
    coherent uint counts[2 * AG_EXPOSURE_COUNTS]; // low and high half of each
    coherent uint arrived, unused;
    float edges[AG_EXPOSURE_EDGES];      // in the units of LUMINANCE; 0 first and infinity last
    float codes[AG_EXPOSURE_CODES];
} b_exposure;

shared uint s_bins[AG_EXPOSURE_BINS * COPIES]; // a bin's copies are neighbours, in different banks
shared float s_edges[AG_EXPOSURE_EDGES];
#if LUMINANCE == AG_EXPOSURE_SRGB
shared float s_codes[AG_EXPOSURE_CODES];
#endif
shared uint s_used;
shared uint s_last; // 1: this is the last group
#include "exposure/adapt.glsl"

// A thread's sum that is not yet in s_bins: neighbours down a column often share a bin.
struct tally {
    int bin;
    uint sum;
};

float weighed(vec3 c)
{
    precise float sum = 0.2126 * c.r + 0.7152 * c.g;
    precise float all = sum + 0.0722 * c.b;
    return all;
}

// The luminance of the texel at p. A format of one channel holds luminance itself.
float luminance(ivec2 p, inout uint largest)
{
#if LUMINANCE == AG_EXPOSURE_VALUES
    vec4 c = load_texel_unseen(p, largest);
    return SRC_CHANNELS == 1 ? c.r : weighed(c.rgb);
#else
#if SRC_PACKING == AG_PACKING_8888 || SRC_PACKING == AG_PACKING_10_10_10_2
    vec3 code = fetch(u_src_rect.xy + p).rgb;
#else
    vec3 code = roundEven(raw_texel(u_src_rect.xy + p).rgb * float(CODE_MAX));
#endif
#if LUMINANCE == AG_EXPOSURE_SRGB
    return weighed(vec3(s_codes[int(code.r)], s_codes[int(code.g)], s_codes[int(code.b)]));
#else
    return SRC_CHANNELS == 1 ? float(AG_EXPOSURE_CODE_UNITS) *
        code.r : dot(vec3(2126.0, 7152.0, 722.0), code);
#endif
#endif
}

// The weight of a texel in whole 256ths, rounded: 1 - center (1 - (1 - d^2)^2), where d is the
// distance from the centre over half the diagonal.
uint weight(ivec2 p)
{
    vec2 from = vec2(2 * p + 1 - u_src_rect.zw); // in half texels, whole
    precise float square = from.x * from.x + from.y * from.y;
    precise float d = square * u_centre.y;
    precise float left = 1.0 - d;
    precise float off = 1.0 - left * left;
    precise float w = 1.0 - u_centre.x * off;
    precise float units = 256.0 * w + 0.5;
    return uint(max(units, 0.0));
}

void flush(tally t, uint copy)
{
    if (t.sum != 0u)
        atomicAdd(s_bins[t.bin * COPIES + int(copy)], t.sum);
}

void count(float l, uint units, uint copy, inout tally t)
{
    int edge = int(clamp(log2(l) * u_scale.x + u_scale.y + 0.5, 0.0, float(AG_EXPOSURE_BINS)));
    int bin = edge - int(l < s_edges[edge]);
    if (bin != t.bin) {
        flush(t, copy);
        t = tally(bin, 0u);
    }
    t.sum += units;
}

// Adds to a count of 64 bits. Neither the sum nor its carry depends on the order of groups.
void add_count(int place, uint value)
{
    uint before = atomicAdd(b_exposure.counts[2 * place], value);
    if (before + value < before)
        atomicAdd(b_exposure.counts[2 * place + 1], 1u);
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    uint copy = uint(thread % COPIES);
    for (int i = thread; i < AG_EXPOSURE_BINS * COPIES; i += AG_EXPOSURE_THREADS)
        s_bins[i] = 0u;
    if (thread < AG_EXPOSURE_EDGES)
        s_edges[thread] = b_exposure.edges[thread];
#if LUMINANCE == AG_EXPOSURE_SRGB
    if (thread < AG_EXPOSURE_CODES)
        s_codes[thread] = b_exposure.codes[thread];
#endif
    if (thread == 0)
        s_used = 0u;
    sync_shared();

    uint bad = 0u, used = 0u;
    tally t = tally(0, 0u);
    ivec2 place = ivec2(thread % 32, thread / 32 % 8);
    for (int tile = int(gl_WorkGroupID.x) * AG_EXPOSURE_TEAMS + thread / 256; tile < u_tiles.y;
         tile += int(gl_NumWorkGroups.x) * AG_EXPOSURE_TEAMS) {
        ivec2 corner = ivec2(tile % u_tiles.x, tile / u_tiles.x) * AG_EXPOSURE_TILE + place;
        float l[4];
        for (int i = 0; i < 4; ++i) { // all loads first, so that they overlap
            ivec2 p = corner + ivec2(0, 8 * i);
            uint largest = 0u;
            l[i] = luminance(min(p, u_src_rect.zw - 1), largest);
            bool inside = all(lessThan(p, u_src_rect.zw));
            l[i] = inside ? l[i] : 0.0;
            bad += uint(inside && largest >= TOO_LARGE);
        }
        for (int i = 0; i < 4; ++i) {
            // Bits order positive floats by value; negative values and NaNs come above all.
            uint size = floatBitsToUint(l[i]);
            uint units = weight(corner + ivec2(0, 8 * i));
            if (size > floatBitsToUint(u_scale.z) && size < NOT_FINITE && units != 0u) {
                count(l[i], units, copy, t);
                ++used;
            }
        }
    }
    flush(t, copy);
    atomicAdd(s_used, used);
    if (u_src_mode.z != 0)
        count_bad(bad);
    sync_shared();

    if (thread < AG_EXPOSURE_BINS) {
        uint sum = 0u;
        for (int i = 0; i < COPIES; ++i)
            sum += s_bins[thread * COPIES + (i + thread) % COPIES];
        if (sum != 0u)
            add_count(thread, sum);
        if (thread == 0 && s_used != 0u)
            add_count(AG_EXPOSURE_BINS, s_used);
        memoryBarrierBuffer(); // every thread's counts come before the arrival of its group
    }
    barrier();
    if (thread == 0) {
        s_last = uint(atomicAdd(b_exposure.arrived, 1u) + 1u == uint(u_state.w));
        if (s_last != 0u)
            b_exposure.arrived = 0u; // the next execute starts from 0
    }
    sync_shared();
    if (s_last != 0u) {
        memoryBarrierBuffer(); // the last group's loads come after all arrivals
        adapt();
    }
}
