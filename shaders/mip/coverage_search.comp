// mip/coverage_search.comp - the threshold at which a level covers as much as level 0, and
// the factor
//
//   in, out   b_histogram  in: counts, which become 0 again; out: threshold (a bin), factor
//   host sets nothing
//   dispatch  levels below the first, 1, layers: one group a level
//   shared    1 KiB
//   how       256 threads add up 61 bins each; one thread walks down these sums, then single bins
//   SPDX-License-Identifier: MIT
#version 430 core
#include "mip/coverage.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;

#define SHARE 61 // 256 x 61 bins cover all

shared uint s_counts[256];

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
        // The number of this level's texels that is level 0's share.
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
