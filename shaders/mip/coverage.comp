// mip/coverage.comp - scales the alpha of levels so that they cover what level 0 does: three passes
//
//   in        i_src        count: a level
//   in, out   i_level      scale: a level, whose alpha is replaced
//             b_histogram  for each layer and level AG_COVERAGE_WORDS integers:
//
//                | 15361 counts | lowest covered bin | factor, as a float | unused |
//
//                The bin of an alpha is its code as a 16-bit float, 0 .. 15360 for 0 .. 1: each 8-
//                and 10-bit code has a bin of its own, and so has each alpha of 16-bit formats.
//                Level 0 has only the number of covered texels, alpha >= reference, in its first
//                integer. Each execute leaves all counts at 0
//   host sets PASS         AG_COVERAGE_COUNT, _SEARCH, _SCALE
//             and the defines of mip/level.glsl; for count and scale those of common/source.glsl
//   passes    count   counts the alphas of a level in its histogram
//             search  finds the threshold at which a level covers as much as level 0: 256 threads
//                     add up 61 bins each; one thread walks down these sums, then single bins. The
//                     factor moves the threshold to the reference
//             scale   scales a level's alpha. Rounding must not move a texel across the reference,
//                     so each is clamped to its side of it
//   dispatch  count, scale: ceil(width / 16), ceil(height / 16), layers
//             search: levels below the first, 1, layers: one group a level
//   cost      count: one read and one atomic a texel; scale: one read and one write
//   shared    search: 1 KiB
//   source    Castano 2010, "Computing Alpha Mipmaps", scales alpha until a level covers as much as
//             level 0; here the threshold is read off the histogram, without a search over scales
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PASS
#error "PASS (AG_COVERAGE_*) must be set by the host"
#endif
#include "mip/level.glsl"

#define BINS 15361

layout(location = AG_LOC_COVERAGE) uniform vec4 u_coverage;
layout(std430, binding = AG_SSBO_HANDOVER) buffer Histograms { uint b_histogram[]; };

int histogram_of(int layer, int level)
{
    int levels = u_stage.y;
    return (layer * (levels + 1) + level) * AG_COVERAGE_WORDS;
}

uint bin_of(float alpha)
{
    return packHalf2x16(vec2(clamp(alpha, 0.0, 1.0), 0.0)) & 0xffffu;
}

#if PASS == AG_COVERAGE_COUNT
layout(local_size_x = 16, local_size_y = 16) in;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    int level = u_stage.x;
    if (any(greaterThanEqual(p, level_size(level))))
        return;
    vec4 c = fetch(level_corner(level) + p);
    float alpha = scrubs() && size_bits(c) >= TOO_LARGE ? 0.0 : c.a;
    int at = histogram_of(int(gl_WorkGroupID.z), level);
    if (level != 0)
        atomicAdd(b_histogram[at + int(bin_of(alpha))], 1u);
    else if (alpha >= u_coverage.x)
        atomicAdd(b_histogram[at], 1u);
}

#elif PASS == AG_COVERAGE_SEARCH
#include "common/sync.glsl"
layout(local_size_x = 256) in;

#define SHARE 61 // 256 x 61 bins cover all

shared uint s_counts[256];

float alpha_of(uint bin)
{
    return unpackHalf2x16(bin).x;
}

void main()
{
    int level = int(gl_WorkGroupID.x) + 1, layer = int(gl_WorkGroupID.z);
    int at = histogram_of(layer, level), thread = int(gl_LocalInvocationID.x);
    uint count = 0u;
    for (int b = thread * SHARE; b < min((thread + 1) * SHARE, BINS); ++b)
        count += b_histogram[at + b];
    s_counts[thread] = count;
    sync_shared();
    if (thread == 0) {
        // How many texels of this level have to be covered: level 0's share of them.
        ivec2 whole = level_size(0), size = level_size(level);
        float total = float(size.x) * float(size.y);
        float share = float(b_histogram[histogram_of(layer, 0)]) /
            (float(whole.x) * float(whole.y));
        float wanted = share * total;
        // Down from alpha 1 in steps of 61 bins, while fewer texels than wanted lie above.
        uint above = 0u;
        int t = 255;
        for (; t > 0 && float(above + s_counts[t]) < wanted; --t)
            above += s_counts[t];
        // Then bin by bin, to the first that reaches the number. It is covered if that is nearer.
        int b = min((t + 1) * SHARE, BINS), nearest = b;
        float best = abs(float(above) - wanted);
        int covered = BINS; // the lowest covered bin; BINS: none
        for (int k = t + 1; k < 256 && covered == BINS; ++k) // in the steps taken
            for (int i = k * SHARE; i < min((k + 1) * SHARE, BINS); ++i)
                if (b_histogram[at + i] != 0u) {
                    covered = i;
                    break;
                }
        while (b > 0 && float(above) < wanted) {
            --b;
            uint here = b_histogram[at + b];
            above += here;
            float off = abs(float(above) - wanted);
            if (here != 0u && off <= best) {
                best = off;
                nearest = covered = b;
            }
        }
        int below = nearest - 1; // the highest bin that is not covered; -1: none
        while (below >= 0 && b_histogram[at + below] == 0u)
            --below;
        float low = below < 0 ? 0.0 : alpha_of(uint(below));
        float high = covered == BINS ? 1.0 + 1.0 / 255.0 : alpha_of(uint(covered));
        bool as_it_is = (below < 0 || low < u_coverage.x) && u_coverage.x <= high;
        float threshold = as_it_is ? u_coverage.x : 0.5 * (low + high);
        b_histogram[at + BINS] = uint(covered);
        b_histogram[at + BINS + 1] = floatBitsToUint(u_coverage.x / threshold);
    }
    sync_shared();
    for (int b = thread * SHARE; b < min((thread + 1) * SHARE, BINS); ++b)
        b_histogram[at + b] = 0u;
}

#else
layout(local_size_x = 16, local_size_y = 16) in;
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) uniform LEVEL_KIND i_level;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    int layer = int(gl_WorkGroupID.z), level = u_stage.x, at = histogram_of(layer, level);
    if (level == 1 && gl_LocalInvocationIndex == 0u && gl_WorkGroupID.xy == uvec2(0u))
        b_histogram[histogram_of(layer, 0)] = 0u; // for the next execute
    if (any(greaterThanEqual(p, level_size(level))))
        return;
    ivec2 place = level_corner(level) + p;
    vec4 c = imageLoad(i_level, PLACE(place));
    bool covered = bin_of(c.a) >= b_histogram[at + BINS];
    float alpha = min(c.a * uintBitsToFloat(b_histogram[at + BINS + 1]), 1.0);
#if STORE != AG_STORE_SRGB8
    alpha = round_for_store(vec4(0.0, 0.0, 0.0, alpha)).a;
#else // its alpha is linear, and the image that is stored to is of RGBA8
    alpha = floor(alpha * 255.0 + 0.5) / 255.0;
#endif
    c.a = covered ? max(alpha, u_coverage.y) : min(alpha, u_coverage.z);
    imageStore(i_level, PLACE(place), c);
}
#endif
