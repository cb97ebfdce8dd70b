// denoise/band_thresholds.glsl - thresholds by the variances of the image's bands
//
//   in        b_denoise    sigma and variances of the last counts
//   out       s_threshold  denoise/thresholds.glsl
//   includer  defines THREADS
//   SPDX-License-Identifier: MIT
#include "denoise/thresholds.glsl"

// A sync must follow.
void begin_thresholds()
{
    begin_removal();
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS) {
        int component = i / (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS);
        s_threshold[i] = threshold_of(sigma_of(component), variance_of(i), component);
    }
}
