// fuzz_hdr.c - Radiance .hdr files: an accepted one has finite values, which survive a rewrite
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "image.h"

#include <math.h>

static int parse(const char *path, const unsigned char *data, size_t size, const image_view *view,
                 const image_limits *limits, image *out)
{
    (void)view;
    return image_parse_hdr(path, data, size, limits, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image read, again = {0};
    if (fuzz_read_image(parse, data, size, NULL, &read)) {
        fuzz_read_again(parse, image_write_hdr, &read, &again);
        // A texel's mantissas that were not normalised become so: below the last bit of its largest
        // component nothing is lost, since no component has more than 8 bits.
        const float *values = read.data, *back = again.data;
        for (size_t i = 0; i < image_value_count(&read); i += 3) {
            float most = fmaxf(values[i], fmaxf(values[i + 1], values[i + 2]));
            for (size_t c = i; c < i + 3; c++) {
                FUZZ_CHECK(isfinite(values[c]) && values[c] >= 0);
                FUZZ_CHECK(fabsf(back[c] - values[c]) <= fmaxf(most / 128, 1e-37f));
            }
        }
    }
    image_destroy(&read);
    image_destroy(&again);
    return 0;
}
