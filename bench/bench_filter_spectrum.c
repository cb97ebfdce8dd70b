// bench_filter_spectrum.c - the effect "filter_spectrum" on whole frames
// SPDX-License-Identifier: MIT
//
// A lowpass, which has one real weight a frequency, on the image's own period and with mirrored
// borders; beside a copy of the frame. tests/fft/test_filter_spectrum.c checks results.
#include "effects.h"

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
static const effect_case cases[] = {{"lowpass, border=wrap", .settings = "border=wrap"},
                                    {"lowpass, border=mirror", .settings = "border=mirror"}};

const bench_effect bench_filter_spectrum = {"filter_spectrum",
                                            .cases = cases,
                                            .case_count = COUNT(cases),
                                            .sizes = sizes,
                                            .size_count = COUNT(sizes),
                                            .quick_count = 1,
                                            .frame = true};
