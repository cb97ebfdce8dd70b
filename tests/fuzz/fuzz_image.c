// fuzz_image.c - checks every image that a reader of the command line accepts
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "image.h"

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
