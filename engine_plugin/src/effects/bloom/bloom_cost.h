// bloom_cost.h - what a plan of bloom's resolution = auto computes, beside the bytes that it moves
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_COST_H
#define AG_BLOOM_COST_H

#include "core/effect.h"

typedef struct ag_bloom_work {
    double taps;  // direct, of all texels of all levels
    double fft;   // texels of the smallest image, or of the frame
    double waits; // levels below the frame with taps: each takes as long as a dispatch more
} ag_bloom_work;

// Of request->decision.
ag_bloom_work ag_bloom_work_of(const ag_request *request);

#endif
