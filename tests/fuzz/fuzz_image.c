// fuzz_image.c - checks every image that a reader accepts, and what it allocates
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "image.h"

#include <sanitizer/allocator_interface.h>

static size_t now, most, allowed;

static void add(const volatile void *at, size_t size)
{
    (void)at;
    now += size;
    most = now > most ? now : most;
}

static void take(const volatile void *at)
{
    size_t size = at ? __sanitizer_get_allocated_size(at) : 0;
    now -= size < now ? size : now; // what was there before
}

const struct image_limits *fuzz_limits(size_t size)
{
    enum { MEMORY = 64 << 20 };
    static const image_limits limits = {.side = 4096, .layers = 256, .memory = MEMORY};
    static bool installed;
    if (!installed)
        FUZZ_CHECK(__sanitizer_install_malloc_and_free_hooks(add, take));
    installed = true;
    now = most = 0;
    allowed = MEMORY - size;
    return &limits;
}

void fuzz_check_heap(void)
{
    FUZZ_CHECK(most <= allowed);
}

void fuzz_check_image(const struct image *read)
{
    FUZZ_CHECK(read->width >= 1 && read->width <= IMAGE_MAX);
    int height = read->layers ? read->height / read->layers : read->height;
    FUZZ_CHECK(height >= 1 && height <= IMAGE_MAX);
    FUZZ_CHECK(read->channels >= 1 && read->channels <= 4);
    // Every byte is there, and set: the sum reads them all.
    const uint8_t *bytes = read->data;
    size_t count = image_value_count(read) * image_type_bytes(read->type);
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += bytes[i];
    volatile unsigned sink = sum;
    (void)sink;
}
