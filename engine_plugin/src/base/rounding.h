// rounding.h - whole numbers divided and rounded up
// SPDX-License-Identifier: MIT
#ifndef AG_ROUNDING_H
#define AG_ROUNDING_H

#include <stdint.h>

static inline int32_t ag_div_up(int32_t a, int32_t b)
{
    return (a + b - 1) / b;
}

// Work groups that cover `count` of which each does `each`, as GL takes them.
static inline uint32_t ag_groups(int32_t count, int32_t each)
{
    return (uint32_t)ag_div_up(count, each);
}

// The least multiple of `alignment` that is not below `value`.
static inline int64_t ag_align_up(int64_t value, int64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

#endif
