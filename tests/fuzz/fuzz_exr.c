// fuzz_exr.c - .exr files: an accepted one is written and read again with the same bits
// SPDX-License-Identifier: MIT
//
// The first byte selects the channels to read; the rest is the file.
#include "fuzz.h"
#include "image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const channels[] = {NULL, "R", "A,B,G,R", "Z", "Y,,A", ""};
    fuzz_input input = {data, size};
    image read, again = {0};
    const char *names = channels[fuzz_below(&input, 6)];
    if (fuzz_read_image(image_parse_exr, input.at, input.left, names, &read)) {
        FUZZ_CHECK(read.type == IMAGE_F16 || read.type == IMAGE_F32);
        fuzz_read_again(image_parse_exr, image_write_exr, &read, &again);
        // Two channels that are no grey with alpha are R and G, in the order of the alphabet: G, R.
        FUZZ_CHECK(again.type == read.type);
        FUZZ_CHECK(read.channels == 2 || fuzz_same_bits(&again, &read));
    }
    image_destroy(&read);
    image_destroy(&again);
    return 0;
}
