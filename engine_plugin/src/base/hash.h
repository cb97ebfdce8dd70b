// hash.h - a 128-bit hash of bytes: equal hashes are taken for equal bytes
// SPDX-License-Identifier: MIT
#ifndef AG_HASH_H
#define AG_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ag_hash128 {
    uint64_t low, high; // the first eight bytes of the digest, little-endian, and the other eight
} ag_hash128;

// SipHash-2-4 with 128 bits of output and the key 00 01 .. 0f of its published test vectors.
//   source  Aumasson, Bernstein 2012, "SipHash: a fast short-input PRF", with its 128-bit output
ag_hash128 ag_hash128_of(const void *bytes, size_t length);

static inline bool ag_hash128_equal(ag_hash128 a, ag_hash128 b)
{
    return a.low == b.low && a.high == b.high;
}

#endif
