// denoise/local.glsl - thresholds from the energies of the group's tile alone (rule bayes_local)
//
//   in        s_sums, s_sigma   denoise/energies.glsl
//   out       s_threshold
//   source    Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#include "denoise/energies.glsl"
#include "denoise/thresholds.glsl"

// After a sync: thresholds of `components` from `first` on, by the sums of a tile at `corner` of
// tile.x x tile.y texels. A sync must follow.
void local_thresholds(int first, int components, ivec2 corner, ivec2 tile)
{
    begin_removal();
    int bands = AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS;
    for (int i = int(gl_LocalInvocationIndex); i < components * bands; i += THREADS) {
        int component = first + i / bands, at = first * bands + i;
        int blocks = blocks_of(i % bands / AG_DENOISE_BANDS + 1, corner, tile);
        float mean = float(s_sums[at]) / (float(AG_DENOISE_STEPS) * float(max(blocks, 1)));
        float sigma = s_sigma[component];
        s_threshold[at] = threshold_of(sigma, mean * sigma * sigma, component);
    }
}
