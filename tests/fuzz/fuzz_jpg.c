// fuzz_jpg.c - .jpg files
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "image.h"
#include "report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image read = {0};
    const image_view view = {0};
    const image_limits *limits = fuzz_limits(size);
    int status = image_parse_jpg("in.jpg", data, size, &view, limits, &read);
    fuzz_check_heap();
    if (status == STATUS_OK)
        fuzz_check_image(&read);
    else
        FUZZ_CHECK(!read.data);
    image_destroy(&read);
    return 0;
}
