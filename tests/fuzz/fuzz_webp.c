// fuzz_webp.c - .webp files
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image read;
    fuzz_read_image(image_parse_webp, data, size, NULL, &read);
    image_destroy(&read);
    return 0;
}
