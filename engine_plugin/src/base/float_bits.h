// float_bits.h - the bits of a float, where integers are compared or kept
// SPDX-License-Identifier: MIT
#ifndef AG_FLOAT_BITS_H
#define AG_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline int32_t ag_float_bits(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
