// fuzz_image.c - reads image files, and checks what is accepted and what a reader allocates
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "fuzz.h"
#include "image.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

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

static const image_limits *fuzz_limits(size_t size)
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

bool fuzz_read_image(fuzz_parser *parse, const uint8_t *data, size_t size, const char *channels,
                     struct image *out)
{
    const image_view view = {.channels = channels};
    const image_limits *limits = fuzz_limits(size);
    *out = (image){0};
    bool taken = parse("in", data, size, &view, limits, out) == STATUS_OK;
    FUZZ_CHECK(most <= allowed);
    if (taken)
        fuzz_check_image(out);
    else
        FUZZ_CHECK(!out->data);
    return taken;
}

void fuzz_read_again(fuzz_parser *parse, bool (*write)(FILE *, const image *),
                     const struct image *read, struct image *again)
{
    const image_view plain = {0};
    const image_limits all = image_default_limits();
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    FUZZ_CHECK(stream && write(stream, read) && fclose(stream) == 0);
    FUZZ_CHECK(parse("out", (unsigned char *)written, length, &plain, &all, again) == STATUS_OK);
    FUZZ_CHECK(again->width == read->width && again->height == read->height);
    free(written);
}

bool fuzz_same_bits(const struct image *a, const struct image *b)
{
    return a->channels == b->channels && a->type == b->type &&
           memcmp(a->data, b->data, image_value_count(a) * image_type_bytes(a->type)) == 0;
}
