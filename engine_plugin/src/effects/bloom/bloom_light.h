// bloom_light.h - from texels to light and back: the settings transfer and gain; the composite
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_LIGHT_H
#define AG_BLOOM_LIGHT_H

#include "effects/convolution/convolution.h"

#include <afterglow/bloom.h>

// k of docs/bloom.md, HIGHLIGHTS of shaders/fft/source.glsl: 1 - 1 / gain; 0: nothing is expanded.
float ag_bloom_highlights(const ag_bloom_settings *settings);
// Makes src and dst formats of light, as the settings say. errors  AG_E_FORMAT
ag_status ag_bloom_light_check(const ag_host *host, ag_request *request,
                               const ag_bloom_settings *settings);
// With C = T conv (K without its centre) and k0 = the centre weight, tint t and intensity I:
//   composite   src + I (t (C + k0 T) - T)
//   bloom_only  I t (C + k0 T), alpha copied
ag_mix ag_bloom_mix(const ag_bloom_settings *settings);

#endif
