// fuzz_npy.c - .npy files: an accepted one is written and read again as the same image
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "image.h"

static int parse(const char *path, const unsigned char *data, size_t size, const image_view *view,
                 const image_limits *limits, image *out)
{
    (void)view;
    return image_parse_npy(path, data, size, limits, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image read, again = {0};
    if (fuzz_read_image(parse, data, size, NULL, &read)) {
        fuzz_read_again(parse, image_write_npy, &read, &again);
        FUZZ_CHECK(again.two_axes == read.two_axes && again.layers == read.layers);
        FUZZ_CHECK(fuzz_same_bits(&again, &read));
    }
    image_destroy(&read);
    image_destroy(&again);
    return 0;
}
