// rounding.h - integer division that rounds up; the smaller and the larger of two
// SPDX-License-Identifier: MIT
#ifndef AG_ROUNDING_H
#define AG_ROUNDING_H

#include <stdint.h>

static inline int32_t ag_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t ag_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int64_t ag_max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int32_t ag_div_up(int32_t a, int32_t b)
{
    return (a + b - 1) / b;
}

// The number of work groups for `count` items, `each` items per group.
static inline uint32_t ag_groups(int32_t count, int32_t each)
{
    return (uint32_t)ag_div_up(count, each);
}

// As many groups as `count` or a few more, in rows of at most `most`, because GL limits both.
static inline void ag_fold_groups(int64_t count, int64_t most, uint32_t groups[3])
{
    int64_t across = count < most ? count : most;
    groups[0] = (uint32_t)across;
    groups[1] = (uint32_t)((count + across - 1) / across);
    groups[2] = 1;
}

// The smallest multiple of `alignment` that is >= `value`.
static inline int64_t ag_align_up(int64_t value, int64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

#endif
