// bloom_ref.c - the effect "bloom" in double precision
// SPDX-License-Identifier: MIT
#include "bloom_ref.h"

#include <math.h>
#include <stdlib.h>

#include "convolve_ref.h"

void bloom_ref_texel(const ag_bloom_settings *s, const double *in, int channels, double *out)
{
    double exposure = exp2((double)s->exposure), threshold = (double)s->threshold / exposure;
    double knee = (double)s->knee * threshold, brightness = -INFINITY;
    for (int c = 0; c < channels; ++c) {
        out[c] = s->clamp > 0 ? fmin(in[c], (double)s->clamp / exposure) : in[c];
        brightness = fmax(brightness, out[c]);
    }
    if (!(s->threshold > 0))
        return;
    double soft = fmin(fmax(brightness - threshold + knee, 0), 2 * knee);
    soft = soft * soft / (4 * knee + 1e-20);
    double share = fmax(fmax(soft, brightness - threshold), 0) / fmax(brightness, 1e-20);
    for (int c = 0; c < channels; ++c)
        out[c] *= share;
}

void bloom_ref_threshold(const bloom_ref *b, double *out)
{
    size_t texels = (size_t)b->width * (size_t)b->height, channels = (size_t)b->channels;
    for (size_t i = 0; i < texels; ++i) {
        bloom_ref_texel(b->settings, b->src + i * channels, b->channels < 3 ? b->channels : 3,
                        out + i * channels);
        if (channels == 4)
            out[i * channels + 3] = 0;
    }
}

void bloom_ref_run(const bloom_ref *b, double *dst)
{
    size_t texels = (size_t)b->width * (size_t)b->height, channels = (size_t)b->channels;
    double *light = malloc(texels * channels * sizeof *light);
    double *spread = malloc(texels * channels * sizeof *spread);
    if (!light || !spread)
        abort();
    bloom_ref_threshold(b, light);
    convolve_ref c = {.src = light,
                      .width = b->width,
                      .height = b->height,
                      .channels = b->channels,
                      .kernel = b->kernel,
                      .kernel_width = b->kernel_width,
                      .kernel_height = b->kernel_height,
                      .kernel_channels = b->kernel_channels,
                      .border = AG_BORDER_ZERO};
    convolve_ref_run(&c, spread);
    double intensity = (double)b->settings->intensity;
    for (size_t i = 0; i < texels; ++i) {
        for (size_t k = 0; k < channels; ++k) {
            size_t at = i * channels + k;
            if (k == 3) {
                dst[at] = b->src[at];
                continue;
            }
            double bloom = spread[at] * (double)b->settings->tint[k];
            dst[at] = b->settings->output == AG_BLOOM_ONLY
                          ? intensity * bloom
                          : b->src[at] + intensity * (bloom - light[at]);
        }
    }
    free(light);
    free(spread);
}
