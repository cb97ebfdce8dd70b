// mip_more.h - what mipchain does beyond a plain chain: exact boxes of level 0, and coverage
// SPDX-License-Identifier: MIT
#ifndef AG_MIP_MORE_H
#define AG_MIP_MORE_H

#include "effects/mip/levels.h"

typedef struct ag_mip_detail {
    ag_mip_plan chain;
    int32_t levels;    // of all; the chain makes the first of them, or all
    bool direct;       // the others are boxes of level 0
    bool coverage;     // alpha is scaled afterwards
    int32_t rows;      // texels of a layer that the direct levels' rows take
    uint64_t handover; // bytes of the chain's hand-over; the rows lie behind it
    uint64_t rows_bytes, scratch;
} ag_mip_detail;

typedef struct ag_mip_more { // programs and memory
    const ag_program *rows, *columns;
    const ag_program *count, *search, *scale;
    ag_memory histograms;
} ag_mip_more;

// The number of levels that a chain makes exactly as area averages of level 0: those up to the
// first odd size below level 0, after which boxes overlap differently.
int32_t ag_mip_same_levels(int32_t width, int32_t height, int32_t levels);

// Names or gets the programs; `more` NULL: names them.
ag_status ag_mip_more_programs(const ag_preparation *prep, const ag_request *request,
                               const ag_mip_detail *detail, ag_mip_more *more);
uint64_t ag_mip_histogram_bytes(const ag_request *request, const ag_mip_detail *detail);
// Record, after the chain. `rows`: the range of scratch behind the chain's hand-over.
void ag_mip_record_rows(ag_recording *recording, const ag_request *request,
                        const ag_mip_detail *detail, const ag_mip_more *more, ag_range rows,
                        const ag_memory *info, bool scrub);
void ag_mip_record_columns(ag_recording *recording, const ag_request *request,
                           const ag_mip_detail *detail, const ag_mip_more *more, ag_range rows);
void ag_mip_record_coverage(ag_recording *recording, const ag_request *request,
                            const ag_mip_detail *detail, const ag_mip_more *more, float reference,
                            bool scrub);

#endif
