// fuzz_y4m.c - headers of Y4M streams: an accepted one has a frame to read, and reads again
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "report.h"
#include "y4m.h"

#include <stdlib.h>
#include <string.h>

// A frame of arbitrary samples becomes an image, and that again samples.
static void check_frame(const video_format *format, const uint8_t *data, size_t size)
{
    size_t bytes = video_frame_bytes(format);
    FUZZ_CHECK(bytes >= (size_t)format->width * (size_t)format->height);
    if (format->width > 64 || format->height > 64)
        return; // else most of the time goes into filling memory
    const image_view view = {0};
    image read = {0};
    video_coder *coder = video_coder_create(format, &view);
    uint8_t *samples = calloc(1, bytes);
    FUZZ_CHECK(coder && samples);
    memcpy(samples, data, size < bytes ? size : bytes);
    FUZZ_CHECK(video_decode(coder, samples, &read) == STATUS_OK);
    fuzz_check_image(&read);
    FUZZ_CHECK(video_encode(coder, &read, samples) == STATUS_OK);
    image_destroy(&read);
    video_coder_destroy(coder);
    free(samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[Y4M_LINE] = "", printed[2 * Y4M_LINE];
    const uint8_t *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - data) : size;
    if (length >= sizeof line || memchr(data, 0, length))
        return 0;
    memcpy(line, data, length);
    y4m_header header, again;
    if (y4m_parse("in.y4m", line, -1, &header) != STATUS_OK)
        return 0;
    FUZZ_CHECK(header.rate > 0);
    check_frame(&header.format, end ? end + 1 : data, end ? size - length - 1 : 0);
    y4m_print(&header, 17, 5, printed);
    FUZZ_CHECK(strlen(printed) && printed[strlen(printed) - 1] == '\n');
    printed[strlen(printed) - 1] = '\0';
    if (strlen(printed) >= Y4M_LINE)
        return 0; // longer numbers than before
    FUZZ_CHECK(y4m_parse("out.y4m", printed, header.format.bt709, &again) == STATUS_OK);
    FUZZ_CHECK(again.format.width == 17 && again.format.bits == header.format.bits &&
               again.format.channels == header.format.channels &&
               again.format.full_range == header.format.full_range);
    return 0;
}
