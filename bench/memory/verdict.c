// verdict.c - whether a rule of the documents holds here, by what breaking it costs
// SPDX-License-Identifier: MIT
#include "verdict.h"

#include <math.h>

memory_verdict memory_judge(double claimed, double measured)
{
    const double weak = 1.5;
    if (!isfinite(claimed) || !isfinite(measured) || claimed < 1 || measured <= 0)
        return MEMORY_UNKNOWN;
    if (claimed == 1)
        return measured < MEMORY_FREE ? MEMORY_TRUE : measured < weak ? MEMORY_WEAKER : MEMORY_GONE;
    if (measured < MEMORY_FREE)
        return MEMORY_GONE;
    return measured - 1 >= (claimed - 1) / 2 ? MEMORY_TRUE : MEMORY_WEAKER;
}

const char *memory_verdict_text(memory_verdict verdict)
{
    switch (verdict) {
    case MEMORY_TRUE: return "true";
    case MEMORY_WEAKER: return "weaker";
    case MEMORY_GONE: return "gone";
    default: return "-";
    }
}
