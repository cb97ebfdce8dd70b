// verdict.h - whether a rule of the documents holds here, by what breaking it costs
// SPDX-License-Identifier: MIT
#ifndef BENCH_VERDICT_H
#define BENCH_VERDICT_H

typedef enum verdict {
    VERDICT_UNKNOWN, // not measured, or nothing to compare
    VERDICT_TRUE,
    VERDICT_WEAKER,
    VERDICT_GONE,
} verdict;

// Where something counts as free: within 10 %, more than what one run differs from the next.
#define VERDICT_FREE 1.1

// Of a rule that says "doing so is `claimed` times slower", claimed > 1, where it was found to be
// `measured` times slower. True: at least half of what was claimed to be lost is lost; gone: less
// than a tenth of the time is; weaker: between. Of a rule that says "doing so costs nothing",
// claimed = 1: true within a tenth, weaker up to half as long again, gone beyond. Not finite, or
// not positive: unknown.
verdict verdict_of(double claimed, double measured);

const char *verdict_text(verdict of); // "true"; of VERDICT_UNKNOWN "-"

#endif
