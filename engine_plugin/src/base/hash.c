// hash.c - a 128-bit hash of bytes: equal hashes are taken for equal bytes
// SPDX-License-Identifier: MIT
#include "base/hash.h"

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds)
{
    while (rounds--) {
        v[0] += v[1];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[0] = rotate(v[0], 32);
        v[2] += v[3];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[2] = rotate(v[2], 32);
    }
}

// Up to eight bytes as a little-endian word, the same on every machine.
static uint64_t word(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

ag_hash128 ag_hash128_of(const void *data, size_t length)
{
    const unsigned char *bytes = data;
    const uint64_t key[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du ^ 0xee,
                     key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    size_t whole = length / 8 * 8;
    for (size_t i = 0; i < whole; i += 8) {
        uint64_t m = word(bytes + i, 8);
        v[3] ^= m;
        mix(v, 2);
        v[0] ^= m;
    }
    uint64_t last = word(bytes + whole, length - whole) | (uint64_t)length << 56;
    v[3] ^= last;
    mix(v, 2);
    v[0] ^= last;
    ag_hash128 hash;
    v[2] ^= 0xee;
    mix(v, 4);
    hash.low = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    mix(v, 4);
    hash.high = v[0] ^ v[1] ^ v[2] ^ v[3];
    return hash;
}
