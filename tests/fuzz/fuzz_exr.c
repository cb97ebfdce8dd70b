// fuzz_exr.c - .exr files: an accepted one is written and read again with the same bits
// SPDX-License-Identifier: MIT
//
// The first byte selects the channels to read; the rest is the file.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "fuzz.h"
#include "image.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const channels[] = {NULL, "R", "A,B,G,R", "Z", "Y,,A", ""};
    fuzz_input input = {data, size};
    image read = {0}, again = {0};
    const image_view view = {.channels = channels[fuzz_below(&input, 6)]}, plain = {0};
    const image_limits *limits = fuzz_limits(input.left), all = image_default_limits();
    int status = image_parse_exr("in.exr", input.at, input.left, &view, limits, &read);
    fuzz_check_heap();
    if (status != STATUS_OK) {
        FUZZ_CHECK(!read.data);
        return 0;
    }
    fuzz_check_image(&read);
    FUZZ_CHECK(read.type == IMAGE_F16 || read.type == IMAGE_F32);
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    FUZZ_CHECK(stream && image_write_exr(stream, &read) && fclose(stream) == 0);
    FUZZ_CHECK(image_parse_exr("out.exr", (unsigned char *)written, length, &plain, &all, &again) ==
               STATUS_OK);
    FUZZ_CHECK(again.width == read.width && again.height == read.height && again.type == read.type);
    // Two channels that are no grey with alpha are R and G, in the order of the alphabet: G, R.
    if (read.channels != 2) {
        FUZZ_CHECK(again.channels == read.channels);
        FUZZ_CHECK(memcmp(again.data, read.data,
                          image_value_count(&read) * image_type_bytes(read.type)) == 0);
    }
    free(written);
    image_destroy(&read);
    image_destroy(&again);
    return 0;
}
