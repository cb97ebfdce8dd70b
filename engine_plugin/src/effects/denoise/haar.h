// haar.h - the filters "haar" and "ti_haar" of "denoise", and the statistics before all filters
// SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_HAAR_H
#define AG_DENOISE_HAAR_H

#include "effects/denoise/atrous.h"

typedef struct ag_haar {
    int32_t statistics; // AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES: what is estimated
    int32_t counting;   // dispatches a layer that count first
    int32_t counting_tile[2];
    int32_t sampled; // 1: one tile in four counts beside the filter
    // Of haar and ti_haar:
    int32_t tile[2];
    int32_t fine, coarse; // levels of the last dispatch; of ti_haar beyond them
    int32_t coarse_tile[2];
} ag_haar;

typedef struct ag_haar_programs {
    const ag_program *counter, *filter;
    const ag_program *sums, *coarse; // of ti_haar's levels beyond AG_DENOISE_TI_FINE
} ag_haar_programs;

// Fails with AG_E_SIZE if what is kept between dispatches is larger than a storage block may be.
ag_status ag_haar_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                       ag_haar *haar);
uint64_t ag_haar_scratch(const ag_request *request, const ag_haar *haar);
ag_step ag_haar_count_step(const ag_request *request, const ag_haar *haar);
ag_step ag_haar_step(const ag_request *request, const ag_haar *haar);
// `programs` NULL: names them.
ag_status ag_haar_counter_program(const ag_preparation *prep, const ag_request *request,
                                  const ag_haar *haar, ag_haar_programs *programs);
ag_status ag_haar_get_programs(const ag_preparation *prep, const ag_request *request,
                               const ag_haar *haar, ag_haar_programs *programs);

typedef struct ag_haar_counts {
    float rate;    // of what is counted, the share that replaces former statistics
    int32_t every; // 2: tiles whose place is even in x and y count; 1: all
    int32_t to;    // the set that results go to
} ag_haar_counts;

void ag_haar_record_count(ag_recording *recording, const ag_request *request, const ag_haar *haar,
                          const ag_haar_programs *programs, const ag_denoise_input *input,
                          const ag_haar_counts *counts);
void ag_haar_record(ag_recording *recording, const ag_request *request, const ag_haar *haar,
                    const ag_haar_programs *programs, const ag_denoise_input *input);
// T over sigma, or 0 where a rule takes variances.
float ag_denoise_factor(const ag_request *request);

#endif
