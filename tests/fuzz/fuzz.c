// fuzz.c - what the fuzz targets share
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort(); // libFuzzer writes the input down
}

void fuzz_copy(fuzz_input *input, void *to, size_t bytes)
{
    size_t some = bytes < input->left ? bytes : input->left;
    memset(to, 0, bytes);
    if (!some)
        return;
    memcpy(to, input->at, some);
    input->at += some;
    input->left -= some;
}

uint32_t fuzz_take(fuzz_input *input, int bytes)
{
    uint8_t taken[4] = {0};
    fuzz_copy(input, taken, (size_t)bytes);
    return taken[0] | (uint32_t)taken[1] << 8 | (uint32_t)taken[2] << 16 | (uint32_t)taken[3] << 24;
}

uint32_t fuzz_below(fuzz_input *input, uint32_t count)
{
    return fuzz_take(input, count > 256 ? 2 : 1) % count;
}

int32_t fuzz_number(fuzz_input *input)
{
    static const int32_t limits[] = {0,     1,       -1,        255,       256,          8191,
                                     8192,  8193,    16384,     32767,     65535,        65536,
                                     65537, 1 << 24, INT32_MAX, INT32_MIN, INT32_MAX - 1};
    uint32_t kind = fuzz_take(input, 1);
    if (kind < 160)
        return (int32_t)kind;
    if (kind < 240)
        return limits[kind % (sizeof limits / sizeof *limits)];
    return (int32_t)fuzz_take(input, 4);
}

float fuzz_float(fuzz_input *input)
{
    static const float limits[] = {0,       -0.0f,    1,    0.5f,     -1,        1e-45f, 1e-38f,
                                   3.4e38f, -3.4e38f, 1e9f, INFINITY, -INFINITY, NAN};
    uint32_t kind = fuzz_take(input, 1);
    if (kind < 128)
        return (float)kind / 16;
    if (kind < 240)
        return limits[kind % (sizeof limits / sizeof *limits)];
    uint32_t bits = fuzz_take(input, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    if (descriptor < 0 || ftruncate(descriptor, 0) != 0 ||
        pwrite(descriptor, data, size, 0) != (ssize_t)size)
        abort();
    return path;
}
