// verdict.c - whether a rule of the documents holds here, by what breaking it costs
// SPDX-License-Identifier: MIT
#include "verdict.h"

#include <math.h>

verdict verdict_of(double claimed, double measured)
{
    const double weak = 1.5;
    if (!isfinite(claimed) || !isfinite(measured) || claimed < 1 || measured <= 0)
        return VERDICT_UNKNOWN;
    if (claimed == 1)
        return measured < VERDICT_FREE ? VERDICT_TRUE
               : measured < weak       ? VERDICT_WEAKER
                                       : VERDICT_GONE;
    if (measured < VERDICT_FREE)
        return VERDICT_GONE;
    return measured - 1 >= (claimed - 1) / 2 ? VERDICT_TRUE : VERDICT_WEAKER;
}

const char *verdict_text(verdict of)
{
    switch (of) {
    case VERDICT_TRUE: return "true";
    case VERDICT_WEAKER: return "weaker";
    case VERDICT_GONE: return "gone";
    default: return "-";
    }
}
