// fuzz_npy.c - .npy files: an accepted one is written and read again as the same image
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "fuzz.h"
#include "image.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image read = {0}, again = {0};
    const image_limits *limits = fuzz_limits(size), all = image_default_limits();
    int status = image_parse_npy("in.npy", data, size, limits, &read);
    fuzz_check_heap();
    if (status != STATUS_OK) {
        FUZZ_CHECK(!read.data);
        return 0;
    }
    fuzz_check_image(&read);
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    FUZZ_CHECK(stream && image_write_npy(stream, &read) && fclose(stream) == 0);
    FUZZ_CHECK(image_parse_npy("out.npy", (unsigned char *)written, length, &all, &again) ==
               STATUS_OK);
    FUZZ_CHECK(again.width == read.width && again.height == read.height &&
               again.channels == read.channels && again.type == read.type &&
               again.two_axes == read.two_axes && again.layers == read.layers);
    FUZZ_CHECK(
        memcmp(again.data, read.data, image_value_count(&read) * image_type_bytes(read.type)) == 0);
    free(written);
    image_destroy(&read);
    image_destroy(&again);
    return 0;
}
