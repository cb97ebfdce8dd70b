// dwt.h - the filter "dwt" of "denoise": thresholds of a wavelet transform, a dispatch a level
// SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_DWT_H
#define AG_DENOISE_DWT_H

#include "effects/denoise/atrous.h"
#include "effects/wavelet/wave_plan.h"
#include "shaders/denoise/interface.h"

typedef struct ag_dwt { // sizes, and places in scratch in bytes
    ag_wave_plan plan;
    int32_t layers;
    // Of a layer: the approximation of a level, whose place what is removed of it takes later, and
    // its details.
    int64_t approximation[AG_DENOISE_MAX_LEVELS + 1], details[AG_DENOISE_MAX_LEVELS + 1];
    int64_t layer_bytes;
} ag_dwt;

typedef struct ag_dwt_programs {
    const ag_program *first, *forward;  // of level 1, of others
    const ag_program *inverse, *result; // to a level above 0, to the image
} ag_dwt_programs;

// Fails with AG_E_SIZE if a level is larger than a storage block may be.
ag_status ag_dwt_plan(const ag_host *host, const ag_gl *gl, const ag_request *request, ag_dwt *dwt);
uint64_t ag_dwt_scratch(const ag_dwt *dwt);
// A step: all levels forward, or back. `first`: its first dispatch, of level 1 or the last one.
ag_step ag_dwt_step(const ag_request *request, const ag_dwt *dwt, bool inverse);
// `programs` NULL: names them. `src`: the format of what is read.
ag_status ag_dwt_get_programs(const ag_preparation *prep, const ag_request *request,
                              const ag_format *src, const ag_dwt *dwt, ag_dwt_programs *programs);
// `factor`: T over sigma, or 0 for bayes.
void ag_dwt_record(ag_recording *recording, const ag_request *request, const ag_dwt *dwt,
                   const ag_dwt_programs *programs, const ag_denoise_input *input, float factor,
                   bool inverse);

#endif
