// fuzz_hdr.c - Radiance .hdr files: an accepted one has finite values, which survive a rewrite
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "fuzz.h"
#include "image.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image read = {0}, again = {0};
    const image_limits *limits = fuzz_limits(size), all = image_default_limits();
    int status = image_parse_hdr("in.hdr", data, size, limits, &read);
    fuzz_check_heap();
    if (status != STATUS_OK) {
        FUZZ_CHECK(!read.data);
        return 0;
    }
    fuzz_check_image(&read);
    const float *values = read.data;
    for (size_t i = 0; i < image_value_count(&read); i++)
        FUZZ_CHECK(isfinite(values[i]) && values[i] >= 0);
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    FUZZ_CHECK(stream && image_write_hdr(stream, &read) && fclose(stream) == 0);
    FUZZ_CHECK(image_parse_hdr("out.hdr", (unsigned char *)written, length, &all, &again) ==
               STATUS_OK);
    FUZZ_CHECK(again.width == read.width && again.height == read.height);
    // A texel's mantissas that were not normalised become so: below the last bit of its largest
    // component nothing is lost, since no component has more than 8 bits.
    const float *back = again.data;
    for (size_t i = 0; i < image_value_count(&read); i += 3) {
        float most = fmaxf(values[i], fmaxf(values[i + 1], values[i + 2]));
        for (size_t c = i; c < i + 3; c++)
            FUZZ_CHECK(fabsf(back[c] - values[c]) <= fmaxf(most / 128, 1e-37f));
    }
    free(written);
    image_destroy(&read);
    image_destroy(&again);
    return 0;
}
