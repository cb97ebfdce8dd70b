// verdict.h - whether a rule of the documents holds here, by what breaking it costs
// SPDX-License-Identifier: MIT
#ifndef BENCH_MEMORY_VERDICT_H
#define BENCH_MEMORY_VERDICT_H

typedef enum memory_verdict {
    MEMORY_UNKNOWN, // not measured, or nothing to compare
    MEMORY_TRUE,
    MEMORY_WEAKER,
    MEMORY_GONE,
} memory_verdict;

// Where something counts as free: within 10 %, more than what one run differs from the next.
#define MEMORY_FREE 1.1

// Of a rule that says "doing so is `claimed` times slower", claimed > 1, where it was found to be
// `measured` times slower. True: at least half of what was claimed to be lost is lost; gone: less
// than a tenth of the time is; weaker: between. Of a rule that says "doing so costs nothing",
// claimed = 1: true within a tenth, weaker up to half as long again, gone beyond. Not finite, or
// not positive: unknown.
memory_verdict memory_judge(double claimed, double measured);

const char *memory_verdict_text(memory_verdict verdict); // "true"; of MEMORY_UNKNOWN "-"

#endif
